//! A program for the kernel's filter of packets (Documentation/networking/filter.rst): TCP to or
//! from some ports, over IPv4 or IPv6 without extension headers.

use libc::sock_filter;

const LOAD_BYTE: u16 = 0x30;
const LOAD_HALF: u16 = 0x28;
/// A half word at the index register and a place.
const LOAD_HALF_INDEXED: u16 = 0x48;
/// Into the index register: four times the low half of a byte, the length of an IPv4 header.
const LOAD_HEADER_LENGTH: u16 = 0xb1;
const SHIFT_RIGHT: u16 = 0x74;
const JUMP_IF_EQUAL: u16 = 0x15;
const RETURN: u16 = 0x06;
const TCP: u32 = 6;

/// A filter that keeps the first `kept` bytes of each TCP packet to or from one of the ports.
pub fn tcp_of(ports: &[u16], kept: u32) -> Vec<sock_filter> {
    let mut v4 = vec![
        plain(LOAD_BYTE, 9),
        unless(TCP, 1),
        jump_over_refusal(),
        plain(RETURN, 0),
        plain(LOAD_HEADER_LENGTH, 0),
    ];
    v4.extend(one_of(ports, plain(LOAD_HALF_INDEXED, 0), kept));
    v4.extend(one_of(ports, plain(LOAD_HALF_INDEXED, 2), kept));
    v4.push(plain(RETURN, 0));
    let mut v6 = vec![
        plain(LOAD_BYTE, 6),
        unless(TCP, 1),
        jump_over_refusal(),
        plain(RETURN, 0),
    ];
    v6.extend(one_of(ports, plain(LOAD_HALF, 40), kept));
    v6.extend(one_of(ports, plain(LOAD_HALF, 42), kept));
    v6.push(plain(RETURN, 0));
    let mut program = vec![
        plain(LOAD_BYTE, 0),
        plain(SHIFT_RIGHT, 4),
        // IPv4 is what follows; all else is beyond it.
        unless(4, 1),
        always(1),
        always(v4.len() as u32),
    ];
    program.extend(v4);
    program.extend(v6);
    program
}

/// Loads a port, and passes the packet if it is one of these.
fn one_of(ports: &[u16], load: sock_filter, kept: u32) -> Vec<sock_filter> {
    let mut program = vec![load];
    for port in ports {
        program.push(unless(u32::from(*port), 1));
        program.push(plain(RETURN, kept));
    }
    program
}

fn plain(code: u16, k: u32) -> sock_filter {
    sock_filter {
        code,
        jt: 0,
        jf: 0,
        k,
    }
}

/// Continues with the next step when equal, otherwise skips some steps.
fn unless(k: u32, over: u8) -> sock_filter {
    sock_filter {
        code: JUMP_IF_EQUAL,
        jt: 0,
        jf: over,
        k,
    }
}

/// Skips some steps.
fn always(over: u32) -> sock_filter {
    plain(0x05, over)
}

fn jump_over_refusal() -> sock_filter {
    always(1)
}
