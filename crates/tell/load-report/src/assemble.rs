//! Puts the report together.

use crate::certificate::{self, Facts};
use crate::model::{FORMAT, KindReport, LoadReport, OutcomeCount, PhaseReport, SlowRequest};
use crate::records::Distribution;
use crate::run::{KindSum, Phase, PhaseDistributions, Run};
use crate::{CheckReport, LoadReportError};
use std::collections::BTreeMap;
use std::io::BufReader;
use tacho_load::recorder::MOST_KINDS;
use tacho_run_folder::{
    AnswerEnd, ErrorKind, LateShare, PhaseRecord, Quantiles, RequestRow, late_shares,
    late_shares_of,
};

/// How many of the slowest requests are reported.
const SLOWEST: usize = 10;

pub fn assemble(
    run: &Run<'_>,
    sending: &[&PhaseRecord],
    distributions: &[PhaseDistributions],
    kinds: &BTreeMap<u32, KindSum>,
    checks: Vec<CheckReport>,
) -> Result<LoadReport, LoadReportError> {
    let facts: Vec<Facts<'_>> = run
        .phases
        .iter()
        .zip(distributions)
        .map(|(phase, distributions)| Facts {
            record: phase.record,
            connections: phase.connections,
            always_busy: phase.always_busy,
            cpus: run.cpus,
            recorded: Some(distributions.recorded),
            is_one_of_many: run.phases.len() > 1,
        })
        .collect();
    let duration_s: f64 = sending.iter().map(|p| p.duration_s).sum();
    let answered: f64 = sending.iter().map(|p| p.throughput * p.duration_s).sum();
    let times = |of_record: fn(&PhaseRecord) -> Option<Quantiles>,
                 of_log: fn(&PhaseDistributions) -> &Distribution| {
        // The totals of a single phase do not depend on the log.
        if let [only] = sending {
            return of_record(only);
        }
        let mut merged = Distribution::default();
        distributions.iter().for_each(|d| merged.merge(of_log(d)));
        merged.quantiles()
    };
    let response_time_ms = times(|p| p.response_time_ms, |d| &d.response);
    let on_time_ms = times(|p| p.on_time_response_ms, |d| &d.on_time);
    Ok(LoadReport {
        tacho: FORMAT,
        url: run.url.to_owned(),
        requests: sending.iter().map(|p| p.requests).sum(),
        duration_s,
        rate: if duration_s > 0.0 {
            answered / duration_s
        } else {
            0.0
        },
        intended_rate: same_rate(sending),
        response_time_ms,
        service_time_ms: times(|p| p.service_time_ms, |d| &d.service),
        dispatch_delay_ms: times(|p| p.dispatch_delay_ms, |d| &d.dispatch_delay),
        generator_lag_ms: times(|p| p.generator_lag_ms, |d| &d.generator_lag),
        late_shares: shares_of_all(sending, response_time_ms, on_time_ms),
        outcomes: sending.iter().fold(BTreeMap::new(), |mut sum, phase| {
            add_outcomes(&mut sum, phase);
            sum
        }),
        certificate: certificate::of_run(&facts, run.source_trouble),
        phases: run.phases.iter().zip(&facts).map(phase_report).collect(),
        requests_by_kind: kinds
            .iter()
            .map(|(index, sum)| kind_report(*index, sum, run.requests))
            .collect(),
        slowest: slowest(run)?,
        checks,
        notes: run
            .notes
            .iter()
            .map(|note| harmless(note))
            .chain(without_stamps(sending))
            .collect(),
        search: run.search.clone(),
    })
}

/// A note that is given once per run. The schedule is still kept, but the ends of requests are
/// recorded a little late.
fn without_stamps(sending: &[&PhaseRecord]) -> Option<String> {
    let is_unstamped = |phase: &&PhaseRecord| {
        let keeping = phase.time_keeping;
        phase.kind.has_schedule() && keeping.is_some_and(|k| k.ends == AnswerEnd::AfterRead)
    };
    sending.iter().any(is_unstamped).then(|| {
        "the kernel gives no arrival timestamps here (as on Unix sockets): a request ends when its answer has been read, some tens of us after it came".to_owned()
    })
}

/// Late shares over all phases, if at least one phase has a schedule.
fn shares_of_all(
    sending: &[&PhaseRecord],
    response: Option<Quantiles>,
    on_time: Option<Quantiles>,
) -> Vec<LateShare> {
    if let [only] = sending {
        return late_shares_of(only).unwrap_or_default();
    }
    match (response, on_time) {
        (Some(response), Some(on_time)) if sending.iter().any(|p| p.kind.has_schedule()) => {
            late_shares(&response, &on_time)
        }
        _ => Vec::new(),
    }
}

/// The intended rate, if it is the same in all phases.
fn same_rate(sending: &[&PhaseRecord]) -> Option<f64> {
    let (first, others) = sending.split_first()?;
    let rate = first.intended_rate?;
    others
        .iter()
        .all(|p| p.intended_rate == Some(rate))
        .then_some(rate)
}

/// Adds up outcomes by status class. Requests without a complete answer count by kind of error.
fn add_outcomes(sum: &mut BTreeMap<String, OutcomeCount>, phase: &PhaseRecord) {
    for (class, count) in &phase.by_status {
        sum.entry(class.clone()).or_default().count += count;
    }
    for (kind, error) in &phase.errors {
        let entry = match kind.known().and_then(ErrorKind::status_class) {
            // Already counted with its class.
            Some(class) if phase.by_status.contains_key(class) => {
                sum.entry(class.to_owned()).or_default()
            }
            Some(class) => add(sum, class, error.count),
            None => add(sum, kind.name(), error.count),
        };
        entry
            .example
            .get_or_insert_with(|| harmless(&error.example));
    }
}

