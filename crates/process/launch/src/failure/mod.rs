//! Why a launch failed, in one sentence that also says what to do.

mod rules;

use crate::child::Exit;
use crate::ready::{NotReady, Why};
use crate::sockets::Owner;
use crate::spawn::SpawnError;
use rules::from_log;
use rustix::process::Signal;
use tacho_run_folder::{FailureCause, LaunchOutcome};

/// What to do with a service that wants `https`.
pub const WITHOUT_TLS: &str = "`tacho run` sends plain HTTP: switch TLS off for the measurement (Spring Boot: `--server.ssl.enabled=false`)";

/// What is known beside the exit code.
#[derive(Debug, Clone, Default)]
pub struct Evidence {
    /// Processes that the kernel killed for memory in the launch's control group.
    pub oom_kills: u64,
    /// The memory limit of the launch.
    pub memory_bytes: Option<u64>,
    /// The end of the log, see [`crate::log::last_lines`].
    pub last_log_lines: Vec<String>,
    /// What the environment reports about the end, where that says more than the exit code: for a
    /// pod, the report of its cluster.
    pub told: Option<(FailureCause, String)>,
}

/// For `fuzz/`: the complaint that is recognised in the lines of a log.
#[doc(hidden)]
#[must_use]
pub fn complaint(lines: &[String]) -> Option<String> {
    from_log(lines).map(|(_, said)| said)
}

/// The process could not be started.
#[must_use]
pub fn not_started(error: &SpawnError) -> LaunchOutcome {
    failed(FailureCause::NotStarted, error.to_string(), Vec::new())
}

/// The port of the subject is taken, so nothing was started.
#[must_use]
pub fn port_taken(port: u16, owner: &Owner) -> LaunchOutcome {
    failed(
        FailureCause::PortTaken,
        format!("port {port} is taken by {owner}; end it, or take another port"),
        Vec::new(),
    )
}

/// The subject did not become ready; interrupted when the user ended the run.
#[must_use]
pub fn not_ready(not_ready: &NotReady, evidence: Evidence) -> LaunchOutcome {
    match &not_ready.why {
        Why::Stopped => LaunchOutcome::Interrupted,
        Why::Ended(exit) => {
            let during = format!("before it was ready (until then it {})", not_ready.seen);
            ended(*exit, &during, evidence)
        }
        Why::TimedOut(_) | Why::Unwatchable(_) if evidence.told.is_some() => told(evidence, ""),
        Why::TimedOut(_) | Why::Unwatchable(_) => {
            let mut message = not_ready.to_string();
            match from_log(&evidence.last_log_lines) {
                Some((_, hint)) => message += &format!(". Its log says why: {hint}"),
                None if not_ready.wants_tls() => message += &format!(". {WITHOUT_TLS}"),
                None if matches!(not_ready.why, Why::TimedOut(_)) && !not_ready.was_stopped => {
                    message += ". Give it longer with `ready: timeout` (--ready-timeout), say what ready means with `ready: http`, `log` or `port`, or give the `port` at which it answers (--port)";
                }
                None => {}
            }
            failed(FailureCause::NeverReady, message, evidence.last_log_lines)
        }
    }
}

/// The subject ended too early; `during` completes `it ended ...`.
#[must_use]
pub fn ended(exit: Exit, during: &str, evidence: Evidence) -> LaunchOutcome {
    if evidence.told.is_some() {
        return told(evidence, during);
    }
    let killed = exit == Exit::Signal(Signal::KILL.as_raw());
    // A shell reports the signal of its child as 128 and its number.
    let killed_below = exit == Exit::Code(128 + Signal::KILL.as_raw());
    if evidence.oom_kills > 0 && (killed || killed_below) {
        let limit = evidence.memory_bytes.map_or_else(String::new, |bytes| {
            format!(" of {} MiB", bytes.div_ceil(1 << 20))
        });
        let message = format!(
            "the kernel killed it for memory {during}: it needs more than its limit{limit}; raise the limit or lower the heap (-Xmx, -XX:MaxRAMPercentage)"
        );
        return failed(FailureCause::OutOfMemory, message, evidence.last_log_lines);
    }
    let known = from_log(&evidence.last_log_lines);
    let cause = known
        .as_ref()
        .and_then(|(cause, _)| *cause)
        .unwrap_or(match exit {
            Exit::Code(_) => FailureCause::Exited,
            Exit::Signal(_) => FailureCause::Killed,
        });
    let why = match (known, exit) {
        (Some((_, why)), _) => why,
        (None, Exit::Code(0)) => {
            "it has no server that keeps it running, or it went into the background; a subject stays in the foreground; or it ends when its standard input does (it gets `/dev/null`): keep it running without input".into()
        }
        (None, Exit::Code(_)) => "the end of its log says why".into(),
        (None, Exit::Signal(_)) if killed => {
            "somebody killed it: the kernel for want of memory on the whole machine (see `dmesg`), or a person".into()
        }
        (None, Exit::Signal(signal)) if signal == Signal::XFSZ.as_raw() => {
            "it wrote a file, such as its log, beyond the limit that it inherits; raise it with `ulimit -f unlimited` before Tacho is started".into()
        }
        (None, Exit::Signal(_)) => "the end of its log may say why".into(),

    };
    failed(
        cause,
        format!("it {exit} {during}: {why}"),
        evidence.last_log_lines,
    )
}

