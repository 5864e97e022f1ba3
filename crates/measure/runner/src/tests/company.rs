//! What stands beside the launches: when it is there, and what a launch is worth without it.

use crate::company::Company;
use crate::error::RunError;
use crate::event::Silent;
use crate::session::fake::{At, Life, Stage};
use crate::session::{Halt, Hooks, Lived, Ready, Terms, live};
use crate::testkit::{Scene, cold, of};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::time::Duration;
use tacho_run_folder::CompanionRecord;

/// A database for the whole run, and a stub for each launch.
const BOTH: &str = "[{name: db, command: ./db}, {name: stub, command: ./stub, fresh: true}]";

struct TwoPhases<'a> {
    scene: &'a Scene,
    company: &'a Company,
    panics: bool,
    seen: Vec<CompanionRecord>,
}

impl Hooks for TwoPhases<'_> {
    fn load(&mut self, ready: &mut Ready<'_>) -> Result<(), Halt> {
        assert!(!self.panics, "as it happens");
        let mut loading = ready.loading(self.scene.load())?;
        for plan in [cold("one"), cold("two")] {
            loading.answered(ready, "phase", &plan, &mut Silent)?;
        }
        Ok(())
    }

    fn leaving(&mut self, _: &crate::session::Running, _: &tacho_run_folder::LaunchOutcome) {
        self.seen = self.company.records();
    }
}

/// A run in which companions are started.
struct Beside {
    scene: Scene,
    stage: Stage,
    company: Company,
}

impl Beside {
    fn new(companions: &str, stage: Stage) -> Self {
        let scene = Scene::new();
        let text = format!(
            "tacho: 1\nvariants: [{{kind: exec, command: ./a}}]\ncompanions: {companions}\n"
        );
        let experiment = tacho_experiment::file::parse(&text, Path::new("/x")).unwrap();
        let company = Company::of(&experiment, scene.path(), &scene.run).unwrap();
        Self {
            scene,
            stage,
            company,
        }
    }

    fn terms(&self) -> Terms<'_> {
        Terms {
            place: &self.stage,
            grace: Duration::from_secs(1),
            company: &self.company,
            stop: &self.stage.stop,
        }
    }

    fn hooks(&self) -> TwoPhases<'_> {
        TwoPhases {
            scene: &self.scene,
            company: &self.company,
            panics: false,
            seen: Vec::new(),
        }
    }

    /// A launch, and what of its companions is on record.
    fn launch(&self, name: &str) -> (Lived, Vec<CompanionRecord>) {
        let mut hooks = self.hooks();
        let lived = live(self.terms(), &self.scene.spec(name), &[], &mut hooks);
        (lived, hooks.seen)
    }

    /// Everything that has happened, when the run is over.
    fn told(self) -> Vec<String> {
        drop(self.company);
        assert!(self.stage.is_empty(), "{:?}", self.stage.told());
        let told = self.stage.told().into_iter();
        told.filter(|line| line.starts_with("start") || line.starts_with("SIGTERM"))
            .collect()
    }
}

fn how_often(seen: &[CompanionRecord]) -> Vec<(&str, bool, u32)> {
    let each = seen.iter().map(|c| (c.name.as_str(), c.fresh, c.starts));
    each.collect()
}

#[test]
fn one_stays_for_the_run_and_a_fresh_one_for_its_launch() {
    let beside = Beside::new(BOTH, Stage::with([]));
    beside.company.begin(beside.terms()).unwrap();
    for (name, starts) in [("001", 1), ("002", 2)] {
        let (lived, seen) = beside.launch(name);
        assert_eq!(of(&lived.outcome), "completed");
        assert_eq!(how_often(&seen), [("db", false, 1), ("stub", true, starts)]);
        assert!(seen.iter().all(|c| c.ready_ms == Some(1000.0)), "{seen:?}");
    }
    assert_eq!(
        beside.told(),
        [
            "start companion-db-1",
            "start companion-stub-1",
            "start 001",
            "SIGTERM 001",
            "SIGTERM companion-stub-1",
            "start companion-stub-2",
            "start 002",
            "SIGTERM 002",
            "SIGTERM companion-stub-2",
            "SIGTERM companion-db-1",
        ]
    );
}

