//! The process behind an address that is called, seen from outside during the calls. For any
//! process: its processor time, and how long it waited for a processor. For a JVM also how long its
//! collector stopped it.

use std::net::{SocketAddr, UdpSocket};
use tacho_launch::sockets::who_listens;
use tacho_observe::hsperfdata::{Gauge, PerfData};
use tacho_observe::process;
use tacho_run_folder::CalleeSeen;

/// The process behind an address, at one instant.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Behind {
    pid: u32,
    /// With the PID it identifies the process for good.
    start_ticks: u64,
    cpu_s: f64,
    starved_s: Option<f64>,
    paused_s: Option<f64>,
}

impl Behind {
    /// Finds the process that listens there; `None` where it is on another machine, or belongs to
    /// another user.
    pub fn at(address: SocketAddr) -> Option<Self> {
        is_here(address).then_some(())?;
        let owner = who_listens(address.port()).ok().flatten()?;
        let is_it = owner.address.ip().is_unspecified()
            || owner.address.ip().to_canonical() == address.ip().to_canonical();
        Self::of(owner.pid.filter(|_| is_it)?)
    }

    fn of(pid: u32) -> Option<Self> {
        let stat = process::stat(pid)?;
        Some(Self {
            pid,
            start_ticks: stat.start_ticks,
            cpu_s: stat.cpu_s(),
            starved_s: process::waited_s(&[pid]),
            paused_s: paused_s(pid),
        })
    }

    /// What it did since, for each of so many exchanges; `None` when it ended meanwhile.
    pub fn since(&self, exchanges: u64) -> Option<CalleeSeen> {
        let now = Self::of(self.pid).filter(|now| now.start_ticks == self.start_ticks)?;
        (exchanges > 0).then(|| self.until(&now, exchanges))
    }

    fn until(&self, now: &Self, exchanges: u64) -> CalleeSeen {
        let each_ms = |then: f64, now: f64| (now - then).max(0.0) * 1e3 / exchanges as f64;
        let both = |then: Option<f64>, now: Option<f64>| Some(each_ms(then?, now?));
        CalleeSeen {
            cpu_ms: each_ms(self.cpu_s, now.cpu_s),
            starved_ms: both(self.starved_s, now.starved_s),
            paused_ms: both(self.paused_s, now.paused_s),
        }
    }
}

/// Whether an address is this machine's: a socket can be bound to it.
fn is_here(address: SocketAddr) -> bool {
    address.ip().is_loopback() || UdpSocket::bind((address.ip(), 0)).is_ok()
}

/// How long the collector of a JVM has stopped it so far.
fn paused_s(pid: u32) -> Option<f64> {
    let memory = PerfData::open(pid).ok()?;
    let sample = Gauge::new(memory).read(0.0)?;
    let pauses = [sample.young_s, sample.full_s, sample.concurrent_pause_s];
    pauses
        .into_iter()
        .flatten()
        .reduce(|all, of_it| all + of_it)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::TcpListener;

    #[test]
    fn the_process_that_listens_is_found_and_not_one_elsewhere() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let here = Behind::at(address).unwrap();
        assert_eq!(here.pid, std::process::id());
        // The same port of a machine that is not this one (RFC 5737, for documentation).
        let elsewhere = SocketAddr::from(([192, 0, 2, 7], address.port()));
        assert_eq!(Behind::at(elsewhere), None);
    }

    #[test]
    fn what_it_did_is_shared_among_the_exchanges() {
        let then = Behind {
            pid: 1,
            start_ticks: 7,
            cpu_s: 10.0,
            starved_s: Some(1.0),
            paused_s: None,
        };
        let now = Behind {
            cpu_s: 12.0,
            starved_s: Some(1.5),
            paused_s: Some(3.0),
            ..then
        };
        let seen = then.until(&now, 1_000);
        assert_eq!((seen.cpu_ms, seen.starved_ms), (2.0, Some(0.5)));
        assert_eq!(seen.paused_ms, None);
    }
}
