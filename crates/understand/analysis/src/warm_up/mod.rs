//! What warm-ups buy, and for what price: the table of a sweep, the course of each launch, and
//! which warm-up is enough.
//!
//! | module | question |
//! |---|---|
//! | `serving` | how a launch served its users: course, debt, users over the objective |
//! | `causes` | what the process was busy with meanwhile |
//! | `choice` | the cheapest warm-up that is enough, in words |

mod causes;
mod choice;
mod serving;

use choice::Candidate;
use serving::Serving;
use std::cmp::Reverse;
use tacho_run_folder::{
    Cell, CellWarmUp, Interval, LaunchCourse, LaunchData, LaunchOutcome, LaunchRecord, Quantile,
    Quantiles, ResponseTimes, RunData, WarmUpEnd, WarmUpResult, WarmingEnd, Word,
};
use tacho_statistics::bootstrap::median_interval;
use tacho_statistics::steady_state::{Agreement, agreement};

/// Of a run that asked; `None` of others, and when nobody was served.
#[must_use]
pub fn sweep(run: &RunData) -> Option<WarmUpResult> {
    let asked = run.plan.warm_up?;
    let phase = run.plan.users()?.label.clone();
    let of_cells = run.plan.cells.iter();
    let of_cells = of_cells.filter_map(|cell| of_cell(run, cell, &phase, asked.objective_ms));
    let (cells, badly_served): (Vec<CellWarmUp>, Vec<f64>) = of_cells.unzip();
    let candidates: Vec<Candidate<'_>> = cells
        .iter()
        .zip(badly_served)
        .map(|(cell, badly_served)| Candidate { cell, badly_served })
        .collect();
    Some(WarmUpResult {
        choices: choice::choices(&run.plan, &candidates, asked.objective_ms),
        phase,
        objective_ms: asked.objective_ms,
        cells,
    })
}

/// A cell, and the share of its users that were served badly: the high end over its launches.
fn of_cell(
    run: &RunData,
    cell: &Cell,
    phase: &str,
    objective_ms: Option<f64>,
) -> Option<(CellWarmUp, f64)> {
    let launches: Vec<&LaunchData> = run
        .launches
        .iter()
        .filter(|l| l.record.cell == cell.id && l.record.outcome == LaunchOutcome::Completed)
        .collect();
    let served: Vec<Serving<'_>> = launches
        .iter()
        .filter_map(|launch| Serving::of(&run.plan, launch, phase))
        .collect();
    if served.is_empty() {
        return None;
    }
    let over = |value: &dyn Fn(&Serving<'_>) -> Option<f64>| {
        let values: Vec<f64> = served.iter().filter_map(value).collect();
        median_interval(&values)
    };
    let variant = run.variants.iter().find(|v| v.name == cell.variant);
    let warm_up = variant.and_then(|variant| variant.warm_up.as_ref());
    let shapes: Vec<_> = served
        .iter()
        .filter_map(|s| s.course.as_ref().map(|course| course.shape))
        .collect();
    let badly_served = over(&|s| Some(s.badly_served(objective_ms.is_some())));
    let badly_served = badly_served.map_or(0.0, |share| share.high);
    let found = CellWarmUp {
        cell: cell.id.clone(),
        variant: cell.variant.clone(),
        limits: cell.limits.name.clone(),
        how: warm_up.map(tacho_run_folder::WarmUp::describe),
        requests: over(&|s| Some(s.launch.record.warm_up.as_ref()?.requests as f64)),
        ends: ends(&launches),
        traffic_ms: over(&|s| traffic_ms(s.launch)),
        response: response_times(&over),
        over_objective: objective_ms.and_then(|_| over(&|s| Some(s.over_objective as f64))),
        users: over(&|s| Some(s.phase.requests as f64)),
        debt_s: over(&|s| s.debt_s),
        steady_ms: over(&|s| s.course.as_ref()?.steady_ms),
        course: agreement(&shapes).map(|agreement| match agreement {
            Agreement::Consistent(shape) => shape.name().to_owned(),
            Agreement::Inconsistent(_) => "inconsistent".to_owned(),
        }),
        courses: served.iter().filter_map(launch_course).collect(),
        causes: causes::causes(&served),
        starved: causes::starved(&served, cell),
    };
    Some((found, badly_served))
}

fn launch_course(served: &Serving<'_>) -> Option<LaunchCourse> {
    let course = served.course.as_ref()?;
    Some(LaunchCourse {
        launch: served.launch.record.number,
        shape: course.shape.name().to_owned(),
        steady_after_s: course.steady_after_s,
        by: course.by.to_owned(),
    })
}

/// From `exec` until users may come, by the slowest process: ready, and warm where somebody warms
/// it.
pub(crate) fn traffic_ms(launch: &LaunchData) -> Option<f64> {
    let record = &launch.record;
    let of = |ready: Option<f64>, warm_up: Option<&tacho_run_folder::WarmUpRecord>| {
        Some(ready? + warm_up.map_or(0.0, |w| w.duration_s * 1e3))
    };
    let first = of(record.time_line.ready_ms, record.warm_up.as_ref())?;
    let further = record
        .pods
        .iter()
        .filter_map(|pod| of(pod.time_line.ready_ms, pod.warm_up.as_ref()));
    Some(further.fold(first, f64::max))
}

fn ends(launches: &[&LaunchData]) -> Vec<(Word<WarmUpEnd>, u32)> {
    let mut ends: Vec<(Word<WarmUpEnd>, u32)> = Vec::new();
    for end in launches.iter().filter_map(|launch| end(&launch.record)) {
        match ends.iter_mut().find(|(known, _)| known == end) {
            Some((_, count)) => *count += 1,
            None => ends.push((end.clone(), 1)),
        }
    }
    ends
}

/// Why warming ended in a launch: of several processes that of the least warm one, since users come
/// to it as well.
fn end(launch: &LaunchRecord) -> Option<&Word<WarmUpEnd>> {
    let further = launch.pods.iter().filter_map(|pod| pod.warm_up.as_ref());
    let all = launch.warm_up.iter().chain(further);
    all.map(|warm_up| &warm_up.end)
        .min_by_key(|end| Reverse(lack(end)))
}

/// How much a process that was warmed until then may lack.
fn lack(end: &Word<WarmUpEnd>) -> u8 {
    match end.known() {
        Some(WarmUpEnd::Watched(WarmingEnd::Failing | WarmingEnd::Interrupted)) => 2,
        Some(WarmUpEnd::Watched(
            WarmingEnd::RequestLimit | WarmingEnd::TimeLimit | WarmingEnd::NothingLeft,
        )) => 1,
        _ => 0,
    }
}

/// Reads a value of a launch.
type Read<'r> = &'r dyn Fn(&Serving<'_>) -> Option<f64>;

fn response_times(over: &dyn Fn(Read<'_>) -> Option<Interval>) -> ResponseTimes {
    let of = |read: fn(&Quantiles) -> f64| {
        over(&|served| served.phase.response_time_ms.as_ref().map(read))
    };
    // Where the generator was late in all launches, their values are upper bounds. That is more
    // than nothing, and the certificate says so.
    let quantile = |quantile: Quantile| {
        over(&|served| served.on_time(quantile))
            .or_else(|| over(&|served| served.quantile(quantile)))
    };
    ResponseTimes {
        min: of(|times| times.min),
        mean: of(|times| times.mean),
        p50: quantile(Quantile::P50),
        p90: quantile(Quantile::P90),
        p95: quantile(Quantile::P95),
        p99: quantile(Quantile::P99),
        max: quantile(Quantile::Max),
    }
}

#[cfg(test)]
mod tests;
