//! `tacho trace`.

use super::{arguments, exit, note, target};
use crate::error::Error;
use crate::signals::stop_on_signals;
use crate::{Done, output, print};
use tacho_diagnosis_report::instruments;
use tacho_instruments::{Shown, Target, Trace};
use tacho_jvm_agent::{MethodPattern, OneByOne};

/// Calls that are shown where nobody says how many.
const CALLS: u32 = 10;

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
        one_by_one: one_by_one(arguments),
    };
    let quiet = common.json.as_deref().is_some_and(output::is_stdout);
    let mut show = |shown: Shown<'_>| match shown {
        Shown::Note(text) => {
            note(text);
            Ok(())
        }
        Shown::Call(_) if quiet => Ok(()),
        Shown::Call(call) => print(&instruments::traced_call(call, arguments.at_least)),
    };
    // Catch signals before there is an instrument to remove.
    let stop = stop_on_signals()?;
    let target = Target {
        waits: arguments.wait,
        ..target(common, stop.flag())
    };
    let traced = tacho_instruments::trace::<Error>(target, &wanted, &mut show)?;
    output::json_or_summary(
        common.json.as_deref(),
        || output::pretty(&traced),
        || instruments::trace(&traced, arguments.at_least),
    )?;
    Ok(exit(&traced.removed))
}

/// Calls one by one, where slow ones or a number of them are asked for.
fn one_by_one(arguments: &arguments::Trace) -> Option<OneByOne> {
    let is_asked = arguments.slower_than.is_some() || arguments.calls.is_some();
    is_asked.then(|| OneByOne {
        slower_than_ns: arguments.slower_than.map_or(0, |time| {
            u64::try_from(time.as_nanos()).unwrap_or(u64::MAX >> 1)
        }),
        calls: arguments.calls.unwrap_or(CALLS),
    })
}
