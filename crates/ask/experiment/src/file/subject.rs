//! The subject and the variants.

use super::checked_name;
use crate::kind::VariantKind;
use crate::model::{OnlyIf, ReadyCondition, ReadySpec, SubjectSpec, Training, VariantSpec};
use std::path::{Path, PathBuf};
use tacho_fields::Place;
use tacho_fields::{Fields, Problems, hint, items};
use tacho_fields::{Node, Value};

pub(super) fn read(node: Node, folder: &Path, problems: &Problems) -> SubjectSpec {
    let Some(mut fields) = Fields::of(node, "the subject", problems) else {
        return SubjectSpec::default();
    };
    let mut subject = read_fields(&mut fields, folder);
    subject.own = read_own(&mut fields);
    fields.finish();
    subject
}

/// The fields that a subject and a variant have in common.
fn read_fields(fields: &mut Fields<'_>, folder: &Path) -> SubjectSpec {
    SubjectSpec {
        artifact: path(fields, "artifact", folder),
        build: fields.text("build").map(|(_, line)| shell(line)),
        port: read_port(fields),
        ready: read_ready(fields, ReadyCondition::Auto),
        arguments: fields.texts("arguments"),
        jvm_flags: fields.texts("jvm-flags"),
        environment: fields.words("environment"),
        jdk: fields.text("jdk").map(|(_, jdk)| placed(jdk, folder)),
        directory: path(fields, "directory", folder),
        own: Vec::new(),
    }
}

fn read_own(fields: &mut Fields<'_>) -> Vec<String> {
    let place = fields.place;
    let packages = fields.texts("own");
    let is_letter = |c: char| c.is_alphanumeric() || "_$.*".contains(c);
    for package in &packages {
        if !package.chars().all(is_letter) {
            let problem = format!("`own` must be packages, such as `com.acme`, not `{package}`");
            fields.problems.add(place, problem);
        }
    }
    packages
}

/// A build is a line for the shell, as in a Makefile.
fn shell(line: String) -> Vec<String> {
    vec!["sh".to_owned(), "-c".to_owned(), line]
}

pub(super) fn path(fields: &mut Fields<'_>, key: &'static str, folder: &Path) -> Option<PathBuf> {
    let (_, text) = fields.text(key)?;
    Some(folder.join(text))
}

/// A JDK by its path counts from the experiment's folder, as all paths do; a release is none.
fn placed(jdk: String, folder: &Path) -> String {
    match jdk.contains('/') {
        true => folder.join(jdk).display().to_string(),
        false => jdk,
    }
}

pub(super) fn read_port(fields: &mut Fields<'_>) -> Option<u16> {
    let (place, text) = fields.text("port")?;
    match text.parse::<u16>() {
        Ok(port) if port > 0 => Some(port),
        _ => {
            fields.problems.add(
                place,
                format!("`port` must be between 1 and 65535, not `{text}`; leave it out and Tacho finds it"),
            );
            None
        }
    }
}

/// `otherwise` is the condition where none is named.
pub(super) fn read_ready(fields: &mut Fields<'_>, otherwise: ReadyCondition) -> ReadySpec {
    let default = ReadySpec {
        condition: otherwise,
        ..ReadySpec::default()
    };
    let Some(node) = fields.take("ready") else {
        return default;
    };
    let Some(mut ready) = Fields::of(node, "`ready`", fields.problems) else {
        return default;
    };
    let place = ready.place;
    let mut conditions = Vec::new();
    if let Some((place, path)) = ready.text("http") {
        if !path.starts_with('/') {
            ready.problems.add(
                place,
                format!("`http` must be a path that begins with `/`, not `{path}`"),
            );
        }
        conditions.push(ReadyCondition::Http(path));
    }
    if let Some((place, pattern)) = ready.text("log") {
        if let Err(error) = regex::Regex::new(&pattern) {
            ready
                .problems
                .add(place, format!("`log` is no regular expression: {error}"));
        }
        conditions.push(ReadyCondition::Log(pattern));
    }
    if let Some((place, value)) = ready.text("port") {
        if value != "true" {
            ready.problems.add(
                place,
                format!("`port` must be `true` here (ready when it accepts a connection), not `{value}`; the number stands in `port` beside `ready`"),
            );
        }
        conditions.push(ReadyCondition::Port);
    }
    let timeout = ready.duration("timeout");
    if conditions.len() > 1 {
        ready
            .problems
            .add(place, "`ready` takes one of `http`, `log` and `port`");
    }
    ready.finish();
    ReadySpec {
        condition: conditions.into_iter().next().unwrap_or(default.condition),
        timeout: timeout.unwrap_or(default.timeout),
    }
}

pub(super) fn read_variants(node: Node, folder: &Path, problems: &Problems) -> Vec<VariantSpec> {
    let place = node.place;
    let Some(items) = items(node, "variants", "[jar, extracted, cds]", problems) else {
        return Vec::new();
    };
    if items.is_empty() {
        problems.add(
            place,
            "`variants` is empty; name at least one, for example `[jar]`",
        );
    }
    let mut variants: Vec<VariantSpec> = Vec::new();
    for item in items {
        let place = item.place;
        let Some(variant) = read_variant(item, folder, problems) else {
            continue;
        };
        if variants.iter().any(|v| v.name == variant.name) {
            problems.add(
                place,
                format!(
                    "a second variant has the name `{}`; give it a `name` of its own",
                    variant.name
                ),
            );
        }
        variants.push(variant);
    }
    variants
}

