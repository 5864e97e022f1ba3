//! Where a subject listens behind a Service, and how its node asks whether it is ready.

use tacho_cluster_api::{Behind, ReadyProbe};
use tacho_launch::ready::Condition;
use tacho_runner::Readiness;

/// Where services listen unless somebody says otherwise.
const PORT: u16 = 8080;

/// As a launch would be waited for on one machine, as far as a node can ask that.
pub fn behind(readiness: &Readiness) -> Behind {
    Behind {
        port: readiness.port.unwrap_or(PORT),
        ready: probe(readiness),
    }
}

/// What a node asks: the path that is given, one that the framework is known for, or what users
/// ask.
fn probe(readiness: &Readiness) -> ReadyProbe {
    let path = match &readiness.condition {
        Condition::Http(path) => Some(path.clone()),
        Condition::Auto { request_path } => {
            let known = readiness.preferred_paths.first();
            known.cloned().or_else(|| request_path.clone())
        }
        Condition::Port | Condition::Log(_) => None,
    };
    path.map_or(ReadyProbe::Port, ReadyProbe::Path)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    fn readiness(condition: Condition, known: &[&str]) -> Readiness {
        Readiness {
            condition,
            timeout: Duration::from_secs(60),
            port: None,
            preferred_paths: known.iter().map(|&path| path.to_owned()).collect(),
        }
    }

    #[test]
    fn a_node_asks_what_is_known_to_say_ready() {
        let auto = || Condition::Auto {
            request_path: Some("/users".to_owned()),
        };
        let path = |path: &str| ReadyProbe::Path(path.to_owned());
        let health = ["/actuator/health"];
        assert_eq!(probe(&readiness(auto(), &health)), path("/actuator/health"));
        assert_eq!(probe(&readiness(auto(), &[])), path("/users"));
        let given = Condition::Http("/ready".to_owned());
        assert_eq!(probe(&readiness(given, &health)), path("/ready"));
        assert_eq!(
            probe(&readiness(Condition::Port, &health)),
            ReadyProbe::Port
        );
    }

    #[test]
    fn where_nobody_names_a_port_it_is_the_usual_one() {
        let mut readiness = readiness(Condition::Port, &[]);
        assert_eq!(behind(&readiness).port, 8080);
        readiness.port = Some(9000);
        assert_eq!(behind(&readiness).port, 9000);
    }
}
