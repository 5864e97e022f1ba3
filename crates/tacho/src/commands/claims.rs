//! `tacho claims`.

use super::run::{Concluded, How, Source, carry_out};
use crate::Done;
use crate::arguments::{Claims, RunOutput, leave_out};
use crate::error::Error;
use crate::exit::Exit;
use crate::exports::Exports;
use crate::output::{self, Unwritten};
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use tacho_claims::{Described, Length, Made, Measured, Run, Text, Word, judge};
use tacho_claims_report::{OfArticle, Report, markdown, text};
use tacho_files::input;
use tacho_report::Analysed;
use tacho_run_folder::RunFolder;
use tacho_runner::{Event, Surroundings};

/// Makes the runs that files of claims name, and holds each claim against what they gave.
pub fn claims(arguments: &Claims) -> Done {
    let surroundings = Surroundings::here();
    // Check all files first, so that an error in the last one is not found after hours.
    let mut files = Vec::new();
    for path in &arguments.files {
        let text = Text::read(path)?;
        let claims = text.claims()?;
        files.push((text, claims));
    }
    let mut articles = Vec::new();
    let mut is_over = true;
    for (text, claims) in &files {
        let mut made_so_far: Vec<Gave> = Vec::new();
        let mut once: BTreeMap<&Path, Gave> = BTreeMap::new();
        for run in &claims.runs {
            let file = experiment_of(arguments, run);
            if let Some(gave) = file.and_then(|file| once.get(file)) {
                made_so_far.push(gave.clone());
                continue;
            }
            let (gave, exit) = match is_over {
                true => made(arguments, run, text, &made_so_far, &surroundings)?,
                false => (
                    Gave::nothing("it was interrupted".to_owned()),
                    Exit::Interrupted,
                ),
            };
            is_over &= exit != Exit::Interrupted;
            if let Some(file) = file {
                once.insert(file, gave.clone());
            }
            made_so_far.push(gave);
        }
        let measured: Vec<Measured> = made_so_far.into_iter().map(|gave| gave.measured).collect();
        articles.push(OfArticle {
            file: text.path.display().to_string(),
            article: claims.article.clone(),
            claims: judge(claims, &measured, length_of(arguments)),
        });
    }
    let report = Report::new(articles);
    let mut unwritten = Unwritten::default();
    if let Some(path) = &arguments.markdown {
        unwritten.take(output::write(path, markdown::render(&report)));
    }
    unwritten.take(output::json_or_summary(
        arguments.json.as_deref(),
        || output::pretty(&report),
        || text::render(&report, &output::style()),
    ));
    let counts = report.counts();
    unwritten.or(match counts {
        _ if !is_over => Exit::Interrupted,
        counts if counts.contradictions > 0 => Exit::CheckFailed,
        counts if counts.not_measured > 0 => Exit::Invalid,
        _ => Exit::Done,
    })
}

/// What a run gave.
#[derive(Clone)]
struct Gave {
    measured: Measured,
    /// Where it is kept, if it is an experiment's.
    folder: Option<PathBuf>,
}

impl Gave {
    fn nothing(why: String) -> Self {
        Self {
            measured: Measured::Nothing(why),
            folder: None,
        }
    }

    fn document(measured: Measured) -> Self {
        Self {
            measured,
            folder: None,
        }
    }

    fn run(analysed: Analysed, folder: &RunFolder) -> Self {
        let described = Described::of(&analysed.run);
        Self {
            measured: Measured::Run(Box::new(analysed.results), described),
            folder: Some(folder.path().to_owned()),
        }
    }
}

/// Makes a run, or takes one that was made before. If it cannot be made, the others go on.
fn made(
    arguments: &Claims,
    run: &Run,
    text: &Text,
    made_so_far: &[Gave],
    surroundings: &Surroundings,
) -> Result<(Gave, Exit), Error> {
    let stored = stored(arguments, &run.name);
    if let (Some(file), Made::Command { .. }) = (stored, &run.made) {
        return Ok((Gave::document(document_in(file)), Exit::Done));
    }
    if let Some(folder) = stored {
        let folder = RunFolder::open(folder)?;
        let run = tacho_run::load(&folder)?;
        let results = tacho_analysis::analyse(&run);
        return Ok((Gave::run(Analysed { run, results }, &folder), Exit::Done));
    }
    if arguments.only_stored {
        let text = format!("no folder of its run `{}` was given (--stored)", run.name);
        return Ok((Gave::nothing(text), Exit::Done));
    }
    let note = format!("{}: {}", text.path.display(), run.name);
    tacho_progress::listener(arguments.quiet).event(Event::Note { text: &note });
    match &run.made {
        Made::Experiment { whole, short } => {
            let file = chosen(arguments, whole, short.as_deref());
            of_experiment(arguments, file, surroundings)
        }
        Made::Command { .. } => {
            let words = run.made.command(length_of(arguments)).unwrap_or_default();
            let measured = match written_out(words, made_so_far) {
                Ok(command) => of_command(&command, &text.folder),
                Err(why) => Measured::Nothing(why),
            };
            Ok((Gave::document(measured), Exit::Done))
        }
    }
}

