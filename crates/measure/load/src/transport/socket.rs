//! Sockets that never block.

use super::fault::Fault;
use rustix::fd::{AsFd, OwnedFd};
use rustix::io::Errno;
use rustix::net::{
    AddressFamily, SendFlags, SocketAddrUnix, SocketFlags, SocketType, connect, getsockname,
    ipproto, send, socket_with, sockopt,
};
use std::net::SocketAddr;
use std::path::Path;

/// What one attempt to connect is made to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Target<'a> {
    Tcp(SocketAddr),
    Unix(&'a Path),
}

/// How an attempt began.
#[derive(Debug)]
pub enum Begun {
    /// It is under way, or done already: epoll reports both alike.
    Connecting(OwnedFd),
    /// The backlog of a Unix socket is full. The kernel has nothing to report later, as it has for
    /// TCP (connect(2), EAGAIN): it has to be tried again.
    BacklogFull,
}

/// Begins to connect.
pub fn open_socket(target: Target<'_>) -> Result<Begun, Fault> {
    match target {
        Target::Tcp(address) => open_tcp(address),
        Target::Unix(path) => open_unix(path),
    }
}

const FLAGS: SocketFlags = SocketFlags::NONBLOCK.union(SocketFlags::CLOEXEC);

/// A machine whose default is BBR keeps a model and a timer for each connection, so that no router
/// on the way overflows. There is none within a machine, and the work would be done on the
/// processor that the generator shares with the subject. Every kernel has this one, and everybody
/// may choose it (tcp(7), `tcp_allowed_congestion_control`).
const WITHOUT_PACING: &str = "reno";

fn open_tcp(address: SocketAddr) -> Result<Begun, Fault> {
    let family = match address {
        SocketAddr::V4(_) => AddressFamily::INET,
        SocketAddr::V6(_) => AddressFamily::INET6,
    };
    let socket = socket_with(family, SocketType::STREAM, FLAGS, Some(ipproto::TCP))
        .map_err(Fault::of_errno)?;
    // Requests are whole when they are written: nothing to gather, nothing to wait for.
    sockopt::set_tcp_nodelay(&socket, true).map_err(Fault::of_errno)?;
    if address.ip().is_loopback() {
        // Without it, all the better: then the machine's own choice is cheap already, or the only
        // one.
        let _ = sockopt::set_tcp_congestion(&socket, WITHOUT_PACING);
    }
    match connect(&socket, &address) {
        Ok(()) | Err(Errno::INPROGRESS) => Ok(Begun::Connecting(socket)),
        // A full table of local ports shows as this for a connect (connect(2)).
        Err(Errno::AGAIN) => Err(Fault::NoPorts),
        Err(errno) => Err(Fault::of_errno(errno)),
    }
}

fn open_unix(path: &Path) -> Result<Begun, Fault> {
    let address = SocketAddrUnix::new(path).map_err(Fault::of_errno)?;
    let socket = socket_with(AddressFamily::UNIX, SocketType::STREAM, FLAGS, None)
        .map_err(Fault::of_errno)?;
    match connect(&socket, &address) {
        Ok(()) | Err(Errno::INPROGRESS) => Ok(Begun::Connecting(socket)),
        Err(Errno::AGAIN) => Ok(Begun::BacklogFull),
        Err(errno) => Err(Fault::of_errno(errno)),
    }
}

/// What became of an attempt, once the socket is reported.
pub fn outcome_of_connect(socket: &OwnedFd) -> Result<(), Fault> {
    match sockopt::socket_error(socket) {
        Ok(Ok(())) => Ok(()),
        Ok(Err(errno)) | Err(errno) => Err(Fault::of_errno(errno)),
    }
}

/// Port of this end; 0 of a socket that has none.
pub fn local_port(socket: impl AsFd) -> u16 {
    let address = getsockname(socket).map(SocketAddr::try_from);
    address.map_or(0, |address| address.map_or(0, |address| address.port()))
}

/// Writes as much as the socket takes; the number of bytes.
#[inline]
pub fn write(socket: impl AsFd, bytes: &[u8]) -> Result<usize, Fault> {
    let mut written = 0;
    while written < bytes.len() {
        match send(&socket, &bytes[written..], SendFlags::NOSIGNAL) {
            Ok(n) => written += n,
            Err(Errno::AGAIN) => break,
            Err(Errno::INTR) => {}
            Err(errno) => return Err(Fault::of_errno(errno)),
        }
    }
    Ok(written)
}
