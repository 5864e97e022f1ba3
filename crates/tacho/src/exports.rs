//! The options of the formats of a command, and the files that they ask for.

use crate::arguments::is_said_by_variable;
use crate::error::Error;
use crate::output::{self, Unwritten};
use crate::print;
use clap::error::ErrorKind;
use clap::{Arg, ArgMatches, Command, value_parser};
use std::io;
use std::marker::PhantomData;
use std::path::{Path, PathBuf};
use tacho_report::Exporter;

/// The formats of a command.
pub trait Formats {
    /// What is handed on.
    type Of: 'static;
    /// Why it cannot be.
    type Error: Into<Error> + 'static;
    /// All of them, in the order of their options.
    const ALL: &'static [Exporter<Self::Of, Self::Error>];
}

/// Those of a run.
#[derive(Debug, Clone)]
pub enum OfRun {}

impl Formats for OfRun {
    type Of = tacho_report::Analysed;
    type Error = tacho_report::ReportError;
    const ALL: &'static [tacho_report::Format] = &tacho_report::FORMATS;
}

/// Those of a load alone.
#[derive(Debug, Clone)]
pub enum OfLoad {}

impl Formats for OfLoad {
    type Of = tacho_load_report::LoadResult;
    type Error = tacho_load_report::LoadReportError;
    const ALL: &'static [tacho_load_report::Format] = &tacho_load_report::FORMATS;
}

/// Files that the user asked for, by the options of their formats. `-` is standard output, which
/// then holds nothing else.
#[derive(Debug, Clone)]
pub struct Exports<F> {
    asked: Vec<(&'static str, PathBuf)>,
    formats: PhantomData<F>,
}

impl<F> Default for Exports<F> {
    fn default() -> Self {
        Self {
            asked: Vec::new(),
            formats: PhantomData,
        }
    }
}

impl<F: Formats> Exports<F> {
    /// The file that an option names.
    pub fn path(&self, option: &str) -> Option<&Path> {
        let asked = self.asked.iter().find(|(asked, _)| *asked == option);
        asked.map(|(_, path)| path.as_path())
    }

    /// The same without the option for which the command writes its own file.
    pub fn without(&self, option: &str) -> Self {
        let others = self.asked.iter().filter(|(asked, _)| *asked != option);
        Self {
            asked: others.cloned().collect(),
            formats: PhantomData,
        }
    }

    /// Nothing was asked for.
    pub fn is_empty(&self) -> bool {
        self.asked.is_empty()
    }

    /// Whether one of them is standard output.
    pub fn takes_stdout(&self) -> bool {
        self.asked.iter().any(|(_, path)| output::is_stdout(path))
    }

    /// A variable applies to all commands. If it puts a format on standard output, it yields to one
    /// that the command line puts there.
    fn leave_stdout_to_the_command_line(&mut self, matches: &ArgMatches) {
        let on_stdout = |by_variable: bool| {
            move |(option, path): &(&'static str, PathBuf)| {
                output::is_stdout(path) && is_said_by_variable(matches, option) == by_variable
            }
        };
        if self.asked.iter().any(on_stdout(false)) {
            let is_in_the_way = on_stdout(true);
            self.asked.retain(|asked| !is_in_the_way(asked));
        }
    }

    /// An error if more than one format goes to standard output.
    fn one_on_stdout(&self) -> Result<(), clap::Error> {
        let mut there = self
            .asked
            .iter()
            .filter(|(_, path)| output::is_stdout(path));
        match (there.next(), there.next()) {
            (Some((one, _)), Some((other, _))) => Err(clap::Error::raw(
                ErrorKind::ArgumentConflict,
                format!(
                    "--{one} and --{other} cannot both be standard output; give a file to one of them"
                ),
            )),
            _ => Ok(()),
        }
    }

    /// Writes all files. If one cannot be written, the others still are.
    pub fn write(&self, of: &F::Of, unwritten: &mut Unwritten) {
        for format in F::ALL {
            let Some(path) = self.path(format.option) else {
                continue;
            };
            let written = match (format.export)(of) {
                Ok(bytes) if output::is_stdout(path) => print(&String::from_utf8_lossy(&bytes)),
                Ok(bytes) => output::write(path, bytes),
                Err(error) => Err(error.into()),
            };
            unwritten.take(written);
        }
    }

    /// Whether every file can be written, to be asked before hours of work.
    pub fn check(&self) -> Result<(), (&Path, io::Error)> {
        let paths = self.asked.iter().map(|(_, path)| path.as_path());
        for path in paths.filter(|path| !output::is_stdout(path)) {
            tacho_files::can_be_written(path).map_err(|source| (path, source))?;
        }
        Ok(())
    }
}

impl<F: Formats> clap::Args for Exports<F> {
    fn augment_args(command: Command) -> Command {
        F::ALL.iter().fold(command, |command, format| {
            command.arg(
                Arg::new(format.option)
                    .long(format.option)
                    .value_name("FILE")
                    .env(format.variable)
                    .hide_env_values(true)
                    .value_parser(value_parser!(PathBuf))
                    .help(format.help),
            )
        })
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl<F: Formats> clap::FromArgMatches for Exports<F> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let mut exports = Self::default();
        exports.update_from_arg_matches(matches)?;
        Ok(exports)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        let asked = F::ALL.iter().filter_map(|format| {
            let path: &PathBuf = matches.get_one(format.option)?;
            Some((format.option, path.clone()))
        });
        self.asked = asked.collect();
        self.leave_stdout_to_the_command_line(matches);
        self.one_on_stdout()
    }
}

#[cfg(test)]
mod tests {
    use crate::arguments::Arguments;
    use clap::Parser;

    fn load(flags: &[&str]) -> Result<Arguments, clap::Error> {
        Arguments::try_parse_from([&["tacho", "load", "http://localhost/"], flags].concat())
    }

    #[test]
    fn standard_output_holds_one_format() {
        let error = load(&["--json", "-", "--csv", "-"])
            .unwrap_err()
            .to_string();
        assert!(
            error.contains("--json and --csv") && error.contains("give a file"),
            "{error}"
        );
        assert!(load(&["--json", "-", "--csv", "load.csv"]).is_ok());
    }
}
