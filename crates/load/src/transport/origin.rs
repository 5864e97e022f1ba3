//! Which address the next connection is made to.
//!
//! A name may have several addresses, of which not all answer: `localhost` is `::1` and `127.0.0.1`,
//! and many a subject listens on one of the two. Each opening begins with the address that was
//! reached last and tries the others when one refuses. (RFC 8305 would have them race; a load
//! generator that opens a thousand connections must not open two thousand.)

use super::fault::Fault;
use super::resolver::{Resolver, system_lookup};
use super::socket::{Begun, Target, open_socket};
use crate::clock::monotonic_ns;
use crate::request::Address;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

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

/// An attempt to reach one address. All attempts of one opening share its beginning, and so its time
/// limit.
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
