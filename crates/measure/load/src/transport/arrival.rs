//! When bytes arrived, by the kernel's own stamp ([`tacho_stamps`]).
//!
//! A reader that sleeps while answers come in, and reads them all when it wakes, needs one wake-up
//! for many answers. Their ends are not the instants of the reads then, but those of the stamps.

use rustix::fd::{AsFd, BorrowedFd, OwnedFd};
use rustix::io::Errno;
use rustix::net::{RecvFlags, recv};
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU64, Ordering};
use tacho_clock::{monotonic_ns, wall_ns};

/// Both clocks after the last wait: two reads serve all answers of a pass. Stamps are of the
/// wall clock. Both clocks are disciplined alike, so the difference changes only when somebody
/// sets the clock. (Written and read by one thread; atomic because what h2 holds has to be `Send`.)
#[derive(Debug, Default)]
pub struct Clocks {
    /// By the monotonic one, in nanoseconds.
    read_at: AtomicU64,
    /// How far the wall clock was ahead of it.
    wall_ahead_ns: AtomicI64,
    /// Whether the last bytes had a stamp. The kernel starts to stamp a moment after it is asked
    /// to.
    is_stamped: AtomicBool,
}

impl Clocks {
    /// Reads both.
    #[inline]
    pub fn look(&self) {
        let wall = wall_ns();
        let monotonic = monotonic_ns();
        self.read_at.store(monotonic, Ordering::Relaxed);
        let ahead = wall as i64 - monotonic as i64;
        self.wall_ahead_ns.store(ahead, Ordering::Relaxed);
    }

    /// What came last had a stamp.
    #[inline]
    pub fn is_stamped(&self) -> bool {
        self.is_stamped.load(Ordering::Relaxed)
    }

    /// When bytes arrived: by the kernel's stamp where there is one, else now. Never before they
    /// were asked for nor in the future, though somebody set the clock meanwhile.
    #[inline]
    pub fn arrived(&self, stamp: Option<i64>, asked_for: u64) -> u64 {
        self.is_stamped.store(stamp.is_some(), Ordering::Relaxed);
        if let Some(wall) = stamp {
            let arrived = (wall - self.wall_ahead_ns.load(Ordering::Relaxed)).max(0) as u64;
            // Most came before the clocks were read, and are not in the future then.
            if (asked_for..=self.read_at.load(Ordering::Relaxed)).contains(&arrived) {
                return arrived;
            }
            let now = monotonic_ns();
            return arrived.clamp(asked_for.min(now), now);
        }
        monotonic_ns()
    }
}

/// A connected socket, whose arrivals the kernel may stamp.
#[derive(Debug)]
pub struct Inlet {
    socket: OwnedFd,
    is_stamped: bool,
}

impl From<OwnedFd> for Inlet {
    fn from(socket: OwnedFd) -> Self {
        Self {
            socket,
            is_stamped: false,
        }
    }
}

impl AsFd for Inlet {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.socket.as_fd()
    }
}

impl Inlet {
    /// Has the kernel stamp what arrives, where it can.
    pub fn stamp_arrivals(&mut self) {
        self.is_stamped = tacho_stamps::stamp_arrivals(&self.socket, true);
    }

    /// Reads once, without waiting: how many bytes, and when the last of them arrived (wall clock,
    /// in nanoseconds; `None` where the kernel did not stamp them).
    #[inline]
    pub fn receive(&self, buffer: &mut [u8]) -> Result<(usize, Option<i64>), Errno> {
        loop {
            let received = if self.is_stamped {
                tacho_stamps::receive(&self.socket, buffer)
            } else {
                recv(&self.socket, &mut *buffer, RecvFlags::empty()).map(|(_, count)| (count, None))
            };
            if received != Err(Errno::INTR) {
                return received;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;
    use std::net::{TcpListener, TcpStream};
    use std::time::Duration;
    use tacho_stamps::{receive, stamp_arrivals};

    fn pair() -> (TcpStream, TcpStream) {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let here = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        (here, listener.accept().unwrap().0)
    }

    /// The kernel begins to note a moment after it is asked to (a work item switches it on for the
    /// whole machine).
    fn begin_noting(here: &TcpStream, there: &mut TcpStream) {
        let mut buffer = [0; 64];
        for _ in 0..1_000 {
            there.write_all(b"x").unwrap();
            std::thread::sleep(Duration::from_millis(5));
            if let Ok((1.., Some(_))) = receive(here, &mut buffer) {
                return;
            }
        }
        panic!("no arrival was ever noted");
    }

    #[test]
    fn bytes_that_wait_keep_the_instant_of_their_arrival() {
        let (here, mut there) = pair();
        assert!(stamp_arrivals(&here, true));
        begin_noting(&here, &mut there);
        let before = monotonic_ns();
        there.write_all(b"answer").unwrap();
        let after = monotonic_ns();
        std::thread::sleep(Duration::from_millis(50));
        let mut buffer = [0; 64];
        let (count, noted) = receive(&here, &mut buffer).unwrap();
        assert_eq!(&buffer[..count], b"answer");
        let clocks = Clocks::default();
        clocks.look();
        let arrived = clocks.arrived(noted, 0);
        // Over loopback a packet arrives within the system call that sends it; two clocks are
        // compared.
        let slack = 1_000_000;
        assert!(arrived + slack >= before, "{before} {arrived}");
        assert!(arrived < after + 25_000_000, "{arrived} {after}");
        // Never before it was asked for, nor in the future.
        assert_eq!(clocks.arrived(noted, after), after);
        let future = noted.map(|wall| wall + 3_600_000_000_000);
        assert!(clocks.arrived(future, 0) <= monotonic_ns());
    }
}
