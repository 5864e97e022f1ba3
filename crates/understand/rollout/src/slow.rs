//! Requests that were answered and took longer than any before the first change: where their time
//! went, and what their pod was doing. That is a fact about each of them and no proof of a cause;
//! whether pods are slow when they are new is told by [`crate::young`].

use crate::lives::{Life, Phase};
use crate::lost::{PodWas, To, begins_for};
use crate::{Request, Window};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use tacho_clock::{SECOND, to_ms, to_seconds};

/// A pod is young for so long, as in [`crate::young`].
const YOUNG: u64 = 10 * SECOND;

/// The most slow requests that are listed one by one, the longest first.
const KEPT: usize = 1_000;

/// What is known of why a request was slow.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum Because {
    /// It went to a pod that had taken traffic for less than ten seconds: its code is cold.
    Cold,
    /// It went to a pod that had been told to end.
    EndingPod,
    /// It waited longer for a free connection than for its answer.
    Waited,
    /// It is not known which pod it went to, and some pod had taken traffic for less than ten
    /// seconds.
    WhilePodsChange,
    /// None of these.
    Unexplained,
}

/// A request that was slow.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Slow {
    /// Name of the window in which the request was due.
    pub window: String,
    /// Seconds since the beginning of that window.
    pub at_s: f64,
    /// From when the request was due to its answer, in milliseconds.
    pub response_ms: f64,
    /// The part of it before the request was sent, in milliseconds: no connection was free, or a
    /// new one had to be made.
    pub waited_ms: f64,
    /// What is known of why it was slow.
    pub because: Because,
    /// The pod that it went to, where that was seen.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub to: Option<To>,
    /// How long that pod had taken traffic, in seconds; absent for a pod that was there before, and
    /// where it is not known.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub pod_age_s: Option<f64>,
    /// For how long its connection had been there when it was answered, in seconds.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub connection_age_s: Option<f64>,
}

/// All slow requests.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
pub struct AllSlow {
    /// Number of slow requests, by what is known of why.
    pub by: BTreeMap<Because, u64>,
    /// The slowest requests, at most 1,000, the slowest first.
    pub longest: Vec<Slow>,
    /// Number of slow requests that are counted in `by` and not listed in `longest`; absent when
    /// all are.
    #[serde(skip_serializing_if = "is_zero", default)]
    pub left_out: u64,
}

fn is_zero(number: &u64) -> bool {
    *number == 0
}

/// Of the windows in which something was changed. The first window is before anything was.
#[must_use]
pub fn slow(
    requests: &[Request],
    lives: &[Life],
    windows: &[Window],
    has_readiness_probe: bool,
) -> AllSlow {
    let Some((before, changes)) = windows.split_first() else {
        return AllSlow::default();
    };
    let good = || requests.iter().filter(|one| one.is_good);
    let within = good().filter(|one| before.holds(one.intended_ns));
    // Where nobody was answered before, nothing is known to compare with.
    let Some(longest) = within.map(Request::response_ns).max() else {
        return AllSlow::default();
    };
    let begins_for = begins_for(has_readiness_probe);
    // Millions may be slow: what is told of one is written down for those alone that are listed.
    let mut all: Vec<(&Request, &Window)> = good()
        .filter(|one| one.response_ns() > longest)
        .filter_map(|one| {
            let mut windows = changes.iter();
            let window = windows.find(|window| window.holds(one.intended_ns))?;
            Some((one, window))
        })
        .collect();
    let mut by = BTreeMap::new();
    for (one, _) in &all {
        let because = because(one, waited_ns(one), one.pod(lives), lives);
        *by.entry(because).or_default() += 1;
    }
    all.sort_by_key(|(one, _)| std::cmp::Reverse(one.response_ns()));
    AllSlow {
        by,
        left_out: all.len().saturating_sub(KEPT) as u64,
        longest: all
            .into_iter()
            .take(KEPT)
            .map(|(one, window)| of(one, window, lives, begins_for))
            .collect(),
    }
}

