//! The words and signs of a report, the same in every format.
//!
//! A sign always stands beside its word or number, so that nothing depends on colour.

use crate::quantity;
use std::collections::BTreeSet;
use tacho_run_folder::{
    BreakEven, CertificateState, CheckResult, Comparison, CostKind, FailureCause, LaunchOutcome,
    Limits, PhaseKind, PhasePlan, RunData, Verdict,
};

/// `better`.
#[must_use]
pub fn verdict(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Better => "better",
        Verdict::Worse => "worse",
        Verdict::Same => "same",
        Verdict::Inconclusive => "inconclusive",
    }
}

/// A sign that can be told apart without colour.
#[must_use]
pub fn verdict_sign(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Better => "✓",
        Verdict::Worse => "✗",
        Verdict::Same => "=",
        Verdict::Inconclusive => "?",
    }
}

/// `×0.45 better`; short enough for a column.
#[must_use]
pub fn comparison(comparison: &Comparison) -> String {
    let word = match comparison.verdict {
        Verdict::Inconclusive => "open",
        other => verdict(other),
    };
    format!(
        "{} {} {word}",
        quantity::ratio(comparison.ratio.value),
        verdict_sign(comparison.verdict)
    )
}

/// `VALID`, `DEGRADED` or `INVALID`.
#[must_use]
pub fn certificate(state: CertificateState) -> &'static str {
    match state {
        CertificateState::Valid => "valid",
        CertificateState::Degraded => "degraded",
        CertificateState::Invalid => "invalid",
    }
}

/// What a certificate's state means for the reader.
#[must_use]
pub fn certificate_meaning(state: CertificateState) -> &'static str {
    match state {
        CertificateState::Valid => "nothing speaks against these numbers",
        CertificateState::Degraded => "usable with the caution that the evidence names",
        CertificateState::Invalid => "these numbers are not to be used",
    }
}

/// `1 CPU, 256 MiB`.
#[must_use]
pub fn limits(limits: &Limits) -> String {
    let cpu = limits.cpu.map(|cpu| format!("{cpu} CPU"));
    let memory = limits
        .memory_bytes
        .map(|bytes| quantity::value(bytes as f64, "bytes"));
    match (cpu, memory) {
        (Some(cpu), Some(memory)) => format!("{cpu}, {memory}"),
        (Some(one), None) | (None, Some(one)) => one,
        (None, None) => "no limits".to_owned(),
    }
}

/// `closed: 100,000 requests over 1,000 connections`.
#[must_use]
pub fn phase(phase: &PhasePlan) -> String {
    let what = match &phase.kind {
        PhaseKind::Cold { requests } => format!(
            "the first {} requests, one after another",
            quantity::count(*requests)
        ),
        PhaseKind::Closed {
            requests,
            connections,
            ramp_s,
        } => {
            let ramp = if *ramp_s > 0.0 {
                format!(", joining in over {}", quantity::value(*ramp_s, "s"))
            } else {
                String::new()
            };
            format!(
                "{} requests over {} connections, each as fast as it is answered{ramp}",
                quantity::count(*requests),
                quantity::count((*connections).into())
            )
        }
        PhaseKind::Open {
            rate,
            duration_s,
            connections,
        } => format!(
            "{} for {}, over {} connections",
            quantity::value(*rate, "1/s"),
            quantity::value(*duration_s, "s"),
            quantity::count((*connections).into())
        ),
        PhaseKind::Rest { duration_s } => {
            format!("nothing is sent for {}", quantity::value(*duration_s, "s"))
        }
    };
    format!("{}: {what}", phase.label)
}

/// A phase that loads the subject: throughput and latency quantiles mean something in it.
#[must_use]
pub fn is_loaded(phase: &PhasePlan) -> bool {
    matches!(
        phase.kind,
        PhaseKind::Closed { .. } | PhaseKind::Open { .. }
    )
}

/// `out of memory`.
#[must_use]
pub fn failure(cause: FailureCause) -> &'static str {
    match cause {
        FailureCause::NotStarted => "not started",
        FailureCause::Exited => "exited by itself",
        FailureCause::Killed => "killed by a signal",
        FailureCause::OutOfMemory => "out of memory",
        FailureCause::NeverReady => "never ready",
        FailureCause::PortTaken => "port taken",
        FailureCause::LimitsNotApplied => "limits not applied",
        FailureCause::NoResponses => "no responses",
    }
}

/// `failed (out of memory)`, for every end that does not count.
#[must_use]
pub fn trouble(outcome: &LaunchOutcome) -> Option<(String, &str)> {
    match outcome {
        LaunchOutcome::Completed => None,
        LaunchOutcome::Running => Some((
            "unfinished".to_owned(),
            "Tacho was ended while this launch went on.",
        )),
        LaunchOutcome::Interrupted => {
            Some(("interrupted".to_owned(), "The run was ended by the user."))
        }
        LaunchOutcome::Invalid { reason } => Some(("invalid".to_owned(), reason)),
        LaunchOutcome::Failed { cause, message, .. } => {
            Some((format!("failed ({})", failure(*cause)), message))
        }
    }
}

