//! From the description of a workload to what the generator runs. Everything that can be wrong is
//! found here, before the clock starts.

use super::error::{At, WorkloadError};
use super::names::Names;
use super::step::Step;
use super::step_compiler::StepCompiler;
use super::{Kind, Scenario, ScenarioIndex, Script};
use crate::answer::Keep;
use crate::chance::{Seed, WeightedChoice, WrongWeight};
use crate::feed::{Feed, FeedError, Opened};
use crate::origin::Origin;
use crate::redirect::Base;
use crate::spec::{self, Workload};
use std::path::Path;

pub(super) fn compile(
    workload: &Workload,
    base_dir: &Path,
    origin: &Origin,
    seed: u64,
) -> Result<Script, WorkloadError> {
    if workload.scenarios.is_empty() {
        return Err(WorkloadError::Nothing);
    }
    let base = Base::new(origin).map_err(|reason| WorkloadError::Origin {
        origin: origin.to_string(),
        reason,
    })?;
    let choice = choice(&workload.scenarios, seed)?;
    let mut feeds = open(&workload.feeds, base_dir)?;
    let mut scenarios = Vec::with_capacity(workload.scenarios.len());
    let mut steps = Vec::new();
    for spec in &workload.scenarios {
        let first = steps.len() as u32;
        let mut names = Names::new(&mut feeds, &spec.steps);
        compile_steps(spec, base_dir, &mut names, &mut steps)?;
        scenarios.push(Scenario {
            kinds: first..steps.len() as u32,
            feeds: names.used(),
            slots: names.slots(),
        });
    }
    for feed in &mut feeds {
        feed.survey()?;
    }
    let seed = Seed::new(seed);
    let feeds = (0..)
        .zip(feeds)
        .map(|(index, feed)| Feed::new(feed, index, seed));
    let at_least = match workload.cookies || workload.redirects > 0 {
        true => Keep::Head,
        false => Keep::Nothing,
    };
    let script = Script {
        kinds: kinds(&workload.scenarios),
        // A jar of cookies changes what is sent.
        fixed: steps
            .iter()
            .map(|step| step.as_fixed().filter(|_| !workload.cookies))
            .collect(),
        keep: steps
            .iter()
            .map(|step| step.needs().max(at_least))
            .collect(),
        steps: steps.into(),
        scenarios: scenarios.into(),
        choice,
        feeds: feeds.collect(),
        base,
        seed,
        cookies: workload.cookies,
        redirects: workload.redirects,
    };
    script.start_phase(0)?;
    Ok(script)
}

fn choice(scenarios: &[spec::Scenario], seed: u64) -> Result<WeightedChoice, WorkloadError> {
    let weights: Vec<f64> = scenarios.iter().map(|scenario| scenario.weight).collect();
    WeightedChoice::new(&weights, seed).map_err(|WrongWeight(place)| WorkloadError::Weight {
        scenario: scenarios[place].name.clone(),
        weight: weights[place],
    })
}

fn open(feeds: &[spec::Feed], base_dir: &Path) -> Result<Vec<Opened>, FeedError> {
    let mut opened: Vec<Opened> = Vec::with_capacity(feeds.len());
    for feed in feeds {
        if opened.iter().any(|other| other.name == feed.name) {
            return Err(FeedError::Twice {
                name: feed.name.clone(),
            });
        }
        opened.push(Opened::new(feed, base_dir)?);
    }
    Ok(opened)
}

/// Each step under a name of its own: that of the step, that of scenario and step where two steps
/// have the same, numbered where that is not enough either.
fn kinds(scenarios: &[spec::Scenario]) -> Box<[Kind]> {
    let mut kinds: Vec<Kind> = Vec::new();
    for (index, scenario) in (0..).map(ScenarioIndex).zip(scenarios) {
        for (step, spec) in (0..).zip(&scenario.steps) {
            let name = name_of(spec);
            let is_shared =
                |other: &spec::Step| !std::ptr::eq(other, spec) && name_of(other) == name;
            let name = match scenarios.iter().flat_map(|s| &s.steps).any(is_shared) {
                true if scenario.name != name => format!("{}: {name}", scenario.name),
                _ => name,
            };
            let is_taken = |name: &str| kinds.iter().any(|kind| kind.name == name);
            let numbered = (2..).map(|n: u32| format!("{name} #{n}"));
            let name = std::iter::once(name.clone())
                .chain(numbered)
                .find(|name| !is_taken(name))
                .unwrap_or(name);
            kinds.push(Kind {
                scenario: index,
                step,
                name,
            });
        }
    }
    kinds.into()
}

/// A step without a name is named by what it sends.
pub(super) fn name_of(step: &spec::Step) -> String {
    match step.name.as_str() {
        "" => format!("{} {}", step.method, step.path),
        name => name.to_owned(),
    }
}

fn compile_steps(
    scenario: &spec::Scenario,
    base_dir: &Path,
    names: &mut Names<'_>,
    steps: &mut Vec<Step>,
) -> Result<(), WorkloadError> {
    if scenario.steps.is_empty() {
        return Err(WorkloadError::NoSteps {
            scenario: scenario.name.clone(),
        });
    }
    for (index, spec) in scenario.steps.iter().enumerate() {
        let compiler = StepCompiler {
            spec,
            at: At {
                scenario: scenario.name.clone(),
                step: name_of(spec),
            },
            index,
            base_dir,
            names,
        };
        steps.push(compiler.compile()?);
    }
    Ok(())
}
