//! Sentences and cells that the terminal and the page share.

use crate::{PodLife, Report};
use std::collections::BTreeMap;
use tacho_figures::{count, counted, ms, seconds};
use tacho_rollout::{
    Age, AllSlow, Because, Count, Felt, Lost, Phase, PodWas, Suspicion, Tried, Young, Youth,
};

/// Changes needed on each side before a preStop can be shown to help. That all three changes
/// without it lose requests and none of the three with it does, chance alone makes one time in
/// twenty.
const ENOUGH_TO_TELL: u32 = 3;

/// The most suspected pods that are named; a longer list would be no hint.
const FEW: usize = 2;

/// How a verdict is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tone {
    Good,
    Bad,
    Open,
}

pub fn title(report: &Report) -> String {
    format!("{} in {}", report.about.deployment, report.about.namespace)
}

pub fn load(report: &Report) -> String {
    let about = &report.about;
    format!(
        "{}, {} requests a second to {}",
        counted(u64::from(about.replicas), "one pod", "pods"),
        tacho_figures::number(about.rate),
        about.url
    )
}

pub fn verdict(report: &Report) -> (Tone, String) {
    let changes = report.felt.iter().filter(|felt| felt.window.is_change);
    let (mut changed, mut requests) = (0, 0);
    for felt in changes {
        changed += 1;
        requests += felt.requests;
    }
    match (changed, report.lost_in_changes()) {
        (0, _) => {
            let nothing = "No change was carried out to its end.";
            (Tone::Open, nothing.to_owned())
        }
        (_, _) if requests == 0 && report.is_part => {
            let nothing = "No request that was sent while pods changed was kept one by one: whether any was lost is not known.";
            (Tone::Open, nothing.to_owned())
        }
        (_, _) if requests == 0 => {
            let nothing = "No request was sent while pods changed.";
            (Tone::Open, nothing.to_owned())
        }
        (_, 0) if report.is_part => (
            Tone::Open,
            format!(
                "None of the {} requests that were kept one by one while pods changed was lost. Whether any of the later ones was is not known.",
                count(requests)
            ),
        ),
        (_, 0) => (
            Tone::Good,
            format!(
                "No request was lost of {} while pods changed. Of so many, fewer than {} in a million would still be possible (95 %).",
                count(requests),
                count(possible(requests))
            ),
        ),
        (_, lost) => (
            Tone::Bad,
            format!(
                "{} of {} requests were lost while pods changed.",
                count(lost),
                count(requests)
            ),
        ),
    }
}

/// The share of lost requests that is still possible when none of `n` was lost, in a million. If
/// the true share were 3 / n, one of twenty such runs would lose none ("rule of three"; Hanley and
/// Lippman-Hand, JAMA 1983).
fn possible(n: u64) -> u64 {
    (3_000_000.0 / n.max(3) as f64).ceil() as u64
}

/// Heads of the table of what users felt.
pub const FELT: [&str; 7] = [
    "",
    "requests",
    "lost",
    "slower than before",
    "p50",
    "p99",
    "longest",
];

pub fn felt(felt: &Felt) -> [String; 7] {
    let slower = match felt.window.is_change {
        true => count(felt.slower_than_any_before),
        false => "-".to_owned(),
    };
    [
        felt.window.name.clone(),
        count(felt.requests),
        count(felt.lost),
        slower,
        time(felt.p50_ms),
        time(felt.p99_ms),
        time(felt.longest_ms),
    ]
}

fn time(time: Option<f64>) -> String {
    time.map_or_else(|| "-".to_owned(), ms)
}

/// Columns of the table of pods.
pub const PHASES: [(Phase, &str); 8] = [
    (Phase::Made, "made"),
    (Phase::Scheduled, "scheduled"),
    (Phase::Running, "running"),
    (Phase::Ready, "ready"),
    (Phase::TakesTraffic, "endpoint"),
    (Phase::Ending, "ending"),
    (Phase::TakesNoMore, "no endpt."),
    (Phase::Gone, "gone"),
];

