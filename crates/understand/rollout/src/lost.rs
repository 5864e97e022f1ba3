//! Requests that were lost, each with what was going on just then. Where it was seen which pod the
//! connection led to, it is told of that pod. Else a suspicion is a fact about time and about the
//! connection, not a proof.

use crate::lives::{Life, Phase};
use crate::{Request, Window};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use tacho_clock::{SECOND, to_seconds};

/// Proxies on nodes follow the endpoints in about this time: kube-proxy writes its rules at most
/// once a second (`iptables.minSyncPeriod`), and waits for the API before.
const PROXY: u64 = 2 * SECOND;

/// Without a readiness probe a pod takes traffic as soon as its container runs, and a JVM on little
/// processor time takes so long until it listens.
const UNPROBED: u64 = 60 * SECOND;

/// What was going on when a request was lost.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum Suspicion {
    /// No pod took traffic.
    NobodyTakesTraffic,
    /// A container was started anew.
    Restarted,
    /// The request was on a new connection while a pod was ending: the proxy still sent it there.
    NewToEndingPod,
    /// The request was on a connection that had carried requests before, while a pod was ending:
    /// the pod closed it.
    KeptByEndingPod,
    /// The request was on a new connection while a pod had just begun to take traffic: the pod may
    /// not have listened yet.
    NewToStartingPod,
    /// A new connection, while one pod was ending and another had just begun.
    NewWhilePodsChange,
    /// A pod answered with a status of 400 or above when it was starting, and such answers were not
    /// seen before the first change: it may be called ready too early.
    AnsweredByStartingPod,
    /// The service answered, with a status of 400 or above.
    Answered,
    /// Nothing changed just then.
    Unexplained,
}

/// One request that was lost.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Lost {
    /// Name of the window in which the request was due.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub window: Option<String>,
    /// Seconds since the beginning of that window.
    pub at_s: f64,
    /// Time from when the request was due to its end, in seconds.
    pub waited_s: f64,
    /// `connection-reset`, `timeout`, `503`.
    pub outcome: String,
    /// Whether the request had been sent.
    pub was_sent: bool,
    /// What was going on.
    pub suspicion: Suspicion,
    /// The pods that `suspicion` is about.
    pub pods: Vec<String>,
    /// The pod that the connection led to, where that was seen.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub to: Option<To>,
    /// For how long the connection had been established when the request was lost, in seconds;
    /// absent where it never was, or where that is not known.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub connection_age_s: Option<f64>,
}

/// The pod that a request was sent to.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct To {
    /// Its name.
    pub pod: String,
    /// In which part of its life it was when the request ended.
    pub was: PodWas,
}

/// A part of a pod's life.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum PodWas {
    /// It had just begun to take traffic, or was not named by the endpoints yet.
    Starting,
    /// It took traffic.
    Serving,
    /// It had been told to end.
    Ending,
    /// It was no longer there.
    Gone,
}

impl PodWas {
    pub(crate) fn of(life: &Life, at_ns: u64, begins_for: u64) -> Self {
        let is_past = |phase| life.at(phase).is_some_and(|at| at <= at_ns);
        let until = life.at(Phase::TakesTraffic).map(|from| from + begins_for);
        match () {
            () if is_past(Phase::Gone) => Self::Gone,
            () if is_past(Phase::Ending) => Self::Ending,
            () if life.is_new() && until.is_none_or(|until| at_ns < until) => Self::Starting,
            () => Self::Serving,
        }
    }
}

/// For how long a pod counts as one that has just begun to take traffic.
pub(crate) fn begins_for(has_readiness_probe: bool) -> u64 {
    if has_readiness_probe { PROXY } else { UNPROBED }
}

