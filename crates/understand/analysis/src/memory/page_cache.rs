//! A limit that is hit by page cache and not by the heap: usage stands at the limit, but the kernel
//! could drop what fills it.

use super::{Finding, Outcome, Point, figure};
use tacho_figures as figures;
use tacho_run_folder::MemoryPattern;

/// The pattern that it looks for.
pub const NAME: MemoryPattern = MemoryPattern::LimitHitByPageCache;

/// At the limit: above this share of it.
const AT_LIMIT: f64 = 0.95;
/// The processes' own memory is no more than this share of it.
const OWN: f64 = 0.8;
/// For at least this share of the time.
const TIME: f64 = 0.1;
const FEWEST_POINTS: usize = 5;

/// What a control group held at an instant.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Usage {
    /// In seconds, on the clock of its series.
    pub at_s: f64,
    /// All memory that is charged to the group.
    pub usage_bytes: f64,
    /// Page cache that is charged to the group.
    pub file_bytes: f64,
    /// What Kubernetes counts: usage less inactive file pages.
    pub working_set_bytes: f64,
}

/// A control group over time.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Group {
    /// The group's limit; absent where it has none.
    pub limit_bytes: Option<f64>,
    /// In the order of time.
    pub usage: Vec<Usage>,
    /// Processes killed for memory.
    pub oom_kills: u64,
}

/// Looks for it.
#[must_use]
pub fn look(group: &Group) -> Outcome {
    let Some(limit) = group
        .limit_bytes
        .filter(|_| group.usage.len() >= FEWEST_POINTS)
    else {
        return Outcome::NotEnoughData(
            "a memory limit, and the control group's usage over time, are needed".to_owned(),
        );
    };
    let at_limit: Vec<&Usage> = group
        .usage
        .iter()
        .filter(|u| u.usage_bytes >= AT_LIMIT * limit)
        .collect();
    let by_cache: Vec<&&Usage> = at_limit
        .iter()
        .filter(|u| u.usage_bytes - u.file_bytes <= OWN * limit)
        .collect();
    let share = by_cache.len() as f64 / group.usage.len() as f64;
    let (Some(first), Some(last)) = (by_cache.first(), by_cache.last()) else {
        return Outcome::Absent;
    };
    if share < TIME || by_cache.len() * 2 < at_limit.len() || group.oom_kills > 0 {
        return Outcome::Absent;
    }
    let most = |of: fn(&Usage) -> f64| by_cache.iter().map(|u| of(u)).fold(0.0, f64::max);
    let own = most(|u| u.usage_bytes - u.file_bytes);
    let working_set = most(|u| u.working_set_bytes);
    let series = |name, of: fn(&Usage) -> f64| {
        let points = group.usage.iter().map(|u| Point::new(u.at_s, of(u)));
        super::series(name, "bytes", points.collect())
    };
    Outcome::Found(Finding {
        pattern: NAME,
        summary: format!(
            "usage stands at the limit of {} for {} of the time, but the processes' own memory is {} at most; the rest is page cache, which the kernel drops when it needs room",
            figures::bytes(limit),
            figures::percent(share),
            figures::bytes(own)
        ),
        advice: format!(
            "no larger heap and no larger limit is needed for the processes: look at the working set ({} at most, as Kubernetes counts it) and at what is written or read (logs, temporary files); reads slow down when the cache is too small",
            figures::bytes(working_set)
        ),
        from_s: first.at_s,
        to_s: last.at_s,
        figures: vec![
            figure("limit_bytes", limit),
            figure("at_limit_share", share),
            figure("own_bytes", own),
            figure("working_set_bytes", working_set),
        ],
        evidence: vec![
            series("usage", |u| u.usage_bytes),
            series("page cache", |u| u.file_bytes),
            series("working set", |u| u.working_set_bytes),
        ],
    })
}

#[cfg(test)]
mod tests {
    use super::super::synthetic::MIB;
    use super::*;

    fn group(own: impl Fn(f64) -> f64, file: impl Fn(f64) -> f64, oom_kills: u64) -> Group {
        let limit = 256.0 * MIB;
        let usage = (0..60)
            .map(f64::from)
            .map(|at_s| {
                let file_bytes = file(at_s) * MIB;
                let usage_bytes = (own(at_s) * MIB + file_bytes).min(limit);
                Usage {
                    at_s,
                    usage_bytes,
                    file_bytes,
                    working_set_bytes: usage_bytes - 0.9 * file_bytes,
                }
            })
            .collect();
        Group {
            limit_bytes: Some(limit),
            usage,
            oom_kills,
        }
    }

    #[test]
    fn a_log_that_fills_the_cache_is_found_and_a_heap_at_the_limit_is_not() {
        let outcome = look(&group(|_| 120.0, |t| (10.0 * t).min(136.0), 0));
        let finding = outcome.found().unwrap();
        assert_eq!(finding.figures[2].value, 120.0 * MIB);
        assert!((12.0..16.0).contains(&finding.from_s), "{finding:?}");
        assert_eq!(
            look(&group(|t| (100.0 + 5.0 * t).min(246.0), |_| 10.0, 0)),
            Outcome::Absent
        );
        assert_eq!(look(&group(|_| 100.0, |_| 40.0, 0)), Outcome::Absent);
        assert_eq!(look(&group(|_| 120.0, |_| 136.0, 1)), Outcome::Absent);
        assert!(matches!(look(&Group::default()), Outcome::NotEnoughData(_)));
    }
}