pub fn phases(pod: &PodLife) -> [String; 8] {
    PHASES.map(|(phase, _)| match pod.at_s.get(&phase) {
        None => "-".to_owned(),
        Some(at) if *at < 0.0 => "before".to_owned(),
        Some(at) => format!("{at:.1}"),
    })
}

/// Its name, and how often it was started anew.
pub fn pod(pod: &PodLife) -> String {
    match pod.restarted_s.len() {
        0 => pod.pod.clone(),
        1 => format!("{}, started anew", pod.pod),
        times => format!("{}, started anew {times} times", pod.pod),
    }
}

pub fn lags(report: &Report) -> Option<String> {
    let lags = &report.lags;
    let named = [
        ("from ready to endpoint", lags.to_take_traffic_s),
        ("from told to end to no endpoint", lags.to_take_no_more_s),
        (
            "from told to end to the last new connection",
            lags.still_led.map(|led| led.longest_s),
        ),
    ];
    let told: Vec<String> = named
        .iter()
        .filter_map(|(what, lag)| Some(format!("{} {what}", seconds((*lag)?))))
        .collect();
    (!told.is_empty()).then(|| {
        let told = told.join(", ");
        match lags.still_led {
            Some(_) => format!("At most {told}."),
            None => format!("At most {told}; proxies on the nodes follow later."),
        }
    })
}

/// Heads of the table of ages.
pub const AGES: [&str; 6] = [
    "",
    "requests",
    "slower than before",
    "p50",
    "p99",
    "longest",
];

pub fn age(young: &Young) -> [String; 6] {
    let name = match young.age {
        Age::FirstSecond => "first second",
        Age::ToTenSeconds => "to 10 seconds",
        Age::ToAMinute => "to a minute",
        Age::Longer => "longer, or before",
    };
    [
        name.to_owned(),
        count(young.requests),
        count(young.slower_than_any_before),
        time(young.p50_ms),
        time(young.p99_ms),
        time(young.longest_ms),
    ]
}

/// Whether new pods were slow, in a sentence; `None` where no new pod could be judged.
pub fn youth(youth: &Youth) -> Option<String> {
    let pods = |n: u32| counted(u64::from(n), "one new pod", "new pods");
    match (youth.judged, youth.is_told) {
        (0, _) => None,
        (judged, true) => Some(format!(
            "Of {}, {} had a larger share of slow requests in the first ten seconds than later: pods are slow when they are new.",
            pods(judged),
            youth.slower_when_young
        )),
        (judged, false) => Some(format!(
            "Of {}, {} had a larger share of slow requests in the first ten seconds than later, which may be chance: not told apart.",
            pods(judged),
            youth.slower_when_young
        )),
    }
}

pub fn tried(tried: &Tried) -> String {
    let of = |count: &Count| {
        format!(
            "{} of {} ({} of {} requests)",
            count.that_lost,
            counted(u64::from(count.changes), "one change", "changes"),
            tacho_figures::count(count.lost),
            tacho_figures::count(count.requests)
        )
    };
    let lost = format!(
        "A preStop of {} s was tried. Requests were lost in {} without it, in {} with it",
        tried.pre_stop_s,
        of(&tried.without),
        of(&tried.with)
    );
    match (tried.is_told, tried.without.that_lost) {
        (true, _) => format!("{lost}: fewer than chance explains."),
        (false, _) if tried.without.changes.min(tried.with.changes) == 0 => {
            format!("{lost}: nothing to compare, since no requests of the others are known.")
        }
        (false, 0) => format!("{lost}: without it, none were lost anyway."),
        (false, _) if tried.without.changes.min(tried.with.changes) < ENOUGH_TO_TELL => {
            format!(
                "{lost}: not told apart, for which it takes `--times {ENOUGH_TO_TELL}` or more."
            )
        }
        (false, _) => {
            format!("{lost}: not told apart. More changes (`--times`) may tell.")
        }
    }
}

