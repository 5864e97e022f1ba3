//! Files and texts of a process that is not trusted.
//!
//! Tacho runs as root beside services of other users and containers. They control their part of the
//! file system: a name can become a link, a pipe or another folder at any instant. So four rules
//! hold for all access to it:
//!
//! ```text
//! Root, Folder   names are resolved below a descriptor, by openat2(2) with RESOLVE_IN_ROOT and
//!                RESOLVE_NO_MAGICLINKS: no link of theirs leads out of their tree
//! Identity       the work is done as their user, without capabilities and without our
//!                supplementary groups: what they may not do, we do not do for them
//! regular        only regular files are read, never more than a bound, and nothing blocks
//! visible        what it says is shown without the characters that a terminal would obey
//! ```
//! `docs/decisions/0012-untrusted-processes.md` says why each of them is needed.

#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used))]

mod folder;
mod identity;
mod regular;
mod root;
mod words;

pub use folder::{Folder, unique};
pub use identity::Identity;
pub use root::Root;
pub use words::{is_command, one_line, visible, visible_with_colours};