/// Each request that was lost, in the order in which they were wanted.
#[must_use]
pub fn lost(
    requests: &[Request],
    lives: &[Life],
    windows: &[Window],
    has_readiness_probe: bool,
) -> Vec<Lost> {
    let begins_for = begins_for(has_readiness_probe);
    let first_ends = first_ends(requests);
    let mut lost: Vec<&Request> = requests.iter().filter(|one| !one.is_good).collect();
    lost.sort_by_key(|one| one.intended_ns);
    let usual = usual(&lost, lives, windows, begins_for);
    let of = |one: &Request| {
        let window = windows.iter().find(|window| window.holds(one.intended_ns));
        let from_ns = window.map_or(0, |window| window.from_ns);
        let to = one.pod(lives);
        let first_end = one.connected_ns.and_then(|since| first_ends.get(&since));
        let is_first = first_end == Some(&one.end_ns);
        let is_usual = usual.contains(one.outcome.as_str());
        let (suspicion, pods) = match to {
            Some(life) if is_answer(one) && !is_usual && is_starting(one, life, begins_for) => {
                (Suspicion::AnsweredByStartingPod, vec![life])
            }
            _ => {
                let lives = to.map_or(lives, std::slice::from_ref);
                suspicion(one, is_first, lives, begins_for)
            }
        };
        Lost {
            window: window.map(|window| window.name.clone()),
            at_s: to_seconds(one.intended_ns.saturating_sub(from_ns)),
            waited_s: to_seconds(one.response_ns()),
            outcome: one.outcome.clone(),
            was_sent: one.sent_ns.is_some(),
            suspicion,
            pods: pods.iter().map(|life| life.pod.clone()).collect(),
            to: to.map(|life| To {
                pod: life.pod.clone(),
                was: PodWas::of(life, one.end_ns, begins_for),
            }),
            connection_age_s: one
                .connected_ns
                .map(|since| to_seconds(one.end_ns.saturating_sub(since))),
        }
    };
    lost.into_iter().map(of).collect()
}

/// Whether it was lost by an answer, and not for want of one.
fn is_answer(one: &Request) -> bool {
    one.outcome.parse::<u16>().is_ok()
}

fn is_starting(one: &Request, life: &Life, begins_for: u64) -> bool {
    PodWas::of(life, one.end_ns, begins_for) == PodWas::Starting
}

/// What came of requests that were lost before the first change, other than by pods that were
/// starting: the service answers so whatever is done with its pods.
fn usual<'r>(
    lost: &[&'r Request],
    lives: &[Life],
    windows: &[Window],
    begins_for: u64,
) -> BTreeSet<&'r str> {
    let Some(before) = windows.first().filter(|first| !first.is_change) else {
        return BTreeSet::new();
    };
    let by_starting = |one: &Request| {
        let to = one.pod(lives);
        to.is_some_and(|life| is_starting(one, life, begins_for))
    };
    let lost = lost.iter().copied();
    let before = lost.filter(|one| before.holds(one.intended_ns) && !by_starting(one));
    before.map(|one| one.outcome.as_str()).collect()
}

/// When the first request on a connection ended, by the instant at which the connection was made.
/// Of connections on which a request was lost.
fn first_ends(requests: &[Request]) -> BTreeMap<u64, u64> {
    let lost = requests.iter().filter(|one| !one.is_good);
    let lost = lost.filter_map(|one| Some((one.connected_ns?, one.end_ns)));
    let mut ends: BTreeMap<u64, u64> = lost.collect();
    for one in requests {
        if let Some(since) = one.connected_ns
            && let Some(end) = ends.get_mut(&since)
        {
            *end = one.end_ns.min(*end);
        }
    }
    ends
}

