//! Variables of the environment in place of options: `TACHO_` and the name of the option, by `env`
//! in the option's own definition. They are for whoever sets something once for all commands, as CI
//! does: where results go, how many launches, under which limits. What the command line says
//! counts instead.
//!
//! An option has none where one value would not do for all commands that it would reach: `--check`
//! of `load` has words that `run` has not, `--launches` of `rollout` is no `auto`, `--image` is
//! something else here and there, `--jdk` of `doctor` is nothing on a cluster.

use super::Arguments;
use super::color;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::parser::ValueSource;
use clap::{Arg, ArgMatches, Args, Command, CommandFactory, FromArgMatches};
use std::env::{var, var_os};
use std::ffi::{OsStr, OsString};

/// Names whose values are masked.
pub(super) const MASK: &str = "TACHO_MASK";

/// What runs already beside the subject.
pub(super) const COMPANIONS: &str = "TACHO_COMPANIONS";

/// What the variables of all others begin with.
const OWN: &str = "TACHO_";

/// Which cluster is asked for by `--on`, and by nothing else: these say where on it.
const OF_A_CLUSTER: [&str; 2] = ["context", "namespace"];

/// Of whatever command is started by a command, too.
const OF_ALL: [&str; 3] = [color::VARIABLE, MASK, COMPANIONS];

/// Reads these words, the program first, and the variables of what they do not say.
pub fn read(words: &[OsString]) -> Result<ArgMatches, clap::Error> {
    let error = match parse(words, &is_empty) {
        Err(error) => error,
        understood => return understood,
    };
    match error.kind() {
        // It names each variable, whatever is set here.
        ErrorKind::DisplayHelp => Arguments::command().try_get_matches_from(words),
        // On this machine there is no namespace, and none is missed.
        ErrorKind::MissingRequiredArgument => parse(words, &|argument| {
            is_empty(argument) || OF_A_CLUSTER.contains(&argument.get_id().as_str())
        }),
        _ => Err(error),
    }
}

/// The same without the variables of some options.
fn parse(
    words: &[OsString],
    is_left_out: &dyn Fn(&Arg) -> bool,
) -> Result<ArgMatches, clap::Error> {
    let all = Arguments::command();
    // It is looked at sooner than it is made anew.
    let command = match some_has(&all, is_left_out) {
        true => without(all, is_left_out),
        false => all,
    };
    command.try_get_matches_from(words)
}

/// Whether somebody has set the variable to nothing, which is how CI says that it is not set.
fn is_empty(argument: &Arg) -> bool {
    value(argument).is_some_and(|value| value.is_empty())
}

fn value(argument: &Arg) -> Option<OsString> {
    argument.get_env().and_then(var_os)
}

fn some_has(command: &Command, what: &dyn Fn(&Arg) -> bool) -> bool {
    let mut own = command.get_arguments();
    own.any(|argument| argument.get_env().is_some() && what(argument))
        || command.get_subcommands().any(|one| some_has(one, what))
}

fn without(command: Command, is_left_out: &dyn Fn(&Arg) -> bool) -> Command {
    command
        .mut_args(|argument| match is_left_out(&argument) {
            true => argument.env(None::<&str>),
            false => argument,
        })
        .mut_subcommands(|one| without(one, is_left_out))
}

/// All that have a variable which is for people, each as often as a command has it.
fn each<'c>(command: &'c Command, take: &mut dyn FnMut(&'c Command, &'c Arg, &'c OsStr)) {
    for argument in command.get_arguments().filter(|it| !it.is_hide_set()) {
        if let Some(name) = argument.get_env() {
            take(command, argument, name);
        }
    }
    for one in command.get_subcommands().filter(|one| !one.is_hide_set()) {
        each(one, take);
    }
}

/// The variable in which an error was made; the error itself names the option.
pub fn origin(error: &clap::Error, words: &[OsString]) -> Option<String> {
    let named = match error.kind() {
        ErrorKind::InvalidValue | ErrorKind::ValueValidation => Some(option(error)?),
        // It does not say of which option.
        ErrorKind::InvalidUtf8 => None,
        _ => return None,
    };
    // What the command line says wrong itself is as wrong without any variable.
    let again = parse(words, &|_| true).err();
    if again.is_some_and(|again| again.kind() == error.kind() && option(&again) == option(error)) {
        return None;
    }
    let all = Arguments::command();
    let mut found = None;
    each(&all, &mut |_, argument, name| {
        let is_it = match (&named, value(argument)) {
            (Some(named), Some(_)) => named.strip_prefix("--") == argument.get_long(),
            (None, Some(value)) => value.to_str().is_none(),
            (_, None) => false,
        };
        if is_it {
            found = Some(name.to_string_lossy().into_owned());
        }
    });
    found
}

/// `--launches` of `--launches <N>`.
fn option(error: &clap::Error) -> Option<String> {
    let Some(ContextValue::String(shown)) = error.get(ContextKind::InvalidArg) else {
        return None;
    };
    shown.split(' ').next().map(str::to_owned)
}

/// Names that are masked whatever the command line says; before it is read, since errors of usage
/// echo it.
pub fn masked() -> Vec<String> {
    let names = var(MASK).unwrap_or_default();
    names.split(',').map(str::to_owned).collect()
}

/// What somebody set for this command is not meant for one that it starts, which says itself what
/// it is to do.
pub fn leave_out(command: &mut std::process::Command) {
    each(&Arguments::command(), &mut |_, _, name| {
        let text = name.to_string_lossy();
        if text.starts_with(OWN) && !OF_ALL.contains(&text.as_ref()) {
            command.env_remove(name);
        }
    });
}

/// Truth as people write it in variables; flags themselves have no value.
pub fn truth(text: &str) -> Result<bool, &'static str> {
    match text.to_ascii_lowercase().as_str() {
        "true" | "yes" | "on" | "1" => Ok(true),
        "false" | "no" | "off" | "0" => Ok(false),
        _ => Err("write true or false"),
    }
}

/// Which options of a command a variable has said. Where an option cannot be given, its variable is
/// passed over: it may be there for another command. It has to be the first of a group, since those
/// before it take their values away.
#[derive(Debug, Default, Clone)]
pub struct SaidByVariables(Vec<String>);

impl SaidByVariables {
    /// Whether this option, such as `--cpu`, is one of them.
    pub fn has(&self, option: &str) -> bool {
        let name = option.trim_start_matches('-');
        self.0.iter().any(|one| one == name)
    }
}

impl Args for SaidByVariables {
    fn augment_args(command: Command) -> Command {
        command
    }

    fn augment_args_for_update(command: Command) -> Command {
        command
    }
}

impl FromArgMatches for SaidByVariables {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let ids = matches.ids().map(clap::Id::as_str);
        let said = ids.filter(|id| is_said_by_variable(matches, id));
        Ok(Self(said.map(str::to_owned).collect()))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

/// And not by the command line.
pub fn is_said_by_variable(matches: &ArgMatches, id: &str) -> bool {
    matches.value_source(id) == Some(ValueSource::EnvVariable)
}

#[cfg(test)]
#[path = "variables_tests.rs"]
mod tests;
