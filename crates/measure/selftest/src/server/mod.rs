//! A small HTTP/1.1 server that plays a script: one thread, one epoll loop, exact alarms. Nothing
//! in it is shared with the engine that it is there to judge, but for the clock.

mod client;
mod reactor;
mod record;

use crate::script::Script;
use reactor::Reactor;
pub use record::Played;
use rustix::event::{EventfdFlags, eventfd};
use rustix::fd::OwnedFd;
use std::io;
use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::thread::JoinHandle;

/// As many connections may wait to be accepted as the kernel allows (`net.core.somaxconn`); a
/// client opens all of its own at once, and one that is dropped is tried again only after a second.
const BACKLOG: i32 = 4_096;

/// Listens on 127.0.0.1 until it is stopped or dropped.
///
/// Times of the script count from the first request that it gets, so a server serves one
/// measurement.
#[derive(Debug)]
pub struct ScriptedServer {
    address: SocketAddr,
    stop: OwnedFd,
    thread: Option<JoinHandle<io::Result<Played>>>,
}

impl ScriptedServer {
    /// Listens on a free port and plays the script to requests of a constant rate; the rate is
    /// needed to say when each request was intended.
    ///
    /// # Errors
    /// When the kernel gives no socket, no epoll instance or no thread.
    pub fn start(script: Script, rate: f64) -> io::Result<Self> {
        Self::start_at(SocketAddr::from((Ipv4Addr::LOCALHOST, 0)), script, rate)
    }

    /// The same at a given address.
    ///
    /// # Errors
    /// As above, or when the address is taken.
    pub fn start_at(address: SocketAddr, script: Script, rate: f64) -> io::Result<Self> {
        let listener = TcpListener::bind(address)?;
        rustix::net::listen(&listener, BACKLOG)?;
        listener.set_nonblocking(true)?;
        let address = listener.local_addr()?;
        let stop = eventfd(0, EventfdFlags::CLOEXEC | EventfdFlags::NONBLOCK)?;
        let reactor = Reactor::new(listener, &stop, script, rate)?;
        let thread = std::thread::Builder::new()
            .name("tacho-scripted".to_owned())
            .spawn(move || reactor.run())?;
        Ok(Self {
            address,
            stop,
            thread: Some(thread),
        })
    }

    /// Where it listens.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Ends it, and tells how well it kept to the script.
    ///
    /// # Errors
    /// When its loop had ended before, with what the kernel refused.
    pub fn stop(mut self) -> io::Result<Played> {
        self.end()
            .unwrap_or_else(|| Err(io::Error::other("the server's thread ended by itself")))
    }

    fn end(&mut self) -> Option<io::Result<Played>> {
        let thread = self.thread.take()?;
        // Fails only at 2^64 - 1 stops.
        let _ = rustix::io::write(&self.stop, &1u64.to_ne_bytes());
        thread.join().ok()
    }
}

impl Drop for ScriptedServer {
    fn drop(&mut self) {
        self.end();
    }
}
