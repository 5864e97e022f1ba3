//! Every way in which a launch can fail, as a row of a table.

use super::fake::{At, Life, Stage};
use super::*;
use crate::company::NOBODY;
use crate::event::Silent;
use crate::testkit::{Scene, cold, of};

/// Two phases, and nothing else.
struct TwoPhases<'a> {
    scene: &'a Scene,
    left: Option<LaunchOutcome>,
}

impl Hooks for TwoPhases<'_> {
    fn load(&mut self, ready: &mut Ready<'_>) -> Result<(), Halt> {
        let mut loading = ready.loading(self.scene.load())?;
        for plan in [cold("one"), cold("two")] {
            loading.answered(ready, "phase", &plan, &mut Silent)?;
        }
        Ok(())
    }

    fn leaving(&mut self, _: &Running, outcome: &LaunchOutcome) {
        self.left = Some(outcome.clone());
    }
}

/// Lives a launch of several processes; what came of it and what happened.
fn lived(lives: Vec<Life>) -> (String, Vec<String>, Option<LaunchOutcome>) {
    let scene = Scene::new();
    let processes = lives.len();
    let stage = Stage::with(lives);
    let specs: Vec<_> = (1..=processes)
        .map(|number| match number {
            1 => scene.spec("001"),
            _ => scene.spec(&format!("001-{number}")),
        })
        .collect();
    let terms = Terms {
        place: &stage,
        grace: Duration::from_secs(5),
        company: &NOBODY,
        stop: &stage.stop,
    };
    let mut hooks = TwoPhases {
        scene: &scene,
        left: None,
    };
    let lived = live(terms, &specs[0], &specs[1..], &mut hooks);
    assert!(lived.error.is_none(), "{lived:?}");
    assert!(stage.is_empty(), "{:?}", stage.told());
    assert_eq!(lived.ends.is_empty(), hooks.left.is_none());
    (of(&lived.outcome), stage.told(), hooks.left)
}

#[test]
fn every_way_to_fail_ends_the_launch_and_says_why() {
    let good = Life::good;
    for (name, life, said, last) in [
        ("good", good(), "completed", "SIGTERM 001"),
        ("late", good().listens_after(59), "completed", "SIGTERM 001"),
        (
            "not started",
            good().not_started("no such file"),
            "NotStarted: no such file",
            "",
        ),
        (
            "exits at its start",
            good().exits(At::Start, 1),
            "Exited: it ended by itself with exit code 1 before it was ready",
            "SIGTERM 001",
        ),
        (
            "exits while it is watched",
            good().exits(At::Watch, 0),
            "Exited: it ended by itself with exit code 0 before it was ready",
            "SIGTERM 001",
        ),
        (
            "exits when it is ready",
            good().exits(At::Ready, 3),
            "Exited: it ended by itself with exit code 3 in phase `one`",
            "SIGTERM 001",
        ),
        (
            "exits in the first phase",
            good().exits(At::Phase(0), 3),
            "Exited: it ended by itself with exit code 3 in phase `one`",
            "SIGTERM 001",
        ),
        (
            "exits in the second phase",
            good().exits(At::Phase(1), 3),
            "Exited: it ended by itself with exit code 3 in phase `two`",
            "SIGTERM 001",
        ),
        (
            "listens too late",
            good().listens_after(61),
            "NeverReady: it was not ready after 60 s",
            "SIGTERM 001",
        ),
        (
            "never listens",
            good().never_listens(),
            "NeverReady: it was not ready after 60 s: it listens on no port",
            "SIGTERM 001",
        ),
        (
            "speaks no HTTP",
            good().speaks_no_http(),
            "NeverReady: it was not ready after 60 s: it listens on port 8080, which does not speak HTTP",
            "SIGTERM 001",
        ),
        (
            "hangs",
            good().hangs(),
            "NoResponses: not one of the 10 requests of phase `one` succeeded; most often timeout",
            "SIGTERM 001",
        ),
        (
            "answers garbage",
            good().answers_garbage(),
            "NoResponses: not one of the 10 requests of phase `one` succeeded; most often malformed",
            "SIGTERM 001",
        ),
        (
            "ignores SIGTERM",
            good().ignores_sigterm(),
            "completed",
            "SIGKILL after 5 s 001",
        ),
        (
            "killed for memory at its start",
            good().killed_for_memory(At::Watch),
            "OutOfMemory: the kernel killed it for memory before it was ready",
            "SIGTERM 001",
        ),
        (
            "killed for memory under load",
            good().killed_for_memory(At::Phase(1)),
            "OutOfMemory: the kernel killed it for memory in phase `two`: it needs more than its limit of 256 MiB",
            "SIGTERM 001",
        ),
        (
            "stopped",
            good().stopped_in(1),
            "invalid: the subject was stopped (state T) in phase `two`",
            "SIGTERM 001",
        ),
        (
            "interrupted at its start",
            good().interrupted(At::Start),
            "interrupted",
            "SIGTERM 001",
        ),
        (
            "interrupted while it is watched",
            good().interrupted(At::Watch),
            "interrupted",
            "SIGTERM 001",
        ),
        (
            "interrupted when it is ready",
            good().interrupted(At::Ready),
            "interrupted",
            "SIGTERM 001",
        ),
        (
            "interrupted in the first phase",
            good().interrupted(At::Phase(0)),
            "interrupted",
            "SIGTERM 001",
        ),
        (
            "interrupted in the second phase",
            good().interrupted(At::Phase(1)),
            "interrupted",
            "SIGTERM 001",
        ),
        (
            "interrupted at its end",
            good().interrupted(At::End),
            "completed",
            "SIGTERM 001",
        ),
        (
            "interrupted and hangs",
            good().hangs().interrupted(At::Phase(0)),
            "interrupted",
            "SIGTERM 001",
        ),
    ] {
        let (outcome, told, left) = lived(vec![life]);
        assert!(outcome.starts_with(said), "{name}: {outcome}");
        assert_eq!(
            told.last().map_or("", String::as_str),
            last,
            "{name}: {told:?}"
        );
        assert_eq!(
            left.map(|left| of(&left)),
            (!last.is_empty()).then_some(outcome),
            "{name}"
        );
    }
}

