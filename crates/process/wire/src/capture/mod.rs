//! The kernel's copies of the packets to and from some ports: packet(7), all interfaces, headers
//! alone. The kernel filters, so that other traffic costs nothing.

mod filter;
mod socket;

use rustix::fd::OwnedFd;
use rustix::io::Errno;
use std::io;

/// Bytes of a packet that are kept: the headers with all options, and the beginning of the data.
const KEPT: u32 = 192;
/// Size of the buffer: room for some 20,000 packets that were not taken yet. The kernel counts each
/// packet with its overhead.
const BUFFER: u32 = 16 << 20;

/// Why packets cannot be seen.
#[derive(Debug, thiserror::Error)]
pub enum CaptureError {
    /// Not allowed.
    #[error(
        "capturing packets needs root or CAP_NET_RAW: run Tacho as root, or give the program the capability with `setcap cap_net_raw+ep`"
    )]
    NotAllowed,
    /// Anything else.
    #[error("packets cannot be captured ({0}): the kernel or a sandbox has no packet sockets")]
    Unavailable(#[source] io::Error),
}

impl From<io::Error> for CaptureError {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::PermissionDenied => Self::NotAllowed,
            _ => Self::Unavailable(error),
        }
    }
}

/// A capture that goes on.
#[derive(Debug)]
pub struct Capture {
    socket: OwnedFd,
    buffer: [u8; KEPT as usize],
}

impl Capture {
    /// Starts to keep packets to and from these ports.
    pub fn of_ports(ports: &[u16]) -> Result<Self, CaptureError> {
        let socket = socket::open(&filter::tcp_of(ports, KEPT), BUFFER)?;
        tacho_stamps::stamp_arrivals(&socket, true);
        Ok(Self {
            socket,
            buffer: [0; KEPT as usize],
        })
    }

    /// Hands over what was kept until now: each packet from its IP header on, with its instant in
    /// nanoseconds of the wall clock.
    pub fn drain(&mut self, mut take: impl FnMut(u64, &[u8])) -> Result<(), CaptureError> {
        loop {
            match tacho_stamps::receive(&self.socket, &mut self.buffer) {
                // The kernel has not started to stamp packets yet.
                Ok((_, None)) | Err(Errno::INTR) => {}
                Ok((length, Some(at))) => {
                    take(u64::try_from(at).unwrap_or(0), &self.buffer[..length]);
                }
                Err(Errno::AGAIN) => return Ok(()),
                // An interface went down; the others continue.
                Err(Errno::NETDOWN) => {}
                Err(error) => return Err(io::Error::from(error).into()),
            }
        }
    }

    /// Packets that were lost for want of room since the last call.
    pub fn lost(&self) -> u64 {
        socket::lost(&self.socket)
    }
}
