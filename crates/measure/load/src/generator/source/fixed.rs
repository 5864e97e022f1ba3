//! Requests that are the same each time: rendered once, chosen by weight.

use super::{Begun, Source};
use crate::request::Mix;
use crate::transport::Lane;

/// A weighted mix.
#[derive(Debug)]
pub struct Fixed {
    mix: Mix,
    names: Vec<String>,
}

impl Fixed {
    /// Sends a mix.
    #[must_use]
    pub fn new(mix: Mix) -> Self {
        Self {
            names: (0..mix.kinds())
                .map(|kind| mix.name(kind as u32).to_owned())
                .collect(),
            mix,
        }
    }
}

impl Source for Fixed {
    fn kinds(&self) -> &[String] {
        &self.names
    }

    fn first_kind(&self, phase: u32, n: u64) -> u32 {
        self.mix.pick(phase, n)
    }

    #[inline]
    fn begin(&mut self, _: Lane, phase: u32, n: u64) -> Begun {
        let kind = self.mix.pick(phase, n);
        Begun::Send(kind, self.mix.request(kind).clone())
    }
}
