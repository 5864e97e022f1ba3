//! JMeter test plans (.jmx).
//!
//! A thread group becomes a scenario of its samplers in their order. What JMeter does around them
//! is converted where Tacho has an equivalent, and noted where it has none.

mod arguments;
mod assertion;
mod codes;
mod context;
mod element;
mod extractor;
mod feed;
mod function;
mod level;
mod sampler;
mod target;
mod threads;
mod timer;
mod variables;
mod wait;
mod walk;
mod xml;

use crate::error::{self, ImportError};
use crate::imported::{Connection, Imported, LoadPlan};
use context::Context;
use element::{Node, nodes};
use level::Level;
use std::path::Path;
use tacho_workload::{Scenario, Workload};
use walk::{Way, note_unknown, walk};

/// Test plans are written by hand, in a window.
const LARGEST: usize = 16 << 20;
/// Each is a file that is open while the run lasts.
const MOST_FEEDS: usize = 200;
/// How many redirects JMeter follows (`httpsampler.max_redirects`).
const REDIRECTS: u32 = 20;

/// Reads a test plan.
pub(crate) fn read(input: &[u8], base_dir: &Path) -> Result<Imported, ImportError> {
    let root = xml::parse(error::text(input, LARGEST)?)?;
    if root.tag != "jmeterTestPlan" {
        return Err(ImportError::Syntax {
            line: root.line,
            format: "a JMeter test plan",
            problem: format!(
                "it begins with `<{}>`, not with `<jmeterTestPlan>`",
                crate::note::shorten(&root.tag, 60)
            ),
        });
    }
    let roots: Vec<Node<'_>> = root
        .children
        .iter()
        .filter(|child| child.tag == "hashTree")
        .flat_map(nodes)
        .collect();
    let mut context = Context::new(base_dir);
    let mut groups = Vec::new();
    context.look_at_each(&roots, |plan, context| {
        read_plan(plan, &mut groups, context)
    })?;
    finish(groups, context)
}

/// A thread group that was read.
struct Group {
    name: String,
    plan: Option<LoadPlan>,
    way: Way,
}

fn read_plan(
    plan: &Node<'_>,
    groups: &mut Vec<Group>,
    context: &mut Context<'_>,
) -> Result<(), ImportError> {
    if plan.kind() != "TestPlan" {
        note_unknown(plan, context);
        return Ok(());
    }
    if let Some(arguments) = plan.element.inner("TestPlan.user_defined_variables") {
        define(arguments, context)?;
    }
    define_all(&plan.children, context)?;
    read_feeds(&plan.children, false, context)?;
    let level = Level::read(&plan.children, None, context)?;
    context.look_at_each(&plan.children, |node, context| {
        if threads::is_group(node.kind()) {
            groups.extend(read_group(node, &level, context)?);
        } else if !level::is_scoped(node.kind()) {
            note_unknown(node, context);
        }
        Ok(())
    })?;
    if plan.element.is_true("TestPlan.serialize_threadgroups") && groups.len() > 1 {
        context.note("its thread groups run one after another; here their requests are mixed");
    }
    Ok(())
}

fn read_group(
    node: &Node<'_>,
    level: &Level<'_>,
    context: &mut Context<'_>,
) -> Result<Option<Group>, ImportError> {
    if matches!(node.kind(), "SetupThreadGroup" | "PostThreadGroup") {
        context.note("what comes before and after the load is left out; send it by hand");
        return Ok(None);
    }
    read_feeds(&node.children, true, context)?;
    let plan = threads::plan(node, context)?;
    let own = Level::read(&node.children, Some(level), context)?;
    let mut way = Way::default();
    walk(&node.children, &own, &mut way, context)?;
    context.names.leave_group();
    if way.begins_with_wait() {
        context.note(
            "the wait before the first request comes after the last one of each round instead",
        );
    }
    Ok(Some(Group {
        name: crate::note::shorten(node.name(), 200),
        plan,
        way,
    }))
}

