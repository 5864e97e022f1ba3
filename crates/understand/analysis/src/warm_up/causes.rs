//! What a process was busy with while it served its first users: what it still had to learn, and
//! what kept it from learning.

use super::serving::Serving;
use tacho_run_folder::{Cell, JvmSample, Sample, WarmingCause};
use tacho_statistics::bootstrap::median;

/// Seconds of the phase that are looked at, from its beginning and from its end.
const WINDOW_S: f64 = 10.0;
/// A process that uses so much of its processors has none to spare for its compilers.
const BUSY: f64 = 0.9;
/// This much time of compilers a second is work that matters.
const COMPILING: f64 = 0.2;

/// The counters of one process at two instants.
struct Window<'a, T> {
    first: &'a T,
    last: &'a T,
    length_s: f64,
}

/// A beginning and an end of the phase: in milliseconds since `exec`.
fn spans(served: &Serving<'_>) -> [(f64, f64); 2] {
    let begin = served.phase.started_ms;
    let end = begin + served.phase.duration_s * 1e3;
    let window = (WINDOW_S * 1e3).min((end - begin) / 2.0);
    [(begin, begin + window), (end - window, end)]
}

fn window<T>(series: &[T], at_ms: impl Fn(&T) -> f64, span: (f64, f64)) -> Option<Window<'_, T>> {
    let is_in = |sample: &&T| (span.0..=span.1).contains(&at_ms(sample));
    let first = series.iter().find(is_in)?;
    let last = series.iter().rev().find(is_in)?;
    let length_s = (at_ms(last) - at_ms(first)) / 1e3;
    (length_s > 0.5).then_some(Window {
        first,
        last,
        length_s,
    })
}

impl<T> Window<'_, T> {
    fn rate(&self, read: impl Fn(&T) -> Option<f64>) -> Option<f64> {
        Some((read(self.last)? - read(self.first)?) / self.length_s)
    }
}

fn jvm<'a>(served: &Serving<'a>, span: (f64, f64)) -> Option<Window<'a, JvmSample>> {
    window(&served.launch.jvm, |sample| sample.at_ms, span)
}

fn process<'a>(served: &Serving<'a>, span: (f64, f64)) -> Option<Window<'a, Sample>> {
    window(&served.launch.samples, |sample| sample.at_ms, span)
}

type Read = fn(&Serving<'_>, (f64, f64)) -> Option<f64>;

/// What is looked at, in the order in which it is shown.
const CAUSES: [(&str, &str, Read); 6] = [
    ("time spent compiling", "s/s", |s, span| {
        jvm(s, span)?.rate(|j| j.compile_s)
    }),
    ("methods compiled", "1/s", |s, span| {
        jvm(s, span)?.rate(|j| Some(j.compilations? as f64))
    }),
    ("classes loaded", "1/s", |s, span| {
        jvm(s, span)?.rate(|j| Some(j.classes_loaded? as f64))
    }),
    ("stopped for collections", "s/s", |s, span| {
        jvm(s, span)?.rate(|j| {
            Some(j.young_s? + j.full_s.unwrap_or(0.0) + j.concurrent_pause_s.unwrap_or(0.0))
        })
    }),
    ("throttled by the CPU limit", "s/s", |s, span| {
        process(s, span)?.rate(|sample| sample.throttled_s)
    }),
    ("processors used", "cpu", |s, span| {
        process(s, span)?.rate(|sample| Some(sample.cpu_s))
    }),
];

/// Of the first process of each launch: all that at least one launch tells.
pub fn causes(served: &[Serving<'_>]) -> Vec<WarmingCause> {
    CAUSES
        .iter()
        .filter_map(|&(name, unit, read)| {
            let over = |nth: usize| {
                let values: Vec<f64> = served
                    .iter()
                    .filter_map(|s| read(s, spans(s)[nth]))
                    .collect();
                median(&values)
            };
            Some(WarmingCause {
                name: name.to_owned(),
                unit: unit.to_owned(),
                first: over(0)?,
                last: over(1)?,
            })
        })
        .collect()
}

/// A sentence, when in most launches the compilers had work and the process no processor to spare
/// for it. A JVM compiles in the background: while requests take all processors, they are served by
/// the interpreter, take the longer for it, and so on.
pub fn starved(served: &[Serving<'_>], cell: &Cell) -> Option<String> {
    let processors = cell.limits.cpu?;
    let seen: Vec<(f64, f64)> = served
        .iter()
        .filter_map(|s| {
            let first = spans(s)[0];
            let compiling = jvm(s, first)?.rate(|j| j.compile_s)?;
            let used = process(s, first)?.rate(|sample| Some(sample.cpu_s))? / processors;
            Some((compiling, used))
        })
        .collect();
    let starving: Vec<&(f64, f64)> = seen
        .iter()
        .filter(|(compiling, used)| *compiling >= COMPILING && *used >= BUSY)
        .collect();
    if seen.is_empty() || starving.len() * 2 <= seen.len() {
        return None;
    }
    let compiling = median(&starving.iter().map(|(c, _)| *c).collect::<Vec<_>>())?;
    let used = median(&starving.iter().map(|(_, u)| *u).collect::<Vec<_>>())?;
    Some(format!(
        "its compilers were starved: they had {} of work in every second of the first {WINDOW_S:.0} s, while the process used {} of its processors",
        tacho_figures::seconds(compiling),
        tacho_figures::percent(used.min(1.0))
    ))
}
