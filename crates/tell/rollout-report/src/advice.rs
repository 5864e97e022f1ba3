//! What to do about requests that were lost. Only of what was seen, each piece once.

use crate::About;
use std::collections::BTreeSet;
use tacho_figures::seconds;
use tacho_rollout::{Lags, Lost, Suspicion, Tried, Youth};

/// What proxies take, on top of what the API tells: kube-proxy writes its rules at most once a
/// second, and is told as late as we are.
const PROXY_S: f64 = 2.0;

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
    if any(&[Suspicion::NewToStartingPod, Suspicion::NewWhilePodsChange]) {
        advice.push(match about.has_readiness_probe {
            true => "New connections were refused while pods began to take traffic: let the readiness probe ask what users ask, on the port that they use.".to_owned(),
            false => "New connections were refused while pods began. They have no readiness probe, and take traffic as soon as their containers run: give them one (`tacho warmup --emit kubernetes` writes it).".to_owned(),
        });
    }
    if any(&[Suspicion::NewToEndingPod, Suspicion::NewWhilePodsChange]) {
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

/// How long pods have to wait, in whole seconds: the longest time that the endpoints took, and what
/// proxies take. `None`: no pod was seen to end.
#[must_use]
pub fn pre_stop_s(lags: &Lags) -> Option<u32> {
    Some((lags.to_take_no_more_s? + PROXY_S).ceil() as u32)
}

fn pre_stop(about: &About, lags: &Lags, tried: Option<&Tried>) -> String {
    if let Some(tried) = tried.filter(|tried| tried.is_told) {
        return format!(
            "New connections failed while pods ended. A preStop of {} s was tried, and fewer changes lost requests: have pods wait so long before they stop (lifecycle.preStop.sleep; terminationGracePeriodSeconds has to hold it, too).",
            tried.pre_stop_s
        );
    }
    let how = match about.has_pre_stop {
        true => "Their preStop may be too short",
        false => "Have them wait in a preStop before they stop, until all proxies know",
    };
    let length = lags.to_take_no_more_s.zip(pre_stop_s(lags));
    let length = length.map_or_else(String::new, |(lag, length)| {
        format!(
            ": {length} s should do (`--try-pre-stop` tries it). The endpoints named a pod for at most {} after it was told to end, and proxies follow within about {PROXY_S} s (terminationGracePeriodSeconds has to hold it, too)",
            seconds(lag)
        )
    });
    format!("New connections failed while pods ended. {how}{length}.")
}
