//! `tacho trace`.

use super::{arguments, exit, note, target};
use crate::signals::stop_on_signals;
use crate::{Done, output};
use tacho_diagnosis_report::instruments::TraceReport;
use tacho_instruments::Trace;
use tacho_jvm_agent::MethodPattern;

/// Traces the methods, and then what costs most in them.
pub fn trace(arguments: &arguments::Trace) -> Done {
    let common = &arguments.common;
    let wanted = Trace {
        roots: arguments
            .methods
            .iter()
            .map(|method| MethodPattern {
                subtypes: arguments.subtypes,
                ..method.clone()
            })
            .collect(),
        levels: arguments.levels,
        at_least: arguments.at_least,
        jdk: arguments.jdk,
    };
    // Before anybody can know that there is something to take out.
    let stop = stop_on_signals()?;
    let traced = tacho_instruments::trace(target(common, stop.flag()), &wanted, &mut note)?;
    let report = TraceReport {
        pid: common.pid,
        elapsed_s: traced.elapsed_s,
        own: traced.own,
        methods: traced.methods,
        removed: traced.removed,
    };
    output::json_or_summary(
        common.json.as_deref(),
        || output::pretty(&report),
        || report.text(arguments.at_least),
    )?;
    Ok(exit(&report.removed))
}
