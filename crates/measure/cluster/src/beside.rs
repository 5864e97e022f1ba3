//! Where a pod reaches what runs on this machine beside the cluster: the companions of a run.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, ToSocketAddrs, UdpSocket};

/// The address that this machine has on its way to the API server: in a cluster in a box the node
/// has a network of its own, and the machine another address than the node. `None` where the server
/// is on the loopback, which is another one in a pod.
pub fn this_machine(server: &str) -> Option<IpAddr> {
    let rest = server.split_once("://").map_or(server, |(_, rest)| rest);
    let authority = rest.split('/').next()?;
    let mut servers = authority
        .to_socket_addrs()
        .or_else(|_| format!("{authority}:443").to_socket_addrs())
        .ok()?;
    let own = toward(servers.next()?)?;
    Some(own).filter(|address| !address.is_loopback() && !address.is_unspecified())
}

/// By which of its addresses the kernel would send there; nothing is sent.
fn toward(server: SocketAddr) -> Option<IpAddr> {
    let any: IpAddr = match server {
        SocketAddr::V4(_) => Ipv4Addr::UNSPECIFIED.into(),
        SocketAddr::V6(_) => Ipv6Addr::UNSPECIFIED.into(),
    };
    let socket = UdpSocket::bind((any, 0)).ok()?;
    socket.connect(server).ok()?;
    Some(socket.local_addr().ok()?.ip())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_on_the_loopback_tells_no_address() {
        for server in [
            "https://127.0.0.1:6443",
            "https://[::1]:6443",
            "127.0.0.1:1",
        ] {
            assert_eq!(this_machine(server), None, "{server}");
        }
        assert_eq!(this_machine("https://no such host/"), None);
    }
}
