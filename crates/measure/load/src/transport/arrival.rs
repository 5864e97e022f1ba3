//! When bytes arrived, by the kernel's own note.
//!
//! A reader that sleeps while answers come in, and reads them all when it wakes, needs one wake-up
//! for many answers. Their ends are not the instants of the reads then: the kernel notes for each
//! packet when it came in (`SOF_TIMESTAMPING_RX_SOFTWARE`,
//! Documentation/networking/timestamping.rst), and for a stream a read reports the note of the last
//! packet that it took from. That is later than none of the answer's bytes, and nearer to the truth
//! than a clock that is read after a wake-up.
#![allow(unsafe_code)] // Control messages of recvmsg(2) with timestamps are in no safe wrapper that the project uses.

use rustix::fd::{AsFd, AsRawFd};
use rustix::io::Errno;
use std::mem::{MaybeUninit, size_of};
use std::ptr;
use tacho_clock::{monotonic_ns, wall_ns};

/// Software notes of received packets, reported with the data.
const NOTES: libc::c_uint = libc::SOF_TIMESTAMPING_RX_SOFTWARE | libc::SOF_TIMESTAMPING_SOFTWARE;

/// Has the kernel note arrivals on a socket, or no longer. False when it does not know how, as with
/// Unix sockets and kernels before 4.14.
pub fn note_arrivals(socket: impl AsFd, on: bool) -> bool {
    let flags: libc::c_uint = if on { NOTES } else { 0 };
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

/// The monotonic clock, and how far the wall clock, by which the kernel notes arrivals, is ahead of
/// it, both in nanoseconds. Both are disciplined alike, so the difference changes only when
/// somebody sets the clock.
pub fn clocks() -> (u64, i64) {
    let wall = wall_ns();
    let monotonic = monotonic_ns();
    (monotonic, wall as i64 - monotonic as i64)
}

/// Room for the control message, aligned as one.
#[repr(C, align(8))]
struct Control([u8; 128]);

/// Reads once, without waiting: how many bytes, and when the last of them arrived (wall clock, in
/// nanoseconds; `None` where it was not noted).
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
    header.msg_controllen = size_of::<Control>();
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
    Ok((count as usize, noted(&header)))
}

/// The software note among the control messages.
fn noted(header: &libc::msghdr) -> Option<i64> {
    // SAFETY: the kernel has filled in the control buffer that the header names and set its length;
    // the macros stay within it, and the note is read without assuming its alignment.
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
    use std::time::Duration;

    fn pair() -> (TcpStream, TcpStream) {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let here = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        (here, listener.accept().unwrap().0)
    }

    /// The kernel begins to note a moment after it is asked to (a work item switches it on for the
    /// whole machine).
    fn begin_noting(here: &TcpStream, there: &mut TcpStream) {
        let mut buffer = [0; 64];
        for _ in 0..1_000 {
            there.write_all(b"x").unwrap();
            std::thread::sleep(Duration::from_millis(5));
            if let Ok((1.., Some(_))) = receive(here, &mut buffer) {
                return;
            }
        }
        panic!("no arrival was ever noted");
    }

    #[test]
    fn bytes_that_wait_keep_the_instant_of_their_arrival() {
        let (here, mut there) = pair();
        assert!(note_arrivals(&here, true));
        begin_noting(&here, &mut there);
        let before = monotonic_ns();
        there.write_all(b"answer").unwrap();
        let after = monotonic_ns();
        std::thread::sleep(Duration::from_millis(50));
        let mut buffer = [0; 64];
        let (count, noted) = receive(&here, &mut buffer).unwrap();
        assert_eq!(&buffer[..count], b"answer");
        let arrived = (noted.unwrap() - clocks().1) as u64;
        // Over loopback a packet arrives within the system call that sends it; two clocks are
        // compared.
        let slack = 1_000_000;
        assert!(arrived + slack >= before, "{before} {arrived}");
        assert!(arrived < after + 25_000_000, "{arrived} {after}");
    }

    #[test]
    fn without_notes_there_is_none_and_an_empty_socket_says_so() {
        let (here, mut there) = pair();
        let mut buffer = [0; 64];
        assert_eq!(receive(&here, &mut buffer), Err(Errno::AGAIN));
        there.write_all(b"x").unwrap();
        std::thread::sleep(Duration::from_millis(20));
        assert_eq!(receive(&here, &mut buffer), Ok((1, None)));
        drop(there);
        std::thread::sleep(Duration::from_millis(20));
        assert_eq!(receive(&here, &mut buffer), Ok((0, None)));
    }

    #[test]
    fn unix_sockets_note_nothing() {
        let (here, mut there) = std::os::unix::net::UnixStream::pair().unwrap();
        note_arrivals(&here, true);
        there.write_all(b"x").unwrap();
        let mut buffer = [0; 64];
        assert_eq!(receive(&here, &mut buffer), Ok((1, None)));
    }
}