/// From when it was due to when it was sent.
fn waited_ns(one: &Request) -> u64 {
    one.response_ns() - one.service_ns().min(one.response_ns())
}

fn of(one: &Request, window: &Window, lives: &[Life], begins_for: u64) -> Slow {
    let pod = one.pod(lives);
    let waited_ns = waited_ns(one);
    Slow {
        window: window.name.clone(),
        at_s: to_seconds(one.intended_ns.saturating_sub(window.from_ns)),
        response_ms: to_ms(one.response_ns()),
        waited_ms: to_ms(waited_ns),
        because: because(one, waited_ns, pod, lives),
        to: pod.map(|life| To {
            pod: life.pod.clone(),
            was: PodWas::of(life, one.end_ns, begins_for),
        }),
        pod_age_s: pod
            .and_then(|life| age_ns(life, one.end_ns))
            .map(to_seconds),
        connection_age_s: one
            .connected_ns
            .map(|since| to_seconds(one.end_ns.saturating_sub(since))),
    }
}

fn because(one: &Request, waited_ns: u64, pod: Option<&Life>, lives: &[Life]) -> Because {
    let is_new = |life: &Life| age_ns(life, one.end_ns).is_some_and(|age| age < YOUNG);
    let is_young = |life: &Life| is_new(life) || is_restarted(life, one.end_ns);
    // The time before a request was sent is not the fault of any pod.
    if waited_ns > one.response_ns() / 2 {
        return Because::Waited;
    }
    match pod {
        Some(life) if life.at(Phase::Ending).is_some_and(|at| at <= one.end_ns) => {
            Because::EndingPod
        }
        Some(life) if is_young(life) => Because::Cold,
        Some(_) => Because::Unexplained,
        None if lives.iter().any(is_young) => Because::WhilePodsChange,
        None => Because::Unexplained,
    }
}

/// A container of it was started anew, and since then it has taken traffic for less than ten
/// seconds.
fn is_restarted(life: &Life, at_ns: u64) -> bool {
    let takes_again = |restarted: &u64| {
        let back = life.back_ns.iter().find(|back| *back >= restarted);
        back.copied().unwrap_or(*restarted)
    };
    let mut since = life.restarted_ns.iter().map(takes_again);
    since.any(|since| at_ns.checked_sub(since).is_some_and(|age| age < YOUNG))
}

