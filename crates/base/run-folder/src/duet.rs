//! How two launches run at the same time, in `plan.json`.

use crate::{PhaseKind, PhasePlan};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How two launches run at the same time. In each block, the launch that is planned first gets the
/// first half of the machine.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Duet {
    /// Processors of each half, by the kernel's numbers.
    pub halves: [Vec<u32>; 2],
    /// Both halves are threads of the same core.
    #[serde(default, skip_serializing_if = "is_false")]
    pub share_a_core: bool,
    /// Load after all other phases that shows whether one side slows the other down; absent where
    /// no phase is suitable to repeat.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub windows: Option<DuetWindows>,
}

/// In each round both sides are loaded together, and then each by itself while the other one rests.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct DuetWindows {
    /// The phase whose load they repeat, by its label.
    pub repeats: String,
    /// What each window does.
    pub load: PhaseKind,
    /// Number of rounds.
    pub rounds: u32,
}

impl DuetWindows {
    /// The window of a round, counted from 1, in which both sides are loaded.
    #[must_use]
    pub fn beside(&self, round: u32) -> PhasePlan {
        self.window("beside", round)
    }

    /// The window of a round in which one side is loaded.
    #[must_use]
    pub fn alone(&self, round: u32) -> PhasePlan {
        self.window("alone", round)
    }

    /// By the label of a phase.
    #[must_use]
    pub fn are(label: &str) -> bool {
        let rest = label.strip_prefix("duet-");
        rest.is_some_and(|rest| rest.starts_with("beside-") || rest.starts_with("alone-"))
    }

    fn window(&self, what: &str, round: u32) -> PhasePlan {
        PhasePlan {
            label: format!("duet-{what}-{round}"),
            kind: self.load.clone(),
        }
    }
}

#[allow(clippy::trivially_copy_pass_by_ref)]
fn is_false(value: &bool) -> bool {
    !value
}
