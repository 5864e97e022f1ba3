use super::dissecting::spec;
use crate::error::RunError;
use crate::event::{Event, Listener};
use crate::launching::Bench;
use crate::making::{AllMade, Made};
use crate::run::Turns;
use crate::session::fake::{At, Life, Stage};
use crate::stop::Stop;
use crate::testkit::{Scene, plan, planned, prepared, readiness};
use std::time::Duration;
use tacho_experiment::{GcLog, limits};
use tacho_run_folder::{Cell, Plan};

/// Progress, a word each.
struct Lines(Vec<String>);

impl Listener for Lines {
    fn event(&mut self, event: Event<'_>) {
        match event {
            Event::LaunchBegan { number, of, cell } => {
                self.0.push(format!("{number}/{of} {cell}"));
            }
            Event::Working { what } => self.0.push(what.to_owned()),
            Event::Note { text } => self.0.push(format!("note: {text}")),
            _ => {}
        }
    }
}

fn cell(id: &str, variant: &str) -> Cell {
    Cell {
        id: id.to_owned(),
        variant: variant.to_owned(),
        limits: limits::none(),
    }
}

/// Carries out a plan whose one variant is `a`, and looks into its cells so often.
fn carried_out(plan: &Plan, lives: Vec<Life>, looks: usize) -> (Result<(), RunError>, Vec<String>) {
    carried_out_until(plan, lives, looks, |_| {})
}

fn carried_out_until(
    plan: &Plan,
    lives: Vec<Life>,
    looks: usize,
    before_look: impl Fn(&Stop) + 'static,
) -> (Result<(), RunError>, Vec<String>) {
    let (scene, stage) = (Scene::new(), Stage::with(lives));
    let made = Made {
        prepared: prepared("exec", &["serve"]),
        readiness: readiness(),
    };
    let made = AllMade {
        variants: [("a".to_owned(), made)].into(),
        requests: scene.requests.clone(),
        notes: Vec::new(),
    };
    let bench = Bench {
        place: &stage,
        phases: &plan.phases,
        requests: &made.requests,
        seed: plan.seed,
        request_timeout: Duration::from_secs(1),
        gc_log: GcLog::Off,
        pods: 1,
        companions: &[],
        stop: &stage.stop,
    };
    let mut lines = Lines(Vec::new());
    let own = stage.stop.clone();
    let turns = Turns {
        bench: &bench,
        plan,
        made: &made,
        folder: &scene.run,
        next: Some(Box::new(move |_, seen| {
            before_look(&own);
            (seen.len() < looks).then(|| ("a".to_owned(), spec()))
        })),
        listener: &mut lines,
    };
    let result = turns.all();
    assert!(stage.is_empty(), "{:?}", stage.told());
    (result, lines.0)
}

#[test]
fn measured_then_diagnosed_then_looked_into() {
    let mut plan = plan(&[cell("a", "a"), cell("b", "a")], &["b", "a"]);
    plan.diagnosis = vec![planned(3, "a")];
    let (result, lines) = carried_out(&plan, Vec::new(), 2);
    result.unwrap();
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    assert_eq!(lines[..2], ["1/2 b", "2/2 a"]);
    let of = "a: a launch with instruments, which counts in no figure";
    assert_eq!(lines[2], format!("diagnosing {of}"));
    let looks = lines
        .iter()
        .filter(|line| **line == format!("looking into {of}"));
    assert_eq!(looks.count(), 2, "{lines:#?}");
}

#[test]
fn a_planned_launch_without_its_cell_or_variant_is_an_error_and_never_skipped() {
    let good = [cell("a", "a")];
    let without_variant = [cell("a", "a"), cell("b", "gone")];
    let diagnosed = Plan {
        diagnosis: vec![planned(9, "gone")],
        ..plan(&good, &[])
    };
    for (plan, looks, said) in [
        (
            plan(&good, &["a", "gone"]),
            0,
            "launch 2 is planned for `gone`, which is no cell of the plan",
        ),
        (
            plan(&without_variant, &["b"]),
            0,
            "launch 1 is planned for `b`, whose variant `gone` was not made",
        ),
        (
            diagnosed,
            0,
            "launch 9 is planned for `gone`, which is no cell of the plan",
        ),
        (
            plan(&[], &[]),
            1,
            "launch 1 is planned for `a`, which is no cell of the plan",
        ),
    ] {
        let (result, _) = carried_out(&plan, Vec::new(), looks);
        let error = result.unwrap_err();
        assert!(matches!(error, RunError::NotPlanned { .. }), "{error}");
        assert!(error.to_string().starts_with(said), "{error}");
    }
}

#[test]
fn a_launch_that_fails_is_followed_by_the_next_and_an_interruption_by_none() {
    let plan = plan(&[cell("a", "a")], &["a", "a", "a"]);
    let good = Life::good;
    for (life, launches) in [
        (good().exits(At::Watch, 1), 3),
        (good().hangs(), 3),
        (good().interrupted(At::Start), 1),
        (good().interrupted(At::Watch), 1),
        (good().interrupted(At::Ready), 1),
        (good().interrupted(At::End), 1),
    ] {
        let mut plan = plan.clone();
        plan.phases = vec![crate::testkit::cold("one")];
        let (result, lines) = carried_out(&plan, vec![life.clone()], 1);
        result.unwrap();
        let begun = lines.iter().filter(|line| line.contains("/3 a")).count();
        assert_eq!(begun, launches, "{life:?}");
        let looked = lines.iter().any(|line| line.starts_with("looking into"));
        assert_eq!(looked, launches == 3, "{life:?}: {lines:?}");
    }
}

#[test]
fn what_could_not_be_looked_into_is_noted() {
    let plan = plan(&[cell("a", "a")], &[]);
    let (result, lines) = carried_out(&plan, vec![Life::good().hangs()], 1);
    result.unwrap();
    let note = "note: the launch in which `a` was looked into failed: not one of the 10 requests";
    assert!(lines.last().unwrap().starts_with(note), "{lines:#?}");
}

/// The rest is an hour; whoever waits for it is ended by the deadline of the test.
#[test]
fn an_interruption_ends_the_rest_and_nothing_follows() {
    let plan = Plan {
        rest_s: 3600.0,
        ..plan(&[cell("a", "a")], &["a"])
    };
    let (result, lines) = carried_out_until(&plan, Vec::new(), 1, Stop::set);
    result.unwrap();
    assert_eq!(lines, ["1/1 a"]);
}
