//! Whether another preStop loses fewer requests: the same changes with the one and with the other.
//!
//! Requests that one pod loses at its end are lost together, so that a change is one observation:
//! in how many of the changes was any lost? Of two such counts Fisher's exact test says how often
//! chance alone would set them so far apart (R. A. Fisher, "Statistical Methods for Research
//! Workers", 1934, 21.02).

use crate::Felt;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The accepted chance of saying that a preStop helps when it does nothing.
const ERROR_RATE: f64 = 0.05;

/// Allowance for the rounding of logarithms, so that exactly one way of twenty counts as one in
/// twenty.
const TINY: f64 = 1e-9;

/// A preStop that was tried.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Tried {
    /// How long it sleeps, in seconds.
    pub pre_stop_s: u32,
    /// Changes of the Deployment as it was.
    pub without: Count,
    /// Changes with the preStop.
    pub with: Count,
    /// Whether it was shown to help: so few changes lost requests with it that chance would do it
    /// in at most 5 % of cases.
    pub is_told: bool,
}

/// Changes, and what they lost.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
pub struct Count {
    /// Changes of which requests were kept until their end.
    pub changes: u32,
    /// Of them, those that lost any request.
    pub that_lost: u32,
    /// Requests in them.
    pub requests: u64,
    /// Requests that were lost in them.
    pub lost: u64,
}

impl Count {
    fn of<'f>(all: impl Iterator<Item = &'f Felt>) -> Self {
        let mut count = Self::default();
        for felt in all {
            count.changes += 1;
            count.that_lost += u32::from(felt.lost > 0);
            count.requests += felt.requests;
            count.lost += felt.lost;
        }
        count
    }
}

/// Counts the windows with and without the preStop; their names say which is which. If only a part
/// of the requests was kept, `kept_until_ns` is the instant of the last one. Windows that end after
/// it, and those without any request, say nothing about losses and are left out.
#[must_use]
pub fn tried(
    felt: &[Felt],
    kept_until_ns: Option<u64>,
    pre_stop_s: u32,
    is_without: impl Fn(&str) -> bool,
    is_with: impl Fn(&str) -> bool,
) -> Tried {
    let is_seen = |felt: &Felt| {
        felt.requests > 0 && kept_until_ns.is_none_or(|until_ns| felt.window.to_ns <= until_ns)
    };
    let of = |belongs: &dyn Fn(&str) -> bool| {
        let own = felt.iter().filter(|felt| belongs(&felt.window.name));
        Count::of(own.filter(|felt| is_seen(felt)))
    };
    let (without, with) = (of(&is_without), of(&is_with));
    Tried {
        pre_stop_s,
        without,
        with,
        is_told: is_any(&without, &with) && fewer_by_chance(&without, &with) <= ERROR_RATE + TINY,
    }
}

fn is_any(without: &Count, with: &Count) -> bool {
    without.changes > 0 && with.changes > 0
}

/// How often so few of those with it, or fewer, would have lost any, if it did nothing: of all ways
/// to spread those that lost over all changes, the part that puts so few among these.
fn fewer_by_chance(without: &Count, with: &Count) -> f64 {
    let all = without.changes + with.changes;
    let lost = without.that_lost + with.that_lost;
    let ways = |k: u32| {
        let rest = lost.checked_sub(k)?;
        Some(ln_choose(with.changes, k)? + ln_choose(without.changes, rest)?)
    };
    let of_all = ln_choose(all, lost).unwrap_or(0.0);
    let each = (0..=with.that_lost).filter_map(ways);
    each.map(|ln| (ln - of_all).exp()).sum()
}

/// The logarithm of n over k; `None` where there is no way.
fn ln_choose(n: u32, k: u32) -> Option<f64> {
    (k <= n).then(|| {
        let each = (0..k).map(|i| f64::from(n - i).ln() - f64::from(i + 1).ln());
        each.sum()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Window;

    fn felt(name: &str, lost: u64) -> Felt {
        Felt {
            window: Window {
                name: name.to_owned(),
                from_ns: 0,
                to_ns: 1,
                is_change: true,
            },
            requests: 100,
            lost,
            slower_than_any_before: 0,
            p50_ms: None,
            p99_ms: None,
            longest_ms: None,
        }
    }

    fn told(without: &[u64], with: &[u64]) -> Tried {
        let felt: Vec<Felt> = without
            .iter()
            .map(|lost| felt("restart", *lost))
            .chain(with.iter().map(|lost| felt("with", *lost)))
            .collect();
        tried_until(&felt, None)
    }

    fn tried_until(felt: &[Felt], kept_until_ns: Option<u64>) -> Tried {
        tried(
            felt,
            kept_until_ns,
            3,
            |name| name == "restart",
            |name| name == "with",
        )
    }

    #[test]
    fn a_change_whose_requests_were_not_kept_did_not_go_without_a_loss() {
        let at = |name: &str, lost: u64, requests: u64, to_ns: u64| {
            let mut felt = felt(name, lost);
            felt.requests = requests;
            felt.window.to_ns = to_ns;
            felt
        };
        let mut all: Vec<Felt> = (1..=5).map(|n| at("restart", 2, 100, n)).collect();
        all.push(at("with", 0, 100, 6));
        // The last request was kept in the middle of this one.
        all.push(at("with", 0, 50, 8));
        all.extend((9..=11).map(|n| at("with", 0, 0, n)));
        let part = tried_until(&all, Some(7));
        assert_eq!((part.without.changes, part.without.that_lost), (5, 5));
        assert_eq!((part.with.changes, part.with.requests), (1, 100));
        assert!(!part.is_told);
        // Nothing is known of a window without requests, however it came to be.
        assert_eq!(tried_until(&all, None).with.changes, 2);
    }

    #[test]
    fn three_of_each_can_tell_and_two_cannot() {
        // 1 way of the 20 in which three of six can have lost.
        assert!(told(&[4, 1, 2], &[0, 0, 0]).is_told);
        assert!(!told(&[4, 1], &[0, 0]).is_told);
        assert!(!told(&[4, 1, 2], &[0, 1, 0]).is_told);
    }

    #[test]
    fn where_nothing_was_lost_nothing_is_told() {
        let same = told(&[0; 20], &[0; 20]);
        assert!(!same.is_told);
        assert_eq!((same.without.changes, same.without.requests), (20, 2_000));
        assert!(!told(&[], &[0, 0]).is_told);
        assert!(!told(&[3, 3], &[]).is_told);
    }

    #[test]
    fn the_chance_is_fishers() {
        let count = |changes, that_lost| Count {
            changes,
            that_lost,
            ..Count::default()
        };
        // The lady tasting tea: all four of four right, 1 in 70.
        let chance = fewer_by_chance(&count(4, 4), &count(4, 0));
        assert!((chance - 1.0 / 70.0).abs() < 1e-12, "{chance}");
        // And three of four: 17 in 70.
        let chance = fewer_by_chance(&count(4, 3), &count(4, 1));
        assert!((chance - 17.0 / 70.0).abs() < 1e-12, "{chance}");
    }
}
