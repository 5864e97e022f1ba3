//! Requests that come from elsewhere while the load goes on, such as from standard input.

use super::{Begun, Source};
use crate::request::Rendered;
use crate::transport::{Fault, Lane};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, TryRecvError};

/// What comes through the channel: a request, or why there is none in its place.
pub type Streaming = Result<StreamedRequest, String>;

/// One request of a stream.
#[derive(Debug)]
pub struct StreamedRequest {
    /// Below the number of kinds, or that number: then it is counted with all others that are not
    /// told apart.
    pub kind: u32,
    /// With the first request of a kind: what it is called.
    pub name: Option<String>,
    /// To be sent.
    pub request: Arc<Rendered>,
}

/// Requests from a channel. The sender reads and renders them on a thread of its own, and ends the
/// load by dropping its end of the channel.
///
/// The kinds of request are not known beforehand, only the most that are told apart.
#[derive(Debug)]
pub struct Streamed {
    /// The names of the kinds, each empty until its first request comes. Two more follow: for all
    /// other kinds together, and for input that is not a request.
    names: Vec<String>,
    others: u32,
    requests: Receiver<Streaming>,
    ahead: Option<Begun>,
}

impl Streamed {
    /// The most kinds that are told apart.
    #[must_use]
    pub fn new(most_kinds: u32, requests: Receiver<Streaming>) -> Self {
        let mut names = vec![String::new(); most_kinds as usize];
        names.extend(["others".to_owned(), "not understood".to_owned()]);
        Self {
            names,
            others: most_kinds,
            requests,
            ahead: None,
        }
    }

    fn took(&mut self, streamed: StreamedRequest) -> Begun {
        let kind = streamed.kind.min(self.others);
        if let Some(name) = streamed.name.filter(|_| kind < self.others) {
            self.names[kind as usize] = name;
        }
        Begun::Send(kind, streamed.request)
    }
}

impl Source for Streamed {
    fn kinds(&self) -> &[String] {
        &self.names
    }

    /// The schedule goes on meanwhile: what comes late is sent late, and the generator's lag says
    /// so.
    fn is_ready(&mut self) -> bool {
        if self.ahead.is_none() {
            self.ahead = match self.requests.try_recv() {
                Ok(Ok(streamed)) => Some(self.took(streamed)),
                Ok(Err(why)) => Some(Begun::Failed(self.others + 1, Fault::Template, why)),
                Err(TryRecvError::Disconnected) => Some(Begun::Exhausted),
                Err(TryRecvError::Empty) => None,
            };
        }
        self.ahead.is_some()
    }

    fn kinds_are_known(&self) -> bool {
        false
    }

    /// Not known before it has come.
    fn first_kind(&self, _: u32, _: u64) -> u32 {
        self.others
    }

    fn begin(&mut self, _: Lane, _: u32, _: u64) -> Begun {
        self.is_ready();
        self.ahead.take().unwrap_or(Begun::Exhausted)
    }
}
