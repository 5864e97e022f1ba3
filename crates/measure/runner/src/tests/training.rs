use crate::company::NOBODY;
use crate::event::Silent;
use crate::session::fake::{At, Life, Stage};
use crate::testkit::{Scene, readiness};
use crate::workshop::Bay;
use std::time::Duration;
use tacho_experiment::Training;
use tacho_subject::{Launchable, StepError, Workshop};

fn train(life: Life, training: Training) -> (Result<(), StepError>, Vec<String>) {
    let (scene, stage) = (Scene::new(), Stage::with([life]));
    let mut bay = Bay {
        directory: scene.path().to_owned(),
        variant: "cds",
        place: &stage,
        company: &NOBODY,
        requests: &scene.requests,
        training,
        seed: 7,
        request_timeout: Duration::from_secs(120),
        readiness: readiness(),
        stop: &stage.stop,
        listener: &mut Silent,
        steps: 0,
    };
    let result = bay.train(Launchable {
        purpose: "training launch".into(),
        command: vec!["java".into()],
        directory: scene.path().to_owned(),
        environment: Default::default(),
        asked: true,
        grace: Duration::from_secs(60),
    });
    assert!(stage.is_empty(), "{:?}", stage.told());
    let patience = stage.patience();
    let is_that = |seconds: &Duration| *seconds == Duration::from_secs(120);
    assert!(patience.iter().all(is_that), "{patience:?}");
    (result, stage.told())
}

#[test]
fn a_training_that_fails_in_any_way_says_why() {
    let good = Life::good;
    for (name, life, said) in [
        (
            "not started",
            good().not_started("no such file"),
            "no such file",
        ),
        (
            "exits",
            good().exits(At::Watch, 1),
            "exit code 1 before it was ready",
        ),
        (
            "never ready",
            good().never_listens(),
            "it was not ready after 60 s",
        ),
        (
            "dies in the first phase",
            good().exits(At::Phase(0), 1),
            "exit code 1 in phase `training-0`",
        ),
        // Some requests had succeeded: this went unnoticed.
        (
            "dies in the last phase",
            good().exits(At::Phase(1), 1),
            "exit code 1 in phase `training-1`",
        ),
        (
            "killed for memory",
            good().killed_for_memory(At::Phase(1)),
            "the kernel killed it for memory",
        ),
        (
            "hangs",
            good().hangs(),
            "not one of the 10 requests of phase `training-0` succeeded; most often timeout",
        ),
        ("garbage", good().answers_garbage(), "most often malformed"),
        (
            "stopped",
            good().stopped_in(1),
            "the subject was stopped (state T)",
        ),
        (
            "interrupted while it is watched",
            good().interrupted(At::Watch),
            "interrupted",
        ),
        (
            "interrupted under load",
            good().interrupted(At::Phase(1)),
            "interrupted",
        ),
        (
            "interrupted while it writes",
            good().interrupted(At::End),
            "interrupted",
        ),
    ] {
        let (result, _) = train(life, Training::Requests);
        let error = result.unwrap_err();
        assert!(error.to_string().contains(said), "{name}: {error}");
        let interrupted = matches!(error, StepError::Interrupted);
        assert_eq!(said == "interrupted", interrupted, "{name}");
    }
}

/// An archive that nobody wants is not waited for.
#[test]
fn a_training_that_came_to_nothing_is_ended_soon() {
    for life in [
        Life::good().never_listens(),
        Life::good().hangs(),
        Life::good().interrupted(At::Watch),
        Life::good().interrupted(At::Phase(1)),
        Life::good().interrupted(At::End),
    ] {
        let (_, told) = train(life.ignores_sigterm(), Training::Requests);
        assert!(
            told.last().unwrap().starts_with("SIGKILL after 5 s"),
            "{told:?}"
        );
    }
}

#[test]
fn a_training_sends_both_phases_or_none_and_waits_for_the_end() {
    let (result, told) = train(Life::good(), Training::Requests);
    result.unwrap();
    assert_eq!(told[2..4], ["phase training-0", "phase training-1"]);
    let (result, told) = train(Life::good(), Training::StartUp);
    result.unwrap();
    assert!(
        !told.iter().any(|line| line.starts_with("phase")),
        "{told:?}"
    );
    let (_, told) = train(Life::good().ignores_sigterm(), Training::StartUp);
    assert!(
        told.last().unwrap().starts_with("SIGKILL after 60 s"),
        "{told:?}"
    );
}