/// `processor time` or `users' waiting time`.
#[must_use]
pub fn cost(kind: CostKind) -> &'static str {
    match kind {
        CostKind::Cpu => "processor time",
        CostKind::Waiting => "users' waiting time",
    }
}

/// `aot is cheaper up to 12,300 requests (11,000–14,100), native beyond`.
///
/// A pair that does not cross always holds the baseline.
#[must_use]
pub fn break_even(point: &BreakEven, baseline: &str) -> String {
    let cost = cost(point.cost);
    let (before, after) = (&point.cheaper_before, &point.cheaper_after);
    match &point.requests {
        Some(requests) if before != after => format!(
            "{cost}: {before} is cheaper up to {} requests ({}–{}), {after} beyond{}",
            quantity::requests(requests.value),
            quantity::requests(requests.low),
            quantity::requests(requests.high),
            if point.extrapolated {
                " (extrapolated)"
            } else {
                ""
            }
        ),
        _ if before == baseline => {
            format!("{cost}: {before} is cheaper than another variant from the first request on")
        }
        _ => format!("{cost}: {before} is cheaper than {baseline} from the first request on"),
    }
}

/// The curves of the two cross.
#[must_use]
pub fn crosses(point: &BreakEven) -> bool {
    point.requests.is_some() && point.cheaper_before != point.cheaper_after
}

/// `1 launch`, `5 launches`.
#[must_use]
pub fn plural(n: usize, one: &str, many: &str) -> String {
    format!(
        "{} {}",
        quantity::count(n as u64),
        if n == 1 { one } else { many }
    )
}

/// `p99<50ms on aot@1cpu, phase open: measured 48.2 ms`.
#[must_use]
pub fn check(check: &CheckResult) -> String {
    let phase = check
        .phase
        .as_ref()
        .map(|phase| format!(", phase {phase}"))
        .unwrap_or_default();
    format!(
        "{} on {}{phase}: {}",
        check.check,
        check.cell,
        measured(check)
    )
}

/// `measured 48.2 ms`.
#[must_use]
pub fn measured(check: &CheckResult) -> String {
    check_value(check).map_or_else(
        || "nothing valid was measured".to_owned(),
        |value| format!("measured {value}"),
    )
}

/// The value in the unit in which the user wrote the bound: `48.2 ms` for `p99<50ms`.
#[must_use]
pub fn check_value(check: &CheckResult) -> Option<String> {
    let unit = check
        .check
        .rsplit(|c: char| c.is_ascii_digit() || c == '.')
        .next()
        .unwrap_or_default()
        .trim();
    check.value.map(|value| match unit {
        "ms" | "s" | "/s" => quantity::value(value, unit),
        "" => quantity::value(value, ""),
        other => format!("{} {other}", quantity::value(value, "")),
    })
}

/// `5 of each variant`, `5 of each variant under each of 2 limits`.
#[must_use]
pub fn replicates(run: &RunData) -> String {
    let limits: BTreeSet<&str> = run
        .plan
        .cells
        .iter()
        .map(|cell| cell.limits.name.as_str())
        .collect();
    let each = format!("{} of each variant", run.plan.launches_per_cell);
    match limits.len() {
        0 | 1 => each,
        n => format!("{each} under each of {n} limits"),
    }
}

/// A command as a shell takes it: arguments are quoted where they need it.
#[must_use]
pub fn command_line(command: &[String]) -> String {
    command
        .iter()
        .map(|argument| quoted(argument))
        .collect::<Vec<_>>()
        .join(" ")
}

/// One argument for a POSIX shell.
#[must_use]
pub fn quoted(argument: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./:=,@%+".contains(c);
    if !argument.is_empty() && argument.chars().all(plain) {
        argument.to_owned()
    } else {
        format!("'{}'", argument.replace('\'', "'\\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_measured_value_takes_the_unit_of_its_check() {
        for (text, value, said) in [
            ("p99<50ms", 48.234, "48.2 ms"),
            ("ready < 1.5s", 0.0614, "61.4 ms"),
            ("peak_rss<=256MiB", 182.4, "182 MiB"),
            ("errors<1%", 0.25, "0.25 %"),
            ("throughput>1000", 1234.0, "1,234"),
        ] {
            let check = CheckResult {
                check: text.into(),
                cell: "jar".into(),
                phase: None,
                value: Some(value),
                passed: true,
            };
            assert_eq!(check_value(&check).unwrap(), said, "{text}");
        }
    }

    #[test]
    fn a_command_line_can_be_pasted_into_a_shell() {
        let command = ["java", "-Da=b c", "it's", ""].map(str::to_owned);
        let line = command_line(&command);
        assert_eq!(line, r"java '-Da=b c' 'it'\''s' ''");
        let shell = std::process::Command::new("sh")
            .args(["-c", &format!("printf '%s\\n' {line}")])
            .output()
            .unwrap();
        assert_eq!(
            String::from_utf8(shell.stdout).unwrap(),
            "java\n-Da=b c\nit's\n\n"
        );
    }
}
