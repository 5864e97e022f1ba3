//! Who carries out a run, so that what a killed one has left is known for that.

use crate::error::NotThere;
use std::fs;
use tacho_cluster_api::{Cluster, Runner};
use tacho_launch::processes::Process;

/// Until the machine is started anew.
const BOOT: &str = "/proc/sys/kernel/random/boot_id";

/// This process.
pub fn by_us() -> Runner {
    Runner {
        machine: machine(),
        process: process(std::process::id()).unwrap_or_default(),
    }
}

/// Deletes what runs have left that were killed.
pub fn sweep(cluster: &Cluster) -> Result<(), NotThere> {
    for (run, runner) in cluster.runs()? {
        if is_abandoned(&runner) {
            cluster.end_all(&run)?;
        }
    }
    Ok(())
}

/// It was a process of this machine, and is no longer there. Of another machine nothing is known.
fn is_abandoned(runner: &Runner) -> bool {
    let machine = machine();
    if machine.is_empty() || runner.machine != machine {
        return false;
    }
    let number = runner.process.split('/').next();
    let number = number.and_then(|number| number.parse().ok());
    number.is_some_and(|pid| process(pid).as_deref() != Some(&*runner.process))
}

fn machine() -> String {
    let id = fs::read_to_string(BOOT).unwrap_or_default();
    id.trim().to_owned()
}

/// Its number and its start: with both it is no other that has got its number.
fn process(pid: u32) -> Option<String> {
    let process = Process::read(pid).filter(|process| !process.zombie)?;
    Some(format!("{pid}/{}", process.start_time))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_is_abandoned_when_its_process_is_gone() {
        let ours = by_us();
        assert!(!is_abandoned(&ours));
        let of = |process: &str| Runner {
            process: process.to_owned(),
            ..ours.clone()
        };
        // Another process has its number.
        let another = format!("{}/1", std::process::id());
        assert!(is_abandoned(&of(&another)));
        assert!(is_abandoned(&of("4194305/1")));
        assert!(!is_abandoned(&of("who knows")));
        let elsewhere = Runner {
            machine: "another".into(),
            ..of(&another)
        };
        assert!(!is_abandoned(&elsewhere));
    }
}
