//! Whether pods are slow when they are new: a JVM that has just begun has compiled little.
//!
//! Requests of one pod are no independent observations: what makes one slow makes the next slow,
//! too. So a pod is one observation: in how many of the new pods was the part of slow requests
//! larger while they were young? By chance it would be in half of them (sign test). Times count
//! from the first byte that was sent: what a request waited before for a pod to be there is not the
//! pod's.

use crate::felt::{ENOUGH_FOR_P99, quantile};
use crate::lives::{Life, Phase};
use crate::{Request, Window};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use tacho_clock::SECOND;

/// A pod is young for so long.
const YOUNG: u64 = 10 * SECOND;

/// Requests needed in a part of a pod's life before that part is judged.
const FEWEST: u64 = 10;

/// The accepted chance of saying that new pods are slow when they are not.
const ERROR_RATE: f64 = 0.05;

/// How long a pod had taken traffic.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum Age {
    /// Less than a second, or not named by the endpoints yet.
    FirstSecond,
    /// From one second to ten.
    ToTenSeconds,
    /// From ten seconds to a minute.
    ToAMinute,
    /// Longer than a minute, or the pod was there before anything was changed.
    Longer,
}

/// Requests that went to pods of one age, and how long they took.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Young {
    /// How long they had taken traffic.
    pub age: Age,
    /// Requests with a good answer, of those whose pod was seen.
    pub requests: u64,
    /// Those that took longer than any before the first change.
    pub slower_than_any_before: u64,
    /// Median time from sent to answered, in milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub p50_ms: Option<f64>,
    /// 99th percentile; absent below 100 requests.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub p99_ms: Option<f64>,
    /// The longest.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub longest_ms: Option<f64>,
}

/// Whether pods are slow when they are new.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
pub struct Youth {
    /// By age; empty where no request's pod was seen.
    pub ages: Vec<Young>,
    /// New pods that could be judged: with enough requests, and not the same share of slow ones in
    /// the first ten seconds as later.
    pub judged: u32,
    /// Pods among those in which the share of slow requests was larger in the first ten seconds
    /// than later.
    pub slower_when_young: u32,
    /// Whether that is more than chance would explain (sign test, 5 %).
    pub is_told: bool,
}

/// Of the requests within changes whose pod was seen. The first window is before anything was
/// changed.
#[must_use]
pub fn young(requests: &[Request], lives: &[Life], windows: &[Window]) -> Youth {
    let Some((before, changes)) = windows.split_first() else {
        return Youth::default();
    };
    let good = || requests.iter().filter(|one| one.is_good);
    let within = good().filter(|one| before.holds(one.intended_ns));
    let longest = within.map(Request::service_ns).max().unwrap_or(u64::MAX);
    let mut times: BTreeMap<Age, Vec<u64>> = BTreeMap::new();
    let mut pods: BTreeMap<&str, ByPod> = BTreeMap::new();
    let changed = |one: &&Request| changes.iter().any(|window| window.holds(one.intended_ns));
    for one in good().filter(changed) {
        let Some(life) = one.pod(lives) else { continue };
        let took = one.service_ns();
        let since = age_ns(life, one.intended_ns);
        times.entry(age(since)).or_default().push(took);
        if life.is_new() {
            let by_pod = pods.entry(&life.pod).or_default();
            by_pod.count(since.is_some_and(|since| since < YOUNG), took > longest);
        }
    }
    let judged: Vec<bool> = pods.values().filter_map(ByPod::is_slower_young).collect();
    let slower = judged.iter().filter(|slower| **slower).count() as u32;
    let judged = judged.len() as u32;
    Youth {
        ages: times
            .into_iter()
            .map(|(age, times)| of_age(age, times, longest))
            .collect(),
        judged,
        slower_when_young: slower,
        is_told: judged > 0 && at_least(slower, judged) <= ERROR_RATE,
    }
}

/// Since it takes traffic; `None`: for longer than was watched.
fn age_ns(life: &Life, at_ns: u64) -> Option<u64> {
    let since = match life.at(Phase::TakesTraffic) {
        Some(from) => at_ns.saturating_sub(from),
        None => 0,
    };
    life.is_new().then_some(since)
}

fn age(since: Option<u64>) -> Age {
    match since {
        Some(ns) if ns < SECOND => Age::FirstSecond,
        Some(ns) if ns < YOUNG => Age::ToTenSeconds,
        Some(ns) if ns < 60 * SECOND => Age::ToAMinute,
        _ => Age::Longer,
    }
}

fn of_age(age: Age, mut times: Vec<u64>, longest_before: u64) -> Young {
    times.sort_unstable();
    let slower = times.len() - times.partition_point(|time| *time <= longest_before);
    Young {
        age,
        requests: times.len() as u64,
        slower_than_any_before: slower as u64,
        p50_ms: quantile(&times, 0.5),
        p99_ms: quantile(&times, 0.99).filter(|_| times.len() >= ENOUGH_FOR_P99),
        longest_ms: times.last().copied().map(tacho_clock::to_ms),
    }
}

/// Requests of a pod, and the slow ones of them: while it was young, and later.
#[derive(Debug, Default)]
struct ByPod {
    young: (u64, u64),
    later: (u64, u64),
}