/// The example may contain text that the subject sent. Removes control characters, which could
/// reach a terminal, and characters that change the direction of text (UAX 9, CVE-2021-42574).
pub(crate) fn harmless(text: &str) -> String {
    text.replace(tacho_foreign::is_command, "\u{fffd}")
}

fn add<'a>(
    sum: &'a mut BTreeMap<String, OutcomeCount>,
    name: &str,
    count: u64,
) -> &'a mut OutcomeCount {
    let entry = sum.entry(name.to_owned()).or_default();
    entry.count += count;
    entry
}

fn phase_report((phase, facts): (&Phase<'_>, &Facts<'_>)) -> PhaseReport {
    let record = phase.record;
    let mut outcomes = BTreeMap::new();
    add_outcomes(&mut outcomes, record);
    PhaseReport {
        label: record.label.clone(),
        kind: record.kind,
        what: phase.what.clone(),
        connections: phase.connections,
        started_s: record.started_ms / 1e3,
        requests: record.requests,
        succeeded: record.succeeded,
        failed: record.errors.values().map(|e| e.count).sum(),
        duration_s: record.duration_s,
        rate: record.throughput,
        intended_rate: record.intended_rate,
        response_time_ms: record.response_time_ms,
        service_time_ms: record.service_time_ms,
        dispatch_delay_ms: record.dispatch_delay_ms,
        generator_lag_ms: record.generator_lag_ms,
        late_shares: late_shares_of(record).unwrap_or_default(),
        outcomes,
        certificate: certificate::of_phase(facts),
        reconnects: record.reconnects,
        generator_cpu_s: record.generator_cpu_s,
        time_keeping: record.time_keeping,
        steal_s: record.steal_s,
        workers: record.workers.clone(),
        interrupted: record.interrupted,
    }
}

fn kind_report(index: u32, sum: &KindSum, names: &[String]) -> KindReport {
    let name = if index as usize >= MOST_KINDS {
        format!("other ({} kinds)", names.len().saturating_sub(MOST_KINDS))
    } else {
        name_of(index, names)
    };
    let succeeded = sum.response.count();
    KindReport {
        name,
        requests: succeeded + sum.failed,
        succeeded,
        failed: sum.failed,
        response_time_ms: sum.response.quantiles(),
        service_time_ms: sum.service.quantiles(),
    }
}

fn name_of(index: u32, names: &[String]) -> String {
    let name = names.get(index as usize);
    name.map_or_else(|| format!("request {index}"), Clone::clone)
}

/// All trials of a search have the same phase index, so they are told apart by their time span.
fn is_of(row: &RequestRow, phase: &Phase<'_>) -> bool {
    let begin_ms = phase.record.started_ms;
    let end_ms = begin_ms + phase.record.duration_s * 1e3;
    // Times in the record are rounded: allow 1 ms on each side.
    let span = begin_ms - 1.0..=end_ms + 1.0;
    row.phase == phase.index && span.contains(&(row.end_ns as f64 / 1e6))
}

fn slowest(run: &Run<'_>) -> Result<Vec<SlowRequest>, LoadReportError> {
    let file = tacho_files::open(run.slowest).map_err(LoadReportError::unreadable(run.slowest))?;
    let rows = RequestRow::read(BufReader::new(file)).map_err(|source| LoadReportError::Rows {
        path: run.slowest.to_owned(),
        source,
    })?;
    let mut of_phases: Vec<(&Phase<'_>, RequestRow)> = rows
        .into_iter()
        .filter_map(|row| {
            let phase = run.phases.iter().find(|p| is_of(&row, p))?;
            Some((phase, row))
        })
        .collect();
    of_phases.sort_by(|(_, a), (_, b)| b.response_time_ms().total_cmp(&a.response_time_ms()));
    of_phases.truncate(SLOWEST);
    let ms = |from: u64, to: u64| to.saturating_sub(from) as f64 / 1e6;
    Ok(of_phases
        .into_iter()
        .map(|(phase, row)| {
            let was_sent = row.sent_ns > 0;
            SlowRequest {
                phase: phase.record.label.clone(),
                request: name_of(row.request, run.requests),
                intended_s: row.intended_ns as f64 / 1e9 - phase.record.started_ms / 1e3,
                response_time_ms: row.response_time_ms(),
                service_time_ms: was_sent.then(|| ms(row.sent_ns, row.end_ns)),
                dispatch_delay_ms: was_sent.then(|| ms(row.intended_ns, row.sent_ns)),
                outcome: row.outcome.to_string(),
            }
        })
        .collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_subject_sends_cannot_steer_a_terminal() {
        assert_eq!(
            harmless("GET /: \u{1b}[2Jä\r\n"),
            "GET /: \u{fffd}[2Jä\u{fffd}\u{fffd}"
        );
    }

    #[test]
    fn of_trials_with_one_index_the_instants_tell_which_is_meant() {
        let record = PhaseRecord {
            started_ms: 20_000.0,
            ..crate::certificate::tests::open()
        };
        let phase = Phase {
            index: 3,
            what: String::new(),
            connections: 64,
            always_busy: false,
            record: &record,
        };
        let ended_at = |phase: u32, s: f64| RequestRow {
            phase,
            end_ns: (s * 1e9) as u64,
            ..RequestRow::default()
        };
        assert!(is_of(&ended_at(3, 20.1), &phase) && is_of(&ended_at(3, 30.0), &phase));
        assert!(!is_of(&ended_at(3, 19.0), &phase), "the trial before");
        assert!(!is_of(&ended_at(3, 31.0), &phase), "the trial after it");
        assert!(!is_of(&ended_at(2, 25.0), &phase));
    }
}
