//! WebSocket (RFC 6455) as a client speaks it, without a socket: bytes in, bytes out.
//!
//! | module | idea |
//! |---|---|
//! | [`Upgrade`] | the request that makes a connection a WebSocket, and what its answer must be |
//! | [`frame`] | what goes out |
//! | [`Messages`] | what comes in |
//!
//! Frame headers and the key of the handshake come from tungstenite, the usual Rust library. Its
//! own streams are not used: they read and write whenever they choose, and a load generator has to
//! know each of these instants.
//!
//! No extension is offered, so messages come as they are (no permessage-deflate).

#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used))]

mod frames;
mod messages;
mod upgrade;

pub use frames::{Frame, frame};
pub use messages::{Came, MAX_CONTROL_BYTES, MessageFault, Messages, Took};
pub use upgrade::{MAX_ANSWER_BYTES, Refused, Upgrade};
