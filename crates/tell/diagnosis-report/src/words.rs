//! Sentences.

use crate::changes;
use crate::document::DiagnosisReport;
use crate::trace::{TraceFigures, TraceRow, TraceRowKind};
use std::collections::BTreeSet;
use tacho_diagnosis::{Conclusion, Finding, Findings, Pair};
use tacho_figures as figures;

/// The conclusion, for a manager.
#[must_use]
pub fn conclusion(report: &DiagnosisReport) -> String {
    let findings = report.findings.as_ref().map_or(&[][..], |f| &f.findings);
    if let Some(cause) = cause(report) {
        return cause;
    }
    match (report.conclusion, findings.first()) {
        (Conclusion::Interrupted, _) => "Ended before anything could be concluded.".to_owned(),
        (Conclusion::Failed, _) => {
            "Nothing can be compared: a build has no launch that came to its end.".to_owned()
        }
        (Conclusion::NoDifference, _) => format!(
            "No difference: {} is not slower than {} beyond what the launches scatter. So there is nothing to explain.",
            report.candidate,
            report.baseline.as_deref().unwrap_or("the baseline")
        ),
        (Conclusion::NotTold, _) => format!(
            "Not told: {} may be slower than {}, but the launches scatter too much or are too few. Give more of them with --launches.",
            report.candidate,
            report.baseline.as_deref().unwrap_or("the baseline")
        ),
        (Conclusion::Explained, Some(first)) => format!(
            "{} of why {} is slower lies in {}: {}",
            figures::percent(first.explains),
            report.candidate,
            place(first),
            after_its_place(first)
        ),
        (Conclusion::Single, Some(first)) => format!(
            "Most of a request's time, {}, is spent for {}: {}",
            figures::percent(first.explains),
            place(first),
            after_its_place(first)
        ),
        (Conclusion::Single, None) => {
            "No code of the application stands out in a request's time.".to_owned()
        }
        (Conclusion::NotExplained | Conclusion::Explained, _) => format!(
            "{} is slower, and no code of the application explains it; what was looked at and what could not be is below.",
            report.candidate
        ),
    }
}

/// The change that was put back and gave back a part of the loss that was told apart from nothing.
fn cause(report: &DiagnosisReport) -> Option<String> {
    let mut causes = report.counterfactuals.iter();
    let (what, share) = causes.find_map(|cause| {
        let share = cause.gives_back.as_ref().filter(|share| share.low > 0.0)?;
        Some((cause.put_back.as_ref()?, share))
    })?;
    let mut text = format!(
        "{} is slower because of {}: with that alone put back, {} of the loss is gone (95 %: {} to {}).",
        report.candidate,
        changes::change(what),
        figures::percent(share.value),
        figures::percent(share.low),
        figures::percent(share.high)
    );
    let finding = report.findings.as_ref().and_then(|f| f.findings.first());
    if let Some(first) = finding {
        text += &format!(" It shows in {}: {}", place(first), after_its_place(first));
    }
    Some(text)
}

/// A finding's sentence where its owner has just been named.
fn after_its_place(finding: &Finding) -> String {
    let sentence = finding.sentence.replace(&finding.owner, "it");
    let mut letters = sentence.chars();
    letters.next().map_or_else(String::new, |first| {
        first.to_lowercase().chain(letters).collect()
    })
}

/// The owner with its line, where that is known: `shop.Orders.total:17`.
pub fn place(finding: &Finding) -> String {
    match finding.line {
        Some(line) => format!("{}:{line}", finding.owner),
        None => finding.owner.clone(),
    }
}

/// Rules that could not look; nothing where all could.
pub fn not_looked(findings: &Findings) -> Option<String> {
    let names = findings.not_looked.iter().map(|not| not.name.as_str());
    let names: Vec<&str> = names.collect();
    let whys: BTreeSet<&str> = findings.not_looked.iter().map(|not| &*not.why).collect();
    let whys: Vec<&str> = whys.into_iter().collect();
    (!names.is_empty()).then(|| {
        format!(
            "Not looked for: {} ({}).",
            names.join(", "),
            whys.join("; ")
        )
    })
}

/// What the shares of findings are shares of.
pub fn of(compared: bool) -> &'static str {
    match compared {
        true => "the difference",
        false => "a request's time",
    }
}

/// `new against old`.
pub fn title(report: &DiagnosisReport) -> String {
    match &report.baseline {
        Some(baseline) => format!("{} against {baseline}", report.candidate),
        None => report.candidate.clone(),
    }
}

/// What is left.
pub fn unexplained(findings: &Findings) -> String {
    let of = of(findings.compared);
    format!(
        "{} of {of} is explained by nothing above ({}).",
        figures::percent(findings.unexplained.share),
        figures::ms(findings.unexplained.ms)
    )
}

