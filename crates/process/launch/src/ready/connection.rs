//! One kept-alive connection for probes. It never blocks, and reports what happened.

use super::answer::{Answer, AnswerReader, Broken};
use crate::descriptors;
use tacho_clock::monotonic_ns;

use rustix::event::PollFlags;
use rustix::fd::{AsFd, BorrowedFd, OwnedFd};
use rustix::io::Errno;
use rustix::net::sockopt::{set_tcp_nodelay, socket_error};
use rustix::net::{
    AddressFamily, RecvFlags, SendFlags, SocketFlags, SocketType, connect, recv, send, socket_with,
};
use std::net::SocketAddr;

/// Buffers that are read before other connections get a turn: 256 KiB.
const READS_AT_A_TIME: usize = 16;

/// What happened on a connection.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Event {
    /// The kernel accepted it on behalf of the subject.
    Connected,
    /// An answer was read to its last byte.
    Answered(Answer),
    /// It cannot be used any more.
    Lost(Loss),
}

/// Why a connection is of no use any more; for a sentence that begins with a place.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(super) enum Loss {
    #[error("refuses connections")]
    Refused,
    #[error("closes the connection without an answer")]
    Closed,
    #[error(
        "sends before it is asked, as servers of gRPC do and servers of HTTP/1 do not (methods of gRPC are called with --call, or `call` in the experiment's requests)"
    )]
    Unasked,
    #[error(transparent)]
    Broken(Broken),
    #[error("cannot be asked ({0})")]
    Failed(Errno),
}

impl Loss {
    /// Whether the port speaks another protocol than the expected one.
    pub(super) fn is_foreign(&self) -> bool {
        match self {
            Self::Unasked => true,
            Self::Broken(broken) => *broken != Broken::CutOff,
            _ => false,
        }
    }

    fn of(error: Errno) -> Self {
        match error {
            Errno::CONNREFUSED => Self::Refused,
            Errno::CONNRESET | Errno::PIPE => Self::Closed,
            other => Self::Failed(other),
        }
    }
}

#[derive(Debug)]
enum State {
    Connecting,
    Idle,
    Waiting(AnswerReader),
}

/// A connection to one address.
#[derive(Debug)]
pub(super) struct Connection {
    socket: OwnedFd,
    state: State,
}

impl Connection {
    /// Starts to connect. On this machine that finishes at once, unless the subject's backlog is
    /// full.
    pub(super) fn open(address: SocketAddr) -> Result<Self, Loss> {
        Self::begin(address).map_err(|error| {
            descriptors::note(&std::io::Error::from(error));
            Loss::of(error)
        })
    }

    fn begin(address: SocketAddr) -> rustix::io::Result<Self> {
        let family = if address.is_ipv4() {
            AddressFamily::INET
        } else {
            AddressFamily::INET6
        };
        let flags = SocketFlags::CLOEXEC | SocketFlags::NONBLOCK;
        let socket = socket_with(family, SocketType::STREAM, flags, None)?;
        set_tcp_nodelay(&socket, true)?;
        match connect(&socket, &address) {
            Ok(()) | Err(Errno::INPROGRESS) => {}
            Err(e) => return Err(e),
        }
        Ok(Self {
            socket,
            state: State::Connecting,
        })
    }

    pub(super) fn fd(&self) -> BorrowedFd<'_> {
        self.socket.as_fd()
    }

    /// The poll(2) events to wait for.
    pub(super) fn interest(&self) -> PollFlags {
        match self.state {
            State::Connecting => PollFlags::OUT,
            _ => PollFlags::IN,
        }
    }

    pub(super) fn is_idle(&self) -> bool {
        matches!(self.state, State::Idle)
    }

    /// The status of an answer whose body has not ended.
    pub(super) fn status_without_end(&self) -> Option<u16> {
        match &self.state {
            State::Waiting(reader) => reader.status(),
            _ => None,
        }
    }

    /// Sends a request over the idle connection. Returns the instant before its first byte.
    pub(super) fn get(&mut self, path: &str, host: SocketAddr) -> Result<u64, Loss> {
        let request = format!(
            "GET {path} HTTP/1.1\r\nHost: {host}\r\nUser-Agent: tacho-ready\r\nAccept: */*\r\n\r\n"
        );
        let sent_ns = monotonic_ns();
        match send(&self.socket, request.as_bytes(), SendFlags::NOSIGNAL) {
            Ok(length) if length == request.len() => {
                self.state = State::Waiting(AnswerReader::new());
                Ok(sent_ns)
            }
            // A new connection has room for far more than one request.
            Ok(_) => Err(Loss::Failed(Errno::NOBUFS)),
            Err(e) => Err(Loss::of(e)),
        }
    }

    /// Processes what has arrived; `None` when it has to wait for more.
    pub(super) fn advance(&mut self) -> Option<Event> {
        if matches!(self.state, State::Connecting) {
            return Some(match socket_error(&self.socket) {
                Ok(Ok(())) => {
                    self.state = State::Idle;
                    Event::Connected
                }
                Ok(Err(e)) | Err(e) => Event::Lost(Loss::of(e)),
            });
        }
        let mut buffer = [0; 16 * 1024];
        // A peer that sends without end must not keep the loop here: deadline and signals have to
        // be checked in between.
        for _ in 0..READS_AT_A_TIME {
            let length = match recv(&self.socket, &mut buffer[..], RecvFlags::empty()) {
                Ok((length, _)) => length,
                Err(Errno::AGAIN) => return None,
                Err(Errno::INTR) => continue,
                Err(e) => return Some(Event::Lost(Loss::of(e))),
            };
            let State::Waiting(reader) = &mut self.state else {
                return Some(Event::Lost(if length == 0 {
                    Loss::Closed
                } else {
                    Loss::Unasked
                }));
            };
            let result = if length == 0 {
                reader.close().map(Some)
            } else {
                reader.push(buffer.get(..length).unwrap_or_default())
            };
            match result {
                Ok(None) => {}
                Ok(Some(answer)) => {
                    self.state = State::Idle;
                    return Some(Event::Answered(answer));
                }
                Err(_) if length == 0 && reader.status().is_none() => {
                    return Some(Event::Lost(Loss::Closed));
                }
                Err(broken) => return Some(Event::Lost(Loss::Broken(broken))),
            }
        }
        // poll(2) reports what is left at once.
        None
    }
}
