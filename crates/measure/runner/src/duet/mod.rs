//! Two launches at the same time, each on processors of its own: `docs/decisions/0019-duet.md`.
//!
//! ```text
//! planned   whether this experiment can be a duet on this machine, and how
//! meeting   where one side waits for the other
//! pair      both sides, lived on two threads that each stay on their half of the machine
//! ```

mod meeting;
mod pair;
mod planned;

pub use meeting::Side;
pub use pair::{Seat, both};
pub use planned::{DuetError, duet, note};
