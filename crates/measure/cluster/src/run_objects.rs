//! What a run has in its namespace: one Job, to which everything else belongs.

use crate::beside::this_machine;
use crate::carried_out::{by_us, sweep};
use crate::error::NotThere;
use crate::probe::behind;
use crate::site::Way;
use crate::this_node::this_node;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Duration;
use tacho_cluster_api::{Cluster, ClusterError, Owner, Purpose, RunLabel, SubjectPod};
use tacho_experiment::COMPANIONS;
use tacho_run_folder::Limits;
use tacho_runner::StartSpec;

/// What a pod gets between SIGTERM and SIGKILL where nobody asks otherwise.
const GRACE: Duration = Duration::from_secs(5);
/// No launch is there for longer, beside the time in which it becomes ready and that of its load; a
/// pod that nobody ends any more ends then.
const AT_MOST: Duration = Duration::from_secs(2 * 60 * 60);

/// The objects of a run.
#[derive(Debug)]
pub struct RunObjects {
    cluster: Arc<Cluster>,
    run: RunLabel,
    belongings: Belongings,
    /// The node that its pods are put on; absent: any.
    node: OnceLock<String>,
    is_loaded: bool,
    way: Way,
}

/// Who makes, and deletes, what all objects of the run belong to.
#[derive(Debug)]
enum Belongings {
    /// This process; absent: it has not made it yet.
    Ours(Mutex<Option<Owner>>),
    /// Whoever has this process carry out the run.
    Theirs(Owner),
}

impl RunObjects {
    /// Of a run that this process begins. Nothing is made yet. `is_loaded`: images are in the node,
    /// and not to be pulled.
    pub fn new(cluster: Arc<Cluster>, run: &str, is_loaded: bool, way: Way) -> Self {
        Self {
            cluster,
            run: RunLabel::of(run),
            belongings: Belongings::Ours(Mutex::new(None)),
            node: OnceLock::new(),
            is_loaded,
            way,
        }
    }

    /// Of a run that another process has begun, and will end. Its pods are put on this node.
    pub fn of_theirs(
        cluster: Arc<Cluster>,
        run: RunLabel,
        (owner, node): (Owner, Option<String>),
        is_loaded: bool,
        way: Way,
    ) -> Self {
        Self {
            cluster,
            run,
            belongings: Belongings::Theirs(owner),
            node: node.map_or_else(OnceLock::new, OnceLock::from),
            is_loaded,
            way,
        }
    }

    pub fn cluster(&self) -> &Arc<Cluster> {
        &self.cluster
    }

    pub fn run(&self) -> &RunLabel {
        &self.run
    }

    pub fn way(&self) -> Way {
        self.way
    }

    pub fn is_loaded(&self) -> bool {
        self.is_loaded
    }

    /// Makes what its objects belong to, where pods with all of these limits would be taken.
    pub fn begin_with(&self, limits: &[Limits]) -> Result<(), NotThere> {
        let began = || {
            // First: what they have left counts against the quota.
            sweep(&self.cluster)?;
            for limits in limits {
                let pod = self.bare_pod("check", "localhost/tacho-check", limits);
                self.cluster.would_make(&pod)?;
            }
            self.begin().map(|_| ())
        };
        began().map_err(|error| all_that_is_missing(&self.cluster, error))
    }

    /// Has its pods put on this machine's node, where it is known which one that is: the processes
    /// of pods on another one are not seen from here.
    pub fn stay_here(&self) {
        if let Some(node) = this_node(&self.cluster) {
            let _ = self.node.set(node);
        }
    }

    /// Makes what all its objects belong to, once.
    pub fn begin(&self) -> Result<Owner, NotThere> {
        let owner = match &self.belongings {
            Belongings::Theirs(owner) => return Ok(owner.clone()),
            Belongings::Ours(owner) => owner,
        };
        let mut owner = owner.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(owner) = &*owner {
            return Ok(owner.clone());
        }
        let made = self.cluster.begin(&self.run, &by_us())?;
        *owner = Some(made.clone());
        Ok(made)
    }

