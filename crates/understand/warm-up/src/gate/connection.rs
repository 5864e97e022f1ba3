//! Connections to the gate: each has one deadline, and a new one replaces the oldest when all
//! places are taken.

use std::collections::BTreeMap;
use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// The most connections that are open at a time. Probes never need more.
pub(super) const MOST_AT_A_TIME: usize = 64;

/// The connections that are open, by the order in which they came.
#[derive(Debug, Clone, Default)]
pub(super) struct Connections(Arc<Mutex<Open>>);

#[derive(Debug, Default)]
struct Open {
    came: u64,
    streams: BTreeMap<u64, Arc<TcpStream>>,
}

impl Connections {
    /// Accepts a connection. When all places are taken, the oldest connection ends. A probe sends
    /// its request at once, so a client that was silent while 64 others connected is no probe.
    pub(super) fn take_in(&self, stream: TcpStream, patience: Duration) -> Connection {
        let stream = Arc::new(stream);
        let mut open = self.lock();
        while open.streams.len() >= MOST_AT_A_TIME {
            open.end_oldest();
        }
        open.came += 1;
        let number = open.came;
        open.streams.insert(number, Arc::clone(&stream));
        Connection {
            stream,
            deadline: Instant::now() + patience,
            number,
            all: self.clone(),
        }
    }

    /// Ends the oldest connection, so that its descriptor can serve another.
    pub(super) fn make_room(&self) {
        self.lock().end_oldest();
    }

    fn lock(&self) -> MutexGuard<'_, Open> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Open {
    fn end_oldest(&mut self) {
        if let Some((_, stream)) = self.streams.pop_first() {
            // Its thread reads the end, and drops the rest.
            let _ = stream.shutdown(Shutdown::Both);
        }
    }
}

/// A connection of a client. It lasts no longer than the gate's patience, from accepting it to the
/// end of its answer, however slowly its bytes come.
#[derive(Debug)]
pub(super) struct Connection {
    stream: Arc<TcpStream>,
    deadline: Instant,
    number: u64,
    all: Connections,
}

impl Connection {
    /// Says that nothing more will be sent.
    pub(super) fn end_writing(&self) -> io::Result<()> {
        self.stream.shutdown(Shutdown::Write)
    }

    fn left(&self) -> io::Result<Option<Duration>> {
        let left = self.deadline.saturating_duration_since(Instant::now());
        match left.is_zero() {
            true => Err(io::ErrorKind::TimedOut.into()),
            false => Ok(Some(left)),
        }
    }
}

impl Read for Connection {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        self.stream.set_read_timeout(self.left()?)?;
        (&*self.stream).read(into)
    }
}

impl Write for Connection {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.stream.set_write_timeout(self.left()?)?;
        (&*self.stream).write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        self.all.lock().streams.remove(&self.number);
    }
}
