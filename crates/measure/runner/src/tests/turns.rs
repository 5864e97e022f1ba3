use super::dissecting::spec;
use crate::company::NOBODY;
use crate::error::RunError;
use crate::event::{Event, Listener};
use crate::launching::Bench;
use crate::making::{AllMade, Made};
use crate::session::fake::{At, Life, Stage};
use crate::stop::Stop;
use crate::testkit::{Scene, plan, planned, prepared, readiness};
use crate::turns::Turns;
use std::time::Duration;
use tacho_analysis::certificate::Spoil;
use tacho_experiment::{GcLog, limits};
use tacho_run_folder::{Cell, LaunchDir, LaunchOutcome, Plan, RunFolder};

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
            Event::LaunchEnded { left, .. } if left.is_at_most => {
                self.0.push("over sooner, perhaps".to_owned());
            }
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

/// Launches of these numbers are spoiled.
const DISTURBED: u32 = 101;
const LATE: u32 = 102;
/// Disturbed, as are the two that are run in its place.
const LONG: u32 = 201;
const LONG_TO: u32 = 203;

/// Carries out a plan whose one variant is `a`, and looks into its cells so often.
fn carried_out(plan: &Plan, lives: Vec<Life>, looks: usize) -> (Result<(), RunError>, Vec<String>) {
    let (result, lines, _) = carried_out_until(plan, lives, looks, |_, _| {}, |_, _| None);
    (result, lines)
}

fn carried_out_until(
    plan: &Plan,
    lives: Vec<Life>,
    looks: usize,
    before_look: impl Fn(&Stop, &RunFolder) + 'static,
    enough: impl FnMut(&RunFolder, u32) -> Option<String> + 'static,
) -> (Result<(), RunError>, Vec<String>, Scene) {
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
        company: &NOBODY,
        stop: &stage.stop,
    };
    let mut lines = Lines(Vec::new());
    let own = stage.stop.clone();
    let turns = Turns {
        bench: &bench,
        plan,
        made: &made,
        folder: &scene.run,
        next: Some(Box::new(move |folder, seen| {
            before_look(&own, folder);
            (seen.len() < looks).then(|| ("a".to_owned(), spec()))
        })),
        enough: Some(Box::new(enough)),
        spoiled: |record| match record.number {
            DISTURBED | LONG..=LONG_TO => Some(Spoil::Disturbed("a build took it".to_owned())),
            LATE => Some(Spoil::Late("it was late".to_owned())),
            _ => None,
        },
        looked_into: 0,
        repeated: Vec::new(),
        listener: &mut lines,
    };
    let result = turns.all();
    assert!(stage.is_empty(), "{:?}", stage.told());
    (result, lines.0, scene)
}

/// At a look it is asked whether it is enough, and with the launches that were made; what was
/// planned besides is carried out all the same.
#[test]
fn a_run_ends_at_the_look_after_which_it_is_enough() {
    let cells = [cell("a", "a"), cell("b", "a")];
    let mut plan = plan(&cells, &["a", "b", "b", "a", "a", "b", "a", "b"]);
    for (index, launch) in (0..).zip(&mut plan.launches) {
        launch.replicate = 1 + index / 2;
    }
    plan.launches_per_cell = 4;
    plan.looks = vec![2, 3, 4];
    plan.diagnosis = vec![planned(9, "a")];
    for (enough_after, launches) in [(1, 8), (2, 4), (3, 6), (4, 8)] {
        let enough = move |folder: &RunFolder, after| {
            assert_eq!(folder.launches().unwrap().len() as u32, 2 * after);
            (after == enough_after).then(|| format!("enough after {after}"))
        };
        let (result, lines, scene) = carried_out_until(&plan, Vec::new(), 1, |_, _| {}, enough);
        result.unwrap();
        let begun = lines.iter().filter(|line| line.contains("/8 ")).count();
        assert_eq!(begun, launches, "{lines:#?}");
        // Before the last block there is a look to come; what is left is a bound then.
        let bounds = lines.iter().filter(|line| *line == "over sooner, perhaps");
        assert_eq!(bounds.count(), launches.min(6), "{lines:#?}");
        assert!(lines.iter().any(|line| line.starts_with("diagnosing a")));
        let said = lines.contains(&format!("note: enough after {enough_after}"));
        assert_eq!(said, launches < 8, "{lines:#?}");
        if launches < 8 {
            let written = scene.run.plan().unwrap();
            assert_eq!(written.launches, plan.launches[..launches]);
            assert_eq!(written.launches_per_cell as usize, launches / 2);
            assert_eq!(written.looks, plan.looks);
            assert_eq!(written.notes, [format!("enough after {enough_after}")]);
        }
    }
}