/// Data sets of a plan apply to all of its groups. Those inside a group, wherever they stand in it,
/// apply to that group.
fn read_feeds(
    nodes: &[Node<'_>],
    in_group: bool,
    context: &mut Context<'_>,
) -> Result<(), ImportError> {
    context.look_at_each(nodes, |node, context| {
        if node.kind() == "CSVDataSet" {
            if context.feeds.len() == MOST_FEEDS {
                return Err(context.too_much("200 data sets"));
            }
            if let Some(read) = feed::read(node, context)? {
                let names = &mut context.names;
                let columns = if in_group {
                    &mut names.group_columns
                } else {
                    &mut names.columns
                };
                columns.extend(read.variables);
                context.feeds.push(read.feed);
            }
        }
        match in_group {
            true => read_feeds(&node.children, true, context),
            false => Ok(()),
        }
    })
}

fn finish(groups: Vec<Group>, context: Context<'_>) -> Result<Imported, ImportError> {
    let mut notes = context.notes;
    let is_followed = context.following > 0;
    if is_followed && context.not_following > 0 {
        notes.add(
            "the test plan",
            "some requests follow redirects and some do not; here all do",
        );
    }
    if groups.len() > 1 {
        notes.add(
            "the test plan",
            "its thread groups become scenarios of one mix, drawn by their numbers of threads (of rounds, where all are counted); the load is that of all groups together",
        );
    }
    let plans: Vec<LoadPlan> = groups.iter().filter_map(|group| group.plan).collect();
    let all_counted = plans.len() == groups.len()
        && plans
            .iter()
            .all(|plan| plan.iterations.is_some_and(|rounds| rounds > 0));
    let scenarios: Vec<Scenario> = groups
        .into_iter()
        .map(|group| scenario(group, all_counted))
        .filter(|scenario| !scenario.steps.is_empty())
        .collect();
    if scenarios.is_empty() {
        return Err(ImportError::Nothing {
            hint: "an enabled HTTP request in an enabled thread group of the test plan",
        });
    }
    Ok(Imported {
        origin: context.origins.finish()?,
        workload: Workload {
            scenarios,
            feeds: context.feeds,
            cookies: context.keeps_cookies,
            redirects: if is_followed { REDIRECTS } else { 0 },
        },
        plan: threads::merged(&plans),
        connection: Connection {
            connect_timeout: context.timeouts.connect.limit(),
            timeout: context.timeouts.answer.limit(),
            ..context.connection
        },
        notes: notes.finish(),
        ..Imported::default()
    })
}

fn scenario(group: Group, all_counted: bool) -> Scenario {
    let weight = match group.plan {
        Some(plan) if all_counted => plan.iterations.unwrap_or(1) as f64,
        Some(plan) => f64::from(plan.connections),
        None => 1.0,
    };
    Scenario {
        name: group.name,
        weight: weight.max(1.0),
        steps: group.way.finish(),
    }
}

/// User defined variables, in the order of the plan: JMeter takes all of them before it starts,
/// wherever they stand.
fn define_all(nodes: &[Node<'_>], context: &mut Context<'_>) -> Result<(), ImportError> {
    context.look_at_each(nodes, |node, context| {
        if node.kind() == "Arguments" {
            define(node.element, context)?;
        }
        define_all(&node.children, context)
    })
}

fn define(arguments: &xml::Element, context: &mut Context<'_>) -> Result<(), ImportError> {
    for argument in arguments.collection("Arguments.arguments") {
        let Some(name) = argument.filled("Argument.name") else {
            continue;
        };
        let value = context.template(argument.property("Argument.value").unwrap_or_default())?;
        if value.has_placeholders() {
            context.note(format!(
                "the value of `{}` is made anew for each request, not once at the start",
                crate::note::shorten(name, 60)
            ));
        }
        context.names.defined.insert(name.to_owned(), value);
    }
    Ok(())
}

#[cfg(test)]
mod tests;
