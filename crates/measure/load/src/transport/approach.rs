//! A connection on its way to be one: connect, then shake hands.

use super::fault::Fault;
use super::origin::{Attempt, Origin};
use super::socket::{Begun, outcome_of_connect};
use super::stream::Stream;
use super::tls::{Tls, TlsStream};
use rustix::fd::{AsFd, BorrowedFd, OwnedFd};

/// How far it has come.
#[derive(Debug)]
pub enum Approach {
    /// The backlog of a Unix socket is full; to be tried again.
    Queueing(Attempt),
    /// The socket is connecting.
    Connecting(OwnedFd, Attempt),
    /// Connected; the TLS handshake is under way.
    Securing(Box<TlsStream>, Attempt),
}

/// What a step came to.
#[derive(Debug)]
pub enum Advanced {
    /// Connected, and secured where that was wanted.
    Done(Stream),
    /// The same socket has to become ready once more.
    Same(Approach),
    /// There is a socket now, or another one: it has to be waited for.
    Anew(Approach),
}

impl Approach {
    /// Begins an opening.
    pub fn begin(origin: &Origin) -> Result<Self, Fault> {
        origin.begin().map(Self::of)
    }

    fn of((begun, attempt): (Begun, Attempt)) -> Self {
        match begun {
            Begun::Connecting(socket) => Self::Connecting(socket, attempt),
            Begun::BacklogFull => Self::Queueing(attempt),
        }
    }

    /// Goes on, once the socket is reported, or (without one) after a while.
    pub fn advance(self, origin: &mut Origin, tls: Option<&Tls>) -> Result<Advanced, Fault> {
        let (mut session, attempt) = match self {
            Self::Queueing(attempt) => {
                return origin.repeat(attempt).map(Self::of).map(Advanced::Anew);
            }
            Self::Connecting(socket, attempt) => {
                if let Err(fault) = outcome_of_connect(&socket) {
                    let next = origin.go_on(attempt, fault);
                    return next.map(Self::of).map(Advanced::Anew);
                }
                origin.reached(attempt);
                match tls {
                    None => return Ok(Advanced::Done(Stream::Plain(socket.into()))),
                    Some(tls) => (Box::new(tls.begin(socket)?), attempt),
                }
            }
            Self::Securing(session, attempt) => (session, attempt),
        };
        Ok(if session.shake_hands()? {
            Advanced::Done(Stream::Tls(session))
        } else {
            Advanced::Same(Self::Securing(session, attempt))
        })
    }

    /// When the opening began.
    pub fn since(&self) -> u64 {
        match self {
            Self::Queueing(attempt) | Self::Connecting(_, attempt) | Self::Securing(_, attempt) => {
                attempt.since
            }
        }
    }

    /// Nothing will be reported of it.
    pub fn is_queueing(&self) -> bool {
        matches!(self, Self::Queueing(_))
    }

    /// What has to become ready.
    pub fn socket(&self) -> Option<BorrowedFd<'_>> {
        match self {
            Self::Queueing(_) => None,
            Self::Connecting(socket, _) => Some(socket.as_fd()),
            Self::Securing(session, _) => Some(session.as_fd()),
        }
    }
}
