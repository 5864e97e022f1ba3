//! Two builds, owner by owner, everything per request.

use crate::by_the_clock::by_the_clock;
use crate::frame::{Frame, aligned};
use crate::moved::{moved, renamed};
use crate::owner::Own;
use crate::pattern::Need;
use crate::thrown_away::Storm;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use tacho_run_folder::{Dissection, Ledger, LedgerEntry, LedgerKind, TracedMethod, Window};

/// The same figure of both builds, per request.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
pub struct Pair {
    /// Of the older build; 0 when there is none.
    pub baseline: f64,
    /// Of the newer build.
    pub candidate: f64,
    /// Standard error of the difference, from the number of samples or waits (Poisson); 0 for what
    /// was counted.
    pub error: f64,
    /// Whether the figure is an estimate: the tracer kept within its budget by looking at one call
    /// in N, chosen at random.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub estimated: bool,
}

impl Pair {
    /// How much more the candidate spends.
    #[must_use]
    pub fn more(&self) -> f64 {
        self.candidate - self.baseline
    }

    /// The difference is larger than chance would make it: beyond two standard errors.
    #[must_use]
    pub fn is_more(&self) -> bool {
        self.more() > 0.0 && self.more() > 2.0 * self.error
    }

    /// The figure of one of the builds.
    pub fn side(&mut self, is_baseline: bool) -> &mut f64 {
        match is_baseline {
            true => &mut self.baseline,
            false => &mut self.candidate,
        }
    }

    /// Of independent figures.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        Self {
            baseline: self.baseline + other.baseline,
            candidate: self.candidate + other.candidate,
            error: self.error.hypot(other.error),
            estimated: self.estimated || other.estimated,
        }
    }
}

/// Time in which a request does not use a processor.
pub const WAITS: [LedgerKind; 5] = [
    LedgerKind::LockWaits,
    LedgerKind::Parks,
    LedgerKind::Sleeps,
    LedgerKind::SocketWaits,
    LedgerKind::FileWaits,
];

/// One entry of a ledger with its owner.
#[derive(Debug)]
pub struct Item<'a> {
    pub kind: LedgerKind,
    pub entry: &'a LedgerEntry,
    /// Requests of its window.
    pub requests: f64,
    /// Aligned names of the frames, innermost first, down to the owner's.
    pub below: Vec<String>,
    /// Aligned; the nearest library where nothing of the application is on the stack.
    pub owner: Option<String>,
    /// The owner is the application's.
    pub is_own: bool,
    /// Line of the owner.
    pub line: Option<u32>,
}

impl Item<'_> {
    /// Cost per request, in the unit of the ledger.
    pub fn cost(&self) -> f64 {
        self.entry.cost / self.requests
    }

    /// Calls or samples per request.
    pub fn count(&self) -> f64 {
        self.entry.count as f64 / self.requests
    }

    /// Squared standard error of the cost: of n samples each stands for cost / n. So for waits,
    /// which are all there, but one that took a hundred times as long as the others tells nothing
    /// about the next window.
    fn variance(&self) -> f64 {
        if self.entry.count == 0 {
            return 0.0;
        }
        self.cost().powi(2) / self.entry.count as f64
    }
}

/// What is known of one build.
#[derive(Debug)]
pub struct Side<'a> {
    pub evidence: &'a Dissection,
    pub items: Vec<Item<'a>>,
    traces: &'a [TracedMethod],
}

impl<'a> Side<'a> {
    /// One build's items, of the kinds that were observed in every build. For any other kind it is
    /// unknown whether there is more of it.
    fn of(evidence: &'a Dissection, own: &Own, builds: &[&Dissection]) -> Self {
        let everywhere = |kind| builds.iter().all(|build| Need::Ledger(kind).is_met(build));
        let items = evidence
            .ledgers
            .iter()
            .filter(|ledger| everywhere(ledger.kind))
            .flat_map(|ledger| ledger.entries.iter().map(|entry| item(ledger, entry, own)))
            .collect();
        let is_traced = builds.iter().all(|build| Need::Traces.is_met(build));
        Self {
            evidence,
            items,
            traces: if is_traced { &evidence.traces } else { &[] },
        }
    }

