//! A connection as h2 wants to see it, and what is to be known of its system calls.

use crate::transport::arrival::Clocks;
use crate::transport::fault::Fault;
use crate::transport::stream::{Received, Stream};
use std::io;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};
use tacho_clock::monotonic_ns;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

/// The bytes of a connection. `Pending` always means that the socket would block, and that epoll
/// will say when it no longer would: nobody else wakes the task.
#[derive(Debug)]
pub struct Io {
    stream: Stream,
    log: Arc<Log>,
    clocks: Arc<Clocks>,
}

/// What the transport, which has given its stream away, learns of it. (Written and read by one
/// thread; atomic because h2's futures have to be `Send`.)
#[derive(Debug, Default)]
pub struct Log {
    /// When the bytes of the last read arrived.
    last_read: AtomicU64,
    /// Just before the first write of a turn; 0 when there was none.
    first_write: AtomicU64,
    /// The turn has had its read.
    has_read: AtomicBool,
    /// How the stream ended.
    end: Mutex<Option<Fault>>,
}

impl Io {
    pub fn new(stream: Stream, log: Arc<Log>, clocks: Arc<Clocks>) -> Self {
        Self {
            stream,
            log,
            clocks,
        }
    }
}

impl Log {
    /// A turn reads once, so that the answers that came with this read are concluded before the
    /// next: their instants are those of the system call that brought them.
    pub fn begin_turn(&self) {
        self.has_read.store(false, Ordering::Relaxed);
        self.first_write.store(0, Ordering::Relaxed);
    }

    pub fn last_read(&self) -> u64 {
        self.last_read.load(Ordering::Relaxed)
    }

    pub fn first_write(&self) -> u64 {
        self.first_write.load(Ordering::Relaxed)
    }

    /// How the stream ended, if it did.
    pub fn end(&self) -> Option<Fault> {
        *self.end.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn ended(&self, fault: Fault) {
        let mut end = self.end.lock().unwrap_or_else(PoisonError::into_inner);
        end.get_or_insert(fault);
    }

    /// Remembers the fault itself; h2 passes on only a kind.
    fn failed(&self, fault: Fault) -> io::Error {
        self.ended(fault);
        io::ErrorKind::ConnectionAborted.into()
    }
}

impl AsyncRead for Io {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        if self.log.has_read.load(Ordering::Relaxed) {
            context.waker().wake_by_ref();
            return Poll::Pending;
        }
        match self.stream.receive(buffer.initialize_unfilled()) {
            Ok(Received::Bytes { count, noted, .. }) => {
                let arrived = self.clocks.arrived(noted, 0);
                self.log.last_read.store(arrived, Ordering::Relaxed);
                self.log.has_read.store(true, Ordering::Relaxed);
                buffer.advance(count);
                Poll::Ready(Ok(()))
            }
            Ok(Received::Nothing) => Poll::Pending,
            Ok(Received::End { .. }) => {
                self.log.ended(Fault::Closed { received: 0 });
                Poll::Ready(Ok(()))
            }
            Err(fault) => Poll::Ready(Err(self.log.failed(fault))),
        }
    }
}

impl AsyncWrite for Io {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        if self.log.first_write() == 0 {
            self.log
                .first_write
                .store(monotonic_ns(), Ordering::Relaxed);
        }
        match self.stream.transmit(bytes) {
            Ok(0) if !bytes.is_empty() => Poll::Pending,
            Ok(count) => Poll::Ready(Ok(count)),
            // The peer closed, but its last words are still to be read, and say why.
            Err(Fault::Reset) if self.stream.has_answer_waiting() => {
                context.waker().wake_by_ref();
                Poll::Pending
            }
            Err(fault) => Poll::Ready(Err(self.log.failed(fault))),
        }
    }

    fn poll_flush(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        match self.stream.transmit(&[]) {
            Ok(_) if self.stream.has_pending() => Poll::Pending,
            Ok(_) => Poll::Ready(Ok(())),
            Err(fault) => Poll::Ready(Err(self.log.failed(fault))),
        }
    }

    /// The socket is closed when it is dropped, and TLS says goodbye then.
    fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }
}
