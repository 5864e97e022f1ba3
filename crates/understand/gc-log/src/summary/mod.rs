//! The fold from events to what they add up to, in memory that does not grow with the log.

mod ages;
mod clock;
mod heap;
mod model;
mod numbers;
mod over_time;
mod settings;
mod shenandoah;
mod stops;
mod tally;

pub use model::{
    AgeBytes, Ages, Allocation, Bucket, CauseTotal, CpuTime, FORMAT, GcSummary, Heap, HistogramBar,
    Humongous, KindTotal, LineOrder, LiveSet, LiveSource, NamedCount, NamedTotal, OtherStops,
    Pauses, Promotion, Safepoints, Settings, Stalls, Time,
};

use crate::cause::Cause;
use crate::event::{
    Cycle, CyclePart, Event, Failure, Generation, HeapChange, Pause, PauseKind, Setting, Stall,
    What,
};
use crate::lines::Lines;
use ages::AgesFold;
use clock::Clock;
use heap::HeapFold;
use numbers::Numbers;
use over_time::OverTime;
use settings::SettingsFold;
use shenandoah::{CycleInParts, Ended};
use stops::Stops;
use tally::{Causes, Kinds, Names};

/// Takes events, in the order of the log, and adds them up.
///
/// Known by its size: a few histograms, at most 100 names of each kind, and 4,096 stretches of
/// time.
#[derive(Debug, Default)]
pub struct Summary {
    clock: Clock,
    numbers: Numbers,
    settings: SettingsFold,
    kinds: Kinds,
    causes: Causes,
    cycles: Causes,
    concurrent: Names,
    cycle_time: u64,
    timed_cycles: u64,
    steps_in_cycles: u64,
    heap: HeapFold,
    in_parts: CycleInParts,
    stalls: Stalls,
    failures: Vec<NamedCount>,
    out_of_memory: Option<String>,
    cpu: Option<CpuTime>,
    /// The collection of the concurrent phase that was told last. CMS tells the processor time of a
    /// phase behind it, as that of a pause.
    phase: Option<u64>,
    stops: Stops,
    ages: AgesFold,
    over_time: OverTime,
    longest: (u64, Option<u64>),
    humongous_collections: u64,
    /// See [`GcSummary`].
    asked_for: u64,
    forced_full: u64,
}

impl Summary {
    /// Takes the next event.
    pub fn take(&mut self, event: &Event<'_>) {
        let _ = self.place(event);
    }

