//! The experiment file: from text to an [`Experiment`], or to problems with line and column.

mod calls;
mod companions;
mod given;
mod messages;
mod phases;
mod requests;
mod subject;
mod warm_up;

pub use tacho_fields::{FileError, Place, Problem};

use crate::model::{Diagnose, Experiment, GcLog, Limits, PhasePlan};
use crate::sweep::{expand, floored};
use crate::{Launches, defaults, limits};
use std::path::{Path, PathBuf};
use tacho_fields::{Fields, Problems, hint};
use tacho_fields::{Node, Value};
use tacho_quantity::{Bytes, Cpus, Share};

/// Version of the format that this Tacho reads.
pub const VERSION: &str = "1";

/// The most `connections` that a file may ask for under `diagnose`.
const MOST_CONNECTIONS: u32 = 10_000;

/// The error for a Kubernetes manifest, which users of a cluster often give by mistake.
const MANIFEST: &str = "this is a manifest of Kubernetes and no experiment: name what is shipped (an artifact such as app.jar), or, for `tacho rollout`, the Deployment that runs, by its name; `tacho init app.jar` writes an experiment";

/// What to do about an empty file, by what it ought to hold.
const NO_EXPERIMENT: &str = "`tacho init app.jar` writes an experiment to begin with";
const NO_PHASES: &str =
    "a file of phases holds `phases:`, for example `phases: [{closed: {duration: 10s}}]`";

fn is_manifest(text: &str) -> bool {
    let has = |key: &str| text.lines().any(|line| line.starts_with(key));
    has("apiVersion:") && has("kind:") && !has("tacho:")
}

/// A file as it was read. Secrets in it are masked from then on, because an error may echo them.
pub struct Text {
    /// Path of the file.
    pub path: PathBuf,
    /// What it says.
    pub text: String,
    /// Relative paths in it count from this folder.
    pub folder: PathBuf,
}

impl Text {
    /// Reads a file of at most the size that an experiment may have.
    pub fn read(path: &Path) -> Result<Self, FileError> {
        let (text, folder) = tacho_fields::read(path)?;
        tacho_masking::teach(|masking| masking.learn_yaml(&text));
        Ok(Self {
            path: path.to_owned(),
            text,
            folder,
        })
    }

    /// As an experiment.
    pub fn experiment(&self) -> Result<Experiment, FileError> {
        parse(&self.text, &self.folder).map_err(|problems| self.problems(problems))
    }

    /// As phases and nothing else: `phases:` with a list, as in an experiment. `seed` is that of
    /// random arrivals.
    pub fn phases(&self, seed: u64) -> Result<Vec<PhasePlan>, FileError> {
        parse_phases(&self.text, &self.folder, seed).map_err(|problems| self.problems(problems))
    }

    fn problems(&self, problems: Vec<Problem>) -> FileError {
        FileError::Problems {
            path: self.path.clone(),
            problems,
        }
    }
}

/// Reads the text of a file that holds nothing but phases. For `fuzz/`, too.
#[doc(hidden)]
pub fn parse_phases(text: &str, folder: &Path, seed: u64) -> Result<Vec<PhasePlan>, Vec<Problem>> {
    let root = tacho_fields::parse(text, NO_PHASES).map_err(|problem| vec![problem])?;
    let problems = Problems::default();
    let mut phases = Vec::new();
    if let Some(mut fields) = Fields::of(root, "a file of phases", &problems) {
        let place = fields.place;
        match fields.take("phases") {
            Some(node) => {
                let surroundings = phases::Surroundings { folder, seed };
                phases = phases::read(node, &surroundings, &problems);
            }
            None => problems.add(
                place,
                "a file of phases needs `phases:`, for example `phases: [{closed: {duration: 10s}}]`",
            ),
        }
        fields.finish();
    }
    match problems.into_sorted() {
        problems if problems.is_empty() => Ok(phases),
        problems => Err(problems),
    }
}

/// Reads the text of an experiment whose relative paths count from `folder`.
pub fn parse(text: &str, folder: &Path) -> Result<Experiment, Vec<Problem>> {
    // Checked before parsing: such a file often holds several documents.
    if is_manifest(text) {
        return Err(vec![Problem {
            place: Place { line: 1, column: 1 },
            message: MANIFEST.to_owned(),
        }]);
    }
    let root = tacho_fields::parse(text, NO_EXPERIMENT).map_err(|problem| vec![problem])?;
    let problems = Problems::default();
    let experiment = read_root(root, folder, &problems);
    let problems = problems.into_sorted();
    match experiment {
        Some(experiment) if problems.is_empty() => Ok(experiment),
        _ => Err(problems),
    }
}