/// A pod begins for so long once the endpoints name it. All lives, or that of the pod that it was
/// sent to. `is_first`: no other request had been answered on its connection.
fn suspicion<'l>(
    one: &Request,
    is_first: bool,
    lives: &'l [Life],
    begins_for: u64,
) -> (Suspicion, Vec<&'l Life>) {
    if is_answer(one) {
        return (Suspicion::Answered, Vec::new());
    }
    let during = |from: u64, to: u64| from <= one.end_ns && one.intended_ns <= to;
    let restarted: Vec<&Life> = lives
        .iter()
        .filter(|life| {
            let mut all = life.restarted_ns.iter();
            // The API tells it after the container has ended: the request was lost before.
            all.any(|at| during(at.saturating_sub(5 * SECOND), *at))
        })
        .collect();
    if !restarted.is_empty() {
        return (Suspicion::Restarted, restarted);
    }
    let ends = |life: &Life| life.at(Phase::Ending).or(life.at(Phase::Gone));
    let ending: Vec<&Life> = lives
        .iter()
        .filter(|life| {
            let until = life.at(Phase::Gone).map_or(u64::MAX, |gone| gone + PROXY);
            ends(life).is_some_and(|from| during(from, until))
        })
        .collect();
    let starting: Vec<&Life> = lives
        .iter()
        .filter(|life| {
            let from = life.at(Phase::TakesTraffic);
            // What was there before anything was told may have begun long ago.
            let until = if life.is_new() { begins_for } else { PROXY };
            from.is_some_and(|from| during(from, from + until))
        })
        .collect();
    // A connection that carried nothing before, made after these pods had been told to end.
    let last = ending.iter().filter_map(|life| ends(life)).max();
    let is_late = |since: u64| is_first && last.is_some_and(|last| last <= since);
    let is_new = one.had_no_connection() || one.connected_ns.is_some_and(is_late);
    match (is_new, ending.is_empty(), starting.is_empty()) {
        (true, _, _)
            if one.to.is_none() && one.connected_ns.is_none() && had_nowhere_to_go(one, lives) =>
        {
            (Suspicion::NobodyTakesTraffic, Vec::new())
        }
        (true, false, false) => (Suspicion::NewWhilePodsChange, [ending, starting].concat()),
        (true, false, true) => (Suspicion::NewToEndingPod, ending),
        (true, true, false) => (Suspicion::NewToStartingPod, starting),
        (false, false, _) => (Suspicion::KeptByEndingPod, ending),
        _ => (Suspicion::Unexplained, Vec::new()),
    }
}

/// Whether at some instant of its wait no pod took traffic. Without a Service nothing is told of
/// endpoints, so it is not known.
fn had_nowhere_to_go(one: &Request, lives: &[Life]) -> bool {
    let span = |life: &Life| {
        let to = life.at(Phase::TakesNoMore).unwrap_or(u64::MAX);
        Some((life.at(Phase::TakesTraffic)?, to))
    };
    let mut spans: Vec<(u64, u64)> = lives.iter().filter_map(span).collect();
    spans.sort_unstable();
    let mut until = one.intended_ns;
    for (from, to) in &spans {
        if *from <= until {
            until = until.max(*to);
        }
    }
    !spans.is_empty() && until <= one.end_ns
}

#[cfg(test)]
mod tests {
    use super::*;

    fn life(pod: &str, phases: &[(Phase, u64)]) -> Life {
        Life {
            pod: pod.to_owned(),
            phases: phases
                .iter()
                .map(|(phase, s)| (*phase, s * SECOND))
                .collect(),
            ..Life::default()
        }
    }

    fn failed(at_s: u64, was_sent: bool) -> Request {
        Request {
            intended_ns: at_s * SECOND,
            sent_ns: was_sent.then_some(at_s * SECOND),
            end_ns: at_s * SECOND + 1_000_000,
            is_good: false,
            outcome: "connection-reset".to_owned(),
            ..Request::default()
        }
    }

    fn lives() -> Vec<Life> {
        let stays = life("stays", &[(Phase::TakesTraffic, 0)]);
        let old = life(
            "old",
            &[
                (Phase::TakesTraffic, 0),
                (Phase::Ending, 20),
                (Phase::TakesNoMore, 21),
                (Phase::Gone, 30),
            ],
        );
        let new = life("new", &[(Phase::Made, 5), (Phase::TakesTraffic, 10)]);
        vec![stays, old, new]
    }

    #[test]
    fn each_is_held_against_the_lives_of_that_time() {
        let seen = |one: Request| {
            let lives = lives();
            let (suspicion, pods) = suspicion(&one, false, &lives, PROXY);
            let pods: Vec<String> = pods.iter().map(|life| life.pod.clone()).collect();
            (suspicion, pods.join(" "))
        };
        let is = |suspicion, pods: &str| (suspicion, pods.to_owned());
        assert_eq!(seen(failed(2, true)), is(Suspicion::Unexplained, ""));
        assert_eq!(
            seen(failed(11, false)),
            is(Suspicion::NewToStartingPod, "new")
        );
        assert_eq!(seen(failed(11, true)), is(Suspicion::Unexplained, ""));
        assert_eq!(
            seen(failed(22, false)),
            is(Suspicion::NewToEndingPod, "old")
        );
        assert_eq!(
            seen(failed(29, true)),
            is(Suspicion::KeptByEndingPod, "old")
        );
        assert_eq!(
            seen(failed(31, false)),
            is(Suspicion::NewToEndingPod, "old")
        );
        assert_eq!(seen(failed(40, false)), is(Suspicion::Unexplained, ""));
    }

