//! Which TCP sockets listen, to whom they belong, and what connections carried. The kernel is
//! asked, which costs the subject nothing.

mod netlink;
mod outgoing;
mod owner;

pub use netlink::{Connection, ListeningSocket};
pub use outgoing::{Outgoing, Sent};
pub use owner::{Owner, sockets_of, who_listens};

use netlink::{Family, Reply, Wanted, connection, listening, parse, request};
use rustix::fd::{AsFd, OwnedFd};
use rustix::net::sockopt::{Timeout, set_socket_timeout};
use rustix::net::{
    AddressFamily, RecvFlags, SendFlags, SocketFlags, SocketType, netlink as protocol, recv, send,
    socket_with,
};
use rustix::thread::{LinkNameSpaceType, move_into_link_name_space};
use std::fs::File;
use std::io;
use std::time::Duration;

/// Size of the receive buffer: room for some eighty sockets. The kernel sends the others in further
/// datagrams. It allocates as much for each datagram as the buffer holds, so a larger buffer makes
/// every look more expensive.
const BUFFER: usize = 8 * 1024;
/// The kernel replies within the request. This only guards against a kernel that does not reply.
const PATIENCE: Duration = Duration::from_secs(2);

/// For `fuzz/`: how many sockets a datagram names.
#[doc(hidden)]
#[must_use]
pub fn read_reply(bytes: &[u8]) -> usize {
    let mut found = Vec::new();
    let _ = parse(bytes, 1, listening, &mut found);
    let mut connections = Vec::new();
    let _ = parse(bytes, 1, connection, &mut connections);
    found.len() + connections.len()
}

/// Why listening sockets cannot be looked at.
#[derive(Debug, thiserror::Error)]
pub enum SocketError {
    /// The kernel was built without it, or a sandbox forbids it.
    #[error(
        "the kernel does not tell which sockets listen ({0}): sock_diag for TCP is missing. Load it with `modprobe tcp_diag`, or allow netlink sockets in the sandbox"
    )]
    Unavailable(#[source] io::Error),
    /// It is in another network namespace, and we may not enter it.
    #[error(
        "the network of process {pid} cannot be looked into ({source}): Tacho has to run on that machine as root"
    )]
    Beside {
        /// The process.
        pid: u32,
        /// What the kernel said.
        source: io::Error,
    },
}

/// A connection to the kernel's socket diagnosis, kept open.
#[derive(Debug)]
pub struct SocketDiag {
    netlink: OwnedFd,
    buffer: Vec<u8>,
    sequence: u32,
}

/// Without a free descriptor every port would look closed. So that error is also noted in
/// `descriptors`.
fn unavailable(error: io::Error) -> SocketError {
    crate::descriptors::note(&error);
    SocketError::Unavailable(error)
}

impl SocketDiag {
    /// Opens it in the network of another process, as that of a container.
    ///
    /// # Errors
    /// Without `CAP_SYS_ADMIN` over that network, or when the process is gone.
    pub fn open_beside(pid: u32) -> Result<Self, SocketError> {
        let refused = move |source: io::Error| {
            crate::descriptors::note(&source);
            SocketError::Beside { pid, source }
        };
        let network = File::open(format!("/proc/{pid}/ns/net")).map_err(refused)?;
        // A socket stays in the network namespace in which it was opened. The thread that enters
        // the namespace ends at once, so no thread of ours stays there (setns(2)).
        let opened = std::thread::Builder::new().spawn(move || {
            move_into_link_name_space(network.as_fd(), Some(LinkNameSpaceType::Network))
                .map_err(|error| refused(error.into()))?;
            Self::open()
        });
        let opened = opened.map_err(refused)?.join();
        opened.unwrap_or_else(|_| Err(refused(io::ErrorKind::Other.into())))
    }

    /// Opens it. No privilege is needed.
    pub fn open() -> Result<Self, SocketError> {
        let open = || -> rustix::io::Result<OwnedFd> {
            let netlink = socket_with(
                AddressFamily::NETLINK,
                SocketType::DGRAM,
                SocketFlags::CLOEXEC,
                Some(protocol::SOCK_DIAG),
            )?;
            set_socket_timeout(&netlink, Timeout::Recv, Some(PATIENCE))?;
            Ok(netlink)
        };
        Ok(Self {
            netlink: open().map_err(|e| unavailable(e.into()))?,
            buffer: vec![0; BUFFER],
            sequence: 0,
        })
    }

