//! Carries out an experiment: prepares the variants, launches them one at a time in the planned
//! order, loads and observes them, and writes the run folder as it happens.
//!
//! ```text
//! run::run
//!   making::Making     build commands, variants, training launches (workshop, scout)
//!   turns::Turns       the one loop over all launches
//!   session            the life of a launch: start -> ready -> load -> end; every launch below stands on it
//!   settle             ends a settle phase when its throughput is steady
//!   launching::Bench   a measured launch: warmed (warming), loaded with all phases, recorded
//!   duet               two measured launches at the same time, each on its half of the machine
//!   company            what the subject needs beside it, started and ended with run or launch
//!   pods               further processes of a launch, to which the requests go in turn
//!   diagnosing         one more launch of each JVM, with instruments: counts in no figure
//!   dissecting         a launch in windows of a known number of requests, each with one instrument: for `tacho diagnose`
//!   reader             which JDK reads recordings
//! orders             the launches of a run as another process can carry them out
//! fitting::fit        a run for each limit that `tacho fit` tries
//! imaging::image     one variant made and put into an OCI image (`tacho image`)
//! comparing          two builds: which, what is looked into next, what can be switched
//! service            warms a service that runs already (`tacho warm`); reachable: who is there
//! inherited          flags that JVMs get from the environment of Tacho
//! longest            the longest that the load of a launch may take
//! preflight          what a run would meet, before anything is started (`--dry-run`)
//! doctor             what this machine can and cannot do
//! ```

#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used))]

mod answers;
mod company;
mod comparing;
mod diagnosing;
mod dissecting;
pub mod doctor;
mod duet;
mod error;
mod event;
mod fitting;
mod imaging;
mod inherited;
mod launching;
mod limits;
mod longest;
mod making;
mod orders;
mod pods;
mod preflight;
mod processors;
mod proof;
mod reachable;
mod reader;
mod requests;
mod run;
mod scout;
mod service;
mod session;
mod settle;
mod stop;
#[cfg(test)]
mod testkit;
#[cfg(test)]
mod tests;
mod turns;
mod warming;
mod workshop;

#[doc(hidden)]
pub use answers::{compare_answers, missing_metadata};
pub use comparing::{
    BuildsError, Compared, InferredLoad, Looking, Revertible, Seen, Switch, Told, Wanted, Whose,
};
pub use dissecting::DissectSpec;
pub use duet::{DuetError, duet};
pub use error::RunError;
pub use event::{Event, Left, Listener, Silent};
pub use fitting::{Known, fit, new_fit_folder, to_fit};
pub use imaging::{ImageSpec, Imaged, image};
pub use limits::{seen as limits_seen, update as count_limits};
pub use longest::longest;
pub use making::{Fate, impossible};
pub use orders::{Carrier, Orders, carry_out};
pub use preflight::{LoadTime, Preflight, RunTime, START, limits_can_be_given, preflight};
pub use run::{Dissect, Ran, RunSpec, new_folder_of_stored, run};
pub use service::{Service, Warmth};
pub use session::{
    End, Observation, Observer, Readiness, Site, SiteError, StartSpec, Subject, failed,
};
pub use settle::SettleWatch;
pub use stop::Stop;
pub use tacho_subject::Surroundings;
pub use turns::Enough;
pub use warming::Settling;
