//! Generators in a cluster: the pods of one Indexed Job, each reached over a connection of its own
//! (`docs/decisions/0028-the-run-moves-into-the-cluster.md`, slice f).

use crate::carried_out::{by_us, sweep};
use crate::error::NotThere;
use crate::our_pods::{STARTING, runs, said, why_not};
use crate::ship::Ship;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::{Sender, channel};
use std::thread::sleep;
use std::time::{Duration, Instant};
use tacho_cluster_api::{Access, Cluster, PodState, RunLabel, WorkerLimits, WorkerPod, WorkersJob};
use tacho_oci::Image;
use tacho_runner::Stop;
use tacho_workers::remote::{Given, Way, Why, join};
use tacho_workers::{AllHeard, FleetError, Heard, Member};

/// Between two looks whether all run.
const LOOK: Duration = Duration::from_millis(200);
/// How long a generator that runs may take until it listens.
const LISTENING: Duration = Duration::from_secs(30);
/// Between two tries.
const AGAIN: Duration = Duration::from_millis(100);
/// The API knows within this time that a process has ended.
const KNOWN: Duration = Duration::from_secs(5);
/// Generators that nobody ends are ended by the cluster when their load is over by all means, and
/// this time has passed.
const AT_MOST: Duration = Duration::from_secs(24 * 60 * 60);

/// Where the image of the generators is.
pub enum WorkerImage<'a> {
    /// Where nodes fetch it from.
    Named(String),
    /// Here; a command hands it to the node.
    Here(&'a Image, &'a Ship),
}

/// Generators that are wanted.
pub struct Wanted<'a> {
    /// How many.
    pub workers: u32,
    /// Their image.
    pub image: WorkerImage<'a>,
    /// Arguments of the program that the image starts.
    pub arguments: Vec<String>,
    /// Where they listen.
    pub port: u16,
    /// What each may have at most.
    pub limits: WorkerLimits,
    /// The longest that their load may take.
    pub longest: Duration,
}

/// Generators that run. Dropping them deletes them.
#[derive(Debug)]
pub struct Generators {
    cluster: Arc<Cluster>,
    run: RunLabel,
    port: u16,
    pods: Vec<WorkerPod>,
    is_there: bool,
}

impl Generators {
    /// Makes them, and waits until all of them run.
    ///
    /// # Errors
    /// Without a kubeconfig; when the API does not take them; when one does not begin.
    pub fn begin(
        access: &Access,
        run: &str,
        wanted: &Wanted<'_>,
        stop: &Stop,
    ) -> Result<Self, NotThere> {
        let cluster = Arc::new(Cluster::of(access)?);
        let run = RunLabel::of(run);
        sweep(&cluster)?;
        let (image, is_loaded) = match &wanted.image {
            WorkerImage::Named(name) => (name.clone(), false),
            WorkerImage::Here(image, ship) => {
                let name = ship.hand_over(&run, "worker", image, stop);
                let name = name.map_err(|error| match stop.is_set() {
                    true => NotThere::Interrupted,
                    false => error,
                })?;
                (name, ship.is_loaded())
            }
        };
        let job = WorkersJob {
            run: run.clone(),
            workers: wanted.workers,
            image,
            is_loaded,
            arguments: wanted.arguments.clone(),
            port: wanted.port,
            limits: wanted.limits,
            at_most: AT_MOST.saturating_add(wanted.longest),
        };
        cluster.would_make_worker(&job)?;
        cluster.begin_workers(&job, &by_us())?;
        let mut generators = Self {
            cluster,
            run,
            port: wanted.port,
            pods: Vec::new(),
            is_there: true,
        };
        generators.wait(wanted.workers, stop)?;
        Ok(generators)
    }

    /// Where they are.
    #[must_use]
    pub fn namespace(&self) -> String {
        self.cluster.reached().namespace.to_string()
    }

    /// How many are on each node.
    #[must_use]
    pub fn nodes(&self) -> BTreeMap<String, usize> {
        let mut nodes = BTreeMap::new();
        for pod in &self.pods {
            let node = pod.state.node.clone().unwrap_or_default();
            *nodes.entry(node).or_insert(0) += 1;
        }
        nodes
    }

    fn wait(&mut self, workers: u32, stop: &Stop) -> Result<(), NotThere> {
        let began = Instant::now();
        loop {
            self.pods = self.cluster.workers(&self.run)?;
            for pod in &self.pods {
                if let Some(why) = why_not(&pod.state, began.elapsed()) {
                    return Err(NotThere::Worker {
                        worker: pod.index + 1,
                        pod: pod.name.clone(),
                        why,
                    });
                }
            }
            let running = self.pods.iter().filter(|pod| runs(&pod.state)).count();
            if running == workers as usize {
                return Ok(());
            }
            if stop.is_set() {
                return Err(NotThere::Interrupted);
            }
            if began.elapsed() > STARTING {
                return Err(NotThere::TooFew {
                    running,
                    workers,
                    job: self.run.name_of("run"),
                });
            }
            sleep(LOOK);
        }
    }

