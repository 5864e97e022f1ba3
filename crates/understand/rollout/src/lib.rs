//! A Deployment is changed while users send requests: what did the users notice, and which pod
//! caused it?
//!
//! ```text
//! [Told] what the API told, [Request] what became of each request, [Window] when something changed
//!   -> lives   each pod from its creation to its end, and how late its endpoints followed
//!   -> felt    figures of the users, window by window
//!   -> lost    each request that was lost, and what was going on just then
//!   -> slow    each that was slower than any before, and what its pod was doing
//!   -> course  response times over time, for a chart
//!   -> young   whether pods are slow when they are new
//!   -> still_led  for how long new connections led to pods that had been told to end
//!   -> tried   whether another preStop loses fewer requests
//! ```
//! All instants are nanoseconds of one clock. Pure functions: no cluster, no file.

#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used))]

mod course;
mod felt;
mod lives;
mod lost;
mod slow;
mod still_led;
mod tried;
mod young;

pub use course::{Column, Course, course};
pub use felt::{Felt, felt};
pub use lives::{Lags, Life, Phase, PodNews, Told, What, lags, lives, pod_at};
pub use lost::{Lost, PodWas, Suspicion, To, lost};
pub use slow::{AllSlow, Because, Slow, slow};
pub use still_led::{StillLed, still_led};
pub use tried::{Count, Tried, tried};
pub use young::{Age, Young, Youth, young};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::net::IpAddr;

/// What became of one request.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Request {
    /// When the schedule wanted it sent.
    pub intended_ns: u64,
    /// When its first byte was sent; `None`: it never was.
    pub sent_ns: Option<u64>,
    /// When it was answered, or given up.
    pub end_ns: u64,
    /// A status below 400.
    pub is_good: bool,
    /// Its status, or the kind of error.
    pub outcome: String,
    /// When the connection that carried it was established; `None`: it never was, or it is not
    /// known.
    pub connected_ns: Option<u64>,
    /// A connection for it could not be made. It may have been sent before, on a kept one that the
    /// pod had just closed.
    pub never_connected: bool,
    /// The address of the pod that this connection led to, where that was seen.
    pub to: Option<IpAddr>,
}

impl Request {
    /// From the instant at which it was wanted to its end.
    #[must_use]
    pub fn response_ns(&self) -> u64 {
        self.end_ns.saturating_sub(self.intended_ns)
    }

    /// From the instant at which it was sent to its end.
    #[must_use]
    pub fn service_ns(&self) -> u64 {
        self.end_ns
            .saturating_sub(self.sent_ns.unwrap_or(self.intended_ns))
    }

    /// Whether it ended without a connection.
    #[must_use]
    pub fn had_no_connection(&self) -> bool {
        self.sent_ns.is_none() || self.never_connected
    }

    /// The pod that it was sent to, where that was seen.
    #[must_use]
    pub fn pod<'l>(&self, lives: &'l [Life]) -> Option<&'l Life> {
        pod_at(lives, self.to?, self.end_ns)
    }
}

/// A time in which the Deployment is changed, or left alone.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Window {
    /// `before`, `restart 1`, `after`.
    pub name: String,
    /// Its beginning, monotonic nanoseconds.
    pub from_ns: u64,
    /// Its end, monotonic nanoseconds.
    pub to_ns: u64,
    /// Whether the Deployment is changed in this window.
    pub is_change: bool,
}

impl Window {
    /// Requests belong to the window in which they were wanted.
    #[must_use]
    pub fn holds(&self, at_ns: u64) -> bool {
        (self.from_ns..self.to_ns).contains(&at_ns)
    }
}
