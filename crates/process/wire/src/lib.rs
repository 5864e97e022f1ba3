//! How long calls to other services take, seen on the network between both.
//!
//! ```text
//! AF_PACKET --capture--> packets --segment--> Segment --conversation--> Exchange --listening--> Heard
//! ```
//! | module | idea |
//! |---|---|
//! | `capture` | the kernel's copies of the packets to and from some addresses, each with its instant |
//! | [`segment`] | a packet read as a segment of TCP |
//! | [`conversation`] | segments of a connection as questions and answers |
//! | [`listening`] | a thread that takes them down while a subject is loaded |
//!
//! Nothing is put between the two services, and neither is changed, so any client in any language
//! is seen. Where calls cannot be told apart, this is reported and nothing is guessed: several
//! questions at once over one connection (HTTP/2) give no exchanges.

#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used))]

mod capture;
pub mod conversation;
pub mod listening;
pub mod segment;

pub use capture::CaptureError;
pub use conversation::{Conversations, Exchange, Protocol};
pub use listening::{Heard, Listening, Peer};
