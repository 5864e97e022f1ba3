use super::super::planned::{Pace, SearchView};
use super::*;
use tacho_load::recorder::{BINS, LiveSecond};
use tacho_run_folder::ErrorKind;

fn times(p50: f64) -> Quantiles {
    Quantiles {
        count: 2_000,
        min: p50 / 2.0,
        mean: p50,
        p50,
        p90: p50 * 1.3,
        p95: p50 * 1.5,
        p99: p50 * 2.5,
        p99_9: p50 * 9.0,
        max: p50 * 25.0,
    }
}

/// Half a minute of 2,000/s around 4 ms, with a stall in the middle whose backlog ends in one
/// second.
fn seconds() -> Vec<LiveSecond> {
    (0..30)
        .filter(|second| *second != 14)
        .map(|second| {
            let mut bins = [0; BINS];
            bins[9] = 300;
            bins[10] = 1_650;
            bins[11] = 49;
            bins[14] = u64::from(second % 5 == 0);
            if second == 15 {
                (12..20).for_each(|bin| bins[bin] = 250);
            }
            LiveSecond {
                from_s: f64::from(second),
                length_s: 1.0,
                succeeded: bins.iter().sum(),
                failed: 0,
                response_time_ms: Some(times(4.0)),
                bins,
            }
        })
        .collect()
}

fn open() -> PhaseView {
    PhaseView {
        label: "open".into(),
        duration_s: Some(60.0),
        requests: None,
        pace: Pace::Constant(2_000.0),
        connections: 64,
        ..PhaseView::default()
    }
}

fn live() -> LiveSnapshot {
    LiveSnapshot {
        label: "open".into(),
        seconds: seconds().into(),
        succeeded: 60_000,
        failed: 3,
        errors: vec![(ErrorKind::Timeout, 2), (ErrorKind::Status5xx, 1)],
        response_time_ms: Some(times(4.1)),
        ..LiveSnapshot::default()
    }
}

fn counters(failed: u64) -> Counters {
    Counters {
        intended: 60_010,
        answered: 60_001,
        failed,
        in_flight: 7,
    }
}

fn scene<'a>(phase: &'a PhaseView, live: &'a LiveSnapshot, failed: u64) -> Scene<'a> {
    Scene {
        phase,
        elapsed_s: Some(30.4),
        counters: counters(failed),
        rate: 1_998.7,
        intended_rate: phase.intended_rate(30.0),
        live,
    }
}

/// The first requests of a phase are due some microseconds before its clock begins.
#[test]
fn no_time_is_shown_as_less_than_nothing() {
    let (phase, live) = (open(), live());
    for elapsed_s in [-0.0, -0.000_4, -1e-9] {
        let scene = Scene {
            elapsed_s: Some(elapsed_s),
            ..scene(&phase, &live, 3)
        };
        for shown in [frame(&scene, 80, 24, false), line(&scene)] {
            assert!(!shown.contains("-0"), "{shown}");
            assert!(shown.contains("0 s of"), "{shown}");
        }
    }
}

#[test]
fn an_open_phase_in_a_wide_window() {
    let (phase, live) = (open(), live());
    insta::assert_snapshot!(frame(&scene(&phase, &live, 3), 120, 40, false));
}

#[test]
fn an_open_phase_at_80_columns() {
    let (phase, live) = (open(), live());
    insta::assert_snapshot!(frame(&scene(&phase, &live, 0), 80, 24, false));
}

#[test]
fn a_narrow_window_shows_what_is_needed_most() {
    let (phase, live) = (open(), live());
    insta::assert_snapshot!(frame(&scene(&phase, &live, 3), 45, 24, false));
}

#[test]
fn a_low_window_has_no_strip() {
    let (phase, live) = (open(), live());
    insta::assert_snapshot!(frame(&scene(&phase, &live, 0), 100, 6, false));
}

#[test]
fn a_closed_phase_counts_requests() {
    let phase = PhaseView {
        label: "closed".into(),
        requests: Some(100_000),
        connections: 64,
        ..PhaseView::default()
    };
    let live = LiveSnapshot::default();
    insta::assert_snapshot!(frame(&scene(&phase, &live, 0), 100, 24, false));
}

