use crate::company::NOBODY;
use crate::diagnosing::Instruments;
use crate::event::{Event, Listener, Silent};
use crate::launching::{Bench, Launch};
use crate::session::fake::{At, Life, Stage};
use crate::testkit::{Scene, cold, of, planned, prepared, readiness};
use std::time::Duration;
use tacho_experiment::{GcLog, Recipe, WarmUp, limits};
use tacho_run_folder::{LaunchRecord, Limits, PhasePlan};
use tacho_subject::{Prepared, ProofNeeded};

/// A launch as a builder.
struct Measured {
    lives: Vec<Life>,
    prepared: Prepared,
    limits: Limits,
    phases: Vec<PhasePlan>,
    diagnosed: bool,
}

/// What came of it.
struct Seen {
    scene: Scene,
    record: LaunchRecord,
    told: Vec<String>,
    notes: Vec<String>,
}

fn measured(lives: impl IntoIterator<Item = Life>) -> Measured {
    Measured {
        lives: lives.into_iter().collect(),
        prepared: prepared("exec", &["serve", "--port={port}"]),
        limits: limits::none(),
        phases: vec![cold("one"), cold("two")],
        diagnosed: false,
    }
}

impl Measured {
    fn proven(mut self) -> Self {
        self.prepared.proof = ProofNeeded::Runtime {
            claim: "it runs on a runtime of its own".into(),
            exe_under: "/build/runtime".into(),
        };
        self
    }

    fn limited(mut self) -> Self {
        self.limits = Limits {
            name: "1cpu".into(),
            cpu: Some(1.0),
            memory_bytes: Some(256 << 20),
        };
        self
    }

    fn warmed(mut self, boost_cpu: Option<f64>) -> Self {
        self.prepared.record.warm_up = Some(WarmUp {
            recipe: Recipe::Requests { requests: 100 },
            connections: 1,
            boost_cpu,
        });
        self
    }

    fn diagnosed(mut self) -> Self {
        self.diagnosed = true;
        self
    }

    fn go(self) -> Seen {
        let scene = Scene::new();
        let stage = Stage::with(self.lives.clone());
        let bench = Bench {
            place: &stage,
            phases: &self.phases,
            requests: &scene.requests,
            seed: 7,
            request_timeout: Duration::from_secs(1),
            gc_log: GcLog::Off,
            pods: u32::try_from(self.lives.len()).unwrap(),
            company: &NOBODY,
            stop: &stage.stop,
        };
        let (planned, readiness) = (planned(1, "a"), readiness());
        let instruments = Instruments::of(&self.prepared, &scene.folder).unwrap();
        let launch = Launch {
            planned: &planned,
            limits: &self.limits,
            prepared: &self.prepared,
            readiness: &readiness,
            folder: &scene.folder,
            instruments: self.diagnosed.then_some(&instruments),
            seat: None,
        };
        let mut notes = Notes(Vec::new());
        let record = bench.launch(&launch, &mut notes).unwrap();
        assert!(stage.is_empty(), "{:?}", stage.told());
        assert_eq!(scene.folder.record().unwrap(), record);
        Seen {
            record,
            told: stage.told(),
            notes: notes.0,
            scene,
        }
    }
}

struct Notes(Vec<String>);

impl Listener for Notes {
    fn event(&mut self, event: Event<'_>) {
        match event {
            Event::Note { text } => self.0.push(text.to_owned()),
            other => Silent.event(other),
        }
    }
}

#[test]
fn each_failure_is_in_the_record_with_as_many_phases_as_there_were() {
    let good = Life::good;
    for (name, launch, said, phases) in [
        ("good", measured([good()]), "completed", 2),
        (
            "not started",
            measured([good().not_started("no such file")]),
            "NotStarted: no such file",
            0,
        ),
        (
            "exits",
            measured([good().exits(At::Watch, 1)]),
            "Exited: it ended by itself with exit code 1",
            0,
        ),
        (
            "never ready",
            measured([good().never_listens()]),
            "NeverReady: it was not ready after 60 s",
            0,
        ),
        (
            "dies under load",
            measured([good().exits(At::Phase(0), 1)]),
            "Exited: it ended by itself with exit code 1 in phase `one`",
            1,
        ),
        (
            "killed for memory",
            measured([good().killed_for_memory(At::Phase(1))]),
            "OutOfMemory: the kernel killed it for memory in phase `two`",
            2,
        ),
        (
            "hangs",
            measured([good().hangs()]),
            "NoResponses: not one of the 10 requests of phase `one` succeeded; most often timeout",
            1,
        ),
        (
            "garbage",
            measured([good().answers_garbage()]),
            "NoResponses: not one of the 10 requests of phase `one` succeeded; most often malformed",
            1,
        ),
        (
            "stopped",
            measured([good().stopped_in(0)]),
            "invalid: the subject was stopped (state T) in phase `one`",
            1,
        ),
        (
            "interrupted",
            measured([good().interrupted(At::Phase(0))]),
            "interrupted",
            1,
        ),
        (
            "interrupted while it is warmed",
            measured([good().interrupted(At::WarmUp)]).warmed(None),
            "interrupted",
            0,
        ),
        (
            "no proof",
            measured([good()]).proven(),
            "invalid: no proof that it runs on a runtime of its own",
            2,
        ),
        (
            "fails without a proof",
            measured([good().hangs()]).proven(),
            "NoResponses",
            1,
        ),
        ("limited", measured([good()]).limited(), "completed", 2),
        (
            "outside its group",
            measured([good().outside_its_group()]).limited(),
            "LimitsNotApplied: the subject was outside the control group /group",
            0,
        ),
        (
            "a further process is outside its group",
            measured([good(), good().outside_its_group()]).limited(),
            "LimitsNotApplied: process 2 of the launch was outside the control group /group",
            0,
        ),
        (
            "no group wanted",
            measured([good().outside_its_group()]),
            "completed",
            2,
        ),
        (
            "a further process dies",
            measured([good(), good().exits(At::Phase(1), 1)]),
            "Exited: process 2 of the launch",
            2,
        ),
    ] {
        let seen = launch.go();
        let outcome = of(&seen.record.outcome);
        assert!(outcome.starts_with(said), "{name}: {outcome}");
        assert_eq!(seen.record.phases.len(), phases, "{name}");
    }
}