    /// Processor time of the whole process per request, in milliseconds: of the window whose
    /// samples are told apart, so that nothing that came earlier or later is missed among them.
    pub fn processor_ms(&self) -> f64 {
        let sampled = self.evidence.ledger(LedgerKind::Processor);
        let window = sampled
            .and_then(|ledger| self.evidence.window(&ledger.window))
            .or_else(|| self.evidence.window("plain"));
        window.map_or(0.0, |w| w.processor_s * 1e3 / (w.requests as f64).max(1.0))
    }

    /// Mean service time in milliseconds.
    pub fn service_ms(&self) -> f64 {
        let window = self.evidence.window("plain");
        window.map_or(0.0, |w| w.mean_ms)
    }

    pub fn traced(&self, method: &str) -> Option<&'a TracedMethod> {
        self.traces
            .iter()
            .rev()
            .find(|t| aligned(&t.method) == method)
    }
}

fn item<'a>(ledger: &Ledger, entry: &'a LedgerEntry, own: &Own) -> Item<'a> {
    let place = own.nearest(&entry.frames);
    let is_own = place.is_some();
    let place = place.or_else(|| Own::nearest_library(&entry.frames));
    let shown = place.map_or(entry.frames.len(), |place| place + 1);
    let below: Vec<String> = entry.frames[..shown].iter().map(|f| aligned(f)).collect();
    Item {
        kind: ledger.kind,
        entry,
        requests: (ledger.requests as f64).max(1.0),
        owner: place.and_then(|place| below.get(place).cloned()),
        is_own,
        line: place.and_then(|place| Frame::parse(&entry.frames[place]).line),
        below,
    }
}

/// The window without an instrument at the end of a dissection, the twin of `plain`.
pub const LATER: &str = "later";
/// A request has to cost at least this many times as much as the first ones: a single window is
/// noisy.
const GROWN: f64 = 1.3;
/// Processor time of a window that says anything of a request.
const LONG_ENOUGH_S: f64 = 0.25;
/// It must also grow by this many times the growth of the baseline, because what instruments leave
/// behind is in both builds.
const GROWN_BESIDE: f64 = 1.25;

/// Processor time of a request, in milliseconds, before and after others were served.
#[derive(Debug, Clone, Copy)]
pub struct Growth {
    pub first: Pair,
    pub later: Pair,
    /// Requests of the candidate from the one window to the other.
    pub served: u64,
}

/// Two builds; without a baseline everything is more.
#[derive(Debug)]
pub struct Comparison<'a> {
    pub(crate) baseline: Option<Side<'a>>,
    pub(crate) candidate: Side<'a>,
    pub(crate) own: Own,
    /// What a millisecond of waiting counts beside one of the processor; see [`Comparison::of`].
    wait_weight: f64,
    /// What owners that are new took over from others that are gone.
    moved: BTreeMap<String, f64>,
    /// Owners with another name than before, and what that was.
    renamed: BTreeMap<String, String>,
    /// Compiled code that the candidate throws away again and again.
    pub(crate) storm: Storm,
}

impl<'a> Comparison<'a> {
    /// Of the evidence of both.
    ///
    /// Where the processors are busy, requests wait for them wherever they are, and most easily
    /// where one holds a lock while it is not running: such waits are an effect, and without them
    /// there would be as little throughput. So waiting counts as much as processors are idle.
    #[must_use]
    pub fn of(baseline: Option<&'a Dissection>, candidate: &'a Dissection) -> Self {
        // A package that one of them calls its own is nobody else's in the other.
        let builds: Vec<&Dissection> = baseline.into_iter().chain([candidate]).collect();
        let packages: BTreeSet<&String> = builds.iter().flat_map(|build| &build.own).collect();
        let own = Own::of(&packages.into_iter().cloned().collect::<Vec<_>>());
        let mut comparison = Self {
            baseline: baseline.map(|evidence| Side::of(evidence, &own, &builds)),
            candidate: Side::of(candidate, &own, &builds),
            wait_weight: 1.0 - busy(candidate),
            moved: BTreeMap::new(),
            renamed: BTreeMap::new(),
            own,
            storm: Storm::default(),
        };
        comparison.leave_out_what_goes_by_the_clock();
        comparison.moved = moved(&comparison);
        comparison.renamed = renamed(&comparison);
        comparison.storm = Storm::of(&comparison);
        comparison
    }