fn read_root(root: Node, folder: &Path, problems: &Problems) -> Option<Experiment> {
    let mut fields = Fields::of(root, "the experiment", problems)?;

    read_version(&mut fields);
    let name = fields.text("name").map_or_else(
        || defaults::name(folder),
        |name| checked_name("name", name, problems),
    );
    let subject = fields
        .take("subject")
        .map(|node| subject::read(node, folder, problems))
        .unwrap_or_default();
    let companions = fields
        .take("companions")
        .map(|node| companions::read(node, folder, subject.port, problems))
        .unwrap_or_default();
    let variants_place = fields.place;
    let variants = match fields.take("variants") {
        Some(node) => subject::read_variants(node, folder, problems),
        None => {
            problems.add(
                variants_place,
                "the experiment needs `variants`, for example `variants: [jar, extracted, cds]`",
            );
            Vec::new()
        }
    };
    let sweep = fields.take("warm-up").and_then(|node| {
        let place = node.place;
        Some((place, warm_up::read_section(node, problems)?))
    });
    let (variants, warm_up) = match sweep {
        Some((place, (recipes, sweep))) => {
            let variants = expand(variants, &recipes);
            warm_up::names_differ(&variants, place, problems);
            (variants, Some(sweep))
        }
        None => (variants.into_iter().map(floored).collect(), None),
    };
    let pods = fields.count("pods");
    let baseline = read_baseline(&mut fields, &variants);
    let limits = fields
        .take("limits")
        .map_or_else(|| vec![limits::none()], |node| read_limits(node, problems));
    let requests = fields
        .take("requests")
        .map(|node| requests::read(node, folder, problems));
    let seed = read_seed(&mut fields).unwrap_or_else(defaults::seed);
    let phases = fields.take("phases").map_or_else(defaults::phases, |node| {
        phases::read(node, &phases::Surroundings { folder, seed }, problems)
    });
    let launches = read_launches(&mut fields);
    let rest = fields.duration("rest");
    let threshold = fields.quantity::<Share>("threshold");
    let duet = read_duet(&mut fields);
    let request_timeout = fields.duration("request-timeout");
    let gc_log = read_gc_log(&mut fields);
    let (diagnose, connections) = read_diagnose(&mut fields);
    let checks = fields.texts("checks");
    let mask = fields.texts("mask");
    let artifactless = subject.artifact.is_none();
    for variant in &variants {
        subject::needs_artifact(variant, artifactless, fields.place, problems);
    }
    fields.finish();
    Some(Experiment {
        name,
        subject,
        variants,
        baseline,
        aa: None,
        duet: duet.unwrap_or(false),
        limits,
        requests,
        pods: pods.unwrap_or(1),
        warm_up,
        phases,
        launches: launches.unwrap_or(match warm_up {
            // Here warm-ups are compared, not what the advice is about, so the number of launches
            // is fixed.
            Some(_) => Launches::DEFAULT.fixed(),
            None => Launches::DEFAULT,
        }),
        seed,
        rest: rest.unwrap_or(defaults::REST),
        threshold: threshold.map_or(defaults::THRESHOLD, |f| f.0),
        request_timeout: request_timeout.unwrap_or(defaults::REQUEST_TIMEOUT),
        gc_log,
        diagnose,
        connections,
        checks,
        mask,
        companions,
        running_companions: Vec::new(),
    })
}

fn read_duet(fields: &mut Fields<'_>) -> Option<bool> {
    fields.one_of("duet", "`true` or `false`", |word| word.parse().ok())
}

fn read_launches(fields: &mut Fields<'_>) -> Option<Launches> {
    let (place, word) = fields.text("launches")?;
    let read = word.parse();
    if let Err(expected) = read {
        let problem = format!("`launches` {expected}, not `{word}`");
        fields.problems.add(place, problem);
    }
    read.ok()
}

fn read_version(fields: &mut Fields<'_>) {
    let place = fields.place;
    match fields.text("tacho") {
        Some((_, version)) if version == VERSION => {}
        Some((place, version)) => fields.problems.add(
            place,
            format!("this Tacho reads `tacho: {VERSION}`, the file says `{version}`; use a Tacho that fits"),
        ),
        None => fields.problems.add(
            place,
            format!("the experiment needs its format: begin it with `tacho: {VERSION}`"),
        ),
    }
}

