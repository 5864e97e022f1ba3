//! What the template shows, as text: the head, the certificate, the run.

use super::limits::{LimitsView, limits};
use super::pods::{PodView, pods};
use super::variants::{VariantView, variants};
use crate::overview::overview;
use crate::words;
use crate::words::Stretch;
use serde::Serialize;
use std::path::Path;
use tacho_figures as figures;
use tacho_run_folder::{
    CertificateState, LaunchOutcome, LaunchRecord, Results, RunData, rule_in_words,
};

/// What the template of the page is filled with.
#[derive(Debug, Serialize)]
pub struct PageView<'r> {
    name: String,
    id: String,
    started_at: String,
    interrupted: bool,
    tacho: String,
    facts: Vec<String>,
    advice: Vec<Stretch>,
    failed_cells: Vec<words::FailedCell<'r>>,
    mark_notes: Vec<&'static str>,
    baseline: String,
    threshold: String,
    certificate: CertificateView,
    limits: Vec<LimitsView>,
    checks: Vec<CheckView>,
    troubles: Vec<TroubleView>,
    launches: Vec<LaunchView>,
    pods: Vec<PodView>,
    variants: Vec<VariantView>,
    phases: Vec<String>,
    notes: Vec<Vec<Stretch>>,
    machine: Vec<(&'static str, String)>,
    plan: Vec<(&'static str, String)>,
    unreadable_lines: usize,
}

#[derive(Debug, Serialize)]
struct CertificateView {
    state: &'static str,
    meaning: &'static str,
    evidence: Vec<EvidenceView>,
}

#[derive(Debug, Serialize)]
struct EvidenceView {
    rule: String,
    state: &'static str,
    speaks_against: bool,
    statement: Vec<Stretch>,
    launches: String,
}

#[derive(Debug, Serialize)]
struct CheckView {
    check: String,
    cell: String,
    phase: String,
    measured: String,
    passed: bool,
}

#[derive(Debug, Serialize)]
struct TroubleView {
    number: u32,
    cell: String,
    state: String,
    why: String,
    log: String,
}

#[derive(Debug, Serialize)]
struct LaunchView {
    number: u32,
    cell: String,
    outcome: String,
    counts: bool,
    listening: String,
    first_2xx: String,
    ready: String,
    ready_by: String,
    claim: String,
    jvm: String,
    failed_requests: String,
    throttled: String,
}

/// Everything that the template needs.
pub fn view<'r>(run: &'r RunData, results: &Results, unreadable_lines: usize) -> PageView<'r> {
    let header = &run.header;
    PageView {
        name: header.name.clone(),
        id: header.id.clone(),
        started_at: instant(&header.started_at),
        interrupted: header.interrupted,
        tacho: header.tacho.clone(),
        facts: facts(run),
        advice: words::prose(&results.advice.sentence),
        baseline: run.plan.baseline.clone(),
        threshold: figures::percent(run.plan.threshold),
        certificate: certificate(results),
        limits: overview(run, results)
            .iter()
            .map(|l| limits(l, &run.plan.baseline))
            .collect(),
        checks: checks(results),
        troubles: troubles(run),
        mark_notes: words::mark_notes(results),
        failed_cells: words::failed_cells(run, results),
        launches: run.launches.iter().map(|l| launch(&l.record)).collect(),
        pods: pods(run.launches.iter().map(|l| &l.record)),
        variants: variants(run),
        phases: run.plan.phases.iter().map(words::phase).collect(),
        notes: run.plan.notes.iter().map(|n| words::prose(n)).collect(),
        machine: machine(run),
        plan: plan(run),
        unreadable_lines,
    }
}

/// `2026-11-21 21:13 UTC` of an RFC 3339 time; any other text as it is.
fn instant(rfc3339: &str) -> String {
    match (rfc3339.get(..10), rfc3339.get(10..11), rfc3339.get(11..16)) {
        (Some(date), Some("T"), Some(time)) if rfc3339.ends_with('Z') => {
            format!("{date} {time} UTC")
        }
        _ => rfc3339.to_owned(),
    }
}

fn facts(run: &RunData) -> Vec<String> {
    let header = &run.header;
    [
        Some(figures::launches(run.launches.len())),
        Some(words::replicates(run)),
        header.subject.framework.clone(),
        Some(format!(
            "{} CPUs, {}",
            header.machine.cpus,
            figures::bytes(header.machine.memory_bytes as f64)
        )),
    ]
    .into_iter()
    .flatten()
    .collect()
}

fn certificate(results: &Results) -> CertificateView {
    let certificate = &results.certificate;
    CertificateView {
        state: words::certificate(certificate.state),
        meaning: words::certificate_meaning(certificate.state),
        evidence: certificate
            .evidence
            .iter()
            .map(|e| EvidenceView {
                rule: rule_in_words(&e.rule),
                state: words::certificate(e.state),
                speaks_against: e.state != CertificateState::Valid,
                statement: words::prose(&e.statement),
                launches: numbers(&e.launches),
            })
            .collect(),
    }
}

/// `1–3, 7`: runs of numbers, so that forty launches fit into a cell.
fn numbers(launches: &[u32]) -> String {
    let mut sorted = launches.to_vec();
    sorted.sort_unstable();
    sorted.dedup();
    sorted
        .chunk_by(|a, b| a + 1 == *b)
        .filter_map(|run| match run {
            [one] => Some(one.to_string()),
            [first, .., last] => Some(format!("{first}–{last}")),
            [] => None,
        })
        .collect::<Vec<_>>()
        .join(", ")
}

