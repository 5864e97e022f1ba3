//! The command line. Arguments of related commands are in one module.

mod about;
mod calls;
mod color;
mod diagnosing;
mod experiment;
mod making;
mod measuring;
mod reading;
mod variables;

pub use about::{Completions, Doctor, Man, Schema, Selftest, Witness};
pub use color::Color;
pub use diagnosing::{Diagnosed, Profiler};
pub use experiment::{Overrides, RunOutput};
pub use making::{Image, Init, NativeKit, NativeKitInstall, Record};
pub use measuring::{Emit, Fit, Resource, Run, Warmup};
pub use reading::{Claims, Gc, Memory, Report};
pub use variables::{
    LOAD_CHECK, SaidByVariables, is_said_by_variable, leave_out, origin, read, truth,
};

use crate::commands::instruments::arguments::{
    CLASSES_EXAMPLES, ClassLookUps, EXCEPTIONS_EXAMPLES, Exceptions, PROFILE_EXAMPLES, Profile,
    TRACE_EXAMPLES, Trace, WATCH_EXAMPLES, Watch,
};
use crate::load::arguments::{EXAMPLES as LOAD_EXAMPLES, Load};
use crate::rollout::arguments::{EXAMPLES as ROLLOUT_EXAMPLES, Rollout};
use crate::warm::arguments::{EXAMPLES as WARM_EXAMPLES, Warm};
use about::{COMPLETIONS_EXAMPLES, SELFTEST_CODES, WITNESS_EXAMPLES};
use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};
use diagnosing::DIAGNOSE_EXAMPLES;
use making::{IMAGE_EXAMPLES, NATIVE_KIT_EXAMPLES, RECORD_EXAMPLES};
use measuring::{FIT_EXAMPLES, RUN_EXAMPLES, WARMUP_EXAMPLES};
use reading::{CLAIMS_EXAMPLES, GC_EXAMPLES, MEMORY_NOTES};
use std::ffi::OsString;
use std::net::SocketAddr;

/// A dynamometer for microservices: point it at a service and learn how to ship it.
#[derive(Debug, Parser)]
#[command(version, max_term_width = 100, after_help = EXAMPLES)]
pub struct Arguments {
    /// Also mask values with this name (of a variable, property, option or header) in all output;
    /// several separated by commas, or given several times
    #[arg(
        long,
        global = true,
        value_name = "NAME",
        value_delimiter = ',',
        env = variables::MASK,
        hide_env_values = true,
        help_heading = "Output"
    )]
    pub mask: Vec<String>,
    /// When to use colours in output for people: auto (on a terminal, unless NO_COLOR is set),
    /// always, never
    #[arg(
        long,
        global = true,
        value_enum,
        hide_possible_values = true,
        value_name = "WHEN",
        default_value = "auto",
        env = color::VARIABLE,
        hide_env_values = true,
        help_heading = "Output"
    )]
    pub color: Color,
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

impl Arguments {
    /// Parses these words (the program first). Environment variables fill in what the words do not
    /// say.
    ///
    /// # Errors
    /// If the words or the variables are wrong usage, or help was asked for.
    pub fn of(words: &[OsString]) -> Result<Self, clap::Error> {
        let mut matches = read(words)?;
        let command = matches.subcommand_name().unwrap_or_default().to_owned();
        let arguments = Self::from_arg_matches_mut(&mut matches);
        arguments.map_err(|error| with_usage(error, &command))
    }

    /// What is needed before parsing: the names to mask, and whether to use colours.
    pub fn before(words: &[String]) -> (Vec<String>, Color) {
        (variables::masked(), Color::asked(words))
    }
}

/// The error with the usage of the command that was given.
fn with_usage(error: clap::Error, command: &str) -> clap::Error {
    let mut all = Arguments::command();
    // The usage of a command then begins with the name of the program.
    all.build();
    match all.find_subcommand_mut(command) {
        Some(given) => error.format(given),
        None => error.format(&mut all),
    }
}

const EXAMPLES: &str = "Start with:
  tacho doctor                      what this machine can do
  tacho run target/app.jar          compare the ways to ship it; no file needed
  tacho init target/app.jar         write an experiment.yaml to adapt
  tacho run experiment.yaml         run the comparison it describes

