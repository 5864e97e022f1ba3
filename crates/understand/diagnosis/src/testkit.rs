//! Evidence as tests write it.

use crate::pattern::{Need, PATTERNS};
use tacho_run_folder::{
    Dissection, Ledger, LedgerEntry, LedgerKind, LeftOut, TracedCallee, TracedMethod, Window,
};

pub const REQUESTS: u64 = 1000;

/// A build of the package `shop`.
pub struct Build(Dissection);

impl Build {
    /// Spends so much processor time on a request.
    pub fn of(processor_ms: f64) -> Self {
        let window = Window {
            name: "plain".into(),
            requests: REQUESTS,
            // A processor is busy for a tenth of the time.
            duration_s: processor_ms * REQUESTS as f64 / 100.0,
            processor_s: processor_ms * REQUESTS as f64 / 1e3,
            mean_ms: processor_ms,
            busy: 0.1,
            ..Window::default()
        };
        let mut build = Self(Dissection {
            cell: "shop".into(),
            own: vec!["shop.".into()],
            processors: 1.0,
            windows: vec![
                window.clone(),
                Window {
                    name: "trace".into(),
                    ..window
                },
            ],
            ..Dissection::default()
        });
        // Everything was looked for.
        for need in PATTERNS.iter().flat_map(|pattern| pattern.needs) {
            if let Need::Ledger(kind) = need {
                build.ledger(*kind, true);
            }
        }
        build.ledger(LedgerKind::Queueing, true);
        build.ledger(LedgerKind::LogLines, true);
        build
    }

    /// Nobody looked for it.
    pub fn without(mut self, kinds: &[LedgerKind]) -> Self {
        self.0
            .ledgers
            .retain(|ledger| !kinds.contains(&ledger.kind));
        self
    }

    fn ledger(&mut self, kind: LedgerKind, exact: bool) -> &mut Ledger {
        let place = self.0.ledgers.iter().position(|ledger| ledger.kind == kind);
        let place = place.unwrap_or_else(|| {
            self.0.ledgers.push(Ledger {
                kind,
                window: "any".into(),
                requests: REQUESTS,
                exact,
                entries: Vec::new(),
                threads: Default::default(),
                left_out: LeftOut::default(),
            });
            self.0.ledgers.len() - 1
        });
        &mut self.0.ledgers[place]
    }

    /// Processor time below a stack: names with spaces between, innermost first.
    pub fn works(mut self, stack: &str, ms: f64) -> Self {
        let entry = LedgerEntry {
            frames: frames(stack),
            count: (ms * REQUESTS as f64) as u64,
            cost: ms * 1e6 * REQUESTS as f64,
            ..LedgerEntry::default()
        };
        self.ledger(LedgerKind::Processor, false)
            .entries
            .push(entry);
        self
    }

    /// Processor time of threads of the JVM.
    pub fn jvm(mut self, group: &str, ms: f64) -> Self {
        let entry = LedgerEntry {
            key: group.into(),
            count: (ms * REQUESTS as f64) as u64,
            cost: ms * 1e6 * REQUESTS as f64,
            ..LedgerEntry::default()
        };
        self.ledger(LedgerKind::Processor, false)
            .entries
            .push(entry);
        self
    }

    /// This many bytes a request.
    pub fn allocates(mut self, class: &str, stack: &str, bytes: f64) -> Self {
        let entry = LedgerEntry {
            key: class.into(),
            frames: frames(stack),
            count: 400,
            cost: bytes * REQUESTS as f64,
            ..LedgerEntry::default()
        };
        self.ledger(LedgerKind::Allocation, false)
            .entries
            .push(entry);
        self
    }

    /// Something that is counted: how often, and how many milliseconds a request.
    pub fn counts(
        mut self,
        kind: LedgerKind,
        key: &str,
        outcome: Option<&str>,
        stack: &str,
        times: f64,
        ms: f64,
    ) -> Self {
        let entry = LedgerEntry {
            key: key.into(),
            outcome: outcome.map(str::to_owned),
            frames: frames(stack),
            count: (times * REQUESTS as f64).round() as u64,
            cost: ms * 1e6 * REQUESTS as f64,
            ..LedgerEntry::default()
        };
        self.ledger(kind, true).entries.push(entry);
        self
    }

    /// A traced method with one callee.
    pub fn traced(mut self, method: &str, callee: &str, times: f64, ms: f64) -> Self {
        self.0.traces.push(TracedMethod {
            requests: REQUESTS,
            method: method.into(),
            calls: REQUESTS,
            callees: vec![TracedCallee {
                method: callee.into(),
                calls: (times * REQUESTS as f64) as u64,
                total_ns: (ms * 1e6 * REQUESTS as f64) as u64,
                ..TracedCallee::default()
            }],
            ..TracedMethod::default()
        });
        self
    }

    /// A traced method that takes so long of a request.
    pub fn timed(mut self, method: &str, ms: f64) -> Self {
        self.0.traces.push(TracedMethod {
            requests: REQUESTS,
            method: method.into(),
            calls: REQUESTS,
            total_ns: (ms * 1e6 * REQUESTS as f64) as u64,
            ..TracedMethod::default()
        });
        self
    }

    /// At the end of the launch a request takes so much processor time.
    pub fn later(mut self, processor_ms: f64) -> Self {
        let plain = self.0.windows[0].clone();
        self.0.windows.push(Window {
            name: crate::comparison::LATER.into(),
            processor_s: processor_ms * REQUESTS as f64 / 1e3,
            ..plain
        });
        self
    }

    /// So many objects of a class stay on the heap for each request.
    pub fn keeps(mut self, class: &str, times: f64) -> Self {
        let entry = LedgerEntry {
            key: class.into(),
            count: (times * REQUESTS as f64) as u64,
            cost: times * 40.0 * REQUESTS as f64,
            ..LedgerEntry::default()
        };
        self.ledger(LedgerKind::Kept, true).entries.push(entry);
        self
    }

    pub fn seen(&self) -> &Dissection {
        &self.0
    }

    /// Not each call was timed: the tracer kept within its budget.
    pub fn traced_by_chance(mut self) -> Self {
        for callee in self.0.traces.iter_mut().flat_map(|t| &mut t.callees) {
            callee.estimated = true;
        }
        self
    }

    /// Threads that worked on requests.
    pub fn threads(mut self, threads: usize) -> Self {
        self.ledger(LedgerKind::Processor, false).threads =
            (0..threads).map(|n| (format!("worker-{n}"), 10)).collect();
        self
    }

    /// Service time, and how busy the processors were.
    pub fn takes(mut self, mean_ms: f64, busy: f64) -> Self {
        self.0.windows[0].mean_ms = mean_ms;
        self.0.windows[0].busy = busy;
        self
    }

    /// Over so many connections, each with one request at a time, as long as it takes.
    pub fn over(mut self, connections: u64) -> Self {
        let plain = &mut self.0.windows[0];
        plain.duration_s = plain.requests as f64 * plain.mean_ms * 1e-3 / connections as f64;
        self
    }

    pub fn evidence(self) -> Dissection {
        self.0
    }
}

pub fn frames(stack: &str) -> Vec<String> {
    stack.split(' ').map(str::to_owned).collect()
}
