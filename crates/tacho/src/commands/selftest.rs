//! `tacho selftest`.

use crate::arguments::{Selftest, WITNESS_PROCESS};
use crate::exit::Exit;
use crate::signals::stop_on_signals;
use crate::{Done, output};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::IsTerminal;
use std::process::Command;
use tacho_selftest::{Depth, Judgement, Options, Progress, render};

/// Measures a server whose response times are known, and lays what was reported beside what is
/// true.
pub fn selftest(arguments: &Selftest) -> Done {
    let options = Options {
        depth: if arguments.full {
            Depth::Full
        } else {
            Depth::Quick
        },
        stop: stop_on_signals()?.flag().clone(),
        witness: Some(witness),
    };
    let mut shown = Shown::new(arguments.quiet);
    let result = tacho_selftest::run(&options, &mut |progress| shown.take(&progress))?;
    shown.clear();
    output::json_or_summary(
        arguments.json.as_deref(),
        || output::pretty(&result),
        || render(&result),
    )?;
    Ok(match result.judgement {
        Judgement::Passed => Exit::Done,
        Judgement::Failed => Exit::CheckFailed,
        Judgement::Spoiled => Exit::Invalid,
    })
}

/// This program as the witness of the self-test.
fn witness() -> std::io::Result<Command> {
    let mut command = Command::new(std::env::current_exe()?);
    command.arg(WITNESS_PROCESS);
    Ok(command)
}

/// A bar on a terminal, a line a course otherwise.
enum Shown {
    Bar(ProgressBar),
    Lines(usize),
    Nothing,
}

impl Shown {
    fn new(quiet: bool) -> Self {
        if quiet {
            return Self::Nothing;
        }
        if !std::io::stderr().is_terminal() {
            return Self::Lines(0);
        }
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
        if let Ok(style) = ProgressStyle::with_template("{msg} {wide_bar} {eta} left") {
            bar.set_style(style);
        }
        Self::Bar(bar)
    }

    fn take(&mut self, progress: &Progress) {
        let title = format!(
            "{} of {}: {}",
            progress.number, progress.of, progress.course
        );
        match self {
            Self::Bar(bar) => {
                bar.set_length(progress.requests);
                bar.set_position(progress.intended);
                bar.set_message(title);
            }
            Self::Lines(last) if *last != progress.number => {
                *last = progress.number;
                crate::tell!("{title}");
            }
            _ => {}
        }
    }

    fn clear(&self) {
        if let Self::Bar(bar) = self {
            bar.finish_and_clear();
        }
    }
}
