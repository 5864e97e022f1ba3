//! What the view shows at one instant: pure functions from what is known to lines.

use super::heat;
use super::planned::PhaseView;
use super::progress::{progress, search, standing, whole};
use anstyle::{AnsiColor, Style as Ansi};
use tacho_figures as figures;
use tacho_load::Counters;
use tacho_load::recorder::{LiveSecond, LiveSnapshot};
use tacho_report::terminal::style::{BOLD, DIM, PLAIN, RED};
use tacho_report::terminal::text::Text;
use tacho_run_folder::Quantiles;

/// What is known at one instant.
#[derive(Debug, Clone, PartialEq)]
pub struct Scene<'a> {
    /// What is planned.
    pub phase: &'a PhaseView,
    /// Since its clock started, in seconds; `None` while connections are opened.
    pub elapsed_s: Option<f64>,
    /// Of this phase alone.
    pub counters: Counters,
    /// Answers a second over the last second.
    pub rate: f64,
    /// Requests a second that were asked for in the same second.
    pub intended_rate: Option<f64>,
    /// What the recorder shows.
    pub live: &'a LiveSnapshot,
}

pub(super) const CYAN: Ansi = AnsiColor::Cyan.on_default();

/// Below this many columns only what is most needed is shown.
pub(super) const NARROW: usize = 60;
/// From this many columns on, the quantiles of the last second and so far stand on one line.
const WIDE: usize = 84;

/// The frame for a terminal of this size, each line ending in a newline; never wider, and one line
/// less than it is high.
#[must_use]
pub fn frame(scene: &Scene<'_>, columns: usize, rows: usize, colour: bool) -> String {
    // The last column is left free: some terminals begin a new line when it is written.
    let width = columns.saturating_sub(1).clamp(1, 100);
    let mut text = Text::new(width);
    let mut lines = 1;
    progress(&mut text, scene, width);
    if let Some(known) = &scene.phase.search {
        search(&mut text, known);
        lines += 1;
    }
    if scene.phase.is_rest() {
        return text.finish(colour);
    }
    counts(&mut text, scene, width);
    lines += 1;
    if scene.counters.failed > 0 {
        errors(&mut text, scene);
        lines += 1;
    }
    let seconds: Vec<&LiveSecond> = scene.live.seconds.iter().collect();
    if let Some(so_far) = &scene.live.response_time_ms {
        let last = seconds.iter().rev().find_map(|s| s.response_time_ms);
        let has_room = rows > lines + 2;
        lines += quantiles(&mut text, last.as_ref(), so_far, width, has_room);
    }
    let strip = heat::strip(&seconds, scene.elapsed_s.unwrap_or(0.0), width);
    if width >= NARROW && lines + strip.len() < rows {
        for line in strip {
            let spans: Vec<(Ansi, &str)> = line.iter().map(|(s, t)| (*s, t.as_str())).collect();
            text.line(&spans);
        }
    }
    text.finish(colour)
}

/// `1,998/s of 2,000/s · 7 in flight of 64 · 23,976 answered`
fn counts(text: &mut Text, scene: &Scene<'_>, width: usize) {
    let intended = of_intended(scene);
    let counters = &scene.counters;
    let in_flight = if width >= NARROW {
        format!(
            " · {} in flight of {}",
            figures::count(counters.in_flight),
            figures::count(scene.phase.connections.into())
        )
    } else {
        format!(" · {} in flight", figures::count(counters.in_flight))
    };
    text.line(&[
        (BOLD, &figures::value(scene.rate.round(), "/s")),
        (DIM, &intended),
        (PLAIN, &in_flight),
        (
            PLAIN,
            &format!(" · {} answered", figures::count(counters.answered)),
        ),
    ]);
}

/// ` of 2,000/s`
fn of_intended(scene: &Scene<'_>) -> String {
    scene
        .intended_rate
        .map(|rate| format!(" of {}", figures::value(rate.round(), "/s")))
        .unwrap_or_default()
}

/// `3 failed: 2 timeout, 1 status-5xx`. The kinds are known up to the last second, and their sum is
/// shown with them.
fn errors(text: &mut Text, scene: &Scene<'_>) {
    let kinds: Vec<String> = scene
        .live
        .errors
        .iter()
        .map(|(kind, count)| format!("{} {kind}", figures::count(*count)))
        .collect();
    let words = if kinds.is_empty() {
        format!("{} failed", figures::count(scene.counters.failed))
    } else {
        let sum = scene.live.errors.iter().map(|(_, count)| count).sum();
        format!("{} failed: {}", figures::count(sum), kinds.join(", "))
    };
    text.line(&[(RED, &words)]);
}

/// How many lines it took: two where both do not fit on one and there is room.
fn quantiles(
    text: &mut Text,
    last: Option<&Quantiles>,
    so_far: &Quantiles,
    width: usize,
    has_room: bool,
) -> usize {
    let three = |q: &Quantiles| {
        format!(
            "p50 {}  p99 {}  max {}",
            figures::ms(q.p50),
            figures::ms(q.p99),
            figures::ms(q.max)
        )
    };
    let all = three(so_far);
    match last.map(three) {
        Some(last) if width >= WIDE => text.line(&[
            (DIM, "last second  "),
            (BOLD, &last),
            (DIM, "    so far  "),
            (PLAIN, &all),
        ]),
        Some(last) if width >= NARROW && has_room => {
            text.line(&[(DIM, "last second  "), (BOLD, &last)]);
            text.line(&[(DIM, "so far       "), (PLAIN, &all)]);
            return 2;
        }
        Some(last) => text.line(&[(BOLD, &last)]),
        None => text.line(&[(DIM, "so far  "), (PLAIN, &all)]),
    }
    1
}

/// One line, for where nothing can be drawn: `open 12 s of 20 s: 1,998/s of 2,000/s, p50 4.02 ms,
/// p99 9.87 ms, ...`
#[must_use]
pub fn line(scene: &Scene<'_>) -> String {
    let length = scene
        .phase
        .duration_s
        .map_or_else(String::new, |s| format!(" of {}", whole(s)));
    let at = scene
        .elapsed_s
        .map_or_else(String::new, |s| format!(" {}{length}", whole(s)));
    if scene.phase.is_rest() {
        return format!("{}{at}", scene.phase.label);
    }
    let counters = &scene.counters;
    let mut parts = Vec::new();
    parts.push(format!(
        "{}{}",
        figures::value(scene.rate.round(), "/s"),
        of_intended(scene)
    ));
    if let Some(last) = scene.live.seconds.back().and_then(|s| s.response_time_ms) {
        parts.push(format!("p50 {}", figures::ms(last.p50)));
        parts.push(format!("p99 {}", figures::ms(last.p99)));
        parts.push(format!("max {}", figures::ms(last.max)));
    }
    parts.push(format!("{} in flight", figures::count(counters.in_flight)));
    if counters.failed > 0 {
        parts.push(format!("{} failed", figures::count(counters.failed)));
    }
    format!("{}{at}: {}", scene.phase.label, parts.join(", "))
}

/// One line for a trial of a search that begins, where nothing can be drawn.
#[must_use]
pub fn trial_line(phase: &PhaseView) -> Option<String> {
    let search = phase.search.as_ref()?;
    let what = match phase.intended_rate(0.0) {
        Some(rate) => format!(" at {}", figures::value(rate.round(), "/s")),
        None => String::new(),
    };
    Some(format!("{}{what}: {}", phase.label, standing(search)))
}

#[cfg(test)]
#[path = "scene_tests.rs"]
mod tests;
