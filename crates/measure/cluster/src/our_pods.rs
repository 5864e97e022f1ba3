//! Pods that work for a run and are not measured, such as generators: does one run, and if not,
//! why?

use std::time::Duration;
use tacho_cluster_api::{Container, PodState, Trouble, TroubleKind};

/// For how long a node is waited for.
const SCHEDULING: Duration = Duration::from_secs(60);
/// How long the pod may then take until it runs: its image may have to be fetched.
pub const STARTING: Duration = Duration::from_secs(600);

/// Its process has begun.
pub fn runs(state: &PodState) -> bool {
    matches!(state.container, Container::Running { .. })
}

/// Why it will not run, where that is certain, or where it was waited for long enough.
pub fn why_not(state: &PodState, waited: Duration) -> Option<String> {
    if let Some(trouble) = state.trouble() {
        return Some(said(&trouble));
    }
    let unscheduled = state.not_scheduled().filter(|_| waited > SCHEDULING);
    unscheduled.map(|trouble| trouble.to_string())
}

/// What is wrong with such a pod. The usual words are for servers, which should not end by
/// themselves; this pod is no server.
pub fn said(trouble: &Trouble) -> String {
    match trouble.kind {
        TroubleKind::Ended { code } if code > 128 => {
            format!("it was ended by signal {}", code - 128)
        }
        TroubleKind::Ended { code } => format!("it ended with exit code {code}"),
        _ => trouble.to_string(),
    }
}

#[cfg(test)]
pub mod tests {
    use super::*;

    /// Of a pod whose container is in this state.
    pub fn state(container: Container) -> PodState {
        PodState {
            uid: "u".to_owned(),
            node: Some("one".to_owned()),
            address: None,
            unschedulable: None,
            gates: Vec::new(),
            has_sandbox: true,
            container,
            ids: std::collections::BTreeMap::new(),
            image_id: None,
            is_ready: false,
            is_acknowledged: true,
            is_deleted: false,
            failed: None,
            disrupted: None,
        }
    }

    #[test]
    fn no_node_is_waited_for_and_no_image_is_not() {
        let unscheduled = PodState {
            unschedulable: Some("0/1 nodes are available".to_owned()),
            ..state(Container::Unknown)
        };
        assert_eq!(why_not(&unscheduled, Duration::from_secs(5)), None);
        assert!(why_not(&unscheduled, Duration::from_secs(61)).is_some());
        let gated = PodState {
            gates: vec!["kueue.x-k8s.io/admission".to_owned()],
            ..state(Container::Unknown)
        };
        assert_eq!(why_not(&gated, Duration::from_secs(5)), None);
        assert!(why_not(&gated, Duration::from_secs(61)).is_some());
        let no_image = state(Container::Waiting {
            reason: "ErrImageNeverPull".to_owned(),
            message: String::new(),
        });
        assert!(why_not(&no_image, Duration::ZERO).is_some());
        let creating = state(Container::Waiting {
            reason: "ContainerCreating".to_owned(),
            message: String::new(),
        });
        assert_eq!(why_not(&creating, Duration::from_secs(600)), None);
    }
}