    #[test]
    fn without_a_readiness_probe_a_pod_begins_for_longer() {
        let new = life(
            "new",
            &[
                (Phase::Made, 5),
                (Phase::Running, 6),
                (Phase::TakesTraffic, 6),
            ],
        );
        let lives = std::slice::from_ref(&new);
        let seen = |begins_for| suspicion(&failed(15, false), false, lives, begins_for).0;
        assert_eq!(seen(PROXY), Suspicion::Unexplained);
        assert_eq!(seen(UNPROBED), Suspicion::NewToStartingPod);
    }

    #[test]
    fn an_answer_that_is_an_error_is_the_services_own() {
        let refused = Request {
            outcome: "503".to_owned(),
            ..failed(22, true)
        };
        let (suspicion, _) = suspicion(&refused, false, &lives(), PROXY);
        assert_eq!(suspicion, Suspicion::Answered);
    }

    /// It took traffic from 10 s on.
    fn begun() -> Life {
        let phases = [
            (Phase::Made, 5),
            (Phase::Running, 6),
            (Phase::Ready, 9),
            (Phase::TakesTraffic, 10),
        ];
        Life {
            ip: Some([10, 244, 0, 3u8].into()),
            ..life("new", &phases)
        }
    }

    fn answered_by_it(at_s: u64, outcome: &str) -> Request {
        Request {
            outcome: outcome.to_owned(),
            connected_ns: Some(at_s * SECOND),
            to: begun().ip,
            ..failed(at_s, true)
        }
    }

    #[test]
    fn an_error_of_a_pod_that_has_just_begun_is_told_as_such() {
        let seen = |one: Request, has_readiness_probe: bool| {
            let lost = lost(&[one], &[begun()], &[], has_readiness_probe);
            (lost[0].suspicion, lost[0].pods.join(" "))
        };
        let early = (Suspicion::AnsweredByStartingPod, "new".to_owned());
        let own = (Suspicion::Answered, String::new());
        // Before the endpoints named it, just after, and later.
        assert_eq!(seen(answered_by_it(9, "503"), true), early);
        assert_eq!(seen(answered_by_it(11, "404"), true), early);
        assert_eq!(seen(answered_by_it(13, "503"), true), own);
        assert_eq!(seen(answered_by_it(13, "503"), false), early);
        let unseen = Request {
            to: None,
            ..answered_by_it(11, "503")
        };
        assert_eq!(seen(unseen, true), own);
    }

    #[test]
    fn an_error_that_was_answered_before_the_first_change_is_the_services_own() {
        let windows = |change_s: u64| {
            [(0, change_s, false), (change_s, 40, true)].map(|(from_s, to_s, is_change)| Window {
                name: "w".to_owned(),
                from_ns: from_s * SECOND,
                to_ns: to_s * SECOND,
                is_change,
            })
        };
        let before = Request {
            to: None,
            ..answered_by_it(2, "404")
        };
        let requests = [before, answered_by_it(11, "404"), answered_by_it(11, "503")];
        let seen = lost(&requests, &[begun()], &windows(5), true);
        let seen: Vec<Suspicion> = seen.iter().map(|one| one.suspicion).collect();
        let (early, own) = (Suspicion::AnsweredByStartingPod, Suspicion::Answered);
        assert_eq!(seen, [own, own, early]);
        // The pods of an experiment begin in its first window.
        let fresh = lost(&[answered_by_it(11, "503")], &[begun()], &windows(20), true);
        assert_eq!(fresh[0].suspicion, early);
    }

    #[test]
    fn where_nobody_takes_traffic_no_pod_is_suspected() {
        let alone = [life(
            "alone",
            &[(Phase::TakesTraffic, 0), (Phase::TakesNoMore, 10)],
        )];
        let (suspicion, pods) = suspicion(&failed(12, false), false, &alone, PROXY);
        assert_eq!(suspicion, Suspicion::NobodyTakesTraffic);
        assert!(pods.is_empty());
    }

