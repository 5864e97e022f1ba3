//! Reads a packet as a segment of TCP (RFC 791, RFC 8200, RFC 9293). Packets come from outside: one
//! that is incomplete is no segment.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

const TCP: u8 = 6;
/// Bytes of an IPv6 header.
const IPV6_HEADER: usize = 40;
const FIN: u8 = 1;
const SYN: u8 = 1 << 1;
const RST: u8 = 1 << 2;

/// A segment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Segment<'a> {
    /// Who sent it.
    pub from: SocketAddr,
    /// Who is to get it.
    pub to: SocketAddr,
    /// Number of its first byte.
    pub sequence: u32,
    /// It opens the connection, so that sequence numbers begin anew.
    pub opens: bool,
    /// It ends its sender's data (FIN), or the connection (RST).
    pub ends: bool,
    /// Bytes of data, by the header; a capture need not hold them.
    pub length: u32,
    /// The part of the data that the capture holds.
    pub data: &'a [u8],
}

/// Reads a packet that begins with its IP header; `None` for anything but TCP.
#[must_use]
pub fn segment(packet: &[u8]) -> Option<Segment<'_>> {
    match packet.first()? >> 4 {
        4 => over_v4(packet),
        6 => over_v6(packet),
        _ => None,
    }
}

fn over_v4(packet: &[u8]) -> Option<Segment<'_>> {
    let header = usize::from(packet.first()? & 0xf) * 4;
    let is_first_fragment = u16_at(packet, 6)? & 0x1fff == 0;
    if header < 20 || *packet.get(9)? != TCP || !is_first_fragment {
        return None;
    }
    let address = |at: usize| -> Option<IpAddr> {
        let bytes: [u8; 4] = packet.get(at..at + 4)?.try_into().ok()?;
        Some(Ipv4Addr::from(bytes).into())
    };
    let length = usize::from(u16_at(packet, 2)?).checked_sub(header)?;
    over_ip(address(12)?, address(16)?, packet.get(header..)?, length)
}

/// IPv6 without extension headers: connections between services have none.
fn over_v6(packet: &[u8]) -> Option<Segment<'_>> {
    if *packet.get(6)? != TCP {
        return None;
    }
    let address = |at: usize| -> Option<IpAddr> {
        let bytes: [u8; 16] = packet.get(at..at + 16)?.try_into().ok()?;
        Some(Ipv6Addr::from(bytes).to_canonical())
    };
    let length = usize::from(u16_at(packet, 4)?);
    over_ip(
        address(8)?,
        address(24)?,
        packet.get(IPV6_HEADER..)?,
        length,
    )
}

fn over_ip(from: IpAddr, to: IpAddr, tcp: &[u8], length: usize) -> Option<Segment<'_>> {
    let header = usize::from(*tcp.get(12)? >> 4) * 4;
    let flags = *tcp.get(13)?;
    if header < 20 {
        return None;
    }
    let length = length.checked_sub(header)?;
    let held = tcp.get(header..).unwrap_or_default();
    Some(Segment {
        from: SocketAddr::new(from, u16_at(tcp, 0)?),
        to: SocketAddr::new(to, u16_at(tcp, 2)?),
        sequence: u32::from_be_bytes(tcp.get(4..8)?.try_into().ok()?),
        opens: flags & SYN != 0,
        ends: flags & (FIN | RST) != 0,
        length: u32::try_from(length).ok()?,
        // A short packet on Ethernet is padded behind its end.
        data: &held[..held.len().min(length)],
    })
}

fn u16_at(bytes: &[u8], at: usize) -> Option<u16> {
    Some(u16::from_be_bytes(bytes.get(at..at + 2)?.try_into().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// An IPv4 packet with options in neither header.
    fn v4(data: &[u8]) -> Vec<u8> {
        let mut packet = vec![
            0x45,
            0,
            0,
            40 + data.len() as u8,
            0,
            0,
            0x40,
            0,
            64,
            6,
            0,
            0,
        ];
        packet.extend([127, 0, 0, 1, 127, 0, 0, 2]);
        packet.extend(tcp(data));
        packet
    }

    fn tcp(data: &[u8]) -> Vec<u8> {
        let mut tcp = vec![0xc3, 0x50, 0x1f, 0x90, 0, 0, 0, 7, 0, 0, 0, 0, 0x50, 0x18];
        tcp.extend([0; 6]);
        tcp.extend(data);
        tcp
    }

    #[test]
    fn a_segment_over_ipv4() {
        let packet = v4(b"GET /");
        let read = segment(&packet).unwrap();
        assert_eq!(read.from, "127.0.0.1:50000".parse().unwrap());
        assert_eq!(read.to, "127.0.0.2:8080".parse().unwrap());
        assert_eq!(
            (read.sequence, read.length, read.data),
            (7, 5, &b"GET /"[..])
        );
        assert!(!read.opens && !read.ends);
    }

    #[test]
    fn over_ipv6_a_mapped_address_is_the_ipv4_one() {
        let mut packet = vec![0x60, 0, 0, 0, 0, 22, 6, 64];
        let mapped = "::ffff:127.0.0.1".parse::<Ipv6Addr>().unwrap().octets();
        packet.extend(mapped);
        packet.extend(mapped);
        packet.extend(tcp(b"ok"));
        let read = segment(&packet).unwrap();
        assert_eq!(read.from, "127.0.0.1:50000".parse().unwrap());
        assert_eq!(read.length, 2);
    }

    #[test]
    fn what_the_capture_cut_off_counts() {
        let mut packet = v4(b"a question");
        packet.truncate(44);
        let read = segment(&packet).unwrap();
        assert_eq!((read.length, read.data), (10, &b"a qu"[..]));
    }

    #[test]
    fn padding_is_no_data() {
        let mut packet = v4(b"");
        packet.extend([0; 6]);
        assert_eq!(segment(&packet).unwrap().data, b"");
    }

    proptest! {
        #[test]
        fn any_bytes_are_read_or_refused(bytes in proptest::collection::vec(any::<u8>(), 0..120)) {
            if let Some(read) = segment(&bytes) {
                prop_assert!(read.data.len() <= read.length as usize);
            }
        }
    }
}
