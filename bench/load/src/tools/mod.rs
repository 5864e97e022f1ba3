//! The tools: how each is called, and how its result is read. One file each.

mod ab;
mod bare;
mod hey;
mod oha;
mod sender;
mod tacho;
mod wrk;

use crate::child::{self, Finished};
use crate::error::BenchError;
use std::fmt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;
use tacho_witness::Testimony;

/// A load tool.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Tool {
    Tacho,
    Wrk,
    Ab,
    Oha,
    Hey,
    Sender,
    BareLoop,
}

impl fmt::Display for Tool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Tacho => "tacho",
            Self::Wrk => "wrk",
            Self::Ab => "ab",
            Self::Oha => "oha",
            Self::Hey => "hey",
            Self::Sender => "a thread that sleeps and sends",
            Self::BareLoop => "a loop that only sends and reads",
        })
    }
}

/// What a tool is asked to send.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Load {
    /// Each connection sends its next request when it has its answer.
    Closed {
        connections: u32,
        requests: u64,
        /// For wrk, which cannot be told a number of requests.
        wrk_seconds: u64,
    },
    /// Requests a second, whatever the subject does; latency from the intended instant.
    Constant {
        connections: u32,
        rate: u32,
        seconds: u64,
    },
}

/// What a tool says of itself.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Said {
    /// Answered requests, whatever their status.
    pub requests: u64,
    /// Response times; a tool without correction for coordinated omission gives service times.
    pub latency: Option<Latency>,
    /// By its own word; only Tacho gives it.
    pub own_lateness_p99_ms: Option<f64>,
    /// Anything that makes the result doubtful, in the tool's own words.
    pub doubts: Vec<String>,
}

/// In milliseconds; `None` where the tool does not tell it.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Latency {
    pub p50: Option<f64>,
    pub p95: Option<f64>,
    pub p99: Option<f64>,
    pub max: Option<f64>,
}

/// A tool's run: what it said, and what was seen from outside.
#[derive(Debug)]
pub struct Measured {
    pub said: Said,
    pub wall: Duration,
    pub cpu: Duration,
    pub peak_rss_bytes: u64,
    pub peak_anonymous_bytes: u64,
    /// What the subject saw, where it was the witness.
    pub testimony: Option<Testimony>,
}

impl Measured {
    /// Processor time of the tool for each request, in microseconds.
    pub fn cpu_us_a_request(&self) -> f64 {
        self.cpu.as_secs_f64() * 1e6 / self.said.requests.max(1) as f64
    }

    /// By our own clock, start and end of the process included, the same for each tool.
    pub fn requests_a_second(&self) -> f64 {
        self.said.requests as f64 / self.wall.as_secs_f64()
    }
}

/// Where the tools are.
#[derive(Debug, Clone)]
pub struct Toolbox {
    tacho: PathBuf,
    private: PathBuf,
}

const INSTALL: &str = "scripts/bench-prerequisites installs it";

impl Toolbox {
    /// Tacho must be there; another tool that is missing shows when it is needed.
    pub fn find(tacho: &Path, private: &Path) -> Result<Self, BenchError> {
        if !tacho.is_file() {
            return Err(BenchError::Missing {
                program: tacho.display().to_string(),
                remedy: "build it with `make build`",
            });
        }
        Ok(Self {
            tacho: std::path::absolute(tacho)?,
            private: std::path::absolute(private)?,
        })
    }

    /// The program of a tool is where it should be.
    pub fn has(&self, tool: Tool) -> bool {
        let in_path = |name: &str| {
            let folders = std::env::var_os("PATH").unwrap_or_default();
            std::env::split_paths(&folders).any(|folder| folder.join(name).is_file())
        };
        match tool {
            Tool::Tacho | Tool::Sender | Tool::BareLoop => true,
            Tool::Wrk => in_path("wrk"),
            Tool::Ab => in_path("ab"),
            Tool::Oha => self.private.join("oha").is_file(),
            Tool::Hey => self.private.join("hey").is_file(),
        }
    }

    /// Path of Tacho itself.
    pub fn tacho(&self) -> &Path {
        &self.tacho
    }

