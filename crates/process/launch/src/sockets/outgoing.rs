//! What processes send over the connections that they opened, counted by the kernel. It works for
//! any client in any language, and costs them nothing. A connection that was opened and closed
//! between two looks is not seen.

use super::{Connection, SocketDiag, sockets_of};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::net::SocketAddr;

/// Connections at one instant, by their inode.
#[derive(Debug, Clone, Default)]
pub struct Outgoing(HashMap<u32, Connection>);

/// What was sent to a peer between two instants.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Sent {
    /// Segments with data: for messages that are not large one each.
    pub messages: u64,
    /// Bytes that the other side has acknowledged.
    pub bytes: u64,
}

impl Outgoing {
    /// The connections of these processes. `None` where the kernel does not report them, or where
    /// the processes live in another network namespace.
    #[must_use]
    pub fn of(pids: &[u32]) -> Option<Self> {
        let namespace = |pid: &str| std::fs::read_link(format!("/proc/{pid}/ns/net")).ok();
        let here = namespace("self")?;
        let first = pids.first()?.to_string();
        (namespace(&first)? == here).then_some(())?;
        let own: HashSet<u32> = pids.iter().flat_map(|pid| sockets_of(*pid)).collect();
        let mut diag = SocketDiag::open().ok()?;
        let listening = diag.listening().ok()?;
        let served: HashSet<u16> = listening
            .iter()
            .filter(|socket| own.contains(&socket.inode))
            .map(|socket| socket.address.port())
            .collect();
        let connections = diag.connections().ok()?.into_iter();
        let is_outgoing = |connection: &Connection| {
            own.contains(&connection.inode) && !served.contains(&connection.local.port())
        };
        Some(Self(
            connections
                .filter(is_outgoing)
                .map(|connection| (connection.inode, connection))
                .collect(),
        ))
    }

    /// The peers of the connections, with the quickest round trip to each in microseconds.
    #[must_use]
    pub fn peers(&self) -> BTreeMap<SocketAddr, Option<u32>> {
        let mut peers: BTreeMap<SocketAddr, Option<u32>> = BTreeMap::new();
        for connection in self.0.values() {
            let quickest = peers.entry(canonical(connection.peer)).or_default();
            let both = [*quickest, connection.round_trip_us];
            *quickest = both.into_iter().flatten().min();
        }
        peers
    }

    /// What was sent since, by peer.
    #[must_use]
    pub fn since(&self, earlier: &Self) -> BTreeMap<SocketAddr, Sent> {
        let mut sent: BTreeMap<SocketAddr, Sent> = BTreeMap::new();
        for (inode, now) in &self.0 {
            // The inode may have been reused by another connection.
            let then = earlier.0.get(inode);
            let then = then.filter(|then| then.local == now.local && then.peer == now.peer);
            let before = then.map_or((0, 0), |then| (then.messages, then.sent_bytes));
            let of_peer = sent.entry(canonical(now.peer)).or_default();
            of_peer.messages += now.messages.saturating_sub(before.0);
            of_peer.bytes += now.sent_bytes.saturating_sub(before.1);
        }
        sent.retain(|_, sent| sent.messages > 0);
        sent
    }
}

/// Java connects IPv4 addresses over IPv6 sockets, as `::ffff:127.0.0.1`.
fn canonical(peer: SocketAddr) -> SocketAddr {
    SocketAddr::new(peer.ip().to_canonical(), peer.port())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{Read, Write};
    use std::net::{TcpListener, TcpStream};

    #[test]
    fn messages_to_a_peer_are_counted_and_what_is_served_is_not() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let mut client = TcpStream::connect(address).unwrap();
        client.set_nodelay(true).unwrap();
        let (mut server, _) = listener.accept().unwrap();
        let own = [std::process::id()];
        let before = Outgoing::of(&own).unwrap();
        for _ in 0..5 {
            client.write_all(b"question").unwrap();
            let mut text = [0; 8];
            server.read_exact(&mut text).unwrap();
            server.write_all(b"an answer").unwrap();
            let mut text = [0; 9];
            client.read_exact(&mut text).unwrap();
        }
        let after = Outgoing::of(&own).unwrap();
        assert!(after.peers().contains_key(&address), "{after:?}");
        let sent = after.since(&before);
        assert_eq!(
            sent.get(&address).copied(),
            Some(Sent {
                messages: 5,
                bytes: 40
            })
        );
        // The other side is a connection of a port that is served.
        assert!(!sent.contains_key(&client.local_addr().unwrap()));
    }
}
