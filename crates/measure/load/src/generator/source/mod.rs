//! What a lane sends next: the seam between the loop and what is sent.

mod listed;
mod scripted;
mod streamed;
mod targets;
mod watched;

pub use listed::Listed;
pub use scripted::{Scripted, ScriptedError};
pub use streamed::{Streamed, StreamedRequest, Streaming};
pub use targets::{TargetsError, replace_headers, targets};
pub use watched::{Seen, Watch, Watched};

use crate::part::Part;
use crate::request::Rendered;
use crate::transport::{Ended, Fault, Lane};
use std::fmt::Debug;
use std::sync::Arc;

/// Where requests come from. An *iteration* is what the schedule asks for: one request, or the
/// first of several steps that a virtual user takes one after another.
pub trait Source: Debug + Send {
    /// Names of all kinds of request; the index is that in the records. There are never more of
    /// them later.
    fn kinds(&self) -> &[String];

    /// False when the names of some come only while the load goes on, with the first request of the
    /// kind; empty until then.
    fn kinds_are_known(&self) -> bool {
        true
    }

    /// Kind of the first request of iteration `n`.
    fn first_kind(&self, phase: u32, n: u64) -> u32;

    /// False while the next request has not arrived yet, as on a stream.
    fn is_ready(&mut self) -> bool {
        true
    }

    /// Iteration `n` of a phase begins on a lane that carries nothing.
    fn begin(&mut self, lane: Lane, phase: u32, n: u64) -> Begun;

    /// This generator has a part only in the iterations of the phases that follow, and will begin
    /// those alone.
    fn set_part(&mut self, _part: Part) {}

    /// To be called before the clock of a phase starts. An error is a text for people.
    fn start_phase(&mut self, _phase: u32) -> Result<(), String> {
        Ok(())
    }

    /// Whether somebody said which status is right, or has redirects followed. Else a redirect is
    /// hardly what is meant to be measured.
    fn expects_status(&self) -> bool {
        false
    }

    /// What went wrong with the source itself, for people.
    fn trouble(&self) -> Vec<String> {
        Vec::new()
    }

    /// The request of a later step, made when its user has thought.
    fn step(&mut self, _lane: Lane, _kind: u32) -> Begun {
        Begun::Exhausted
    }

    /// True when answers have to be shown to [`Source::answered`].
    fn is_conversational(&self) -> bool {
        false
    }

    /// What follows from an answer. It may also mark a status of 400 or above as accepted.
    fn answered(&mut self, _lane: Lane, _kind: u32, _ended: &mut Ended) -> Next {
        Next::Done
    }
}

/// How an iteration begins.
#[derive(Debug)]
pub enum Begun {
    /// With this request.
    Send(u32, Arc<Rendered>),
    /// It could not be made; counted under the fault's name.
    Failed(u32, Fault, String),
    /// There is nothing left to send.
    Exhausted,
}

/// What follows an answer.
#[derive(Debug)]
pub enum Next {
    /// The iteration is over.
    Done,
    /// The iteration is over, and a user who begins another one thinks for this many nanoseconds
    /// before.
    DoneAndThink(u64),
    /// A step of this kind, after this many nanoseconds.
    Then(u32, u64),
    /// The same request goes on elsewhere: its answer is the one that counts.
    Redirected(Arc<Rendered>),
    /// The answer is not what it must be, and the iteration is over.
    Failed(Fault, String),
}