/// `jar`, or a mapping with `kind` and whatever differs.
fn read_variant(node: Node, folder: &Path, problems: &Problems) -> Option<VariantSpec> {
    if let Value::Text(word) = &node.value {
        let kind = read_kind(word, node.place, problems)?;
        return Some(VariantSpec::of(kind));
    }
    let mut fields = Fields::of(node, "a variant", problems)?;
    let place = fields.place;
    let name = fields.text("name");
    let kind = match fields.text("kind") {
        Some((place, word)) => read_kind(&word, place, problems),
        // `{name: jar}` and `- name: cds` are clear enough without a kind.
        None => match &name {
            Some((_, name)) if VariantKind::named(name).is_some() => VariantKind::named(name),
            _ => {
                problems.add(
                    place,
                    format!(
                        "a variant needs its `kind`: {}",
                        VariantKind::names().join(", ")
                    ),
                );
                None
            }
        },
    };
    let command = read_command(&mut fields);
    let only_if = read_only_if(&mut fields);
    let warm_up = fields
        .take("warm-up")
        .and_then(|node| super::warm_up::read_own(node, problems));
    let (warm_up, of_warm_up) = warm_up.unzip();
    let training = read_training(&mut fields, kind);
    let own_ready = fields.has("ready");
    let overrides = read_fields(&mut fields, folder);
    fields.finish();
    let kind = kind?;
    let name = name.map_or_else(
        || kind.name().to_owned(),
        |name| checked_name("name", name, problems),
    );
    let name = match of_warm_up.flatten() {
        Some(suffix) => format!("{name}-{suffix}"),
        None => name,
    };
    if kind == VariantKind::Exec && command.is_empty() && overrides.artifact.is_none() {
        problems.add(
            place,
            "an `exec` variant needs its `command`, for example `command: [./server, -port, \"8080\"]`",
        );
    }
    if kind != VariantKind::Exec && !command.is_empty() {
        problems.add(
            place,
            format!(
                "`command` belongs to `kind: exec`; `{}` makes its own",
                kind.name()
            ),
        );
    }
    Some(VariantSpec {
        name,
        kind,
        overrides,
        own_ready,
        command,
        warm_up,
        training,
        only_if,
    })
}

fn read_only_if(fields: &mut Fields<'_>) -> Option<OnlyIf> {
    let expected =
        "`possible` (it can be made here) or `built` (what takes minutes was made before)";
    fields.one_of("only-if", expected, |word| match word {
        "possible" => Some(OnlyIf::Possible),
        "built" => Some(OnlyIf::Built),
        _ => None,
    })
}

fn read_training(fields: &mut Fields<'_>, kind: Option<VariantKind>) -> Training {
    let Some((place, word)) = fields.text("training") else {
        return Training::default();
    };
    if kind.is_some_and(|kind| !kind.is_trained()) {
        let trained = VariantKind::ALL
            .into_iter()
            .filter(|kind| kind.is_trained());
        let names: Vec<&str> = trained.map(VariantKind::name).collect();
        fields.problems.add(
            place,
            format!(
                "`training` belongs to `{}`: nothing else is made from a launch",
                names.join("` and `")
            ),
        );
    }
    match word.as_str() {
        "requests" => Training::Requests,
        "start-up" => Training::StartUp,
        _ => {
            fields.problems.add(
                place,
                format!(
                    "`training` must be `requests` (the experiment's own, unless said) or `start-up` (none), not `{word}`"
                ),
            );
            Training::default()
        }
    }
}

/// A list of words, or a line that is split as a shell would.
pub(super) fn read_command(fields: &mut Fields<'_>) -> Vec<String> {
    let Some(node) = fields.take("command") else {
        return Vec::new();
    };
    let problem = match node.value {
        Value::Text(line) => match shlex::split(&line) {
            Some(words) => return words,
            None => "`command` has a quote that is not closed",
        },
        Value::List(items) => {
            let words = items.into_iter();
            let words = words.filter_map(|item| fields.text_of(item, "command"));
            return words.map(|(_, word)| word).collect();
        }
        _ => "`command` must be a list of words or a line",
    };
    fields.problems.add(node.place, problem);
    Vec::new()
}

fn read_kind(word: &str, place: Place, problems: &Problems) -> Option<VariantKind> {
    let kind = VariantKind::named(word);
    if kind.is_none() {
        let hint = hint(word, "the kinds are", &VariantKind::names());
        problems.add(place, format!("there is no variant kind `{word}`; {hint}"));
    }
    kind
}

/// Every kind except `exec` is made from an artifact.
pub(super) fn needs_artifact(
    variant: &VariantSpec,
    subject_has_none: bool,
    place: Place,
    problems: &Problems,
) {
    if variant.kind != VariantKind::Exec && subject_has_none && variant.overrides.artifact.is_none()
    {
        problems.add(
            place,
            format!(
                "variant `{}` has nothing to be made from; add `subject: {{artifact: path/to/app.jar}}`",
                variant.name
            ),
        );
    }
}
