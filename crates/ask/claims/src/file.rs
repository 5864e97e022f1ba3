//! The grammar of `claims.yaml`: from text to [`Claims`], or to problems with line and column.

use crate::model::{Article, Claim, Claims, Expected, Figure, Made, Run, Word};
use crate::region::{self, Region};
use std::path::{Path, PathBuf};
use tacho_fields::{Fields, FileError, Node, Place, Problem, Problems, hint, items};

/// Version of the format that this Tacho reads.
const VERSION: &str = "1";

/// What to do about an empty file.
const NO_CLAIMS: &str = "a file of claims holds `tacho: 1`, `article:`, `runs:` and `claims:` (docs/claims.md has one to begin with)";

/// A file as it was read.
#[derive(Debug)]
pub struct Text {
    /// Path of the file.
    pub path: PathBuf,
    /// What it says.
    pub text: String,
    /// Relative paths in it count from this folder, and commands run in it.
    pub folder: PathBuf,
}

impl Text {
    /// Reads a file.
    ///
    /// # Errors
    /// When it cannot be read, or is larger than the bound of such files.
    pub fn read(path: &Path) -> Result<Self, FileError> {
        let (text, folder) = tacho_fields::read(path)?;
        Ok(Self {
            path: path.to_owned(),
            text,
            folder,
        })
    }

    /// Reads the text as claims.
    ///
    /// # Errors
    /// With everything that is not understood.
    pub fn claims(&self) -> Result<Claims, FileError> {
        parse(&self.text, &self.folder).map_err(|problems| FileError::Problems {
            path: self.path.clone(),
            problems,
        })
    }
}

/// Reads the text of a file whose relative paths count from `folder`.
///
/// # Errors
/// With everything that is not understood, in the order of the text.
pub fn parse(text: &str, folder: &Path) -> Result<Claims, Vec<Problem>> {
    let root = tacho_fields::parse(text, NO_CLAIMS).map_err(|problem| vec![problem])?;
    let problems = Problems::default();
    let claims = read_root(root, folder, &problems);
    match (claims, problems.into_sorted()) {
        (Some(claims), problems) if problems.is_empty() => Ok(claims),
        (_, problems) => Err(problems),
    }
}

fn read_root(root: Node, folder: &Path, problems: &Problems) -> Option<Claims> {
    let mut fields = Fields::of(root, "the file of claims", problems)?;
    match fields.text("tacho") {
        Some((_, version)) if version == VERSION => {}
        Some((place, version)) => problems.add(
            place,
            format!("`tacho` is the version of the format, {VERSION}, not `{version}`"),
        ),
        None => problems.add(
            fields.place,
            format!("the version of the format is missing; begin with `tacho: {VERSION}`"),
        ),
    }
    let article = fields.required_node("article", "{title: ..., author: ..., year: 2021}");
    let article = article.and_then(|node| read_article(node, problems));
    let mut runs = Vec::new();
    let nodes = fields
        .required_node("runs", "[{name: start, experiment: experiment.yaml}]")
        .and_then(|node| {
            items(
                node,
                "runs",
                "- {name: start, experiment: e.yaml}",
                problems,
            )
        })
        .unwrap_or_default();
    for node in nodes {
        let run = read_run(node, folder, &runs, problems);
        runs.extend(run);
    }
    let claims: Vec<Claim> = fields
        .required_node("claims", "[{says: ..., run: start, metric: ready_ms, ...}]")
        .and_then(|node| items(node, "claims", "- says: ...", problems))
        .unwrap_or_default()
        .into_iter()
        .filter_map(|node| read_claim(node, &runs, problems))
        .collect();
    fields.finish();
    Some(Claims {
        article: article?,
        runs,
        claims,
    })
}

fn read_article(node: Node, problems: &Problems) -> Option<Article> {
    let mut fields = Fields::of(node, "the article", problems)?;
    let title = required(&mut fields, "title", "Saving microservices");
    let author = fields.text("author").map(|(_, author)| author);
    let year = fields.count("year");
    let question = required(&mut fields, "question", "Is it faster?");
    fields.finish();
    Some(Article {
        title: title?.1,
        author,
        year,
        question: question?.1,
    })
}

fn read_run(node: Node, folder: &Path, above: &[Run], problems: &Problems) -> Option<Run> {
    let mut fields = Fields::of(node, "a run", problems)?;
    let name = required(&mut fields, "name", "start");
    let made = match (fields.text("experiment"), fields.texts("command")) {
        (Some((_, whole)), command) if command.is_empty() => Some(Made::Experiment {
            whole: folder.join(whole),
            short: fields.text("short").map(|(_, short)| folder.join(short)),
        }),
        (None, command) if !command.is_empty() => {
            let short = fields.texts("short");
            let place = fields.place;
            let read = |words: Vec<String>| read_command(words, place, above, problems);
            Some(Made::Command {
                whole: read(command),
                short: (!short.is_empty()).then(|| read(short)),
            })
        }
        _ => {
            // Known in both forms: one complaint is enough.
            let _ = fields.take("short");
            problems.add(
                fields.place,
                "a run is either `experiment: FILE` or `command: [PROGRAM, ARGUMENT, ...]`",
            );
            None
        }
    };
    fields.finish();
    Some(Run {
        name: name?.1,
        made: made?,
    })
}

