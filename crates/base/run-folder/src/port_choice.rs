//! Which of several ports of a service was measured.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Why one of several listening ports was measured.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PortChoice {
    /// What told it apart.
    pub by: PortReason,
    /// Path of the experiment's own first GET request, where the ports were asked for it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub request_path: Option<String>,
    /// The other ports that listened, in ascending order; at least one.
    pub others: Vec<u16>,
}

/// What tells one of several ports apart.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum PortReason {
    /// The experiment names it.
    Given,
    /// It answered the experiment's own request with 2xx; of several that did, it was opened first.
    OwnRequest,
    /// None answered that request with 2xx in time: of those that answered another path with 2xx it
    /// was opened first.
    OtherRequest,
    /// None answered anything with 2xx in time, or nothing was asked that tells them apart: of
    /// those that answered HTTP it was opened first.
    AnsweredHttp,
    /// None answered HTTP: of those that took connections it was opened first.
    TookConnections,
}
