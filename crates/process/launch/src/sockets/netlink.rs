//! The messages of sock_diag(7) for TCP sockets: request and reply.
//!
//! Layout from the kernel's `include/uapi/linux/{netlink,inet_diag}.h`. The crates for it build an
//! owned object for every attribute. Here a few numbers of each message are needed, a thousand
//! times a second.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, SocketAddrV6};

const SOCK_DIAG_BY_FAMILY: u16 = 20;
const NLMSG_ERROR: u16 = 2;
const NLMSG_DONE: u16 = 3;
/// `NLM_F_REQUEST | NLM_F_DUMP`: all sockets that match.
const DUMP: u16 = 0x1 | 0x300;
const TCP: u8 = 6;
/// `1 << TCP_LISTEN`: the kernel walks its table of listening sockets and no other.
const STATE_LISTEN: u32 = 1 << 10;
/// `TCP_ESTABLISHED`, `TCP_FIN_WAIT1`, `TCP_FIN_WAIT2`, `TCP_CLOSE_WAIT` and `TCP_LAST_ACK`: those
/// over which data went and that have an owner.
const STATES_CONNECTED: u32 = 1 << 1 | 1 << 4 | 1 << 5 | 1 << 8 | 1 << 9;
/// `1 << (INET_DIAG_INFO - 1)`: with the counters of the connection.
const WITH_INFO: u8 = 1 << 1;
/// Bytes of `struct nlmsghdr`.
const HEADER: usize = 16;
/// Bytes of `struct inet_diag_req_v2`.
const REQUEST: usize = 56;
/// Bytes of `struct inet_diag_msg`.
const MESSAGE: usize = 72;
/// Attribute: one byte, whether the socket takes IPv6 alone.
const INET_DIAG_SKV6ONLY: u16 = 11;
/// Attribute: `struct tcp_info`.
const INET_DIAG_INFO: u16 = 2;
/// Offsets in `struct tcp_info` (since Linux 4.6): bytes that the other side has acknowledged,
/// bytes received, segments with data sent.
const BYTES_ACKED: usize = 120;
const BYTES_RECEIVED: usize = 128;
const DATA_SEGS_OUT: usize = 156;
/// Place of the quickest round trip.
const MIN_RTT: usize = 148;

/// Address families whose sockets are asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Family {
    V4 = 2,
    V6 = 10,
}

/// A TCP socket that listens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ListeningSocket {
    /// What it is bound to; `0.0.0.0` and `::` mean every address.
    pub address: SocketAddr,
    /// Bound to `::`, it takes no IPv4 connections.
    pub v6_only: bool,
    /// Number under which `/proc/<pid>/fd` shows it.
    pub inode: u32,
}

/// A TCP connection and what went over it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Connection {
    /// This side.
    pub local: SocketAddr,
    /// The other side.
    pub peer: SocketAddr,
    /// Number under which `/proc/<pid>/fd` shows it.
    pub inode: u32,
    /// Segments with data that were sent. Small messages take one each.
    pub messages: u64,
    /// Bytes sent and acknowledged.
    pub sent_bytes: u64,
    /// Bytes received.
    pub received_bytes: u64,
    /// The quickest round trip of a packet, in microseconds; `None` where none was measured.
    pub round_trip_us: Option<u32>,
}

/// Which sockets are asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Wanted {
    Listening,
    Connected,
}

impl ListeningSocket {
    /// Addresses at which it can be reached from this machine, the likeliest first.
    #[must_use]
    pub fn reachable_at(&self) -> Vec<SocketAddr> {
        let port = self.address.port();
        let v4 = SocketAddr::from((Ipv4Addr::LOCALHOST, port));
        let v6 = SocketAddr::from((Ipv6Addr::LOCALHOST, port));
        match self.address.ip() {
            IpAddr::V4(ip) if ip.is_unspecified() => vec![v4],
            IpAddr::V6(ip) if ip.is_unspecified() && self.v6_only => vec![v6],
            IpAddr::V6(ip) if ip.is_unspecified() => vec![v4, v6],
            // Java binds IPv4 addresses on IPv6 sockets, as `::ffff:127.0.0.1`.
            IpAddr::V6(ip) => ip.to_ipv4_mapped().map_or_else(
                || vec![self.address],
                |ip| vec![SocketAddr::from((ip, port))],
            ),
            IpAddr::V4(_) => vec![self.address],
        }
    }
}

