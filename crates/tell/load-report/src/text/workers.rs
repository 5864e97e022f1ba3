//! What each of several workers did.

use crate::model::{LoadReport, PhaseReport};
use std::collections::BTreeMap;
use tacho_figures as figures;
use tacho_report::terminal::columns::{Column, Table};
use tacho_report::terminal::style::{PLAIN, RED};
use tacho_report::terminal::text::Text;
use tacho_run_folder::WorkerPart;

/// Over all phases: sums, and the worst of what is late.
#[derive(Default)]
struct Sum {
    requests: u64,
    began_late_ms: f64,
    lag_p99_ms: f64,
    busiest: f64,
    is_lost: bool,
}

impl Sum {
    fn add(&mut self, phase: &PhaseReport, part: &WorkerPart) {
        self.requests += part.requests;
        self.began_late_ms = self.began_late_ms.max(part.began_late_ms);
        let lag = part.generator_lag_ms.map_or(0.0, |lag| lag.p99);
        self.lag_p99_ms = self.lag_p99_ms.max(lag);
        if phase.duration_s > 0.0 {
            self.busiest = self.busiest.max(part.generator_cpu_s / phase.duration_s);
        }
        self.is_lost |= part.lost.is_some();
    }
}

pub fn print(text: &mut Text, report: &LoadReport) {
    let mut workers: BTreeMap<u32, Sum> = BTreeMap::new();
    for phase in &report.phases {
        for part in &phase.workers {
            workers.entry(part.worker).or_default().add(phase, part);
        }
    }
    if workers.is_empty() {
        return;
    }
    text.heading("Workers", "");
    let mut table = Table::new(vec![
        Column::right("worker"),
        Column::right("requests"),
        Column::right("began late by"),
        Column::right("lag p99"),
        Column::right("processor"),
        Column::left(""),
    ]);
    for (worker, sum) in workers {
        let (style, what) = match sum.is_lost {
            true => (RED, "lost"),
            false => (PLAIN, ""),
        };
        table.row(
            style,
            vec![
                worker.to_string(),
                figures::count(sum.requests),
                figures::ms(sum.began_late_ms),
                figures::ms(sum.lag_p99_ms),
                figures::percent(sum.busiest),
                what.to_owned(),
            ],
        );
    }
    table.print(text);
}