    /// Takes the next event; returns its instant on the axis of the log, in nanoseconds since its
    /// first line.
    pub(crate) fn place(&mut self, event: &Event<'_>) -> Option<u64> {
        if self.numbers.fall(event) {
            self.clock.restart();
        }
        let restarts = self.clock.restarts;
        let mut now = self.clock.take(event.at);
        if self.clock.restarts > restarts {
            self.numbers = Numbers::begin(event);
            self.heap.restart();
        }
        if let What::Pause(pause) = event.what {
            // Before JDK 9 the log begins with the instant at which the pause does.
            let is_first_line = now.is_some_and(|now| now <= pause.duration);
            let uptime = event.at.uptime;
            let began = uptime.map(|end| end.saturating_sub(pause.duration));
            self.heap.first_collection(began, is_first_line);
            now = now.map(|now| self.clock.cover(pause.duration, now));
        }
        match event.what {
            What::Pause(pause) => self.pause(event.collection, &pause, now),
            What::Cycle(cycle) => self.cycle(event.collection, &cycle, now),
            What::Concurrent(phase) => {
                self.phase = event.collection;
                self.concurrent.add(phase.name, phase.duration);
                if let Some(ended) = self.in_parts.phase(&phase) {
                    self.ended(&ended);
                }
                if phase.part == CyclePart::Ends {
                    self.cycles.add("Concurrent cycle", None, 0);
                }
                if let Some(heap) = phase.heap {
                    self.heap.concurrent(event.collection, &heap);
                    self.over_time.heap(now, &heap);
                }
            }
            What::Space(space) => self.heap.space(event.collection, &space),
            What::Live { generation, bytes } => self.heap.live(generation, bytes),
            // What the old generation got is promoted, not allocated.
            What::Allocated {
                generation: Generation::Old,
                ..
            }
            | What::Instant => {}
            What::Allocated { bytes, .. } => self.heap.allocated_in_cycle(bytes),
            What::YoungUsed { before, after } => {
                self.heap.young_used(event.collection, before, after);
            }
            What::Age { age, bytes } => self.ages.age(age, bytes),
            What::Tenuring {
                desired,
                threshold,
                most,
            } => self.ages.tenuring(desired, threshold, most),
            What::Promoted(bytes) => self.heap.promoted(bytes),
            What::Capacity(bytes) => {
                self.heap.capacity(bytes);
                self.over_time.capacity(now, bytes);
            }
            What::Stall(stall) => self.stall(&stall, now),
            What::Trigger(reason) => self.in_parts.trigger(reason),
            What::Failure(failure) => self.fail(failure),
            What::OutOfMemory(what) => {
                self.fail(Failure::of_error(what));
                self.out_of_memory.get_or_insert_with(|| tally::kept(what));
            }
            What::Used { used, capacity } => {
                let heap = HeapChange {
                    before: used,
                    after: used,
                    capacity: Some(capacity),
                };
                self.heap.used(&heap);
                self.over_time.heap(now, &heap);
            }
            What::Cpu { user, system, real } => {
                if !self.ends_phase(event.collection) {
                    let sum = self.cpu.get_or_insert_default();
                    sum.add(user, system, real);
                }
            }
            What::SafepointBegins(name) => self.stops.begin(name),
            What::Safepoint(safepoint) => self.stops.end(&safepoint, now),
            What::Setting(setting) => {
                // A JVM before version 9 writes this when it begins, and at the head of each file
                // of a rotation; its collections have no numbers.
                if matches!(setting, Setting::Version(_)) {
                    self.heap.may_begin();
                }
                self.settings.take(setting);
            }
        }
        now
    }

    fn fail(&mut self, name: Failure) {
        match self.failures.iter_mut().find(|known| known.name == name) {
            Some(known) => known.count += 1,
            None => self.failures.push(NamedCount { name, count: 1 }),
        }
    }

    /// Whether the processor time of a collection is that of its concurrent phase: beside the
    /// program it waits for whatever it likes, and starves of nothing.
    fn ends_phase(&mut self, collection: Option<u64>) -> bool {
        let of_phase = self.phase.take_if(|phase| Some(*phase) == collection);
        of_phase.is_some()
    }

    fn pause(&mut self, collection: Option<u64>, pause: &Pause<'_>, now: Option<u64>) {
        // What is told of the collection from here on is of its pause.
        let _ = self.ends_phase(collection);
        self.kinds.add(pause);
        self.stops.pause(pause.duration);
        self.causes.add(pause.name, pause.cause, pause.duration);
        if pause.duration >= self.longest.0 {
            self.longest = (pause.duration, now);
        }
        if pause.evacuation_failed {
            self.fail(Failure::Evacuation);
        }
        if pause.kind == PauseKind::Degenerated {
            self.fail(Failure::Degenerated);
        }
        if pause.kind.is_last_resort()
            && let Some(ended) = self.in_parts.interrupted()
        {
            self.ended(&ended);
        }
        if pause.kind == PauseKind::Step {
            self.steps_in_cycles += pause.duration;
        }
        self.forced_full += u64::from(pause.kind == PauseKind::Full && !asks(pause.cause));
        self.asked_for += u64::from(asks(pause.cause));
        self.humongous_collections += u64::from(pause.cause == Some("G1 Humongous Allocation"));
        self.heap.pause(collection, pause);
        self.over_time.pause(now, pause);
    }

    fn cycle(&mut self, collection: Option<u64>, cycle: &Cycle<'_>, now: Option<u64>) {
        self.asked_for += u64::from(asks(cycle.cause));
        self.cycles
            .add(cycle.name, cycle.cause, cycle.duration.unwrap_or(0));
        if cycle.aborted {
            self.fail(Failure::CycleAborted);
        }
        if let Some(duration) = cycle.duration {
            self.cycle_time += duration;
            self.timed_cycles += 1;
        }
        if let Some(heap) = cycle.heap {
            self.heap.cycle(collection, cycle, &heap);
            self.over_time.heap(now, &heap);
        }
    }

