//! Launches as pods that nobody looked at from their node.

use super::{completed, evidence};
use tacho_run_folder::{CertificateState, Evidence, LaunchData, RunData};

/// Whether nobody saw the launch's process and its control group.
pub(super) fn is_unseen(launch: &LaunchData) -> bool {
    let pod = launch.record.pod.as_ref();
    pod.is_some_and(|pod| pod.is_unseen)
}

/// For an unseen launch it is not known what it used and what ran beside it, so the rules about
/// that have nothing to check. This rule says so: that nothing was found is no evidence that all
/// was well.
pub fn unseen(run: &RunData) -> Option<Evidence> {
    let unseen: Vec<u32> = completed(run)
        .filter(|launch| is_unseen(launch))
        .map(|launch| launch.record.number)
        .collect();
    if unseen.is_empty() {
        return None;
    }
    let statement = format!(
        "{} launches were not seen from their node, so limits, throttling, proofs and other processes there were not checked, and `exec` is known only to the second; bound 0",
        unseen.len()
    );
    evidence("unseen", CertificateState::Degraded, statement, unseen)
}
