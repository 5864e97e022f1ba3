//! Fills ledgers: events that are alike are added up.

use crate::work::WorkEvent;
use std::collections::{BTreeMap, HashMap};
use tacho_diagnosis::{COLLECTOR, COMPILER, Frame, Own};
use tacho_run_folder::{Collector, Ledger, LedgerEntry, LedgerKind, LeftOut};

/// Entries of a ledger that are kept apart: more would not be read by anybody.
const MOST_ENTRIES: usize = 20_000;
/// Messages of exceptions and names of files can be of any length.
const LONGEST_KEY: usize = 300;

/// Adds up events of one window.
#[derive(Debug)]
pub struct Filling<'a> {
    own: &'a Own,
    /// The weight of a sample that does not state its own.
    sample_ns: f64,
    /// Frames of shared libraries and of the kernel stay.
    native: bool,
    by_kind: BTreeMap<LedgerKind, Filled>,
}

#[derive(Debug, Default)]
struct Filled {
    entries: HashMap<(String, Vec<String>), (u64, f64)>,
    threads: BTreeMap<String, u64>,
    left_out: LeftOut,
}

impl<'a> Filling<'a> {
    /// Of a window; `sample_ns` is the sampler's period.
    #[must_use]
    pub fn new(own: &'a Own, sample_ns: f64) -> Self {
        Self {
            own,
            sample_ns,
            native: false,
            by_kind: BTreeMap::new(),
        }
    }

    /// Keeps frames of shared libraries and of the kernel, for people to see. (Two builds are
    /// compared without them: they have no names that a rule could know.)
    #[must_use]
    pub fn with_native(mut self) -> Self {
        self.native = true;
        self
    }

    /// Adds an event to the ledger of its kind.
    pub fn add(&mut self, event: WorkEvent) {
        let cost = event
            .cost
            .map_or(self.sample_ns * event.samples as f64, |cost| cost as f64);
        let mut event = event;
        let mut key = cut(std::mem::take(&mut event.key));
        if matches!(event.kind, LedgerKind::Processor | LedgerKind::Wall) {
            if !self.native {
                event.frames.retain(|frame| !is_native(frame));
            }
            let thread = event.thread.as_deref().unwrap_or_default();
            if let Some(task) = jvm_thread(thread) {
                event.frames.clear();
                key = task.to_owned();
            } else if event.frames.is_empty() {
                key = "native".to_owned();
            }
        }
        let filled = self.by_kind.entry(event.kind).or_default();
        if let Some(thread) = event.thread
            && event.kind == LedgerKind::Processor
            && self.own.nearest(&event.frames).is_some()
        {
            *filled.threads.entry(thread).or_default() += 1;
        }
        let place = (key, event.frames);
        if filled.entries.len() >= MOST_ENTRIES && !filled.entries.contains_key(&place) {
            filled.left_out.count += event.samples;
            filled.left_out.cost += cost;
            return;
        }
        let (count, sum) = filled.entries.entry(place).or_default();
        *count += event.samples;
        *sum += cost;
    }

    /// The ledgers, costliest entries first. Kinds in `expected` get a ledger even if it is empty,
    /// because "nothing was seen" differs from "nothing was looked for".
    #[must_use]
    pub fn finish(mut self, window: &str, requests: u64, expected: &[LedgerKind]) -> Vec<Ledger> {
        for kind in expected {
            self.by_kind.entry(*kind).or_default();
        }
        self.by_kind
            .into_iter()
            .map(|(kind, filled)| filled.ledger(kind, window, requests))
            .collect()
    }
}

