//! From what the engine recorded to the report.

use crate::LoadReportError;
use crate::assemble::assemble;
use crate::certificate::Recorded;
use crate::check::{Check, Evaluator};
use crate::model::{LoadReport, Search};
use crate::records::{Distribution, Second, Seconds};
use std::collections::BTreeMap;
use std::path::Path;
use tacho_load::Loaded;
use tacho_load::recorder::{Files, tag_label};
use tacho_report::words;
use tacho_run_folder::{CertificateState, Conclusion, PhaseKind, PhaseRecord, PhaseTag};

/// What is known of a load run when it is over.
#[derive(Debug, Clone)]
pub struct Run<'a> {
    /// Where the requests went.
    pub url: &'a str,
    /// The names of the requests, by their index in the mix.
    pub requests: &'a [String],
    /// The phases to report, in their order. Others in the files (the tries of a search) are left
    /// out.
    pub phases: &'a [Phase<'a>],
    /// Path of the histograms, one a second: `phases.hlog`.
    pub histograms: &'a Path,
    /// Path of the slowest requests: `slowest.csv`.
    pub slowest: &'a Path,
    /// Processors of the machine.
    pub cpus: u32,
    /// The objectives that were given.
    pub checks: &'a [Check],
    /// The result of the search, if there was one.
    pub search: Option<Search>,
    /// What a reader has to know of how the requests were made and sent: [`LoadReport::notes`].
    pub notes: &'a [String],
    /// Problems with the source of the requests; they degrade the certificate.
    pub source_trouble: &'a [String],
}

/// One phase of the run.
#[derive(Debug, Clone)]
pub struct Phase<'a> {
    /// The index under which the generator ran it.
    pub index: u32,
    /// For people: `2,000/s for 20 s over 64 connections`.
    pub what: String,
    /// Requests that can be under way at the same time: connections, or streams of them.
    pub connections: u32,
    /// A closed loop without think time and without a ramp.
    pub always_busy: bool,
    /// What came of it.
    pub record: &'a PhaseRecord,
}

impl<'a> Phase<'a> {
    /// A phase from its plan and its record.
    #[must_use]
    pub fn of(index: u32, kind: &PhaseKind, record: &'a PhaseRecord) -> Self {
        Self {
            index,
            what: words::load(kind),
            connections: kind.connections(),
            always_busy: kind.is_always_busy(),
            record,
        }
    }
}

/// The report with the distributions behind it.
#[derive(Debug, Clone, PartialEq)]
pub struct LoadRun {
    /// What `--json` writes.
    pub report: LoadReport,
    /// In the order of the report's phases.
    pub distributions: Vec<PhaseDistributions>,
}

/// The distributions of one phase.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct PhaseDistributions {
    /// end - intended, of requests that succeeded.
    pub response: Distribution,
    /// end - sent, of requests that succeeded.
    pub service: Distribution,
    /// sent - intended.
    pub dispatch_delay: Distribution,
    /// dispatched - intended.
    pub generator_lag: Distribution,
    /// end - dispatched, of requests that succeeded.
    pub on_time: Distribution,
    /// Of all requests, failed ones too.
    pub recorded: Recorded,
}

#[derive(Debug, Default)]
pub(crate) struct KindSum {
    pub response: Distribution,
    pub service: Distribution,
    pub failed: u64,
}

impl LoadRun {
    /// Reads the results of a load that has ended.
    ///
    /// # Errors
    /// As [`Self::read`].
    pub fn of(
        loaded: &Loaded,
        url: &str,
        files: &Files,
        checks: &[Check],
        notes: &[String],
    ) -> Result<Self, LoadReportError> {
        let phases = loaded.phases.iter();
        let phases: Vec<Phase<'_>> = phases
            .map(|phase| Phase::of(phase.index, &phase.kind, &phase.record))
            .collect();
        Self::read(&Run {
            url,
            requests: &loaded.kinds,
            phases: &phases,
            histograms: &files.histograms,
            slowest: &files.slowest,
            cpus: std::thread::available_parallelism().map_or(1, |n| n.get() as u32),
            checks,
            search: loaded.search.as_ref().map(Search::of),
            notes,
            source_trouble: &loaded.trouble,
        })
    }

    /// The exit condition. An invalid certificate counts before objectives that do not hold.
    #[must_use]
    pub fn conclusion(&self, interrupted: bool) -> Conclusion {
        let report = &self.report;
        let not_found = report
            .search
            .as_ref()
            .is_some_and(|search| !search.confirmed);
        if interrupted {
            Conclusion::Interrupted
        } else if report.certificate.state == CertificateState::Invalid {
            Conclusion::Invalid
        } else if not_found || report.checks.iter().any(|check| !check.passed) {
            Conclusion::CheckFailed
        } else {
            Conclusion::Done
        }
    }

    /// Reads the files of the run, second by second, and builds the report.
    ///
    /// # Errors
    /// When a file cannot be read. Damaged lines are counted and shown in the certificate.
    pub fn read(run: &Run<'_>) -> Result<Self, LoadReportError> {
        let sending: Vec<&PhaseRecord> = run
            .phases
            .iter()
            .map(|p| p.record)
            .filter(|record| record.kind != PhaseTag::Rest)
            .collect();
        let mut evaluators: Vec<Evaluator<'_>> = run
            .checks
            .iter()
            .map(|check| Evaluator::new(check, &sending, run.requests))
            .collect();
        let mut distributions = vec![PhaseDistributions::default(); run.phases.len()];
        let mut kinds: BTreeMap<u32, KindSum> = BTreeMap::new();
        let tags: Vec<String> = run
            .phases
            .iter()
            .map(|p| tag_label(&p.record.label))
            .collect();
        let mut seconds = Seconds::open(run.histograms)?;
        while let Some(second) = seconds.next_second()? {
            let Some(phase) = tags.iter().position(|tag| *tag == second.phase) else {
                continue;
            };
            distributions[phase].add(&second);
            add_kinds(&mut kinds, &second);
            evaluators.iter_mut().for_each(|e| e.take(&second));
        }
        let checks = evaluators.into_iter().map(Evaluator::finish).collect();
        Ok(Self {
            report: assemble(run, &sending, &distributions, &kinds, checks)?,
            distributions,
        })
    }
}

impl PhaseDistributions {
    fn add(&mut self, second: &Second) {
        for kind in second.kinds.values() {
            self.response.add(&kind.ok.response);
            self.service.add(&kind.ok.service);
            for times in [&kind.ok, &kind.failed] {
                self.recorded.requests += times.response.count();
                self.recorded.response_s += times.response.sum_s();
                self.recorded.service_s += times.service.sum_s();
            }
        }
        self.dispatch_delay.add(&second.dispatch_delay);
        self.generator_lag.add(&second.generator_lag);
        self.on_time.add(&second.on_time);
    }
}

fn add_kinds(kinds: &mut BTreeMap<u32, KindSum>, second: &Second) {
    for (index, kind) in &second.kinds {
        let sum = kinds.entry(*index).or_default();
        sum.response.add(&kind.ok.response);
        sum.service.add(&kind.ok.service);
        sum.failed += kind.failed.response.count();
    }
}