/// Both are kept: a disturbed one is marked and counts no more, a late one counts where it was not
/// late. Of eleven launches two may be run again.
#[test]
fn a_spoiled_launch_is_run_again_at_once_and_within_a_bound() {
    let mut plan = plan(&[cell("a", "a")], &["a"; 11]);
    let numbers = [DISTURBED, LATE, DISTURBED + 2, 4, 5, 6, 7, 8, 9, 10, 11];
    for (launch, number) in plan.launches.iter_mut().zip(numbers) {
        launch.number = number;
        launch.replicate = number;
    }
    let never = |_: &RunFolder, _| None;
    let (result, lines, scene) = carried_out_until(&plan, Vec::new(), 0, |_, _| {}, never);
    result.unwrap();
    let begun: Vec<&str> = lines
        .iter()
        .filter_map(|l| l.strip_suffix("/11 a"))
        .collect();
    assert_eq!(
        begun[..5],
        ["101", "104", "102", "105", "103"],
        "{lines:#?}"
    );
    assert_eq!(begun.len(), 13);
    assert!(
        lines.contains(&"note: launch 101: a build took it; run again as launch 104".to_owned())
    );
    let written = scene.run.plan().unwrap();
    let again: Vec<_> = written.launches[11..]
        .iter()
        .map(|l| (l.number, l.again, l.replicate))
        .collect();
    assert_eq!(again, [(104, Some(101), 101), (105, Some(102), 102)]);
    let outcome = |number: u32| {
        let launches = scene.run.launches().unwrap();
        let records = launches.iter().map(|launch| launch.record().unwrap());
        let mut records = records.filter(|record| record.number == number);
        crate::testkit::of(&records.next().unwrap().outcome)
    };
    assert!(outcome(DISTURBED).starts_with("spoiled: launch 101: a build took it"));
    for number in [LATE, 104, 105] {
        assert_eq!(outcome(number), "completed", "{number}");
    }
}

/// What disturbed it goes on: it is run again twice, although the bound of all would allow a third.
#[test]
fn a_launch_that_is_disturbed_again_is_run_a_second_time_and_no_third() {
    let mut plan = plan(&[cell("a", "a")], &["a"; 16]);
    plan.launches[0].number = LONG;
    let never = |_: &RunFolder, _| None;
    let (result, lines, scene) = carried_out_until(&plan, Vec::new(), 0, |_, _| {}, never);
    result.unwrap();
    let mut begun = lines.iter().filter_map(|l| l.strip_suffix("/16 a"));
    let first: Vec<&str> = begun.by_ref().take(4).collect();
    assert_eq!(first, ["201", "202", "203", "2"], "{lines:#?}");
    assert_eq!(begun.count(), 14);
    let written = scene.run.plan().unwrap();
    let again: Vec<_> = written.launches[16..]
        .iter()
        .map(|l| (l.number, l.again))
        .collect();
    assert_eq!(again, [(202, Some(LONG)), (LONG_TO, Some(LONG))]);
}

#[test]
fn looked_into_then_measured_then_diagnosed() {
    let mut plan = plan(&[cell("a", "a"), cell("b", "a")], &["b", "a"]);
    plan.diagnosis = vec![planned(3, "a")];
    let (result, lines) = carried_out(&plan, Vec::new(), 2);
    result.unwrap();
    let of = "a: a launch with instruments, which counts in no figure";
    let (look, diagnose) = (format!("looking into {of}"), format!("diagnosing {of}"));
    let chosen = [look.as_str(), diagnose.as_str(), "1/2 b", "2/2 a"];
    let order: Vec<&str> = lines
        .iter()
        .map(String::as_str)
        .filter(|line| chosen.contains(line))
        .collect();
    assert_eq!(
        order,
        [&look, &look, "1/2 b", "2/2 a", &diagnose],
        "{lines:#?}"
    );
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
        let begun = |lives, looks| {
            let (result, lines) = carried_out(&plan, lives, looks);
            result.unwrap();
            lines.iter().filter(|line| line.contains("/3 a")).count()
        };
        assert_eq!(begun(vec![life.clone()], 0), launches, "{life:?}");
        // The same of a launch in which a build is looked into, which comes first.
        let after_a_look = if launches == 3 { 3 } else { 0 };
        assert_eq!(begun(vec![life.clone()], 1), after_a_look, "{life:?}");
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
        ..plan(&[cell("a", "a")], &["a", "a"])
    };
    let when_one_is_over = |stop: &Stop, folder: &RunFolder| {
        let (stop, folder) = (stop.clone(), folder.clone());
        std::thread::spawn(move || {
            let is_over = |launch: &LaunchDir| {
                let record = launch.record();
                record.is_ok_and(|record| record.outcome == LaunchOutcome::Completed)
            };
            while !folder.launches().is_ok_and(|all| all.iter().any(is_over)) {
                std::thread::sleep(Duration::from_millis(2));
            }
            stop.set();
        });
    };
    let (result, lines, _) = carried_out_until(&plan, Vec::new(), 0, when_one_is_over, |_, _| None);
    result.unwrap();
    assert_eq!(lines, ["1/2 a"]);
}
