//! Several workers as one engine.

mod link;
pub mod local;
mod member;
pub mod remote;
mod shown;

pub use link::{AllHeard, Heard, Link};
pub use member::Member;

use crate::merge::{Finished, MergeError, Sums, add_slowest, add_to_log, merge_first, merged};
use crate::message::{Order, Report, VERSION};
use member::Stage;
use shown::Shown;
use std::fs::File;
use std::io;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::sync::mpsc::RecvTimeoutError;
use std::time::Duration;
use tacho_clock::{Anchor, MILLISECOND, monotonic_ns};
use tacho_load::recorder::{Files, Live, SINGLE_REQUESTS};
use tacho_load::{Control, Engine, LoadError};
use tacho_run_folder::{PhaseKind, PhasePlan, PhaseRecord};

/// From the moment at which the last worker has opened its connections to the instant that is named
/// to all: longer than an order takes, also on a busy machine.
const LEAD_NS: u64 = 50 * MILLISECOND;

/// What the user wishes is passed on at least this often.
const LOOK_EVERY: Duration = Duration::from_millis(20);

/// Why a load by several workers did not begin.
#[derive(Debug, thiserror::Error)]
pub enum FleetError {
    /// A worker could not be started.
    #[error("worker {worker} could not be started: {source}")]
    Start {
        /// Its number, from 1.
        worker: u32,
        /// Why the system refused.
        source: io::Error,
    },
    /// A worker ended before it was ready.
    #[error("worker {worker} did not become ready: {message}")]
    NotReady {
        /// Its number, from 1.
        worker: u32,
        /// What it said, or how it ended.
        message: String,
    },
    /// What they recorded could not be put together.
    #[error(transparent)]
    Merge(#[from] MergeError),
}

/// Several workers as one engine: each has its share of a phase, and there is one record of it.
#[derive(Debug)]
pub struct Fleet {
    members: Vec<Member>,
    heard: AllHeard,
    anchor: Anchor,
    control: Control,
    files: Files,
    histograms: File,
    slowest: File,
    phases_merged: u32,
    kinds: Vec<String>,
    shown: Shown,
    /// So many requests are kept one by one.
    singles: usize,
    is_stopped: bool,
    is_enough: bool,
}

impl Fleet {
    /// Waits until all are ready. What they record comes together in `files`.
    ///
    /// # Errors
    /// When one does not become ready, or the common files cannot be made.
    pub fn gather(
        members: Vec<Member>,
        heard: AllHeard,
        files: Files,
        control: Control,
    ) -> Result<Self, FleetError> {
        let mut fleet = Self {
            members,
            heard,
            anchor: Anchor::now(),
            control,
            histograms: create(&files.histograms)?,
            slowest: create(&files.slowest)?,
            files,
            phases_merged: 0,
            kinds: Vec::new(),
            shown: Shown::default(),
            singles: SINGLE_REQUESTS,
            is_stopped: false,
            is_enough: false,
        };
        let begin = Order::Begin {
            version: VERSION,
            monotonic_ns: fleet.anchor.monotonic_ns,
            realtime_ns: fleet.anchor.realtime_ns,
        };
        fleet.tell_all(&begin);
        let waits = |member: &Member| member.stage == Stage::Starting;
        let listened = fleet.listen(waits);
        let lost = fleet.members.iter().zip(1..).find_map(|(member, worker)| {
            let message = member.lost.clone()?;
            Some(FleetError::NotReady { worker, message })
        });
        match (lost, listened) {
            (Some(lost), _) => Err(lost),
            (None, Err(LoadError::Worker { worker, message })) => {
                Err(FleetError::NotReady { worker, message })
            }
            _ => Ok(fleet),
        }
    }

    /// Keeps so many requests one by one, in place of [`SINGLE_REQUESTS`], of workers that do.
    #[must_use]
    pub fn keeping_singles(mut self, most: usize) -> Self {
        self.singles = most;
        self
    }

    /// What instants count from.
    #[must_use]
    pub fn anchor(&self) -> Anchor {
        self.anchor
    }

    /// What is shown while they send.
    #[must_use]
    pub fn live(&self) -> Arc<Live> {
        self.shown.live()
    }

    /// Those that were lost, with their numbers from 1 and the reasons.
    #[must_use]
    pub fn lost(&self) -> Vec<(u32, String)> {
        let members = self.members.iter().zip(1..);
        members
            .filter_map(|(member, worker)| Some((worker, member.lost.clone()?)))
            .collect()
    }

    /// So well the clocks of the workers are known, at the worst: 0 where all have the terminal's.
    #[must_use]
    pub fn clocks_within_ns(&self) -> u64 {
        let within = self.members.iter().map(|m| m.link.clock_within_ns());
        within.max().unwrap_or(0)
    }