    #[test]
    fn where_one_pod_takes_over_from_another_there_was_always_somebody() {
        let waits = Request {
            end_ns: 12 * SECOND,
            ..failed(5, false)
        };
        let seen = |new_takes_s: u64| {
            let lives = [
                life("new", &[(Phase::TakesTraffic, new_takes_s)]),
                life("old", &[(Phase::TakesTraffic, 0), (Phase::TakesNoMore, 10)]),
            ];
            suspicion(&waits, false, &lives, PROXY).0
        };
        assert_eq!(seen(8), Suspicion::NewToStartingPod);
        assert_eq!(seen(10), Suspicion::NewToStartingPod);
        assert_eq!(seen(11), Suspicion::NobodyTakesTraffic);
    }

    #[test]
    fn a_connection_that_was_made_while_a_pod_ended_is_new_until_it_has_carried_a_request() {
        let over = |made_s: u64, at_s: u64| Request {
            connected_ns: Some(made_s * SECOND),
            ..failed(at_s, true)
        };
        let seen = |requests: &[Request]| lost(requests, &lives(), &[], true)[0].suspicion;
        assert_eq!(seen(&[over(22, 22)]), Suspicion::NewToEndingPod);
        assert_eq!(seen(&[over(15, 22)]), Suspicion::KeptByEndingPod);
        let answered = Request {
            is_good: true,
            outcome: "200".to_owned(),
            ..over(22, 23)
        };
        let kept = [answered, over(22, 26)];
        assert_eq!(seen(&kept), Suspicion::KeptByEndingPod);
    }

    /// The pod had closed the connection on which it was sent first.
    #[test]
    fn a_request_that_was_sent_again_and_found_no_connection_is_on_a_new_one() {
        let again = Request {
            never_connected: true,
            ..failed(22, true)
        };
        let lost = lost(&[again], &lives(), &[], true);
        assert_eq!(lost[0].suspicion, Suspicion::NewToEndingPod);
        assert!(lost[0].was_sent);
    }

    #[test]
    fn a_container_that_was_started_anew_is_suspected_first() {
        let mut lives = lives();
        lives[0].restarted_ns = vec![23 * SECOND];
        assert_eq!(
            suspicion(&failed(22, true), false, &lives, PROXY).0,
            Suspicion::Restarted
        );
    }

    /// By time alone the pod that ends would be suspected.
    #[test]
    fn where_it_was_seen_the_pod_is_the_one_that_the_connection_led_to() {
        let mut lives = lives();
        for (life, last) in lives.iter_mut().zip([1u8, 2, 3]) {
            life.ip = Some([10, 244, 0, last].into());
            life.phases.entry(Phase::Made).or_insert(0);
        }
        let sent_to = |last: u8| Request {
            to: Some([10, 244, 0, last].into()),
            connected_ns: Some(4 * SECOND),
            ..failed(22, true)
        };
        let requests = [sent_to(1), sent_to(2), failed(22, true)];
        let seen = lost(&requests, &lives, &[], true);
        let of = |one: &Lost| {
            let to = one.to.clone().map(|to| (to.pod, to.was));
            (one.suspicion, to)
        };
        let to = |pod: &str, was| Some((pod.to_owned(), was));
        let unexplained = Suspicion::Unexplained;
        let by_ending = Suspicion::KeptByEndingPod;
        assert_eq!(of(&seen[0]), (unexplained, to("stays", PodWas::Serving)));
        assert_eq!(of(&seen[1]), (by_ending, to("old", PodWas::Ending)));
        assert_eq!(of(&seen[2]), (by_ending, None));
        let age = seen[0].connection_age_s.unwrap();
        assert!((age - 18.001).abs() < 1e-9, "{age}");
        assert_eq!(seen[2].connection_age_s, None);
    }

    #[test]
    fn places_are_told_within_their_window() {
        let window = Window {
            name: "restart 1".to_owned(),
            from_ns: 19 * SECOND,
            to_ns: 40 * SECOND,
            is_change: true,
        };
        let lost = lost(
            &[failed(22, true), failed(45, true)],
            &lives(),
            &[window],
            true,
        );
        assert_eq!(lost[0].window.as_deref(), Some("restart 1"));
        assert!((lost[0].at_s - 3.0).abs() < 1e-9);
        assert_eq!(lost[1].window, None);
    }
}
