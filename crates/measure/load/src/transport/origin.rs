//! Which address the next connection is made to.
//!
//! A name may have several addresses, of which not all answer: `localhost` is `::1` and
//! `127.0.0.1`, and many a subject listens on one of the two. Each opening begins with the address
//! that was reached last and tries the others when one refuses. (RFC 8305 would have them race; a
//! load generator that opens a thousand connections must not open two thousand.)

use super::fault::Fault;
use super::resolver::{Resolver, system_lookup};
use super::socket::{Begun, Target, open_socket};
use crate::request::Address;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use tacho_clock::monotonic_ns;

/// The subject's addresses.
#[derive(Debug)]
pub struct Origin {
    addresses: Addresses,
    /// Index of the address that was reached last.
    preferred: usize,
}

#[derive(Debug)]
enum Addresses {
    Ip([SocketAddr; 1]),
    Unix(PathBuf),
    Named(Resolver),
}

/// An attempt to reach one address. All attempts of one opening share its beginning, and so its
/// time limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Attempt {
    /// When the opening began.
    pub since: u64,
    /// Index of the address that is being tried.
    index: usize,
    /// Addresses that were tried before it.
    tried: usize,
}

impl Origin {
    /// Waits for the first word of the resolver, at most so long.
    pub fn new(address: &Address, patience: Duration) -> Self {
        let addresses = match address {
            Address::Ip(address) => Addresses::Ip([*address]),
            Address::Unix(path) => Addresses::Unix(path.clone()),
            Address::Name { host, port } => Addresses::Named(Resolver::start(
                system_lookup(host.clone(), *port),
                patience,
            )),
        };
        Self::at(addresses)
    }

    fn at(addresses: Addresses) -> Self {
        Self {
            addresses,
            preferred: 0,
        }
    }

    /// Begins an opening at the preferred address.
    pub fn begin(&self) -> Result<(Begun, Attempt), Fault> {
        let first = Attempt {
            since: monotonic_ns(),
            index: self.preferred,
            tried: 0,
        };
        self.attempt(first)
    }

    /// Goes on after a failed attempt with the next address. `fault` comes back when there is none,
    /// or when another address would not help.
    pub fn go_on(&self, attempt: Attempt, fault: Fault) -> Result<(Begun, Attempt), Fault> {
        if !matches!(
            fault,
            Fault::Refused | Fault::Unreachable(_) | Fault::ConnectTimeout | Fault::Reset
        ) {
            return Err(fault);
        }
        let next = Attempt {
            index: attempt.index + 1,
            tried: attempt.tried + 1,
            ..attempt
        };
        if next.tried < self.count() {
            return self.attempt(next);
        }
        // It may have moved.
        if let Addresses::Named(resolver) = &self.addresses {
            resolver.ask_again();
        }
        Err(fault)
    }

    /// The same attempt once more.
    pub fn repeat(&self, attempt: Attempt) -> Result<(Begun, Attempt), Fault> {
        self.attempt(attempt)
    }

    /// The opening succeeded: others begin with its address.
    pub fn reached(&mut self, attempt: Attempt) {
        self.preferred = attempt.index;
    }

    fn attempt(&self, attempt: Attempt) -> Result<(Begun, Attempt), Fault> {
        let begun = match &self.addresses {
            Addresses::Ip([address]) => open_socket(Target::Tcp(*address)),
            Addresses::Unix(path) => open_socket(Target::Unix(path)),
            Addresses::Named(resolver) => {
                let addresses = resolver.addresses()?;
                open_socket(Target::Tcp(addresses[attempt.index % addresses.len()]))
            }
        };
        match begun {
            Ok(begun) => Ok((begun, attempt)),
            Err(fault) => self.go_on(attempt, fault),
        }
    }

