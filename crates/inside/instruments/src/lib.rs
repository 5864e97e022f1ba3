//! Runs one instrument for a limited time in a JVM that is already running: a sampler, a trace, a
//! watch or a counter.
//!
//! ```text
//! window    the agent put in, waited for and taken out: what all but a profile do
//! count     calls by key, outcome and stack
//! trace     methods, and level by level what costs most in them
//! watch     calls one by one, as they come
//! profile   a sampler for a time --> ledgers
//! near      what there is of like names, where nothing matches
//! own       the application's own packages, from what the JVM was started with
//! ```
//! Every instrument takes a flag that ends it early. The result is what was seen until then.

#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used))]

mod count;
mod error;
mod near;
mod own;
mod profile;
mod search;
mod trace;
mod watch;
mod window;

pub use count::count;
pub use error::InstrumentError;
pub use profile::folder::OutFolder;
pub use profile::guard::{COMMAND as GUARD, guard};
pub use profile::sampler::period;
pub use profile::{Profile, Profiled, profile};
pub use trace::{Shown, Trace, trace};
pub use watch::{Seen, watch};
pub use window::Target;