/// What a datagram of the kernel's reply ends with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reply {
    /// More datagrams follow.
    More,
    /// It was the last.
    Done,
    /// The kernel refuses: a positive errno.
    Error(i32),
}

/// The request for all sockets of a family.
pub(super) fn request(family: Family, wanted: Wanted, sequence: u32) -> [u8; HEADER + REQUEST] {
    let (states, extensions) = match wanted {
        Wanted::Listening => (STATE_LISTEN, 0),
        Wanted::Connected => (STATES_CONNECTED, WITH_INFO),
    };
    let mut bytes = [0; HEADER + REQUEST];
    bytes[0..4].copy_from_slice(&((HEADER + REQUEST) as u32).to_ne_bytes());
    bytes[4..6].copy_from_slice(&SOCK_DIAG_BY_FAMILY.to_ne_bytes());
    bytes[6..8].copy_from_slice(&DUMP.to_ne_bytes());
    bytes[8..12].copy_from_slice(&sequence.to_ne_bytes());
    bytes[HEADER] = family as u8;
    bytes[HEADER + 1] = TCP;
    bytes[HEADER + 2] = extensions;
    bytes[HEADER + 4..HEADER + 8].copy_from_slice(&states.to_ne_bytes());
    bytes
}

fn u16_at(bytes: &[u8], at: usize) -> Option<u16> {
    Some(u16::from_ne_bytes(bytes.get(at..at + 2)?.try_into().ok()?))
}

fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_ne_bytes(bytes.get(at..at + 4)?.try_into().ok()?))
}

fn u64_at(bytes: &[u8], at: usize) -> Option<u64> {
    Some(u64::from_ne_bytes(bytes.get(at..at + 8)?.try_into().ok()?))
}

/// Netlink rounds lengths up to 4 bytes.
fn aligned(length: usize) -> usize {
    length.saturating_add(3) & !3
}

/// Reads one datagram and appends the sockets in it. A message that is shorter than it says ends
/// the reading. Messages with another sequence number (of an abandoned dump) are skipped.
pub(super) fn parse<T>(
    mut bytes: &[u8],
    sequence: u32,
    read: fn(&[u8]) -> Option<T>,
    found: &mut Vec<T>,
) -> Reply {
    while let (Some(length), Some(kind), Some(theirs)) =
        (u32_at(bytes, 0), u16_at(bytes, 4), u32_at(bytes, 8))
    {
        let length = length as usize;
        let Some(payload) = bytes.get(HEADER..length) else {
            break;
        };
        if theirs == sequence {
            match kind {
                NLMSG_DONE => return Reply::Done,
                NLMSG_ERROR => {
                    let code = u32_at(payload, 0).map_or(0, |code| code.cast_signed());
                    return Reply::Error(code.wrapping_neg());
                }
                SOCK_DIAG_BY_FAMILY => found.extend(read(payload)),
                _ => {}
            }
        }
        bytes = bytes.get(aligned(length)..).unwrap_or_default();
    }
    Reply::More
}

/// `struct inet_diag_msg` and its attributes.
pub(super) fn listening(payload: &[u8]) -> Option<ListeningSocket> {
    let message = payload.get(..MESSAGE)?;
    Some(ListeningSocket {
        address: address(message, Side::Source)?,
        v6_only: attribute(payload.get(MESSAGE..)?, INET_DIAG_SKV6ONLY)
            .and_then(<[u8]>::first)
            .is_some_and(|only| *only != 0),
        inode: u32_at(message, 68)?,
    })
}

