//! Thread groups: how much load.

use super::context::Context;
use super::element::Node;
use super::timer::Unit;
use super::xml::Element;
use crate::error::ImportError;
use crate::imported::LoadPlan;
use crate::note::shorten;
use std::time::Duration;

/// Any kind of thread group, those of plugins included.
pub(super) fn is_group(kind: &str) -> bool {
    kind.ends_with("ThreadGroup")
}

/// What a group asks for; `None` when its schedule has no equal (a note says so).
pub(super) fn plan(
    node: &Node<'_>,
    context: &mut Context<'_>,
) -> Result<Option<LoadPlan>, ImportError> {
    let element = node.element;
    match node.kind() {
        "ThreadGroup" => usual(element, context).map(Some),
        "ConcurrencyThreadGroup" => concurrency(element, context).map(Some),
        kind => {
            context.note(format!(
                "the schedule of a {kind} is not understood; say with --rate or --connections how much load there is to be"
            ));
            Ok(None)
        }
    }
}

fn usual(element: &Element, context: &mut Context<'_>) -> Result<LoadPlan, ImportError> {
    let connections = whole(element, "ThreadGroup.num_threads", 1, context)?;
    let ramp = Unit::Seconds.of(element, "ThreadGroup.ramp_time", context)?;
    let is_timed = element.is_true("ThreadGroup.scheduler");
    let duration = Unit::Seconds.of(element, "ThreadGroup.duration", context)?;
    if element
        .filled("ThreadGroup.delay")
        .is_some_and(|delay| delay != "0")
        && is_timed
    {
        context.note("its delay before the start is not used");
    }
    let action = element
        .filled("ThreadGroup.on_sample_error")
        .unwrap_or("continue");
    if action != "continue" {
        context.note(format!(
            "`{}` after an error is not carried out; the run goes on, and the error is counted",
            shorten(action, 40)
        ));
    }
    let rounds = match element.inner("ThreadGroup.main_controller") {
        Some(controller) => rounds(controller, context)?,
        None => None,
    };
    let connections = u32::try_from(connections).unwrap_or(u32::MAX);
    Ok(LoadPlan {
        connections,
        ramp,
        iterations: rounds.map(|rounds| rounds.saturating_mul(u64::from(connections))),
        duration: Some(duration).filter(|duration| is_timed && !duration.is_zero()),
    })
}

/// How often a loop is gone through; `None`: for ever.
pub(super) fn rounds(
    controller: &Element,
    context: &mut Context<'_>,
) -> Result<Option<u64>, ImportError> {
    if controller.is_true("LoopController.continue_forever")
        && controller
            .filled("LoopController.loops")
            .is_none_or(|loops| loops == "-1")
    {
        return Ok(None);
    }
    let text = controller.filled("LoopController.loops").unwrap_or("1");
    match context.number(text)? {
        Some(-1.0) => Ok(None),
        Some(number) if number >= 0.0 => Ok(Some(number as u64)),
        _ => {
            context.note(format!(
                "`{}` is no number of loops that is known before the run; it is taken as 1",
                shorten(text, 60)
            ));
            Ok(Some(1))
        }
    }
}

/// The Concurrency Thread Group of Blazemeter's plugin.
fn concurrency(element: &Element, context: &mut Context<'_>) -> Result<LoadPlan, ImportError> {
    let connections = whole(element, "TargetLevel", 1, context)?;
    let unit = match element.filled("Unit") {
        Some("S") => 1,
        _ => 60,
    };
    let ramp = Unit::Seconds
        .of(element, "RampUp", context)?
        .saturating_mul(unit);
    let hold = Unit::Seconds
        .of(element, "Hold", context)?
        .saturating_mul(unit);
    if element
        .filled("Steps")
        .is_some_and(|steps| !matches!(steps, "0" | "1"))
    {
        context.note("its steps become an even ramp");
    }
    Ok(LoadPlan {
        connections: u32::try_from(connections).unwrap_or(u32::MAX),
        ramp,
        iterations: None,
        duration: Some(ramp.saturating_add(hold)).filter(|duration| !duration.is_zero()),
    })
}

fn whole(
    element: &Element,
    name: &str,
    otherwise: u64,
    context: &mut Context<'_>,
) -> Result<u64, ImportError> {
    let Some(text) = element.filled(name) else {
        return Ok(otherwise);
    };
    match context.number(text)? {
        Some(number) if number >= 1.0 => Ok(number as u64),
        _ => {
            context.note(format!(
                "`{}` is no number that is known before the run; {otherwise} is taken",
                shorten(text, 60)
            ));
            Ok(otherwise)
        }
    }
}

/// Several groups side by side, as one that ends when the last of them would. Where rounds and
/// durations are mixed, the durations decide.
pub(super) fn merged(plans: &[LoadPlan]) -> Option<LoadPlan> {
    let connections = plans.iter().map(|plan| plan.connections);
    let is_endless = |plan: &LoadPlan| plan.iterations.is_none() && plan.duration.is_none();
    let all_iterations: Option<Vec<u64>> = plans.iter().map(|plan| plan.iterations).collect();
    let all_durations: Option<Vec<Duration>> = plans.iter().map(|plan| plan.duration).collect();
    let duration = match (&all_iterations, all_durations) {
        _ if plans.iter().any(is_endless) => None,
        (_, Some(durations)) => durations.into_iter().max(),
        (Some(_), None) => None,
        (None, None) => plans.iter().filter_map(|plan| plan.duration).max(),
    };
    Some(LoadPlan {
        ramp: plans.iter().map(|plan| plan.ramp).max()?,
        connections: connections.fold(0, u32::saturating_add),
        iterations: all_iterations.map(|all| all.into_iter().fold(0, u64::saturating_add)),
        duration,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn group(connections: u32, iterations: Option<u64>, seconds: Option<u64>) -> LoadPlan {
        LoadPlan {
            connections,
            ramp: Duration::from_secs(u64::from(connections)),
            iterations,
            duration: seconds.map(Duration::from_secs),
        }
    }

    #[test]
    fn groups_side_by_side_add_up() {
        assert_eq!(merged(&[]), None);
        let merged = merged(&[group(2, Some(10), Some(60)), group(3, Some(5), Some(30))]).unwrap();
        assert_eq!(merged.connections, 5);
        assert_eq!(merged.ramp, Duration::from_secs(3));
        assert_eq!(merged.iterations, Some(15));
        assert_eq!(merged.duration, Some(Duration::from_secs(60)));
    }

    #[test]
    fn groups_with_different_ends() {
        let ends = |a, b| {
            let merged = merged(&[a, b]).unwrap();
            (
                merged.iterations,
                merged.duration.map(|duration| duration.as_secs()),
            )
        };
        let (rounds, time) = (group(1, Some(10), None), group(1, None, Some(30)));
        assert_eq!(ends(rounds, time), (None, Some(30)));
        assert_eq!(ends(rounds, rounds), (Some(20), None));
        assert_eq!(ends(time, group(1, None, Some(40))), (None, Some(40)));
        assert_eq!(ends(rounds, group(1, Some(5), Some(30))), (Some(15), None));
        assert_eq!(ends(time, group(1, None, None)), (None, None));
        assert_eq!(ends(rounds, group(1, None, None)), (None, None));
    }
}
