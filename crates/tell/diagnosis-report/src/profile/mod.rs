//! What is printed, drawn and written of a profile of a running JVM.

mod html;
mod text;
mod top;

pub use html::{FILE, render};
pub use text::text;
pub use top::{Row, Top, top};

use crate::export::{About, Export, ExportError, Format, of_ledger, title};
use serde::Serialize;
use tacho_diagnosis::Own;
use tacho_figures::{self as figures, counted};
use tacho_run_folder::{Ledger, LedgerKind};

/// A profile; what `tacho profile --json` writes.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ProfileReport {
    /// Process id of the JVM.
    pub pid: u32,
    /// The main class or jar; without arguments, which may hold secrets.
    pub program: String,
    /// The sampler, with its version and interval.
    pub instrument: String,
    /// When it was switched on, RFC 3339.
    pub began_at: String,
    /// From switching it on to switching it off.
    pub elapsed_s: f64,
    /// Processor time that the kernel counted for the process meanwhile.
    pub processor_s: f64,
    /// Number of requests that the user gave. If given, costs are divided by it.
    pub requests: Option<u64>,
    /// Packages of the application.
    pub own: Vec<String>,
    /// One for each kind of cost that was asked for and could be had.
    pub costs: Vec<Cost>,
    /// What is to be known of it.
    pub notes: Vec<String>,
    /// The user ended it sooner.
    pub interrupted: bool,
    /// Where its files are.
    pub folder: String,
    /// Names of the files that were written, within the folder.
    pub files: Vec<String>,
}

/// One kind of cost.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Cost {
    /// Kind of cost that the samples stand for.
    pub kind: LedgerKind,
    /// `ns` or `bytes`.
    pub unit: &'static str,
    /// Samples, or waits that were seen.
    pub samples: u64,
    /// In its unit, of the whole time.
    pub sum: f64,
    /// Where it goes.
    #[serde(flatten)]
    pub top: Top,
}

/// The cost of each ledger, with at most `rows` rows in its tables.
#[must_use]
pub fn costs(ledgers: &[Ledger], own: &[String], rows: usize) -> Vec<Cost> {
    let own = Own::of(own);
    let cost = |ledger: &Ledger| Cost {
        kind: ledger.kind,
        unit: match ledger.kind {
            LedgerKind::Allocation => "bytes",
            _ => "ns",
        },
        samples: ledger.entries.iter().map(|entry| entry.count).sum::<u64>()
            + ledger.left_out.count,
        sum: ledger.entries.iter().map(|entry| entry.cost).sum::<f64>() + ledger.left_out.cost,
        top: top(ledger, &own, rows),
    };
    ledgers.iter().map(cost).collect()
}

/// Each ledger in each of the formats. `period` is what a sample was asked for each.
///
/// # Errors
/// When one cannot be written, which is a fault of Tacho.
pub fn exports(
    report: &ProfileReport,
    ledgers: &[Ledger],
    formats: &[Format],
    began_ns: i64,
    period: impl Fn(LedgerKind) -> Option<u64>,
) -> Result<Vec<Export>, ExportError> {
    let mut all = Vec::new();
    for ledger in ledgers {
        let about = About {
            title: &format!("{}, {}", report.program, title(ledger.kind)),
            began_ns,
            duration_ns: (report.elapsed_s * 1e9) as i64,
            period: period(ledger.kind),
        };
        all.extend(of_ledger(ledger, "", formats, &about)?);
    }
    Ok(all)
}

impl Cost {
    /// Title in reports.
    #[must_use]
    pub fn title(&self) -> &'static str {
        match self.kind {
            LedgerKind::Processor => "Processor time",
            LedgerKind::Wall => "Wall clock",
            LedgerKind::Allocation => "Allocation",
            _ => "Locks",
        }
    }

    /// The sum in words.
    pub(crate) fn summed(&self, report: &ProfileReport) -> String {
        let elapsed = report.elapsed_s.max(1e-9);
        let meanwhile = figures::seconds(elapsed);
        let samples = counted(self.samples, "1 sample", "samples");
        let shown = |value: f64| match self.unit {
            "bytes" => figures::bytes(value),
            _ => figures::ms(value / 1e6),
        };
        let sum = shown(self.sum);
        let what = match self.kind {
            LedgerKind::Processor => format!(
                "{} in {meanwhile}, {:.2} processors, {samples}",
                figures::ms(report.processor_s * 1e3),
                report.processor_s / elapsed
            ),
            LedgerKind::Wall => format!(
                "{sum} of all threads in {meanwhile}, {samples} of threads that run or stand still"
            ),
            LedgerKind::Allocation => format!(
                "{sum} in {meanwhile}, {} a second, {samples}",
                shown(self.sum / elapsed)
            ),
            _ => format!(
                "{sum} of waiting in {meanwhile}, {}",
                counted(self.samples, "1 wait", "waits")
            ),
        };
        match report.requests {
            Some(requests) => format!(
                "{what}; {} a request",
                shown(self.sum / requests.max(1) as f64)
            ),
            None => what,
        }
    }
}
