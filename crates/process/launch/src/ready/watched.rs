//! What is watched: a child of Tacho, or a process of a container that somebody else has started.

use crate::child::{Child, Exit};
use crate::sockets::{ListeningSocket, SocketDiag, SocketError};
use rustix::fd::BorrowedFd;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::path::Path;

/// A process, from its `exec` on.
pub trait Watched {
    /// `CLOCK_MONOTONIC` at its `exec`, nanoseconds.
    fn exec_ns(&self) -> u64;
    /// Becomes readable when it has ended.
    fn handle(&self) -> BorrowedFd<'_>;
    /// How it ended, if it has.
    ///
    /// # Errors
    /// When the kernel does not say.
    fn ended(&mut self) -> io::Result<Option<Exit>>;
    /// It is stopped: by SIGSTOP, or by a debugger.
    fn is_stopped(&self) -> bool;
    /// The file with its output, and the byte at which its part begins.
    fn log(&self) -> (&Path, u64);
    /// Where it listens.
    ///
    /// # Errors
    /// When the kernel does not tell.
    fn network(&self) -> Result<Network, SocketError>;
}

/// The network of a process.
#[derive(Debug)]
pub struct Network(pub(super) Known);

/// What is known of it.
#[derive(Debug)]
pub(super) enum Known {
    /// Its listening sockets, as the kernel lists them.
    Sockets(Sockets),
    /// The address at which it will listen. The process itself cannot be seen.
    Address(SocketAddr),
}

/// Listening sockets of a process and of all that belong to it.
#[derive(Debug)]
pub(super) struct Sockets {
    pub(super) diag: SocketDiag,
    pub(super) root: u32,
    pub(super) older: Vec<u32>,
    reached_at: Option<IpAddr>,
}

impl Network {
    /// The network that Tacho shares with a process and all below it. Sockets with the inodes in
    /// `older` listened before the process was started.
    ///
    /// # Errors
    /// When the kernel does not tell.
    pub fn shared(root: u32, older: Vec<u32>) -> Result<Self, SocketError> {
        Ok(Self(Known::Sockets(Sockets {
            diag: SocketDiag::open()?,
            root,
            older,
            reached_at: None,
        })))
    }

    /// A network of the process's own, such as a pod's, which is reached at an address.
    ///
    /// # Errors
    /// Without the right to look into it (`CAP_SYS_ADMIN`), or when the process is gone.
    pub fn own(root: u32, reached_at: IpAddr) -> Result<Self, SocketError> {
        Ok(Self(Known::Sockets(Sockets {
            diag: SocketDiag::open_beside(root)?,
            root,
            older: Vec::new(),
            reached_at: Some(reached_at),
        })))
    }

    /// The network of a process that cannot be seen: Tacho tries to connect to this address.
    #[must_use]
    pub fn at(address: SocketAddr) -> Self {
        Self(Known::Address(address))
    }
}

impl Sockets {
    /// It is our own network, too.
    pub(super) fn is_shared(&self) -> bool {
        self.reached_at.is_none()
    }

    /// The same socket at the address at which it is reached from here; `None` when it cannot be.
    pub(super) fn reached(&self, socket: ListeningSocket) -> Option<ListeningSocket> {
        let Some(at) = self.reached_at else {
            return Some(socket);
        };
        let ip = socket.address.ip();
        let is_reached = ip.is_unspecified() || ip.to_canonical() == at;
        is_reached.then(|| ListeningSocket {
            address: SocketAddr::new(at, socket.address.port()),
            ..socket
        })
    }
}

impl Watched for Child {
    fn exec_ns(&self) -> u64 {
        Self::exec_ns(self)
    }

    fn handle(&self) -> BorrowedFd<'_> {
        Self::handle(self)
    }

    fn ended(&mut self) -> io::Result<Option<Exit>> {
        self.try_wait()
    }

    fn is_stopped(&self) -> bool {
        Self::is_stopped(self)
    }

    fn log(&self) -> (&Path, u64) {
        (Self::log(self), self.log_start())
    }

    fn network(&self) -> Result<Network, SocketError> {
        Network::shared(self.pid(), self.older_listeners().to_vec())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sockets(network: Network) -> Sockets {
        match network.0 {
            Known::Sockets(sockets) => sockets,
            Known::Address(address) => panic!("{address}"),
        }
    }

    fn of_pod() -> Sockets {
        Sockets {
            reached_at: Some("10.231.1.7".parse().unwrap()),
            ..sockets(Network::shared(1, Vec::new()).unwrap())
        }
    }

    fn at(address: &str) -> ListeningSocket {
        ListeningSocket {
            address: address.parse().unwrap(),
            v6_only: false,
            inode: 1,
        }
    }

    #[test]
    fn a_pod_is_reached_at_its_own_address() {
        let reached = |address: &str| {
            let socket = of_pod().reached(at(address))?;
            Some(socket.address.to_string())
        };
        let there = Some("10.231.1.7:8080".to_owned());
        assert_eq!(reached("0.0.0.0:8080"), there);
        assert_eq!(reached("[::]:8080"), there);
        assert_eq!(reached("10.231.1.7:8080"), there);
        assert_eq!(reached("[::ffff:10.231.1.7]:8080"), there);
    }

    #[test]
    fn what_listens_within_a_pod_alone_is_not_reached() {
        assert_eq!(of_pod().reached(at("127.0.0.1:5005")), None);
        assert_eq!(of_pod().reached(at("[::1]:5005")), None);
    }

    #[test]
    fn the_network_of_a_process_is_looked_into_from_here() {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        // Without the right the kernel says so.
        let Ok(network) = Network::own(std::process::id(), address.ip()) else {
            return;
        };
        let all = sockets(network).diag.listening().unwrap();
        assert!(all.iter().any(|socket| socket.address == address));
        assert!(Network::own(u32::MAX, address.ip()).is_err());
    }
}
