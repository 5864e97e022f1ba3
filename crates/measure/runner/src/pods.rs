//! Further processes of a launch, as a deployment has replicas: alike but for their port, observed like the first, and given
//! requests in turn with it.

use crate::error::RunError;
use crate::limits::{self, Groups};
use crate::started::{Readiness, StartSpec, Started, failed, start};
use crate::stop::Stop;
use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::sync::Arc;
use std::time::Duration;
use tacho_launch::failure;
use tacho_launch::ready::{NotReady, Ready};
use tacho_observe::{Sampler, SamplerSpec};
use tacho_run_folder::{
    FailureCause, LaunchDir, LaunchOutcome, PodRecord, ResourceSummary, TimeLine, WarmUpRecord,
};

/// What the frameworks read their port from, unless an argument says otherwise.
const PORT_VARIABLES: [&str; 4] = [
    "SERVER_PORT",
    "QUARKUS_HTTP_PORT",
    "MICRONAUT_SERVER_PORT",
    "PORT",
];
/// Stands for the port in commands and environments.
const PLACEHOLDER: &str = "{port}";

/// One of them.
pub struct Pod {
    /// From 2.
    pub number: u32,
    /// The process.
    pub started: Started,
    /// Its files.
    pub folder: LaunchDir,
    /// Once it is ready.
    pub address: Option<SocketAddr>,
    /// What came of its warm-up.
    pub warm_up: Option<WarmUpRecord>,
    time_line: TimeLine,
    sampler: Sampler,
}

impl Pod {
    /// Starts it.
    pub fn start(
        number: u32,
        groups: &Groups,
        spec: &StartSpec,
        folder: LaunchDir,
        gc_log: Option<std::path::PathBuf>,
    ) -> Result<Result<Self, LaunchOutcome>, RunError> {
        let started = match start(groups, spec) {
            Ok(started) => started,
            Err(outcome) => return Ok(Err(of_pod(number, outcome))),
        };
        let sampler = Sampler::start(SamplerSpec {
            pid: started.child.pid(),
            group: started.group.clone(),
            exec_ns: started.child.exec_ns(),
            path: folder.samples_path(),
            memory_path: Some(folder.memory_path()),
            jvm_path: Some(folder.jvm_path()),
            gc_log,
            // The generator counts for all processes together.
            requests: Arc::default(),
        })?;
        Ok(Ok(Self {
            number,
            started,
            folder,
            address: None,
            warm_up: None,
            time_line: TimeLine::default(),
            sampler,
        }))
    }

    /// Watches until it is ready.
    pub fn until_ready(&mut self, readiness: &Readiness, stop: &Stop) -> Result<(), LaunchOutcome> {
        // Its port is known by its sockets alone.
        let readiness = Readiness {
            port: None,
            ..readiness.clone()
        };
        match self.started.until_ready(&readiness, stop) {
            Ok(Ready {
                address, time_line, ..
            }) => {
                self.address = Some(address);
                self.time_line = time_line;
                Ok(())
            }
            Err(not_ready) => Err(self.not_ready(*not_ready)),
        }
    }

    fn not_ready(&mut self, not_ready: NotReady) -> LaunchOutcome {
        let outcome = failure::not_ready(&not_ready, self.started.evidence());
        self.time_line = not_ready.time_line;
        of_pod(self.number, outcome)
    }

    /// How it ended, if it did.
    pub fn ended(&mut self, during: &str) -> Option<LaunchOutcome> {
        let exit = self.started.child.try_wait().ok().flatten()?;
        let outcome = failure::ended(exit, during, self.started.evidence());
        Some(of_pod(self.number, outcome))
    }

    /// Seconds of processor time so far.
    pub fn cpu_s(&self) -> f64 {
        let group = self.started.group.as_ref();
        let of_group = group
            .and_then(|group| group.cpu().ok())
            .map(|cpu| cpu.usage_s);
        of_group
            .or_else(|| Some(self.sampler.point()?.cpu_s))
            .unwrap_or(0.0)
    }

    /// Ends it and says what there is to say of it.
    pub fn end(mut self, grace: Duration, limits: &tacho_run_folder::Limits) -> PodRecord {
        let at_end = self.sampler.point();
        let seen = limits::seen(
            self.started.group.as_deref(),
            limits,
            self.started.child.pid(),
        );
        let resources = self.sampler.stop().unwrap_or_default();
        let _ = self.started.end(grace);
        PodRecord {
            number: self.number,
            time_line: self.time_line,
            limits: seen,
            warm_up: self.warm_up,
            resources: ResourceSummary {
                at_end,
                ..resources
            },
        }
    }
}

/// The same, to be started beside others: with a port of its own.
pub fn with_own_port(mut spec: StartSpec) -> std::io::Result<StartSpec> {
    let port = free_port()?.to_string();
    fill_in(&mut spec, &port);
    for variable in PORT_VARIABLES {
        let is_taken = spec.environment.contains_key(variable);
        // Who names the variable means it, unless by the placeholder, which is filled in by now.
        if !is_taken {
            spec.environment.insert(variable.to_owned(), port.clone());
        }
    }
    spec.readiness.port = None;
    Ok(spec)
}

/// Puts a port where `{port}` stands.
pub fn fill_in(spec: &mut StartSpec, port: &str) {
    let texts = spec.command.iter_mut().chain(spec.environment.values_mut());
    for text in texts.filter(|text| text.contains(PLACEHOLDER)) {
        *text = text.replace(PLACEHOLDER, port);
    }
}

/// Nobody else is told of it before the process takes it, which is as good as it gets.
fn free_port() -> std::io::Result<u16> {
    Ok(TcpListener::bind((Ipv4Addr::UNSPECIFIED, 0))?
        .local_addr()?
        .port())
}

fn of_pod(number: u32, outcome: LaunchOutcome) -> LaunchOutcome {
    match outcome {
        LaunchOutcome::Failed {
            cause,
            message,
            last_log_lines,
        } => LaunchOutcome::Failed {
            cause,
            message: format!("process {number} of the launch: {message}"),
            last_log_lines,
        },
        other => other,
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
            command: command.iter().map(|&word| word.to_owned()).collect(),
            directory: PathBuf::new(),
            environment: environment
                .iter()
                .map(|&(name, value)| (name.to_owned(), value.to_owned()))
                .collect::<BTreeMap<_, _>>(),
            limits: tacho_experiment::limits::none(),
            log: PathBuf::new(),
            readiness: Readiness {
                port: Some(8080),
                ..Readiness::default()
            },
        }
    }

    #[test]
    fn each_has_a_port_of_its_own_where_frameworks_look_for_it() {
        let one = with_own_port(spec(&["java"], &[])).unwrap();
        let other = with_own_port(spec(&["java"], &[])).unwrap();
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
        let own = with_own_port(given).unwrap();
        let port = &own.environment["SERVER_PORT"];
        assert_eq!(own.command[1], format!("--at=:{port}"));
        assert_eq!(own.environment["ADDR"], format!("x:{port}"));
        assert_eq!(own.environment["PORT"], "1");
    }
}