fn checks(results: &Results) -> Vec<CheckView> {
    results
        .checks
        .iter()
        .map(|c| CheckView {
            check: c.check.clone(),
            cell: c.cell.clone(),
            phase: c.phase.clone().unwrap_or_default(),
            measured: words::check_value(c).unwrap_or_else(|| "–".to_owned()),
            passed: c.passed,
        })
        .collect()
}

fn troubles(run: &RunData) -> Vec<TroubleView> {
    run.launches
        .iter()
        .filter_map(|l| {
            let record = &l.record;
            let (state, why) = words::trouble(&record.outcome)?;
            let log = match &record.outcome {
                LaunchOutcome::Failed { last_log_lines, .. } => last_log_lines.join("\n"),
                _ => String::new(),
            };
            Some(TroubleView {
                number: record.number,
                cell: record.cell.clone(),
                state,
                why: why.to_owned(),
                log,
            })
        })
        .collect()
}

fn launch(record: &LaunchRecord) -> LaunchView {
    let time = &record.time_line;
    let ms = |value: Option<f64>| value.map_or_else(|| "–".to_owned(), figures::ms);
    let failed: u64 = record
        .phases
        .iter()
        .flat_map(|p| p.errors.values())
        .map(|e| e.count)
        .sum();
    LaunchView {
        number: record.number,
        cell: record.cell.clone(),
        outcome: words::trouble(&record.outcome)
            .map_or_else(|| "completed".to_owned(), |(state, _)| state),
        counts: matches!(record.outcome, LaunchOutcome::Completed),
        listening: ms(time.listening_ms),
        first_2xx: ms(time.first_2xx_ms),
        ready: ms(time.ready_ms),
        ready_by: time.ready_by.clone().unwrap_or_default(),
        claim: time
            .claims
            .iter()
            .map(|c| format!("{} {}", c.framework, figures::ms(c.startup_ms)))
            .collect::<Vec<_>>()
            .join(", "),
        jvm: jvm(record),
        failed_requests: if record.phases.is_empty() {
            "–".to_owned()
        } else {
            figures::count(failed)
        },
        throttled: record
            .limits
            .as_ref()
            .map_or_else(|| "–".to_owned(), |l| figures::seconds(l.throttled_s)),
    }
}

/// `Serial, 1 CPU, heap 64.0 MiB, 62 % of classes from an archive`.
fn jvm(record: &LaunchRecord) -> String {
    let Some(jvm) = &record.jvm else {
        return String::new();
    };
    let shared = match (jvm.classes_loaded, jvm.classes_shared) {
        (Some(loaded), Some(shared)) if loaded > 0 => Some(format!(
            "{} of classes from an archive",
            figures::percent(shared as f64 / loaded as f64)
        )),
        _ => None,
    };
    [
        jvm.collector.as_ref().map(ToString::to_string),
        jvm.processors.map(|n| format!("{n} CPU")),
        jvm.max_heap_bytes
            .map(|b| format!("heap {}", figures::bytes(b as f64))),
        shared,
    ]
    .into_iter()
    .flatten()
    .collect::<Vec<_>>()
    .join(", ")
}

fn machine(run: &RunData) -> Vec<(&'static str, String)> {
    let machine = &run.header.machine;
    let subject = &run.header.subject;
    let mut rows = vec![
        (
            "Processor",
            format!("{} × {}", machine.cpus, machine.cpu_model),
        ),
        ("Memory", figures::bytes(machine.memory_bytes as f64)),
        ("System", machine.os.clone()),
        ("Kernel", machine.kernel.clone()),
        ("Control groups", machine.cgroup.clone()),
        ("Tacho", run.header.tacho.clone()),
    ];
    let known = [
        ("Subject", subject.artifact.as_deref().map(file_name)),
        ("Kind", subject.kind.clone()),
        ("Framework", subject.framework.clone()),
        (
            "Class files",
            subject.java_release.map(|r| format!("Java {r}")),
        ),
    ];
    rows.extend(known.into_iter().filter_map(|(k, v)| Some((k, v?))));
    rows
}

/// Where it lies on this machine is told by the commands alone: a page is given to others.
fn file_name(path: &str) -> String {
    let name = Path::new(path).file_name();
    name.map_or_else(
        || path.to_owned(),
        |name| name.to_string_lossy().into_owned(),
    )
}

fn plan(run: &RunData) -> Vec<(&'static str, String)> {
    let plan = &run.plan;
    vec![
        ("Launches of each cell", plan.launches_per_cell.to_string()),
        ("Order", format!("randomised by seed {}", plan.seed)),
        ("Rest between launches", figures::seconds(plan.rest_s)),
        ("Baseline", plan.baseline.clone()),
        ("Threshold", figures::percent(plan.threshold)),
        ("Started", instant(&run.header.started_at)),
        (
            "Finished",
            run.header
                .finished_at
                .as_deref()
                .map_or_else(|| "not finished".to_owned(), instant),
        ),
    ]
}

#[cfg(test)]
mod tests {
    use super::{instant, numbers};

    #[test]
    fn an_instant_for_people() {
        assert_eq!(instant("2026-11-21T21:13:27Z"), "2026-11-21 21:13 UTC");
        assert_eq!(instant("yesterday"), "yesterday");
    }

    #[test]
    fn runs_of_launches_are_drawn_together() {
        assert_eq!(numbers(&[7, 1, 2, 3]), "1–3, 7");
        assert_eq!(numbers(&[]), "");
    }
}
