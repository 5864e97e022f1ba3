//! `tacho profile`, `trace`, `watch`, `exceptions`, `classes`: one instrument alone, on a running JVM.
//!
//! ```text
//! window   attach, own packages, wait, take out and check        -- what all of them do
//! table    counts by key, outcome and owner --> rows             exceptions, classes
//! profile  a sampler for a time --> stacks, tables, exports          profile
//! tree     traced methods --> a tree; which of its leaves next   trace
//! ```

pub mod arguments;
mod own;
mod profile;
mod table;
mod trace;
mod tree;
mod watch;
mod window;

pub use profile::{guard, profile};
pub use table::{classes, exceptions};
pub use trace::trace;
pub use watch::watch;
