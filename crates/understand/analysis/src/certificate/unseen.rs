//! Launches as pods that nobody looked at from their node.

use super::{completed, evidence};
use tacho_run_folder::{CertificateState, Evidence, LaunchData, RunData};

/// Whether nobody saw its process and its control group.
pub(super) fn is_unseen(launch: &LaunchData) -> bool {
    let pod = launch.record.pod.as_ref();
    pod.is_some_and(|pod| pod.is_unseen)
}

/// What such a launch took and what ran beside it is not known, so that other rules have nothing to
/// look at: that is said, and is no reason to believe in it.
pub fn unseen(run: &RunData) -> Option<Evidence> {
    let unseen: Vec<u32> = completed(run)
        .filter(|launch| is_unseen(launch))
        .map(|launch| launch.record.number)
        .collect();
    if unseen.is_empty() {
        return None;
    }
    let statement = format!(
        "{} launches were not seen from their node, so that limits, throttling, proofs and what else ran there were not looked at, and `exec` is known to the second; bound 0",
        unseen.len()
    );
    evidence("unseen", CertificateState::Degraded, statement, unseen)
}
