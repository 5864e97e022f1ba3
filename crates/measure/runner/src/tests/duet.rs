use crate::company::NOBODY;
use crate::duet::both;
use crate::event::{Event, Listener};
use crate::launching::{Bench, Launch};
use crate::session::fake::{At, Life, Stage};
use crate::stop::Stop;
use crate::testkit::{Scene, cold, of, planned, prepared, readiness};
use std::time::Duration;
use tacho_experiment::{GcLog, limits};
use tacho_observe::processors::halves;
use tacho_run_folder::{Duet, DuetWindows, LaunchRecord, PhaseKind, PhasePlan};

/// On a machine with one processor both sides have the same.
fn duet() -> Duet {
    let halves = halves().unwrap().map(|halves| halves.halves);
    Duet {
        halves: halves.unwrap_or_else(|| [vec![0], vec![0]]),
        share_a_core: false,
        windows: Some(DuetWindows {
            repeats: "closed".into(),
            load: PhaseKind::closed(10, 1),
            rounds: 2,
        }),
    }
}

struct Notes(Vec<String>);

impl Listener for Notes {
    fn event(&mut self, event: Event<'_>) {
        if let Event::Note { text } = event {
            self.0.push(text.to_owned());
        }
    }
}

/// Launches 1 and 2 at the same time, of two phases.
fn lived(stage: &Stage, stop: &Stop) -> ([LaunchRecord; 2], Vec<String>) {
    let scene = Scene::new();
    let (prepared, readiness, limits) = (
        prepared("exec", &["serve", "--port={port}"]),
        readiness(),
        limits::none(),
    );
    let phases: Vec<PhasePlan> = vec![cold("cold"), cold("closed")];
    let bench = Bench {
        place: stage,
        phases: &phases,
        requests: &scene.requests,
        seed: 7,
        request_timeout: Duration::from_secs(1),
        gc_log: GcLog::Off,
        pods: 1,
        company: &NOBODY,
        stop,
    };
    let planned = [planned(1, "a"), planned(2, "b")];
    // The scene has made the first one.
    let second = scene.run.create_launch(&planned[1]).unwrap();
    let folders = [&scene.folder, &second];
    let launch = |index: usize| Launch {
        planned: &planned[index],
        limits: &limits,
        prepared: &prepared,
        readiness: &readiness,
        folder: folders[index],
        instruments: None,
        seat: None,
    };
    let mut notes = Notes(Vec::new());
    let records = both(&bench, [launch(0), launch(1)], &duet(), &mut notes).unwrap();
    assert!(stage.is_empty(), "{:?}", stage.told());
    for (folder, record) in folders.iter().zip(&records) {
        assert_eq!(&folder.record().unwrap(), record);
    }
    (records, notes.0)
}

#[test]
fn no_phase_begins_before_both_sides_have_done_the_one_before_it() {
    let stage = Stage::with([]);
    let (records, _) = lived(&stage, &stage.stop);
    let told = stage.told();
    let phases = told.iter().filter_map(|line| line.strip_prefix("phase "));
    let phases: Vec<&str> = phases.collect();
    let expected = [
        "cold",
        "closed",
        "duet-beside-1",
        "duet-alone-1",
        "duet-beside-2",
        "duet-alone-2",
    ];
    // Each of them once for each side, and none before the one that was before it.
    assert_eq!(phases, expected.map(|label| [label, label]).concat());
    for (index, record) in records.iter().enumerate() {
        assert_eq!(of(&record.outcome), "completed");
        let labels: Vec<&str> = record.phases.iter().map(|p| p.label.as_str()).collect();
        assert_eq!(labels, expected);
        let seen = record.duet.as_ref().unwrap();
        assert_eq!(seen.beside as usize, 2 - index);
        assert_eq!(seen.processors, duet().halves[index]);
        assert_eq!(seen.strayed, Some(0));
        assert_eq!(record.block(), 1);
    }
    assert_eq!(records[0].command[1], "--port=8080");
    let own = records[1].command[1].strip_prefix("--port=").unwrap();
    assert_ne!(own, "8080");
    own.parse::<u16>().unwrap();
}

/// Wherever it fails: the other one ends in order, and says why it counts in nothing.
#[test]
fn a_side_without_its_partner_counts_in_nothing() {
    let good = Life::good;
    for life in [
        good().not_started("no such file"),
        good().exits(At::Watch, 1),
        good().never_listens(),
        good().hangs(),
        good().exits(At::Phase(0), 1),
        good().exits(At::Phase(3), 1),
        good().exits(At::Phase(5), 1),
    ] {
        for (name, failed) in [("001", 0), ("002", 1)] {
            let stage = Stage::with([]).and(name, life.clone());
            let (records, _) = lived(&stage, &stage.stop);
            let [failed, other] = [&records[failed], &records[1 - failed]];
            assert_ne!(of(&failed.outcome), "completed", "{life:?}");
            let said = format!(
                "invalid: launch {}, beside which it ran, did not come to its end",
                failed.number
            );
            let outcome = of(&other.outcome);
            assert!(outcome.starts_with(&said), "{life:?}: {outcome}");
        }
    }
}

#[test]
fn the_users_wish_ends_both() {
    for at in [At::Start, At::Watch, At::Ready, At::Phase(1), At::Phase(4)] {
        let stage = Stage::with([]).and("002", Life::good().interrupted(at));
        let (records, _) = lived(&stage, &stage.stop);
        for record in &records {
            assert_eq!(of(&record.outcome), "interrupted", "{at:?}");
        }
    }
}

/// Progress is of the first side; a note is lost of neither.
#[test]
fn what_the_second_side_has_to_say_is_said() {
    let stage = Stage::with([]).and("002", Life::good().writes_too_much(5));
    let (_, notes) = lived(&stage, &stage.stop);
    assert_eq!(notes.len(), 1, "{notes:?}");
    assert!(notes[0].starts_with("launch 2, `b`: "), "{notes:?}");
}
