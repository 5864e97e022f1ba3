//! Walks through a thread group: samplers in their order, and controllers as far as Tacho has an
//! equivalent.

use super::context::Context;
use super::element::Node;
use super::level::{self, Level};
use super::timer::Unit;
use super::wait::{self, Wait};
use super::{sampler, threads};
use crate::error::ImportError;
use tacho_workload::Step;

/// The steps of a thread group in the making.
#[derive(Debug, Default)]
pub(super) struct Way {
    /// Each with the wait before it.
    steps: Vec<(Wait, Step)>,
    /// A pause that goes before the next step.
    pause: Wait,
}

impl Way {
    /// The steps, each with the wait after it.
    pub fn finish(mut self) -> Vec<Step> {
        if let Some((first, _)) = self.steps.first_mut() {
            *first = first.plus(self.pause);
        }
        let waits: Vec<Wait> = self.steps.iter().map(|(wait, _)| *wait).collect();
        let thinks = wait::after(&waits);
        let steps = self.steps.into_iter().map(|(_, step)| step);
        steps
            .zip(thinks)
            .map(|(step, think)| Step { think, ..step })
            .collect()
    }

    /// Whether a wait goes before the first step.
    pub fn begins_with_wait(&self) -> bool {
        self.steps.first().is_some_and(|(wait, _)| !wait.is_none())
    }
}

/// Takes what stands in one `hashTree`, one after another.
pub(super) fn walk<'a>(
    nodes: &'a [Node<'a>],
    level: &'a Level<'a>,
    way: &mut Way,
    context: &mut Context<'_>,
) -> Result<(), ImportError> {
    context.look_at_each(nodes, |node, context| take(node, level, way, context))
}

fn take<'a>(
    node: &'a Node<'a>,
    level: &'a Level<'a>,
    way: &mut Way,
    context: &mut Context<'_>,
) -> Result<(), ImportError> {
    let kind = node.kind();
    if level::is_scoped(kind) {
        return Ok(());
    }
    let below = |context: &mut Context<'_>| Level::read(&node.children, Some(level), context);
    match kind {
        "HTTPSamplerProxy" | "HTTPSampler" | "HTTPSampler2" => {
            let own = below(context)?;
            note_unknown_children(node, context);
            return take_sampler(node, &own, way, context);
        }
        "TestAction" => return take_pause(node, &below(context)?, way, context),
        "LoopController" => {
            let mut round = Way::default();
            walk(&node.children, &below(context)?, &mut round, context)?;
            return repeat(node, round, way, context);
        }
        "GenericController" | "RecordingController" => {}
        "TransactionController" => {
            context.note("its requests are counted each, not as one transaction");
        }
        // These only run where another element refers to them, or are in another file.
        "TestFragmentController" | "ModuleController" | "IncludeController" => {
            let text = "has no equal; it and what stands below it are left out";
            context.note(format!("`{kind}` {text}"));
            return Ok(());
        }
        _ if node.children.iter().any(leads_to_sampler) => {
            let text = "has no equal; what stands below it is sent each time, in its order";
            context.note(format!("`{kind}` {text}"));
        }
        _ => {
            note_unknown(node, context);
            return Ok(());
        }
    }
    walk(&node.children, &below(context)?, way, context)
}

fn leads_to_sampler(node: &Node<'_>) -> bool {
    let is_sampler = node.kind().starts_with("HTTPSampler");
    node.is_enabled() && (is_sampler || node.children.iter().any(leads_to_sampler))
}

fn take_sampler(
    node: &Node<'_>,
    level: &Level<'_>,
    way: &mut Way,
    context: &mut Context<'_>,
) -> Result<(), ImportError> {
    let wait = level.wait(context).plus(std::mem::take(&mut way.pause));
    let Some(mut step) = sampler::read(node, level, context)? else {
        return Ok(());
    };
    for extracted in level.extracted() {
        step.captures.push(extracted.capture.clone());
        let name = extracted.capture.name.clone();
        context
            .names
            .captured
            .insert(extracted.variable.clone(), name);
    }
    context.allowance.take_step(&step, &context.place)?;
    way.steps.push((wait, step));
    Ok(())
}

/// "Flow Control Action": a pause, or a stop of some kind.
fn take_pause(
    node: &Node<'_>,
    level: &Level<'_>,
    way: &mut Way,
    context: &mut Context<'_>,
) -> Result<(), ImportError> {
    let element = node.element;
    way.pause = way.pause.plus(level.wait(context));
    if element.filled("ActionProcessor.action").unwrap_or("1") == "1" {
        let pause = Unit::Milliseconds.of(element, "ActionProcessor.duration", context)?;
        way.pause = way.pause.plus(Wait::constant(pause));
    } else {
        context.note("only its pause is carried out, no stop and no jump");
    }
    Ok(())
}

fn repeat(
    node: &Node<'_>,
    round: Way,
    way: &mut Way,
    context: &mut Context<'_>,
) -> Result<(), ImportError> {
    if round.steps.is_empty() {
        return Ok(());
    }
    let rounds = match threads::rounds(node.element, context)? {
        Some(rounds) => rounds,
        None => {
            context.note("a loop without end is gone through once");
            1
        }
    };
    for _ in 0..rounds {
        for (wait, step) in &round.steps {
            context.allowance.take_step(step, &context.place)?;
            let wait = wait.plus(std::mem::take(&mut way.pause));
            way.steps.push((wait, step.clone()));
        }
        way.pause = way.pause.plus(round.pause);
    }
    Ok(())
}

fn note_unknown_children(node: &Node<'_>, context: &mut Context<'_>) {
    let children = node.children.iter().filter(|child| child.is_enabled());
    for child in children.filter(|child| !level::is_scoped(child.kind())) {
        context.look_at(child, note_unknown);
    }
}

/// Says of an element that it is left out, and why.
pub(super) fn note_unknown(node: &Node<'_>, context: &mut Context<'_>) {
    let kind = node.kind();
    let is_script = ["BeanShell", "JSR223", "BSF"]
        .iter()
        .any(|script| kind.starts_with(script));
    let is_listener = [
        "Collector",
        "Visualizer",
        "Listener",
        "Summariser",
        "ResultSaver",
    ]
    .iter()
    .any(|listener| kind.ends_with(listener));
    let why = match kind {
        _ if is_script => "scripts are not run",
        _ if is_listener => "Tacho writes its own results",
        "AuthManager" => "give the header `Authorization` in a header manager",
        "CacheManager" => "every request is sent, nothing is cached",
        "ConstantThroughputTimer" | "PreciseThroughputTimer" | "VariableThroughputTimer" => {
            "give the load with --rate"
        }
        "SyncTimer" => "give a burst as a phase of its own",
        "DurationAssertion" => "give an objective such as p99<50ms instead",
        _ => "it has no equal",
    };
    context.note(format!("the {kind} is left out: {why}"));
    for child in node.children.iter().filter(|child| child.is_enabled()) {
        context.look_at(child, note_unknown);
    }
}