fn read_gc_log(fields: &mut Fields<'_>) -> GcLog {
    let expected = "`jvm` (every JVM logs its collections), `on` (native images, too) or `off`";
    let read = fields.one_of("gc-log", expected, |word| match word {
        "jvm" => Some(GcLog::Jvm),
        "on" | "true" => Some(GcLog::All),
        "off" | "false" => Some(GcLog::Off),
        _ => None,
    });
    read.unwrap_or_default()
}

/// A word, or a mapping with what `tacho diagnose` is told as well.
fn read_diagnose(fields: &mut Fields<'_>) -> (Diagnose, Option<u32>) {
    let expected = "`memory` (one more launch of each JVM says where its memory is, and counts in no figure) or `off`, or a mapping such as `{memory: true, connections: 8}`";
    let Some(node) = fields.take("diagnose") else {
        return (Diagnose::default(), None);
    };
    let (place, found) = (node.place, node.description());
    if let Value::Text(word) = &node.value {
        let read = Diagnose::parse(word);
        if read.is_none() {
            let problem = format!("`diagnose` must be {expected}, not `{word}`");
            fields.problems.add(place, problem);
        }
        return (read.unwrap_or_default(), None);
    }
    if !matches!(node.value, Value::Map(_)) {
        let problem = format!("`diagnose` must be {expected}, not {found}");
        fields.problems.add(place, problem);
        return (Diagnose::default(), None);
    }
    let Some(mut of) = Fields::of(node, "`diagnose`", fields.problems) else {
        return (Diagnose::default(), None);
    };
    let memory = of.one_of("memory", "`true` or `false`", |word| word.parse().ok());
    let connections = of.count("connections");
    if connections.is_some_and(|connections| connections == 0 || connections > MOST_CONNECTIONS) {
        let problem = format!("`connections` must be between 1 and {MOST_CONNECTIONS}");
        of.problems.add(place, problem);
    }
    of.finish();
    let diagnose = match memory.unwrap_or(false) {
        true => Diagnose::Memory,
        false => Diagnose::Off,
    };
    (diagnose, connections)
}

fn read_seed(fields: &mut Fields<'_>) -> Option<u64> {
    fields.one_of("seed", "a whole number", |text| text.parse().ok())
}

fn read_baseline(fields: &mut Fields<'_>, variants: &[crate::VariantSpec]) -> String {
    let first = variants.first().map(|v| v.name.clone()).unwrap_or_default();
    let Some((place, name)) = fields.text("baseline") else {
        return first;
    };
    let names: Vec<&str> = variants.iter().map(|v| v.name.as_str()).collect();
    if !names.contains(&name.as_str()) {
        let hint = hint(&name, "variants are", &names);
        fields.problems.add(
            place,
            format!("`baseline` names no variant: `{name}`; {hint}"),
        );
    }
    name
}

/// Reads one mapping, or a list of them. Each set of limits makes a column of cells.
fn read_limits(node: Node, problems: &Problems) -> Vec<Limits> {
    let nodes = node.into_list().unwrap_or_else(|node| vec![node]);
    let mut all: Vec<Limits> = Vec::new();
    for node in nodes {
        let Some(mut fields) = Fields::of(node, "limits", problems) else {
            continue;
        };
        let place = fields.place;
        let cpu = fields.quantity::<Cpus>("cpu").map(|c| c.0);
        let memory = fields.quantity::<Bytes>("memory").map(|b| b.0);
        let name = fields.text("name");
        fields.finish();
        let name = name.map_or_else(
            || limits::name(cpu, memory),
            |name| checked_name("name", name, problems),
        );
        if all.iter().any(|l| l.name == name) {
            problems.add(
                place,
                format!("the limits `{name}` stand here a second time"),
            );
        }
        all.push(Limits {
            name,
            cpu,
            memory_bytes: memory,
        });
    }
    if all.is_empty() {
        all.push(limits::none());
    }
    all
}

/// Names become parts of file names.
pub(crate) fn is_name(name: &str) -> bool {
    !name.is_empty()
        && name.len() <= 60
        && !name.starts_with('.')
        && name
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.'))
}

fn checked_name(key: &str, (place, name): (Place, String), problems: &Problems) -> String {
    if !is_name(&name) {
        problems.add(
            place,
            format!(
                "`{key}` may hold letters, digits, `-`, `_` and `.`, at most 60 of them; not `{name}`"
            ),
        );
    }
    name
}

#[cfg(test)]
mod tests;
