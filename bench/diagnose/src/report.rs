//! Medians, bars, and the section of docs/benchmarks.md.

use crate::state::{Seen, State};
use crate::subject::{CALLS, CALLS_PER_S};
use crate::{Arguments, BenchError, io};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;
use tacho_statistics::bootstrap::median;

const MARKER: &str = "<!-- bench-diagnose -->";
const END: &str = "<!-- /bench-diagnose -->";
/// Throughput while traced is at least this share of that without.
const BAR: f64 = 0.9;

/// All rounds, by state.
#[derive(Debug, Default)]
pub struct Course(BTreeMap<State, Vec<Seen>>);

/// The median of the rounds, and their extremes.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Spread {
    middle: f64,
    least: f64,
    most: f64,
}

impl Spread {
    fn of(values: &[f64]) -> Option<Self> {
        Some(Self {
            middle: median(values)?,
            least: values.iter().copied().reduce(f64::min)?,
            most: values.iter().copied().reduce(f64::max)?,
        })
    }

    fn text(self, decimals: usize) -> String {
        format!(
            "{:.decimals$} ({:.decimals$} to {:.decimals$})",
            self.middle, self.least, self.most
        )
    }
}

impl Course {
    pub fn add(&mut self, state: State, seen: Seen) {
        self.0.entry(state).or_default().push(seen);
    }

    /// Of a state, as a share of the untraced launch of the same round.
    fn share(&self, state: State, of: impl Fn(&Seen) -> f64) -> Option<Spread> {
        let pairs = self
            .0
            .get(&state)?
            .iter()
            .zip(self.0.get(&State::Untraced)?);
        Spread::of(
            &pairs
                .map(|(seen, untraced)| of(seen) / of(untraced))
                .collect::<Vec<_>>(),
        )
    }

    fn throughput(&self, state: State) -> Option<Spread> {
        self.share(state, |seen| seen.calls_per_s)
    }

    /// What remains of the throughput under the costlier of Tacho's two, and under the cheaper of
    /// Arthas's two.
    fn rivals(&self) -> Option<(f64, f64)> {
        let middle = |state| self.throughput(state).map(|spread| spread.middle);
        Some((
            middle(State::Tacho)?.min(middle(State::TachoDeep)?),
            middle(State::ArthasFiltered)?.max(middle(State::ArthasPrinting)?),
        ))
    }

    pub fn is_met(&self) -> bool {
        self.rivals()
            .is_some_and(|(tacho, arthas)| tacho >= BAR && tacho > arthas)
    }

    fn untraced(&self, of: impl Fn(&Seen) -> f64) -> f64 {
        let seen = self.0.get(&State::Untraced).map_or(&[][..], Vec::as_slice);
        median(&seen.iter().map(of).collect::<Vec<_>>()).unwrap_or_default()
    }
}

fn met(holds: bool) -> &'static str {
    if holds { "met" } else { "**not met**" }
}

