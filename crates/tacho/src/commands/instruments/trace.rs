//! `tacho trace`.

use super::{arguments, exit, note, target};
use crate::signals::stop_on_signals;
use crate::{Done, output};
use tacho_diagnosis_report::instruments;
use tacho_instruments::{Target, Trace};
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
    let target = Target {
        waits: arguments.wait,
        ..target(common, stop.flag())
    };
    let traced = tacho_instruments::trace(target, &wanted, &mut note)?;
    output::json_or_summary(
        common.json.as_deref(),
        || output::pretty(&traced),
        || instruments::trace(&traced, arguments.at_least),
    )?;
    Ok(exit(&traced.removed))
}
