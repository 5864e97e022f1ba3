//! One page that opens offline: the verdict, response times beside the lives of the pods, tables.
//!
//! The tables are written here and can be read without JavaScript; the chart is drawn by the bundle
//! of `web/` from one block of JSON.

use crate::words::{self, Tone};
use crate::{Report, origin_ns, since};
use serde::Serialize;
use tacho_report::RenderError;
use tacho_report::html::of_template;
use tacho_rollout::Phase;

const TEMPLATE: &str = include_str!("../templates/rollout.html.jinja");

/// Renders the page, complete with its scripts and styles.
///
/// # Errors
/// When the template or its data fail, which is a fault of Tacho.
pub fn render(report: &Report) -> Result<String, RenderError> {
    of_template(TEMPLATE, &page(report), Some(&chart(report)))
}

#[derive(Debug, Serialize)]
struct Page {
    title: String,
    load: String,
    verdict: String,
    is_bad: bool,
    advice: Vec<String>,
    notes: Vec<String>,
    felt: Table,
    pods: Table,
    lags: Option<String>,
    ages: Table,
    youth: Option<String>,
    slow: Option<(Vec<String>, String)>,
    lost: Vec<(String, String)>,
    tried: Option<String>,
}

#[derive(Debug, Serialize)]
struct Table {
    heads: Vec<&'static str>,
    rows: Vec<Vec<String>>,
}

fn page(report: &Report) -> Page {
    let (tone, verdict) = words::verdict(report);
    let phases = words::PHASES.map(|(_, name)| name);
    // The numbers are those of the chart.
    let pods = report.pods.iter().zip(1..).map(|(pod, number)| {
        let node = pod.node.clone().unwrap_or_else(|| "-".to_owned());
        let name = [format!("{number} · {}", words::pod(pod)), node];
        name.into_iter().chain(words::phases(pod)).collect()
    });
    Page {
        title: words::title(report),
        load: words::load(report),
        verdict,
        is_bad: tone != Tone::Good,
        advice: report.advice.iter().map(|it| plain(it)).collect(),
        notes: report.notes.iter().map(|it| plain(it)).collect(),
        felt: Table {
            heads: words::FELT.to_vec(),
            rows: report
                .felt
                .iter()
                .map(|it| words::felt(it).into())
                .collect(),
        },
        pods: Table {
            heads: [&["", "node"][..], &phases].concat(),
            rows: pods.collect(),
        },
        lags: words::lags(report),
        ages: Table {
            heads: words::AGES.to_vec(),
            rows: report
                .youth
                .ages
                .iter()
                .map(|it| words::age(it).into())
                .collect(),
        },
        youth: words::youth(&report.youth),
        slow: words::slow(&report.slow),
        lost: words::lost(&report.lost),
        tried: report.tried.as_ref().map(|it| plain(&words::tried(it))),
    }
}

/// The text without the backticks that mark commands on a terminal.
fn plain(text: &str) -> String {
    text.replace('`', "")
}

/// What the chart is drawn from; `web/src/rollout/data.ts` declares the same in TypeScript.
#[derive(Debug, Serialize)]
struct Chart<'a> {
    from_s: f64,
    to_s: f64,
    column_s: f64,
    columns: Vec<Column>,
    windows: Vec<Window<'a>>,
    pods: Vec<Pod<'a>>,
}

/// s, median in ms, longest in ms, lost
type Column = (f64, Option<f64>, Option<f64>, u64);

#[derive(Debug, Serialize)]
struct Window<'a> {
    name: &'a str,
    from_s: f64,
    to_s: f64,
    is_change: bool,
}

#[derive(Debug, Serialize)]
struct Pod<'a> {
    name: &'a str,
    parts: Vec<Part>,
    restarted_s: &'a [f64],
}

/// A part of a pod's life.
#[derive(Debug, Serialize)]
struct Part {
    what: &'static str,
    from_s: f64,
    to_s: f64,
}

