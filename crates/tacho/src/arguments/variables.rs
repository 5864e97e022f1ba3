//! Environment variables that replace options: `TACHO_` and the name of the option, by `env` in the
//! option's definition. They are for values that are set once for all commands, as in CI: where
//! results go, how many launches, under which limits. The command line takes precedence.
//!
//! An option has no variable if one value would not suit all commands that have the option.
//! `--launches` of `rollout` cannot be `auto`. `--image` has several meanings. `--jdk` of `doctor`
//! means nothing on a cluster. `--check` of `load` has words that `run` has not, so its variable is
//! another one: `TACHO_LOAD_CHECK`.

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

/// What a load is held against.
pub const LOAD_CHECK: &str = "TACHO_LOAD_CHECK";

/// What the variables of all others begin with.
const OWN: &str = "TACHO_";

/// Only `--on` selects a cluster. These options say where on it.
const OF_A_CLUSTER: [&str; 2] = ["context", "namespace"];

/// Variables that are also passed on to commands that Tacho starts.
const OF_ALL: [&str; 3] = [color::VARIABLE, MASK, COMPANIONS];

/// Parses these words (the program first), with the variables for options that are not among them.
pub fn read(words: &[OsString]) -> Result<ArgMatches, clap::Error> {
    let error = match parse(words, &is_empty) {
        Err(error) => error,
        understood => return understood,
    };
    match error.kind() {
        // The help has to name every variable, even those that are set to nothing here.
        ErrorKind::DisplayHelp => Arguments::command().try_get_matches_from(words),
        // Without `--on`, a variable for the namespace or the context must not require a cluster:
        // try again without them.
        ErrorKind::MissingRequiredArgument => parse(words, &|argument| {
            is_empty(argument) || OF_A_CLUSTER.contains(&argument.get_id().as_str())
        }),
        _ => Err(error),
    }
}

/// The same, but ignores the variables of some options.
fn parse(
    words: &[OsString],
    is_left_out: &dyn Fn(&Arg) -> bool,
) -> Result<ArgMatches, clap::Error> {
    let all = Arguments::command();
    // Checking the command is cheaper than rebuilding it, so rebuild only if needed.
    let command = match some_has(&all, is_left_out) {
        true => without(all, is_left_out),
        false => all,
    };
    command.try_get_matches_from(words)
}

/// Whether the variable is set, but empty. CI systems use this for "not set".
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

/// Calls `take` for each visible option that has a variable, once for each command that has it.
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

/// The variable that caused an error, since the error itself only names the option.
pub fn origin(error: &clap::Error, words: &[OsString]) -> Option<String> {
    let named = match error.kind() {
        ErrorKind::InvalidValue | ErrorKind::ValueValidation => Some(option(error)?),
        // This error does not name an option.
        ErrorKind::InvalidUtf8 => None,
        _ => return None,
    };
    // If the error is the same without variables, the command line itself is wrong.
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

/// Names that are masked, from the variable. Needed before the command line is parsed, because
/// usage errors repeat it.
pub fn masked() -> Vec<String> {
    let names = var(MASK).unwrap_or_default();
    names.split(',').map(str::to_owned).collect()
}

/// Removes Tacho's variables from the environment of a command that Tacho starts. They were set for
/// this command; the other one has its own arguments.
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

/// The options of a command that were set by a variable. If an option cannot be given, its variable
/// is ignored: it may be meant for another command. This has to be the first member of a group,
/// because members before it take their values out.
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

/// Whether an option was set by a variable and not on the command line.
pub fn is_said_by_variable(matches: &ArgMatches, id: &str) -> bool {
    matches.value_source(id) == Some(ValueSource::EnvVariable)
}

#[cfg(test)]
#[path = "variables_tests.rs"]
mod tests;
