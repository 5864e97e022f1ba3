//! The bytes of a connection, plain or through TLS.

use super::arrival::Inlet;
use super::fault::Fault;
use super::socket::write;
use super::tls::TlsStream;
use rustix::fd::{AsFd, BorrowedFd};
use rustix::io::Errno;
use rustix::net::{RecvFlags, recv};

/// An established connection.
#[derive(Debug)]
pub enum Stream {
    Plain(Inlet),
    Tls(Box<TlsStream>),
}

/// What one read came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Received {
    /// This many bytes.
    Bytes {
        count: usize,
        /// Nothing is left to read for now, so that a look at the socket can be saved.
        drained: bool,
        /// More bytes are at hand already (or, of a plain socket, may be).
        unread: bool,
        /// When the last of them arrived by the wall clock, in nanoseconds; where it was noted.
        noted: Option<i64>,
    },
    /// No bytes for now.
    Nothing,
    /// The peer will send nothing more.
    End {
        /// The peer itself announced the end. Under TLS an end without this announcement may be a
        /// truncation attack (RFC 8446, 6.1). Plain TCP cannot tell, so its ends are proper.
        is_proper: bool,
    },
}

impl Stream {
    /// Reads once from the socket, as much as is there and the buffer takes.
    #[inline]
    pub fn receive(&mut self, buffer: &mut [u8]) -> Result<Received, Fault> {
        match self {
            Self::Plain(plain) => receive_plain(plain, buffer),
            Self::Tls(tls) => tls.receive(buffer),
        }
    }

    /// Takes as many bytes as it can; how many.
    #[inline]
    pub fn transmit(&mut self, bytes: &[u8]) -> Result<usize, Fault> {
        match self {
            Self::Plain(plain) => write(&*plain, bytes),
            Self::Tls(tls) => tls.transmit(bytes),
        }
    }

    /// Bytes that were taken still wait to be written.
    #[inline]
    pub fn has_pending(&self) -> bool {
        match self {
            Self::Plain(_) => false,
            Self::Tls(tls) => tls.has_pending(),
        }
    }

    /// The peer has said, within the stream, that nothing more comes.
    #[inline]
    pub fn has_ended(&self) -> bool {
        match self {
            Self::Plain(_) => false,
            Self::Tls(tls) => tls.has_ended(),
        }
    }

    /// Has the kernel stamp what arrives, where it can.
    pub fn stamp_arrivals(&mut self) {
        match self {
            Self::Plain(plain) => plain.stamp_arrivals(),
            Self::Tls(tls) => tls.stamp_arrivals(),
        }
    }

    /// Something waits to be read: an answer that came before the peer closed.
    pub fn has_answer_waiting(&self) -> bool {
        let mut byte = [0];
        let flags = RecvFlags::PEEK | RecvFlags::DONTWAIT;
        matches!(recv(self, &mut byte[..], flags), Ok((_, 1..)))
    }
}

impl AsFd for Stream {
    fn as_fd(&self) -> BorrowedFd<'_> {
        match self {
            Self::Plain(plain) => plain.as_fd(),
            Self::Tls(tls) => tls.as_fd(),
        }
    }
}

#[inline]
fn receive_plain(plain: &Inlet, buffer: &mut [u8]) -> Result<Received, Fault> {
    match plain.receive(buffer) {
        Ok((0, _)) => Ok(Received::End { is_proper: true }),
        Ok((count, noted)) => {
            // Less than was asked for: the socket is empty (epoll(7)).
            let drained = count < buffer.len();
            Ok(Received::Bytes {
                count,
                drained,
                unread: !drained,
                noted,
            })
        }
        Err(Errno::AGAIN) => Ok(Received::Nothing),
        Err(errno) => Err(Fault::of_errno(errno)),
    }
}
