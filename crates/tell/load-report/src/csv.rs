//! One line a second, of all kinds of request merged.

use crate::records::{Distribution, Second, Seconds};
use crate::{Exporter, Format, LoadReportError};
use std::io::Write;
use std::path::Path;

/// A load run as CSV.
pub const CSV: Format = Exporter {
    option: "csv",
    variable: "TACHO_CSV",
    help: "One row per second as CSV (-)",
    export: |of| {
        let mut bytes = Vec::new();
        write(&of.histograms, &mut bytes)?;
        Ok(bytes)
    },
};

/// The header line. `second` is the beginning of the line's interval, counted from the run's clock,
/// and `length_s` is its length. A request counts in the second in which it ended. The exception is
/// `intended`: there it counts in the second in which it was due. Times are response times in
/// milliseconds of requests that succeeded; empty if there were none.
pub const HEADER: &str = "second,length_s,phase,intended,succeeded,failed,\
    p50_ms,p90_ms,p95_ms,p99_ms,p99_9_ms,max_ms,dispatch_delay_p99_ms,dispatch_delay_max_ms";

/// Writes the seconds of a log as they are read: a run of days does not have to fit into memory.
///
/// # Errors
/// When the log cannot be read or a line cannot be written.
pub fn write(histograms: &Path, to: &mut impl Write) -> Result<(), LoadReportError> {
    let failed = |source| LoadReportError::Write {
        format: "CSV",
        source,
    };
    let mut seconds = Seconds::open(histograms)?;
    writeln!(to, "{HEADER}").map_err(failed)?;
    while let Some(second) = seconds.next_second()? {
        write_line(&second, to).map_err(failed)?;
    }
    to.flush().map_err(failed)
}

fn write_line(second: &Second, to: &mut impl Write) -> std::io::Result<()> {
    let mut response = Distribution::default();
    for kind in second.kinds.values() {
        response.add(&kind.ok.response);
    }
    let mut delay = Distribution::default();
    delay.add(&second.dispatch_delay);
    let at = |distribution: &Distribution, q: f64| cell(distribution.quantile_ms(q));
    writeln!(
        to,
        "{:.3},{:.3},{},{},{},{},{},{},{},{},{},{},{},{}",
        second.start_s,
        second.length_s,
        quoted(&second.phase),
        second.generator_lag.count(),
        second.succeeded(),
        second.failed(),
        at(&response, 0.5),
        at(&response, 0.9),
        at(&response, 0.95),
        at(&response, 0.99),
        at(&response, 0.999),
        cell(response.max_ms()),
        at(&delay, 0.99),
        cell(delay.max_ms()),
    )
}

fn cell(ms: Option<f64>) -> String {
    ms.map_or_else(String::new, |ms| format!("{ms:.3}"))
}

/// RFC 4180. A label in the log holds no comma and no line break, but may hold a quotation mark.
fn quoted(text: &str) -> String {
    if text.contains(['"', ',', '\n']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_owned()
    }
}