Exit codes: 0 done; 1 a check does not hold; 2 wrong usage or experiment file; 3 a launch failed
or the certificate is invalid; 4 the machine lacks something; 130 interrupted.";

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Compare the ways to ship a service, and print which one to choose
    #[command(after_help = RUN_EXAMPLES)]
    Run(Box<Run>),
    /// Send requests to a URL, and report the response times
    #[command(after_help = LOAD_EXAMPLES)]
    Load(Box<Load>),
    /// Warm up a running service before it takes traffic: send requests until its response times
    /// have settled
    #[command(after_help = WARM_EXAMPLES)]
    Warm(Box<Warm>),
    /// Find how much warm-up a service needs before it takes traffic, and what that costs
    #[command(after_help = WARMUP_EXAMPLES)]
    Warmup(Box<Warmup>),
    /// Find out why a build is slower: from two builds to the line of code, with counts per request
    #[command(after_help = DIAGNOSE_EXAMPLES)]
    Diagnose(Box<Diagnosed>),
    /// Find the smallest memory and CPU limits at which a service still meets its objective
    #[command(after_help = FIT_EXAMPLES)]
    Fit(Box<Fit>),
    /// Analyse garbage collection logs: how long pauses stopped the program, why, and what the heap
    /// was used for
    #[command(after_help = GC_EXAMPLES)]
    Gc(Gc),
    /// Check claimed figures on this machine: the same, not the same, or not told
    #[command(after_help = CLAIMS_EXAMPLES)]
    Claims(Claims),
    /// Change a Deployment on a cluster under load: which requests were lost, and why
    #[command(after_help = ROLLOUT_EXAMPLES)]
    Rollout(Box<Rollout>),
    /// Record what clients send to a service, as targets for `tacho load`; secrets are left out
    #[command(after_help = RECORD_EXAMPLES)]
    Record(Record),
    /// Build a container image of a service: one variant with all it needs; Docker is not needed
    #[command(after_help = IMAGE_EXAMPLES)]
    Image(Image),
    /// Write a commented experiment.yaml to start from
    Init(Init),
    /// Regenerate the report from the run folder alone
    Report(Report),
    /// Check what this machine, or a cluster, can and cannot do, and say how to fix it
    Doctor(Doctor),
    /// Break down the memory of a running process: heap, metaspace, code, stacks, direct buffers,
    /// files, libc
    #[command(after_help = MEMORY_NOTES)]
    Memory(Memory),
    /// Sample where a running JVM spends time, allocates memory and waits; write flame graphs and
    /// exports
    #[command(after_help = PROFILE_EXAMPLES)]
    Profile(Box<Profile>),
    /// Trace methods of a running JVM: where their time is spent, call by call, level by level
    #[command(after_help = TRACE_EXAMPLES)]
    Trace(Box<Trace>),
    /// Watch calls of a method in a running JVM: arguments, result or exception, time
    #[command(after_help = WATCH_EXAMPLES)]
    Watch(Box<Watch>),
    /// Count the exceptions of a running JVM, including swallowed ones, by class, message and line
    #[command(after_help = EXCEPTIONS_EXAMPLES)]
    Exceptions(Box<Exceptions>),
    /// Count look-ups by name in a running JVM: classes, found or absent, and resources
    #[command(after_help = CLASSES_EXAMPLES)]
    Classes(Box<ClassLookUps>),
    /// Check that Tacho measures correctly here, on built-in servers whose response times are known
    #[command(after_help = SELFTEST_CODES)]
    Selftest(Selftest),
    /// Run a server that reports what a load generator really did: when each request arrived, as
    /// timed by the kernel
    #[command(after_help = WITNESS_EXAMPLES)]
    Witness(Witness),
    /// Build native images without a GraalVM download: install a builder made from parts on Maven
    /// Central
    #[command(subcommand, name = "native-kit", after_help = NATIVE_KIT_EXAMPLES)]
    NativeKit(NativeKit),
    /// Manage the sampler that `diagnose` and `profile` use: install async-profiler, or show which
    /// one is used
    #[command(subcommand)]
    Profiler(Profiler),
    /// Print the JSON Schema of a file of the run folder
    Schema(Schema),
    /// Print the script that lets a shell complete commands and options
    #[command(after_help = COMPLETIONS_EXAMPLES)]
    Completions(Completions),
    /// Write a manual page for each command
    Man(Man),
    /// Started by `profile`, and by nobody else: ends its sampling when it is killed
    #[command(hide = true, name = tacho_instruments::GUARD)]
    GuardProfile,
    /// Started by `selftest`, and by nobody else: sees what its generator sends, until standard
    /// input ends
    #[command(hide = true, name = WITNESS_PROCESS)]
    BeWitness,
    /// Started by `run --on kubernetes` in a pod, and by nobody else: carries out its launches
    #[command(hide = true, name = RUN_POD)]
    BeRunPod {
        /// Where its terminal comes
        listen: SocketAddr,
    },
}

/// The name of that command.
pub const WITNESS_PROCESS: &str = "be-witness";

/// And of the one that a run pod starts.
pub const RUN_POD: &str = "be-run-pod";

#[cfg(test)]
#[path = "pages_tests.rs"]
mod pages;