/// What was seen of the slow requests, the most frequent kind first, and a line about the longest
/// one.
pub fn slow(all: &AllSlow) -> Option<(Vec<String>, String)> {
    let longest = all.longest.first()?;
    let mut by: Vec<(&Because, &u64)> = all.by.iter().collect();
    by.sort_by_key(|(_, count)| std::cmp::Reverse(**count));
    let kinds = by.into_iter().map(|(because, number)| {
        let what = match because {
            Because::Cold => "to a pod that had taken traffic for less than ten seconds: cold code",
            Because::EndingPod => "to a pod that was ending",
            Because::Waited => "waited longer for a free connection than for their answer",
            Because::WhilePodsChange => {
                "while a pod had taken traffic for less than ten seconds; which pod answered was not seen"
            }
            Because::Unexplained => "no visible cause",
        };
        format!("{}: {what}", count(*number))
    });
    let pod = match (&longest.to, longest.pod_age_s) {
        (Some(to), Some(age)) => format!(", by {}, {} after it took traffic", to.pod, seconds(age)),
        (Some(to), None) => format!(", by {}", to.pod),
        (None, _) => String::new(),
    };
    let waited = match longest.waited_ms >= 1.0 {
        true => format!(", {} of it before it was sent", ms(longest.waited_ms)),
        false => String::new(),
    };
    let example = format!(
        "the longest {} into {}, answered after {}{waited}{pod}",
        seconds(longest.at_s),
        longest.window,
        ms(longest.response_ms)
    );
    Some((kinds.collect(), example))
}

/// A kind of loss, and one example of it.
pub fn lost(lost: &[Lost]) -> Vec<(String, String)> {
    let mut kinds: BTreeMap<(Suspicion, &str), Vec<&Lost>> = BTreeMap::new();
    for one in lost {
        let kind = kinds.entry((one.suspicion, &one.outcome)).or_default();
        kind.push(one);
    }
    kinds
        .into_iter()
        .filter_map(|((suspicion, outcome), all)| {
            let number = count(all.len() as u64);
            let what = format!("{number} {outcome}: {}", suspected(suspicion));
            Some((what, example(all.first()?, all.len())))
        })
        .collect()
}

fn example(one: &Lost, of: usize) -> String {
    let first = if of > 1 { "the first " } else { "" };
    let window = match &one.window {
        Some(window) => format!("{} into {window}", seconds(one.at_s)),
        None => "outside of all windows".to_owned(),
    };
    let sent = if one.was_sent { "sent" } else { "never sent" };
    let pods = match (&one.to, one.pods.len()) {
        (Some(to), _) => format!(", to {}, which was {}", to.pod, was(to.was)),
        (None, 1..=FEW) => format!(" ({})", one.pods.join(", ")),
        _ => String::new(),
    };
    let age = one.connection_age_s.map_or_else(String::new, |age| {
        format!(" on a connection of {}", seconds(age))
    });
    let waited = seconds(one.waited_s);
    format!("{first}{window}, {sent}{age}, given up after {waited}{pods}")
}

fn was(was: PodWas) -> &'static str {
    match was {
        PodWas::Starting => "starting",
        PodWas::Serving => "serving",
        PodWas::Ending => "ending",
        PodWas::Gone => "gone",
    }
}

fn suspected(suspicion: Suspicion) -> &'static str {
    match suspicion {
        Suspicion::NobodyTakesTraffic => "no pod took traffic just then",
        Suspicion::Restarted => "a container was started anew just then",
        Suspicion::NewToEndingPod => "on a new connection, while a pod was ending",
        Suspicion::KeptByEndingPod => {
            "on a connection that was open, while a pod was ending: the pod closed it"
        }
        Suspicion::NewToStartingPod => {
            "on a new connection, while a pod had just begun to take traffic"
        }
        Suspicion::NewWhilePodsChange => {
            "on a new connection, while one pod was ending and another had just begun"
        }
        Suspicion::AnsweredByStartingPod => {
            "answered by a pod that had just begun to take traffic: it may say too early that it is ready"
        }
        Suspicion::Answered => "the service's own answer",
        Suspicion::Unexplained => "no pod changed just then: it is not explained",
    }
}