    /// Runs a tool against a URL, on one processor, and reads its result.
    pub fn run(
        &self,
        tool: Tool,
        load: Load,
        url: &str,
        processor: usize,
    ) -> Result<Measured, BenchError> {
        let report = tempfile::NamedTempFile::new()?;
        let mut command = self.command(tool, load, url, report.path())?;
        let finished = child::run(&mut command, processor, patience(load))?;
        let json = std::fs::read_to_string(report.path()).unwrap_or_default();
        let said = read(tool, &finished, &json).map_err(|reason| BenchError::Unreadable {
            command: child::as_text(&command),
            reason,
            said: last_words(&finished),
        })?;
        Ok(Measured {
            said,
            wall: finished.wall,
            cpu: finished.usage.cpu,
            peak_rss_bytes: finished.usage.peak_rss_bytes,
            peak_anonymous_bytes: finished.peak_anonymous_bytes,
            testimony: None,
        })
    }

    /// The command for a tool; `report` is where Tacho writes its JSON.
    pub fn command(
        &self,
        tool: Tool,
        load: Load,
        url: &str,
        report: &Path,
    ) -> Result<Command, BenchError> {
        let in_private = |name: &str| {
            let path = self.private.join(name);
            path.is_file()
                .then_some(path)
                .ok_or_else(|| BenchError::Missing {
                    program: name.to_owned(),
                    remedy: INSTALL,
                })
        };
        let program = match tool {
            Tool::Tacho => self.tacho.clone(),
            Tool::Wrk => "wrk".into(),
            Tool::Ab => "ab".into(),
            Tool::Oha => in_private("oha")?,
            Tool::Hey => in_private("hey")?,
            Tool::Sender | Tool::BareLoop => std::env::current_exe()?,
        };
        let mut command = Command::new(program);
        match tool {
            Tool::Tacho => tacho::arguments(&mut command, load, report),
            Tool::Wrk => wrk::arguments(&mut command, load),
            Tool::Ab => ab::arguments(&mut command, load),
            Tool::Oha => oha::arguments(&mut command, load),
            Tool::Hey => hey::arguments(&mut command, load),
            Tool::Sender => sender::arguments(&mut command, load),
            Tool::BareLoop => bare::arguments(&mut command, load),
        }
        command.arg(url);
        Ok(command)
    }
}

fn read(tool: Tool, finished: &Finished, json: &str) -> Result<Said, String> {
    let said = match tool {
        Tool::Tacho => tacho::read(json)?,
        Tool::Wrk => wrk::read(&finished.stdout)?,
        Tool::Ab => ab::read(&finished.stdout)?,
        Tool::Oha => oha::read(&finished.stdout)?,
        Tool::Hey => hey::read(&finished.stdout)?,
        Tool::Sender | Tool::BareLoop => sender::read(&finished.stdout)?,
    };
    if said.requests == 0 {
        return Err("no request was answered".to_owned());
    }
    Ok(said)
}

/// Five times what a tool of 5,000 requests a second would take, and a minute.
fn patience(load: Load) -> Duration {
    let seconds = match load {
        Load::Closed { requests, .. } => requests / 1_000,
        Load::Constant { seconds, .. } => seconds,
    };
    Duration::from_secs(seconds + 60)
}

fn last_words(finished: &Finished) -> String {
    let all = format!("{}{}", finished.stdout, finished.stderr);
    let lines: Vec<&str> = all
        .lines()
        .rev()
        .filter(|line| !line.trim().is_empty())
        .take(3)
        .collect();
    lines.into_iter().rev().collect::<Vec<_>>().join(" / ")
}

/// The number that follows a label in a text report.
fn number_after<'a>(text: &'a str, label: &str) -> Result<&'a str, String> {
    text.lines()
        .find_map(|line| line.trim_start().strip_prefix(label))
        .and_then(|rest| rest.split_whitespace().next())
        .ok_or_else(|| format!("no line begins with `{label}`"))
}

/// A count, which must be one.
fn count(text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| format!("`{text}` is no count"))
}
