//! What the view shows at one instant: pure functions from what is known to lines.

use super::heat;
use anstyle::{AnsiColor, Style as Ansi};
use tacho_load::Counters;
use tacho_load::recorder::{LiveSecond, LiveSnapshot};
use tacho_report::quantity;
use tacho_report::terminal::text::Text;
use tacho_run_folder::Quantiles;

/// What is planned for a phase.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct PhaseView {
    /// Its label.
    pub label: String,
    /// How long it is to be, in seconds; `None` when its length is a number of requests.
    pub duration_s: Option<f64>,
    /// How many requests it is to send; `None` when its length is a time.
    pub requests: Option<u64>,
    /// Requests a second that its schedule asks for now or on average; `None` in a closed loop.
    pub intended_rate: Option<f64>,
    /// Requests that can be under way at the same time.
    pub connections: u32,
}

/// What is known at one instant.
#[derive(Debug, Clone, PartialEq)]
pub struct Scene<'a> {
    /// What is planned.
    pub phase: &'a PhaseView,
    /// Since its clock started, in seconds; `None` while connections are opened.
    pub elapsed_s: Option<f64>,
    /// Of this phase alone.
    pub counters: Counters,
    /// Answers a second over the last seconds.
    pub rate: f64,
    /// What the recorder shows.
    pub live: &'a LiveSnapshot,
}

const PLAIN: Ansi = Ansi::new();
const BOLD: Ansi = Ansi::new().bold();
const DIM: Ansi = Ansi::new().dimmed();
const RED: Ansi = AnsiColor::Red.on_default();
const CYAN: Ansi = AnsiColor::Cyan.on_default();

/// Below so many columns only what is most needed is shown.
const NARROW: usize = 60;
const BAR: usize = 24;

