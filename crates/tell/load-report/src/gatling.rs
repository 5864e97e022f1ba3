//! A summary in the format of Gatling's `js/global_stats.json`, which CI server plugins read: whole
//! milliseconds, four percentiles, four groups. Times are response times of requests that
//! succeeded. Times of failed requests are not kept; they are written as 0, as Gatling does when it
//! has none.

use crate::model::LoadReport;
use crate::records::Distribution;
use crate::run::LoadRun;
use crate::{Exporter, Format, LoadReportError};
use serde_json::{Value, json};

/// A load run as Gatling sums one up.
pub const GATLING: Format = Exporter {
    option: "gatling",
    variable: "TACHO_GATLING",
    help: "Summary as Gatling's global_stats.json, for plugins of CI servers (-)",
    export: |of| render(&of.run),
};

/// Bounds of the groups in milliseconds, Gatling's own unless a project sets others.
const GROUPS: [u64; 2] = [800, 1200];
/// Of `percentiles1` to `percentiles4`, likewise.
const PERCENTILES: [f64; 4] = [0.5, 0.75, 0.95, 0.99];

/// The whole file.
///
/// # Errors
/// Never for what is in a run; serialising says it could.
pub fn render(run: &LoadRun) -> Result<Vec<u8>, LoadReportError> {
    let mut times = Distribution::default();
    for phase in &run.distributions {
        times.merge(&phase.response);
    }
    let mut text = serde_json::to_vec_pretty(&summary(&run.report, &times)).map_err(|error| {
        LoadReportError::Write {
            format: "Gatling's summary",
            source: error.into(),
        }
    })?;
    text.push(b'\n');
    Ok(text)
}

fn summary(report: &LoadReport, times: &Distribution) -> Value {
    let ok: u64 = report.phases.iter().map(|phase| phase.succeeded).sum();
    let ko: u64 = report.phases.iter().map(|phase| phase.failed).sum();
    let whole = |ms: Option<f64>| ms.map_or(0, |ms| ms.round() as u64);
    let of_ok = |ms: Option<f64>| json!({"total": whole(ms), "ok": whole(ms), "ko": 0});
    let a_second = |count: u64| match report.duration_s > 0.0 {
        true => count as f64 / report.duration_s,
        false => 0.0,
    };
    let mut all = json!({
        "name": "All Requests",
        "numberOfRequests": {"total": ok + ko, "ok": ok, "ko": ko},
        "minResponseTime": of_ok(times.min_ms()),
        "maxResponseTime": of_ok(times.max_ms()),
        "meanResponseTime": of_ok(times.mean_ms()),
        "standardDeviation": of_ok(times.deviation_ms()),
        "meanNumberOfRequestsPerSecond": {
            "total": a_second(ok + ko), "ok": a_second(ok), "ko": a_second(ko),
        },
    });
    for (number, quantile) in (1..).zip(PERCENTILES) {
        all[format!("percentiles{number}")] = of_ok(times.quantile_ms(quantile));
    }
    for (number, (name, count)) in (1..).zip(groups(times, ko)) {
        let share = 100.0 * count as f64 / ((ok + ko).max(1)) as f64;
        all[format!("group{number}")] = json!({
            "name": name, "htmlName": name.replace('<', "&lt;").replace('>', "&gt;"),
            "count": count, "percentage": share,
        });
    }
    all
}

fn groups(times: &Distribution, failed: u64) -> [(String, u64); 4] {
    let [low, high] = GROUPS;
    let below = |ms: u64| times.count_up_to(ms * 1_000_000);
    [
        (format!("t < {low} ms"), below(low)),
        (
            format!("{low} ms <= t < {high} ms"),
            below(high) - below(low),
        ),
        (format!("t >= {high} ms"), times.count() - below(high)),
        ("failed".to_owned(), failed),
    ]
}
