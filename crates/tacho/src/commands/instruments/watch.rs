//! `tacho watch`.

use super::arguments::Watch;
use super::{exit, note, target};
use crate::error::Error;
use crate::signals::stop_on_signals;
use crate::{Done, output, print};
use tacho_diagnosis_report::instruments;
use tacho_instruments::{Seen, Target};
use tacho_jvm_agent::MethodPattern;

/// Shows calls until there are enough of them.
pub fn watch(arguments: &Watch) -> Done {
    let common = &arguments.common;
    let wanted = tacho_jvm_agent::Watch {
        methods: MethodPattern {
            subtypes: arguments.subtypes,
            ..arguments.method.clone()
        },
        at_most: arguments.calls,
        slower_than_ns: arguments.slower_than.map_or(0, |time| {
            u64::try_from(time.as_nanos()).unwrap_or(u64::MAX >> 1)
        }),
        only_failed: arguments.failed,
        depth: arguments.depth,
        length: arguments.length,
        to_string: arguments.to_string,
    };
    let quiet = common.json.as_deref().is_some_and(output::is_stdout);
    // Catch signals before there is an instrument to remove.
    let stop = stop_on_signals()?;
    let mut show = |seen: Seen<'_>| match seen {
        Seen::Note(text) => {
            note(text);
            Ok(())
        }
        Seen::Call(_) if quiet => Ok(()),
        Seen::Call(seen) => print(&instruments::call(seen)),
    };
    let target = Target {
        waits: arguments.wait,
        ..target(common, stop.flag())
    };
    let watched = tacho_instruments::watch::<Error>(target, &wanted, &mut show)?;
    output::json_or_summary(
        common.json.as_deref(),
        || output::pretty(&watched),
        || instruments::watch(&watched),
    )?;
    Ok(exit(&watched.removed))
}
