//! For `fuzz/`: our side of a connection whose other side has sent these bytes and nothing more.

use super::session::Greeting;
use crate::transport::stream::Stream;
use rustix::fd::OwnedFd;
use std::future::Future;
use std::io::Write;
use std::net::Shutdown;
use std::os::unix::net::UnixStream;
use std::pin::pin;
use std::sync::Arc;
use std::task::{Context, Poll, Waker};

/// Reads of at most 16 KiB each; what is longer than the buffer of a socket is cut off.
const TURNS: usize = 64;

/// Greets, sends a request and takes what comes; the status, where there was an answer.
#[doc(hidden)]
#[must_use]
pub fn read_frames(bytes: &[u8]) -> Option<u16> {
    let (ours, mut theirs) = UnixStream::pair().ok()?;
    ours.set_nonblocking(true).ok()?;
    theirs.set_nonblocking(true).ok()?;
    let _ = theirs.write(bytes);
    theirs.shutdown(Shutdown::Write).ok()?;
    let mut context = Context::from_waker(Waker::noop());
    let mut greeting = Greeting::begin(Stream::Plain(OwnedFd::from(ours).into()), Arc::default());
    let greeted = (0..TURNS).find_map(|_| match greeting.advance(&mut context) {
        Poll::Ready(greeted) => Some(greeted),
        Poll::Pending => None,
    });
    let mut session = greeted?.ok()?;
    let _ = session.allowed_streams();
    let request = http::Request::get("http://a/").body(()).ok()?;
    let (answer, _) = session.sender.send_request(request, true).ok()?;
    let mut answer = pin!(answer);
    let mut body = None;
    let mut status = None;
    for _ in 0..TURNS {
        let is_over = session.turn(&mut context).is_ready();
        if body.is_none()
            && let Poll::Ready(answered) = answer.as_mut().poll(&mut context)
        {
            let answered = answered.ok()?;
            status = Some(answered.status().as_u16());
            body = Some(answered.into_body());
        }
        if let Some(body) = &mut body {
            while let Poll::Ready(Some(Ok(data))) = body.poll_data(&mut context) {
                let _ = body.flow_control().release_capacity(data.len());
            }
        }
        if is_over {
            break;
        }
    }
    status
}