impl Filled {
    fn ledger(self, kind: LedgerKind, window: &str, requests: u64) -> Ledger {
        let mut entries: Vec<LedgerEntry> = self
            .entries
            .into_iter()
            .map(|((key, frames), (count, cost))| LedgerEntry {
                key,
                frames,
                count,
                cost,
                ..LedgerEntry::default()
            })
            .collect();
        // The costliest first, and always in the same order.
        entries.sort_by(|a, b| {
            b.cost
                .total_cmp(&a.cost)
                .then(b.count.cmp(&a.count))
                .then_with(|| (&a.key, &a.frames).cmp(&(&b.key, &b.frames)))
        });
        Ledger {
            kind,
            window: window.to_owned(),
            requests,
            exact: !matches!(
                kind,
                LedgerKind::Processor
                    | LedgerKind::Wall
                    | LedgerKind::Allocation
                    | LedgerKind::Survivors
            ),
            entries,
            threads: self.threads,
            left_out: self.left_out,
        }
    }
}

/// Scales the samples so that they add up to the processor time that the kernel counted, in
/// nanoseconds. Their shares are right, but their sum is not. Timers only fire when the kernel's
/// clock ticks. The recorder's samplers see only Java code, and the older one sees only some
/// threads at a time. If the newer one is there (JDK 25), its samples have a weight, and the older
/// one's do not count.
pub fn share_out(ledger: &mut Ledger, processor_ns: f64) {
    if ledger.entries.iter().any(|entry| entry.cost > 0.0) {
        ledger.entries.retain(|entry| entry.cost > 0.0);
    } else {
        for entry in &mut ledger.entries {
            entry.cost = entry.count as f64;
        }
        ledger.left_out.cost = ledger.left_out.count as f64;
    }
    let sum: f64 =
        ledger.entries.iter().map(|entry| entry.cost).sum::<f64>() + ledger.left_out.cost;
    let each = if sum > 0.0 { processor_ns / sum } else { 0.0 };
    for entry in &mut ledger.entries {
        entry.cost *= each;
    }
    ledger.left_out.cost *= each;
}

fn cut(mut key: String) -> String {
    if let Some((place, _)) = key.char_indices().nth(LONGEST_KEY) {
        key.truncate(place);
        key.push('…');
    }
    key
}

/// Whether a frame is native. async-profiler names code of shared libraries after the library
/// (`libjvm.so.Arena::contains`), and gives the JVM's stubs no class.
fn is_native(frame: &str) -> bool {
    let class = Frame::parse(frame).class;
    class.is_empty()
        || class.ends_with(".so")
        || class.contains(".so.")
        || class == "vdso"
        || frame.starts_with("libc.so")
}