/// How much of the loss a change recovered.
pub fn recovered(counterfactual: &crate::Counterfactual) -> String {
    let changed = match &counterfactual.put_back {
        Some(what) => format!("Putting back {}", changes::change(what)),
        None => counterfactual.changed.clone(),
    };
    match &counterfactual.gives_back {
        None => {
            format!("{changed}: these launches show no loss, so that there is nothing to recover.")
        }
        Some(share) => format!(
            "{changed} recovers {} of the loss (95 %: {} to {}; {}).",
            figures::percent(share.value),
            figures::percent(share.low),
            figures::percent(share.high),
            counterfactual.figure
        ),
    }
}

/// Below a trace in which there is any.
pub const ESTIMATED: &str = "≈: to time each call would have cost too much; one in N was timed, chosen at random, and stands for all.";

/// Any figure of a row is not counted but estimated.
pub fn is_estimated(row: &TraceRow) -> bool {
    let builds = row.baseline.iter().chain(&row.candidate);
    builds.into_iter().any(|figures| figures.time_is_estimated)
}

/// A row's method; `short` without its package where that is known from its caller's.
pub fn trace_name(row: &TraceRow, short: bool) -> String {
    let method = match short && row.depth > 0 {
        true => without_package(&row.method),
        false => row.method.clone(),
    };
    match row.kind {
        TraceRowKind::Root | TraceRowKind::Call => method,
        TraceRowKind::Ran => format!("which is {method}"),
        TraceRowKind::Rest => "its own code, and calls that are not timed".to_owned(),
    }
}

/// `Class.method` of `package.Class.method`, where a package begins with a small letter.
fn without_package(method: &str) -> String {
    let is_package = |part: &&str| part.starts_with(|c: char| c.is_lowercase());
    let parts: Vec<&str> = method.split('.').collect();
    let packages = parts.iter().take_while(|part| is_package(part)).count();
    parts[packages.min(parts.len().saturating_sub(2))..].join(".")
}

/// Calls a request; `–` where it was not seen, nothing for the rest of a method.
pub fn trace_calls(row: &TraceRow, figures: Option<&TraceFigures>) -> String {
    match figures {
        _ if row.kind == TraceRowKind::Rest => String::new(),
        Some(seen) => about(seen.calls_are_estimated, &figures::often(seen.calls)),
        None => "–".to_owned(),
    }
}

/// Time a request.
pub fn trace_time(figures: Option<&TraceFigures>) -> String {
    figures.map_or_else(
        || "–".to_owned(),
        |seen| about(seen.time_is_estimated, &figures::ms(seen.ms)),
    )
}

/// How often, of a count's pair.
pub fn counted(pair: &Pair) -> impl Fn(f64) -> String + use<> {
    let is_estimated = pair.estimated;
    move |value| about(is_estimated, &figures::often(value))
}

fn about(is_estimated: bool, figure: &str) -> String {
    format!("{}{figure}", if is_estimated { "≈ " } else { "" })
}

#[cfg(test)]
mod tests {
    use super::*;
    use tacho_diagnosis::NotLooked;

    #[test]
    fn the_conclusion_names_the_line_once_and_then_says_what_happens_there() {
        let time = serde_json::json!({"baseline": 1.0, "candidate": 3.0, "error": 0.1});
        let report = serde_json::json!({
            "format": 1, "name": "shop", "baseline": "old", "candidate": "new", "conclusion": "explained",
            "measured": [], "certificate": "valid", "folder": "runs/shop",
            "findings": {
                "compared": true, "processor_ms": time, "waits_ms": time, "service_ms": time, "collector_ms": time, "compiler_ms": time,
                "missing": [], "unexplained": {"share": 0.15, "ms": 0.3},
                "findings": [{
                    "pattern": "regex-per-call", "owner": "shop.Orders.total", "line": 17, "is_own": true,
                    "sentence": "For each request shop.Orders.total compiles a regular expression 4 times (before: never): a+.",
                    "time_ms": time, "explains": 0.85, "explains_error": 0.01, "counts": [], "fix": "", "stack": [], "also": [],
                }],
            },
        });
        let report: DiagnosisReport = serde_json::from_value(report).unwrap();
        assert_eq!(
            conclusion(&report),
            "85 % of why new is slower lies in shop.Orders.total:17: for each request it compiles a regular expression 4 times (before: never): a+."
        );
    }

    #[test]
    fn rules_that_could_not_look_are_told_together() {
        let not = |pattern: &str, name: &str, why: &str| NotLooked {
            pattern: pattern.to_owned(),
            name: name.to_owned(),
            why: why.to_owned(),
        };
        let mut findings = Findings::default();
        assert_eq!(not_looked(&findings), None);
        let why = "resource look ups not observed in old";
        findings.not_looked = vec![
            not("service-loader-scan", "scans for services", why),
            not("resource-look-ups", "resources of the class path", why),
        ];
        assert_eq!(
            not_looked(&findings).unwrap(),
            "Not looked for: scans for services, resources of the class path \
             (resource look ups not observed in old)."
        );
        assert_eq!(
            serde_json::json!(findings)["not_looked"][0],
            serde_json::json!({"pattern": "service-loader-scan", "name": "scans for services", "why": why})
        );
    }
}
