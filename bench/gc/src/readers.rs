//! The two readers over one log: how long they took, and what they counted.

use crate::{BenchError, io};
use rustix::time::{ClockId, clock_gettime};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;
use tacho_gc_log::{Log, Summary, parts};
use tacho_subject::Jdk;

/// What one reading took, and found.
#[derive(Debug, Clone, PartialEq)]
pub struct Read {
    /// By the clock on the wall.
    pub wall_s: f64,
    /// Of processors, over all threads.
    pub cpu_s: f64,
    /// Most resident memory so far; 0 when it is not told.
    pub peak_bytes: u64,
    /// Collections, and pauses that are steps of a cycle, by name.
    pub counts: BTreeMap<String, u64>,
    /// All pauses together, in seconds.
    pub pauses_s: f64,
}

/// Ours, in one thread of this process.
pub fn tacho(path: &Path) -> Result<Read, BenchError> {
    let wall = Instant::now();
    let cpu = thread_time();
    let mut log = Log::default();
    let mut summary = Summary::default();
    let unexpected = |error: tacho_gc_log::GcLogError| BenchError::Unexpected(error.to_string());
    for part in parts(&[path.to_owned()]).map_err(unexpected)? {
        log.read_part(&part, &mut |event| summary.take(event))
            .map_err(unexpected)?;
    }
    let lines = log.end(&mut |event| summary.take(event));
    let summary = summary.finish(Vec::new(), lines);
    let (wall_s, cpu_s) = (wall.elapsed().as_secs_f64(), thread_time() - cpu);
    if summary.lines.unknown > 0 {
        return Err(BenchError::Unexpected(format!(
            "not understood: {:?}",
            summary.lines.examples
        )));
    }
    let mut counts = BTreeMap::new();
    for kind in &summary.pauses.by_kind {
        *counts.entry(kind.kind.clone()).or_insert(0) += kind.count;
    }
    for cycle in &summary.cycles {
        *counts.entry(cycle.kind.clone()).or_insert(0) += cycle.count;
    }
    Ok(Read {
        wall_s,
        cpu_s,
        peak_bytes: peak(),
        counts,
        pauses_s: summary.pauses.total_s,
    })
}

fn thread_time() -> f64 {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 / 1e9
}

/// VmHWM of this process.
fn peak() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kib = line.and_then(|line| line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok());
    kib.unwrap_or(0) * 1024
}

/// gctoolkit in a JVM of its own, whose start does not count.
pub struct Gctoolkit {
    java: PathBuf,
    classpath: String,
}

impl Gctoolkit {
    /// What `mvn package` has built.
    pub fn find(target: &Path, jdk: &Jdk) -> Result<Self, BenchError> {
        let jar = target.join("bench-gctoolkit.jar");
        if !jar.exists() {
            return Err(BenchError::Unexpected(format!(
                "{} is missing; run this by make bench-gc",
                jar.display()
            )));
        }
        Ok(Self {
            java: jdk.tool("java"),
            classpath: format!("{}:{}/*", jar.display(), target.join("lib").display()),
        })
    }

    /// Has it read a log.
    pub fn read(&self, path: &Path) -> Result<Read, BenchError> {
        let run = Command::new(&self.java)
            .args([
                "-Xmx4g",
                "-cp",
                &self.classpath,
                "tacho.bench.GctoolkitBench",
            ])
            .arg(path)
            .output()
            .map_err(io("java"))?;
        let told = String::from_utf8_lossy(&run.stdout);
        let result = told.lines().find_map(parse);
        result.ok_or_else(|| {
            BenchError::Unexpected(format!(
                "gctoolkit: {told}{}",
                String::from_utf8_lossy(&run.stderr)
            ))
        })
    }
}

/// `result;wall;cpu;pauses;seconds;G1Young=12;...`
fn parse(line: &str) -> Option<Read> {
    let mut fields = line.strip_prefix("result;")?.split(';');
    let wall_s = fields.next()?.parse().ok()?;
    let cpu_s = fields.next()?.parse().ok()?;
    let pauses_s = fields.next()?.parse().ok()?;
    let counts = fields
        .map(|field| {
            let (name, count) = field.split_once('=')?;
            Some((name.to_owned(), count.parse().ok()?))
        })
        .collect::<Option<_>>()?;
    Some(Read {
        wall_s,
        cpu_s,
        peak_bytes: 0,
        counts,
        pauses_s,
    })
}
