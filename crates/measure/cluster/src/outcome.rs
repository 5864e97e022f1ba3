//! What is wrong with a pod, as the cause of a failed launch.

use tacho_cluster_api::{ClusterError, Trouble, TroubleKind};
use tacho_run_folder::{FailureCause, LaunchOutcome};
use tacho_runner::failed;

/// The cause that a record has.
pub fn cause(kind: TroubleKind) -> FailureCause {
    match kind {
        TroubleKind::ImageNotPulled => FailureCause::ImageNotPulled,
        TroubleKind::NotStarted => FailureCause::NotStarted,
        TroubleKind::NotScheduled | TroubleKind::Gated => FailureCause::NotScheduled,
        TroubleKind::OutOfMemory => FailureCause::OutOfMemory,
        TroubleKind::Evicted => FailureCause::Evicted,
        TroubleKind::NodeLost => FailureCause::NodeLost,
        TroubleKind::DeadlineExceeded => FailureCause::Killed,
        TroubleKind::Ended { code } if code > 128 => FailureCause::Killed,
        TroubleKind::Ended { .. } => FailureCause::Exited,
    }
}

/// A launch that a pod's trouble ended.
pub fn of_trouble(trouble: &Trouble) -> LaunchOutcome {
    failed(cause(trouble.kind), trouble.to_string())
}

/// A launch that the API did not let begin or go on.
pub fn of_api(error: &ClusterError) -> LaunchOutcome {
    let cause = match error {
        ClusterError::Quota { .. } | ClusterError::QuotaWantsLimits { .. } => {
            FailureCause::QuotaReached
        }
        ClusterError::Unreachable { .. } | ClusterError::Silent { .. } => FailureCause::ApiLost,
        ClusterError::Refused { code, .. } if *code >= 500 => FailureCause::ApiLost,
        _ => FailureCause::NotStarted,
    };
    failed(cause, error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_above_128_is_a_signal() {
        assert_eq!(
            cause(TroubleKind::Ended { code: 137 }),
            FailureCause::Killed
        );
        assert_eq!(cause(TroubleKind::Ended { code: 1 }), FailureCause::Exited);
    }

    #[test]
    fn a_quota_and_a_server_that_is_away_are_causes_of_their_own() {
        let told = |error: ClusterError| match of_api(&error) {
            LaunchOutcome::Failed { cause, message, .. } => (cause, message),
            other => panic!("{other:?}"),
        };
        let (cause, message) = told(ClusterError::Quota {
            message: "exceeded quota: small".into(),
        });
        assert_eq!(cause, FailureCause::QuotaReached);
        assert!(message.contains("exceeded quota"), "{message}");
        let (cause, _) = told(ClusterError::Silent {
            server: "https://10.231.0.1:6443".into(),
        });
        assert_eq!(cause, FailureCause::ApiLost);
    }
}
