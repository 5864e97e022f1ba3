//! How far it has come, and how long it will take.

use super::planned::{PhaseView, SearchView};
use super::scene::{CYAN, NARROW, Scene};
use tacho_figures as figures;
use tacho_report::terminal::style::{BOLD, DIM, PLAIN};
use tacho_report::terminal::text::Text;

const BAR: usize = 24;
/// Below this share of the requests, no remaining time is shown.
const TOO_EARLY: f64 = 0.02;

/// `open  ━━━━━━━━────────  12 s of 20 s, 8 s left`
pub fn progress(text: &mut Text, scene: &Scene<'_>, width: usize) {
    let label = scene.phase.label.as_str();
    let Some(elapsed_s) = scene.elapsed_s else {
        text.line(&[(BOLD, label), (DIM, "  opening connections")]);
        return;
    };
    let share = share(scene, elapsed_s);
    let words = words(scene, elapsed_s, share);
    let (full, empty, gap) = match share {
        Some(share) if width >= NARROW => {
            let done = (share * BAR as f64).floor() as usize;
            ("━".repeat(done), "─".repeat(BAR - done), "  ")
        }
        _ => (String::new(), String::new(), ""),
    };
    text.line(&[
        (BOLD, label),
        (PLAIN, "  "),
        (CYAN, &full),
        (DIM, &empty),
        (PLAIN, gap),
        (PLAIN, &words),
    ]);
}

/// Progress between 0 and 1; `None` if the end is not known. A phase ends when either its time or
/// its number of requests is reached.
fn share(scene: &Scene<'_>, elapsed_s: f64) -> Option<f64> {
    let of_time = scene.phase.duration_s.map(|s| elapsed_s / s.max(1e-9));
    let of_requests = scene
        .phase
        .requests
        .map(|requests| concluded(scene) as f64 / requests.max(1) as f64);
    let share = of_time.into_iter().chain(of_requests).reduce(f64::max)?;
    Some(share.clamp(0.0, 1.0))
}

fn concluded(scene: &Scene<'_>) -> u64 {
    let counters = &scene.counters;
    counters.intended.saturating_sub(counters.in_flight)
}

fn words(scene: &Scene<'_>, elapsed_s: f64, share: Option<f64>) -> String {
    let PhaseView {
        duration_s,
        requests,
        then_s,
        ..
    } = scene.phase;
    let mut words = match (requests, duration_s) {
        (Some(requests), _) => format!(
            "{} of {} requests, {}",
            figures::count(concluded(scene)),
            figures::count(*requests),
            whole(elapsed_s)
        ),
        (None, Some(duration_s)) if elapsed_s >= *duration_s => {
            return format!("{}: waiting for the last answers", whole(elapsed_s));
        }
        (None, Some(duration_s)) => format!("{} of {}", whole(elapsed_s), whole(*duration_s)),
        (None, None) => format!("{} so far", whole(elapsed_s)),
    };
    let left_s = share
        .filter(|share| *share > TOO_EARLY || requests.is_none())
        .map(|share| match (requests, duration_s) {
            (None, Some(duration_s)) => duration_s - elapsed_s,
            _ => elapsed_s / share - elapsed_s,
        });
    if let Some(left_s) = left_s {
        let about = if requests.is_some() { "about " } else { "" };
        words += &format!(", {about}{} left", whole(left_s.ceil()));
    }
    if let Some(then_s) = then_s {
        words += &format!(", then {}", whole(*then_s));
    }
    words
}

/// `search p99<50ms  trial 5 of about 12: holds at 200/s, fails at 400/s`
pub fn search(text: &mut Text, search: &SearchView) {
    text.line(&[
        (PLAIN, "search "),
        (BOLD, &search.objective),
        (PLAIN, &format!("  {}", standing(search))),
    ]);
}

/// Without the objective.
pub fn standing(search: &SearchView) -> String {
    let rate = |rate: f64| figures::value(rate.round(), "/s");
    let known = match (search.holds_at, search.fails_at) {
        (None, None) => String::new(),
        (Some(holds), None) => format!(": holds at {}", rate(holds)),
        (None, Some(fails)) => format!(": fails at {}", rate(fails)),
        (Some(holds), Some(fails)) => {
            format!(": holds at {}, fails at {}", rate(holds), rate(fails))
        }
    };
    let all = search.usual_trials.max(search.trial);
    format!("trial {} of about {all}{known}", search.trial)
}

/// `12 s`, `3 min 20 s`, `2 h 5 min`: what passes needs no fractions.
pub fn whole(seconds: f64) -> String {
    let seconds = seconds as u64;
    match seconds {
        0..120 => format!("{seconds} s"),
        120..7_200 if seconds.is_multiple_of(60) => format!("{} min", seconds / 60),
        120..7_200 => format!("{} min {} s", seconds / 60, seconds % 60),
        _ => format!("{} h {} min", seconds / 3_600, seconds % 3_600 / 60),
    }
}
