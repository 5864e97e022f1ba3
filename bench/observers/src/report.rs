//! The result, as a section of docs/benchmarks.md.

use crate::subject::Launched;
use crate::{Arguments, BenchError};
use std::path::Path;
use tacho_run_folder::Interval;
use tacho_statistics::bootstrap::{median, ratio_interval};

const BEGIN: &str = "<!-- bench-observers -->";
const END: &str = "<!-- /bench-observers -->";
/// Throughput with observers on is at least this share of that without.
const BAR: f64 = 0.99;

/// What was seen.
pub struct Result {
    /// Throughput on over off.
    ratio: Interval,
    /// Processor time of the subject for each answer, on over off.
    cpu: Interval,
    on: f64,
    off: f64,
    /// Processor time of the observers, of one processor.
    observer_share: f64,
    memory_lines_per_s: f64,
    jvm_lines_per_s: f64,
}

impl Result {
    pub fn of(on: &[Launched], off: &[Launched]) -> Option<Self> {
        let rates = |launches: &[Launched]| launches.iter().map(|l| l.rate).collect::<Vec<_>>();
        let cpu = |launches: &[Launched]| launches.iter().map(|l| l.cpu_us).collect::<Vec<_>>();
        let of = |value: fn(&Launched) -> f64| median(&on.iter().map(value).collect::<Vec<_>>());
        Some(Self {
            ratio: ratio_interval(&rates(on), &rates(off), 1)?,
            cpu: ratio_interval(&cpu(on), &cpu(off), 1)?,
            on: median(&rates(on))?,
            off: median(&rates(off))?,
            observer_share: of(|l| l.observer_cpu_s / l.observed_s)?,
            memory_lines_per_s: of(|l| l.lines.0 as f64 / l.observed_s)?,
            jvm_lines_per_s: of(|l| l.lines.1 as f64 / l.observed_s)?,
        })
    }

    pub fn is_met(&self) -> bool {
        self.ratio.value >= BAR
    }
}

pub fn section(result: &Result, arguments: &Arguments, version: &str) -> String {
    let interval = &result.ratio;
    let verdict = match (result.is_met(), interval.low >= BAR) {
        (true, true) => "met, by the whole interval",
        (true, false) => {
            "met, though the interval reaches below it: these launches cannot tell so small a difference"
        }
        (false, _) => "**not met**",
    };
    format!(
        "{BEGIN}\n\
## What observing costs: `make bench-observers`\n\
\n\
{}. A service of {version} limited to one processor and 512 MiB answers 16 connections in a closed loop; {} pairs of launches, on and off in random order\n\
within each, {} s of warm-up and {} s measured. On: samples.csv, memory.csv, jvm.csv and gc.log, as in every measured launch. Off: none of them.\n\
\n\
| | bar | seen | |\n\
|---|---|---|---|\n\
| throughput on : off, ratio of medians with its 95 % interval | at least {BAR} | {:.4} ({:.4} to {:.4}) | {verdict} |\n\
| processor time of the subject for each answer, on : off | | {:.4} ({:.4} to {:.4}) | |\n\
\n\
On {:.0}/s, off {:.0}/s. The observers took {:.2} % of one processor, outside of the subject's limit; {:.1} lines of memory.csv with all mappings and {:.1} of jvm.csv a second.\n\
{END}",
        jiff::Zoned::now().date(),
        arguments.pairs,
        arguments.warm_up,
        arguments.measured,
        interval.value,
        interval.low,
        interval.high,
        result.cpu.value,
        result.cpu.low,
        result.cpu.high,
        result.on,
        result.off,
        result.observer_share * 100.0,
        result.memory_lines_per_s,
        result.jvm_lines_per_s,
    )
}

/// Replaces the section between its markers, or appends it.
pub fn write(path: &Path, section: &str) -> std::result::Result<(), BenchError> {
    let failed = |e: std::io::Error| BenchError::Document(path.to_owned(), e.to_string());
    let old = std::fs::read_to_string(path).map_err(failed)?;
    std::fs::write(path, replaced(&old, section)).map_err(failed)
}

fn replaced(old: &str, section: &str) -> String {
    match (old.split_once(BEGIN), old.split_once(END)) {
        (Some((before, _)), Some((_, after))) => format!("{before}{section}{after}"),
        _ => format!("{}\n\n{section}\n", old.trim_end()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn launched(rate: f64) -> Launched {
        Launched {
            rate,
            cpu_us: 1e6 / rate,
            observer_cpu_s: 0.2,
            observed_s: 10.0,
            lines: (10, 100),
        }
    }

    #[test]
    fn the_bar_is_judged_by_the_ratio_of_medians() {
        let rates = |list: &[f64]| list.iter().map(|r| launched(*r)).collect::<Vec<_>>();
        let off = rates(&[1000.0, 1010.0, 990.0, 1005.0]);
        assert!(
            Result::of(&rates(&[1000.0, 1002.0, 996.0, 1001.0]), &off).is_some_and(|r| r.is_met())
        );
        assert!(
            Result::of(&rates(&[950.0, 960.0, 955.0, 940.0]), &off).is_some_and(|r| !r.is_met())
        );
        assert!(Result::of(&[], &off).is_none());
    }

    #[test]
    fn a_section_replaces_its_predecessor_and_nothing_else() {
        let once = replaced("# Benchmarks\n\ntext\n", &format!("{BEGIN}\none\n{END}"));
        let twice = replaced(&format!("{once}after\n"), &format!("{BEGIN}\ntwo\n{END}"));
        assert_eq!(
            twice,
            format!("# Benchmarks\n\ntext\n\n{BEGIN}\ntwo\n{END}\nafter\n")
        );
    }
}
