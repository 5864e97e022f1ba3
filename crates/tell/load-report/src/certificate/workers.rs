//! Did all workers send their share, and at the same time?

use super::{Facts, Seen, degraded_if, seen};
use tacho_figures::{listed, ms};
use tacho_run_folder::{CertificateState, WorkerPart};

/// Eight workers that all begin within this time count as one load. At rates that need eight
/// workers, this is only a few requests per worker.
const BEGAN_TOGETHER_MS: f64 = 20.0;

/// Names the workers that were lost. Without them the load was lighter than requested.
pub fn together(facts: &Facts<'_>) -> Option<Seen> {
    let workers = &facts.record.workers;
    let latest = workers.iter().map(|w| w.began_late_ms);
    let latest = latest.max_by(f64::total_cmp)?;
    let lost: Vec<String> = workers.iter().filter_map(who).collect();
    if !lost.is_empty() {
        let text = format!(
            "{} of {} workers did not finish{}: {}; their requests are in no figure, and the load was lighter than the one that was asked for",
            lost.len(),
            workers.len(),
            facts.place(),
            listed(&lost),
        );
        return Some(
            seen(latest, BEGAN_TOGETHER_MS, CertificateState::Invalid, text)
                .advising("find out what ended them (memory, a limit, a kill), and run again"),
        );
    }
    let text = format!(
        "{} workers began within {} of the instant that was named to all{}; bound {}",
        workers.len(),
        ms(latest),
        facts.place(),
        ms(BEGAN_TOGETHER_MS),
    );
    let state = degraded_if(latest > BEGAN_TOGETHER_MS);
    Some(
        seen(latest, BEGAN_TOGETHER_MS, state, text)
            .advising("one of them had no free processor: use fewer workers, or more processors"),
    )
}

fn who(worker: &WorkerPart) -> Option<String> {
    let why = worker.lost.as_ref()?;
    Some(format!("worker {} ({why})", worker.worker))
}
