//! Processor time for other tools: collapsed stacks, and speedscope's file format.
//!
//! Both are of the whole window, in microseconds; `dissection.json` says how many requests it had. Names are those that survive a rebuild, so that
//! `difffolded.pl` and its like can compare the two builds.

use crate::stacks::stacks;
use serde::Serialize;
use std::collections::BTreeMap;
use tacho_run_folder::{Dissection, Ledger, LedgerKind};

/// Nanoseconds of a ledger in a microsecond.
const NS: f64 = 1e3;

/// A name and what is to be written there, for each build that has processor time.
///
/// # Errors
/// When a profile cannot be written as JSON.
pub fn files(
    baseline: Option<&Dissection>,
    candidate: Option<&Dissection>,
) -> Result<Vec<(String, String)>, serde_json::Error> {
    let mut files = Vec::new();
    for (role, seen) in [("candidate", candidate), ("baseline", baseline)] {
        let Some(ledger) = seen.and_then(|seen| seen.ledger(LedgerKind::Processor)) else {
            continue;
        };
        let title = format!("{role}, processor time of {} requests", ledger.requests);
        files.push((format!("processor-{role}.collapsed"), collapsed(ledger)));
        files.push((
            format!("processor-{role}.speedscope.json"),
            speedscope(ledger, &title)?,
        ));
    }
    Ok(files)
}

/// One line a stack: frames outermost first with `;` between, a space, microseconds.
#[must_use]
pub fn collapsed(ledger: &Ledger) -> String {
    stacks(ledger)
        .iter()
        .filter_map(|(frames, cost)| {
            let micros = (cost / NS).round();
            let names: Vec<String> = frames.iter().map(|frame| word(frame)).collect();
            (micros >= 1.0).then(|| format!("{} {micros:.0}\n", names.join(";")))
        })
        .collect()
}

/// What separates frames and lines cannot be in a name.
fn word(frame: &str) -> String {
    frame
        .chars()
        .map(|c| match c {
            ';' => ':',
            c if c.is_whitespace() || c.is_control() => '_',
            c => c,
        })
        .collect()
}

/// <https://www.speedscope.app/file-format-schema.json>: one profile of kind `sampled`.
///
/// # Errors
/// When it cannot be written as JSON.
pub fn speedscope(ledger: &Ledger, title: &str) -> Result<String, serde_json::Error> {
    let stacks = stacks(ledger);
    let mut places: BTreeMap<&str, usize> = BTreeMap::new();
    let mut frames = Vec::new();
    let mut samples = Vec::new();
    for stack in stacks.keys() {
        let sample: Vec<usize> = stack
            .iter()
            .map(|name| {
                *places.entry(name).or_insert_with(|| {
                    frames.push(Frame { name });
                    frames.len() - 1
                })
            })
            .collect();
        samples.push(sample);
    }
    let weights: Vec<f64> = stacks.values().map(|cost| cost / NS).collect();
    let file = File {
        schema: "https://www.speedscope.app/file-format-schema.json",
        exporter: concat!("tacho ", env!("CARGO_PKG_VERSION")),
        name: title,
        shared: Shared { frames },
        profiles: [Profile {
            kind: "sampled",
            name: title,
            unit: "microseconds",
            start_value: 0.0,
            end_value: weights.iter().sum(),
            samples,
            weights,
        }],
    };
    Ok(serde_json::to_string(&file)? + "\n")
}

#[derive(Serialize)]
struct File<'a> {
    #[serde(rename = "$schema")]
    schema: &'a str,
    exporter: &'a str,
    name: &'a str,
    shared: Shared<'a>,
    profiles: [Profile<'a>; 1],
}

#[derive(Serialize)]
struct Shared<'a> {
    frames: Vec<Frame<'a>>,
}

#[derive(Serialize)]
struct Frame<'a> {
    name: &'a str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Profile<'a> {
    #[serde(rename = "type")]
    kind: &'a str,
    name: &'a str,
    unit: &'a str,
    start_value: f64,
    end_value: f64,
    samples: Vec<Vec<usize>>,
    weights: Vec<f64>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testkit::processor;

    /// Two lines of a method, a lambda with a number, names that would break a line, a thread of the JVM, and a cost that is no number.
    fn ledger() -> Ledger {
        processor(
            10,
            &[
                (
                    "org.lib.Cache.get:9 shop.Web.lambda$get$3:4 java.lang.Thread.run:840",
                    2e6,
                ),
                (
                    "org.lib.Cache.get:12 shop.Web.lambda$get$7:5 java.lang.Thread.run:840",
                    1e6,
                ),
                ("odd;name\tof\na.Class.run:1", 5e3),
                ("shop.Web.tiny:1", 100.0),
                ("shop.Web.broken:1", f64::NAN),
                ("", 4e6),
            ],
        )
    }

    #[test]
    fn collapsed_stacks_are_outermost_first_and_one_a_line() {
        insta::assert_snapshot!(collapsed(&ledger()), @r"
        (GC) 4000
        java.lang.Thread.run;shop.Web.lambda$get;org.lib.Cache.get 3000
        odd:name_of_a.Class.run 5
        ");
    }

    #[test]
    fn speedscope_holds_each_frame_once() {
        insta::assert_snapshot!(
            speedscope(&ledger(), "candidate")
                .unwrap()
                .replace(env!("CARGO_PKG_VERSION"), "VERSION")
        , @r##"{"$schema":"https://www.speedscope.app/file-format-schema.json","exporter":"tacho VERSION","name":"candidate","shared":{"frames":[{"name":"(GC)"},{"name":"java.lang.Thread.run"},{"name":"shop.Web.lambda$get"},{"name":"org.lib.Cache.get"},{"name":"odd;name\tof\na.Class.run"},{"name":"shop.Web.tiny"}]},"profiles":[{"type":"sampled","name":"candidate","unit":"microseconds","startValue":0.0,"endValue":7005.1,"samples":[[0],[1,2,3],[4],[5]],"weights":[4000.0,3000.0,5.0,0.1]}]}"##);
    }

    #[test]
    fn a_build_without_processor_time_has_no_files() {
        assert!(
            files(None, Some(&Dissection::default()))
                .unwrap()
                .is_empty()
        );
        let seen = Dissection {
            ledgers: vec![ledger()],
            ..Dissection::default()
        };
        let names: Vec<String> = files(None, Some(&seen))
            .unwrap()
            .into_iter()
            .map(|(name, _)| name)
            .collect();
        assert_eq!(
            names,
            [
                "processor-candidate.collapsed",
                "processor-candidate.speedscope.json"
            ]
        );
    }
}