/// The command with the folders of the runs that it reads. It runs in another folder than this
/// program, so they are absolute.
fn written_out(words: &[Word], made_so_far: &[Gave]) -> Result<Vec<OsString>, String> {
    let word = |word: &Word| match word {
        Word::Literal(text) => Ok(OsString::from(text)),
        Word::FolderOf(run) => {
            let gave = made_so_far.get(*run);
            let folder = gave.and_then(|gave| gave.folder.as_deref());
            let absolute = folder.and_then(|folder| std::path::absolute(folder).ok());
            absolute
                .map(PathBuf::into_os_string)
                .ok_or_else(|| "the run that its command reads was not made".to_owned())
        }
    };
    words.iter().map(word).collect()
}

/// The experiment for a run, if one has to be carried out. Two runs of a file may share a short
/// form, which is carried out once.
fn experiment_of<'r>(arguments: &Claims, run: &'r Run) -> Option<&'r Path> {
    let is_stored = arguments.only_stored || stored(arguments, &run.name).is_some();
    match &run.made {
        Made::Experiment { whole, short } if !is_stored => {
            Some(chosen(arguments, whole, short.as_deref()))
        }
        Made::Experiment { .. } | Made::Command { .. } => None,
    }
}

fn length_of(arguments: &Claims) -> Length {
    match arguments.short {
        true => Length::Short,
        false => Length::Whole,
    }
}

fn chosen<'r>(arguments: &Claims, whole: &'r Path, short: Option<&'r Path>) -> &'r Path {
    match length_of(arguments) {
        Length::Short => short.unwrap_or(whole),
        Length::Whole => whole,
    }
}

/// What a command printed before, kept in a file.
fn document_in(file: &Path) -> Measured {
    let name = file.display();
    match input::read(file, input::EXPERIMENT) {
        Err(why) => Measured::Nothing(format!("{name} could not be read: {why}")),
        Ok(bytes) => match serde_json::from_slice(&bytes) {
            Ok(document) => Measured::Document(document),
            Err(why) => Measured::Nothing(format!("{name} is no JSON: {why}")),
        },
    }
}

fn stored<'a>(arguments: &'a Claims, name: &str) -> Option<&'a Path> {
    let mut named = arguments.stored.iter();
    let found = named.find(|stored| stored.run == name);
    found.map(|stored| stored.folder.as_path())
}

fn of_experiment(
    arguments: &Claims,
    file: &Path,
    surroundings: &Surroundings,
) -> Result<(Gave, Exit), Error> {
    let source = Source::read(file, None, surroundings)?;
    let output = RunOutput {
        runs: arguments.runs.clone(),
        exports: Exports::default(),
        quiet: arguments.quiet,
        dry_run: false,
    };
    match carry_out(source, surroundings, &output, How::Silent(None)) {
        Ok(Concluded {
            analysed: Some(analysed),
            folder: Some(folder),
            exit,
            ..
        }) => Ok((Gave::run(analysed, &folder), exit)),
        Ok(concluded) => Ok((
            Gave::nothing("nothing was measured".to_owned()),
            concluded.exit,
        )),
        Err(Error::Run(why)) => {
            let text = why.to_string();
            Ok((Gave::nothing(text), Error::Run(why).exit()))
        }
        Err(error) => Err(error),
    }
}

/// A document that a command prints; `tacho` is this program.
fn of_command(command: &[OsString], folder: &Path) -> Measured {
    let Some((program, words)) = command.split_first() else {
        return Measured::Nothing("its command is empty".to_owned());
    };
    let program = match program.to_str() {
        Some("tacho") => std::env::current_exe().unwrap_or_else(|_| PathBuf::from("tacho")),
        _ => folder_or_path(folder, Path::new(program)),
    };
    let mut ran = Command::new(program);
    leave_out(&mut ran);
    let ran = ran
        .args(words)
        .current_dir(folder)
        .stdin(Stdio::null())
        .stderr(Stdio::inherit())
        .output();
    let shown = command.join(OsString::from(" ").as_os_str());
    let shown = shown.to_string_lossy();
    match ran {
        Err(why) => Measured::Nothing(format!("`{shown}` could not be started: {why}")),
        Ok(ran) if !ran.status.success() => {
            Measured::Nothing(format!("`{shown}` failed: {}", ran.status))
        }
        Ok(ran) => match serde_json::from_slice(&ran.stdout) {
            Ok(document) => Measured::Document(document),
            Err(why) => Measured::Nothing(format!("`{shown}` did not print JSON: {why}")),
        },
    }
}

/// A program name with a slash is a file, relative to the folder of the claims. Others are looked
/// up in `PATH`.
fn folder_or_path(folder: &Path, program: &Path) -> PathBuf {
    match program.components().count() > 1 {
        true => folder.join(program),
        false => program.to_owned(),
    }
}
