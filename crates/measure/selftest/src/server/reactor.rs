//! The server's loop.

use super::client::Client;
use super::record::{Played, Record};
use crate::machine;
use crate::playback::Playback;
use crate::script::Script;
use rustix::buffer::spare_capacity;
use rustix::event::epoll::{self, CreateFlags, EventData, EventFlags};
use rustix::fd::{AsFd, OwnedFd};
use rustix::io::Errno;
use rustix::time::{
    Itimerspec, TimerfdClockId, TimerfdFlags, TimerfdTimerFlags, timerfd_create, timerfd_settime,
};
use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};
use std::io::{self, Write};
use std::net::TcpListener;
use tacho_clock::{monotonic_ns, timespec};
use tacho_load::RealTime;

const ANSWER: &[u8] =
    b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 6\r\n\r\nTacho\n";

/// Events other than those of clients, whose numbers count up from 0.
const STOP: u64 = u64::MAX;
const ALARM: u64 = u64::MAX - 1;
const LISTENER: u64 = u64::MAX - 2;

/// Enough for one pass; what is more comes with the next.
const EVENTS_A_PASS: usize = 256;
const READ_BUFFER: usize = 16 * 1024;

/// An answer that is to be given. Ordered by the instant, then by the request's number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Answer {
    due: u64,
    request: u64,
    client: u64,
}

/// One thread's worth of server.
#[derive(Debug)]
pub struct Reactor {
    listener: TcpListener,
    epoll: OwnedFd,
    /// `epoll_wait` counts in milliseconds; this alarm is exact to the nanosecond.
    alarm: OwnedFd,
    clients: HashMap<u64, Client>,
    accepted: u64,
    received: u64,
    answers: BinaryHeap<Reverse<Answer>>,
    playback: Playback,
    record: Record,
    buffer: Box<[u8]>,
}

impl Reactor {
    /// Ends when `stop` can be read.
    pub fn new(
        listener: TcpListener,
        stop: &OwnedFd,
        script: Script,
        rate: f64,
    ) -> io::Result<Self> {
        let epoll = epoll::create(CreateFlags::CLOEXEC)?;
        let alarm = timerfd_create(
            TimerfdClockId::Monotonic,
            TimerfdFlags::CLOEXEC | TimerfdFlags::NONBLOCK,
        )?;
        watch(&epoll, &listener, LISTENER, EventFlags::IN)?;
        watch(&epoll, stop, STOP, EventFlags::IN)?;
        // Edge-triggered: an alarm that has rung needs no reading.
        watch(&epoll, &alarm, ALARM, EventFlags::IN | EventFlags::ET)?;
        Ok(Self {
            listener,
            epoll,
            alarm,
            clients: HashMap::new(),
            accepted: 0,
            received: 0,
            answers: BinaryHeap::new(),
            playback: Playback::new(script, rate),
            record: Record::new(),
            buffer: vec![0; READ_BUFFER].into(),
        })
    }

    /// Until it is stopped.
    pub fn run(mut self) -> io::Result<Played> {
        // As the engine's thread does: a server that is late makes a test that says nothing.
        // Without the right to it its recorded lateness tells.
        let _first = RealTime::take();
        let waited_before = machine::waited_ms();
        let mut events = Vec::with_capacity(EVENTS_A_PASS);
        loop {
            events.clear();
            match epoll::wait(&self.epoll, spare_capacity(&mut events), None) {
                Ok(_) | Err(Errno::INTR) => {}
                Err(errno) => return Err(errno.into()),
            }
            for event in &events {
                match event.data.u64() {
                    STOP => {
                        let waited = machine::waited_ms() - waited_before;
                        return Ok(self.record.into_played(waited));
                    }
                    ALARM => {}
                    LISTENER => self.accept()?,
                    client => self.read(client),
                }
            }
            self.give_answers();
            self.set_alarm()?;
        }
    }

    fn accept(&mut self) -> io::Result<()> {
        // Errors are the clients' own (RFC 9293: a connection that was reset before it was
        // accepted), or the want of files; the kernel tells again of those that still wait.
        while let Ok((stream, _)) = self.listener.accept() {
            stream.set_nonblocking(true)?;
            stream.set_nodelay(true)?;
            watch(&self.epoll, &stream, self.accepted, EventFlags::IN)?;
            self.clients.insert(self.accepted, Client::new(stream));
            self.accepted += 1;
        }
        Ok(())
    }

    fn read(&mut self, number: u64) {
        let Some(client) = self.clients.get_mut(&number) else {
            return;
        };
        let Some(requests) = client.read(&mut self.buffer) else {
            // Closing it takes it out of epoll.
            self.clients.remove(&number);
            return;
        };
        for _ in 0..requests {
            self.answers.push(Reverse(Answer {
                due: self.playback.answer_at(monotonic_ns()),
                request: self.received,
                client: number,
            }));
            self.received += 1;
        }
    }

    fn give_answers(&mut self) {
        let mut now = monotonic_ns();
        while let Some(&Reverse(answer)) = self.answers.peek()
            && answer.due <= now
        {
            self.answers.pop();
            self.give(answer, now);
            now = monotonic_ns();
        }
    }

    fn give(&mut self, answer: Answer, now: u64) {
        // Nobody waits any more for the answers to a client that has gone.
        let Some(client) = self.clients.get_mut(&answer.client) else {
            return;
        };
        // An answer of some 80 bytes finds no room only when the client reads none of thousands.
        match client.stream.write(ANSWER) {
            Ok(written) if written == ANSWER.len() => {
                let intended = self.playback.intended(answer.request);
                self.record
                    .answered(intended, answer.due, now, monotonic_ns());
            }
            _ => {
                self.clients.remove(&answer.client);
            }
        }
    }

    fn set_alarm(&self) -> io::Result<()> {
        // An instant in the past rings at once; 0 would disarm it.
        if let Some(Reverse(answer)) = self.answers.peek() {
            let timer = Itimerspec {
                it_interval: timespec(0),
                it_value: timespec(answer.due.max(1)),
            };
            timerfd_settime(&self.alarm, TimerfdTimerFlags::ABSTIME, &timer)?;
        }
        Ok(())
    }
}

fn watch(epoll: &OwnedFd, source: impl AsFd, number: u64, flags: EventFlags) -> io::Result<()> {
    epoll::add(epoll, source, EventData::new_u64(number), flags)?;
    Ok(())
}
