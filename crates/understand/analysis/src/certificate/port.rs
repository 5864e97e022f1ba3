//! Which of several ports was measured, and why.

use super::{completed, evidence};
use std::collections::BTreeMap;
use tacho_run_folder::{CertificateState, Evidence, PortChoice, PortReason, RunData, TimeLine};

/// Launches with the same port, chosen for the same reason.
struct Alike<'a> {
    port: u16,
    choice: &'a PortChoice,
    launches: Vec<u32>,
}

/// Applied where the subject listened on several ports. If one launch was measured on a port that
/// another launch passed over, they may have measured different services.
pub fn port(run: &RunData) -> Option<Evidence> {
    let mut groups: Vec<Alike<'_>> = Vec::new();
    for launch in completed(run) {
        let number = launch.record.number;
        let Some((port, choice)) = chosen(&launch.record.time_line) else {
            continue;
        };
        let same = |group: &&mut Alike<'_>| group.port == port && group.choice == choice;
        match groups.iter_mut().find(same) {
            Some(group) => group.launches.push(number),
            None => groups.push(Alike {
                port,
                choice,
                launches: vec![number],
            }),
        }
    }
    let statements: Vec<String> = match groups.as_slice() {
        [] => return None,
        [only] => vec![told(only)],
        several => several
            .iter()
            .map(|group| format!("{} ({})", told(group), numbers(&group.launches)))
            .collect(),
    };
    let mut statement = statements.join("; ");
    let state = match has_changed(run) {
        false => CertificateState::Valid,
        true => {
            statement += ": launches of one cell were measured on different ports of the same service; say which with `port`";
            CertificateState::Degraded
        }
    };
    let mut launches: Vec<u32> = groups
        .into_iter()
        .flat_map(|group| group.launches)
        .collect();
    launches.sort_unstable();
    evidence("port", state, statement, launches)
}

fn chosen(line: &TimeLine) -> Option<(u16, &PortChoice)> {
    let choice = line.port_choice.as_ref()?;
    (!choice.others.is_empty()).then_some((line.port?, choice))
}

/// Whether a launch was measured on a port that was also open in another launch of its cell, but
/// was not chosen there.
fn has_changed(run: &RunData) -> bool {
    let mut of_cell: BTreeMap<&str, Vec<(u16, &PortChoice)>> = BTreeMap::new();
    for launch in completed(run) {
        let cell = of_cell.entry(&launch.record.cell).or_default();
        cell.extend(chosen(&launch.record.time_line));
    }
    let mut cells = of_cell.values();
    cells.any(|all| {
        let taken = |port: &u16| all.iter().any(|(other, _)| other == port);
        let swapped = |(_, choice): &(u16, &PortChoice)| choice.others.iter().any(taken);
        all.iter().any(swapped)
    })
}

fn told(group: &Alike<'_>) -> String {
    let Alike { port, choice, .. } = group;
    let request = match &choice.request_path {
        Some(path) => format!("the experiment's request (GET {path})"),
        None => "the experiment's request".to_owned(),
    };
    let why = match choice.by {
        PortReason::Given => "which the experiment names".to_owned(),
        PortReason::OwnRequest => format!("the one that answered {request}"),
        PortReason::OtherRequest => format!(
            "the first to open of those that answered another request with 2xx; none answered {request} with 2xx"
        ),
        PortReason::AnsweredHttp if choice.request_path.is_some() => format!(
            "the first to open of those that answered HTTP; none answered {request} or anything else with 2xx"
        ),
        PortReason::AnsweredHttp => "the first to open of those that answered HTTP".to_owned(),
        PortReason::TookConnections => {
            "the first to open; none was asked whether it speaks HTTP, or none does".to_owned()
        }
    };
    let others: Vec<String> = choice.others.iter().map(u16::to_string).collect();
    format!(
        "measured on port {port}, {why}; also listening: {}",
        others.join(", ")
    )
}

/// `launch 2`, `launches 1, 3`.
fn numbers(launches: &[u32]) -> String {
    let listed: Vec<String> = launches.iter().map(u32::to_string).collect();
    let word = if launches.len() == 1 {
        "launch"
    } else {
        "launches"
    };
    format!("{word} {}", listed.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testkit::{Profile, Synthetic};

    /// Two launches of each of two variants, of which each had this port and this choice.
    fn told_of(chosen: [Option<(u16, PortReason, &[u16])>; 4]) -> Option<Evidence> {
        let mut run = Synthetic::new(2)
            .variant(Profile::named("jar"))
            .variant(Profile::named("aot"))
            .open_phase("open")
            .run();
        run.launches
            .sort_by_key(|launch| launch.record.cell == "aot");
        for (launch, chosen) in run.launches.iter_mut().zip(chosen) {
            let line = &mut launch.record.time_line;
            line.port = chosen.map(|(port, ..)| port);
            line.port_choice = chosen.map(|(_, by, others)| PortChoice {
                by,
                request_path: match by {
                    PortReason::Given | PortReason::TookConnections => None,
                    _ => Some("/quotes".to_owned()),
                },
                others: others.to_vec(),
            });
        }
        port(&run)
    }

    #[test]
    fn nothing_is_said_of_a_service_with_one_port() {
        assert_eq!(told_of([None; 4]), None);
    }

    #[test]
    fn the_port_its_reason_and_the_others_are_said() {
        for (by, said) in [
            (
                PortReason::OwnRequest,
                "measured on port 8080, the one that answered the experiment's request (GET /quotes); also listening: 8081, 9090",
            ),
            (
                PortReason::OtherRequest,
                "measured on port 8080, the first to open of those that answered another request with 2xx; none answered the experiment's request (GET /quotes) with 2xx; also listening: 8081, 9090",
            ),
            (
                PortReason::AnsweredHttp,
                "measured on port 8080, the first to open of those that answered HTTP; none answered the experiment's request (GET /quotes) or anything else with 2xx; also listening: 8081, 9090",
            ),
            (
                PortReason::TookConnections,
                "measured on port 8080, the first to open; none was asked whether it speaks HTTP, or none does; also listening: 8081, 9090",
            ),
            (
                PortReason::Given,
                "measured on port 8080, which the experiment names; also listening: 8081, 9090",
            ),
        ] {
            let told = told_of([Some((8080, by, &[8081, 9090])); 4]).unwrap();
            assert_eq!(told.statement, said);
            assert_eq!(told.state, CertificateState::Valid);
            assert_eq!(told.launches, [1, 2, 3, 4]);
        }
    }

    #[test]
    fn launches_that_differ_are_told_apart() {
        let own = PortReason::OwnRequest;
        // Ports that the kernel gave, another each time: the same service.
        let told = told_of([
            Some((8080, own, &[9090])),
            Some((8080, own, &[9091])),
            None,
            None,
        ]);
        let told = told.unwrap();
        assert_eq!(told.state, CertificateState::Valid);
        assert!(told.statement.contains("also listening: 9090 (launch "));
        // The second was measured where the first was not.
        let swapped = [
            Some((8080, own, [9090].as_slice())),
            Some((9090, PortReason::OtherRequest, &[8080])),
            None,
            None,
        ];
        let told = told_of(swapped).unwrap();
        assert_eq!(told.state, CertificateState::Degraded);
        assert!(
            told.statement.ends_with("say which with `port`"),
            "{told:?}"
        );
        // Variants may have ports of their own.
        let told = told_of([swapped[0], swapped[0], swapped[1], swapped[1]]).unwrap();
        assert_eq!(told.state, CertificateState::Valid);
    }
}