    /// Every TCP socket of the network namespace that listens, IPv4 and IPv6.
    pub fn listening(&mut self) -> Result<Vec<ListeningSocket>, SocketError> {
        self.all(Wanted::Listening, listening)
    }

    /// Every TCP connection of the network namespace, with its counters.
    ///
    /// # Errors
    /// When the kernel does not tell.
    pub fn connections(&mut self) -> Result<Vec<Connection>, SocketError> {
        self.all(Wanted::Connected, connection)
    }

    fn all<T>(
        &mut self,
        wanted: Wanted,
        read: fn(&[u8]) -> Option<T>,
    ) -> Result<Vec<T>, SocketError> {
        let mut found = Vec::new();
        self.dump(Family::V4, wanted, read, &mut found)
            .map_err(unavailable)?;
        match self.dump(Family::V6, wanted, read, &mut found) {
            // A kernel without IPv6.
            Err(e) if e.raw_os_error() == Some(rustix::io::Errno::NOENT.raw_os_error()) => {}
            other => other.map_err(unavailable)?,
        }
        Ok(found)
    }

    fn dump<T>(
        &mut self,
        family: Family,
        wanted: Wanted,
        read: fn(&[u8]) -> Option<T>,
        found: &mut Vec<T>,
    ) -> io::Result<()> {
        self.sequence = self.sequence.wrapping_add(1);
        send(
            &self.netlink,
            &request(family, wanted, self.sequence),
            SendFlags::empty(),
        )?;
        loop {
            let (length, _) = rustix::io::retry_on_intr(|| {
                recv(&self.netlink, &mut self.buffer[..], RecvFlags::empty())
            })?;
            let datagram = self.buffer.get(..length).unwrap_or_default();
            match parse(datagram, self.sequence, read, found) {
                Reply::More => {}
                Reply::Done => return Ok(()),
                Reply::Error(code) => return Err(io::Error::from_raw_os_error(code)),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;
    use std::net::{SocketAddr, TcpListener};

    /// A child that another test forks holds a copy of our listeners until it executes its program.
    pub(super) fn eventually(mut holds: impl FnMut() -> bool) -> bool {
        let begin = std::time::Instant::now();
        while !holds() {
            if begin.elapsed() > Duration::from_secs(60) {
                return false;
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        true
    }

    fn is_listed(listener: &TcpListener) -> bool {
        let address = listener.local_addr().unwrap();
        let listening = SocketDiag::open().unwrap().listening().unwrap();
        let own = sockets_of(std::process::id());
        listening
            .iter()
            .any(|s| s.address == address && own.contains(&s.inode))
    }

    #[test]
    fn our_own_listeners_are_listed_as_ours() {
        assert!(is_listed(&TcpListener::bind("127.0.0.1:0").unwrap()));
        assert!(is_listed(&TcpListener::bind("[::1]:0").unwrap()));
    }

    #[test]
    fn what_no_longer_listens_is_not_listed() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let mut diag = SocketDiag::open().unwrap();
        let listed = |diag: &mut SocketDiag| {
            diag.listening()
                .unwrap()
                .iter()
                .any(|s| s.address == address)
        };
        assert!(listed(&mut diag));
        drop(listener);
        assert!(eventually(|| !listed(&mut diag)));
    }

    #[test]
    fn more_sockets_than_fit_one_datagram_are_all_listed() {
        let listeners: Vec<_> = (0..600)
            .map(|_| TcpListener::bind("127.0.0.1:0").unwrap())
            .collect();
        let addresses = listeners.iter().map(|l| l.local_addr().unwrap());
        let mut missing: HashSet<SocketAddr> = addresses.collect();
        let mut diag = SocketDiag::open().unwrap();
        // The kernel counts where it goes on for the next datagram, and passes one over when
        // somebody closes another one meanwhile. What gets lost by itself is lost each time.
        for _ in 0..10 {
            for socket in diag.listening().unwrap() {
                missing.remove(&socket.address);
            }
        }
        assert_eq!(missing, HashSet::new());
    }
}
