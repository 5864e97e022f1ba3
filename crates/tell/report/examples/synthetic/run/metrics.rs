//! Metrics and verdicts for the made-up launches, with the span of the launches as interval.

use tacho_run_folder::{
    CellResult, Comparison, Good, Interval, LaunchData, LaunchOutcome, LaunchRecord, LaunchValue,
    MetricResult, PhaseRecord, Quantiles, RunData, Verdict,
};

type Read = Box<dyn Fn(&RunData, &LaunchData) -> Option<f64>>;

/// A value of launches that have a collector's log, a little different for each.
fn collector(record: &LaunchRecord, value: f64) -> Option<f64> {
    record.jvm.as_ref()?;
    Some(value * (1.0 + 0.01 * f64::from(record.replicate)))
}

pub fn metrics(run: &RunData, launches: &[&LaunchData]) -> Vec<MetricResult> {
    let mut rows: Vec<(String, String, &str, Good, Read)> = vec![
        row("ready_ms", "time to ready", "ms", |r| r.time_line.ready_ms),
        (
            "first_request_ms".into(),
            "first request".into(),
            "ms",
            Good::Lower,
            Box::new(|_, l| Some(l.requests.first()?.response_time_ms())),
        ),
        (
            "first_5_requests_ms".into(),
            "first five requests".into(),
            "ms",
            Good::Lower,
            Box::new(|_, l| {
                Some(
                    l.requests
                        .get(..5)?
                        .iter()
                        .map(|r| r.response_time_ms())
                        .sum(),
                )
            }),
        ),
    ];
    for label in ["closed", "open"] {
        rows.extend([
            phase(
                label,
                "throughput",
                "throughput",
                "1/s",
                Good::Higher,
                |p| Some(p.throughput),
            ),
            quantile(label, "response_p50_ms", "response time, median", |q| q.p50),
            quantile(label, "response_p99_ms", "response time, p99", |q| q.p99),
        ]);
    }
    rows.extend([
        row("gc_pause_p50_ms", "collection pause, median", "ms", |r| {
            collector(r, 3.1)
        }),
        row("gc_pause_max_ms", "collection pause, longest", "ms", |r| {
            collector(r, 41.0)
        }),
        row("gc_pause_total_s", "time in collection pauses", "s", |r| {
            collector(r, 0.62)
        }),
        row("gc_cpu_s", "CPU time of collection", "cpu-s", |r| {
            collector(r, 0.95)
        }),
    ]);
    rows.push(row("peak_rss_bytes", "peak RSS", "bytes", |r| {
        r.resources.peak_rss_bytes.map(|b| b as f64)
    }));
    rows.push((
        "disk_bytes".into(),
        "application and runtime on disk".into(),
        "bytes",
        Good::Lower,
        Box::new(|run, l| {
            let variant = l.record.cell.split('@').next()?;
            let made = run.variants.iter().find(|v| v.name == variant)?;
            Some((made.application_bytes + made.runtime_bytes) as f64)
        }),
    ));
    rows.into_iter()
        .filter_map(|(id, name, unit, good, read)| {
            let values: Vec<LaunchValue> = launches
                .iter()
                .filter(|l| matches!(l.record.outcome, LaunchOutcome::Completed))
                .filter_map(|l| {
                    Some(LaunchValue {
                        launch: l.record.number,
                        value: read(run, l)?,
                    })
                })
                .collect();
            let estimate = span(values.iter().map(|v| v.value).collect())?;
            Some(MetricResult {
                id,
                name,
                unit: unit.into(),
                good,
                values,
                late: Vec::new(),
                unsteady: Vec::new(),
                estimate,
                versus_baseline: None,
            })
        })
        .collect()
}

type Row = (String, String, &'static str, Good, Read);

fn row(
    id: &str,
    name: &str,
    unit: &'static str,
    read: impl Fn(&LaunchRecord) -> Option<f64> + 'static,
) -> Row {
    let read: Read = Box::new(move |_, l| read(&l.record));
    (id.into(), name.into(), unit, Good::Lower, read)
}

fn phase(
    label: &'static str,
    id: &str,
    name: &str,
    unit: &'static str,
    good: Good,
    read: impl Fn(&PhaseRecord) -> Option<f64> + 'static,
) -> Row {
    let read: Read = Box::new(move |_, l| {
        l.record
            .phases
            .iter()
            .find(|p| p.label == label)
            .and_then(&read)
    });
    (
        format!("{label}.{id}"),
        format!("{label}, {name}"),
        unit,
        good,
        read,
    )
}

fn quantile(label: &'static str, id: &str, name: &str, of: fn(&Quantiles) -> f64) -> Row {
    phase(label, id, name, "ms", Good::Lower, move |p| {
        p.response_time_ms.as_ref().map(of)
    })
}

fn span(mut values: Vec<f64>) -> Option<Interval> {
    values.sort_by(f64::total_cmp);
    let (middle, n) = (values.len() / 2, values.len());
    Some(Interval {
        value: if n % 2 == 1 {
            values[middle]
        } else {
            f64::midpoint(*values.get(middle.checked_sub(1)?)?, values[middle])
        },
        low: *values.first()?,
        high: *values.last()?,
    })
}

pub fn compare(run: &RunData, cells: &mut [CellResult]) {
    let baselines: Vec<(String, Vec<MetricResult>)> = cells
        .iter()
        .filter(|c| c.variant == run.plan.baseline)
        .map(|c| (c.limits.clone(), c.metrics.clone()))
        .collect();
    for cell in cells.iter_mut().filter(|c| c.variant != run.plan.baseline) {
        let Some((_, base)) = baselines.iter().find(|(limits, _)| *limits == cell.limits) else {
            continue;
        };
        for metric in &mut cell.metrics {
            let Some(base) = base.iter().find(|b| b.id == metric.id) else {
                continue;
            };
            let ratio = Interval {
                value: metric.estimate.value / base.estimate.value,
                low: metric.estimate.low / base.estimate.high,
                high: metric.estimate.high / base.estimate.low,
            };
            let threshold = run.plan.threshold;
            let (less, more) = match metric.good {
                Good::Lower => (Verdict::Better, Verdict::Worse),
                Good::Higher => (Verdict::Worse, Verdict::Better),
            };
            let verdict = if ratio.high < 1.0 - threshold {
                less
            } else if ratio.low > 1.0 + threshold {
                more
            } else if ratio.low > 1.0 - threshold && ratio.high < 1.0 + threshold {
                Verdict::Same
            } else {
                Verdict::Inconclusive
            };
            metric.versus_baseline = Some(Comparison {
                ratio,
                verdict,
                threshold,
                smallest_detectable: 0.07,
                launches_needed: None,
            });
        }
    }
}