#[test]
fn a_launch_that_lost_its_companion_is_invalid_and_the_next_one_has_it_again() {
    for (name, when, said) in [
        ("in a phase", At::Phase(1), "in phase `two`"),
        ("before it", At::Ready, "in phase `one`"),
    ] {
        let stage = Stage::with([]).and("companion-db-1", Life::good().exits(when, 3));
        let beside = Beside::new("[{name: db, command: ./db}]", stage);
        let (lived, seen) = beside.launch("001");
        let outcome = of(&lived.outcome);
        assert_eq!(
            outcome,
            format!(
                "invalid: companion db ended by itself with exit code 3 {said}: what the subject does without it is not what was to be measured; it is started again for the next launch. Its output ended with: its last line"
            ),
            "{name}"
        );
        let ended = format!("ended by itself with exit code 3 {said}");
        assert_eq!(seen[0].ended, Some(ended), "{name}");
        let (lived, seen) = beside.launch("002");
        assert_eq!(of(&lived.outcome), "completed", "{name}");
        assert_eq!(how_often(&seen), [("db", false, 2)], "{name}");
        beside.told();
    }
}

/// The subject fails for want of it, and is not to blame.
#[test]
fn a_subject_that_does_not_start_without_its_companion_is_not_what_failed() {
    let stage = Stage::with([Life::good().exits(At::Watch, 1)])
        .and("companion-db-1", Life::good().exits(At::Ready, 0));
    let beside = Beside::new("[{name: db, command: ./db}]", stage);
    let (lived, _) = beside.launch("001");
    let outcome = of(&lived.outcome);
    assert!(
        outcome.starts_with(
            "invalid: companion db ended by itself with exit code 0 while the launch went on"
        ),
        "{outcome}"
    );
    beside.told();
}

#[test]
fn without_one_nothing_is_launched_and_the_run_says_what_it_said() {
    for (name, life, said) in [
        (
            "not started",
            Life::good().not_started("there is no program `stub`"),
            "companion stub: there is no program `stub`\nIt wrote nothing.",
        ),
        (
            "never ready",
            Life::good().never_listens(),
            "companion stub: it was not ready after 60 s: it listens on no port; give it longer",
        ),
        (
            "exits",
            Life::good().exits(At::Watch, 7),
            "companion stub: it ended by itself with exit code 7 before it was ready; until then it listens on no port; a companion stays in the foreground\nIts output ended with\nits last line\nAll that it wrote is in",
        ),
    ] {
        let stage = Stage::with([]).and("companion-stub-1", life);
        let beside = Beside::new(BOTH, stage);
        let (lived, seen) = beside.launch("001");
        let error = lived.error.unwrap();
        assert!(
            matches!(error, RunError::CompanionNotReady { .. }),
            "{name}: {error:?}"
        );
        assert!(error.to_string().contains(said), "{name}: {error}");
        assert!(seen.is_empty() && lived.ends.is_empty(), "{name}");
        let told = beside.told();
        assert!(!told.contains(&"start 001".to_owned()), "{name}: {told:?}");
    }
}

#[test]
fn a_wait_for_one_ends_when_the_user_has_had_enough() {
    let stage = Stage::with([]).and("companion-db-1", Life::good().interrupted(At::Watch));
    let beside = Beside::new(BOTH, stage);
    let (lived, _) = beside.launch("001");
    assert_eq!(of(&lived.outcome), "interrupted");
    assert!(lived.error.is_none());
    assert_eq!(
        beside.told(),
        ["start companion-db-1", "SIGTERM companion-db-1"]
    );
}

/// Whatever goes wrong in Tacho itself.
#[test]
fn a_panic_leaves_none_behind() {
    let beside = Beside::new(BOTH, Stage::with([]));
    let mut hooks = TwoPhases {
        panics: true,
        ..beside.hooks()
    };
    let spec = beside.scene.spec("001");
    let launch = AssertUnwindSafe(|| live(beside.terms(), &spec, &[], &mut hooks));
    assert!(catch_unwind(launch).is_err());
    drop(beside.company);
    let told = beside.stage.told();
    for name in ["stub", "db"] {
        assert!(
            told.contains(&format!("SIGTERM companion-{name}-1")),
            "{told:?}"
        );
    }
}
