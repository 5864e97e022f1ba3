//! Which process carries out a run. With it, objects that a killed run has left behind can be
//! recognized.

use crate::error::NotThere;
use std::fs;
use tacho_cluster_api::{Cluster, Runner};
use tacho_launch::processes::Process;

/// Identifies the machine until its next boot.
const BOOT: &str = "/proc/sys/kernel/random/boot_id";

/// Identifies the PID namespace: a container numbers its processes by itself.
const NUMBERS: &str = "/proc/self/ns/pid";

/// Where the process is that carries out a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Whereabouts {
    /// A process of this machine that is there.
    Here,
    /// It was a process of this machine.
    Gone,
    /// On another machine, or in another container.
    NotKnown,
}

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
        if whereabouts(&runner) == Whereabouts::Gone {
            cluster.end_all(&run)?;
        }
    }
    Ok(())
}

/// Where they are, as far as this machine can say.
pub fn whereabouts(runner: &Runner) -> Whereabouts {
    let machine = machine();
    if machine.is_empty() || runner.machine != machine {
        return Whereabouts::NotKnown;
    }
    let number = runner.process.split('/').next();
    match number.and_then(|number| number.parse().ok()) {
        None => Whereabouts::NotKnown,
        Some(pid) if process(pid).as_deref() == Some(&*runner.process) => Whereabouts::Here,
        Some(_) => Whereabouts::Gone,
    }
}

/// Identifies this machine until its next boot; empty where the kernel does not say.
pub fn boot() -> String {
    let boot = fs::read_to_string(BOOT).unwrap_or_default();
    boot.trim().to_owned()
}

/// Identifies this machine and its PID namespace; empty where they cannot be found out.
fn machine() -> String {
    let boot = boot();
    let numbers = fs::read_link(NUMBERS).unwrap_or_default();
    match (boot.as_str(), numbers.to_str()) {
        ("", _) | (_, None | Some("")) => String::new(),
        (boot, Some(numbers)) => format!("{boot} {numbers}"),
    }
}

/// The PID and the start time. Together they tell the process from a later one with the same PID.
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
        assert_eq!(whereabouts(&ours), Whereabouts::Here);
        let of = |process: &str| Runner {
            process: process.to_owned(),
            ..ours.clone()
        };
        // Another process has its number.
        let another = format!("{}/1", std::process::id());
        assert_eq!(whereabouts(&of(&another)), Whereabouts::Gone);
        assert_eq!(whereabouts(&of("4194305/1")), Whereabouts::Gone);
        assert_eq!(whereabouts(&of("who knows")), Whereabouts::NotKnown);
    }

    /// Two containers of a node have the same boot, and may have the same numbers.
    #[test]
    fn of_another_machine_or_container_nothing_is_known() {
        let ours = by_us();
        let boot = ours.machine.split(' ').next().unwrap();
        for machine in ["another", boot, &format!("{boot} pid:[1]")] {
            let elsewhere = Runner {
                machine: machine.to_owned(),
                process: format!("{}/1", std::process::id()),
            };
            assert_eq!(whereabouts(&elsewhere), Whereabouts::NotKnown, "{machine}");
        }
    }
}