/// The same of a connection, with its counters; `None` where the kernel does not count.
pub(super) fn connection(payload: &[u8]) -> Option<Connection> {
    let message = payload.get(..MESSAGE)?;
    let info = attribute(payload.get(MESSAGE..)?, INET_DIAG_INFO)?;
    Some(Connection {
        local: address(message, Side::Source)?,
        peer: address(message, Side::Destination)?,
        inode: u32_at(message, 68)?,
        messages: u64::from(u32_at(info, DATA_SEGS_OUT)?),
        sent_bytes: u64_at(info, BYTES_ACKED)?,
        received_bytes: u64_at(info, BYTES_RECEIVED)?,
        // All ones until one was measured.
        round_trip_us: u32_at(info, MIN_RTT).filter(|us| *us != u32::MAX),
    })
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Side {
    Source,
    Destination,
}

/// `struct inet_diag_sockid` begins at 4; ports and addresses are in network order.
fn address(message: &[u8], side: Side) -> Option<SocketAddr> {
    let (port_at, ip_at) = match side {
        Side::Source => (4, 8),
        Side::Destination => (6, 24),
    };
    let port = u16::from_be_bytes([*message.get(port_at)?, *message.get(port_at + 1)?]);
    let ip: [u8; 16] = message.get(ip_at..ip_at + 16)?.try_into().ok()?;
    match *message.first()? {
        f if f == Family::V4 as u8 => {
            let [a, b, c, d, ..] = ip;
            Some(SocketAddr::from((Ipv4Addr::new(a, b, c, d), port)))
        }
        f if f == Family::V6 as u8 => {
            let ip = Ipv6Addr::from(ip);
            // Link-local addresses mean something on their interface only.
            let interface = u32_at(message, 40)?;
            let scope = if ip.is_unicast_link_local() {
                interface
            } else {
                0
            };
            Some(SocketAddr::V6(SocketAddrV6::new(ip, port, 0, scope)))
        }
        _ => None,
    }
}

fn attribute(mut bytes: &[u8], wanted: u16) -> Option<&[u8]> {
    loop {
        let length = usize::from(u16_at(bytes, 0)?);
        let value = bytes.get(4..length)?;
        if u16_at(bytes, 2)? == wanted {
            return Some(value);
        }
        bytes = bytes.get(aligned(length)..)?;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// What the kernel would send for a socket.
    fn message(
        sequence: u32,
        family: Family,
        ip: [u8; 16],
        port: u16,
        v6_only: Option<bool>,
    ) -> Vec<u8> {
        let mut body = vec![0; MESSAGE];
        body[0] = family as u8;
        body[4..6].copy_from_slice(&port.to_be_bytes());
        body[8..24].copy_from_slice(&ip);
        body[68..72].copy_from_slice(&4711u32.to_ne_bytes());
        // INET_DIAG_SHUTDOWN, then INET_DIAG_SKV6ONLY
        body.extend([5, 0, 8, 0, 0, 0, 0, 0]);
        if let Some(only) = v6_only {
            body.extend([5, 0, 11, 0, u8::from(only), 0, 0, 0]);
        }
        framed(SOCK_DIAG_BY_FAMILY, sequence, &body)
    }

    fn framed(kind: u16, sequence: u32, body: &[u8]) -> Vec<u8> {
        let mut bytes = Vec::new();
        bytes.extend(((HEADER + body.len()) as u32).to_ne_bytes());
        bytes.extend(kind.to_ne_bytes());
        bytes.extend(0u16.to_ne_bytes());
        bytes.extend(sequence.to_ne_bytes());
        bytes.extend(0u32.to_ne_bytes());
        bytes.extend(body);
        bytes
    }

    fn v4(a: u8, b: u8, c: u8, d: u8) -> [u8; 16] {
        let mut ip = [0; 16];
        ip[..4].copy_from_slice(&[a, b, c, d]);
        ip
    }

    #[test]
    fn sockets_of_both_families_are_read() {
        let mut reply = message(7, Family::V4, v4(127, 0, 0, 1), 8080, None);
        reply.extend(message(7, Family::V6, [0; 16], 9090, Some(true)));
        reply.extend(framed(NLMSG_DONE, 7, &[0; 4]));
        let mut found = Vec::new();
        assert_eq!(parse(&reply, 7, listening, &mut found), Reply::Done);
        assert_eq!(found.len(), 2);
        assert_eq!(found[0].address, "127.0.0.1:8080".parse().unwrap());
        assert_eq!(found[0].inode, 4711);
        assert_eq!(found[1].address, "[::]:9090".parse().unwrap());
        assert!(found[1].v6_only && !found[0].v6_only);
    }

    #[test]
    fn a_refusal_carries_its_number() {
        let reply = framed(NLMSG_ERROR, 7, &(-2i32).to_ne_bytes());
        assert_eq!(
            parse(&reply, 7, listening, &mut Vec::new()),
            Reply::Error(2)
        );
    }

    #[test]
    fn an_older_dump_is_passed_over() {
        let mut reply = message(6, Family::V4, v4(127, 0, 0, 1), 8080, None);
        reply.extend(framed(NLMSG_DONE, 6, &[0; 4]));
        let mut found = Vec::new();
        assert_eq!(parse(&reply, 7, listening, &mut found), Reply::More);
        assert!(found.is_empty());
    }

    #[test]
    fn a_connection_is_read_with_its_counters_or_not_at_all() {
        let mut body = vec![0; MESSAGE];
        body[0] = Family::V4 as u8;
        body[4..6].copy_from_slice(&40_000u16.to_be_bytes());
        body[6..8].copy_from_slice(&9_000u16.to_be_bytes());
        body[8..12].copy_from_slice(&[127, 0, 0, 1]);
        body[24..28].copy_from_slice(&[10, 0, 0, 7]);
        assert_eq!(connection(&body), None);
        let mut info = vec![0; DATA_SEGS_OUT + 4];
        info[BYTES_ACKED..BYTES_ACKED + 8].copy_from_slice(&900u64.to_ne_bytes());
        info[BYTES_RECEIVED..BYTES_RECEIVED + 8].copy_from_slice(&70u64.to_ne_bytes());
        info[MIN_RTT..MIN_RTT + 4].copy_from_slice(&35u32.to_ne_bytes());
        info[DATA_SEGS_OUT..].copy_from_slice(&21u32.to_ne_bytes());
        body.extend(((4 + info.len()) as u16).to_ne_bytes());
        body.extend(INET_DIAG_INFO.to_ne_bytes());
        body.extend(&info);
        let read = connection(&body).unwrap();
        assert_eq!(read.peer, "10.0.0.7:9000".parse().unwrap());
        assert_eq!(read.local, "127.0.0.1:40000".parse().unwrap());
        assert_eq!(
            (read.messages, read.sent_bytes, read.received_bytes),
            (21, 900, 70)
        );
        assert_eq!(read.round_trip_us, Some(35));
    }

    #[test]
    fn a_socket_is_reached_where_it_is_bound() {
        let at = |address: &str, v6_only| {
            let socket = ListeningSocket {
                address: address.parse().unwrap(),
                v6_only,
                inode: 1,
            };
            socket
                .reachable_at()
                .iter()
                .map(ToString::to_string)
                .collect::<Vec<_>>()
        };
        assert_eq!(at("0.0.0.0:80", false), ["127.0.0.1:80"]);
        assert_eq!(at("[::]:80", false), ["127.0.0.1:80", "[::1]:80"]);
        assert_eq!(at("[::]:80", true), ["[::1]:80"]);
        assert_eq!(at("[::1]:80", true), ["[::1]:80"]);
        assert_eq!(at("[::ffff:127.0.0.1]:80", false), ["127.0.0.1:80"]);
        assert_eq!(at("10.0.0.7:80", false), ["10.0.0.7:80"]);
    }

    proptest! {
        #[test]
        fn no_reply_makes_the_parser_panic_or_hang(
            bytes in proptest::collection::vec(any::<u8>(), 0..400),
        ) {
            parse(&bytes, 0, listening, &mut Vec::new());
            parse(&bytes, 0, connection, &mut Vec::new());
        }

        #[test]
        fn a_damaged_reply_makes_no_panic(at in 0usize..220, value in any::<u8>(), cut in 0usize..220) {
            let mut reply = message(7, Family::V6, [1; 16], 8080, Some(false));
            reply.extend(message(7, Family::V4, v4(1, 2, 3, 4), 9090, None));
            let at = at % reply.len();
            reply[at] = value;
            reply.truncate(cut);
            let mut found = Vec::new();
            parse(&reply, 7, listening, &mut found);
            prop_assert!(found.len() <= 2);
        }
    }
}
