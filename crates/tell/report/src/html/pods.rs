//! The lives of the pods around the processes that were measured.

use serde::Serialize;
use tacho_figures as figures;
use tacho_run_folder::{LaunchRecord, PodLife};

/// One pod. Times count from the pod's `exec`; a dash means that the time is not known.
#[derive(Debug, Serialize)]
pub struct PodView {
    number: u32,
    cell: String,
    node: String,
    created: String,
    scheduled: String,
    sandbox: String,
    container: String,
    within: String,
    running: String,
    first_2xx: String,
    ready: String,
    endpoint: String,
    reached: String,
}

/// Of all launches that were pods.
pub fn pods<'l>(launches: impl Iterator<Item = &'l LaunchRecord>) -> Vec<PodView> {
    launches
        .filter_map(|record| Some(pod(record, record.pod.as_ref()?)))
        .collect()
}

fn pod(record: &LaunchRecord, pod: &PodLife) -> PodView {
    PodView {
        number: record.number,
        cell: record.cell.clone(),
        node: pod.node.clone().unwrap_or_else(dash),
        created: signed(Some(pod.created_ms)),
        scheduled: signed(pod.scheduled_ms),
        sandbox: signed(pod.sandbox_seen_ms),
        container: signed(pod.container_seen_ms),
        within: figures::ms(pod.exec_within_ms),
        running: signed(pod.running_told_ms),
        first_2xx: signed(record.time_line.first_2xx_ms),
        ready: signed(pod.ready_told_ms),
        endpoint: signed(pod.endpoint_told_ms),
        reached: signed(pod.reached_ms),
    }
}

/// Times before `exec` get a minus sign.
fn signed(ms: Option<f64>) -> String {
    match ms {
        None => dash(),
        Some(ms) if ms < 0.0 => format!("−{}", figures::ms(-ms)),
        Some(ms) => figures::ms(ms),
    }
}

fn dash() -> String {
    "–".to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_before_exec_has_a_minus() {
        assert_eq!(signed(Some(-1_340.0)), "−1.34 s");
        assert_eq!(signed(Some(1_340.0)), "1.34 s");
        assert_eq!(signed(None), "–");
    }
}