/// A certain cause comes before one that can only be deduced.
fn told(evidence: Evidence, during: &str) -> LaunchOutcome {
    let (cause, said) = evidence
        .told
        .unwrap_or((FailureCause::Exited, String::new()));
    let message = match during {
        "" => said,
        during => format!("{said} ({during})"),
    };
    failed(cause, message, evidence.last_log_lines)
}

fn failed(cause: FailureCause, message: String, last_log_lines: Vec<String>) -> LaunchOutcome {
    LaunchOutcome::Failed {
        cause,
        message,
        last_log_lines,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    fn with_log(lines: &[&str]) -> Evidence {
        Evidence {
            last_log_lines: lines.iter().map(ToString::to_string).collect(),
            ..Evidence::default()
        }
    }

    fn cause_of(outcome: LaunchOutcome) -> (FailureCause, String) {
        match outcome {
            LaunchOutcome::Failed { cause, message, .. } => (cause, message),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn what_a_cluster_says_of_an_end_goes_before_what_the_exit_tells() {
        let evidence = Evidence {
            told: Some((FailureCause::Evicted, "it was evicted".into())),
            ..with_log(&["java.lang.OutOfMemoryError"])
        };
        let (cause, message) = cause_of(ended(Exit::Code(137), "in phase cold", evidence));
        assert_eq!(cause, FailureCause::Evicted);
        assert_eq!(message, "it was evicted (in phase cold)");
    }

    #[test]
    fn a_kill_by_the_kernel_for_memory_is_told_apart_from_any_other() {
        let evidence = |oom_kills| Evidence {
            oom_kills,
            memory_bytes: Some(256 << 20),
            ..Evidence::default()
        };
        for exit in [Exit::Signal(9), Exit::Code(137)] {
            let (cause, message) = cause_of(ended(exit, "in phase cold", evidence(1)));
            assert_eq!(cause, FailureCause::OutOfMemory);
            assert!(message.contains("256 MiB"), "{message}");
        }
        let (cause, message) = cause_of(ended(Exit::Signal(9), "in phase cold", evidence(0)));
        assert_eq!(cause, FailureCause::Killed);
        assert!(message.contains("SIGKILL"), "{message}");
        // The kernel may kill a worker whose parent then ends in its own way.
        let (cause, _) = cause_of(ended(Exit::Code(1), "in phase cold", evidence(1)));
        assert_eq!(cause, FailureCause::Exited);
    }

    #[test]
    fn a_subject_that_ends_without_an_error_is_explained() {
        let (cause, message) = cause_of(ended(Exit::Code(0), "before it was ready", with_log(&[])));
        assert_eq!(cause, FailureCause::Exited);
        assert!(message.contains("foreground"), "{message}");
        assert!(message.contains("`/dev/null`"), "{message}");
    }

    #[test]
    fn never_ready_says_what_was_seen_and_what_to_do() {
        let never = |why| NotReady {
            was_stopped: false,
            why,
            seen: "listens on port 8080, GET /health answers 503".into(),
            time_line: tacho_run_folder::TimeLine::default(),
            cpu_s: 0.0,
        };
        let timed_out = never(Why::TimedOut(Duration::from_secs(60)));
        let (cause, message) = cause_of(not_ready(&timed_out, with_log(&[])));
        assert_eq!(cause, FailureCause::NeverReady);
        assert!(
            message.contains("GET /health answers 503") && message.contains("ready: timeout"),
            "{message}"
        );
        let (_, message) = cause_of(not_ready(
            &timed_out,
            with_log(&["java.lang.OutOfMemoryError"]),
        ));
        assert!(message.contains("ran out of memory"), "{message}");
        assert_eq!(
            not_ready(&never(Why::Stopped), with_log(&[])),
            LaunchOutcome::Interrupted
        );
    }

    #[test]
    fn a_service_that_wants_tls_needs_no_more_time() {
        let mut not_ready_yet = NotReady {
            was_stopped: false,
            why: Why::TimedOut(Duration::from_secs(60)),
            seen: "listens on port 8443, which answers with TLS (Tacho asks over plain HTTP)"
                .into(),
            time_line: tacho_run_folder::TimeLine::default(),
            cpu_s: 0.0,
        };
        let (_, message) = cause_of(not_ready(&not_ready_yet, with_log(&[])));
        assert!(message.ends_with(WITHOUT_TLS), "{message}");
        // Another of its ports speaks HTTP.
        not_ready_yet.time_line.first_response_ms = Some(900.0);
        let (_, message) = cause_of(not_ready(&not_ready_yet, with_log(&[])));
        assert!(message.contains("ready: timeout"), "{message}");
    }

    #[test]
    fn a_taken_port_names_its_owner() {
        let owner = Owner {
            address: "127.0.0.1:8080".parse().unwrap(),
            pid: Some(42),
            command: Some("java -jar other.jar".into()),
        };
        let (cause, message) = cause_of(port_taken(8080, &owner));
        assert_eq!(cause, FailureCause::PortTaken);
        assert!(
            message.contains("42") && message.contains("other.jar"),
            "{message}"
        );
    }
}