    fn ended(&mut self, cycle: &Ended) {
        self.cycles
            .add("Concurrent cycle", cycle.cause.as_deref(), 0);
        match cycle.left {
            Some(bytes) => self.heap.left_by_cycle(cycle.generation, bytes),
            // A young cycle came between and another one goes on with it, or all is marked.
            None if cycle.generation == Generation::Old => {}
            None => self.fail(Failure::CycleAborted),
        }
    }

    fn stall(&mut self, stall: &Stall<'_>, now: Option<u64>) {
        self.stalls.count += 1;
        self.stalls.total_s += seconds(stall.duration);
        self.stalls.max_ms = self.stalls.max_ms.max(milliseconds(stall.duration));
        self.over_time.stall(now, stall.duration);
    }

    /// Which generation the cycle of Shenandoah under way frees.
    pub(crate) fn frees(&self) -> Generation {
        self.in_parts.generation()
    }

    /// What it all adds up to.
    #[must_use]
    pub fn finish(mut self, files: Vec<String>, lines: Lines) -> GcSummary {
        if let Some(ended) = self.in_parts.end() {
            self.ended(&ended);
        }
        if self.clock.order() != LineOrder::Forward {
            self.forget_what_follows();
        }
        let duration = self.clock.duration();
        let (over_time, bucket_s) = self.over_time.finish();
        let settings = std::mem::take(&mut self.settings).finish();
        let collections = self.kinds.collections() + self.cycles.count();
        let mut notes = Vec::new();
        let pauses = self.pauses(duration);
        self.note(&lines, &settings, &pauses, &mut notes);
        // What was allocated before the first line took the time before it.
        let allocating = duration.map(|ns| ns.saturating_add(self.heap.before_first_line()));
        let per_second = |bytes: u64| {
            duration
                .filter(|ns| *ns > 0)
                .map(|ns| bytes as f64 / seconds(ns))
        };
        GcSummary {
            tacho: FORMAT,
            files,
            lines,
            time: self.clock.finish(),
            collections,
            asked_for: self.asked_for,
            forced_full: self.forced_full,
            pauses,
            concurrent_s: self.concurrent_time().map(seconds),
            cycles: self.cycles.finish(),
            allocation: self.heap.allocation(|bytes| {
                allocating
                    .filter(|ns| *ns > 0)
                    .map(|ns| bytes as f64 / seconds(ns))
            }),
            promotion: self.heap.promotion(settings.region_bytes, per_second),
            humongous: self
                .heap
                .humongous(settings.region_bytes, self.humongous_collections),
            metaspace_bytes: self.heap.metaspace(),
            heap: self.heap.finish(settled(&over_time)),
            stalls: self.stalls,
            failures: self.failures.clone(),
            out_of_memory: self.out_of_memory.take(),
            cpu: self.cpu.take(),
            safepoints: self.stops.finish(),
            ages: self.ages.finish(),
            concurrent_phases: self.concurrent.totals(),
            over_time,
            bucket_s,
            settings,
            notes,
        }
    }

    /// Drops everything that compares a line with the one before it, because the lines are not in
    /// order.
    fn forget_what_follows(&mut self) {
        self.heap = self.heap.extremes();
        self.over_time = OverTime::default();
        self.longest.1 = None;
        self.stops = Stops::default();
        self.ages = AgesFold::default();
    }

    fn pauses(&self, duration: Option<u64>) -> Pauses {
        let total = self.kinds.total();
        Pauses {
            count: self.kinds.count(),
            total_s: seconds(total),
            share: duration
                .filter(|ns| *ns > 0 && self.clock.order() != LineOrder::Mixed)
                .map(|ns| total as f64 / ns as f64),
            quantiles_ms: self.kinds.quantiles(),
            histogram: self.kinds.histogram(),
            longest_at_s: self.longest.1.map(seconds),
            by_kind: self.kinds.finish(),
            by_cause: self.causes.finish(),
        }
    }

