//! Reads the kernel's time stamps of what a socket receives.
//!
//! The kernel can stamp each packet when it comes in (`SOF_TIMESTAMPING_RX_SOFTWARE`,
//! Documentation/networking/timestamping.rst). For a stream, a read reports the stamp of the last
//! packet from which it took bytes. So no byte of the read arrived later than that. The stamp is
//! more exact than a clock that is read after a wake-up: the difference is how late the reader
//! woke.
//!
//! Stamps are of `CLOCK_REALTIME`. Comparisons with another clock have to expect steps.
#![allow(unsafe_code)] // Control messages of recvmsg(2) with timestamps are in no safe wrapper that the project uses.
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used))]

use rustix::fd::{AsFd, AsRawFd};
use rustix::io::Errno;
use std::mem::{MaybeUninit, size_of};
use std::ptr;

/// Software stamps of received packets, reported with the data.
const STAMPS: libc::c_uint = libc::SOF_TIMESTAMPING_RX_SOFTWARE | libc::SOF_TIMESTAMPING_SOFTWARE;

/// Switches the kernel's stamps on or off for a socket. An accepted socket inherits the setting
/// from the listening one. False when the kernel cannot do it, as for Unix sockets and before Linux
/// 4.14.
pub fn stamp_arrivals(socket: impl AsFd, on: bool) -> bool {
    let flags: libc::c_uint = if on { STAMPS } else { 0 };
    // SAFETY: the pointer is to a live local of the length that is given.
    let result = unsafe {
        libc::setsockopt(
            socket.as_fd().as_raw_fd(),
            libc::SOL_SOCKET,
            libc::SO_TIMESTAMPING,
            (&raw const flags).cast(),
            size_of::<libc::c_uint>() as libc::socklen_t,
        )
    };
    result == 0
}

/// Room for the control message, aligned as one.
#[repr(C, align(8))]
struct Control([u8; CONTROL_BYTES as usize]);

/// Fits into the length field of a header in each C library: glibc and musl have different types
/// there.
const CONTROL_BYTES: u8 = 128;

/// Reads once, without waiting. Returns the number of bytes, and when the last of them arrived
/// (wall clock, in nanoseconds; `None` where the kernel did not stamp them).
///
/// # Errors
/// As recvmsg(2) has them; `EAGAIN` when there is nothing.
#[inline]
pub fn receive(socket: impl AsFd, buffer: &mut [u8]) -> Result<(usize, Option<i64>), Errno> {
    let mut control = MaybeUninit::<Control>::uninit();
    let mut piece = libc::iovec {
        iov_base: buffer.as_mut_ptr().cast(),
        iov_len: buffer.len(),
    };
    // SAFETY: all zeros are a valid empty header.
    let mut header: libc::msghdr = unsafe { std::mem::zeroed() };
    header.msg_iov = &raw mut piece;
    header.msg_iovlen = 1;
    header.msg_control = control.as_mut_ptr().cast();
    header.msg_controllen = CONTROL_BYTES.into();
    // SAFETY: the header names one live buffer and the control buffer, with their lengths.
    let count = unsafe {
        libc::recvmsg(
            socket.as_fd().as_raw_fd(),
            &raw mut header,
            libc::MSG_DONTWAIT,
        )
    };
    if count < 0 {
        let code = std::io::Error::last_os_error().raw_os_error();
        return Err(Errno::from_raw_os_error(code.unwrap_or(libc::EIO)));
    }
    Ok((count as usize, stamp(&header)))
}

/// The software stamp among the control messages.
fn stamp(header: &libc::msghdr) -> Option<i64> {
    // SAFETY: the kernel has filled in the control buffer that the header names and set its length;
    // the macros stay within it, and the stamp is read without assuming its alignment.
    unsafe {
        let mut message = libc::CMSG_FIRSTHDR(ptr::from_ref(header));
        while !message.is_null() {
            let kind = ((*message).cmsg_level, (*message).cmsg_type);
            if kind == (libc::SOL_SOCKET, libc::SCM_TIMESTAMPING) {
                let time: libc::timespec =
                    ptr::read_unaligned(libc::CMSG_DATA(message).cast::<libc::timespec>());
                let ns = time.tv_sec * 1_000_000_000 + time.tv_nsec;
                return (ns != 0).then_some(ns);
            }
            message = libc::CMSG_NXTHDR(ptr::from_ref(header), message);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;
    use std::net::{TcpListener, TcpStream};

    /// The receiving and the sending end of a connection whose listener asks for stamps, or not.
    fn pair(stamped: bool) -> (TcpStream, TcpStream) {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        assert!(!stamped || stamp_arrivals(&listener, true));
        let there = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        (listener.accept().unwrap().0, there)
    }

    /// Waits for what was sent.
    fn received(here: &TcpStream) -> (usize, Option<i64>) {
        let mut buffer = [0; 64];
        assert!(here.peek(&mut buffer).is_ok());
        receive(here, &mut buffer).unwrap()
    }

    #[test]
    fn an_accepted_socket_stamps_as_its_listener_does() {
        let (here, mut there) = pair(true);
        // The kernel begins a moment after it is asked to: a work item switches it on for the whole
        // machine.
        let stamped = (0..60_000).any(|_| {
            there.write_all(b"x").unwrap();
            std::thread::sleep(std::time::Duration::from_millis(1));
            received(&here).1.is_some()
        });
        assert!(stamped, "no arrival was ever stamped");
    }

    #[test]
    fn without_being_asked_it_stamps_nothing_and_an_empty_socket_says_so() {
        let (here, mut there) = pair(false);
        let mut buffer = [0; 64];
        assert_eq!(receive(&here, &mut buffer), Err(Errno::AGAIN));
        there.write_all(b"x").unwrap();
        assert_eq!(received(&here), (1, None));
        drop(there);
        assert_eq!(received(&here), (0, None));
    }

    #[test]
    fn unix_sockets_stamp_nothing() {
        let (here, mut there) = std::os::unix::net::UnixStream::pair().unwrap();
        stamp_arrivals(&here, true);
        there.write_all(b"x").unwrap();
        let mut buffer = [0; 64];
        assert_eq!(receive(&here, &mut buffer), Ok((1, None)));
    }
}
