use crate::answers::Comparison;
use crate::company::NOBODY;
use crate::error::RunError;
use crate::event::Silent;
use crate::making::Made;
use crate::session::fake::{At, Life, Stage};
use crate::testkit::{Scene, prepared, readiness};
use std::time::Duration;

fn made(name: &str) -> Made {
    let mut prepared = prepared("jar", &["serve"]);
    prepared.record.name = name.to_owned();
    Made {
        prepared,
        readiness: readiness(),
    }
}

fn compared(jvm: Life, image: Life) -> (Result<Vec<String>, RunError>, Vec<String>) {
    let (scene, stage) = (Scene::new(), Stage::with([jvm, image]));
    let comparison = Comparison {
        reference: &made("jvm"),
        image: &made("native"),
        requests: &scene.requests,
        request_timeout: Duration::from_secs(1),
        directory: &scene.path().join("answers"),
        place: &stage,
        company: &NOBODY,
        stop: &stage.stop,
    };
    let notes = comparison.carry_out(&mut Silent);
    assert!(stage.is_empty(), "{:?}", stage.told());
    (notes, stage.told())
}

#[test]
fn what_an_image_does_otherwise_is_said_and_failures_of_the_jvm_are_not_its_own() {
    let good = Life::good;
    for (name, jvm, image, said) in [
        ("alike", good(), good(), ""),
        (
            "both give no answer",
            good().hangs(),
            good().hangs(),
            "the answers to `GET /` were not compared, since jvm itself gives none",
        ),
        (
            "the JVM is never ready",
            good().never_listens(),
            good(),
            "were not compared, since jvm did not become ready",
        ),
        (
            "the JVM is not started",
            good().not_started("no file"),
            good(),
            "were not compared, since jvm did not become ready: no file",
        ),
        (
            "the image is never ready",
            good(),
            good().never_listens(),
            "native did not become ready: it was not ready after 60 s",
        ),
        (
            "the image exits",
            good(),
            good().exits(At::Watch, 1),
            "native did not become ready: it ended by itself with exit code 1",
        ),
        (
            "the image answers garbage",
            good(),
            good().answers_garbage(),
            "native answers `GET /` otherwise than jvm",
        ),
        (
            "the image dies of a request",
            good(),
            good().exits(At::Phase(2), 1),
            "native answers `GET /` otherwise than jvm",
        ),
    ] {
        let notes = compared(jvm, image).0.unwrap();
        match said {
            "" => assert_eq!(notes, Vec::<String>::new(), "{name}"),
            said => assert!(notes[0].contains(said), "{name}: {notes:?}"),
        }
    }
}

#[test]
fn an_interruption_ends_the_comparison_at_once() {
    for at in [At::Start, At::Watch, At::Ready, At::Phase(0)] {
        let (notes, told) = compared(Life::good().interrupted(at), Life::good());
        assert!(matches!(notes, Err(RunError::Stopped)), "{at:?}");
        assert_eq!(
            told.iter().filter(|line| line.starts_with("start")).count(),
            1,
            "{told:?}"
        );
    }
}
