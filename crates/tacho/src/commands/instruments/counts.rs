//! `tacho exceptions` and `tacho classes`.

use super::arguments::{ClassLookUps, Counts, Exceptions};
use super::{exit, target};
use crate::signals::stop_on_signals;
use crate::{Done, output};
use tacho_diagnosis_report::instruments::{Counting, CountsReport};
use tacho_jvm_agent::{Calls, Probe};

/// Carries out `tacho exceptions`.
pub fn exceptions(arguments: &Exceptions) -> Done {
    let probes = [Probe::exceptions("exceptions")];
    count(&arguments.counts, Counting::Exceptions, &probes, |_| true)
}

/// Carries out `tacho classes`.
pub fn classes(arguments: &ClassLookUps) -> Done {
    let mut probes = vec![Probe::class_look_ups("class")];
    let mut counting = Counting::Classes;
    if arguments.resources {
        probes.push(Probe::resource_look_ups("resource"));
        counting = Counting::ClassesAndResources;
    }
    count(&arguments.counts, counting, &probes, |calls| {
        !arguments.failed || calls.outcome.text().is_some()
    })
}

fn count(
    arguments: &Counts,
    counting: Counting,
    probes: &[Probe],
    wanted: impl Fn(&Calls) -> bool,
) -> Done {
    let common = &arguments.common;
    // Catch signals before there is an instrument to remove.
    let stop = stop_on_signals()?;
    let mut counted = tacho_instruments::count(target(common, stop.flag()), probes)?;
    counted.calls.retain(wanted);
    let report = CountsReport::of(counting, arguments.requests, counted);
    output::json_or_summary(
        common.json.as_deref(),
        || output::pretty(&report),
        || report.text(arguments.top, arguments.stacks),
    )?;
    Ok(exit(&report.removed))
}
