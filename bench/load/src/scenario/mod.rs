//! What is compared, one file each.

mod accuracy;
mod closed;
mod connections;
mod constant;
mod fast;
mod memory;
mod poisson;
mod size;
mod start;

use crate::error::BenchError;
use crate::report::{Section, Verdict, bar};
use crate::rounds;
use crate::tools::{Load, Measured, Tool, Toolbox};
use clap::ValueEnum;
use std::fmt;
use tacho_witness::processors::Processors;

/// What a scenario works with.
#[derive(Debug)]
pub struct Bench {
    pub extent: Extent,
    pub processors: Processors,
    pub toolbox: Toolbox,
}

/// How long and how often.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Extent {
    pub is_quick: bool,
    pub rounds: usize,
    pub closed_requests: u64,
    pub wrk_seconds: u64,
    pub constant_seconds: u64,
    pub connections_seconds: u64,
    /// Few, many, and more if asked for.
    pub memory_requests: [u64; 2],
    pub hundred_million: bool,
    pub starts: usize,
    pub accuracy_rounds: usize,
    pub accuracy_seconds: u64,
}

impl Extent {
    /// About fifteen minutes.
    pub fn full(hundred_million: bool) -> Self {
        Self {
            is_quick: false,
            rounds: 5,
            closed_requests: 500_000,
            wrk_seconds: 6,
            constant_seconds: 5,
            connections_seconds: 15,
            memory_requests: [1_000_000, 10_000_000],
            hundred_million,
            starts: 200,
            accuracy_rounds: 3,
            accuracy_seconds: 20,
        }
    }

    /// About two minutes.
    pub fn quick() -> Self {
        Self {
            is_quick: true,
            rounds: 3,
            closed_requests: 100_000,
            wrk_seconds: 2,
            constant_seconds: 3,
            connections_seconds: 5,
            memory_requests: [100_000, 1_000_000],
            hundred_million: false,
            starts: 40,
            accuracy_rounds: 1,
            accuracy_seconds: 10,
        }
    }
}

/// A comparison of the tools under one kind of load.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Scenario {
    Closed,
    Constant,
    Fast,
    Poisson,
    Connections,
    Memory,
    Start,
    Size,
    Accuracy,
}

impl Scenario {
    pub const ALL: [Self; 9] = [
        Self::Closed,
        Self::Constant,
        Self::Fast,
        Self::Poisson,
        Self::Connections,
        Self::Memory,
        Self::Start,
        Self::Size,
        Self::Accuracy,
    ];

    /// Runs all rounds of the comparison.
    pub fn run(self, bench: &Bench) -> Result<Section, BenchError> {
        match self {
            Self::Closed => closed::run(bench),
            Self::Constant => constant::run(bench),
            Self::Fast => fast::run(bench),
            Self::Poisson => poisson::run(bench),
            Self::Connections => connections::run(bench),
            Self::Memory => memory::run(bench),
            Self::Start => start::run(bench),
            Self::Size => size::run(bench),
            Self::Accuracy => accuracy::run(bench),
        }
    }

    /// The section of a scenario that could not be measured.
    pub fn not_run(self, error: &BenchError) -> Section {
        Section {
            title: self.to_string(),
            bars: vec![bar(
                "all of it",
                "",
                "",
                Verdict::NotMeasured(error.to_string()),
            )],
            table: None,
            notes: Vec::new(),
        }
    }
}

impl fmt::Display for Scenario {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Closed => "closed loop, 64 connections",
            Self::Constant => {
                "each request at its own instant: 64 connections, against the witness"
            }
            Self::Fast => "50,000 a second over 64 connections, against the witness",
            Self::Poisson => "Poisson arrivals, 64 connections, against the witness",
            Self::Connections => "10,000 open connections",
            Self::Memory => "memory over a long run",
            Self::Start => "start to first byte sent",
            Self::Size => "size of the program",
            Self::Accuracy => "accuracy: 2,000/s, silent for 1 s of every 10 s",
        })
    }
}

/// Measurements of several tools, by round and then in the order of the tools.
struct Rounds {
    tools: Vec<Tool>,
    measured: Vec<Vec<Measured>>,
    missing: Vec<Tool>,
}

impl Rounds {
    /// Lets the tools take turns that are there.
    fn measure(
        bench: &Bench,
        tools: &[Tool],
        run: impl Fn(Tool) -> Result<Measured, BenchError>,
    ) -> Result<Self, BenchError> {
        let rounds = bench.extent.rounds;
        let there = |tool: &Tool| bench.toolbox.has(*tool);
        let (tools, missing): (Vec<Tool>, Vec<Tool>) = tools.iter().partition(|tool| there(tool));
        let mut all = Vec::with_capacity(rounds);
        for round in 0..rounds {
            let mut turns = Vec::with_capacity(tools.len());
            for index in rounds::order(tools.len(), round) {
                turns.push((index, run(tools[index])?));
            }
            turns.sort_by_key(|(index, _)| *index);
            all.push(turns.into_iter().map(|(_, measured)| measured).collect());
            eprintln!("  round {} of {rounds}", round + 1);
        }
        Ok(Self {
            tools,
            measured: all,
            missing,
        })
    }

    /// A figure of one tool in each round.
    fn of(&self, tool: Tool, figure: impl Fn(&Measured) -> f64) -> Vec<f64> {
        let index = self.tools.iter().position(|&t| t == tool);
        index.map_or_else(Vec::new, |index| {
            self.measured
                .iter()
                .map(|round| figure(&round[index]))
                .collect()
        })
    }

    /// A figure of one tool divided by that of another, in each round.
    fn ratios(&self, tool: Tool, to: Tool, figure: impl Fn(&Measured) -> f64) -> Vec<f64> {
        let (ours, theirs) = (self.of(tool, &figure), self.of(to, &figure));
        ours.iter().zip(theirs).map(|(a, b)| a / b).collect()
    }

    /// The tools that were missing, and what the others said that makes their results doubtful.
    fn notes(&self) -> Vec<String> {
        let of_missing =
            |tool| format!("{tool} is not there: scripts/bench-prerequisites brings it");
        let mut doubts: Vec<String> = self.missing.iter().map(of_missing).collect();
        for (number, round) in (1..).zip(&self.measured) {
            for (tool, measured) in self.tools.iter().zip(round) {
                doubts.extend(
                    measured
                        .said
                        .doubts
                        .iter()
                        .map(|d| format!("{tool}, round {number}: {d}")),
                );
            }
        }
        doubts
    }
}

/// A closed loop of 64 connections.
fn closed_loop(bench: &Bench, requests: u64) -> Load {
    Load::Closed {
        connections: 64,
        requests,
        wrk_seconds: bench.extent.wrk_seconds,
    }
}
