//! The self-test's server with known stalls, as a process of its own.

use crate::error::BenchError;
use serde::Deserialize;
use std::io::{BufRead, BufReader, Read};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::time::Duration;
use tacho_run_folder::Quantiles;
use tacho_selftest::{Script, ScriptedServer, Stall};
use tacho_witness::processors::on;

/// A second of silence in ten; afterwards 20,000 answers a second.
#[derive(Debug, Clone, Copy)]
pub struct Course {
    /// Requests a second.
    pub rate: u32,
    pub connections: u32,
    period: Duration,
    silence: Duration,
    backlog_rate: f64,
}

/// Of the accuracy bar.
pub const COURSE: Course = Course {
    rate: 2_000,
    connections: 64,
    period: Duration::from_secs(10),
    silence: Duration::from_secs(1),
    backlog_rate: 20_000.0,
};

impl Course {
    fn script(self) -> Result<Script, BenchError> {
        Ok(Script::Stall(Stall::new(
            self.period,
            self.silence,
            self.backlog_rate,
        )?))
    }

    /// The response times that follow from it, over a number of seconds.
    pub fn expected(self, seconds: u64) -> Result<Quantiles, BenchError> {
        let course = tacho_selftest::Course::new(
            "stall",
            self.script()?,
            self.rate.into(),
            seconds as f64,
            self.connections,
        )?;
        Ok(tacho_selftest::expected(&course))
    }
}

/// `bench-load scripted-server`.
#[derive(Debug, clap::Args)]
pub struct ScriptArguments {
    /// Requests a second that will come; the response times that it tells at the end are counted
    /// from them.
    #[arg(long, default_value_t = COURSE.rate)]
    rate: u32,
}

/// Plays the course until standard input ends.
pub fn serve(arguments: &ScriptArguments) -> Result<(), BenchError> {
    let server = ScriptedServer::start(COURSE.script()?, arguments.rate.into())?;
    println!("{}", server.address());
    std::io::stdin().read_to_end(&mut Vec::new())?;
    let played = serde_json::to_string(&server.stop()?).map_err(std::io::Error::other)?;
    println!("{played}");
    Ok(())
}

/// What it tells at its end.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
pub struct Played {
    /// How late it was with its answers.
    pub lateness_ms: Option<Quantiles>,
}

/// The process; it ends with its standard input, which is ours, so also when we are killed.
#[derive(Debug)]
pub struct Scripted {
    child: Child,
    output: BufReader<ChildStdout>,
    url: String,
}

impl Scripted {
    /// Starts it on one processor. It serves one measurement: its silences count from the first
    /// request.
    pub fn start(processor: usize) -> Result<Self, BenchError> {
        let mut command = Command::new(std::env::current_exe()?);
        command
            .arg("scripted-server")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped());
        let mut child = on(processor, || command.spawn()).map_err(|source| BenchError::Start {
            program: "the scripted server".to_owned(),
            source,
        })?;
        let output = child
            .stdout
            .take()
            .ok_or_else(|| std::io::Error::other("no standard output"))?;
        let mut output = BufReader::new(output);
        let mut address = String::new();
        output.read_line(&mut address)?;
        Ok(Self {
            child,
            output,
            url: format!("http://{}/", address.trim()),
        })
    }

    pub fn url(&self) -> &str {
        &self.url
    }

    /// Ends the server, and returns how it kept to the script.
    pub fn stop(mut self) -> Result<Played, BenchError> {
        drop(self.child.stdin.take());
        let mut json = String::new();
        self.output.read_line(&mut json)?;
        serde_json::from_str(&json).map_err(|error| BenchError::Unreadable {
            command: "the scripted server".to_owned(),
            reason: error.to_string(),
            said: json,
        })
    }
}

impl Drop for Scripted {
    fn drop(&mut self) {
        drop(self.child.stdin.take());
        let _ = self.child.wait();
    }
}
