//! On the terminal: what users felt, the pods beside it, what was lost, what to do.

use crate::{PodLife, Report};
use std::collections::BTreeMap;
use tacho_figures::{count, ms, seconds};
use tacho_report::terminal::Style;
use tacho_report::terminal::style::{BOLD, DIM, GREEN, PLAIN, RED, YELLOW};
use tacho_report::terminal::text::Text;
use tacho_rollout::{Felt, Lost, Phase, Suspicion};

/// More pods than these are no hint.
const FEW: usize = 2;

/// Everything, ending in a newline.
#[must_use]
pub fn render(report: &Report, style: &Style) -> String {
    let mut text = style.text();
    let about = &report.about;
    text.blank();
    text.paragraph(
        "",
        BOLD,
        &format!(
            "Tacho rollout · {} in {}",
            about.deployment, about.namespace
        ),
    );
    let rate = tacho_figures::number(about.rate);
    text.paragraph(
        "",
        PLAIN,
        &format!(
            "{}, {rate} requests a second to {}",
            tacho_figures::counted(u64::from(about.replicas), "one pod", "pods"),
            about.url
        ),
    );
    verdict(&mut text, report);
    felt(&mut text, report);
    pods(&mut text, &report.pods);
    lags(&mut text, report);
    lost(&mut text, &report.lost);
    if !report.advice.is_empty() {
        text.blank();
        text.line(&[(BOLD, "What to do")]);
        for advice in &report.advice {
            text.paragraph("  ", PLAIN, advice);
        }
    }
    for note in &report.notes {
        text.blank();
        text.paragraph("", YELLOW, note);
    }
    text.finish(style.colour)
}

fn verdict(text: &mut Text, report: &Report) {
    let changes = report.felt.iter().filter(|felt| felt.window.is_change);
    let (mut changed, mut requests) = (0, 0);
    for felt in changes {
        changed += 1;
        requests += felt.requests;
    }
    let lost = report.lost_in_changes();
    text.blank();
    match (changed, lost) {
        (0, _) => text.paragraph("", YELLOW, "No change was carried out to its end."),
        (_, 0) => text.paragraph(
            "",
            GREEN,
            &format!(
                "No request was lost of {} while pods changed. Of so many, fewer than {} in a million would still be possible (95 %).",
                count(requests),
                count(possible(requests))
            ),
        ),
        (_, lost) => text.paragraph(
            "",
            RED,
            &format!(
                "{} of {} requests were lost while pods changed.",
                count(lost),
                count(requests)
            ),
        ),
    }
}

/// None of `n` was lost: at a true share of 3 / n that happens in one of twenty such runs ("rule of
/// three"; Hanley and Lippman-Hand, JAMA 1983). In a million.
fn possible(n: u64) -> u64 {
    (3_000_000.0 / n.max(3) as f64).ceil() as u64
}

fn felt(text: &mut Text, report: &Report) {
    text.blank();
    text.line(&[(BOLD, "What users felt")]);
    let head = [
        "",
        "requests",
        "lost",
        "slower than before",
        "p50",
        "p99",
        "longest",
    ];
    text.line(&[(DIM, &felt_row(head.map(str::to_owned)))]);
    for felt in &report.felt {
        let style = if felt.lost > 0 { RED } else { PLAIN };
        text.line(&[(style, &felt_row(cells(felt)))]);
    }
}

