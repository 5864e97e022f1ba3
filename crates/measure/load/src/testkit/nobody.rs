//! Addresses at which nobody listens.

use rustix::net::{AddressFamily, SocketType, bind, socket, sockopt};
use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpListener};

/// An address at which connecting is refused for as long as this lives. Its port is held by a
/// socket that is bound and does not listen: the kernel gives it to no other program meanwhile. (A
/// port that was free a moment ago may be somebody's by now.) A server that is told this address
/// can listen there all the same, and end, and come back.
#[derive(Debug)]
pub struct Nobody {
    /// It never listens, whatever its type is called.
    socket: TcpListener,
}

impl Nobody {
    /// At a port of 127.0.0.1.
    ///
    /// # Panics
    /// When there is no port to be had: a test has nothing to go on with.
    #[allow(clippy::expect_used)]
    #[must_use]
    pub fn here() -> Self {
        Self::bound(Ipv4Addr::LOCALHOST.into()).expect("a port of 127.0.0.1 can be taken")
    }

    /// At the same port of all addresses of this machine, of IPv6 too where it has them.
    ///
    /// # Panics
    /// When there is no port to be had: a test has nothing to go on with.
    #[allow(clippy::expect_used)]
    #[must_use]
    pub fn anywhere() -> Self {
        Self::bound(Ipv6Addr::UNSPECIFIED.into())
            .or_else(|_| Self::bound(Ipv4Addr::UNSPECIFIED.into()))
            .expect("a port of all addresses can be taken")
    }

    /// Where nobody listens.
    ///
    /// # Panics
    /// When the kernel does not know its own socket: a test has nothing to go on with.
    #[allow(clippy::expect_used)]
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        let address = self.socket.local_addr();
        address.expect("a bound socket has an address")
    }

    fn bound(ip: IpAddr) -> io::Result<Self> {
        let family = match ip {
            IpAddr::V4(_) => AddressFamily::INET,
            IpAddr::V6(_) => AddressFamily::INET6,
        };
        let socket = socket(family, SocketType::STREAM, None)?;
        if ip.is_ipv6() {
            sockopt::set_ipv6_v6only(&socket, false)?;
        }
        // For a server that is told the address: it says the same of its own socket, and the kernel
        // lets both have the port as long as one of the two does not listen.
        sockopt::set_socket_reuseaddr(&socket, true)?;
        bind(&socket, &SocketAddr::from((ip, 0)))?;
        Ok(Self {
            socket: socket.into(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::TcpStream;

    fn refuses(address: SocketAddr) -> bool {
        let refused = TcpStream::connect(address).map_err(|error| error.kind());
        matches!(refused, Err(io::ErrorKind::ConnectionRefused))
    }

    #[test]
    fn it_refuses_unless_a_server_that_was_told_of_it_listens() {
        let nobody = Nobody::here();
        assert!(refuses(nobody.address()));
        for _ in 0..2 {
            let server = TcpListener::bind(nobody.address()).unwrap();
            TcpStream::connect(nobody.address()).unwrap();
            drop(server);
            assert!(refuses(nobody.address()));
        }
    }

    #[test]
    fn it_is_the_same_port_of_all_addresses() {
        let nobody = Nobody::anywhere();
        let port = nobody.address().port();
        assert!(refuses((Ipv4Addr::LOCALHOST, port).into()));
        if nobody.address().is_ipv6() {
            assert!(refuses((Ipv6Addr::LOCALHOST, port).into()));
        }
    }
}
