//! `variants/<variant>.json`: how a variant was made, and what it needs to run.

use crate::WarmUp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A variant that is ready to be launched.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PreparedVariant {
    /// Name in the experiment.
    pub name: String,
    /// How it was made: `kind` of an experiment, such as `jar`. All of them: `docs/variants.md`.
    pub kind: String,
    /// The exact command, to copy and paste; without what Tacho adds to observe it.
    pub command: Vec<String>,
    /// Working directory of the command.
    pub directory: String,
    /// Environment that is set beside the inherited one.
    pub environment: BTreeMap<String, String>,
    /// The runtime, for people: `OpenJDK 25.0.3+9 (Temurin)`.
    pub runtime: Option<String>,
    /// Commands that made it, in order, to copy and paste.
    pub build_commands: Vec<String>,
    /// Time that they took in all, training launches included.
    pub build_s: f64,
    /// Bytes of the application on disk: jar, libraries, archive, image.
    pub application_bytes: u64,
    /// Bytes of the runtime that it needs beside: a JDK, a jlink image, Tomcat. Zero for a binary.
    pub runtime_bytes: u64,
    /// How it is warmed before it takes traffic; absent where no warm-up was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub warm_up: Option<WarmUp>,
    /// The file that it is launched from; absent where there is none, and in older records.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub artifact: Option<ArtifactSeen>,
    /// The image that it was started from, by the name that it has on the cluster; absent where it
    /// was started from files of the machine.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub image: Option<String>,
    /// What a reader ought to know about it.
    pub notes: Vec<String>,
}

/// The file that a variant is launched from, as it was then.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ArtifactSeen {
    /// Absolute path of the jar, WAR, program or script.
    pub path: String,
    /// Its size, in bytes.
    pub bytes: u64,
    /// SHA-256 in hexadecimal digits; of a script also of the jars that it launches, in the order
    /// of their paths.
    pub sha256: String,
}