    /// Has them all begin. What they write comes into folders below this one.
    ///
    /// # Errors
    /// When one cannot be reached, or refuses.
    pub fn join(
        &self,
        folder: &Path,
        given: &Given,
        stop: &Stop,
    ) -> Result<(Vec<Member>, AllHeard), NotThere> {
        let (to_fleet, heard) = channel();
        let mut members = Vec::new();
        for pod in &self.pods {
            members.push(self.join_one(pod, folder, given, &to_fleet, stop)?);
        }
        Ok((members, heard))
    }

    fn join_one(
        &self,
        pod: &WorkerPod,
        folder: &Path,
        given: &Given,
        to_fleet: &Sender<(usize, Heard)>,
        stop: &Stop,
    ) -> Result<Member, NotThere> {
        let worker = pod.index + 1;
        let began = Instant::now();
        loop {
            let tunnel = self.cluster.reach(&pod.name, self.port)?;
            let way = Way::over(tunnel.socket, tunnel.carrier);
            let way = way.map_err(|source| FleetError::Start { worker, source })?;
            match join(worker, way, folder, given, self.why(pod), to_fleet) {
                Ok(member) => return Ok(member),
                // Its process runs, and does not listen yet.
                Err(FleetError::Start { .. }) if began.elapsed() < LISTENING => sleep(AGAIN),
                Err(error) => return Err(error.into()),
            }
            if stop.is_set() {
                return Err(NotThere::Interrupted);
            }
        }
    }

    /// Asks the cluster when the connection to a pod has ended.
    fn why(&self, pod: &WorkerPod) -> Why {
        let (cluster, pod) = (Arc::clone(&self.cluster), pod.clone());
        Box::new(move || {
            let began = Instant::now();
            loop {
                let gone = match cluster.state(&pod.name) {
                    Ok(state) => gone(&pod, state.as_ref()),
                    Err(error) => Some(format!("its connection ended, and {error}")),
                };
                if gone.is_some() || began.elapsed() > KNOWN {
                    return gone;
                }
                sleep(LOOK);
            }
        })
    }

    /// Deletes them.
    ///
    /// # Errors
    /// When the API does not take it.
    pub fn end(mut self) -> Result<(), NotThere> {
        self.delete()
    }

    fn delete(&mut self) -> Result<(), NotThere> {
        if self.is_there {
            self.is_there = false;
            self.cluster.end_all(&self.run)?;
        }
        Ok(())
    }
}

impl Drop for Generators {
    fn drop(&mut self) {
        // Whoever wants to know has ended them before.
        let _ = self.delete();
    }
}

/// Where a generator is, when its connection has ended. `None`: it is as if nothing had happened.
fn gone(pod: &WorkerPod, state: Option<&PodState>) -> Option<String> {
    let name = &pod.name;
    let node = pod.state.node.as_deref().unwrap_or("?");
    let Some(state) = state else {
        return Some(format!("its pod {name} on {node} was deleted"));
    };
    if state.is_deleted {
        return Some(format!("its pod {name} on {node} was deleted"));
    }
    let trouble = state.trouble()?;
    Some(format!("its pod {name} on {node}: {}", said(&trouble)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::our_pods::tests::state;
    use tacho_cluster_api::Container;

    fn pod() -> WorkerPod {
        WorkerPod {
            index: 2,
            name: "tacho-r-run-2-x".to_owned(),
            state: state(Container::Unknown),
        }
    }

    #[test]
    fn a_generator_that_is_gone_is_told_with_its_pod_its_node_and_why() {
        let killed = state(Container::Terminated {
            reason: "Error".to_owned(),
            code: 137,
        });
        assert_eq!(
            gone(&pod(), Some(&killed)).unwrap(),
            "its pod tacho-r-run-2-x on one: it was ended by signal 9"
        );
        assert_eq!(
            gone(&pod(), None).unwrap(),
            "its pod tacho-r-run-2-x on one was deleted"
        );
        let evicted = PodState {
            failed: Some(("Evicted".to_owned(), "low on memory".to_owned())),
            ..killed
        };
        let why = gone(&pod(), Some(&evicted)).unwrap();
        assert!(why.contains("evicted"), "{why}");
        let running = Container::Running { started_at: None };
        assert_eq!(gone(&pod(), Some(&state(running))), None);
    }
}
