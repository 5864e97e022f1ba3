//! A thread that only sleeps to each instant and sends: what the machine asks of anybody who keeps
//! an even schedule.
//!
//! It is the yardstick of processor time. Other tools save it by sending in bursts, so theirs is
//! none. Answers are not read: the kernel keeps those of a short measurement.

use crate::error::BenchError;
use rustix::thread::{ClockId, clock_nanosleep_absolute};
use rustix::time::{Timespec, clock_gettime};
use std::io::Write;
use std::net::{SocketAddr, TcpStream};
use tacho_selftest::RealTime;

/// `bench-load sender`.
#[derive(Debug, clap::Args)]
pub struct SenderArguments {
    /// Requests a second.
    #[arg(long)]
    rate: u32,
    #[arg(long)]
    seconds: u64,
    #[arg(long)]
    connections: u32,
    /// http://ADDRESS:PORT/
    url: String,
}

pub const REQUEST: &[u8] = b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n";

/// Sends, with the precedence that Tacho's thread has, and says how many requests.
pub fn send(arguments: &SenderArguments) -> Result<(), BenchError> {
    let address = address_of(&arguments.url)?;
    let mut connections = Vec::new();
    for _ in 0..arguments.connections.max(1) {
        let connection = TcpStream::connect(address)?;
        connection.set_nodelay(true)?;
        connections.push(connection);
    }
    let _precedence = RealTime::take();
    let requests = u64::from(arguments.rate) * arguments.seconds;
    let begin = now() + 10_000_000;
    for n in 0..requests {
        sleep_until(begin + n * 1_000_000_000 / u64::from(arguments.rate.max(1)));
        let turn = n as usize % connections.len();
        connections[turn].write_all(REQUEST)?;
    }
    println!("{requests}");
    Ok(())
}

/// What a URL of this benchmark points to.
pub fn address_of(url: &str) -> Result<SocketAddr, BenchError> {
    let address = url.trim_start_matches("http://").trim_end_matches('/');
    Ok(address.parse().map_err(std::io::Error::other)?)
}

fn now() -> u64 {
    let Timespec { tv_sec, tv_nsec } = clock_gettime(rustix::time::ClockId::Monotonic);
    tv_sec as u64 * 1_000_000_000 + tv_nsec as u64
}

fn sleep_until(instant: u64) {
    let until = Timespec {
        tv_sec: (instant / 1_000_000_000) as i64,
        tv_nsec: (instant % 1_000_000_000) as i64,
    };
    // Woken by a signal, it is a little early once.
    let _ = clock_nanosleep_absolute(ClockId::Monotonic, &until);
}
