//! The command line: parse, call, print.

#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used))]

/// Prints a line on standard error, like `eprintln!`. If nobody can read it, the work goes on.
macro_rules! tell {
    ($($words:tt)*) => { $crate::output::say(&format!($($words)*)) };
}
pub(crate) use tell;

mod arguments;
mod commands;
mod conclude;
mod error;
mod exit;
mod exports;
mod jvms;
mod load;
mod on;
mod other_tools;
mod output;
mod own_image;
mod rollout;
mod signals;
mod warm;

use arguments::{Arguments, Command};
use error::Error;
use exit::Exit;
use std::ffi::OsString;
use std::process::ExitCode;
use tacho_launch::Remedy;

fn main() -> ExitCode {
    let words: Vec<OsString> = std::env::args_os().collect();
    let (masked, color) = Arguments::before(&command_line());
    color.apply();
    tacho_masking::teach(|masking| masking.add_names(&masked));
    learn_secrets();
    let arguments = Arguments::of(&words).unwrap_or_else(|error| wrong_usage(&error, &words));
    arguments.color.apply();
    tacho_masking::teach(|masking| masking.add_names(&arguments.mask));
    learn_secrets();
    signals::survive_file_size_limit();
    if !matches!(
        arguments.command,
        Command::GuardProfile | Command::BeWitness
    ) {
        sweep();
    }
    let result = match arguments.command {
        Command::Run(run) => commands::run(&run),
        Command::Load(arguments) => load::load(&arguments),
        Command::Warm(arguments) => warm::warm(&arguments),
        Command::Diagnose(arguments) => commands::diagnose(&arguments),
        Command::Profiler(arguments) => commands::profiler(&arguments),
        Command::Warmup(arguments) => commands::warmup(&arguments),
        Command::Rollout(arguments) => rollout::rollout(&arguments),
        Command::Record(arguments) => commands::record(&arguments),
        Command::Image(arguments) => commands::image(&arguments),
        Command::Init(init) => commands::init(&init),
        Command::Fit(fit) => commands::fit(&fit),
        Command::Report(report) => commands::report(&report),
        Command::Claims(arguments) => commands::claims(&arguments),
        Command::Gc(arguments) => commands::gc(&arguments),
        Command::Doctor(doctor) => commands::doctor(&doctor),
        Command::Memory(arguments) => commands::memory(&arguments),
        Command::Profile(arguments) => commands::instruments::profile(&arguments),
        Command::Trace(arguments) => commands::instruments::trace(&arguments),
        Command::Watch(arguments) => commands::instruments::watch(&arguments),
        Command::Exceptions(arguments) => commands::instruments::exceptions(&arguments),
        Command::Classes(arguments) => commands::instruments::classes(&arguments),
        Command::Selftest(arguments) => commands::selftest(&arguments),
        Command::Witness(arguments) => commands::witness(&arguments),
        Command::NativeKit(arguments) => commands::native_kit(&arguments),
        Command::Schema(schema) => commands::schema(&schema),
        Command::Completions(arguments) => commands::completions(&arguments),
        Command::Man(arguments) => commands::man(&arguments),
        Command::GuardProfile => commands::instruments::guard(),
        Command::BeWitness => commands::be_witness(),
        Command::BeRunPod { listen } => commands::be_run_pod(listen),
    };
    match result {
        Ok(exit) => exit.into(),
        Err(error) => {
            print_error(&error);
            // Reaching a limit means that the machine lacks something.
            let met = Remedy::of(&error);
            met.map_or_else(|| error.exit(), |_| Exit::Machine).into()
        }
    }
}

/// Prints a usage error, with secrets masked, because it repeats what was given.
fn wrong_usage(error: &clap::Error, words: &[OsString]) -> ! {
    if !error.use_stderr() {
        error.exit();
    }
    let (told, hint) = with_hint(error, &command_line());
    let of_variable = arguments::origin(error, words)
        .map(|name| format!("That is what the environment variable {name} says."));
    anstream::eprint!("{}", tacho_masking::current().text(&told));
    for more in hint.iter().chain(&of_variable) {
        anstream::eprintln!("\n{}", tacho_masking::current().text(more));
    }
    std::process::exit(error.exit_code())
}

/// The program and its arguments.
fn command_line() -> Vec<String> {
    let words = std::env::args_os();
    words
        .map(|word| word.to_string_lossy().into_owned())
        .collect()
}

/// The text of the error and, if the word is known from another tool, what it is called here.
/// clap's own tip, which only suggests a similar word, is left out then.
fn with_hint(error: &clap::Error, words: &[String]) -> (String, Option<String>) {
    let told = error.render().ansi().to_string();
    let hint = other_tools::hint(words, error);
    let is_tip = |line: &&str| line.contains("tip:");
    let told = match hint {
        Some(_) => told
            .lines()
            .filter(|line| !is_tip(line))
            .map(|line| format!("{line}\n"))
            .collect(),
        None => told,
    };
    (told, hint)
}

/// Secrets in the command line, and in the environment that a subject inherits, are masked in all
/// output.
fn learn_secrets() {
    let words = command_line();
    let environment: Vec<(String, String)> = std::env::vars_os()
        .map(|(name, value)| {
            (
                name.to_string_lossy().into_owned(),
                value.to_string_lossy().into_owned(),
            )
        })
        .collect();
    tacho_masking::teach(|masking| {
        masking.learn_command(&without_own_key(&words));
        masking.learn_pairs(
            environment
                .iter()
                .map(|(name, value)| (name.as_str(), value.as_str())),
        );
    });
}

/// `--key` of `tacho load` names a file. It is not masked, because errors have to name it.
fn without_own_key(words: &[String]) -> Vec<String> {
    let is_own = |word: &String| word == "--key" || word.starts_with("--key=");
    words.iter().filter(|word| !is_own(word)).cloned().collect()
}

/// First cleans up after a Tacho that was killed.
fn sweep() {
    let said = tacho_launch::sweep().to_string();
    // There may have been a lease with nothing left to end.
    if !said.is_empty() {
        tell!("{said}");
    }
}

fn print_error(error: &Error) {
    let told = tacho_masking::current().text(&error.to_string());
    let told = tacho_foreign::visible(&told);
    tell!("\x1b[31;1merror:\x1b[0m {told}");
    // Some errors already contain this remedy.
    let remedy = Remedy::of(error).map(Remedy::text);
    if let Some(remedy) = remedy.filter(|remedy| !error.to_string().contains(remedy)) {
        tell!("{remedy}");
    }
}

/// Results go to standard output. It is no error if the reader has stopped reading (`head`) or the
/// terminal was closed.
fn print(text: &str) -> Result<(), Error> {
    use std::io::Write;
    let mut out = anstream::stdout();
    let text = tacho_masking::current().known(text);
    let text = tacho_foreign::visible_with_colours(&text);
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(e) if !output::is_nobody_left(&e) => Err(Error::Output(e)),
        _ => Ok(()),
    }
}

/// The result of every command.
type Done = Result<Exit, Error>;
