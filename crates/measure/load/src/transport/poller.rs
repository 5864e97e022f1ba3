//! epoll, with an alarm that is exact to the nanosecond.

use rustix::event::epoll::{self, CreateFlags, EventData, EventFlags};
use rustix::fd::{AsFd, OwnedFd};
use rustix::io::Errno;
use rustix::thread::{ClockId, clock_nanosleep_absolute};
use rustix::time::{
    Itimerspec, TimerfdClockId, TimerfdFlags, TimerfdTimerFlags, timerfd_create, timerfd_settime,
};
use std::io;
use std::mem::MaybeUninit;
use tacho_clock::timespec;

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
///
/// `epoll_wait` counts in milliseconds, and `epoll_pwait2`, which counts in nanoseconds, came with
/// Linux 5.11; hosts with control groups v1 are often older. So the alarm is a timerfd: it is armed
/// once for an instant, not anew for each wait, needs no reading (edge-triggered as well), and no
/// timer slack makes it late.
pub struct Poller {
    epoll: OwnedFd,
    /// What was reported and not handled yet. Not the kernel's own events: these hold a pointer,
    /// for those who want one, and so cannot go to another thread.
    events: Vec<(Token, EventFlags)>,
    next: usize,
    timer: OwnedFd,
    armed: u64,
}

/// No socket has this token: there are never that many slots.
const ALARM: Token = Token {
    slot: u32::MAX,
    generation: u32::MAX,
};

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

/// Sleeps until this instant of the monotonic clock, whatever comes in. It costs a fraction of an
/// alarm and the wait for it.
pub fn sleep_until(instant: u64) -> io::Result<()> {
    match clock_nanosleep_absolute(ClockId::Monotonic, &timespec(instant)) {
        // A signal may be the one that ends the run.
        Ok(()) | Err(Errno::INTR) => Ok(()),
        Err(errno) => Err(errno.into()),
    }
}

impl Poller {
    pub fn new() -> io::Result<Self> {
        let epoll = epoll::create(CreateFlags::CLOEXEC)?;
        let timer = timerfd_create(
            TimerfdClockId::Monotonic,
            TimerfdFlags::CLOEXEC | TimerfdFlags::NONBLOCK,
        )?;
        epoll::add(
            &epoll,
            &timer,
            ALARM.data(),
            EventFlags::IN | EventFlags::ET,
        )?;
        Ok(Self {
            epoll,
            events: Vec::with_capacity(EVENTS_A_PASS),
            next: 0,
            timer,
            armed: 0,
        })
    }

    pub fn add(&self, socket: impl AsFd, token: Token) -> Result<(), Errno> {
        epoll::add(&self.epoll, socket, token.data(), INTEREST)
    }

    /// Has the present state of the socket reported again.
    pub fn rearm(&self, socket: impl AsFd, token: Token) -> Result<(), Errno> {
        epoll::modify(&self.epoll, socket, token.data(), INTEREST)
    }

    /// Wakes the wait that is under way at this instant of the monotonic clock, in nanoseconds.
    /// An alarm replaces the one before it.
    pub fn set_alarm(&mut self, instant: u64) -> io::Result<()> {
        if self.armed != instant {
            self.armed = instant;
            let timer = Itimerspec {
                it_interval: timespec(0),
                it_value: timespec(instant),
            };
            timerfd_settime(&self.timer, TimerfdTimerFlags::ABSTIME, &timer)?;
        }
        Ok(())
    }

    /// Waits for events or the alarm, at most so long; whole milliseconds, rounded up. A signal
    /// ends the wait early.
    pub fn wait(&mut self, at_most_ns: u64) -> io::Result<()> {
        self.events.clear();
        self.next = 0;
        let timeout = timespec(at_most_ns);
        let mut room = [const { MaybeUninit::uninit() }; EVENTS_A_PASS];
        match epoll::wait(&self.epoll, &mut room[..], Some(&timeout)) {
            Ok((events, _)) => {
                let reported = events.iter().map(|e| (Token::of(e.data), e.flags));
                self.events.extend(reported);
                Ok(())
            }
            Err(Errno::INTR) => Ok(()),
            Err(errno) => Err(errno.into()),
        }
    }

    /// The next event of the last wait.
    #[inline]
    pub fn next(&mut self) -> Option<(Token, EventFlags)> {
        loop {
            let (token, flags) = *self.events.get(self.next)?;
            self.next += 1;
            if token != ALARM {
                return Some((token, flags));
            }
        }
    }
}
