//! `run.json`: who, when, on which machine.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The head of a run folder, written first.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RunHeader {
    /// [`crate::FORMAT`] of the program that wrote it.
    pub format: u32,
    /// Version of Tacho.
    pub tacho: String,
    /// Name of the folder.
    pub id: String,
    /// Name of the experiment.
    pub name: String,
    /// RFC 3339, UTC.
    pub started_at: String,
    /// RFC 3339, UTC; absent while the run goes on or after Tacho was killed.
    pub finished_at: Option<String>,
    /// True when the user ended the run before its last launch.
    pub interrupted: bool,
    /// The machine that it ran on.
    pub machine: Machine,
    /// What was tested.
    pub subject: SubjectFacts,
}

/// The machine, so that a reader years later knows what the numbers stand on.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Machine {
    /// Processors that the kernel has online.
    pub cpus: u32,
    /// As `/proc/cpuinfo` names it.
    pub cpu_model: String,
    /// Main memory, in bytes; 0 when the kernel does not say.
    pub memory_bytes: u64,
    /// Release of the kernel, as `uname -r` prints it.
    pub kernel: String,
    /// `PRETTY_NAME` of `/etc/os-release`.
    pub os: String,
    /// Control groups in use: `v1`, `v2` or `none`.
    pub cgroup: String,
}

/// What was found out about the subject before anything was started.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SubjectFacts {
    /// Path of the jar, WAR, directory or executable; absent when each variant names its own.
    pub artifact: Option<String>,
    /// `jar`, `war`, `directory` or `executable`.
    pub kind: Option<String>,
    /// `Spring Boot 4.1.2`, `Quarkus 3.30.1`, `Helidon`, ...; absent when not recognised.
    pub framework: Option<String>,
    /// Highest class-file level in it, as a Java release (61 is 17).
    pub java_release: Option<u32>,
}