    /// Deletes all that this process has made for the run. Objects that belong to another process
    /// are left to it.
    pub fn end(&self) -> Result<(), NotThere> {
        let Belongings::Ours(owner) = &self.belongings else {
            return Ok(());
        };
        let mut owner = owner.lock().unwrap_or_else(PoisonError::into_inner);
        if owner.is_some() {
            self.cluster.end_all(&self.run)?;
            *owner = None;
        }
        Ok(())
    }

    /// A process of a launch.
    pub fn pod(&self, spec: &StartSpec, image: &str) -> SubjectPod {
        let directory = spec.directory.display().to_string();
        let machine = this_machine(&self.cluster.reached().server);
        let with_machine = |text: &String| match machine {
            Some(address) => text.replace(COMPANIONS, &address.to_string()),
            // Where that address is not known, the kubelet fills in the address of the node.
            None => text.clone(),
        };
        let environment = spec.environment.iter();
        SubjectPod {
            command: spec.command.iter().map(with_machine).collect(),
            directory: Some(directory).filter(|directory| directory.starts_with('/')),
            environment: environment
                .map(|(name, value)| (name.clone(), with_machine(value)))
                .collect(),
            port: spec.readiness.port,
            behind: (self.way == Way::ThroughService).then(|| behind(&spec.readiness)),
            at_most: at_most(spec.readiness.timeout, spec.longest),
            ..self.bare_pod(&spec.name, image, &spec.limits)
        }
    }

    /// A pod with only what all pods of the run have in common. It is also used to ask whether the
    /// cluster would accept such a pod.
    fn bare_pod(&self, name: &str, image: &str, limits: &Limits) -> SubjectPod {
        let owner = match &self.belongings {
            Belongings::Ours(owner) => {
                let owner = owner.lock().unwrap_or_else(PoisonError::into_inner);
                owner.clone()
            }
            Belongings::Theirs(owner) => Some(owner.clone()),
        };
        SubjectPod {
            name: self.run.name_of(name),
            run: self.run.clone(),
            owner,
            image: image.to_owned(),
            is_loaded: self.is_loaded,
            command: Vec::new(),
            directory: None,
            environment: BTreeMap::new(),
            // Companions run on this machine, which is the node.
            node_stands_for: Some(COMPANIONS),
            port: None,
            node: self.node.get().cloned(),
            cpu: limits.cpu,
            memory_bytes: limits.memory_bytes,
            behind: None,
            grace: GRACE,
            at_most: AT_MOST,
        }
    }
}

/// After what time the cluster ends a launch by itself.
fn at_most(until_ready: Duration, load: Duration) -> Duration {
    AT_MOST.saturating_add(until_ready).saturating_add(load)
}

impl Drop for RunObjects {
    fn drop(&mut self) {
        // Where an error matters, `end` was called before.
        let _ = self.end();
    }
}

/// A refusal names only one missing right. This lists all, for the person who has to grant them.
fn all_that_is_missing(cluster: &Cluster, error: NotThere) -> NotThere {
    let NotThere::Cluster(ClusterError::Forbidden { server, .. }) = &error else {
        return error;
    };
    let Ok(look) = cluster.look() else {
        return error;
    };
    let of_run = look.rights.iter();
    let of_run = of_run.filter(|(right, verbs)| right.purpose == Purpose::Run && !verbs.is_empty());
    let missing: Vec<String> = of_run
        .map(|(right, verbs)| format!("{} {}", verbs.join(", "), right.name()))
        .collect();
    match missing.is_empty() {
        true => error,
        false => NotThere::MayNot {
            server: server.clone(),
            namespace: cluster.reached().namespace.to_string(),
            missing,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_launch_is_ended_within_the_time_of_its_load() {
        let hours = |number: u64| Duration::from_secs(number * 60 * 60);
        assert_eq!(at_most(Duration::ZERO, Duration::ZERO), hours(2));
        assert_eq!(at_most(hours(1), hours(3)), hours(6));
        assert_eq!(at_most(hours(1), Duration::MAX), Duration::MAX);
    }
}
