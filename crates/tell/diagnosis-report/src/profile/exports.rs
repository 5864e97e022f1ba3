//! Files for other tools.

use super::ProfileReport;
use crate::export::{About, Export, ExportError, Format, of_ledger, title};
use tacho_run_folder::{Ledger, LedgerKind};

/// Of each ledger that has exports one in each of the formats. `period` is what a sample was asked for each.
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