/// What a thread of the JVM itself does, by the names that HotSpot gives its threads.
fn jvm_thread(name: &str) -> Option<&'static str> {
    if Collector::runs_on(name) {
        Some(COLLECTOR)
    } else if name.contains("CompilerThre") {
        // Cut by the kernel where the JVM's own name is not known.
        Some(COMPILER)
    } else if name.starts_with("VM ") || name.starts_with("JFR") {
        Some("JVM")
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn event(
        kind: LedgerKind,
        key: &str,
        frames: &[&str],
        cost: Option<u64>,
        thread: &str,
    ) -> WorkEvent {
        WorkEvent {
            kind,
            key: key.into(),
            frames: frames.iter().map(|f| (*f).to_owned()).collect(),
            cost,
            samples: 1,
            thread: Some(thread.into()),
        }
    }

    #[test]
    fn what_happens_alike_is_one_entry() {
        let own = Own::of(&["shop.".to_owned()]);
        let mut filling = Filling::new(&own, 1e6);
        for thread in ["http-1", "http-2", "http-1"] {
            filling.add(event(
                LedgerKind::Processor,
                "",
                &["libc.so.6.write:0", "shop.A.b:1"],
                None,
                thread,
            ));
        }
        filling.add(event(LedgerKind::Processor, "", &[], None, "GC Thread#0"));
        filling.add(event(
            LedgerKind::Processor,
            "",
            &[],
            None,
            "C2 CompilerThread0",
        ));
        filling.add(event(
            LedgerKind::Exceptions,
            &"x".repeat(1000),
            &["shop.A.b:1"],
            Some(0),
            "http-1",
        ));
        let ledgers = filling.finish("w", 10, &[LedgerKind::LockWaits]);
        let kinds: Vec<_> = ledgers
            .iter()
            .map(|ledger| (ledger.kind, ledger.exact, ledger.entries.len()))
            .collect();
        assert_eq!(
            kinds,
            [
                (LedgerKind::Processor, false, 3),
                (LedgerKind::LockWaits, true, 0),
                (LedgerKind::Exceptions, true, 1)
            ]
        );
        assert_eq!(
            (ledgers[0].entries[0].count, ledgers[0].entries[0].cost),
            (3, 3e6)
        );
        assert_eq!(ledgers[0].threads.len(), 2);
        let keys: Vec<&str> = ledgers[0].entries[1..]
            .iter()
            .map(|e| e.key.as_str())
            .collect();
        assert_eq!(keys, ["GC", "JIT"]);
        assert_eq!(ledgers[2].entries[0].key.chars().count(), LONGEST_KEY + 1);
    }

    #[test]
    fn the_pauses_of_serial_are_collection() {
        let own = Own::default();
        let mut filling = Filling::new(&own, 1e6);
        // It has no threads of its own: the VM thread carries its pauses out.
        for thread in ["VM Thread", "VM Periodic Task Thread", "JFR Sampler"] {
            filling.add(event(LedgerKind::Processor, "", &[], None, thread));
        }
        let ledgers = filling.finish("w", 1, &[]);
        let entries = ledgers[0].entries.iter();
        let keys: Vec<_> = entries.map(|e| (e.key.as_str(), e.count)).collect();
        assert_eq!(keys, [("JVM", 2), ("GC", 1)]);
    }

    #[test]
    fn for_what_there_is_no_room_is_counted() {
        let own = Own::default();
        let mut filling = Filling::new(&own, 1.0);
        for n in 0..=MOST_ENTRIES {
            filling.add(event(LedgerKind::Sleeps, &n.to_string(), &[], Some(5), "t"));
        }
        let ledgers = filling.finish("w", 1, &[]);
        assert_eq!(
            ledgers[0].left_out,
            LeftOut {
                count: 1,
                cost: 5.0
            }
        );
    }

    #[test]
    fn samples_share_out_what_the_kernel_counted() {
        let own = Own::default();
        let mut filling = Filling::new(&own, 0.0);
        for frame in ["a.A.b:1", "a.A.b:1", "a.A.c:2"] {
            filling.add(event(LedgerKind::Processor, "", &[frame], None, "t"));
        }
        let mut ledgers = filling.finish("w", 1, &[]);
        share_out(&mut ledgers[0], 3e6);
        let costs: Vec<f64> = ledgers[0].entries.iter().map(|e| e.cost).collect();
        assert_eq!(costs, [2e6, 1e6]);

        // Samples that say what they stand for are believed, and those beside them are not.
        let mut filling = Filling::new(&own, 0.0);
        filling.add(event(LedgerKind::Processor, "", &["a.A.b:1"], Some(7), "t"));
        filling.add(event(LedgerKind::Processor, "", &["a.A.c:2"], None, "t"));
        let mut ledgers = filling.finish("w", 1, &[]);
        share_out(&mut ledgers[0], 3e6);
        assert_eq!(ledgers[0].entries.len(), 1);
        assert_eq!(ledgers[0].entries[0].cost, 3e6);
    }

    #[test]
    fn native_frames_stay_where_somebody_wants_to_see_them() {
        let own = Own::default();
        let frames = |filling: Filling<'_>| {
            let mut filling = filling;
            let stack = ["libc.so.6.write:0", "a.A.b:1"];
            filling.add(event(LedgerKind::Wall, "", &stack, None, "t"));
            let ledgers = filling.finish("w", 1, &[]);
            ledgers[0].entries[0].frames.len()
        };
        assert_eq!(frames(Filling::new(&own, 1.0)), 1);
        assert_eq!(frames(Filling::new(&own, 1.0).with_native()), 2);
    }
}
