//! Results for the made-up launches. Real ones come from `tacho-analysis`; these have the same
//! shape, with the span of the launches as interval.

use tacho_run_folder::{
    Advice, AdviceFor, BreakEven, CellResult, Certificate, CertificateState, CheckResult,
    Comparison, CostKind, CostPoint, Evidence, Good, Interval, LaunchData, LaunchOutcome,
    LaunchRecord, LaunchValue, MetricResult, PhaseRecord, Quantiles, Results, RunData, Verdict,
};

type Read = Box<dyn Fn(&RunData, &LaunchData) -> Option<f64>>;

/// Everything that `results.json` holds.
pub fn results(run: &RunData) -> Results {
    let mut cells: Vec<CellResult> = run
        .plan
        .cells
        .iter()
        .map(|cell| {
            let launches: Vec<&LaunchData> = run
                .launches
                .iter()
                .filter(|l| l.record.cell == cell.id)
                .collect();
            let of = |kind: fn(&LaunchOutcome) -> bool| {
                launches.iter().filter(|l| kind(&l.record.outcome)).count() as u32
            };
            CellResult {
                cell: cell.id.clone(),
                variant: cell.variant.clone(),
                limits: cell.limits.name.clone(),
                valid: of(|o| matches!(o, LaunchOutcome::Completed)),
                invalid: of(|o| matches!(o, LaunchOutcome::Invalid { .. })),
                failed: of(|o| matches!(o, LaunchOutcome::Failed { .. })),
                metrics: metrics(run, &launches),
                cost: cost(&launches),
            }
        })
        .collect();
    compare(run, &mut cells);
    let break_evens = break_evens(run, &cells);
    Results {
        format: tacho_run_folder::FORMAT,
        checks: checks(&cells),
        break_evens,
        certificate: certificate(),
        advice: Advice {
            sentence: "Ship native where instances are short-lived or memory is dear, and aot where one instance serves more than about 25,000 requests: it is ready 2.7 times sooner than the plain jar and gives up no throughput.".into(),
            by_limits: run
                .plan
                .cells
                .iter()
                .filter(|c| c.variant == run.plan.baseline)
                .map(|c| AdviceFor {
                    limits: c.limits.name.clone(),
                    sentence: format!(
                        "With {} the AOT cache takes 62 % off the time to ready at the cost of 70 MiB on disk; native takes off 97 % and halves the memory, but serves 27 % fewer requests a second.",
                        c.limits.name
                    ),
                })
                .collect(),
        },
        cells,
    }
}

fn metrics(run: &RunData, launches: &[&LaunchData]) -> Vec<MetricResult> {
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

fn compare(run: &RunData, cells: &mut [CellResult]) {
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
            });
        }
    }
}

/// Time to ready, the requests one by one, then the warm time for as long as it takes.
fn cost(launches: &[&LaunchData]) -> Vec<CostPoint> {
    let Some(launch) = launches
        .iter()
        .find(|l| matches!(l.record.outcome, LaunchOutcome::Completed))
    else {
        return Vec::new();
    };
    let cpu = launch
        .record
        .limits
        .as_ref()
        .and_then(|l| l.cpu)
        .unwrap_or(1.0);
    let ready_s = launch.record.time_line.ready_ms.unwrap_or(0.0) / 1e3;
    let cold_s: Vec<f64> = launch.requests[..100]
        .iter()
        .map(|r| r.response_time_ms() / 1e3)
        .collect();
    let warm_s = cold_s[60..].iter().sum::<f64>() / 40.0;
    let busy = launch.record.phases.iter().find(|p| p.label == "closed");
    let cpu_a_request = busy.map_or(warm_s, |p| p.subject_cpu_s * cpu / p.requests as f64);
    (0..=56)
        .map(|i| {
            let requests = 10f64.powf(f64::from(i) / 8.0).round();
            let cold = (requests as usize).min(100);
            let beyond = requests - cold as f64;
            let early: f64 = cold_s[..cold].iter().sum();
            CostPoint {
                requests,
                cpu_s: ready_s * cpu * 0.9 + early * cpu * 0.8 + beyond * cpu_a_request,
                waiting_s: ready_s + early + beyond * warm_s,
                extrapolated: requests > 108_100.0,
            }
        })
        .collect()
}

