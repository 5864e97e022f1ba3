use super::*;
use indicatif::TermLike;
use std::io;
use std::sync::{Arc, Mutex};
use tacho_run_folder::{PlannedLaunch, ResourceSummary, TimeLine};
use tacho_runner::Left;

#[test]
fn names_are_enumerated_each_once() {
    let of = |names: &[&str]| enumerated(names.iter().copied());
    assert_eq!(of(&["jar"]), "jar");
    assert_eq!(of(&["jar", "cds", "jar", "cds"]), "jar and cds");
    assert_eq!(of(&["jar", "cds", "aot"]), "jar, cds and aot");
}

fn record() -> LaunchRecord {
    LaunchRecord {
        number: 3,
        cell: "jar".to_owned(),
        replicate: 3,
        started_at: String::new(),
        command: Vec::new(),
        outcome: LaunchOutcome::Completed,
        time_line: TimeLine {
            ready_ms: Some(812.0),
            ..TimeLine::default()
        },
        limits: None,
        jvm: None,
        gc_log: None,
        proof: None,
        warm_up: None,
        phases: Vec::new(),
        resources: ResourceSummary::default(),
        duet: None,
        pods: Vec::new(),
        pod: None,
        companions: Vec::new(),
        notes: Vec::new(),
    }
}

#[test]
fn the_time_that_is_left_is_told_with_how_sure_it_is() {
    let record = &record();
    let ended = |seconds: u64, is_at_most: bool| {
        let left = Left {
            time: Duration::from_secs(seconds),
            is_at_most,
        };
        line_of(&Event::LaunchEnded { record, left }).unwrap()
    };
    let launch = "launch   3  jar: ready in 812 ms";
    assert_eq!(ended(0, true), launch);
    let left = Left {
        time: Duration::from_millis(499),
        is_at_most: false,
    };
    assert_eq!(
        line_of(&Event::LaunchEnded { record, left }).unwrap(),
        launch
    );
    assert_eq!(
        ended(1_200, false),
        format!("{launch}; about 20 minutes left")
    );
    assert_eq!(
        ended(1_200, true),
        format!("{launch}; at most about 20 minutes left")
    );
}

#[test]
fn a_search_tells_the_trials_and_the_time_of_all_that_may_come() {
    let trying = |left: u32, seconds: Option<u64>| {
        let time = seconds.map(Duration::from_secs);
        let limits = "1cpu-256MiB";
        line_of(&Event::Trying { limits, left, time }).unwrap()
    };
    assert_eq!(
        trying(15, Some(15 * 80)),
        "note: trying 1cpu-256MiB; at most about 15 trials and 20 minutes left"
    );
    // The last one is no bound.
    assert_eq!(
        trying(1, Some(80)),
        "note: trying 1cpu-256MiB; about 1 trial and 80 seconds left"
    );
    assert_eq!(
        trying(2, None),
        "note: trying 1cpu-256MiB; at most about 2 trials left"
    );
}

/// A terminal of 80 columns that keeps what was drawn last. Each drawing writes all lines, and
/// fills each up to the last column.
#[derive(Debug, Clone, Default)]
struct Terminal(Arc<Mutex<Drawn>>);

#[derive(Debug, Default)]
struct Drawn {
    now: String,
    last: String,
}

const COLUMNS: usize = 80;

impl Terminal {
    /// The line of the screen with this text.
    fn line_with(&self, text: &str) -> String {
        let drawn = self.0.lock().unwrap().last.clone();
        let plain = anstream::adapter::strip_str(&drawn).to_string();
        let plain: Vec<char> = plain.chars().collect();
        let mut lines = plain
            .chunks(COLUMNS)
            .map(|line| line.iter().collect::<String>());
        lines
            .find(|line: &String| line.contains(text))
            .unwrap_or_else(|| panic!("no line has {text:?} in {drawn:?}"))
    }
}

impl TermLike for Terminal {
    fn width(&self) -> u16 {
        COLUMNS as u16
    }

