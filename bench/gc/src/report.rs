//! Medians, bars, and the section of docs/benchmarks.md.

use crate::readers::Read;
use crate::{BenchError, io};
use std::fmt::Write as _;
use std::path::Path;

const MARKER: &str = "<!-- bench-gc -->";
const END: &str = "<!-- /bench-gc -->";
const MEGABYTE: f64 = 1e6;
/// Bars: megabytes a second of one processor, of unified logs and of those of JDK 8, and times
/// gctoolkit's.
const SPEED: f64 = 400.0;
const SPEED_OF_JDK_8: f64 = 200.0;
const FASTER: f64 = 10.0;
/// What reading a log 300 times as long may add to memory: constant, but for the allocator.
const GROWTH: u64 = 8_000_000;

/// What both readers took for one log in one round.
pub struct Round {
    pub ours: Read,
    pub theirs: Read,
}

/// All rounds of one log.
pub struct Course {
    collector: &'static str,
    bytes: u64,
    pub rounds: Vec<Round>,
    /// Resident memory after the long log less that after a short one.
    pub grew_by: u64,
}

impl Course {
    pub fn new(collector: &'static str, bytes: u64) -> Self {
        Self {
            collector,
            bytes,
            rounds: Vec::new(),
            grew_by: 0,
        }
    }

    fn median(&self, of: impl Fn(&Round) -> f64) -> Spread {
        let mut values: Vec<f64> = self.rounds.iter().map(of).collect();
        values.sort_by(f64::total_cmp);
        Spread {
            least: values[0],
            middle: values[values.len() / 2],
            most: values[values.len() - 1],
        }
    }

    fn bar(&self) -> f64 {
        match self.collector.starts_with("JDK 8") {
            true => SPEED_OF_JDK_8,
            false => SPEED,
        }
    }

    fn megabytes(&self) -> f64 {
        self.bytes as f64 / MEGABYTE
    }

    /// What both count: name, ours, theirs.
    fn counts(&self) -> Vec<(&'static str, u64, u64)> {
        let round = &self.rounds[0];
        let ours = |is: &dyn Fn(&str) -> bool| sum(&round.ours, is);
        let theirs = |is: &dyn Fn(&str) -> bool| sum(&round.theirs, is);
        match self.collector {
            "G1" => vec![
                (
                    "young",
                    ours(&|k| k.starts_with("Young")),
                    theirs(&|k| matches!(k, "G1Young" | "G1Mixed" | "G1YoungInitialMark")),
                ),
                (
                    "full",
                    ours(&|k| k == "Full"),
                    theirs(&|k| k.starts_with("G1Full") || k == "G1SystemGC"),
                ),
                (
                    "remark",
                    ours(&|k| k == "Remark"),
                    theirs(&|k| k == "G1Remark"),
                ),
                (
                    "cleanup",
                    ours(&|k| k == "Cleanup"),
                    theirs(&|k| k == "G1Cleanup"),
                ),
            ],
            "JDK 8, G1" => vec![
                (
                    "young and mixed",
                    ours(&|k| k.starts_with("GC pause")),
                    theirs(&|k| matches!(k, "G1Young" | "G1Mixed" | "G1YoungInitialMark")),
                ),
                (
                    "full",
                    ours(&|k| k == "Full GC"),
                    theirs(&|k| k.starts_with("G1Full") || k == "G1SystemGC"),
                ),
            ],
            "JDK 8, Parallel" | "JDK 8, CMS" => vec![(
                "all pauses",
                ours(&|k| k != "Concurrent cycle"),
                theirs(&|_| true),
            )],
            "Z" => vec![(
                "cycles",
                ours(&|k| k == "Garbage Collection"),
                theirs(&|k| k.ends_with("ZGCCycle")),
            )],
            _ => vec![
                (
                    "young",
                    ours(&|k| k == "Young"),
                    theirs(&|k| matches!(k, "PSYoungGen" | "DefNew" | "YoungGC")),
                ),
                (
                    "full",
                    ours(&|k| k == "Full"),
                    theirs(&|k| matches!(k, "PSFullGC" | "FullGC" | "SystemGC")),
                ),
            ],
        }
    }
}