/// The words of a command; `{NAME}` is the folder of an experiment's run above it.
fn read_command(words: Vec<String>, place: Place, above: &[Run], problems: &Problems) -> Vec<Word> {
    let word = |word: String| {
        let Some(name) = in_braces(&word) else {
            return Word::Literal(word);
        };
        let mut numbered = above.iter().enumerate();
        match numbered.find(|(_, run)| run.name == name) {
            Some((at, run)) if matches!(run.made, Made::Experiment { .. }) => {
                return Word::FolderOf(at);
            }
            Some(_) => problems.add(
                place,
                format!(
                    "`{word}` is the folder of a run, and `{name}` is a command, which has none"
                ),
            ),
            None => {
                let known: Vec<&str> = above.iter().map(|run| run.name.as_str()).collect();
                let hint = hint(name, "the runs above it are", &known);
                problems.add(
                    place,
                    format!("`{word}` is the folder of a run above this one, and none is called so; {hint}"),
                );
            }
        }
        Word::Literal(word)
    };
    words.into_iter().map(word).collect()
}

/// `load` of `{load}`; `{}` is a word of the command, such as an empty document.
fn in_braces(word: &str) -> Option<&str> {
    let name = word.strip_prefix('{')?.strip_suffix('}')?;
    (!name.is_empty()).then_some(name)
}

fn read_claim(node: Node, runs: &[Run], problems: &Problems) -> Option<Claim> {
    let mut fields = Fields::of(node, "a claim", problems)?;
    let says = required(
        &mut fields,
        "says",
        "A native image is ready 70 times as soon",
    );
    let run = required(&mut fields, "run", "start").and_then(|(place, name)| {
        let known: Vec<&str> = runs.iter().map(|run| run.name.as_str()).collect();
        let found = known.iter().position(|known| *known == name);
        if found.is_none() {
            let hint = hint(&name, "the runs are", &known);
            problems.add(place, format!("no run is called `{name}`; {hint}"));
        }
        found
    });
    let figure = read_figure(&mut fields, problems);
    let has_same = fields.has("same");
    let same = fields.one_of("same", region::EXPECTED, Region::parse);
    if !has_same {
        problems.add(
            fields.place,
            format!("a claim needs `same`: {}", region::EXPECTED),
        );
    }
    if let (Some(Figure::Pointer(_)), Some(same)) = (&figure, &same)
        && same.in_unit("1").is_none()
    {
        problems.add(
            fields.place,
            "a number in a command's JSON has no unit: write `same` as plain numbers in the command's own, such as 5800000..23000000",
        );
    }
    let here = read_expected(&mut fields, "here").unwrap_or(Expected::Same);
    let here_short = read_expected(&mut fields, "here-short");
    let has_short = run.and_then(|run| runs.get(run)).is_none_or(Run::has_short);
    if here_short.is_some() && !has_short {
        problems.add(
            fields.place,
            "`here-short` is what a run's short form gives, and this run has none: name one under `runs` (`short: FILE`), or leave the key out",
        );
    }
    let why = fields.text("why").map(|(_, why)| why).unwrap_or_default();
    let differs = [Some(here), here_short].contains(&Some(Expected::Differs));
    if differs && why.trim().is_empty() {
        problems.add(
            fields.place,
            "a claim that `differs` needs `why`; `why: not known, tried: ...` where nobody knows",
        );
    }
    fields.finish();
    Some(Claim {
        says: says?.1,
        run: run?,
        figure: figure?,
        same: same?,
        here,
        here_short,
        why: why.trim().to_owned(),
    })
}

fn read_expected(fields: &mut Fields<'_>, key: &'static str) -> Option<Expected> {
    fields.one_of(key, "`same`, `differs` or `not-told`", |word| {
        Some(match word {
            "same" => Expected::Same,
            "differs" => Expected::Differs,
            "not-told" => Expected::NotTold,
            _ => return None,
        })
    })
}

fn read_figure(fields: &mut Fields<'_>, problems: &Problems) -> Option<Figure> {
    let metric = fields.text("metric");
    let of = fields.text("of");
    let to = fields.text("to");
    let limits = fields.text("limits");
    let pointer = fields.text("pointer");
    match (metric, of, pointer) {
        (Some((_, id)), Some((_, of)), None) => Some(Figure::Metric {
            id,
            of,
            to: to.map(|(_, to)| to),
            limits: limits.map(|(_, limits)| limits),
        }),
        (None, None, Some((_, pointer))) if pointer.starts_with('/') => {
            Some(Figure::Pointer(pointer))
        }
        _ => {
            problems.add(
                fields.place,
                "a claim looks at `metric: ready_ms` with `of: VARIANT` (and `to: VARIANT` for a ratio), or at `pointer: /a/number` of a command's JSON",
            );
            None
        }
    }
}

fn required(fields: &mut Fields<'_>, key: &'static str, example: &str) -> Option<(Place, String)> {
    let node = fields.required_node(key, example)?;
    fields.text_of(node, key)
}
