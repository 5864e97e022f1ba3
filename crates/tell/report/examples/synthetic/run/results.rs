//! Results for the made-up launches. Real ones come from `tacho-analysis`; these have the same
//! shape.

use super::memory::memory;
use super::metrics::{compare, metrics};
use super::warm_up::warm_up;
use tacho_run_folder::{
    Advice, AdviceFor, BreakEven, CellResult, Certificate, CertificateState, CheckResult, CostKind,
    CostPoint, Evidence, Interval, LaunchData, LaunchOutcome, Results, RunData,
};

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
                searches: Vec::new(),
                memory: Some(memory(&cell.variant, &launches)),
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
        warm_up: Some(warm_up(run)),
        format: tacho_run_folder::FORMAT,
        checks: checks(&cells),
        break_evens,
        certificate: certificate(),
        advice: Advice {
            sentence: "Ship `native` where instances are short-lived or memory is costly, and `aot` where one instance serves more than about 25,000 requests: it is ready 2.7 times sooner than the plain jar and gives up no throughput.".into(),
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
                    pick: Some("aot".into()),
                    decided_by: Some("ready_ms".into()),
                    runner_up: Some("cds".into()),
                    memory_pairs: Vec::new(),
                    memory: vec![
                        "`native` uses 52 % less memory than `jar` and has 27 % less throughput (95 %: -30 % to -24 %).".into(),
                        "`aot` uses 11 % less memory than `jar` at the same throughput (difference 0.8 %, 95 %: -1.2 % to 2.9 %).".into(),
                    ],
                })
                .collect(),
        },
        cells,
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
        .filter(|(b, _)| !b.extrapolated)
        .find(|(b, o)| of(o) > of(b));
    BreakEven {
        limits: base.limits.clone(),
        cost,
        cheaper_before: other.variant.clone(),
        costlier_before: Some(base.variant.clone()),
        cheaper_after: match crossed {
            Some(_) => base.variant.clone(),
            None => other.variant.clone(),
        },
        requests: crossed.map(|(b, _)| Interval {
            value: b.requests,
            low: b.requests * 0.8,
            high: b.requests * 1.3,
        }),
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
