//! What a launch ran into.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tacho_run_folder::{CheckResult, FailureCause, LaunchOutcome, LaunchRecord};

/// Why a launch did not survive.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "wall", rename_all = "kebab-case")]
pub enum Wall {
    /// `OutOfMemoryError: Java heap space`, or the collector ran nearly all the time.
    Heap,
    /// `OutOfMemoryError: Metaspace`, or of the compressed class space.
    Metaspace,
    /// `OutOfMemoryError: Direct buffer memory`.
    DirectMemory,
    /// No thread could be started.
    Threads,
    /// The kernel killed it: the whole process was larger than the limit, while the JVM saw nothing
    /// wrong.
    Container,
    /// It did not become ready in time.
    NeverReady,
    /// It ran, and an objective did not hold.
    Objective {
        /// As the user wrote it.
        check: String,
    },
    /// It ended in another way.
    Ended {
        /// How it ended, in one sentence.
        message: String,
    },
}

impl Wall {
    /// What a launch ran into; `None` when it survived. `checks` are those of this launch alone,
    /// `error` is the first line of its log that names an `OutOfMemoryError`.
    #[must_use]
    pub fn of(record: &LaunchRecord, checks: &[CheckResult], error: Option<&str>) -> Option<Self> {
        // What the JVM says is nearer to the cause than how it ended.
        let said = error.and_then(Self::of_error);
        match &record.outcome {
            LaunchOutcome::Completed | LaunchOutcome::Spoiled { .. } => {
                let broken = checks.iter().find(|check| !check.passed)?;
                Some(said.unwrap_or_else(|| Self::Objective {
                    check: broken.check.clone(),
                }))
            }
            LaunchOutcome::Failed { cause, message, .. } => Some(match (said, cause) {
                (Some(said), _) => said,
                (None, FailureCause::OutOfMemory) => Self::Container,
                (None, _) if killed_for_memory(record) => Self::Container,
                (None, FailureCause::NeverReady) => Self::NeverReady,
                (None, _) => Self::Ended {
                    message: message.clone(),
                },
            }),
            // What it measured is not what the limit does to it (it was stopped, an archive was not
            // used): the objective is not what gave way.
            LaunchOutcome::Invalid { reason } => {
                let is_broken = checks.iter().any(|check| !check.passed);
                is_broken.then(|| {
                    said.unwrap_or_else(|| Self::Ended {
                        message: reason.clone(),
                    })
                })
            }
            LaunchOutcome::Running | LaunchOutcome::Interrupted => Some(Self::Ended {
                message: "it was interrupted".to_owned(),
            }),
        }
    }

    /// From a line such as `java.lang.OutOfMemoryError: Java heap space`, or a native image's
    /// `Garbage-collected heap size exceeded`.
    fn of_error(line: &str) -> Option<Self> {
        let names = |text: &str| line.contains(text);
        Some(
            if names("Java heap space")
                || names("GC overhead limit")
                || names("Garbage-collected heap size exceeded")
            {
                Self::Heap
            } else if names("Metaspace") || names("Compressed class space") {
                Self::Metaspace
            } else if names("Direct buffer memory") || names("direct buffer") {
                Self::DirectMemory
            } else if names("native thread") {
                Self::Threads
            } else {
                return None;
            },
        )
    }

    /// For people: what gave way, and what would help.
    #[must_use]
    pub fn explain(&self) -> String {
        match self {
            Self::Heap => "the heap was full".to_owned(),
            Self::Metaspace => "metaspace was full".to_owned(),
            Self::DirectMemory => "direct buffers were used up".to_owned(),
            Self::Threads => "no thread could be started".to_owned(),
            Self::Container => {
                "killed by the kernel: heap and everything else together were over the limit"
                    .to_owned()
            }
            Self::NeverReady => "not ready in time".to_owned(),
            Self::Objective { check } => format!("`{check}` did not hold"),
            Self::Ended { message } => message.clone(),
        }
    }
}

fn killed_for_memory(record: &LaunchRecord) -> bool {
    record
        .limits
        .as_ref()
        .is_some_and(|limits| limits.oom_kills > 0)
}

/// Whether a line of a log tells of memory that ran out. One that names a flag does not: a JVM
/// prints `Picked up JAVA_TOOL_OPTIONS: -XX:+ExitOnOutOfMemoryError` as its first line.
#[must_use]
pub fn tells_of_memory(line: &str) -> bool {
    let mut errors = line.match_indices("OutOfMemoryError");
    let is_thrown = errors.any(|(place, _)| !line[..place].ends_with("On"));
    is_thrown || line.contains("insufficient memory for the Java Runtime")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_area_of_a_jvm_is_told_from_the_others() {
        for (line, wall) in [
            (
                "java.lang.OutOfMemoryError: Java heap space",
                Some(Wall::Heap),
            ),
            (
                "java.lang.OutOfMemoryError: GC overhead limit exceeded",
                Some(Wall::Heap),
            ),
            (
                "java.lang.OutOfMemoryError: Garbage-collected heap size exceeded. Consider increasing the maximum Java heap size",
                Some(Wall::Heap),
            ),
            (
                "Exception in thread \"main\" java.lang.OutOfMemoryError: Metaspace",
                Some(Wall::Metaspace),
            ),
            (
                "java.lang.OutOfMemoryError: Compressed class space",
                Some(Wall::Metaspace),
            ),
            (
                "java.lang.OutOfMemoryError: Cannot reserve 16384 bytes of direct buffer memory (allocated: 10, limit: 20)",
                Some(Wall::DirectMemory),
            ),
            (
                "java.lang.OutOfMemoryError: unable to create native thread: possibly out of memory",
                Some(Wall::Threads),
            ),
            ("java.lang.OutOfMemoryError: something new", None),
        ] {
            assert!(tells_of_memory(line));
            assert_eq!(Wall::of_error(line), wall, "{line}");
        }
        for line in [
            "all is well",
            "Picked up JAVA_TOOL_OPTIONS: -XX:+ExitOnOutOfMemoryError -XX:+HeapDumpOnOutOfMemoryError",
        ] {
            assert!(!tells_of_memory(line), "{line}");
        }
        let ended = "Terminating due to java.lang.OutOfMemoryError: Java heap space";
        assert!(tells_of_memory(ended));
    }
}
