//! Did the generator send requests one at a time, and was it the limit?

use super::{Facts, Seen, degraded_if, seen};
use tacho_analysis::certificate::bounds::{GENERATOR_CPU, SHORTEST_S};
use tacho_figures::{ms, percent};
use tacho_run_folder::{CertificateState, PhaseRecord, WorkerPart};

/// Above this share the generator had no processor time left. The measured throughput is then the
/// generator's limit, not the subject's.
const GENERATOR_CPU_SPENT: f64 = 0.95;

/// With `--batch`, requests were sent together on purpose.
pub fn batch(facts: &Facts<'_>) -> Option<Seen> {
    let batch_ms = facts.record.time_keeping?.batch_ms;
    if batch_ms <= 0.0 || !facts.has_schedule() {
        return None;
    }
    let text = format!(
        "requests that were due within {} were sent together{} (--batch): they came in bursts that no schedule asked for",
        ms(batch_ms),
        facts.place(),
    );
    Some(seen(batch_ms, 0.0, CertificateState::Degraded, text))
}

/// This rule never gives `invalid`, because the throughput is still a valid lower bound. If the
/// generator was late as a result, [`super::lag`] reports it.
pub fn cpu(facts: &Facts<'_>) -> Option<Seen> {
    let record = facts.record;
    if record.duration_s < SHORTEST_S || record.requests == 0 {
        return None;
    }
    let (who, cpu_s) = busiest(record);
    let share = cpu_s / record.duration_s;
    let state = degraded_if(share > GENERATOR_CPU);
    let text = format!(
        "{who} used {} of its one processor{} (thread CPU time by elapsed time); bound {}",
        percent(share),
        facts.place(),
        percent(GENERATOR_CPU),
    );
    let advice = if share > GENERATOR_CPU_SPENT {
        "the generator, not the subject, was the limit: the rate is what it can send, the subject may do more; run several generators, or fewer and larger requests"
    } else {
        "the rate is a lower bound of what the subject can do: the generator may have been the limit at times; run several generators"
    };
    Some(seen(share, GENERATOR_CPU, state, text).advising(advice))
}

/// Name and processor time of the generator. With several workers: of the worker that used the most
/// processor time.
fn busiest(record: &PhaseRecord) -> (String, f64) {
    let by_cpu = |a: &&WorkerPart, b: &&WorkerPart| a.generator_cpu_s.total_cmp(&b.generator_cpu_s);
    match record.workers.iter().max_by(by_cpu) {
        Some(worker) => {
            let who = format!(
                "worker {}, the busiest of {},",
                worker.worker,
                record.workers.len()
            );
            (who, worker.generator_cpu_s)
        }
        None => ("the generator".to_owned(), record.generator_cpu_s),
    }
}