fn cells(felt: &Felt) -> [String; 7] {
    let time = |time: Option<f64>| time.map_or_else(|| "-".to_owned(), ms);
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

fn felt_row([name, requests, lost, slower, p50, p99, longest]: [String; 7]) -> String {
    format!("  {name:<20} {requests:>9} {lost:>6} {slower:>19} {p50:>9} {p99:>9} {longest:>9}")
}

const PHASES: [(Phase, &str); 8] = [
    (Phase::Made, "made"),
    (Phase::Scheduled, "scheduled"),
    (Phase::Running, "running"),
    (Phase::Ready, "ready"),
    (Phase::TakesTraffic, "endpoint"),
    (Phase::Ending, "ending"),
    (Phase::TakesNoMore, "no endpt."),
    (Phase::Gone, "gone"),
];

fn pods(text: &mut Text, pods: &[PodLife]) {
    text.blank();
    text.line(&[(
        BOLD,
        "Pods, in seconds from the first change, as the API told it",
    )]);
    let names = PHASES.map(|(_, name)| name.to_owned());
    text.line(&[(DIM, &pod_row("", names))]);
    for (number, pod) in pods.iter().enumerate() {
        let cells = PHASES.map(|(phase, _)| match pod.at_s.get(&phase) {
            None => "-".to_owned(),
            Some(at) if *at < 0.0 => "before".to_owned(),
            Some(at) => format!("{at:.1}"),
        });
        text.line(&[(PLAIN, &pod_row(&format!("{}", number + 1), cells))]);
    }
    for (number, pod) in pods.iter().enumerate() {
        let restarted = match pod.restarted_s.len() {
            0 => String::new(),
            times => format!(", started anew {times} times"),
        };
        text.line(&[(DIM, &format!("  {:>3}  {}{restarted}", number + 1, pod.pod))]);
    }
}

fn pod_row(number: &str, cells: [String; 8]) -> String {
    let cells: String = cells.iter().map(|cell| format!(" {cell:>9}")).collect();
    format!("  {number:>3}{}", &cells)
}

fn lags(text: &mut Text, report: &Report) {
    let lags = &report.lags;
    let named = [
        ("from ready to endpoint", lags.to_take_traffic_s),
        ("from told to end to no endpoint", lags.to_take_no_more_s),
    ];
    let told: Vec<String> = named
        .iter()
        .filter_map(|(what, lag)| Some(format!("{} {what}", seconds((*lag)?))))
        .collect();
    if !told.is_empty() {
        text.blank();
        text.paragraph(
            "",
            PLAIN,
            &format!(
                "At most {}; proxies on the nodes follow later.",
                told.join(", ")
            ),
        );
    }
}

fn lost(text: &mut Text, lost: &[Lost]) {
    if lost.is_empty() {
        return;
    }
    text.blank();
    text.line(&[(BOLD, "Lost")]);
    let mut kinds: BTreeMap<(Suspicion, &str), Vec<&Lost>> = BTreeMap::new();
    for one in lost {
        let kind = kinds.entry((one.suspicion, &one.outcome)).or_default();
        kind.push(one);
    }
    for ((suspicion, outcome), all) in kinds {
        let number = count(all.len() as u64);
        let what = format!("{number} {outcome}: {}", words(suspicion));
        text.paragraph("  ", PLAIN, &what);
        if let Some(first) = all.first() {
            text.paragraph("    ", DIM, &example(first, all.len()));
        }
    }
}

fn example(one: &Lost, of: usize) -> String {
    let first = if of > 1 { "the first " } else { "" };
    let window = match &one.window {
        Some(window) => format!("{} into {window}", seconds(one.at_s)),
        None => "outside of all windows".to_owned(),
    };
    let sent = if one.was_sent { "sent" } else { "never sent" };
    let pods = match one.pods.len() {
        1..=FEW => format!(" ({})", one.pods.join(", ")),
        _ => String::new(),
    };
    let waited = seconds(one.waited_s);
    format!("{first}{window}, {sent}, given up after {waited}{pods}")
}

fn words(suspicion: Suspicion) -> &'static str {
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
        Suspicion::Answered => "the service's own answer",
        Suspicion::Unexplained => "no pod changed just then: it is not explained",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{About, Report};
    use tacho_report::terminal::Style;
    use tacho_rollout::{Lags, Life, Request, Window, felt, lost};

    const S: u64 = 1_000_000_000;

    fn report(is_lost: bool) -> Report {
        let windows = [("before", 0, 10), ("restart 1", 10, 40)].map(|(name, from, to)| Window {
            name: name.to_owned(),
            from_ns: from * S,
            to_ns: to * S,
            is_change: name != "before",
        });
        let requests: Vec<Request> = (0..400)
            .map(|n| {
                let at = n * S / 10;
                let is_bad = is_lost && n == 221;
                Request {
                    intended_ns: at,
                    sent_ns: Some(at),
                    end_ns: at + 3_000_000,
                    is_good: !is_bad,
                    outcome: (if is_bad { "connection-reset" } else { "200" }).to_owned(),
                }
            })
            .collect();
        let life = |pod: &str, phases: &[(Phase, u64)]| Life {
            pod: pod.to_owned(),
            phases: phases.iter().map(|(phase, at)| (*phase, at * S)).collect(),
            restarted_ns: Vec::new(),
        };
        let lives = [
            life(
                "users-old",
                &[
                    (Phase::Made, 1),
                    (Phase::Scheduled, 1),
                    (Phase::Running, 1),
                    (Phase::Ready, 1),
                    (Phase::TakesTraffic, 1),
                    (Phase::Ending, 21),
                    (Phase::TakesNoMore, 22),
                    (Phase::Gone, 30),
                ],
            ),
            life(
                "users-new",
                &[
                    (Phase::Made, 10),
                    (Phase::Scheduled, 10),
                    (Phase::Running, 12),
                    (Phase::Ready, 20),
                    (Phase::TakesTraffic, 20),
                ],
            ),
        ];
        let about = About {
            deployment: "users".to_owned(),
            namespace: "shop".to_owned(),
            replicas: 1,
            url: "http://10.96.0.7/".to_owned(),
            rate: 10.0,
            has_readiness_probe: true,
            has_pre_stop: false,
            generator_lag_p99_ms: Some(0.1),
            is_cut_short: false,
        };
        let lags = Lags {
            to_take_traffic_s: Some(0.02),
            to_take_no_more_s: Some(1.0),
        };
        let felt = felt(&requests, &windows);
        let lost = lost(&requests, &lives, &windows, true);
        Report::new(about, felt, &lives, lags, lost, Vec::new())
    }

    fn told(report: &Report) -> String {
        let style = Style {
            colour: false,
            width: 100,
        };
        render(report, &style)
    }

    #[test]
    fn what_is_lost_is_told_with_what_was_going_on() {
        let text = told(&report(true));
        for part in [
            "1 of 300 requests were lost while pods changed.",
            "1 connection-reset: on a connection that was open, while a pod was ending",
            "into restart 1, sent",
            "(users-old)",
            "What to do",
            "A longer preStop alone does not help",
        ] {
            assert!(
                text.split_whitespace()
                    .collect::<Vec<_>>()
                    .join(" ")
                    .contains(part),
                "{part}\n{text}"
            );
        }
        for line in text.lines() {
            assert!(line.chars().count() <= 100, "{line}");
        }
    }

    #[test]
    fn where_nothing_is_lost_it_is_told_what_that_can_say() {
        let text = told(&report(false));
        assert!(text.contains("No request was lost of 300"), "{text}");
        assert!(text.contains("10,000 in a million"), "{text}");
        assert!(!text.contains("What to do"), "{text}");
    }

    #[test]
    fn the_document_is_read_as_it_was_written() {
        let report = report(true);
        let text = serde_json::to_string(&report).unwrap();
        assert_eq!(serde_json::from_str::<Report>(&text).unwrap(), report);
    }
}
