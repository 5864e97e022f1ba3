//! Each rule on both sides of each of its bounds.

mod clean;
mod companions;
mod copy;
mod duet;
mod generator;
mod launches;
mod limits;
mod machine;
mod spoiled;

use super::*;
use crate::testkit::{Profile, Synthetic};
use CertificateState::{Degraded, Invalid, Valid};
use tacho_run_folder::PhaseRecord;

fn run() -> RunData {
    Synthetic::new(3)
        .variant(Profile::named("jar"))
        .variant(Profile::named("aot"))
        .open_phase("open")
        .run()
}

fn found<'a>(certificate: &'a Certificate, rule: &str) -> &'a Evidence {
    let evidence = certificate.evidence.iter().find(|e| e.rule == rule);
    evidence.unwrap_or_else(|| panic!("{rule} was not applied"))
}

fn state_of(run: &RunData, rule: &str) -> CertificateState {
    found(&certificate(run), rule).state
}

/// Changes the open phase (the third) of launch 2.
fn with_open(change: impl Fn(&mut PhaseRecord)) -> RunData {
    let mut run = run();
    change(&mut run.launches[1].record.phases[2]);
    run
}

fn invalid_outcome() -> LaunchOutcome {
    LaunchOutcome::Invalid {
        reason: "no class was served from the archive".into(),
    }
}