/// The frame for a terminal of this size, each line ending in a newline; never wider, and one line less than it is
/// high.
#[must_use]
pub fn frame(scene: &Scene<'_>, columns: usize, rows: usize, colour: bool) -> String {
    // The last column is left free: some terminals begin a new line when it is written.
    let width = columns.saturating_sub(1).clamp(1, 100);
    let mut text = Text::new(width);
    progress(&mut text, scene, width);
    counts(&mut text, scene, width);
    let mut lines = 2;
    if scene.counters.failed > 0 {
        errors(&mut text, scene);
        lines += 1;
    }
    let seconds: Vec<&LiveSecond> = scene.live.seconds.iter().collect();
    if let Some(so_far) = &scene.live.response_time_ms {
        let last = seconds.iter().rev().find_map(|s| s.response_time_ms);
        quantiles(&mut text, last.as_ref(), so_far, width);
        lines += 1;
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

/// `open  ━━━━━━━━────────  12 s of 20 s`
fn progress(text: &mut Text, scene: &Scene<'_>, width: usize) {
    let label = scene.phase.label.as_str();
    let Some(elapsed_s) = scene.elapsed_s else {
        text.line(&[(BOLD, label), (DIM, "  opening connections")]);
        return;
    };
    let concluded = scene
        .counters
        .intended
        .saturating_sub(scene.counters.in_flight);
    let (share, words) = match (scene.phase.duration_s, scene.phase.requests) {
        (Some(duration_s), _) => {
            let left_s = (duration_s - elapsed_s).max(0.0);
            let words = if left_s > 0.0 {
                format!(
                    "{} of {}, {} left",
                    whole(elapsed_s),
                    whole(duration_s),
                    whole(left_s.ceil())
                )
            } else {
                format!("{}: waiting for the last answers", whole(elapsed_s))
            };
            (elapsed_s / duration_s, words)
        }
        (None, Some(requests)) => {
            let words = format!(
                "{} of {} requests, {}",
                quantity::count(concluded),
                quantity::count(requests),
                whole(elapsed_s)
            );
            (concluded as f64 / requests.max(1) as f64, words)
        }
        (None, None) => (0.0, format!("{} so far", whole(elapsed_s))),
    };
    let has_bar = width >= NARROW && (scene.phase.duration_s, scene.phase.requests) != (None, None);
    let done = (share.clamp(0.0, 1.0) * BAR as f64).floor() as usize;
    let (full, empty) = if has_bar {
        ("━".repeat(done), "─".repeat(BAR - done))
    } else {
        (String::new(), String::new())
    };
    let gap = if has_bar { "  " } else { "" };
    text.line(&[
        (BOLD, label),
        (PLAIN, "  "),
        (CYAN, &full),
        (DIM, &empty),
        (PLAIN, gap),
        (PLAIN, &words),
    ]);
}

/// `1,998/s of 2,000/s · 7 in flight of 64 · 23,976 answered`
fn counts(text: &mut Text, scene: &Scene<'_>, width: usize) {
    let intended = scene
        .phase
        .intended_rate
        .map(|rate| format!(" of {}", quantity::value(rate, "/s")))
        .unwrap_or_default();
    let counters = &scene.counters;
    let in_flight = if width >= NARROW {
        format!(
            " · {} in flight of {}",
            quantity::count(counters.in_flight),
            quantity::count(scene.phase.connections.into())
        )
    } else {
        format!(" · {} in flight", quantity::count(counters.in_flight))
    };
    text.line(&[
        (BOLD, &quantity::value(scene.rate.round(), "/s")),
        (DIM, &intended),
        (PLAIN, &in_flight),
        (
            PLAIN,
            &format!(" · {} answered", quantity::count(counters.answered)),
        ),
    ]);
}

/// `3 failed: 2 timeout, 1 status-5xx`
fn errors(text: &mut Text, scene: &Scene<'_>) {
    let kinds: Vec<String> = scene
        .live
        .errors
        .iter()
        .map(|(kind, count)| format!("{} {kind}", quantity::count(*count)))
        .collect();
    let kinds = if kinds.is_empty() {
        String::new()
    } else {
        format!(": {}", kinds.join(", "))
    };
    let failed = quantity::count(scene.counters.failed);
    text.line(&[(RED, &format!("{failed} failed{kinds}"))]);
}

fn quantiles(text: &mut Text, last: Option<&Quantiles>, so_far: &Quantiles, width: usize) {
    let three = |q: &Quantiles| {
        format!(
            "p50 {}  p99 {}  max {}",
            quantity::value(q.p50, "ms"),
            quantity::value(q.p99, "ms"),
            quantity::value(q.max, "ms")
        )
    };
    let all = three(so_far);
    match last.map(three) {
        Some(last) if width >= 84 => text.line(&[
            (DIM, "last second  "),
            (BOLD, &last),
            (DIM, "    so far  "),
            (PLAIN, &all),
        ]),
        Some(last) => text.line(&[(BOLD, &last)]),
        None => text.line(&[(DIM, "so far  "), (PLAIN, &all)]),
    }
}

/// One line, for where nothing can be drawn: `open 12 s: 1,998/s of 2,000/s, p50 4.02 ms, p99 9.87 ms, ...`
#[must_use]
pub fn line(scene: &Scene<'_>) -> String {
    let counters = &scene.counters;
    let mut parts = Vec::new();
    let intended = scene
        .phase
        .intended_rate
        .map(|rate| format!(" of {}", quantity::value(rate, "/s")))
        .unwrap_or_default();
    parts.push(format!(
        "{}{intended}",
        quantity::value(scene.rate.round(), "/s")
    ));
    if let Some(last) = scene.live.seconds.back().and_then(|s| s.response_time_ms) {
        parts.push(format!("p50 {}", quantity::value(last.p50, "ms")));
        parts.push(format!("p99 {}", quantity::value(last.p99, "ms")));
        parts.push(format!("max {}", quantity::value(last.max, "ms")));
    }
    parts.push(format!("{} in flight", quantity::count(counters.in_flight)));
    if counters.failed > 0 {
        parts.push(format!("{} failed", quantity::count(counters.failed)));
    }
    let at = scene
        .elapsed_s
        .map_or_else(String::new, |s| format!(" {}", whole(s)));
    format!("{}{at}: {}", scene.phase.label, parts.join(", "))
}

/// `12 s`, `3 min 20 s`, `2 h 5 min`: what passes needs no fractions.
fn whole(seconds: f64) -> String {
    let seconds = seconds as u64;
    match seconds {
        0..120 => format!("{seconds} s"),
        120..7_200 if seconds.is_multiple_of(60) => format!("{} min", seconds / 60),
        120..7_200 => format!("{} min {} s", seconds / 60, seconds % 60),
        _ => format!("{} h {} min", seconds / 3_600, seconds % 3_600 / 60),
    }
}

#[cfg(test)]
#[path = "scene_tests.rs"]
mod tests;