#[test]
fn a_trial_of_a_search_says_what_is_known_of_the_limit() {
    let search = SearchView {
        objective: "p99<50ms".into(),
        trial: 5,
        usual_trials: 12,
        holds_at: Some(1_600.0),
        fails_at: Some(3_200.0),
    };
    let phase = PhaseView {
        search: Some(search),
        ..open()
    };
    let live = live();
    insta::assert_snapshot!(frame(&scene(&phase, &live, 0), 80, 24, false));
    assert_eq!(
        trial_line(&phase).unwrap(),
        "open at 2,000/s: trial 5 of about 12: holds at 1,600/s, fails at 3,200/s"
    );
    assert_eq!(trial_line(&open()), None);
}

#[test]
fn a_rest_shows_its_time_and_what_follows() {
    let phase = PhaseView {
        label: "rest".into(),
        duration_s: Some(45.0),
        then_s: Some(600.0),
        ..PhaseView::default()
    };
    let live = LiveSnapshot::default();
    let scene = scene(&phase, &live, 0);
    assert_eq!(
        frame(&scene, 80, 24, false).trim_end(),
        "rest  ━━━━━━━━━━━━━━━━────────  30 s of 45 s, 15 s left, then 10 min"
    );
    assert_eq!(line(&scene), "rest 30 s of 45 s");
}

#[test]
fn a_ramp_shows_the_rate_that_is_asked_for_now() {
    let phase = PhaseView {
        pace: Pace::Scheduled(tacho_run_folder::ScheduleSpec::Ramp {
            from_rate: 0.0,
            to_rate: 3_000.0,
            duration_s: 60.0,
        }),
        ..open()
    };
    let live = LiveSnapshot::default();
    let text = frame(&scene(&phase, &live, 0), 80, 24, false);
    assert!(text.contains("1,999/s of 1,500/s"), "{text}");
}

#[test]
fn before_the_clock_connections_are_opened() {
    let (phase, live) = (open(), LiveSnapshot::default());
    let scene = Scene {
        elapsed_s: None,
        counters: Counters::default(),
        rate: 0.0,
        ..scene(&phase, &live, 0)
    };
    insta::assert_snapshot!(frame(&scene, 80, 24, false));
}

#[test]
fn colours_add_nothing_but_colour() {
    let (phase, live) = (open(), live());
    let coloured = frame(&scene(&phase, &live, 3), 100, 24, true);
    let mut plain = String::new();
    let mut rest = coloured.as_str();
    while let Some((before, sequence)) = rest.split_once('\u{1b}') {
        plain.push_str(before);
        rest = sequence.split_once('m').unwrap().1;
    }
    plain.push_str(rest);
    let trimmed =
        |text: &str| -> Vec<String> { text.lines().map(|l| l.trim_end().to_owned()).collect() };
    let uncoloured = frame(&scene(&phase, &live, 3), 100, 24, false);
    assert_eq!(trimmed(&plain), trimmed(&uncoloured));
    assert!(
        coloured.contains("\u{1b}[38;5;226m"),
        "the strip has colours"
    );
}

#[test]
fn no_line_is_as_wide_as_the_window_and_no_frame_as_high() {
    let (phase, live) = (open(), live());
    for columns in [1, 2, 20, 40, 59, 60, 61, 79, 80, 100, 101, 250] {
        for rows in [1, 5, 8, 24, 60] {
            let text = frame(&scene(&phase, &live, 3), columns, rows, false);
            for line in text.lines() {
                let length = line.chars().count();
                assert!(length < columns.max(2), "{length} of {columns}: {line}");
            }
            assert!(rows < 5 || text.lines().count() < rows);
        }
    }
}

#[test]
fn a_line_where_nothing_can_be_drawn() {
    let (phase, live) = (open(), live());
    assert_eq!(
        line(&scene(&phase, &live, 3)),
        "open 30 s of 60 s: 1,999/s of 2,000/s, p50 4 ms, p99 10 ms, max 100 ms, 7 in flight, 3 failed"
    );
}

#[test]
fn time_that_passes() {
    let texts = [0.0, 61.9, 120.0, 200.4, 7_500.0].map(super::super::progress::whole);
    assert_eq!(texts, ["0 s", "61 s", "2 min", "3 min 20 s", "2 h 5 min"]);
}
