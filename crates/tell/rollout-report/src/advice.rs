//! What to do about requests that were lost. Only of what was seen, each piece once.

use crate::About;
use std::collections::BTreeSet;
use tacho_figures::seconds;
use tacho_rollout::{Lags, Lost, Suspicion};

/// What proxies take, on top of what the API tells: kube-proxy writes its rules at most once a
/// second, and is told as late as we are.
const PROXY_S: f64 = 2.0;

pub fn advice(about: &About, lags: &Lags, lost: &[Lost]) -> Vec<String> {
    let suspicions: BTreeSet<Suspicion> = lost.iter().map(|lost| lost.suspicion).collect();
    let of = |suspicion: &Suspicion| of(*suspicion, about, lags);
    suspicions.iter().filter_map(of).collect()
}

fn of(suspicion: Suspicion, about: &About, lags: &Lags) -> Option<String> {
    match suspicion {
        Suspicion::NobodyTakesTraffic => Some(
            "There was no pod to go to: have more replicas, and let no pod leave before another is there (maxUnavailable: 0; a PodDisruptionBudget for drains).".to_owned(),
        ),
        Suspicion::Restarted => Some(
            "A container was started anew: see why (`kubectl logs --previous`, `kubectl describe pod`); a liveness probe that asks too much is a usual cause.".to_owned(),
        ),
        Suspicion::NewToEndingPod => Some(pre_stop(about, lags)),
        Suspicion::KeptByEndingPod => Some(
            "Connections that clients keep led to pods that ended, and were closed with a request on its way. Have the service end in order (Spring Boot: server.shutdown: graceful) and announce the close in its last answers, or have clients send such requests again. A longer preStop alone does not help them.".to_owned(),
        ),
        Suspicion::NewToStartingPod if about.has_readiness_probe => Some(
            "A pod was said to be ready and did not take connections: let the readiness probe ask what users ask, on the port that they use.".to_owned(),
        ),
        Suspicion::NewToStartingPod => Some(
            "Pods took traffic as soon as their containers ran: give them a readiness probe (`tacho warmup --emit kubernetes` writes one).".to_owned(),
        ),
        Suspicion::NewWhilePodsChange => Some(format!(
            "Pods came and went at the same time, and which of them refused is not seen. For those that end: {} For those that begin: {}",
            pre_stop(about, lags),
            match about.has_readiness_probe {
                true => "the readiness probe has to ask what users ask.",
                false => "give them a readiness probe.",
            }
        )),
        Suspicion::Answered | Suspicion::Unexplained => None,
    }
}

fn pre_stop(about: &About, lags: &Lags) -> String {
    let Some(lag) = lags.to_take_no_more_s else {
        return "a preStop that waits some seconds lets all proxies know before it stops."
            .to_owned();
    };
    let wait = (lag + PROXY_S).ceil();
    let how = match about.has_pre_stop {
        true => "their preStop is too short",
        false => "have them wait in a preStop before they stop",
    };
    format!(
        "new connections went to pods that had stopped: {how}. {wait} s would do: it took at most {} until the endpoints no longer named a pod that ended, and proxies follow within about {PROXY_S} s (terminationGracePeriodSeconds has to hold it, too).",
        seconds(lag)
    )
}