/// For how long a new pod has taken traffic; `None` of one that was there before.
fn age_ns(life: &Life, at_ns: u64) -> Option<u64> {
    let from = life.at(Phase::TakesTraffic)?;
    life.is_new().then(|| at_ns.saturating_sub(from))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::{IpAddr, Ipv4Addr};

    const POD: IpAddr = IpAddr::V4(Ipv4Addr::new(10, 0, 0, 9));

    fn request(at_ms: u64, waited_ms: u64, served_ms: u64) -> Request {
        let ms = |ms: u64| ms * 1_000_000;
        Request {
            intended_ns: ms(at_ms),
            sent_ns: Some(ms(at_ms + waited_ms)),
            end_ns: ms(at_ms + waited_ms + served_ms),
            is_good: true,
            outcome: "200".to_owned(),
            ..Request::default()
        }
    }

    fn windows() -> Vec<Window> {
        [("before", 0, 10, false), ("restart 1", 10, 60, true)]
            .map(|(name, from_s, to_s, is_change)| Window {
                name: name.to_owned(),
                from_ns: from_s * SECOND,
                to_ns: to_s * SECOND,
                is_change,
            })
            .into()
    }

    /// It took traffic from 20 s on, and was told to end at 50 s.
    fn lives() -> Vec<Life> {
        vec![Life {
            pod: "new".to_owned(),
            ip: Some(POD),
            phases: [
                (Phase::Made, 15),
                (Phase::Running, 17),
                (Phase::TakesTraffic, 20),
                (Phase::Ending, 50),
            ]
            .map(|(phase, s)| (phase, s * SECOND))
            .into(),
            ..Life::default()
        }]
    }

    fn told(one: Request) -> AllSlow {
        slow(&[request(1_000, 0, 5), one], &lives(), &windows(), true)
    }

    fn to_pod(one: Request) -> Request {
        Request {
            to: Some(POD),
            ..one
        }
    }

    #[test]
    fn each_is_told_by_where_its_time_went_and_what_its_pod_did() {
        for (one, because) in [
            (to_pod(request(21_000, 0, 300)), Because::Cold),
            (to_pod(request(40_000, 0, 300)), Because::Unexplained),
            (to_pod(request(51_000, 0, 300)), Because::EndingPod),
            // Of a cold pod, too, it is the queue that took the time.
            (to_pod(request(21_000, 300, 5)), Because::Waited),
            (request(21_000, 0, 300), Because::WhilePodsChange),
            (request(40_000, 0, 300), Because::Unexplained),
        ] {
            let all = told(one.clone());
            assert_eq!(all.by, [(because, 1)].into(), "{one:?}");
            assert_eq!(all.longest[0].because, because);
            assert_eq!(all.longest[0].window, "restart 1");
        }
        let cold = told(to_pod(request(21_000, 0, 300)));
        assert!((cold.longest[0].pod_age_s.unwrap() - 1.3).abs() < 1e-9);
    }

    /// It was there before, its container was restarted at 20 s, and took traffic again at 30 s.
    #[test]
    fn a_container_that_was_started_anew_is_cold_as_one_of_a_new_pod_is() {
        let restarted = [Life {
            pod: "old".to_owned(),
            ip: Some(POD),
            phases: [(Phase::Made, 0), (Phase::TakesTraffic, 0)].into(),
            restarted_ns: vec![20 * SECOND],
            back_ns: vec![30 * SECOND],
            ..Life::default()
        }];
        let because = |one: Request| {
            let all = [request(1_000, 0, 5), one];
            let found = slow(&all, &restarted, &windows(), true);
            found.longest[0].because
        };
        assert_eq!(because(to_pod(request(31_000, 0, 300))), Because::Cold);
        assert_eq!(
            because(to_pod(request(45_000, 0, 300))),
            Because::Unexplained
        );
        assert_eq!(because(request(31_000, 0, 300)), Because::WhilePodsChange);
        assert_eq!(because(request(45_000, 0, 300)), Because::Unexplained);
    }

    #[test]
    fn the_slowest_thousand_are_listed_and_the_others_are_counted() {
        let seen = |number: u64| {
            let mut all = vec![request(1_000, 0, 5)];
            all.extend((0..number).map(|n| Request {
                connected_ns: Some(19 * SECOND),
                ..to_pod(request(21_000, 0, 100 + n))
            }));
            slow(&all, &lives(), &windows(), true)
        };
        let whole = seen(1_000);
        assert_eq!((whole.longest.len(), whole.left_out), (1_000, 0));
        let part = seen(1_007);
        assert_eq!((part.longest.len(), part.left_out), (1_000, 7));
        assert_eq!(part.by, [(Because::Cold, 1_007)].into());
        let (first, last) = (&part.longest[0], &part.longest[999]);
        assert_eq!((first.response_ms, last.response_ms), (1_106.0, 107.0));
        let to = last.to.as_ref().unwrap();
        assert_eq!((to.pod.as_str(), to.was), ("new", PodWas::Starting));
        assert!((last.connection_age_s.unwrap() - 2.107).abs() < 1e-9);
    }

    #[test]
    fn what_was_as_slow_before_or_comes_before_is_not_told() {
        assert_eq!(told(request(21_000, 0, 5)), AllSlow::default());
        assert_eq!(told(request(2_000, 0, 3)), AllSlow::default());
        // Nobody was answered before.
        let alone = [request(21_000, 0, 300)];
        assert_eq!(slow(&alone, &lives(), &windows(), true), AllSlow::default());
    }
}
