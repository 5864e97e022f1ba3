//! One TLS session over one socket.

use super::fault::{cut_off, of_error, truncated};
use crate::transport::arrival::Inlet;
use crate::transport::fault::Fault;
use crate::transport::stream::Received;
use rustix::fd::{AsFd, BorrowedFd, OwnedFd};
use rustix::io::Errno;
use rustix::net::{SendAncillaryBuffer, SendFlags, send, sendmsg};
use rustls::pki_types::ServerName;
use rustls::{ClientConfig, ClientConnection};
use std::io::{self, ErrorKind, IoSlice, Read, Write};
use std::sync::Arc;

/// A session and its socket.
#[derive(Debug)]
pub struct TlsStream {
    session: ClientConnection,
    socket: Socket,
    /// Decrypted bytes that were not read yet.
    at_hand: usize,
    /// The peer has said that nothing more comes.
    has_ended: bool,
}

impl TlsStream {
    pub fn begin(
        socket: OwnedFd,
        config: &Arc<ClientConfig>,
        name: &ServerName<'static>,
    ) -> Result<Self, Fault> {
        let session = ClientConnection::new(Arc::clone(config), name.clone());
        Ok(Self {
            session: session.map_err(|error| of_error(&error))?,
            socket: Socket {
                inlet: socket.into(),
                noted: None,
            },
            at_hand: 0,
            has_ended: false,
        })
    }

    /// Goes on with the handshake as far as the socket allows. True when it is done.
    pub fn shake_hands(&mut self) -> Result<bool, Fault> {
        loop {
            self.flush().map_err(during_handshake)?;
            if !self.session.is_handshaking() {
                return Ok(true);
            }
            match self.take_in().map_err(during_handshake)? {
                TakenIn::Bytes => {}
                TakenIn::Nothing => return Ok(false),
                TakenIn::End => return Err(cut_off("closed the connection")),
            }
        }
    }

    /// The protocol that the peer has chosen, if any (ALPN).
    pub fn chosen_protocol(&self) -> Option<&[u8]> {
        self.session.alpn_protocol()
    }

    pub fn receive(&mut self, buffer: &mut [u8]) -> Result<Received, Fault> {
        loop {
            match self.session.reader().read(buffer) {
                Ok(0) => return Ok(Received::End { is_proper: true }),
                Ok(count) => {
                    self.at_hand = self.at_hand.saturating_sub(count);
                    return Ok(Received::Bytes {
                        count,
                        drained: false,
                        unread: self.at_hand > 0,
                        noted: self.socket.noted,
                    });
                }
                Err(error) if error.kind() == ErrorKind::UnexpectedEof => {
                    return Ok(Received::End { is_proper: false });
                }
                // Nothing is decrypted: more has to come from the socket.
                Err(_) => {}
            }
            match self.take_in()? {
                // The end, too, is reported by the reader.
                TakenIn::Bytes | TakenIn::End => {}
                TakenIn::Nothing => return Ok(Received::Nothing),
            }
        }
    }

    pub fn transmit(&mut self, bytes: &[u8]) -> Result<usize, Fault> {
        let mut taken = 0;
        loop {
            self.flush()?;
            if taken == bytes.len() || self.has_pending() {
                return Ok(taken);
            }
            // Up to the bound of its buffer; never an error of the socket.
            let count = self.session.writer().write(&bytes[taken..]);
            taken += count.map_err(|error| Fault::of_errno(errno_of(&error)))?;
        }
    }

    /// Has the kernel stamp what arrives, where it can. The instant of decrypted bytes is that of
    /// the segment which completed their record, or of one that was read with it.
    pub fn stamp_arrivals(&mut self) {
        self.socket.inlet.stamp_arrivals();
    }

    pub fn has_pending(&self) -> bool {
        self.session.wants_write()
    }

    pub fn has_ended(&self) -> bool {
        self.has_ended
    }

    /// Writes what waits to be written, as far as the socket takes it.
    fn flush(&mut self) -> Result<(), Fault> {
        while self.session.wants_write() {
            match self.session.write_tls(&mut self.socket) {
                Ok(_) => {}
                Err(error) if error.kind() == ErrorKind::WouldBlock => break,
                Err(error) => return Err(Fault::of_errno(errno_of(&error))),
            }
        }
        Ok(())
    }

    /// Reads from the socket once, and decrypts.
    fn take_in(&mut self) -> Result<TakenIn, Fault> {
        let count = match self.session.read_tls(&mut self.socket) {
            Ok(count) => count,
            Err(error) if error.kind() == ErrorKind::WouldBlock => return Ok(TakenIn::Nothing),
            Err(error) => return Err(Fault::of_errno(errno_of(&error))),
        };
        match self.session.process_new_packets() {
            Ok(state) => {
                self.at_hand = state.plaintext_bytes_to_read();
                self.has_ended |= state.peer_has_closed();
            }
            Err(error) => {
                // The alert that tells the peer why.
                let _ = self.flush();
                return Err(of_error(&error));
            }
        }
        // Answers to what came: tickets need none, a change of keys does.
        self.flush()?;
        Ok(if count == 0 {
            TakenIn::End
        } else {
            TakenIn::Bytes
        })
    }

    /// An answer that was to end with the connection did so improperly.
    pub fn truncated() -> Fault {
        truncated()
    }
}

/// As every client does: the peer learns that this was no truncation.
impl Drop for TlsStream {
    fn drop(&mut self) {
        if !self.session.is_handshaking() {
            self.session.send_close_notify();
            let _ = self.flush();
        }
    }
}

impl AsFd for TlsStream {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.socket.inlet.as_fd()
    }
}

enum TakenIn {
    Bytes,
    Nothing,
    End,
}

/// A reset during a handshake counts as a TLS fault.
fn during_handshake(fault: Fault) -> Fault {
    match fault {
        Fault::Reset => cut_off("broke the connection off"),
        other => other,
    }
}

/// The error code of a failed system call. No other error is expected here; it becomes EIO.
fn errno_of(error: &io::Error) -> Errno {
    Errno::from_io_error(error).unwrap_or(Errno::IO)
}

/// As rustls reads and writes: without blocking, and without a signal when the peer is gone.
#[derive(Debug)]
struct Socket {
    inlet: Inlet,
    /// When the last bytes that were read arrived, by the kernel's note.
    noted: Option<i64>,
}

impl Read for Socket {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let (count, noted) = self.inlet.receive(buffer)?;
        if count > 0 {
            self.noted = noted;
        }
        Ok(count)
    }
}

impl Write for Socket {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        loop {
            match send(&self.inlet, bytes, SendFlags::NOSIGNAL) {
                Ok(count) => return Ok(count),
                Err(Errno::INTR) => {}
                Err(errno) => return Err(errno.into()),
            }
        }
    }

    /// Several records, one system call.
    fn write_vectored(&mut self, pieces: &[IoSlice<'_>]) -> io::Result<usize> {
        loop {
            let mut nothing = SendAncillaryBuffer::default();
            match sendmsg(&self.inlet, pieces, &mut nothing, SendFlags::NOSIGNAL) {
                Ok(count) => return Ok(count),
                Err(Errno::INTR) => {}
                Err(errno) => return Err(errno.into()),
            }
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
