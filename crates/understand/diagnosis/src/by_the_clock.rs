//! Waits that go by the clock and not by requests: a poller that sleeps, a consumer that waits for
//! a message. In a build whose requests take longer there is more of them for each request, and no
//! request waits for any.

use crate::comparison::{Comparison, Side};
use std::collections::{BTreeMap, BTreeSet};
use tacho_run_folder::LedgerKind;

/// What background work waits in.
const KINDS: [LedgerKind; 3] = [
    LedgerKind::Sleeps,
    LedgerKind::Parks,
    LedgerKind::SocketWaits,
];
/// What happens less often for a request happens now and then.
const PER_REQUEST: f64 = 0.2;
/// Figures are alike within this factor.
const ALIKE: f64 = 1.25;

/// Waits of one owner in one build.
#[derive(Debug, Clone, Copy, Default)]
struct Waits {
    /// For a request.
    times: f64,
    /// Nanoseconds for a request.
    waited: f64,
    requests_a_second: f64,
}

/// The kinds and owners of waits that are as many and as long in each second in both builds, and
/// not for each request. Without a baseline nothing tells them from those of requests.
pub fn by_the_clock(comparison: &Comparison<'_>) -> BTreeSet<(LedgerKind, String)> {
    let mut seen: BTreeMap<(LedgerKind, String), [Waits; 2]> = BTreeMap::new();
    for (is_baseline, side) in comparison.sides() {
        for item in side.items.iter().filter(|item| item.is_own) {
            let rate = requests_a_second(side, item.kind);
            let (Some(owner), Some(rate)) = (&item.owner, rate) else {
                continue;
            };
            let both = seen.entry((item.kind, owner.clone())).or_default();
            let waits = &mut both[usize::from(is_baseline)];
            waits.times += item.count();
            waits.waited += item.cost();
            waits.requests_a_second = rate;
        }
    }
    seen.retain(|_, [now, before]| are_by_the_clock(before, now));
    seen.into_keys().collect()
}

/// In the window in which waits of a kind were recorded.
fn requests_a_second(side: &Side<'_>, kind: LedgerKind) -> Option<f64> {
    let ledger = KINDS
        .contains(&kind)
        .then(|| side.evidence.ledger(kind))
        .flatten()?;
    let window = side.evidence.window(&ledger.window)?;
    (window.duration_s > 0.0).then(|| ledger.requests as f64 / window.duration_s)
}

fn are_by_the_clock(before: &Waits, now: &Waits) -> bool {
    let are_rare = [before, now]
        .iter()
        .all(|waits| waits.times > 0.0 && waits.times < PER_REQUEST);
    let in_a_second = |figure: fn(&Waits) -> f64| {
        is_alike(
            figure(before) * before.requests_a_second,
            figure(now) * now.requests_a_second,
        )
    };
    are_rare
        && in_a_second(|waits| waits.times)
        && in_a_second(|waits| waits.waited)
        && !is_alike(before.waited, now.waited)
}

fn is_alike(one: f64, other: f64) -> bool {
    one.max(other) <= ALIKE * one.min(other)
}

#[cfg(test)]
mod tests {
    use crate::finding::find;
    use crate::testkit::Build;
    use tacho_run_folder::LedgerKind::Sleeps;
    use tacho_run_folder::{Dissection, Window};

    const SLEEP: &str = "java.lang.Thread.sleep:1 shop.Poller.run:9 java.lang.Thread.run:1";

    /// A build whose thousand requests take so many seconds, and which sleeps so often and so many
    /// milliseconds for each.
    fn build(work_ms: f64, seconds: f64, sleeps: f64, slept_ms: f64) -> Dissection {
        let mut seen = Build::of(1.0 + work_ms)
            .works("shop.Web.get:5 lib.Server.run:1", 1.0)
            .works("shop.Slow.one:3 shop.Web.get:6", work_ms)
            .counts(Sleeps, "", None, SLEEP, sleeps, slept_ms)
            .evidence();
        seen.windows.push(Window {
            name: "any".to_owned(),
            duration_s: seconds,
            ..seen.windows[0].clone()
        });
        seen
    }

    #[test]
    fn a_poller_that_sleeps_is_no_reason_why_requests_take_longer() {
        // It sleeps twenty times in each second, for all of it.
        let found = find(
            Some(&build(0.1, 2.0, 0.04, 2.0)),
            &build(1.1, 4.0, 0.08, 4.0),
            None,
        );
        let owners: Vec<&str> = found.findings.iter().map(|f| f.owner.as_str()).collect();
        assert_eq!(owners, ["shop.Slow.one"], "{found:#?}");
    }

    #[test]
    fn a_sleep_of_some_requests_is() {
        // One in twenty-five sleeps, and twice as long.
        let found = find(
            Some(&build(0.1, 2.0, 0.04, 2.0)),
            &build(0.1, 4.0, 0.04, 4.0),
            None,
        );
        assert_eq!(found.findings[0].pattern, "sleeping", "{found:#?}");
    }
}
