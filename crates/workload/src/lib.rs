//! What is sent: scenarios of steps, and everything that makes one request differ from the next.
//! Pure: no socket, no clock of its own.

#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used))]

mod spec;

pub use spec::{
    Body, Capture, Check, Feed, FeedFormat, FeedOrder, Scenario, Source, Step, Think, Workload,
};
