//! What holds when the file does not say otherwise.

use crate::model::{PhaseKind, PhasePlan};
use std::path::Path;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// Pause between launches, for sockets in TIME_WAIT and write-back to settle.
pub const REST: Duration = Duration::from_secs(1);

/// The limit of ab, and of most clients and gateways that have one.
pub const REQUEST_TIMEOUT: Duration = Duration::from_secs(30);

/// Differences below 5 % rarely decide how a service is shipped.
pub const THRESHOLD: f64 = 0.05;

/// Connections of phases whose requests are sent by a schedule: enough for 640 requests a second of
/// 100 ms each.
pub const OPEN_CONNECTIONS: u32 = 64;

/// Connections of the closed loops of an experiment that names no phases: enough to keep every
/// processor of a small machine busy.
pub const CLOSED_CONNECTIONS: u32 = 32;

/// How long a settle phase goes on at most. A service of a JVM with two processors compiles for 10
/// to 40 s under load.
pub const SETTLE_WITHIN: Duration = Duration::from_secs(30);

/// Length of a trial of a search; seconds. It gives a thousand requests at 100 a second, about the
/// lowest rate that interests most users.
pub const TRIAL_S: f64 = 10.0;

/// Rest after a trial in which the objective did not hold.
pub const TRIAL_REST_S: f64 = 5.0;

/// How far apart the found rate of a search and the lowest failing rate may be, as a fraction.
pub const TOLERANCE: f64 = 0.05;

/// How many times the found rate of a search is tested again.
pub const CONFIRMATIONS: u32 = 3;

/// The default phases: the first requests; the same load until the service is warm; its capacity
/// then; and a moderate rate that shows what users feel.
#[must_use]
pub fn phases() -> Vec<PhasePlan> {
    vec![
        PhasePlan {
            label: "cold".to_owned(),
            kind: PhaseKind::Cold { requests: 5 },
        },
        PhasePlan {
            label: "settle".to_owned(),
            kind: PhaseKind::Settle {
                within_s: SETTLE_WITHIN.as_secs_f64(),
                connections: CLOSED_CONNECTIONS,
            },
        },
        PhasePlan {
            label: "closed".to_owned(),
            kind: PhaseKind::closed(10_000, CLOSED_CONNECTIONS),
        },
        PhasePlan {
            label: "open".to_owned(),
            kind: PhaseKind::Open {
                rate: 200.0,
                duration_s: 5.0,
                connections: CLOSED_CONNECTIONS,
            },
        },
    ]
}

/// A seed from the clock, short enough to be typed again.
#[must_use]
pub fn seed() -> u64 {
    let since = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default();
    u64::from(since.subsec_nanos()) % 1_000_000
}

/// The folder's name where it can serve as one.
#[must_use]
pub fn name(folder: &Path) -> String {
    let name: String = folder
        .file_name()
        .map(|n| n.to_string_lossy().into_owned())
        .unwrap_or_default()
        .chars()
        .map(|c| {
            if c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.') {
                c
            } else {
                '-'
            }
        })
        .take(60)
        .collect();
    let name = name.trim_start_matches('.').to_owned();
    if name.is_empty() {
        "experiment".to_owned()
    } else {
        name
    }
}
