//! The packet socket. No safe wrapper that the project uses has these calls.
#![allow(unsafe_code)] // sockaddr_ll, SO_ATTACH_FILTER and PACKET_STATISTICS are in no safe wrapper that the project uses.

use rustix::fd::{AsRawFd, FromRawFd, OwnedFd};
use std::io;
use std::mem::{size_of, zeroed};

fn checked(result: libc::c_int) -> io::Result<libc::c_int> {
    if result < 0 {
        return Err(io::Error::last_os_error());
    }
    Ok(result)
}

/// Sets an option to a value of C.
fn set<T>(
    socket: &OwnedFd,
    level: libc::c_int,
    name: libc::c_int,
    value: &T,
) -> io::Result<libc::c_int> {
    // SAFETY: the pointer is to a live value of the length that is given.
    checked(unsafe {
        libc::setsockopt(
            socket.as_raw_fd(),
            level,
            name,
            std::ptr::from_ref(value).cast(),
            size_of::<T>() as libc::socklen_t,
        )
    })
}

/// A socket that keeps what the filter passes, of all interfaces, without the link's headers.
pub fn open(filter: &[libc::sock_filter], buffer: u32) -> io::Result<OwnedFd> {
    let kind = libc::SOCK_DGRAM | libc::SOCK_CLOEXEC | libc::SOCK_NONBLOCK;
    // No protocol yet, so that no packet is kept before the filter is attached.
    // SAFETY: no pointers; the descriptor is new and owned by nobody else.
    let socket = unsafe { OwnedFd::from_raw_fd(checked(libc::socket(libc::AF_PACKET, kind, 0))?) };
    let program = libc::sock_fprog {
        len: u16::try_from(filter.len()).map_err(|_| io::ErrorKind::InvalidInput)?,
        // The kernel only reads it.
        filter: filter.as_ptr().cast_mut(),
    };
    set(&socket, libc::SOL_SOCKET, libc::SO_ATTACH_FILTER, &program)?;
    // Asks for more than the machine's limit, where that is allowed. With a smaller buffer the
    // capture goes on.
    let size = libc::c_int::try_from(buffer).unwrap_or(libc::c_int::MAX);
    if set(&socket, libc::SOL_SOCKET, libc::SO_RCVBUFFORCE, &size).is_err() {
        set(&socket, libc::SOL_SOCKET, libc::SO_RCVBUF, &size)?;
    }
    // SAFETY: all zeros are a valid address of no interface, which means all.
    let mut address: libc::sockaddr_ll = unsafe { zeroed() };
    address.sll_family = libc::AF_PACKET as u16;
    address.sll_protocol = (libc::ETH_P_ALL as u16).to_be();
    // SAFETY: the pointer is to a live address of the length that is given.
    checked(unsafe {
        libc::bind(
            socket.as_raw_fd(),
            (&raw const address).cast(),
            size_of::<libc::sockaddr_ll>() as libc::socklen_t,
        )
    })?;
    Ok(socket)
}

/// Packets that were lost for want of room. Asking resets the count.
pub fn lost(socket: &OwnedFd) -> u64 {
    let mut counts = libc::tpacket_stats {
        tp_packets: 0,
        tp_drops: 0,
    };
    let mut length = size_of::<libc::tpacket_stats>() as libc::socklen_t;
    // SAFETY: both pointers are to live locals, and the length is that of the first.
    let result = unsafe {
        libc::getsockopt(
            socket.as_raw_fd(),
            libc::SOL_PACKET,
            libc::PACKET_STATISTICS,
            (&raw mut counts).cast(),
            &raw mut length,
        )
    };
    if result < 0 {
        return 0;
    }
    u64::from(counts.tp_drops)
}