    /// Ends all workers and writes what is written at the end.
    ///
    /// # Errors
    /// When the common file of the first requests cannot be written.
    pub fn finish(mut self) -> Result<(), FleetError> {
        self.tell_all(&Order::End);
        let mut rows = Vec::new();
        for member in &mut self.members {
            if member.lost.is_none() {
                member.link.ended();
            }
            let below = member.lost_in.unwrap_or(u32::MAX);
            // A worker that was lost in the first phase has no rows that count, and perhaps no
            // file.
            if below > 0 {
                rows.push((member.files.requests.clone(), below));
            }
        }
        Ok(merge_first(&rows, self.singles, &self.files.requests)?)
    }

    fn tell_all(&mut self, order: &Order) {
        // A worker that takes no orders any more is noticed later, when it reports nothing.
        for member in self.members.iter_mut().filter(|m| m.lost.is_none()) {
            let _ = member.link.send(order);
        }
    }

    /// Listens while somebody is waited for.
    fn listen(&mut self, waits: impl Fn(&Member) -> bool) -> Result<(), LoadError> {
        while self.members.iter().any(&waits) {
            self.pass_on_wishes();
            match self.heard.recv_timeout(LOOK_EVERY) {
                Ok((index, heard)) => self.take(index, heard)?,
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => {
                    for index in 0..self.members.len() {
                        self.lose(index);
                    }
                }
            }
        }
        Ok(())
    }

    fn pass_on_wishes(&mut self) {
        if !self.is_stopped && self.control.is_stopped() {
            self.stop();
        }
        if !self.is_enough && self.control.enough.load(Ordering::Relaxed) {
            self.is_enough = true;
            self.tell_all(&Order::Enough);
        }
    }

    fn stop(&mut self) {
        self.is_stopped = true;
        self.tell_all(&Order::Stop);
    }

    /// A worker was lost. Without it the load is not what was asked for, so the others are ended
    /// too.
    fn lose(&mut self, index: usize) {
        self.members[index].lose();
        if !self.is_stopped {
            self.stop();
        }
    }

    fn take(&mut self, index: usize, heard: Heard) -> Result<(), LoadError> {
        let worker = index as u32 + 1;
        let member = &mut self.members[index];
        match heard {
            Heard::Nothing => {
                if member.lost.is_none() {
                    self.lose(index);
                }
            }
            Heard::Report(Report::Ready { kinds, .. }) => {
                member.stage = Stage::Idle;
                self.kinds = kinds;
            }
            Heard::Report(Report::Opened) => member.stage = Stage::Opened,
            Heard::Report(Report::Counts {
                intended,
                answered,
                failed,
                in_flight,
            }) => {
                member.counts = [intended, answered, failed, in_flight];
                self.count();
            }
            Heard::Report(Report::Second(second)) => {
                if let Some(second) = second.read() {
                    self.shown.take(second);
                }
            }
            Heard::Report(Report::Phase {
                record,
                began_ns,
                first_intended_ns,
                last_end_ns,
                trouble,
            }) => {
                member.trouble = trouble;
                member.finished = Some(Finished {
                    worker,
                    record: *record,
                    began_ns,
                    first_intended_ns,
                    last_end_ns,
                });
                member.stage = Stage::Idle;
            }
            Heard::Report(Report::Failed { message }) => {
                return Err(LoadError::Worker { worker, message });
            }
        }
        Ok(())
    }

    /// Shows the counters of all as those of one.
    fn count(&self) {
        let sum = |of: usize| self.members.iter().map(|m| m.counts[of]).sum::<u64>();
        let control = &self.control;
        control.intended.store(sum(0), Ordering::Relaxed);
        control.answered.store(sum(1), Ordering::Relaxed);
        control.failed.store(sum(2), Ordering::Relaxed);
        control.in_flight.store(sum(3), Ordering::Relaxed);
    }

