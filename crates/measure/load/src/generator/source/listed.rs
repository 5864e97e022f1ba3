//! Requests of a list, one after another, from the front again after the last.

use super::{Begun, Source};
use crate::request::Rendered;
use crate::transport::Lane;
use std::sync::Arc;

/// A list of requests, each with its kind.
#[derive(Debug)]
pub struct Listed {
    names: Vec<String>,
    requests: Vec<(u32, Arc<Rendered>)>,
    /// The load ends after the last.
    once: bool,
}

impl Listed {
    /// `requests` are pairs of an index into `names` and a request.
    #[must_use]
    pub fn new(names: Vec<String>, requests: Vec<(u32, Arc<Rendered>)>, once: bool) -> Self {
        Self {
            names,
            requests,
            once,
        }
    }
}

impl Source for Listed {
    fn kinds(&self) -> &[String] {
        &self.names
    }

    fn first_kind(&self, _: u32, n: u64) -> u32 {
        let length = self.requests.len().max(1) as u64;
        self.requests
            .get((n % length) as usize)
            .map_or(0, |(kind, _)| *kind)
    }

    fn begin(&mut self, _: Lane, _: u32, n: u64) -> Begun {
        let length = self.requests.len() as u64;
        if length == 0 || (self.once && n >= length) {
            return Begun::Exhausted;
        }
        let (kind, request) = &self.requests[(n % length) as usize];
        Begun::Send(*kind, request.clone())
    }
}
