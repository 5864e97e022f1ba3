//! What to do about requests that were lost. Each piece of advice answers something that was seen,
//! and is given once.

use crate::About;
use std::collections::BTreeSet;
use tacho_figures::seconds;
use tacho_rollout::{Lags, Lost, Suspicion, Tried, Youth};

/// Seconds that the proxies of the nodes are assumed to take after the endpoints have changed,
/// where their delay was not measured: kube-proxy writes its rules at most once a second, and hears
/// of a change as late as we do.
const PROXY_S: f64 = 2.0;
/// Seconds added where the delay of the proxies was measured: the next pod to end may do so just
/// after the rules were written.
const PROXY_PERIOD_S: f64 = 1.0;

pub fn advice(
    about: &About,
    lags: &Lags,
    lost: &[Lost],
    youth: &Youth,
    tried: Option<&Tried>,
) -> Vec<String> {
    let seen: BTreeSet<Suspicion> = lost.iter().map(|lost| lost.suspicion).collect();
    let any = |wanted: &[Suspicion]| wanted.iter().any(|one| seen.contains(one));
    let mut advice = Vec::new();
    if any(&[Suspicion::NobodyTakesTraffic]) {
        advice.push("There was no pod to go to: have more replicas, and let no pod leave before another is there (maxUnavailable: 0; a PodDisruptionBudget for drains).".to_owned());
    }
    if any(&[Suspicion::Restarted]) {
        advice.push("A container was started anew: see why (`kubectl logs --previous`, `kubectl describe pod`); a liveness probe that asks too much is a usual cause.".to_owned());
    }
    let begins = [Suspicion::NewToStartingPod, Suspicion::NewWhilePodsChange];
    let ends = [Suspicion::NewToEndingPod, Suspicion::NewWhilePodsChange];
    // With the preStop pods began to take traffic as before, and nothing was lost: it was their
    // ends.
    let was_their_ends = tried.is_some_and(|tried| tried.is_told && tried.with.lost == 0);
    if any(&begins) && !was_their_ends {
        advice.push(match about.has_readiness_probe {
            true => "New connections were refused while pods began to take traffic: let the readiness probe ask what users ask, on the port that they use.".to_owned(),
            false => "New connections were refused while pods began. They have no readiness probe, and take traffic as soon as their containers run: give them one (`tacho warmup --emit kubernetes` writes it).".to_owned(),
        });
    }
    if any(&[Suspicion::AnsweredByStartingPod]) {
        advice.push(match about.has_readiness_probe {
            true => "Pods answered with errors while they began to take traffic, so their readiness probe may say too early that they are ready. Let it ask what users ask, on the port that they use, and succeed only when what such requests need (a database, a cache) is there.".to_owned(),
            false => "Pods answered with errors while they began. They have no readiness probe, and take traffic as soon as their containers run: give them one that asks what users ask (`tacho warmup --emit kubernetes` writes it).".to_owned(),
        });
    }
    if any(&ends) || (was_their_ends && any(&begins)) {
        advice.push(pre_stop(about, lags, tried));
    }
    if any(&[Suspicion::KeptByEndingPod]) {
        advice.push("Connections that clients keep led to pods that ended, and were closed with a request on its way. Have the service end in order (Spring Boot: server.shutdown: graceful) and announce the close in its last answers (Spring Boot: Tacho's starter, with tacho.warmup.leave), or have clients send such requests again. A longer preStop alone does not help them.".to_owned());
    }
    if youth.is_told {
        advice.push("Pods answered slowly when they were new: warm them before they say that they are ready (`tacho warmup` measures how many requests that takes, and writes the manifest).".to_owned());
    }
    advice
}

/// How long a pod has to wait before it stops, in whole seconds. Where connections were followed:
/// the longest time for which new ones still reached an ending pod, or that the endpoints took if
/// that is longer, plus one period of the proxy. Elsewhere: the longest time that the endpoints
/// took, plus the usual delay of proxies. `None`: no pod was seen to end.
#[must_use]
pub fn pre_stop_s(lags: &Lags) -> Option<u32> {
    let endpoints_s = lags.to_take_no_more_s?;
    let whole_s = match lags.still_led {
        Some(led) => led.longest_s.max(endpoints_s) + PROXY_PERIOD_S,
        None => endpoints_s + PROXY_S,
    };
    Some(whole_s.ceil() as u32)
}

/// The sentence that says how the length of the preStop was found.
fn reason(lags: &Lags, endpoints_s: f64) -> String {
    let named = format!(
        "The endpoints named a pod for at most {} after it was told to end",
        seconds(endpoints_s)
    );
    match lags.still_led {
        Some(led) => format!(
            "{named}, new connections led to one for at most {} (of {} that ended), and proxies write their rules each second",
            seconds(led.longest_s),
            led.pods
        ),
        None => format!("{named}, and proxies follow within about {PROXY_S} s"),
    }
}

