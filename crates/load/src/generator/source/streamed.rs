//! Requests that come from elsewhere while the load goes on, such as from standard input.

use super::{Begun, Source};
use crate::request::Rendered;
use crate::transport::{Fault, Lane};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, TryRecvError};

/// What comes through the channel: a request with its kind, or why there is none in its place.
pub type Streaming = Result<(u32, Arc<Rendered>), String>;

/// Requests from a channel. Whoever fills it reads and renders on a thread of its own, and ends the load by
/// dropping its end.
#[derive(Debug)]
pub struct Streamed {
    names: Vec<String>,
    requests: Receiver<Streaming>,
    ahead: Option<Begun>,
}

impl Streamed {
    /// `names` are those of all kinds that can come, at least one.
    #[must_use]
    pub fn new(names: Vec<String>, requests: Receiver<Streaming>) -> Self {
        Self {
            names,
            requests,
            ahead: None,
        }
    }
}

impl Source for Streamed {
    fn kinds(&self) -> &[String] {
        &self.names
    }

    /// The schedule goes on meanwhile: what comes late is sent late, and the generator's lag says so.
    fn is_ready(&mut self) -> bool {
        if self.ahead.is_none() {
            self.ahead = match self.requests.try_recv() {
                Ok(Ok((kind, request))) => Some(Begun::Send(kind, request)),
                Ok(Err(why)) => Some(Begun::Failed(0, Fault::Template, why)),
                Err(TryRecvError::Disconnected) => Some(Begun::Exhausted),
                Err(TryRecvError::Empty) => None,
            };
        }
        self.ahead.is_some()
    }

    /// Not known before it has come.
    fn first_kind(&self, _: u32, _: u64) -> u32 {
        0
    }

    fn begin(&mut self, _: Lane, _: u32, _: u64) -> Begun {
        self.is_ready();
        self.ahead.take().unwrap_or(Begun::Exhausted)
    }
}
