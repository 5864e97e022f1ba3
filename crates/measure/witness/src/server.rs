//! The server: one thread, one epoll loop, an answer at once.

use crate::seen::Seen;
use rustix::buffer::spare_capacity;
use rustix::event::epoll::{self, CreateFlags, EventData, EventFlags};
use rustix::fd::{AsFd, OwnedFd};
use rustix::io::Errno;
use rustix::net::{SendFlags, send};
use std::collections::HashMap;
use std::io;
use std::net::{SocketAddr, TcpListener, TcpStream};
use tacho_clock::{Anchor, monotonic_ns};

const ANSWER: &[u8] =
    b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 6\r\n\r\nTacho\n";

/// What ends the head of a request. Requests with a body are not understood.
const END_OF_HEAD: &[u8] = b"\r\n\r\n";

/// A client opens all of its connections at once; one that is dropped tries again after a second.
const BACKLOG: i32 = 4_096;
const EVENTS_A_PASS: usize = 256;
const READ_BUFFER: usize = 16 * 1024;
/// Room for some minutes at 10,000 a second without moving what was seen.
const ROOM: usize = 1 << 20;
/// Later requests are answered and not kept: half a gigabyte.
const MOST_SEEN: usize = 1 << 24;

/// Events other than those of connections, whose numbers count up from 0.
const STOP: u64 = u64::MAX;
const LISTENER: u64 = u64::MAX - 1;

/// A client, and how much of the end of a head it has sent.
#[derive(Debug)]
struct Connection {
    stream: TcpStream,
    matched: usize,
}

/// Listens, answers, and keeps what it sees.
#[derive(Debug)]
pub struct Witness {
    listener: TcpListener,
    epoll: OwnedFd,
    connections: HashMap<u64, Connection>,
    accepted: u64,
    buffer: Box<[u8]>,
    seen: Vec<Seen>,
}

impl Witness {
    /// Listens at an address; port 0 is a free one.
    ///
    /// # Errors
    /// When the address is taken, or the kernel gives no epoll instance.
    pub fn bind(address: SocketAddr) -> io::Result<Self> {
        let listener = TcpListener::bind(address)?;
        rustix::net::listen(&listener, BACKLOG)?;
        listener.set_nonblocking(true)?;
        // Connections inherit it, so that their first request is stamped, too.
        tacho_stamps::stamp_arrivals(&listener, true);
        let epoll = epoll::create(CreateFlags::CLOEXEC)?;
        watch(&epoll, &listener, LISTENER)?;
        Ok(Self {
            listener,
            epoll,
            connections: HashMap::new(),
            accepted: 0,
            buffer: vec![0; READ_BUFFER].into(),
            seen: Vec::with_capacity(ROOM),
        })
    }

    /// Where it listens.
    ///
    /// # Errors
    /// As getsockname(2) has them.
    pub fn address(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }

    /// Serves until `stop` can be read or is closed; what was seen.
    ///
    /// # Errors
    /// When the kernel refuses to wait for events, or to watch a connection.
    pub fn serve(mut self, stop: impl AsFd) -> io::Result<Vec<Seen>> {
        watch(&self.epoll, stop, STOP)?;
        let mut events = Vec::with_capacity(EVENTS_A_PASS);
        loop {
            events.clear();
            match epoll::wait(&self.epoll, spare_capacity(&mut events), None) {
                Ok(_) | Err(Errno::INTR) => {}
                Err(errno) => return Err(errno.into()),
            }
            for event in &events {
                match event.data.u64() {
                    STOP => return Ok(self.seen),
                    LISTENER => self.accept()?,
                    connection => self.read(connection),
                }
            }
        }
    }

    fn accept(&mut self) -> io::Result<()> {
        while let Ok((stream, _)) = self.listener.accept() {
            stream.set_nonblocking(true)?;
            stream.set_nodelay(true)?;
            watch(&self.epoll, &stream, self.accepted)?;
            let connection = Connection { stream, matched: 0 };
            self.connections.insert(self.accepted, connection);
            self.accepted += 1;
        }
        Ok(())
    }