    /// Adds up what those recorded who came to the end of the phase.
    fn merge(
        &mut self,
        index: u32,
        plan: &PhasePlan,
        start_ns: Option<u64>,
    ) -> Result<Option<PhaseRecord>, MergeError> {
        let (mut sums, mut rows, mut parts) = (Sums::default(), Vec::new(), Vec::new());
        let mut lost = Vec::new();
        for (member, worker) in self.members.iter_mut().zip(1..) {
            match (member.finished.take(), &member.lost) {
                (Some(finished), None) => {
                    member.histograms.read_on(|line| sums.take(line))?;
                    rows.extend(member.slowest.read_on()?);
                    parts.push(finished);
                }
                (_, Some(why)) if member.is_asked => {
                    member.lost_in = Some(index);
                    lost.push((worker, why.clone()));
                }
                _ => {}
            }
        }
        let is_first = self.phases_merged == 0;
        self.phases_merged += 1;
        add_to_log(
            &sums,
            self.anchor,
            is_first,
            &self.files.histograms,
            &mut self.histograms,
        )?;
        add_slowest(rows, is_first, &self.files.slowest, &mut self.slowest)?;
        if sums.unreadable > 0 {
            let lines = sums.unreadable;
            let trouble = format!("{lines} lines of the workers' histograms could not be read");
            if let Some(first) = self.members.first_mut() {
                first.trouble.push(trouble);
            }
        }
        Ok(merged(plan, &parts, &sums, start_ns, &lost))
    }
}

impl Engine for Fleet {
    fn run(&mut self, index: u32, plan: &PhasePlan) -> Result<PhaseRecord, LoadError> {
        self.is_enough = false;
        if matches!(plan.kind, PhaseKind::Settle { .. }) {
            self.control.enough.store(false, Ordering::Relaxed);
        }
        let of = taking_part(&plan.kind, self.members.len() as u32);
        self.shown.begin(index, &plan.label, of as usize);
        for (member, nth) in self.members.iter_mut().zip(0..) {
            member.is_asked = nth < of;
            if member.is_asked && member.lost.is_none() {
                member.stage = Stage::Opening;
                let _ = member.link.send(&Order::Run {
                    index,
                    phase: plan.clone(),
                    nth,
                    of,
                });
            }
        }
        self.listen(|member| member.stage == Stage::Opening)?;
        let mut start_ns = None;
        if self.members.iter().any(|m| m.stage == Stage::Opened) {
            let farther_ns = self.members.iter().map(|m| m.link.lead_ns()).max();
            let at_ns = monotonic_ns() + LEAD_NS + farther_ns.unwrap_or(0);
            start_ns = Some(at_ns);
            self.shown.live().start_clock(at_ns);
            for member in &mut self.members {
                if member.stage == Stage::Opened {
                    member.stage = Stage::Sending;
                    let _ = member.link.send(&Order::Start { at_ns });
                }
            }
        }
        self.listen(|member| matches!(member.stage, Stage::Sending | Stage::Opened))?;
        self.shown.end();
        let record = self
            .merge(index, plan, start_ns)
            .map_err(|error| LoadError::Apart(error.to_string()))?;
        if let Some(record) = record {
            self.control
                .unanswered
                .store(record.unanswered, Ordering::Relaxed);
            return Ok(record);
        }
        let (worker, message) = self
            .lost()
            .into_iter()
            .next()
            .unwrap_or_else(|| (1, "no worker has a part in this phase".to_owned()));
        Err(LoadError::Worker { worker, message })
    }

    fn kinds(&self) -> Vec<String> {
        self.kinds.clone()
    }

    fn trouble(&self) -> Vec<String> {
        let mut trouble = Vec::new();
        for said in self.members.iter().flat_map(|member| &member.trouble) {
            if !trouble.contains(said) {
                trouble.push(said.clone());
            }
        }
        trouble
    }
}

fn create(path: &Path) -> Result<File, MergeError> {
    tacho_files::create(path).map_err(MergeError::file(path))
}

/// How many of the workers have anything to do in a phase: each has a connection and a request of
/// its own at least. The first requests of a service, and a rest, are one worker's.
fn taking_part(kind: &PhaseKind, workers: u32) -> u32 {
    let at_most = match kind {
        PhaseKind::Cold { .. } | PhaseKind::Rest { .. } => 1,
        PhaseKind::Closed {
            requests: Some(requests),
            connections,
            ..
        } => u32::try_from(*requests)
            .unwrap_or(u32::MAX)
            .min(*connections),
        kind => kind.connections(),
    };
    workers.min(at_most).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_would_have_nothing_to_do_takes_no_part() {
        let closed = |requests, connections| PhaseKind::Closed {
            requests,
            duration_s: Some(1.0),
            connections,
            ramp_s: 0.0,
            think: None,
        };
        assert_eq!(taking_part(&PhaseKind::Cold { requests: 5 }, 8), 1);
        assert_eq!(taking_part(&PhaseKind::Rest { duration_s: 1.0 }, 8), 1);
        assert_eq!(taking_part(&closed(Some(3), 64), 8), 3);
        assert_eq!(taking_part(&closed(None, 4), 8), 4);
        assert_eq!(taking_part(&closed(None, 64), 8), 8);
    }
}
