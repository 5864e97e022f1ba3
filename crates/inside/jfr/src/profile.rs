//! The settings of the JVM's own recorder, when it is used instead of a profiler.

use std::fmt::Write;
use std::time::Duration;
use tacho_run_folder::LedgerKind;

/// The first JDK that throttles samples of allocation by itself (JDK-8257602); before it each new
/// buffer is an event.
const SAMPLES_ALLOCATION: u32 = 16;
/// The execution sampler supports no shorter period, and on older JDKs no other one.
const SHORTEST_PERIOD_MS: u128 = 10;

/// Settings of a recording of these kinds, for a JVM of this release. `None` if it has no event for
/// any of them. Processor time is sampled each `interval`. Lock waits are recorded from
/// `shortest_wait` on.
#[must_use]
pub fn profile_settings(
    kinds: &[LedgerKind],
    release: u32,
    interval: Duration,
    shortest_wait: Duration,
) -> Option<String> {
    let wait_ns = shortest_wait.as_nanos().to_string() + " ns";
    let mut events: Vec<(&str, Vec<(&str, String)>)> = Vec::new();
    for kind in kinds {
        match kind {
            LedgerKind::Processor => {
                let throttle = format!("{}us", interval.as_micros().max(1));
                events.push(("jdk.CPUTimeSample", vec![("throttle", throttle)]));
                let period = format!("{} ms", interval.as_millis().max(SHORTEST_PERIOD_MS));
                events.push(("jdk.ExecutionSample", vec![("period", period)]));
            }
            LedgerKind::Allocation if release >= SAMPLES_ALLOCATION => {
                let throttle = vec![("throttle", "1000/s".to_owned())];
                events.push(("jdk.ObjectAllocationSample", throttle));
            }
            LedgerKind::Allocation => {
                events.push(("jdk.ObjectAllocationInNewTLAB", Vec::new()));
                events.push(("jdk.ObjectAllocationOutsideTLAB", Vec::new()));
            }
            LedgerKind::LockWaits => {
                let threshold = || vec![("threshold", wait_ns.clone())];
                events.push(("jdk.JavaMonitorEnter", threshold()));
                events.push(("jdk.ThreadPark", threshold()));
            }
            _ => {}
        }
    }
    (!events.is_empty()).then(|| written(&events))
}

fn written(events: &[(&str, Vec<(&str, String)>)]) -> String {
    let mut xml = String::from(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<configuration version=\"2.0\" label=\"Tacho: profile\" provider=\"Tacho\">\n",
    );
    for (event, settings) in events {
        let _ = writeln!(xml, "  <event name=\"{event}\">");
        let always = [("enabled", "true"), ("stackTrace", "true")];
        let own = settings.iter().map(|(name, value)| (*name, value.as_str()));
        for (name, value) in always.into_iter().chain(own) {
            let _ = writeln!(xml, "    <setting name=\"{name}\">{value}</setting>");
        }
        xml.push_str("  </event>\n");
    }
    xml + "</configuration>\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings(kinds: &[LedgerKind], release: u32) -> Option<String> {
        let wait = Duration::from_micros(10);
        profile_settings(kinds, release, Duration::from_millis(5), wait)
    }

    #[test]
    fn each_jvm_is_asked_for_events_that_it_has() {
        let new = settings(&[LedgerKind::Processor, LedgerKind::Allocation], 25).unwrap();
        for part in [
            "jdk.CPUTimeSample",
            "<setting name=\"throttle\">5000us</setting>",
            "<setting name=\"period\">10 ms</setting>",
            "jdk.ObjectAllocationSample",
        ] {
            assert!(new.contains(part), "{part} is not in {new}");
        }
        assert!(!new.contains("TLAB"));
        let old = settings(&[LedgerKind::Allocation, LedgerKind::LockWaits], 11).unwrap();
        assert!(old.contains("ObjectAllocationOutsideTLAB") && !old.contains("AllocationSample"));
        assert!(old.contains("<setting name=\"threshold\">10000 ns</setting>"));
        assert_eq!(settings(&[LedgerKind::Wall], 25), None);
    }
}