fn sum(read: &Read, is: &dyn Fn(&str) -> bool) -> u64 {
    let counts = read.counts.iter().filter(|(kind, _)| is(kind));
    counts.map(|(_, count)| count).sum()
}

struct Spread {
    least: f64,
    middle: f64,
    most: f64,
}

impl Spread {
    fn text(&self, decimals: usize) -> String {
        format!(
            "{:.decimals$} ({:.decimals$} to {:.decimals$})",
            self.middle, self.least, self.most
        )
    }
}

fn met(holds: bool) -> &'static str {
    if holds { "met" } else { "**not met**" }
}

/// The section, without its markers.
pub fn markdown(courses: &[Course], rounds: usize) -> String {
    let mut text = String::new();
    let today = jiff::Zoned::now().date();
    let _ = writeln!(
        text,
        "## `make bench-gc`\n\n{today}. Tacho's reader and summary of garbage collection logs beside gctoolkit 3.5.0, on the same logs: recorded by JDK 17 with `-Xlog:gc*`, and those of JDK 8 of `labs/gc-logs`, repeated to their size. {rounds} rounds in turns; medians, in parentheses the extremes. Speed is megabytes (10^6) by processor time: ours of one thread, \
         gctoolkit's over all its threads, without the start of its JVM.\n"
    );
    text.push_str("| log | bar | seen | |\n|---|---|---|---|\n");
    for course in courses {
        let speed = course.median(|round| course.megabytes() / round.ours.cpu_s);
        let ratio = course.median(|round| round.theirs.cpu_s / round.ours.cpu_s);
        let wall = course.median(|round| round.theirs.wall_s / round.ours.wall_s);
        let name = format!("{}, {:.0} MB", course.collector, course.megabytes());
        let _ = writeln!(
            text,
            "| {name} | at least {:.0} MB/s | {} MB/s | {} |",
            course.bar(),
            speed.text(0),
            met(speed.middle >= course.bar())
        );
        let _ = writeln!(
            text,
            "| | at least {FASTER:.0} x gctoolkit | {} x | {} |",
            ratio.text(1),
            met(ratio.middle >= FASTER)
        );
        let _ = writeln!(
            text,
            "| | the same by the clock on the wall | {} x | |",
            wall.text(1)
        );
        let _ = writeln!(
            text,
            "| | memory does not grow with the log | {:.1} MB more than with 1 MB | {} |",
            course.grew_by as f64 / MEGABYTE,
            met(course.grew_by <= GROWTH)
        );
    }
    text.push_str("\nCounts of both:\n\n| log | what | tacho | gctoolkit |\n|---|---|---:|---:|\n");
    for course in courses {
        for (what, ours, theirs) in course.counts() {
            let _ = writeln!(
                text,
                "| {} | {what} | {ours} | {theirs} |",
                course.collector
            );
        }
        let round = &course.rounds[0];
        if course.collector != "Z" {
            let _ = writeln!(
                text,
                "| {} | seconds of pauses | {:.3} | {:.3} |",
                course.collector, round.ours.pauses_s, round.theirs.pauses_s
            );
        }
    }
    text
}

/// Puts the section between the markers, or at the end.
pub fn write_section(path: &Path, section: &str) -> Result<(), BenchError> {
    let what = path.display().to_string();
    let old = std::fs::read_to_string(path).map_err(io(&what))?;
    let new = format!("{MARKER}\n{section}{END}\n");
    let text = match (old.find(MARKER), old.find(END)) {
        (Some(begin), Some(end)) if begin < end => {
            let after = old[end + END.len()..].trim_start_matches('\n');
            let gap = if after.is_empty() { "" } else { "\n" };
            format!("{}{new}{gap}{after}", &old[..begin])
        }
        _ => format!("{}\n\n{new}", old.trim_end()),
    };
    std::fs::write(path, text).map_err(io(&what))
}