    fn move_cursor_up(&self, _: usize) -> io::Result<()> {
        Ok(())
    }

    fn move_cursor_down(&self, _: usize) -> io::Result<()> {
        Ok(())
    }

    fn move_cursor_right(&self, _: usize) -> io::Result<()> {
        Ok(())
    }

    fn move_cursor_left(&self, _: usize) -> io::Result<()> {
        Ok(())
    }

    fn write_line(&self, text: &str) -> io::Result<()> {
        self.write_str(&format!("{text:COLUMNS$}"))
    }

    fn write_str(&self, text: &str) -> io::Result<()> {
        self.0.lock().unwrap().now += text;
        Ok(())
    }

    fn clear_line(&self) -> io::Result<()> {
        Ok(())
    }

    fn flush(&self) -> io::Result<()> {
        let mut drawn = self.0.lock().unwrap();
        drawn.last = std::mem::take(&mut drawn.now);
        Ok(())
    }
}

/// Two launches of ten minutes each.
fn plan(looks: Vec<u32>) -> Plan {
    let launch = |number| PlannedLaunch {
        number,
        cell: "jar".to_owned(),
        replicate: number,
        again: None,
    };
    Plan {
        seed: 1,
        launches_per_cell: 2,
        looks,
        rest_s: 1.0,
        baseline: "jar".to_owned(),
        aa: None,
        duet: None,
        threshold: 0.05,
        cells: Vec::new(),
        pods: 1,
        warm_up: None,
        phases: vec![PhasePlan {
            label: "rest".to_owned(),
            kind: PhaseKind::Rest { duration_s: 600.0 },
        }],
        requests: None,
        apart: false,
        launches: vec![launch(1), launch(2)],
        diagnosis: Vec::new(),
        checks: Vec::new(),
        notes: Vec::new(),
    }
}

fn began(bars: &mut Bars) {
    bars.event(Event::LaunchBegan {
        number: 1,
        of: 2,
        cell: "jar",
    });
}

#[test]
fn the_bar_of_a_run_has_the_time_left_before_a_launch_has_ended_and_after() {
    let terminal = Terminal::default();
    let mut bars = Bars::on(ProgressDrawTarget::term_like(Box::new(terminal.clone())));
    let plan = plan(Vec::new());
    bars.event(Event::Planned { plan: &plan });
    began(&mut bars);
    let line = terminal.line_with("launch 0/2");
    let estimate = "launch 0/2  at least about 20 minutes left, now jar";
    assert!(line.contains(estimate), "{line:?}");

    let left = Left {
        time: Duration::from_secs(480),
        is_at_most: false,
    };
    let record = &record();
    bars.event(Event::LaunchEnded { record, left });
    let line = terminal.line_with("launch 1/2");
    let measured = "launch 1/2  about 8 minutes left, resting";
    assert!(line.contains(measured), "{line:?}");
}

#[test]
fn a_run_that_may_end_at_a_look_takes_at_most_so_long_and_a_search_what_it_tells() {
    let terminal = Terminal::default();
    let mut bars = Bars::on(ProgressDrawTarget::term_like(Box::new(terminal.clone())));
    let plan = plan(vec![1]);
    bars.event(Event::Planned { plan: &plan });
    began(&mut bars);
    let line = terminal.line_with("launch 0/2");
    assert!(line.contains("at most about 20 minutes left"), "{line:?}");

    bars.event(Event::Trying {
        limits: "1cpu",
        left: 2,
        time: Some(Duration::from_secs(3_600)),
    });
    bars.event(Event::Planned { plan: &plan });
    began(&mut bars);
    let line = terminal.line_with("launch 0/2");
    assert!(line.contains("at most about 60 minutes left"), "{line:?}");
}

#[test]
fn what_a_service_says_turns_no_line_round() {
    let text = "a: FAILED: its log: \u{202e}gnorw\u{1b}[2J";
    let line = line_of(&Event::Note { text });
    assert_eq!(
        line.unwrap(),
        r"note: a: FAILED: its log: \u202egnorw\u001b[2J"
    );
}
