//! Attaches to a running JVM through the JVM's own socket.
//!
//! ```no_run
//! use tacho_attach::Jvm;
//!
//! let jvm = Jvm::attach(4711)?;
//! println!("{}", jvm.jcmd("VM.version")?);
//! jvm.load_java_agent("/tmp/agent.jar".as_ref(), "arguments")?;
//! jvm.load_native_agent("/tmp/libasyncProfiler.so".as_ref(), "start,event=ctimer")?;
//! # Ok::<(), tacho_attach::AttachError>(())
//! ```
//!
//! HotSpot's attach mechanism, the one of its own tools (`jcmd`, `jstack`), which only a JDK
//! contains:
//!
//! ```text
//! who     /proc/PID: is it a HotSpot JVM, whose is it, does it listen to SIGQUIT? (target, program)
//! wake    .attach_pidN in its folder, SIGQUIT; the JVM makes /tmp/.java_pidN      (trigger)
//! ask     "1" command and three arguments, each ended by a NUL; one a connection  (socket)
//! answer  a number, a line feed, text until the end                               (answer)
//! ```
//! The protocol is version 1, which every HotSpot from JDK 6 on speaks. A JVM in a container is
//! reached through `/proc/PID/root`, and N is its number in there. Only the same user is let in
//! (root is let in as that user).

#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used))]

mod answer;
mod error;
mod jvm;
mod program;
mod socket;
mod target;
mod trigger;

pub use answer::{Answer, AnswerError, read_answer};
pub use error::AttachError;
pub use jvm::{Jvm, release};
pub use program::Program;
// For `fuzz/`.
#[doc(hidden)]
pub use {jvm::read_properties, program::section_names, target::forbids_attaching};
