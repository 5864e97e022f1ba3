//! Ten thousand open connections: what they take of memory.

use super::{Bench, Scenario};
use crate::error::BenchError;
use crate::report::{Section, at_most};
use crate::rounds::Spread;
use crate::subject::Nginx;
use crate::tools::{Load, Tool};
use rustix::process::{Resource, getrlimit};

const CONNECTIONS: u32 = 10_000;
const MEMORY_BAR_MB: f64 = 60.0;
/// What generator and subject open besides.
const OTHER_FILES: u64 = 500;

pub fn run(bench: &Bench) -> Result<Section, BenchError> {
    // Tacho and nginx raise the soft limit themselves; the hard one is not theirs to raise.
    let needed = u64::from(CONNECTIONS) + OTHER_FILES;
    if let Some(allowed) = getrlimit(Resource::Nofile)
        .maximum
        .filter(|&hard| hard < needed)
    {
        return Err(BenchError::TooFewFiles {
            connections: CONNECTIONS,
            needed,
            allowed,
        });
    }
    let subject = Nginx::start(bench.processors.subject)?;
    let load = Load::Constant {
        connections: CONNECTIONS,
        rate: 10_000,
        seconds: bench.extent.connections_seconds,
    };
    let measured = bench.toolbox.run(
        Tool::Tacho,
        load,
        &subject.url(),
        bench.processors.generator,
    )?;
    let peak_mb = measured.peak_rss_bytes as f64 / 1e6;
    Ok(Section {
        title: Scenario::Connections.to_string(),
        bars: vec![at_most(
            "peak resident memory",
            MEMORY_BAR_MB,
            "MB",
            Spread::of([peak_mb]),
        )],
        table: None,
        notes: measured.said.doubts,
    })
}