    /// Cycles of G1 contain pauses, which are not concurrent.
    fn concurrent_time(&self) -> Option<u64> {
        if self.timed_cycles > 0 {
            Some(self.cycle_time.saturating_sub(self.steps_in_cycles))
        } else {
            (!self.concurrent.is_empty()).then(|| self.concurrent.total())
        }
    }

    fn note(&self, lines: &Lines, settings: &Settings, pauses: &Pauses, notes: &mut Vec<String>) {
        for foreign in &lines.foreign {
            notes.push(format!(
                "Among the lines is {}, which is not read.",
                foreign.in_words()
            ));
        }
        // What is no log has none of what a log should have.
        if !lines.foreign.is_empty() && self.kinds.collections() + self.cycles.count() == 0 {
            return;
        }
        if pauses.count == 0 && self.cycles.count() > 0 {
            notes.push(
                "This log has concurrent cycles but no pauses: ZGC writes them under gc,phases. Log with -Xlog:gc* to have them."
                    .to_owned(),
            );
        }
        if self.clock.duration().is_none() && lines.events > 0 {
            notes.push(
                "The lines have no instant, so that there are no shares of time, no rates and no curves. Log with the decoration uptime."
                    .to_owned(),
            );
        }
        match self.clock.order() {
            LineOrder::Forward => {}
            LineOrder::Backward => notes.push(
                "The newest line comes first. Pauses are added up; how the heap went is not told. Turn the lines round: `tac FILE | tacho gc -`."
                    .to_owned(),
            ),
            LineOrder::Mixed => notes.push(format!(
                "Lines of {} are mixed. Their pauses are added up; heap, allocation and shares of time are not told. Read one at a time, by what its lines have in common: `grep -F POD FILE | tacho gc -`.",
                match self.clock.jvms() {
                    0 | 1 => "several JVMs".to_owned(),
                    n => format!("{n} JVMs"),
                }
            )),
        }
        if self.clock.order() == LineOrder::Forward && self.clock.restarts > 0 {
            notes.push(format!(
                "Another JVM begins {} in this log. Times add up; settings are those of the last one.",
                match self.clock.restarts {
                    1 => "once".to_owned(),
                    n => format!("{n} times"),
                }
            ));
        }
        if lines.unknown > 0 {
            let (were, are) = match lines.unknown {
                1 => ("was", "is"),
                _ => ("were", "are"),
            };
            notes.push(format!(
                "{} of {} lines of garbage collection with figures {were} not understood and {are} missing in these numbers.",
                lines.unknown,
                lines.unknown + lines.events
            ));
        }
        if lines.dropped > 0 {
            notes.push(format!(
                "The JVM dropped {} of its log, and any number of collections may be missing in these numbers. Log without -Xlog:async, or with a larger -XX:AsyncLogBufferSize (2 MiB unless set).",
                match lines.dropped {
                    1 => "1 message".to_owned(),
                    n => format!("{n} messages"),
                }
            ));
        }
        if lines.cut_off > 0 {
            notes.push(
                "The log ends in the middle of a line: it was cut off, or is still being written."
                    .to_owned(),
            );
        }
        if lines.too_long > 0 {
            notes.push(match lines.too_long {
                1 => "1 line is longer than 64 KiB; its beginning was read.".to_owned(),
                n => format!("{n} lines are longer than 64 KiB; their beginnings were read."),
            });
        }
        if settings.collector.is_none() && lines.events > 0 {
            notes.push("The log does not name its collector: its beginning is missing.".to_owned());
        }
    }
}

/// The program has asked for it.
fn asks(cause: Option<&str>) -> bool {
    cause.is_some_and(|cause| Cause::of(cause) == Cause::AskedFor)
}

fn seconds(nanoseconds: u64) -> f64 {
    nanoseconds as f64 / 1e9
}

fn milliseconds(nanoseconds: u64) -> f64 {
    nanoseconds as f64 / 1e6
}

/// The least that collections have left in the second half: what a program begins with is not what
/// it needs.
fn settled(over_time: &[Bucket]) -> Option<u64> {
    let half = over_time.last()?.at_s / 2.0;
    let late = over_time.iter().filter(|bucket| bucket.at_s >= half);
    late.filter_map(|bucket| Some(bucket.after?.0)).min()
}