    fn read(&mut self, number: u64) {
        let Some(connection) = self.connections.get_mut(&number) else {
            return;
        };
        let (count, stamp) = match tacho_stamps::receive(&connection.stream, &mut self.buffer) {
            Ok(received @ (1.., _)) => received,
            Err(Errno::AGAIN | Errno::INTR) => return,
            // It has ended or broken off; closing it takes it out of epoll.
            Ok(_) | Err(_) => {
                self.connections.remove(&number);
                return;
            }
        };
        let arrived = match stamp {
            Some(wall_ns) => on_the_monotonic_clock(wall_ns),
            None => monotonic_ns(),
        };
        for _ in 0..heads_ended(&mut connection.matched, &self.buffer[..count]) {
            let answer_begun = monotonic_ns();
            let sent = send(&connection.stream, ANSWER, SendFlags::NOSIGNAL);
            let answer_ended = monotonic_ns();
            if sent != Ok(ANSWER.len()) {
                self.connections.remove(&number);
                return;
            }
            if self.seen.len() < MOST_SEEN {
                self.seen.push(Seen {
                    arrived,
                    is_stamped: stamp.is_some(),
                    answer_begun,
                    answer_ended,
                });
            }
        }
    }
}

/// Stamps are of the wall clock, which may be set; so the two are compared each time.
fn on_the_monotonic_clock(wall_ns: i64) -> u64 {
    let now = Anchor::now();
    let ago = now.realtime_ns.saturating_sub(wall_ns.unsigned_abs());
    now.monotonic_ns.saturating_sub(ago)
}

/// How many heads of requests end in these bytes; `matched` of the end were there before.
fn heads_ended(matched: &mut usize, bytes: &[u8]) -> usize {
    let mut ended = 0;
    for &byte in bytes {
        *matched = match byte == END_OF_HEAD[*matched] {
            true => *matched + 1,
            false => usize::from(byte == END_OF_HEAD[0]),
        };
        if *matched == END_OF_HEAD.len() {
            *matched = 0;
            ended += 1;
        }
    }
    ended
}

fn watch(epoll: &OwnedFd, source: impl AsFd, number: u64) -> io::Result<()> {
    epoll::add(epoll, source, EventData::new_u64(number), EventFlags::IN)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use rustix::event::{EventfdFlags, eventfd};
    use std::io::{Read, Write};
    use std::net::Ipv4Addr;

    #[test]
    fn heads_are_counted_however_they_are_cut() {
        let requests = b"GET / HTTP/1.1\r\nHost: a\r\n\r\nGET /b HTTP/1.1\r\n\r\n\r";
        for cut in 0..requests.len() {
            let mut matched = 0;
            let (before, after) = requests.split_at(cut);
            let ended = heads_ended(&mut matched, before) + heads_ended(&mut matched, after);
            assert_eq!((ended, matched), (2, 1), "{cut}");
        }
    }

    #[test]
    fn each_request_is_answered_and_seen_between_its_sending_and_its_answer() {
        let witness = Witness::bind((Ipv4Addr::LOCALHOST, 0).into()).unwrap();
        let address = witness.address().unwrap();
        let stop = eventfd(0, EventfdFlags::empty()).unwrap();
        let stopped = stop.try_clone().unwrap();
        let serving = std::thread::spawn(move || witness.serve(&stopped).unwrap());
        let mut client = TcpStream::connect(address).unwrap();
        let mut instants = Vec::new();
        for _ in 0..20 {
            let sent = monotonic_ns();
            client.write_all(b"GET / HTTP/1.1\r\n\r\n").unwrap();
            let mut answer = [0; ANSWER.len()];
            client.read_exact(&mut answer).unwrap();
            assert_eq!(answer, ANSWER);
            instants.push((sent, monotonic_ns()));
        }
        rustix::io::write(&stop, &1u64.to_ne_bytes()).unwrap();
        let seen = serving.join().unwrap();
        assert_eq!(seen.len(), instants.len());
        // Two clocks were compared.
        let slack = 1_000_000;
        for (one, (sent, _)) in seen.iter().zip(instants) {
            assert!(one.arrived + slack >= sent, "{one:?} {sent}");
            assert!(one.arrived <= one.answer_begun + slack, "{one:?}");
            assert!(one.answer_begun <= one.answer_ended, "{one:?}");
        }
    }
}
