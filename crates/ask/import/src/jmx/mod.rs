//! JMeter test plans (.jmx).
//!
//! A thread group becomes a scenario of its samplers in their order; what JMeter does around them
//! is taken over where there is an equal, and noted where there is none.

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
use crate::imported::{Imported, LoadPlan};
use context::Context;
use element::{Node, Place, nodes};
use level::Level;
use std::path::Path;
use tacho_workload::{Feed, Scenario, Workload};
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
    let mut reader = PlanReader {
        context: Context::new(base_dir),
        feeds: Vec::new(),
        groups: Vec::new(),
    };
    for plan in roots.iter().filter(|node| node.is_enabled()) {
        reader.read_plan(plan)?;
    }
    reader.finish()
}

/// A thread group that was read.
struct Group {
    name: String,
    plan: Option<LoadPlan>,
    way: Way,
}

struct PlanReader<'a> {
    context: Context<'a>,
    feeds: Vec<Feed>,
    groups: Vec<Group>,
}

impl PlanReader<'_> {
    fn read_plan(&mut self, plan: &Node<'_>) -> Result<(), ImportError> {
        let place = Place::root(plan.name());
        let context = &mut self.context;
        if plan.kind() != "TestPlan" {
            note_unknown(plan, &place, context);
            return Ok(());
        }
        if let Some(arguments) = plan.element.inner("TestPlan.user_defined_variables") {
            define(arguments, &place, context)?;
        }
        define_all(&plan.children, &place, context)?;
        self.read_feeds(&plan.children, &place, false)?;
        let level = Level::read(&plan.children, None, &place, &mut self.context)?;
        for node in plan.children.iter().filter(|node| node.is_enabled()) {
            let place = place.below(node.name());
            if threads::is_group(node.kind()) {
                self.read_group(node, &level, &place)?;
            } else if !level::is_scoped(node.kind()) {
                note_unknown(node, &place, &mut self.context);
            }
        }
        if plan.element.is_true("TestPlan.serialize_threadgroups") && self.groups.len() > 1 {
            self.context.note(
                &place,
                "its thread groups run one after another; here their requests are mixed",
            );
        }
        Ok(())
    }

    fn read_group(
        &mut self,
        node: &Node<'_>,
        level: &Level<'_>,
        place: &Place<'_>,
    ) -> Result<(), ImportError> {
        if matches!(node.kind(), "SetupThreadGroup" | "PostThreadGroup") {
            self.context.note(
                place,
                "what comes before and after the load is left out; send it by hand",
            );
            return Ok(());
        }
        self.read_feeds(&node.children, place, true)?;
        let plan = threads::plan(node, place, &mut self.context)?;
        let own = Level::read(&node.children, Some(level), place, &mut self.context)?;
        let mut way = Way::default();
        walk(&node.children, &own, place, &mut way, &mut self.context)?;
        self.context.names.leave_group();
        if way.begins_with_wait() {
            self.context.note(
                place,
                "the wait before the first request comes after the last one of each round instead",
            );
        }
        self.groups.push(Group {
            name: crate::note::shorten(node.name(), 200),
            plan,
            way,
        });
        Ok(())
    }

    /// Data sets of a plan apply to all of its groups; those of a group, wherever they stand in it,
    /// to the group.
    fn read_feeds(
        &mut self,
        nodes: &[Node<'_>],
        place: &Place<'_>,
        in_group: bool,
    ) -> Result<(), ImportError> {
        for node in nodes.iter().filter(|node| node.is_enabled()) {
            let place = place.below(node.name());
            if node.kind() == "CSVDataSet" {
                if self.feeds.len() == MOST_FEEDS {
                    return Err(ImportError::TooMuch {
                        place: place.to_string(),
                        limit: "200 data sets",
                    });
                }
                let read = feed::read(node, &self.feeds, &place, &mut self.context)?;
                if let Some(read) = read {
                    let names = &mut self.context.names;
                    let columns = if in_group {
                        &mut names.group_columns
                    } else {
                        &mut names.columns
                    };
                    columns.extend(read.variables);
                    self.feeds.push(read.feed);
                }
            }
            if in_group {
                self.read_feeds(&node.children, &place, true)?;
            }
        }
        Ok(())
    }

    fn finish(mut self) -> Result<Imported, ImportError> {
        let context = &mut self.context;
        if context.following > 0 && context.not_following > 0 {
            context.notes.add(
                "the test plan",
                "some requests follow redirects and some do not; here all do",
            );
        }
        let plans: Vec<LoadPlan> = self.groups.iter().filter_map(|group| group.plan).collect();
        if self.groups.len() > 1 {
            context.notes.add(
                "the test plan",
                "its thread groups become scenarios of one mix, drawn by their numbers of threads (of rounds, where all are counted); the load is that of all groups together",
            );
        }
        let all_counted = plans.len() == self.groups.len()
            && plans
                .iter()
                .all(|plan| plan.iterations.is_some_and(|rounds| rounds > 0));
        let is_followed = context.following > 0;
        let scenarios: Vec<Scenario> = self
            .groups
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
            origin: self.context.origins.finish()?,
            workload: Workload {
                scenarios,
                feeds: self.feeds,
                cookies: self.context.keeps_cookies,
                redirects: if is_followed { REDIRECTS } else { 0 },
            },
            plan: threads::merged(&plans),
            connection: self.context.connection,
            notes: self.context.notes.finish(),
        })
    }
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
fn define_all(
    nodes: &[Node<'_>],
    place: &Place<'_>,
    context: &mut Context<'_>,
) -> Result<(), ImportError> {
    for node in nodes.iter().filter(|node| node.is_enabled()) {
        let place = place.below(node.name());
        if node.kind() == "Arguments" {
            define(node.element, &place, context)?;
        }
        define_all(&node.children, &place, context)?;
    }
    Ok(())
}

fn define(
    arguments: &xml::Element,
    place: &Place<'_>,
    context: &mut Context<'_>,
) -> Result<(), ImportError> {
    for argument in arguments.collection("Arguments.arguments") {
        let Some(name) = argument.filled("Argument.name") else {
            continue;
        };
        let value = context.template(
            argument.property("Argument.value").unwrap_or_default(),
            place,
        )?;
        if value.has_placeholders() {
            context.note(
                place,
                format!(
                    "the value of `{}` is made anew for each request, not once at the start",
                    crate::note::shorten(name, 60)
                ),
            );
        }
        context.names.defined.insert(name.to_owned(), value);
    }
    Ok(())
}

#[cfg(test)]
mod tests;