    fn leave_out_what_goes_by_the_clock(&mut self) {
        let waits = by_the_clock(self);
        if waits.is_empty() {
            return;
        }
        let is_one = |item: &Item<'_>| {
            let owner = item.owner.clone();
            owner.is_some_and(|owner| waits.contains(&(item.kind, owner)))
        };
        for side in self.baseline.iter_mut().chain([&mut self.candidate]) {
            side.items.retain(|item| !is_one(item));
        }
    }

    /// Time of an item per request in milliseconds; waits as much as they count.
    pub(crate) fn ms(&self, item: &Item<'_>) -> f64 {
        let weight = if WAITS.contains(&item.kind) {
            self.wait_weight
        } else {
            1.0
        };
        item.cost() * weight * 1e-6
    }

    pub(crate) fn sides(&self) -> impl Iterator<Item = (bool, &Side<'a>)> {
        let baseline = self.baseline.iter().map(|side| (true, side));
        baseline.chain([(false, &self.candidate)])
    }

    /// Cost per request of the items that are chosen, in units of the ledger times `scale`; waits
    /// as much as they count.
    pub(crate) fn cost(&self, is_chosen: impl Fn(&Item<'_>) -> bool, scale: f64) -> Pair {
        self.weighted(is_chosen, scale, self.wait_weight)
    }

    /// The same as it was seen.
    pub(crate) fn cost_as_seen(&self, is_chosen: impl Fn(&Item<'_>) -> bool, scale: f64) -> Pair {
        self.weighted(is_chosen, scale, 1.0)
    }

    fn weighted(
        &self,
        is_chosen: impl Fn(&Item<'_>) -> bool,
        scale: f64,
        wait_weight: f64,
    ) -> Pair {
        let mut variance = 0.0;
        let mut pair = self.add_up(|item| {
            if !is_chosen(item) {
                return 0.0;
            }
            let scale = if WAITS.contains(&item.kind) {
                scale * wait_weight
            } else {
                scale
            };
            variance += item.variance() * scale * scale;
            item.cost() * scale
        });
        pair.error = variance.sqrt();
        pair
    }

    /// How often per request the items that are chosen happen.
    pub(crate) fn count(&self, is_chosen: impl Fn(&Item<'_>) -> bool) -> Pair {
        self.add_up(|item| if is_chosen(item) { item.count() } else { 0.0 })
    }

    pub(crate) fn add_up(&self, mut figure: impl FnMut(&Item<'_>) -> f64) -> Pair {
        let mut pair = Pair::default();
        for (is_baseline, side) in self.sides() {
            *pair.side(is_baseline) += side.items.iter().map(&mut figure).sum::<f64>();
        }
        pair
    }

    /// Processor time per request, whoever uses it, in milliseconds.
    #[must_use]
    pub fn processor_ms(&self) -> Pair {
        self.of_sides(Side::processor_ms)
    }

    /// Mean service time, in milliseconds.
    #[must_use]
    pub fn service_ms(&self) -> Pair {
        self.of_sides(Side::service_ms)
    }

    pub(crate) fn of_sides(&self, figure: impl Fn(&Side<'a>) -> f64) -> Pair {
        Pair {
            baseline: self.baseline.as_ref().map_or(0.0, &figure),
            candidate: figure(&self.candidate),
            ..Pair::default()
        }
    }

    /// Waiting in the application's own code per request, in milliseconds.
    #[must_use]
    pub fn waits_ms(&self) -> Pair {
        self.cost_as_seen(is_wait, 1e-6)
    }

    /// Time per request in which processors are used, or are not although they could be.
    pub(crate) fn whole_ms(&self) -> Pair {
        self.processor_ms().plus(self.cost(is_wait, 1e-6))
    }

    /// How much costlier a request of the candidate became while others were served, where it did
    /// and one of the baseline did not.
    pub(crate) fn growth(&self) -> Option<Growth> {
        let (mut first, mut later) = (Pair::default(), Pair::default());
        let mut served = 0;
        for (is_baseline, side) in self.sides() {
            let (from, to) = (side.evidence.window("plain")?, side.evidence.window(LATER)?);
            if from.processor_s.min(to.processor_s) < LONG_ENOUGH_S {
                return None;
            }
            let each =
                |window: &Window| window.processor_s * 1e3 / (window.requests as f64).max(1.0);
            *first.side(is_baseline) = each(from);
            *later.side(is_baseline) = each(to);
            if !is_baseline {
                let between = side
                    .evidence
                    .windows
                    .iter()
                    .skip_while(|w| w.name != from.name)
                    .take_while(|w| w.name != to.name);
                served = between.map(|window| window.requests).sum();
            }
        }
        let grown = |first: f64, later: f64| if first > 0.0 { later / first } else { 1.0 };
        let (before, now) = (
            grown(first.baseline, later.baseline),
            grown(first.candidate, later.candidate),
        );
        let is_grown = now >= GROWN && now >= GROWN_BESIDE * before;
        is_grown.then_some(Growth {
            first,
            later,
            served,
        })
    }

    /// Everybody who has a cost, in the order of their names.
    #[must_use]
    pub fn suspects(&self) -> Vec<Suspect<'_, 'a>> {
        let mut owners: BTreeMap<String, bool> = BTreeMap::new();
        for (_, side) in self.sides() {
            for item in &side.items {
                if let Some(owner) = &item.owner {
                    *owners.entry(owner.clone()).or_default() |= item.is_own;
                }
            }
        }
        owners
            .into_iter()
            .map(|(owner, is_own)| Suspect {
                comparison: self,
                owner,
                is_own,
            })
            .collect()
    }
}

/// One owner, and what it spends in both builds.
#[derive(Debug, Clone)]
pub struct Suspect<'c, 'a> {
    pub(crate) comparison: &'c Comparison<'a>,
    /// `package.Class.method` without what a rebuild changes.
    pub owner: String,
    /// Of the application; else of a library that no frame of the application has called.
    pub is_own: bool,
}

impl<'a> Suspect<'_, 'a> {
    pub(crate) fn is_mine(&self, item: &Item<'_>) -> bool {
        item.owner.as_deref() == Some(self.owner.as_str())
    }

    /// The same, with what it was before it got another name.
    pub(crate) fn is_or_was_mine(&self, item: &Item<'_>) -> bool {
        let earlier = self.comparison.renamed.get(&self.owner);
        self.is_mine(item) || earlier.is_some_and(|earlier| item.owner.as_ref() == Some(earlier))
    }

    /// What is counted of its processor time and waiting per request, in milliseconds.
    pub(crate) fn time_ms(&self, is_counted: impl Fn(&Item<'_>) -> bool) -> Pair {
        let is_mine = |item: &Item<'_>| self.is_mine(item) && is_counted(item);
        self.comparison.cost_as_seen(is_mine, 1e-6)
    }

    /// The same with weighted waits. The baseline also includes the time of owners that are gone
    /// and whose work this owner has taken over.
    pub(crate) fn weighted_ms(&self, is_counted: impl Fn(&Item<'_>) -> bool) -> Pair {
        let is_mine = |item: &Item<'_>| self.is_mine(item) && is_counted(item);
        self.with_what_moved(self.comparison.cost(is_mine, 1e-6))
    }

    /// Spent by others in the older build, which this owner has taken over.
    pub(crate) fn with_what_moved(&self, time: Pair) -> Pair {
        let moved = self.comparison.moved.get(&self.owner);
        Pair {
            baseline: time.baseline + moved.copied().unwrap_or_default(),
            ..time
        }
    }

    /// The part of its time that is spent below a frame whose name is chosen.
    pub(crate) fn time_via(&self, is_chosen: impl Fn(&str) -> bool) -> Pair {
        self.comparison.cost(
            |item| {
                let is_below = || item.below.iter().any(|f| is_chosen(f));
                self.is_or_was_mine(item) && is_time(item) && is_below()
            },
            1e-6,
        )
    }

    /// Time of one kind, in milliseconds.
    pub(crate) fn time_of(&self, kind: LedgerKind) -> Pair {
        self.comparison
            .cost(|item| self.is_mine(item) && item.kind == kind, 1e-6)
    }

    /// Bytes per request.
    pub(crate) fn allocated(&self) -> Pair {
        self.comparison.cost(
            |item| self.is_or_was_mine(item) && item.kind == LedgerKind::Allocation,
            1.0,
        )
    }

    /// How often per request, by key; what the candidate does, the largest difference first.
    pub(crate) fn counts(
        &self,
        kind: LedgerKind,
        is_chosen: impl Fn(&LedgerEntry) -> bool,
    ) -> Vec<(String, Pair)> {
        let mut by_key: BTreeMap<&str, Pair> = BTreeMap::new();
        for (is_baseline, side) in self.comparison.sides() {
            for item in &side.items {
                if item.kind == kind && self.is_or_was_mine(item) && is_chosen(item.entry) {
                    let pair = by_key.entry(&item.entry.key).or_default();
                    *pair.side(is_baseline) += item.count();
                }
            }
        }
        let mut rows: Vec<(String, Pair)> = by_key
            .into_iter()
            .filter(|(_, pair)| pair.candidate > 0.0)
            .map(|(key, pair)| (key.to_owned(), pair))
            .collect();
        rows.sort_by(|a, b| b.1.more().total_cmp(&a.1.more()).then(a.0.cmp(&b.0)));
        rows
    }

    /// The candidate's costliest entry of those that are chosen: stack and line.
    pub(crate) fn costliest(
        &self,
        is_chosen: impl Fn(&Item<'_>) -> bool,
    ) -> Option<(&'a LedgerEntry, Option<u32>)> {
        let items = &self.comparison.candidate.items;
        let mine = items.iter().filter(|i| self.is_mine(i) && is_chosen(i));
        let by_cost = |a: &&Item<'_>, b: &&Item<'_>| {
            let by_cost = a.entry.cost.total_cmp(&b.entry.cost);
            by_cost.then(a.entry.count.cmp(&b.entry.count))
        };
        mine.max_by(by_cost).map(|item| (item.entry, item.line))
    }

    /// The line of the owner at which most of what is chosen is spent.
    pub(crate) fn line(&self, is_chosen: impl Fn(&Item<'_>) -> bool) -> Option<u32> {
        let mut by_line: BTreeMap<u32, f64> = BTreeMap::new();
        for item in &self.comparison.candidate.items {
            if let (true, Some(line)) = (self.is_mine(item) && is_chosen(item), item.line) {
                *by_line.entry(line).or_default() += item.cost().max(item.count() * 1e-9);
            }
        }
        let most = by_line.into_iter().max_by(|a, b| a.1.total_cmp(&b.1));
        most.map(|(line, _)| line)
    }
}

/// The share of the time in which no processor was free at once, in the window in which waits were
/// recorded.
fn busy(evidence: &Dissection) -> f64 {
    let seen = WAITS.iter().find_map(|kind| evidence.ledger(*kind));
    let window = seen.and_then(|ledger| evidence.window(&ledger.window));
    let window = window.or_else(|| evidence.window("plain"));
    window.map_or(0.0, |window| window.busy.clamp(0.0, 1.0))
}

fn is_wait(item: &Item<'_>) -> bool {
    item.is_own && WAITS.contains(&item.kind)
}

/// Processor time and waiting are both time of a request. Whoever waits outside of the application
/// waits for a request, not in it.
pub fn is_time(item: &Item<'_>) -> bool {
    item.kind == LedgerKind::Processor || (item.is_own && WAITS.contains(&item.kind))
}