    fn count(&self) -> usize {
        match &self.addresses {
            Addresses::Ip(_) | Addresses::Unix(_) => 1,
            Addresses::Named(resolver) => resolver.addresses().map_or(0, |a: Arc<[_]>| a.len()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testkit::Nobody;
    use crate::transport::socket::outcome_of_connect;
    use rustix::event::{PollFd, PollFlags, poll};
    use std::io;
    use std::net::{Ipv4Addr, TcpListener};
    use std::thread;

    fn listener() -> (TcpListener, SocketAddr) {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let address = listener.local_addr().unwrap();
        (listener, address)
    }

    /// A name that resolves as these words say, one after another, then as the last.
    fn named(words: Vec<Option<Vec<SocketAddr>>>) -> Origin {
        let mut words = words.into_iter().peekable();
        let mut last = None;
        let lookup = move || {
            if let Some(word) = words.next() {
                last = word;
            }
            last.clone().ok_or_else(|| io::Error::other("gone"))
        };
        let patience = Duration::from_secs(60);
        let resolver = Resolver::start_at_intervals(Box::new(lookup), patience, Duration::ZERO);
        Origin::at(Addresses::Named(resolver))
    }

    /// One opening, to its end.
    fn reach(origin: &mut Origin) -> Result<Attempt, Fault> {
        let mut attempt = origin.begin()?;
        loop {
            let (Begun::Connecting(socket), current) = attempt else {
                panic!("no Unix socket here");
            };
            let mut ready = [PollFd::new(&socket, PollFlags::OUT)];
            poll(&mut ready, None).unwrap();
            match outcome_of_connect(&socket) {
                Ok(()) => {
                    origin.reached(current);
                    return Ok(current);
                }
                Err(fault) => attempt = origin.go_on(current, fault)?,
            }
        }
    }

    #[test]
    fn the_address_that_answers_is_found_and_tried_first_from_then_on() {
        let (_listener, live) = listener();
        let dead = [Nobody::here(), Nobody::here()];
        let [one, two] = dead.each_ref().map(Nobody::address);
        let mut origin = named(vec![Some(vec![one, two, live])]);
        assert_eq!(reach(&mut origin).unwrap().tried, 2);
        assert_eq!(reach(&mut origin).unwrap().tried, 0);
    }

    #[test]
    fn the_address_that_was_reached_last_is_not_the_only_one() {
        let (_first, one) = listener();
        let leaves = Nobody::here();
        let second = TcpListener::bind(leaves.address()).unwrap();
        let mut origin = named(vec![Some(vec![leaves.address(), one])]);
        assert_eq!(reach(&mut origin).unwrap().tried, 0);
        drop(second);
        assert_eq!(reach(&mut origin).unwrap().tried, 1);
    }

    #[test]
    fn when_none_answers_the_fault_is_that_of_the_last() {
        let dead = [Nobody::here(), Nobody::here()];
        let [one, two] = dead.each_ref().map(Nobody::address);
        let mut origin = named(vec![Some(vec![one, two])]);
        assert_eq!(reach(&mut origin), Err(Fault::Refused));
        let mut origin = Origin::new(&Address::Ip(one), Duration::ZERO);
        assert_eq!(reach(&mut origin), Err(Fault::Refused));
    }

    #[test]
    fn a_subject_that_moves_is_followed_and_a_name_that_is_gone_is_dns() {
        let (_listener, live) = listener();
        // Looked up at the start, after the refusal, and after each failure to resolve.
        let dead = Nobody::here();
        let words = vec![Some(vec![dead.address()]), None, None, Some(vec![live])];
        let mut origin = named(words);
        let mut kinds = Vec::new();
        let reached = loop {
            match reach(&mut origin) {
                Ok(attempt) => break attempt,
                Err(fault) if kinds.last() != Some(&fault.kind()) => kinds.push(fault.kind()),
                Err(_) => thread::yield_now(),
            }
        };
        assert_eq!(reached.tried, 0);
        assert_eq!(kinds.first().map(|kind| kind.name()), Some("refused"));
        // The resolver is a thread: how often it was asked in between is not ours to say.
        assert!(
            kinds[1..].iter().all(|kind| kind.name() == "dns"),
            "{kinds:?}"
        );
    }
}
