//! Further processes of a launch, as a deployment has replicas: alike but for their port.

use crate::session::{StartSpec, failed};
use std::net::{Ipv4Addr, TcpListener};
use tacho_run_folder::{FailureCause, LaunchOutcome};
use tacho_subject::TOMCAT_PORT_FLAG;

/// Where services listen unless somebody says otherwise.
const DEFAULT_PORT: u16 = 8080;
/// What the frameworks read their port from, unless an argument says otherwise.
const PORT_VARIABLES: [&str; 4] = [
    "SERVER_PORT",
    "QUARKUS_HTTP_PORT",
    "MICRONAUT_SERVER_PORT",
    "PORT",
];
/// Stands for the port in commands and environments.
const PLACEHOLDER: &str = "{port}";

/// The first process has the port that is known of the subject.
pub fn with_port_of_first(mut spec: StartSpec) -> StartSpec {
    let port = spec.readiness.port.unwrap_or(DEFAULT_PORT);
    fill_in(&mut spec, &port.to_string());
    spec
}

/// The same with a port of its own, for a process that is started beside others. The listener that
/// is returned holds the port until all processes have theirs: if it were released at once, the
/// kernel might give the same port to the next one. It must be released before the process takes
/// the port, so that a small gap remains.
pub fn with_own_port(mut spec: StartSpec) -> std::io::Result<(StartSpec, TcpListener)> {
    let held = TcpListener::bind((Ipv4Addr::UNSPECIFIED, 0))?;
    let port = held.local_addr()?.port().to_string();
    fill_in(&mut spec, &port);
    give_to_tomcat(&mut spec.command, &port);
    for variable in PORT_VARIABLES {
        let is_taken = spec.environment.contains_key(variable);
        // A user who sets the variable means it. If the value was the placeholder, it is filled in
        // by now.
        if !is_taken {
            spec.environment.insert(variable.to_owned(), port.clone());
        }
    }
    spec.readiness.port = None;
    Ok((spec, held))
}

/// Puts a port where `{port}` stands.
fn fill_in(spec: &mut StartSpec, port: &str) {
    let texts = spec.command.iter_mut().chain(spec.environment.values_mut());
    for text in texts.filter(|text| text.contains(PLACEHOLDER)) {
        *text = text.replace(PLACEHOLDER, port);
    }
}

/// The Tomcat of a WAR reads no variable.
fn give_to_tomcat(command: &mut [String], port: &str) {
    for word in command {
        if word.starts_with(TOMCAT_PORT_FLAG) {
            *word = format!("{TOMCAT_PORT_FLAG}{port}");
        }
    }
}

/// There is no port to be had.
pub fn no_port(error: &std::io::Error) -> LaunchOutcome {
    failed(
        FailureCause::NotStarted,
        format!(
            "the kernel gives no port for a further process: {error}; end programs that hold many"
        ),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;
    use std::path::PathBuf;

    fn spec(command: &[&str], environment: &[(&str, &str)]) -> StartSpec {
        StartSpec {
            name: "001".to_owned(),
            variant: String::new(),
            image: None,
            command: command.iter().map(|&word| word.to_owned()).collect(),
            directory: PathBuf::new(),
            environment: environment
                .iter()
                .map(|&(name, value)| (name.to_owned(), value.to_owned()))
                .collect::<BTreeMap<_, _>>(),
            limits: tacho_experiment::limits::none(),
            log: PathBuf::new(),
            readiness: crate::session::Readiness {
                port: Some(8080),
                ..crate::testkit::readiness()
            },
            observation: None,
            longest: std::time::Duration::ZERO,
        }
    }

    #[test]
    fn each_has_a_port_of_its_own_where_frameworks_look_for_it() {
        let (one, _held) = with_own_port(spec(&["java"], &[])).unwrap();
        let (other, _) = with_own_port(spec(&["java"], &[])).unwrap();
        assert_ne!(
            one.environment["SERVER_PORT"],
            other.environment["SERVER_PORT"]
        );
        assert_eq!(one.environment["SERVER_PORT"], one.environment["PORT"]);
        assert_eq!(one.readiness.port, None);
    }

    #[test]
    fn a_placeholder_is_filled_in_and_what_is_given_stays() {
        let given = spec(
            &["serve", "--at=:{port}"],
            &[("PORT", "1"), ("ADDR", "x:{port}")],
        );
        let (own, _) = with_own_port(given).unwrap();
        let port = &own.environment["SERVER_PORT"];
        assert_eq!(own.command[1], format!("--at=:{port}"));
        assert_eq!(own.environment["ADDR"], format!("x:{port}"));
        assert_eq!(own.environment["PORT"], "1");
    }

    #[test]
    fn the_tomcat_of_a_war_gets_it_by_its_flag() {
        let war = || spec(&["java", "-Dtacho.port=8080", "-Dother.port=8080"], &[]);
        let (own, _) = with_own_port(war()).unwrap();
        let port = &own.environment["SERVER_PORT"];
        assert_eq!(
            own.command[1..],
            [format!("-Dtacho.port={port}"), "-Dother.port=8080".into()]
        );
        assert_eq!(with_port_of_first(war()).command, war().command);
    }
}