/// The section, with its markers.
pub fn section(course: &Course, arguments: &Arguments, version: &str) -> String {
    let mut text = format!("{MARKER}\n## What tracing costs: `make bench-diagnose`\n\n");
    let _ = writeln!(
        text,
        "{}. {version}. A service limited to one processor answers 16 connections in a closed loop; a request calls the hot method {CALLS} times and each of those calls six others. The work is such that \
         {CALLS_PER_S:.0} calls of the hot method a second are what the processor can do when nobody traces: seen were {:.0}, at {:.1} us of processor time each. So what a tracer costs is missing from \
         the throughput. {} rounds, in each of which every state has a JVM of its own, with {} s of load before it is traced, {} s traced and not measured, {} s measured. Medians of the ratios within a \
         round, in parentheses the extremes.\n",
        jiff::Zoned::now().date(),
        course.untraced(|seen| seen.calls_per_s),
        course.untraced(|seen| seen.cpu_us),
        arguments.rounds,
        arguments.warm_up,
        arguments.settle,
        arguments.measured,
    );
    if let Some((tacho, arthas)) = course.rivals() {
        let _ = writeln!(
            text,
            "| | bar | seen | |\n|---|---|---|---|\n| throughput traced by Tacho, the costlier of its two | at least {BAR} of untraced | {tacho:.3} | {} |\n\
             | loss by Tacho, the costlier of its two | less than by Arthas 4.1.5, the cheaper of its two | {:.1} % beside {:.1} % | {} |\n",
            met(tacho >= BAR),
            (1.0 - tacho) * 100.0,
            (1.0 - arthas) * 100.0,
            met(tacho > arthas),
        );
    }
    text.push_str("| state | throughput / untraced | processor time a call / untraced | calls that it shows |\n|---|---|---|---|\n");
    for state in State::ALL {
        let (Some(throughput), Some(cpu)) = (
            course.throughput(state),
            course.share(state, |seen| seen.cpu_us),
        ) else {
            continue;
        };
        if state == State::Untraced {
            let _ = writeln!(text, "| {} | 1 | 1 | |", state.what());
            continue;
        }
        let seen = course.0.get(&state).map_or(&[][..], Vec::as_slice);
        let shown = Spread::of(
            &seen
                .iter()
                .filter_map(|seen| seen.shown)
                .collect::<Vec<_>>(),
        );
        let _ = writeln!(
            text,
            "| {} | {} | {} | {} |",
            state.what(),
            throughput.text(3),
            cpu.text(3),
            match shown {
                Some(shown) if (shown.least, shown.most) == (1.0, 1.0) =>
                    "all, added up".to_owned(),
                Some(shown) => format!("{} %", (shown.middle * 100.0).round()),
                None => "those slower than the filter: none".to_owned(),
            }
        );
    }
    text.push_str(
        "\nTacho's counts were held against the service's own: every call of the hot method and six times as many inside it, exactly. Arthas is attached as its `as.sh` does it and told \
         `trace com.acme.Shop total -n 2147483647`, with the filter or without; its console is read all the time by Telnet on loopback, outside of the service's limit.\n",
    );
    text + END + "\n"
}

/// Puts the section between the markers, or at the end.
pub fn write(path: &Path, section: &str) -> Result<(), BenchError> {
    let what = path.display().to_string();
    let old = std::fs::read_to_string(path).map_err(io(&what))?;
    std::fs::write(path, replaced(&old, section)).map_err(io(&what))
}

fn replaced(old: &str, section: &str) -> String {
    match (old.split_once(MARKER), old.split_once(END)) {
        (Some((before, _)), Some((_, after))) => format!("{before}{}{after}", section.trim_end()),
        _ => format!("{}\n\n{section}", old.trim_end()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn course(rates: [f64; 5]) -> Course {
        let mut course = Course::default();
        for _ in 0..3 {
            for (state, calls_per_s) in State::ALL.into_iter().zip(rates) {
                let shown = (state == State::ArthasPrinting).then_some(0.5);
                let cpu_us = 1e6 / calls_per_s;
                course.add(
                    state,
                    Seen {
                        calls_per_s,
                        cpu_us,
                        shown,
                    },
                );
            }
        }
        course
    }

    #[test]
    fn tacho_s_costlier_state_is_held_against_the_cheaper_of_arthas() {
        assert!(course([10_000.0, 9_900.0, 9_500.0, 9_000.0, 4_000.0]).is_met());
        assert!(!course([10_000.0, 9_900.0, 8_900.0, 8_000.0, 4_000.0]).is_met());
        assert!(!course([10_000.0, 9_900.0, 9_500.0, 9_600.0, 4_000.0]).is_met());
        assert!(!course([10_000.0, 9_900.0, 9_500.0, 9_000.0, 9_600.0]).is_met());
        assert!(!Course::default().is_met());
    }

    #[test]
    fn a_section_replaces_its_predecessor_and_nothing_else() {
        let section = |text: &str| format!("{MARKER}\n{text}\n{END}\n");
        let once = replaced("# Benchmarks\n\ntext\n", &section("one"));
        let twice = replaced(&format!("{once}\nafter\n"), &section("two"));
        assert_eq!(
            twice,
            format!("# Benchmarks\n\ntext\n\n{}\nafter\n", section("two"))
        );
    }
}
