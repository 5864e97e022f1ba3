//! epoll with time limits in nanoseconds.

use rustix::buffer::spare_capacity;
use rustix::event::epoll::{self, CreateFlags, EventData, EventFlags};
use rustix::fd::{AsFd, OwnedFd};
use rustix::io::Errno;
use rustix::time::Timespec;
use std::io;

/// Sockets told apart by slot and generation, so that an event that was fetched before its socket
/// was closed is not taken for one of the next socket in the same slot.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Token {
    pub slot: u32,
    pub generation: u32,
}

impl Token {
    fn data(self) -> EventData {
        EventData::new_u64(u64::from(self.generation) << 32 | u64::from(self.slot))
    }

    fn of(data: EventData) -> Self {
        let bits = data.u64();
        Self {
            slot: bits as u32,
            generation: (bits >> 32) as u32,
        }
    }
}

/// Enough for one pass; what is more comes with the next.
const EVENTS_A_PASS: usize = 256;

/// One epoll instance and the events that it last reported.
///
/// Sockets are registered once, edge-triggered and in both directions: no `epoll_ctl` per request
/// (a level-triggered loop that turns its interest in writing on and off makes two), and a socket
/// that has been read is not polled a second time. The price is that a socket must be read
/// until it is empty; see epoll(7), "Edge-triggered and level-triggered".
pub struct Poller {
    epoll: OwnedFd,
    events: Vec<epoll::Event>,
    next: usize,
}

const INTEREST: EventFlags = EventFlags::IN
    .union(EventFlags::OUT)
    .union(EventFlags::RDHUP)
    .union(EventFlags::ET);

impl std::fmt::Debug for Poller {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Poller")
            .field("epoll", &self.epoll)
            .finish_non_exhaustive()
    }
}

impl Poller {
    pub fn new() -> io::Result<Self> {
        Ok(Self {
            epoll: epoll::create(CreateFlags::CLOEXEC)?,
            events: Vec::with_capacity(EVENTS_A_PASS),
            next: 0,
        })
    }

    pub fn add(&self, socket: impl AsFd, token: Token) -> Result<(), Errno> {
        epoll::add(&self.epoll, socket, token.data(), INTEREST)
    }

    /// Has the present state of the socket reported again.
    pub fn rearm(&self, socket: impl AsFd, token: Token) -> Result<(), Errno> {
        epoll::modify(&self.epoll, socket, token.data(), INTEREST)
    }

    /// Waits for events, at most so long. A signal ends the wait early.
    pub fn wait(&mut self, at_most_ns: u64) -> io::Result<()> {
        self.events.clear();
        self.next = 0;
        let timeout = Timespec {
            tv_sec: (at_most_ns / 1_000_000_000) as i64,
            tv_nsec: (at_most_ns % 1_000_000_000) as i64,
        };
        match epoll::wait(
            &self.epoll,
            spare_capacity(&mut self.events),
            Some(&timeout),
        ) {
            Ok(_) | Err(Errno::INTR) => Ok(()),
            // Before Linux 5.11 there are only milliseconds: wait too short rather than too long.
            Err(Errno::NOSYS) => self.wait(at_most_ns / 1_000_000 * 1_000_000),
            Err(errno) => Err(errno.into()),
        }
    }

    /// The next event of the last wait.
    #[inline]
    pub fn next(&mut self) -> Option<(Token, EventFlags)> {
        let event = self.events.get(self.next)?;
        self.next += 1;
        Some((Token::of(event.data), event.flags))
    }
}
