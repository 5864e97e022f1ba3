//! What a sweep over warm-ups would have found.

use tacho_run_folder::{
    Cell, CellWarmUp, Interval, ResponseTimes, RunData, WarmUpChoice, WarmUpEnd, WarmUpResult,
    WarmingCause,
};

/// Of every cell with a launch.
pub fn warm_up(run: &RunData) -> WarmUpResult {
    let cells: Vec<CellWarmUp> = run
        .plan
        .cells
        .iter()
        .zip(1..)
        .map(|(c, n)| cell(c, n))
        .collect();
    WarmUpResult {
        phase: "open".to_owned(),
        objective_ms: Some(50.0),
        choices: run
            .plan
            .cells
            .iter()
            .filter(|cell| cell.variant == run.plan.baseline)
            .map(|cell| WarmUpChoice {
                limits: cell.limits.name.clone(),
                cell: Some(cell.id.clone()),
                sentence: format!(
                    "{} is the cheapest that keeps p99 within 50 ms: p99 38.1 ms and ready for users after 4.1 s and 1000 warm-up requests.",
                    cell.variant
                ),
            })
            .collect(),
        cells,
    }
}

fn cell(cell: &Cell, n: u32) -> CellWarmUp {
    let around = |value: f64| {
        let value = value * f64::from(n);
        Some(Interval {
            value,
            low: value * 0.9,
            high: value * 1.2,
        })
    };
    CellWarmUp {
        cell: cell.id.clone(),
        variant: cell.variant.clone(),
        limits: cell.limits.name.clone(),
        how: Some(format!("{n}000 requests")),
        requests: around(1_000.0),
        ends: vec![(WarmUpEnd::AllSent.into(), 3)],
        traffic_ms: around(4_100.0),
        response: ResponseTimes {
            min: around(0.4),
            mean: around(3.2),
            p50: around(1.9),
            p90: around(6.0),
            p95: around(11.0),
            p99: around(38.1),
            max: around(410.0),
        },
        over_objective: around(12.0),
        users: around(8_000.0),
        debt_s: around(10.4),
        steady_ms: around(1.8),
        course: Some("warm-up".to_owned()),
        courses: Vec::new(),
        causes: vec![WarmingCause {
            name: "time spent compiling".to_owned(),
            unit: "s/s".to_owned(),
            first: 0.71,
            last: 0.02,
        }],
        starved: None,
    }
}