fn pre_stop(about: &About, lags: &Lags, tried: Option<&Tried>) -> String {
    if let Some(tried) = tried.filter(|tried| tried.is_told) {
        return format!(
            "New connections failed while pods ended. A preStop of {} s was tried, and fewer changes lost requests: have pods wait so long before they stop (lifecycle.preStop.sleep; terminationGracePeriodSeconds has to hold it, too).",
            tried.pre_stop_s
        );
    }
    let Some((lag_s, length_s)) = lags.to_take_no_more_s.zip(pre_stop_s(lags)) else {
        return format!("New connections failed while pods ended. {}.", how(about));
    };
    let reason = reason(lags, lag_s);
    match about.pre_stop_s.filter(|there_s| *there_s >= length_s) {
        Some(there_s) => format!(
            "New connections failed while pods ended. {reason}: their preStop of {there_s} s should do. See what ends before it is over, such as a container beside the service."
        ),
        None => format!(
            "New connections failed while pods ended. {}: {length_s} s should do (`--try-pre-stop` tries it). {reason} (terminationGracePeriodSeconds has to hold it, too).",
            how(about)
        ),
    }
}

fn how(about: &About) -> String {
    match (about.has_pre_stop, about.pre_stop_s) {
        (_, Some(there_s)) => format!("Their preStop of {there_s} s may be too short"),
        (true, None) => {
            "Their preStop may be too short (how long it takes is not known)".to_owned()
        }
        (false, None) => {
            "Have them wait in a preStop before they stop, until all proxies know".to_owned()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testkit;
    use tacho_rollout::{Count, StillLed};

    #[test]
    fn no_shorter_pre_stop_is_advised_than_the_one_that_is_there() {
        let lags = Lags {
            to_take_no_more_s: Some(0.3),
            ..Lags::default()
        };
        let told = |has_pre_stop: bool, there_s: Option<u32>| {
            let about = About {
                has_pre_stop,
                pre_stop_s: there_s,
                ..testkit::report(false).about
            };
            pre_stop(&about, &lags, None)
        };
        assert!(told(false, None).contains("until all proxies know: 3 s should do"));
        let short = told(true, Some(2));
        assert!(short.contains("preStop of 2 s may be too short: 3 s should do"));
        let enough = told(true, Some(10));
        assert!(
            enough.contains("their preStop of 10 s should do"),
            "{enough}"
        );
        assert!(!enough.contains("3 s should"), "{enough}");
        let unknown = told(true, None);
        assert!(
            unknown.contains("is not known): 3 s should do"),
            "{unknown}"
        );
    }

    /// A trial says more than what was going on at the same time.
    #[test]
    fn no_readiness_probe_is_blamed_where_a_pre_stop_ended_all_losses() {
        let lost = Lost {
            suspicion: Suspicion::NewToStartingPod,
            ..testkit::report(true).lost[0].clone()
        };
        let told = |with_lost: u64| {
            let count = |that_lost, lost| Count {
                changes: 8,
                that_lost,
                requests: 5_000,
                lost,
            };
            let tried = Tried {
                pre_stop_s: 3,
                without: count(8, 116),
                with: count(u32::from(with_lost > 0), with_lost),
                is_told: true,
            };
            let about = About {
                has_readiness_probe: true,
                ..testkit::report(true).about
            };
            let lost = std::slice::from_ref(&lost);
            advice(
                &about,
                &Lags::default(),
                lost,
                &Youth::default(),
                Some(&tried),
            )
            .join("\n")
        };
        let ended = told(0);
        assert!(ended.contains("A preStop of 3 s was tried"), "{ended}");
        assert!(!ended.contains("readiness probe"), "{ended}");
        assert!(told(2).contains("readiness probe"));
    }

    #[test]
    fn errors_of_pods_that_begin_lead_to_their_readiness_probe() {
        let told = |has_readiness_probe: bool| {
            let report = testkit::report(true);
            let about = About {
                has_readiness_probe,
                ..report.about
            };
            let lost = Lost {
                suspicion: Suspicion::AnsweredByStartingPod,
                ..report.lost[0].clone()
            };
            advice(&about, &Lags::default(), &[lost], &Youth::default(), None)
        };
        let probed = told(true);
        assert_eq!(probed.len(), 1, "{probed:?}");
        assert!(probed[0].contains("may say too early"), "{probed:?}");
        let unprobed = told(false);
        assert!(unprobed[0].contains("give them one"), "{unprobed:?}");
    }

    #[test]
    fn a_pre_stop_is_as_long_as_connections_still_came_and_a_period_of_the_proxy() {
        let lags = |longest_s: Option<f64>| Lags {
            to_take_no_more_s: Some(0.3),
            still_led: longest_s.map(|longest_s| StillLed { longest_s, pods: 4 }),
            ..Lags::default()
        };
        assert_eq!(pre_stop_s(&Lags::default()), None);
        assert_eq!(pre_stop_s(&lags(None)), Some(3));
        assert_eq!(pre_stop_s(&lags(Some(0.0))), Some(2));
        assert_eq!(pre_stop_s(&lags(Some(3.2))), Some(5));
        assert!(reason(&lags(Some(3.2)), 0.3).contains("for at most 3.20 s (of 4 that ended)"));
        assert!(reason(&lags(None), 0.3).contains("within about 2 s"));
    }
}