fn break_evens(run: &RunData, cells: &[CellResult]) -> Vec<BreakEven> {
    let mut found = Vec::new();
    for base in cells.iter().filter(|c| c.variant == run.plan.baseline) {
        for other in cells
            .iter()
            .filter(|c| c.limits == base.limits && c.variant != base.variant)
        {
            for kind in [CostKind::Waiting, CostKind::Cpu] {
                found.push(crossing(base, other, kind));
            }
        }
    }
    found
}

fn crossing(base: &CellResult, other: &CellResult, cost: CostKind) -> BreakEven {
    let of = |p: &CostPoint| match cost {
        CostKind::Cpu => p.cpu_s,
        CostKind::Waiting => p.waiting_s,
    };
    let crossed = base
        .cost
        .iter()
        .zip(&other.cost)
        .find(|(b, o)| of(o) > of(b));
    BreakEven {
        limits: base.limits.clone(),
        cost,
        cheaper_before: other.variant.clone(),
        cheaper_after: match crossed {
            Some(_) => base.variant.clone(),
            None => other.variant.clone(),
        },
        requests: crossed.map(|(b, _)| Interval {
            value: b.requests,
            low: b.requests * 0.8,
            high: b.requests * 1.3,
        }),
        extrapolated: crossed.is_some_and(|(b, _)| b.extrapolated),
    }
}

fn checks(cells: &[CellResult]) -> Vec<CheckResult> {
    let value = |cell: &CellResult, id: &str| {
        let metric = cell.metrics.iter().find(|m| m.id == id)?;
        Some(metric.estimate.value)
    };
    cells
        .iter()
        .flat_map(|cell| {
            let p99 = value(cell, "open.response_p99_ms");
            let ready = value(cell, "ready_ms").map(|ms| ms / 1e3);
            [
                CheckResult {
                    check: "p99<50ms".into(),
                    cell: cell.cell.clone(),
                    phase: Some("open".into()),
                    value: p99,
                    passed: p99.is_some_and(|v| v < 50.0),
                },
                CheckResult {
                    check: "ready<1s".into(),
                    cell: cell.cell.clone(),
                    phase: None,
                    value: ready,
                    passed: ready.is_some_and(|v| v < 1.0),
                },
            ]
        })
        .collect()
}

fn certificate() -> Certificate {
    let evidence = |rule: &str, state, statement: &str, launches: &[u32]| Evidence {
        rule: rule.into(),
        state,
        statement: statement.into(),
        launches: launches.to_vec(),
    };
    use CertificateState::{Degraded, Valid};
    let all: Vec<u32> = (1..=40).collect();
    Certificate {
        state: Degraded,
        evidence: vec![
            evidence(
                "dispatch-delay",
                Valid,
                "The generator was never later than 0.4 ms at p99; up to 1 ms is allowed.",
                &all,
            ),
            evidence(
                "generator-cpu",
                Valid,
                "The generator took 31 % of a processor at most; up to 80 % is allowed.",
                &all,
            ),
            evidence(
                "steal",
                Valid,
                "The hypervisor took 0.1 % of the processor time; up to 2 % is allowed.",
                &all,
            ),
            evidence(
                "throttling",
                Valid,
                "The CPU quota stopped the subject in 9 % of the periods, as limits are meant to.",
                &all,
            ),
            evidence(
                "failed-requests",
                Valid,
                "1 of 108,100 requests failed in 10 launches (connection reset); up to 0.1 % is allowed.",
                &[4, 8, 12, 16, 20, 24, 28, 32, 36, 40],
            ),
            evidence(
                "failed-launches",
                Degraded,
                "1 of 40 launches failed: jar@0.25cpu-256MiB ran out of memory.",
                &[17],
            ),
            evidence(
                "missing-proofs",
                Degraded,
                "1 of 40 launches lacks its proof: aot@1cpu-512MiB did not use its cache.",
                &[13],
            ),
            evidence(
                "replication",
                Valid,
                "Every cell has at least 4 launches that count; 3 are needed.",
                &[],
            ),
        ],
    }
}