fn chart(report: &Report) -> Chart<'_> {
    let origin = origin_ns(&report.felt);
    let windows: Vec<Window<'_>> = report
        .felt
        .iter()
        .map(|felt| Window {
            name: &felt.window.name,
            from_s: since(felt.window.from_ns, origin),
            to_s: since(felt.window.to_ns, origin),
            is_change: felt.window.is_change,
        })
        .collect();
    let from_s = windows.first().map_or(0.0, |window| window.from_s);
    let to_s = windows.last().map_or(0.0, |window| window.to_s);
    let columns = report.course.columns.iter();
    Chart {
        from_s,
        to_s,
        column_s: report.course.column_s,
        columns: columns
            .map(|one| (one.at_s, one.p50_ms, one.longest_ms, one.lost))
            .collect(),
        windows,
        pods: report
            .pods
            .iter()
            .map(|pod| Pod {
                name: &pod.pod,
                parts: parts(|phase| pod.at_s.get(&phase).copied(), from_s, to_s),
                restarted_s: &pod.restarted_s,
            })
            .collect(),
    }
}

/// From made to named by the endpoints, to told to end, to gone, as far as it came, within the time
/// that is drawn. A pod may have no endpoint any more long before it is told to end.
fn parts(at: impl Fn(Phase) -> Option<f64>, from_s: f64, to_s: f64) -> Vec<Part> {
    let Some(made) = at(Phase::Made) else {
        return Vec::new();
    };
    let gone = at(Phase::Gone).unwrap_or(to_s);
    let ending = at(Phase::Ending).unwrap_or(gone).min(gone);
    let takes = at(Phase::TakesTraffic).unwrap_or(ending).min(ending);
    let leaves = at(Phase::TakesNoMore).unwrap_or(ending);
    let leaves = leaves.clamp(takes, ending);
    [
        ("starting", made, takes),
        ("takes traffic", takes, leaves),
        ("no endpoint", leaves, ending),
        ("ending", ending, gone),
    ]
    .into_iter()
    .map(|(what, from, to)| Part {
        what,
        from_s: from.clamp(from_s, to_s),
        to_s: to.clamp(from_s, to_s),
    })
    .filter(|part| part.to_s > part.from_s)
    .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testkit;

    #[test]
    fn the_page_says_what_the_terminal_says_and_brings_its_chart() {
        let report = testkit::report(true);
        let page = render(&report).unwrap();
        for part in [
            "1 of 300 requests were lost while pods changed.",
            "users-old",
            "What to do",
            "data-chart=\"rollout\"",
            "rollout-data",
        ] {
            assert!(page.contains(part), "{part}");
        }
        assert!(!page.contains("http://10.96.0.7/</script"));
    }

    #[test]
    fn a_life_is_drawn_in_its_parts() {
        let report = testkit::report(false);
        let chart = chart(&report);
        assert_eq!((chart.from_s, chart.to_s), (-10.0, 30.0));
        let parts = |n: usize| -> Vec<(&str, f64, f64)> {
            let parts = chart.pods[n].parts.iter();
            parts.map(|it| (it.what, it.from_s, it.to_s)).collect()
        };
        let old = [("takes traffic", -9.0, 11.0), ("ending", 11.0, 20.0)];
        assert_eq!(parts(0), old);
        let new = [("starting", 0.0, 10.0), ("takes traffic", 10.0, 30.0)];
        assert_eq!(parts(1), new);
    }

    #[test]
    fn a_pod_without_an_endpoint_takes_no_traffic() {
        let at = |phase| match phase {
            Phase::Made => Some(0.0),
            Phase::TakesTraffic => Some(5.0),
            Phase::TakesNoMore => Some(8.0),
            Phase::Ending => Some(12.0),
            Phase::Gone => Some(14.0),
            _ => None,
        };
        let parts: Vec<(&str, f64, f64)> = parts(at, 0.0, 20.0)
            .iter()
            .map(|it| (it.what, it.from_s, it.to_s))
            .collect();
        let expected = [
            ("starting", 0.0, 5.0),
            ("takes traffic", 5.0, 8.0),
            ("no endpoint", 8.0, 12.0),
            ("ending", 12.0, 14.0),
        ];
        assert_eq!(parts, expected);
    }
}
