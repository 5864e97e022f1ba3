//! What the server listens on and speaks over.

use rustix::fd::{AsFd, BorrowedFd};
use rustls::{ServerConfig, ServerConnection, StreamOwned};
use std::io::{self, Read, Write};
use std::net::{Ipv4Addr, Shutdown, SocketAddr, TcpListener, TcpStream};
use std::os::unix::net::{UnixListener, UnixStream};
use std::sync::Arc;
use std::time::Duration;

/// Where it listens.
pub enum Listener {
    Tcp(TcpListener),
    Tls(TcpListener, Arc<ServerConfig>),
    Unix(UnixListener),
}

impl Listener {
    pub fn set_nonblocking(&self) -> io::Result<()> {
        match self {
            Self::Tcp(listener) | Self::Tls(listener, _) => listener.set_nonblocking(true),
            Self::Unix(listener) => listener.set_nonblocking(true),
        }
    }

    /// An address of TCP, if it has one.
    pub fn address(&self) -> SocketAddr {
        let address = match self {
            Self::Tcp(listener) | Self::Tls(listener, _) => listener.local_addr().ok(),
            Self::Unix(_) => None,
        };
        address.unwrap_or(SocketAddr::from((Ipv4Addr::UNSPECIFIED, 0)))
    }

    pub fn accept(&self) -> io::Result<Wire> {
        Ok(match self {
            Self::Tcp(listener) => Wire::Tcp(accept_tcp(listener)?),
            Self::Tls(listener, config) => {
                let stream = accept_tcp(listener)?;
                let session =
                    ServerConnection::new(Arc::clone(config)).map_err(io::Error::other)?;
                Wire::Tls(Box::new(StreamOwned::new(session, stream)))
            }
            Self::Unix(listener) => {
                let (stream, _) = listener.accept()?;
                stream.set_nonblocking(false)?;
                Wire::Unix(stream)
            }
        })
    }
}

fn accept_tcp(listener: &TcpListener) -> io::Result<TcpStream> {
    let (stream, _) = listener.accept()?;
    stream.set_nonblocking(false)?;
    stream.set_nodelay(true)?;
    Ok(stream)
}

/// A connection that is plain or goes through TLS.
pub enum Wire {
    Tcp(TcpStream),
    Tls(Box<StreamOwned<ServerConnection, TcpStream>>),
    Unix(UnixStream),
}

impl Wire {
    /// No read takes longer than this.
    pub fn set_read_timeout(&self, patience: Duration) -> io::Result<()> {
        match self {
            Self::Unix(stream) => stream.set_read_timeout(Some(patience)),
            Self::Tcp(stream) => stream.set_read_timeout(Some(patience)),
            Self::Tls(tls) => tls.sock.set_read_timeout(Some(patience)),
        }
    }

    /// No write takes longer than this.
    pub fn set_write_timeout(&self, patience: Duration) -> io::Result<()> {
        match self {
            Self::Unix(stream) => stream.set_write_timeout(Some(patience)),
            Self::Tcp(stream) => stream.set_write_timeout(Some(patience)),
            Self::Tls(tls) => tls.sock.set_write_timeout(Some(patience)),
        }
    }

    /// TLS: the close_notify that precedes a proper close.
    pub fn say_goodbye(&mut self) {
        if let Self::Tls(tls) = self {
            tls.conn.send_close_notify();
            let _ = tls.flush();
        }
    }

    pub fn close_for_sending(&mut self) -> io::Result<()> {
        self.say_goodbye();
        match self {
            Self::Tcp(stream) => stream.shutdown(Shutdown::Write),
            Self::Tls(tls) => tls.sock.shutdown(Shutdown::Write),
            Self::Unix(stream) => stream.shutdown(Shutdown::Write),
        }
    }
}

impl Read for Wire {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self {
            Self::Tcp(stream) => stream.read(buffer),
            Self::Tls(tls) => tls.read(buffer),
            Self::Unix(stream) => stream.read(buffer),
        }
    }
}

impl Write for Wire {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::Tcp(stream) => stream.write(bytes),
            Self::Tls(tls) => tls.write(bytes),
            Self::Unix(stream) => stream.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl AsFd for Wire {
    fn as_fd(&self) -> BorrowedFd<'_> {
        match self {
            Self::Tcp(stream) => stream.as_fd(),
            Self::Tls(tls) => tls.sock.as_fd(),
            Self::Unix(stream) => stream.as_fd(),
        }
    }
}
