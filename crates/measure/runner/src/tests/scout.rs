use crate::company::NOBODY;
use crate::error::RunError;
use crate::event::Silent;
use crate::scout::scout;
use crate::session::Terms;
use crate::session::fake::{At, Life, Stage};
use crate::testkit::{Scene, prepared, readiness};
use std::time::Duration;

#[test]
fn a_path_is_found_or_it_is_said_why_not() {
    let good = Life::good;
    for (name, life, said) in [
        ("good", good(), ""),
        (
            "not started",
            good().not_started("no such file"),
            "no such file",
        ),
        (
            "exits",
            good().exits(At::Watch, 1),
            "it ended by itself with exit code 1 before it was ready",
        ),
        (
            "never ready",
            good().never_listens(),
            "it was not ready after 60 s",
        ),
        (
            "dies when it is asked",
            good().exits(At::Phase(0), 1),
            "it ended by itself with exit code 1 in phase `scout`",
        ),
        ("hangs", good().hangs(), "none of /a, /b answers below 400"),
        (
            "garbage",
            good().answers_garbage(),
            "none of /a, /b answers below 400",
        ),
        (
            "TLS",
            good().speaks_tls(),
            "answers /a, /b only as a port that speaks TLS does. If it serves HTTPS: `tacho run` sends plain HTTP: switch TLS off",
        ),
        (
            "stopped",
            good().stopped_in(0),
            "the subject was stopped (state T) in phase `scout`",
        ),
        (
            "interrupted while it is watched",
            good().interrupted(At::Watch),
            "stopped before the first launch",
        ),
        (
            "interrupted when it is asked",
            good().interrupted(At::Phase(0)),
            "stopped before the first launch",
        ),
    ] {
        let (scene, stage) = (Scene::new(), Stage::with([life]));
        let terms = Terms {
            place: &stage,
            grace: Duration::ZERO,
            company: &NOBODY,
            stop: &stage.stop,
        };
        let found = scout(
            terms,
            &prepared("exec", &["serve"]),
            &readiness(),
            &["/a".to_owned(), "/b".to_owned()],
            Duration::from_secs(90),
            scene.path(),
            &mut Silent,
        );
        assert!(stage.is_empty(), "{name}: {:?}", stage.told());
        let patience = stage.patience();
        let is_that = |seconds: &Duration| *seconds == Duration::from_secs(90);
        assert!(patience.iter().all(is_that), "{name}: {patience:?}");
        let error = match found {
            Ok(request) => {
                assert_eq!((said, &*request.steps[0].path), ("", "/a"), "{name}");
                continue;
            }
            Err(error) => error,
        };
        assert_ne!(said, "", "{name}: {error}");
        assert!(error.to_string().contains(said), "{name}: {error}");
        assert_eq!(
            said.starts_with("stopped"),
            matches!(error, RunError::Stopped),
            "{name}"
        );
    }
}
