//! One connection: a socket, what it is doing, and the request that it carries.

use super::fault::Fault;
use super::http1::AnswerReader;
use super::poller::Token;
use rustix::fd::OwnedFd;
use rustix::io::Errno;
use rustix::net::{
    AddressFamily, SendFlags, SocketFlags, SocketType, connect, ipproto, send, socket_with, sockopt,
};
use std::net::SocketAddr;

/// What a socket is doing.
#[derive(Debug)]
pub enum Link {
    /// There is none.
    Closed,
    /// Connecting, since this instant.
    Connecting(OwnedFd, u64),
    /// Connected.
    Open(OwnedFd),
}

/// A request on its way.
#[derive(Debug, Clone, Copy)]
pub struct Exchange {
    /// Index of the request in the mix.
    pub request: u32,
    /// Bytes of it that were written.
    pub written: usize,
    /// Just before its first byte was written; 0 before that.
    pub sent: u64,
    /// When the first byte of the answer was read; 0 before that.
    pub first_byte: u64,
    /// Bytes of the answer that have come.
    pub received: u64,
    /// It was sent again because the idle connection had been closed.
    pub is_retry: bool,
}

/// A slot for a connection; the socket in it changes, the slot stays.
#[derive(Debug)]
pub struct Connection {
    pub link: Link,
    pub generation: u32,
    pub reader: AnswerReader,
    pub exchange: Option<Exchange>,
    /// Answers that came over the present socket.
    pub answers: u64,
}

impl Connection {
    pub fn new() -> Self {
        Self {
            link: Link::Closed,
            generation: 0,
            reader: AnswerReader::default(),
            exchange: None,
            answers: 0,
        }
    }

    pub fn token(&self, slot: u32) -> Token {
        Token {
            slot,
            generation: self.generation,
        }
    }

    /// Closes the socket, if any. Events of it that are still to come are of an old generation.
    pub fn close(&mut self) {
        self.link = Link::Closed;
        self.generation = self.generation.wrapping_add(1);
        self.answers = 0;
    }

    /// True when a failure now only means that the peer closed a connection that it had kept open
    /// after an earlier answer: nothing of this answer has come.
    pub fn was_closed_while_idle(&self, fault: Fault) -> bool {
        let lost = matches!(fault, Fault::Reset | Fault::Closed { received: 0 });
        lost && self.answers > 0
            && self
                .exchange
                .is_some_and(|exchange| exchange.received == 0 && !exchange.is_retry)
    }
}

/// A socket that has begun to connect, or is connected already: epoll reports both alike.
pub fn open_socket(address: &SocketAddr) -> Result<OwnedFd, Fault> {
    let family = match address {
        SocketAddr::V4(_) => AddressFamily::INET,
        SocketAddr::V6(_) => AddressFamily::INET6,
    };
    let socket = socket_with(
        family,
        SocketType::STREAM,
        SocketFlags::NONBLOCK | SocketFlags::CLOEXEC,
        Some(ipproto::TCP),
    )
    .map_err(Fault::of_errno)?;
    // Requests are whole when they are written: nothing to gather, nothing to wait for.
    sockopt::set_tcp_nodelay(&socket, true).map_err(Fault::of_errno)?;
    match connect(&socket, address) {
        Ok(()) | Err(Errno::INPROGRESS) => Ok(socket),
        // A full table of local ports shows as this for a connect (connect(2)).
        Err(Errno::AGAIN) => Err(Fault::NoPorts),
        Err(errno) => Err(Fault::of_errno(errno)),
    }
}

/// Writes as much as the socket takes; the number of bytes.
#[inline]
pub fn write(socket: &OwnedFd, bytes: &[u8]) -> Result<usize, Fault> {
    let mut written = 0;
    while written < bytes.len() {
        match send(socket, &bytes[written..], SendFlags::NOSIGNAL) {
            Ok(n) => written += n,
            Err(Errno::AGAIN) => break,
            Err(Errno::INTR) => {}
            Err(errno) => return Err(Fault::of_errno(errno)),
        }
    }
    Ok(written)
}
