use crate::company::NOBODY;
use crate::dissecting::{DissectSpec, Dissected};
use crate::event::Silent;
use crate::launching::{Bench, Launch};
use crate::session::fake::{At, Life, Stage};
use crate::testkit::{Scene, of, planned, prepared, readiness};
use std::time::Duration;
use tacho_experiment::{GcLog, limits};

pub fn spec() -> DissectSpec {
    DissectSpec {
        warm_up: 10,
        requests: 10,
        sampled_s: 1.0,
        connections: 1,
        own: vec!["shop.".into()],
        profiler: None,
        traced: Vec::new(),
    }
}

/// Of a service that answers ten requests in the time of a window, whatever is asked.
#[test]
fn what_time_has_cut_short_is_said() {
    let asked = |warm_up, requests| {
        let (scene, stage) = (Scene::new(), Stage::with([Life::good()]));
        let spec = DissectSpec {
            warm_up,
            requests,
            ..spec()
        };
        let dissected = dissect(&scene, &stage, &spec).dissection;
        let mut missing: Vec<String> = dissected.missing.into_iter().map(|m| m.what).collect();
        missing.retain(|what| what.contains("requests"));
        missing
    };
    assert!(asked(10, 10).is_empty());
    assert_eq!(asked(11, 10), ["a warm-up of 11 requests"]);
    assert_eq!(asked(10, 11), ["windows of 11 requests"]);
}

fn dissect(scene: &Scene, stage: &Stage, spec: &DissectSpec) -> Dissected {
    let bench = Bench {
        place: stage,
        phases: &[],
        requests: &scene.requests,
        seed: 7,
        request_timeout: Duration::from_secs(1),
        gc_log: GcLog::Off,
        pods: 1,
        company: &NOBODY,
        stop: &stage.stop,
    };
    let launch = Launch {
        planned: &planned(1, "a"),
        limits: &limits::none(),
        prepared: &prepared("exec", &["serve"]),
        readiness: &readiness(),
        folder: &scene.folder,
        instruments: None,
        seat: None,
    };
    bench.dissect(&launch, spec, &mut Silent).unwrap()
}

#[test]
fn windows_end_with_the_subject_and_what_is_no_jvm_is_said_to_be_none() {
    let good = Life::good;
    for (name, life, said, windows) in [
        ("good", good(), "completed", 1),
        (
            "not started",
            good().not_started("no such file"),
            "NotStarted: no such file",
            0,
        ),
        (
            "never ready",
            good().never_listens(),
            "NeverReady: it was not ready after 60 s",
            0,
        ),
        (
            "dies while it is warmed",
            good().exits(At::Phase(0), 1),
            "Exited: it ended by itself with exit code 1 in window `warm-up`",
            0,
        ),
        (
            "dies in a window",
            good().exits(At::Phase(1), 1),
            "Exited: it ended by itself with exit code 1 in window `plain`",
            0,
        ),
        (
            "killed for memory",
            good().killed_for_memory(At::Phase(1)),
            "OutOfMemory",
            0,
        ),
        (
            "hangs",
            good().hangs(),
            "NoResponses: not one of the 10 requests of window `warm-up` succeeded",
            0,
        ),
        (
            "stopped",
            good().stopped_in(1),
            "invalid: the subject was stopped (state T) in window `plain`",
            0,
        ),
        (
            "interrupted",
            good().interrupted(At::Phase(1)),
            "interrupted",
            0,
        ),
    ] {
        let (scene, stage) = (Scene::new(), Stage::with([life]));
        let dissected = dissect(&scene, &stage, &spec());
        let outcome = of(&dissected.record.outcome);
        assert!(outcome.starts_with(said), "{name}: {outcome}");
        assert_eq!(dissected.dissection.windows.len(), windows, "{name}");
        assert!(stage.is_empty(), "{name}: {:?}", stage.told());
        let written = scene.folder.dissection().unwrap().unwrap();
        assert_eq!(written, dissected.dissection, "{name}");
        assert_eq!(scene.folder.record().unwrap(), dissected.record, "{name}");
        let lacks = written.missing.iter().any(|m| m.why.contains("is a JVM"));
        assert_eq!(lacks, outcome == "completed", "{name}");
    }
}