#[test]
fn instants_and_what_was_held_then_are_recorded() {
    let record = measured([Life::good()]).go().record;
    assert_eq!(record.started_at, "2025-11-21T21:33:27.123456Z");
    assert_eq!(record.command, ["serve", "--port=8080"]);
    assert_eq!(record.time_line.ready_ms, Some(1000.0));
    let resources = record.resources;
    assert_eq!(resources.peak_rss_bytes, Some(200));
    for point in [
        resources.at_ready,
        resources.after_first_request,
        resources.at_end,
    ] {
        assert_eq!(point.unwrap().rss_bytes, 100);
    }
    let never = measured([Life::good().never_listens()]).go().record;
    assert_eq!(never.resources.at_ready, None);
    assert_eq!(never.resources.peak_rss_bytes, Some(200));
}

#[test]
fn limits_are_read_also_of_what_was_never_ready_and_counted_at_the_end() {
    let killed = measured([Life::good().killed_for_memory(At::Watch)]).limited();
    let limits = killed.go().record.limits.unwrap();
    assert_eq!((limits.oom_kills, limits.cpu), (1, Some(1.0)));
}

#[test]
fn further_processes_are_recorded_each_with_its_warm_up_and_its_limits_after_the_boost() {
    let seen = measured([Life::good(), Life::good(), Life::good()])
        .limited()
        .warmed(Some(4.0))
        .go();
    assert_eq!(of(&seen.record.outcome), "completed");
    let numbers: Vec<u32> = seen.record.pods.iter().map(|pod| pod.number).collect();
    assert_eq!(numbers, [2, 3]);
    for pod in &seen.record.pods {
        assert_eq!(pod.time_line.ready_ms, Some(1000.0));
        assert_eq!(pod.resources.at_end.unwrap().rss_bytes, 100);
        assert_eq!(pod.limits.as_ref().unwrap().cpu, Some(1.0));
        assert!(pod.warm_up.is_some(), "{pod:?}");
    }
    assert!(seen.record.warm_up.is_some());
    let boosted = |line: &&String| line.starts_with("set-cpu");
    assert_eq!(seen.told.iter().filter(boosted).count(), 3);
}

#[test]
fn a_log_that_was_too_long_is_noted() {
    let seen = measured([Life::good().writes_too_much(4096)]).go();
    let [note] = &seen.record.notes[..] else {
        panic!("{:?}", seen.record.notes);
    };
    assert!(
        note.contains("4096 bytes in the middle of its log"),
        "{note}"
    );
    assert_eq!(
        seen.notes,
        [format!("launch 1, `{}`: {note}", seen.record.cell)]
    );
}

#[test]
fn a_diagnosis_says_what_it_did_not_see() {
    for (life, why) in [
        (Life::good(), "none of its processes is a JVM any more"),
        (Life::good().hangs(), "the launch did not come to its end"),
        (
            Life::good().exits(At::Watch, 1),
            "the launch did not come to its end",
        ),
    ] {
        let seen = measured([life]).diagnosed().go();
        let diagnosis = seen.scene.folder.diagnosis().unwrap().unwrap();
        let missing = format!("{:?}", diagnosis.missing);
        assert!(missing.contains(why), "{missing}");
        assert!(
            missing.contains("could not look: no JDK is known for `a`"),
            "{missing}"
        );
        assert_eq!(seen.record.command[1], "-XX:NativeMemoryTracking=detail");
    }
    let not_started = measured([Life::good().not_started("no")]).diagnosed().go();
    assert_eq!(not_started.scene.folder.diagnosis().unwrap(), None);
}

#[test]
fn who_has_a_recording_to_write_gets_the_time_to_write_it() {
    let deaf = || measured([Life::good().ignores_sigterm()]);
    let mut records = deaf().diagnosed();
    records.prepared.jdk_home = Some("/opt/jdk".into());
    for (launch, killed) in [
        (deaf(), "SIGKILL after 5 s 001"),
        (deaf().diagnosed(), "SIGKILL after 5 s 001"),
        (records, "SIGKILL after 60 s 001"),
    ] {
        let told = launch.go().told;
        assert!(told.iter().any(|line| line == killed), "{told:?}");
    }
}

#[test]
fn the_seed_of_the_run_is_that_of_the_generator() {
    let (scene, stage) = (Scene::new(), Stage::with([]));
    let bench = |seed| Bench {
        place: &stage,
        phases: &[],
        requests: &scene.requests,
        seed,
        request_timeout: Duration::from_secs(1),
        gc_log: GcLog::Off,
        pods: 1,
        company: &NOBODY,
        stop: &stage.stop,
    };
    assert_eq!(bench(42).options().seed, 42);
    assert_eq!(bench(43).options().seed, 43);
}

/// Fields are added, never renamed: whoever reads run folders of last year reads these.
#[test]
fn the_record_is_written_as_it_always_was() {
    let seen = measured([Life::good(), Life::good()])
        .limited()
        .warmed(None)
        .go();
    let path = seen.scene.folder.path().join("launch.json");
    let written = std::fs::read_to_string(path).unwrap();
    assert_eq!(written, include_str!("launch.json"), "{written}");
}