#[test]
fn a_phase_after_a_failure_is_not_begun() {
    for (life, phases) in [
        (Life::good(), 2),
        (Life::good().exits(At::Phase(0), 1), 1),
        (Life::good().hangs(), 1),
        (Life::good().interrupted(At::Phase(0)), 1),
        (Life::good().interrupted(At::Ready), 0),
        (Life::good().never_listens(), 0),
    ] {
        let (_, told, _) = lived(vec![life.clone()]);
        let begun = told.iter().filter(|line| line.starts_with("phase")).count();
        assert_eq!(begun, phases, "{life:?}: {told:?}");
    }
}

#[test]
fn of_several_processes_each_counts_and_is_named() {
    let good = Life::good;
    for (lives, said) in [
        (vec![good(), good(), good()], "completed"),
        (
            vec![good(), good().not_started("no port")],
            "NotStarted: process 2 of the launch: no port",
        ),
        (
            vec![good(), good(), good().never_listens()],
            "NeverReady: process 3 of the launch: it was not ready",
        ),
        (
            vec![good(), good().exits(At::Watch, 1)],
            "Exited: process 2 of the launch: it ended by itself with exit code 1 before",
        ),
        (
            vec![good().never_listens(), good().exits(At::Watch, 1)],
            "NeverReady: it was not ready",
        ),
        (
            vec![good(), good().exits(At::Phase(1), 1)],
            "Exited: process 2 of the launch: it ended by itself with exit code 1 in phase `two`",
        ),
        (
            vec![good(), good().killed_for_memory(At::Phase(0))],
            "OutOfMemory: process 2 of the launch: the kernel killed it for memory in phase `one`",
        ),
        (vec![good(), good().interrupted(At::Watch)], "interrupted"),
        (vec![good(), good().ignores_sigterm()], "completed"),
    ] {
        let (outcome, told, _) = lived(lives.clone());
        assert!(outcome.starts_with(said), "{lives:?}: {outcome}, {told:?}");
    }
}

#[test]
fn after_the_user_has_had_enough_nothing_is_started() {
    let scene = Scene::new();
    let stage = Stage::with([]);
    stage.stop.set();
    let terms = without_grace(&stage);
    let mut hooks = TwoPhases {
        scene: &scene,
        left: None,
    };
    let lived = live(terms, &scene.spec("001"), &[], &mut hooks);
    assert_eq!(lived.outcome, LaunchOutcome::Interrupted);
    assert_eq!(stage.told(), Vec::<String>::new());
}

/// An error of the run in a hook.
struct Breaks;

impl Hooks for Breaks {
    fn load(&mut self, _: &mut Ready<'_>) -> Result<(), Halt> {
        Err(RunError::Stopped.into())
    }
}

#[test]
fn an_error_of_the_run_ends_the_process_as_well() {
    let scene = Scene::new();
    let stage = Stage::with([]);
    let terms = without_grace(&stage);
    let lived = live(terms, &scene.spec("001"), &[], &mut Breaks);
    assert!(matches!(lived.error, Some(RunError::Stopped)), "{lived:?}");
    assert_eq!(lived.outcome, LaunchOutcome::Running);
    assert!(stage.is_empty());
    assert_eq!(
        stage.told(),
        [
            "start 001",
            "observe 001",
            "ready 001",
            "observed 001",
            "SIGTERM 001"
        ]
    );
}

fn without_grace(stage: &Stage) -> Terms<'_> {
    Terms {
        place: stage,
        grace: Duration::ZERO,
        company: &NOBODY,
        stop: &stage.stop,
    }
}

#[test]
fn the_port_is_filled_in_whatever_a_launch_is_for() {
    let scene = Scene::new();
    let stage = Stage::with([]);
    let terms = without_grace(&stage);
    let mut spec = scene.spec("001");
    spec.command.push("--port={port}".to_owned());
    live(terms, &spec, &[], &mut Breaks);
    assert_eq!(stage.commands(), [["serve", "--port=8080"]]);
}

#[test]
fn a_pattern_is_read_once_and_a_bad_one_is_no_port_check() {
    let log = |pattern: &str| ReadySpec {
        condition: ReadyCondition::Log(pattern.to_owned()),
        ..ReadySpec::default()
    };
    let good = Readiness::of(&log("ready$"), None).unwrap();
    assert!(matches!(good.condition, Condition::Log(_)));
    let error = Readiness::of(&log("ready ("), None).unwrap_err();
    let error = RunError::ReadyPattern {
        variant: "a".into(),
        source: error,
    };
    let said = error.to_string();
    assert!(
        said.contains("`ready: log` is no regular expression"),
        "{said}"
    );
    assert!(said.contains("unclosed group"), "{said}");
}
