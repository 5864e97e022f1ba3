//! What the tests of this crate have in common.

use crate::processors::Share;
use crate::session::{Load, Observation, Readiness, StartSpec};
use std::path::Path;
use std::time::Duration;
use tacho_experiment::{ReadySpec, limits};
use tacho_load::{Control, Options};
use tacho_run_folder::{
    Cell, LaunchDir, LaunchOutcome, PhaseKind, PhasePlan, Plan, PlannedLaunch, PreparedVariant,
    RunFolder,
};
use tacho_subject::{Prepared, ProofNeeded};
use tacho_workload::{Scenario, Step};

/// A variant `a` that is not made with any JDK.
pub fn prepared(kind: &str, command: &[&str]) -> Prepared {
    Prepared {
        record: PreparedVariant {
            name: "a".into(),
            kind: kind.into(),
            command: command.iter().map(|&word| word.to_owned()).collect(),
            directory: "/".into(),
            environment: Default::default(),
            runtime: None,
            build_commands: Vec::new(),
            build_s: 0.0,
            application_bytes: 0,
            runtime_bytes: 0,
            warm_up: None,
            artifact: None,
            image: None,
            notes: Vec::new(),
        },
        proof: ProofNeeded::None,
        keep: Vec::new(),
        jvm_release: None,
        log_folder: None,
        jdk_home: None,
        parts: tacho_subject::Parts::default(),
    }
}

/// One launch of each of these cells, with a single cold phase.
pub fn plan(cells: &[Cell], launches: &[&str]) -> Plan {
    Plan {
        seed: 7,
        launches_per_cell: 1,
        looks: Vec::new(),
        rest_s: 0.0,
        baseline: "a".into(),
        aa: None,
        duet: None,
        threshold: 0.05,
        cells: cells.to_vec(),
        pods: 1,
        warm_up: None,
        phases: Vec::new(),
        requests: None,
        apart: false,
        launches: (1..)
            .zip(launches)
            .map(|(number, cell)| planned(number, cell))
            .collect(),
        diagnosis: Vec::new(),
        checks: Vec::new(),
        notes: Vec::new(),
    }
}

/// The first launch of a cell.
pub fn planned(number: u32, cell: &str) -> PlannedLaunch {
    PlannedLaunch {
        number,
        cell: cell.to_owned(),
        replicate: 1,
        again: None,
    }
}

/// A scratch folder with a launch in it.
pub struct Scene {
    scratch: tempfile::TempDir,
    pub run: RunFolder,
    pub folder: LaunchDir,
    pub requests: Vec<Scenario>,
}

impl Scene {
    pub fn new() -> Self {
        let scratch = tempfile::tempdir().unwrap();
        let run = RunFolder::create(&scratch.path().join("run")).unwrap();
        Self {
            folder: run.create_launch(&planned(1, "a")).unwrap(),
            run,
            scratch,
            requests: vec![Scenario::of(Step::get("/"))],
        }
    }

    pub fn path(&self) -> &Path {
        self.scratch.path()
    }

    pub fn spec(&self, name: &str) -> StartSpec {
        StartSpec {
            name: name.to_owned(),
            variant: String::new(),
            image: None,
            command: vec!["serve".into()],
            directory: self.path().to_owned(),
            environment: Default::default(),
            limits: limits::none(),
            log: self.folder.log(),
            readiness: readiness(),
            observation: Some(Observation {
                samples: self.folder.samples_path(),
                memory: None,
                jvm: None,
                gc_log: None,
                gc_log_inside: None,
                requests: Default::default(),
            }),
            longest: Duration::ZERO,
        }
    }

    pub fn load(&self) -> Load<'_> {
        Load {
            requests: &self.requests,
            options: Options::default(),
            folder: &self.folder,
            control: Control::new(),
            share: Share::Machine,
        }
    }
}

/// Found out, within a minute.
pub fn readiness() -> Readiness {
    Readiness {
        timeout: Duration::from_secs(60),
        ..Readiness::of(&ReadySpec::default(), None).unwrap()
    }
}

/// A phase with some requests.
pub fn cold(label: &str) -> PhasePlan {
    PhasePlan {
        label: label.to_owned(),
        kind: PhaseKind::Cold { requests: 10 },
    }
}

/// An outcome in one line: `completed`, `NeverReady: it ...`.
pub fn of(outcome: &LaunchOutcome) -> String {
    match outcome {
        LaunchOutcome::Running => "running".to_owned(),
        LaunchOutcome::Completed => "completed".to_owned(),
        LaunchOutcome::Interrupted => "interrupted".to_owned(),
        LaunchOutcome::Invalid { reason } => format!("invalid: {reason}"),
        LaunchOutcome::Spoiled { reason } => format!("spoiled: {reason}"),
        LaunchOutcome::Failed { cause, message, .. } => format!("{cause:?}: {message}"),
    }
}
