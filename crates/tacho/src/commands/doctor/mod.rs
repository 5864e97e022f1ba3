//! `tacho doctor`.

mod cluster;

use crate::arguments::Doctor;
use crate::exit::Exit;
use crate::on::On;
use crate::{Done, print};
use std::fmt::Write;
use tacho_cluster::{NotThere, Ship};
use tacho_cluster_api::{Access, Cluster, role};
use tacho_profiler::Places;
use tacho_runner::doctor::{Finding, State};
use tacho_runner::{Surroundings, doctor};

/// Says what this machine, or a cluster, can and cannot do, and how to mend it.
pub fn doctor(arguments: &Doctor) -> Done {
    match arguments.on {
        None => tell(&doctor::findings(
            &Surroundings::here(),
            &Places::here(),
            arguments.jdk.as_deref(),
        )),
        Some(On::Kubernetes) => of_a_cluster(arguments),
    }
}

fn of_a_cluster(arguments: &Doctor) -> Done {
    let access = Access::from(&arguments.cluster);
    let cluster = Cluster::of(&access)?;
    let reached = cluster.reached();
    if arguments.role {
        print(&role(&reached.namespace))?;
        return Ok(Exit::Done);
    }
    let ship = match Ship::told_by(&access) {
        Err(NotThere::NoImageWay { .. }) => None,
        ship => Some(ship?),
    };
    tell(&cluster::findings(reached, &cluster.look()?, ship.as_ref()))
}

fn tell(findings: &[Finding]) -> Done {
    let mut text = String::new();
    for finding in findings {
        let (colour, sign) = match finding.state {
            State::Good => ("32", "ok     "),
            State::Missing => ("33", "missing"),
            State::Bad => ("31", "bad    "),
        };
        let _ = writeln!(text, "\x1b[{colour}m{sign}\x1b[0m {}", finding.text);
        for remedy in &finding.remedies {
            let _ = writeln!(text, "        -> {remedy}");
        }
    }
    print(&text)?;
    let is_bad = |finding: &Finding| finding.state == State::Bad;
    Ok(match findings.iter().any(is_bad) {
        true => Exit::Machine,
        false => Exit::Done,
    })
}
