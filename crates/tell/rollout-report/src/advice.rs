//! What to do about requests that were lost. Only of what was seen, each piece once.

use crate::About;
use std::collections::BTreeSet;
use tacho_figures::seconds;
use tacho_rollout::{Lags, Lost, Suspicion};

/// What proxies take, on top of what the API tells: kube-proxy writes its rules at most once a
/// second, and is told as late as we are.
const PROXY_S: f64 = 2.0;

pub fn advice(about: &About, lags: &Lags, lost: &[Lost]) -> Vec<String> {
    let seen: BTreeSet<Suspicion> = lost.iter().map(|lost| lost.suspicion).collect();
    let any = |wanted: &[Suspicion]| wanted.iter().any(|one| seen.contains(one));
    let mut advice = Vec::new();
    if any(&[Suspicion::NobodyTakesTraffic]) {
        advice.push("There was no pod to go to: have more replicas, and let no pod leave before another is there (maxUnavailable: 0; a PodDisruptionBudget for drains).".to_owned());
    }
    if any(&[Suspicion::Restarted]) {
        advice.push("A container was started anew: see why (`kubectl logs --previous`, `kubectl describe pod`); a liveness probe that asks too much is a usual cause.".to_owned());
    }
    if any(&[Suspicion::NewToStartingPod, Suspicion::NewWhilePodsChange]) {
        advice.push(match about.has_readiness_probe {
            true => "New connections were refused while pods began to take traffic: let the readiness probe ask what users ask, on the port that they use.".to_owned(),
            false => "New connections were refused while pods began. They have no readiness probe, and take traffic as soon as their containers run: give them one (`tacho warmup --emit kubernetes` writes it).".to_owned(),
        });
    }
    if any(&[Suspicion::NewToEndingPod, Suspicion::NewWhilePodsChange]) {
        advice.push(pre_stop(about, lags));
    }
    if any(&[Suspicion::KeptByEndingPod]) {
        advice.push("Connections that clients keep led to pods that ended, and were closed with a request on its way. Have the service end in order (Spring Boot: server.shutdown: graceful) and announce the close in its last answers, or have clients send such requests again. A longer preStop alone does not help them.".to_owned());
    }
    advice
}

fn pre_stop(about: &About, lags: &Lags) -> String {
    let how = match about.has_pre_stop {
        true => "Their preStop may be too short",
        false => "Have them wait in a preStop before they stop, until all proxies know",
    };
    let length = lags.to_take_no_more_s.map_or_else(String::new, |lag| {
        format!(
            ": {} s should do. The endpoints named a pod for at most {} after it was told to end, and proxies follow within about {PROXY_S} s (terminationGracePeriodSeconds has to hold it, too)",
            (lag + PROXY_S).ceil(),
            seconds(lag)
        )
    });
    format!("New connections failed while pods ended. {how}{length}.")
}
