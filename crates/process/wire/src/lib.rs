//! What calls to other services take between the two, from outside both.
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
//! Nothing is put between the two services, and neither is changed: any client and any language is
//! seen. What it cannot tell apart is said, not guessed: several questions at once over one
//! connection (HTTP/2) have no exchange.

#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used))]

mod capture;
pub mod conversation;
pub mod listening;
pub mod segment;

pub use capture::CaptureError;
pub use conversation::{Conversations, Exchange, Protocol};
pub use listening::{Heard, Listening, Peer};
