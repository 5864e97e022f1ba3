//! Objectives and what was measured, in words.

use tacho_figures as figures;
use tacho_quantity::{Metric, Objective};
use tacho_run_folder::CheckResult;

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
    let objective: Option<Objective> = check.check.parse().ok();
    let unit = objective.as_ref().map_or("", |read| match read.metric {
        Metric::Rate if read.unit_as_written().is_empty() => "/s",
        _ => read.unit_as_written(),
    });
    check.value.map(|value| match unit {
        "ms" | "s" | "/s" => figures::value(value, unit),
        "" => figures::number(value),
        other => format!("{} {other}", figures::number(value)),
    })
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
            ("throughput>1000", 1234.0, "1,234/s"),
            ("p99<50ms@jar2", 48.234, "48.2 ms"),
            ("jar: peak_rss<=256MiB@1cpu-256MiB", 182.4, "182 MiB"),
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
}