impl ByPod {
    fn count(&mut self, is_young: bool, is_slow: bool) {
        let (all, slow) = match is_young {
            true => (&mut self.young.0, &mut self.young.1),
            false => (&mut self.later.0, &mut self.later.1),
        };
        *all += 1;
        *slow += u64::from(is_slow);
    }

    /// `None` where one of both parts is too short, or none was slower.
    fn is_slower_young(&self) -> Option<bool> {
        let ((young, slow_young), (later, slow_later)) = (self.young, self.later);
        if young < FEWEST || later < FEWEST {
            return None;
        }
        // a / b against c / d, without a division.
        let (left, right) = (slow_young * later, slow_later * young);
        (left != right).then_some(left > right)
    }
}

/// The chance that at least so many of `n` fair coins show heads.
fn at_least(heads: u32, n: u32) -> f64 {
    let mut all = 0.0;
    let mut ways = 1.0;
    for k in 0..=n {
        if k >= heads {
            all += ways;
        }
        ways *= f64::from(n - k) / f64::from(k + 1);
    }
    all * 0.5_f64.powi(i32::try_from(n).unwrap_or(i32::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::IpAddr;

    fn ip(last: u8) -> IpAddr {
        [10, 244, 0, last].into()
    }

    /// Made ten seconds after the one before, and taking traffic two seconds later.
    fn pods(count: u8) -> Vec<Life> {
        (0..count)
            .map(|n| {
                let made = u64::from(n) * 10 * SECOND;
                let at = [
                    (Phase::Made, made),
                    (Phase::Running, made + SECOND),
                    (Phase::TakesTraffic, made + 2 * SECOND),
                ];
                Life {
                    pod: format!("p{n}"),
                    phases: at.into(),
                    ip: Some(ip(n)),
                    ..Life::default()
                }
            })
            .collect()
    }

    fn windows() -> Vec<Window> {
        [("before", 0, 1, false), ("restart 1", 1, 10_000, true)]
            .map(|(name, from, to, is_change)| Window {
                name: name.to_owned(),
                from_ns: from * SECOND,
                to_ns: to * SECOND,
                is_change,
            })
            .into()
    }

    /// Ten a second to each pod for half a minute; `ms` of the seconds since it takes traffic.
    fn requests(pods: &[Life], ms: impl Fn(u64) -> u64) -> Vec<Request> {
        let one = |at_ns: u64, ms: u64, to| Request {
            intended_ns: at_ns,
            sent_ns: Some(at_ns),
            end_ns: at_ns + ms * 1_000_000,
            is_good: true,
            outcome: "200".to_owned(),
            to,
            ..Request::default()
        };
        let mut all = vec![one(SECOND / 2, 5, None)];
        for pod in pods {
            let from = pod.at(Phase::TakesTraffic).unwrap();
            let to_pod = (0..300).map(|n| one(from + n * SECOND / 10, ms(n / 10), pod.ip));
            all.extend(to_pod);
        }
        all
    }

    #[test]
    fn pods_that_are_slow_when_new_are_told() {
        let pods = pods(6);
        let requests = requests(&pods, |s| if s < 3 { 80 } else { 4 });
        let found = young(&requests, &pods, &windows());
        assert_eq!((found.judged, found.slower_when_young), (6, 6));
        assert!(found.is_told);
        let ages: Vec<(Age, u64, u64)> = found
            .ages
            .iter()
            .map(|age| (age.age, age.requests, age.slower_than_any_before))
            .collect();
        let expected = [
            (Age::FirstSecond, 60, 60),
            (Age::ToTenSeconds, 540, 120),
            (Age::ToAMinute, 1_200, 0),
        ];
        assert_eq!(ages, expected);
        assert_eq!(found.ages[0].p99_ms, None, "of 60 it would be the longest");
    }

    #[test]
    fn of_few_pods_nothing_is_told() {
        let pods = pods(4);
        let requests = requests(&pods, |s| if s < 3 { 80 } else { 4 });
        let found = young(&requests, &pods, &windows());
        assert_eq!((found.judged, found.slower_when_young), (4, 4));
        assert!(!found.is_told, "half of a half, four times, is 6 %");
    }

    #[test]
    fn pods_that_are_as_slow_later_are_not_told() {
        let pods = pods(8);
        let requests = requests(&pods, |s| if s % 2 == 0 { 80 } else { 4 });
        let found = young(&requests, &pods, &windows());
        assert_eq!(found.judged, 0, "no pod differs");
        assert!(!found.is_told);
    }

    #[test]
    fn what_was_not_seen_is_not_judged() {
        let pods = pods(6);
        let mut requests = requests(&pods, |s| if s < 3 { 80 } else { 4 });
        requests.iter_mut().for_each(|one| one.to = None);
        assert_eq!(young(&requests, &pods, &windows()), Youth::default());
        assert_eq!(young(&requests, &pods, &[]), Youth::default());
    }

    #[test]
    fn coins() {
        assert!((at_least(5, 5) - 1.0 / 32.0).abs() < 1e-12);
        assert!((at_least(0, 7) - 1.0).abs() < 1e-12);
        assert!((at_least(4, 5) - 6.0 / 32.0).abs() < 1e-12);
    }
}
