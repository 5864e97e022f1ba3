//! A launch that is a whole Deployment behind a Service, changed while users come.

use crate::conntrack::Conntrack;
use crate::eye::Eye;
use crate::held::{Held, Whose};
use crate::not_rolled::NotRolled;
use crate::our_pods::runs;
use crate::outcome::{cause, of_api};
use crate::rolling::{Patience, Rolling};
use crate::seen::{AllSeen, Seen};
use crate::step::Step;
use regex::Regex;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs::File;
use std::io;
use std::net::{SocketAddr, TcpStream};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{JoinHandle, sleep};
use std::time::{Duration, Instant};
use tacho_cgroup::{Group, Hierarchy};
use tacho_clock::{Anchor, monotonic_ns, ms_between};
use tacho_cluster_api::{
    Cluster, DeploymentState, Logging, PodState, ReadyProbe, WantedDeployment,
};
use tacho_launch::failure::Evidence;
use tacho_launch::ready::{NotReady, Ready, Why};
use tacho_launch::{Exit, log};
use tacho_rollout::{Phase, Window, lives};
use tacho_run_folder::{
    FailureCause, LaunchOutcome, Limits, LimitsSeen, PhaseKind, PhasePlan, TimeLine,
};
use tacho_runner::{
    End, Observation, Observer, Readiness, RunError, Stop, Subject, failed, limits_seen,
};

/// Between two questions whether it is available.
const PAUSE: Duration = Duration::from_millis(100);
/// Beyond the patience with a pod: for scheduling, and for the controllers.
const SCHEDULING: Duration = Duration::from_secs(60);
/// The proxies of the nodes write their rules within this time of the endpoints.
const PROXIES: Duration = Duration::from_secs(10);
/// Time for what the API has to say of existing pods to arrive.
const TELLING: Duration = Duration::from_millis(500);
/// A process that the API tells of is seen from its node within this time.
const SEEN: Duration = Duration::from_secs(5);
/// Until all pods have gone.
const CLEARING: Duration = Duration::from_secs(90);
/// How long a change may go on after its phase is over.
const CHANGING: Duration = Duration::from_secs(120);
/// Lines of the log that are kept with a failure.
const LAST_LINES: usize = 30;
/// What is kept of one pod's log.
const LOG: u64 = 16 << 20;

/// What is done to the Deployments of a run.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Changed {
    /// Pods of each.
    pub replicas: u32,
    /// Each pod sleeps so long before it is told to end, in seconds.
    pub pre_stop_s: Option<u32>,
    /// What is done in a phase, by its label.
    pub steps: BTreeMap<String, Step>,
    /// Variants whose pods are warmed from a container beside the service: by the name of the
    /// variant, what this program is told there.
    #[serde(default)]
    pub gates: BTreeMap<String, GateWords>,
    /// Where this program is found there, once its image is on its way.
    #[serde(default)]
    pub gate_image: Option<GateImage>,
}

/// What a gate is told, and where it answers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct GateWords {
    /// Arguments of this program.
    pub arguments: Vec<String>,
    /// Where it says whether the service is warm.
    pub port: u16,
}

/// The image of a gate.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct GateImage {
    /// By the name by which the node finds it.
    pub name: String,
    /// It was loaded into the node, and is not to be pulled.
    pub is_loaded: bool,
}

/// What a Deployment is started with.
pub struct Start {
    pub cluster: Arc<Cluster>,
    pub eye: Eye,
    pub wanted: WantedDeployment,
    pub limits: Limits,
    pub log: PathBuf,
    pub changed: Changed,
    pub seen: AllSeen,
}

/// A Deployment of a launch. Dropping it deletes it.
pub struct Deployed {
    start: Start,
    anchor: Anchor,
    is_there: bool,
    /// What is wrong with it or one of its pods, where that is certain.
    trouble: Option<(FailureCause, String)>,
    logging: Option<Logging>,
    users: Option<Users>,
    rolling: Mutex<Option<Rolling>>,
    changing: Option<JoinHandle<(Rolling, Result<(), NotRolled>)>>,
    /// The phase that goes on.
    phase: Option<Window>,
    windows: Vec<Window>,
}

/// What is known from the instant on at which users can come.
struct Users {
    deployment: DeploymentState,
    address: SocketAddr,
    conntrack: Option<Conntrack>,
    /// The process of one of the pods that were there first, and its group.
    first: Option<(u32, Option<Group>)>,
}

impl Deployed {
    /// Makes it.
    pub fn start(start: Start) -> Result<Self, LaunchOutcome> {
        let anchor = Anchor::now();
        let made = start.cluster.deploy(&start.wanted);
        let deployed = Self {
            start,
            anchor,
            // Also when only its Service was made: it has to be deleted as well.
            is_there: true,
            trouble: None,
            logging: None,
            users: None,
            rolling: Mutex::new(None),
            changing: None,
            phase: None,
            windows: Vec::new(),
        };
        made.map_err(|error| of_api(&error))?;
        Ok(deployed)
    }

    fn name(&self) -> &str {
        &self.start.wanted.pod.name
    }

    fn not_ready(&self, why: Why, seen: &str) -> Box<NotReady> {
        Box::new(NotReady {
            why,
            seen: seen.to_owned(),
            was_stopped: false,
            time_line: TimeLine::default(),
            cpu_s: 0.0,
        })
    }

    fn lost(&self, error: impl std::error::Error + Send + Sync + 'static) -> Box<NotReady> {
        let seen = "is a deployment that was not heard of any more";
        self.not_ready(Why::Unwatchable(io::Error::other(error)), seen)
    }

    /// Waits until all pods are available.
    fn until_available(
        &mut self,
        timeout: Duration,
        stop: &Stop,
    ) -> Result<DeploymentState, Box<NotReady>> {
        let began = Instant::now();
        let mut was = "had no pods";
        loop {
            if stop.is_set() {
                return Err(self.not_ready(Why::Stopped, was));
            }
            let state = self.start.cluster.deployment(self.name());
            let state = state.map_err(|error| self.lost(error))?;
            let Some(state) = state else {
                let gone = io::Error::other("somebody deleted the deployment");
                return Err(self.not_ready(Why::Unwatchable(gone), was));
            };
            if state.is_settled {
                return Ok(state);
            }
            if let Some(said) = &state.refused {
                self.trouble = Some(refused(said));
                return Err(self.not_ready(Why::Ended(Exit::Code(1)), was));
            }
            let pods = self.start.cluster.pods_of(&state.selector);
            let pods = pods.map_err(|error| self.lost(error))?;
            self.keep_log_of_first(&pods);
            if !pods.is_empty() {
                was = "had pods that were not ready";
            }
            let waits =
                |pod: &PodState| pod.not_scheduled().filter(|_| began.elapsed() > SCHEDULING);
            let mut troubles = pods
                .iter()
                .filter_map(|(_, pod)| pod.trouble().or_else(|| waits(pod)));
            if let Some(trouble) = troubles.next() {
                self.trouble = Some((cause(trouble.kind), trouble.to_string()));
                return Err(self.not_ready(Why::Ended(Exit::Code(1)), was));
            }
            if began.elapsed() > timeout + SCHEDULING {
                return Err(self.not_ready(Why::TimedOut(timeout + SCHEDULING), was));
            }
            sleep(PAUSE);
        }
    }

    /// Keeps the log of the first pod that runs. If the launch fails, this is all that its pods
    /// leave behind.
    fn keep_log_of_first(&mut self, pods: &[(String, PodState)]) {
        if self.logging.is_some() {
            return;
        }
        let first = pods.iter().find(|(_, pod)| runs(pod));
        let Some(((name, _), file)) = first.zip(File::create(&self.start.log).ok()) else {
            return;
        };
        self.logging = self.start.cluster.log(name, file, LOG).ok();
    }

    /// Says of a pod that runs and is not seen from here, as one on another node, that its memory
    /// and processor time would be missing.
    fn not_here(&self) -> Option<String> {
        let began = Instant::now();
        loop {
            // What the API does not say now is no reason to end.
            let pods = self.start.cluster.pods_of(&self.start.wanted.selector());
            let sees = |pod: &PodState| seen_in(&self.start.eye, pod).is_some();
            let unseen = unseen(&pods.ok()?, sees)?;
            if began.elapsed() > SEEN {
                return Some(unseen);
            }
            sleep(PAUSE);
        }
    }

    /// Begins to watch it, and waits until the endpoints name its pods and a connection comes
    /// through.
    fn until_reached(&mut self, deployment: DeploymentState, stop: &Stop) -> Result<(), NotRolled> {
        let cluster = &self.start.cluster;
        let services = cluster.services(&deployment)?;
        let service = services.first().cloned();
        let address = service
            .as_ref()
            .and_then(|service| Some((service.address?, service.users_port()?)))
            .map(SocketAddr::from)
            .ok_or_else(|| NotRolled::NoAddress(deployment.name.clone()))?;
        let patience = Patience {
            within: CHANGING,
            // How long users come is the phase's business.
            rest: Duration::ZERO,
            longer_by: "--for",
        };
        let name = service.map_or_else(String::new, |service| service.name);
        let mut rolling = Rolling::begin(
            Arc::clone(cluster),
            &deployment,
            &name,
            patience,
            stop.clone(),
        )?;
        let began = Instant::now();
        let wanted = self.start.changed.replicas as usize;
        loop {
            rolling.warm_up(PAUSE)?;
            let lives = lives(rolling.told());
            let take = lives
                .iter()
                .filter(|life| life.at(Phase::TakesTraffic).is_some());
            let all_named = take.count() >= wanted;
            if all_named && TcpStream::connect_timeout(&address, PAUSE).is_ok() {
                break;
            }
            if began.elapsed() > PROXIES {
                return Err(NotRolled::Unreached {
                    url: format!("http://{address}"),
                });
            }
        }
        // When the first rule of a proxy works, others may still be missing.
        rolling.warm_up(TELLING)?;
        let pods = cluster.pods_of(&deployment.selector)?;
        let eye = &self.start.eye;
        let mut pods = pods.iter();
        let first = pods.find_map(|(_, pod)| seen_in(eye, pod));
        self.users = Some(Users {
            deployment,
            address,
            conntrack: Conntrack::begin(address),
            first: first.map(|pid| (pid, Hierarchy::of_process(pid))),
        });
        *self.rolling() = Some(rolling);
        Ok(())
    }

    fn rolling(&self) -> std::sync::MutexGuard<'_, Option<Rolling>> {
        self.rolling.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn first(&self) -> Option<&(u32, Option<Group>)> {
        self.users.as_ref()?.first.as_ref()
    }

    /// Waits for a change that is still going on.
    fn until_changed(&mut self) -> Option<Result<(), NotRolled>> {
        let (rolling, result) = self.changing.take()?.join().ok()?;
        *self.rolling() = Some(rolling);
        Some(result)
    }

    /// Keeps what was seen, for whoever tells it.
    fn keep_seen(&mut self) {
        let (Some(users), Some(mut rolling)) = (self.users.take(), self.rolling().take()) else {
            return;
        };
        // Takes what was told last. It is no error any more if nothing comes.
        let _ = rolling.warm_up(TELLING);
        let folder = self.start.log.parent();
        let seen = Seen {
            folder: folder.unwrap_or(&self.start.log).to_owned(),
            anchor: self.anchor,
            deployment: users.deployment,
            namespace: self.start.cluster.reached().namespace.to_string(),
            address: users.address,
            told: rolling.told().to_vec(),
            windows: std::mem::take(&mut self.windows),
            led_to: users.conntrack.map(Conntrack::end).unwrap_or_default(),
        };
        let all = self.start.seen.lock();
        all.unwrap_or_else(PoisonError::into_inner).push(seen);
    }

    /// Deletes it, and waits until its pods have gone: the next one is not to meet them.
    fn delete(&mut self) -> io::Result<()> {
        if !std::mem::take(&mut self.is_there) {
            return Ok(());
        }
        let (cluster, name) = (&self.start.cluster, &self.start.wanted.pod.name);
        cluster.undeploy(name).map_err(io::Error::other)?;
        let began = Instant::now();
        let selector = self.start.wanted.selector();
        while began.elapsed() < CLEARING {
            let pods = cluster.pods_of(&selector).map_err(io::Error::other)?;
            if pods.is_empty() {
                break;
            }
            sleep(PAUSE);
        }
        Ok(())
    }
}

impl Drop for Deployed {
    fn drop(&mut self) {
        // Nobody is left to be told; what the run owns is deleted with the run.
        let _ = self.delete();
    }
}

impl Subject for Deployed {
    fn until_ready(&mut self, readiness: &Readiness, stop: &Stop) -> Result<Ready, Box<NotReady>> {
        let state = self.until_available(readiness.timeout, stop)?;
        let ready_ms = ms_between(self.anchor.monotonic_ns, monotonic_ns());
        if let Some(unseen) = self.not_here() {
            self.trouble = Some((FailureCause::NotStarted, unseen));
            return Err(self.not_ready(Why::Ended(Exit::Code(1)), "was available"));
        }
        self.until_reached(state, stop)
            .map_err(|error| match error {
                NotRolled::Interrupted => self.not_ready(Why::Stopped, "was available"),
                error => self.lost(error),
            })?;
        let Some(users) = &self.users else {
            return Err(self.not_ready(Why::Stopped, "was available"));
        };
        Ok(Ready {
            time_line: TimeLine {
                ready_ms: Some(ready_ms),
                resolution_ms: PAUSE.as_secs_f64() * 1e3,
                port: Some(users.address.port()),
                ready_by: Some(match &self.start.wanted.ready {
                    ReadyProbe::Path(path) => format!("GET {path} of each pod, asked by its node"),
                    ReadyProbe::Port => "a connection to each pod, made by its node".to_owned(),
                }),
                ..TimeLine::default()
            },
            address: users.address,
            cpu_s: 0.0,
        })
    }

    fn until_line(&mut self, _: &Regex, _: Duration, _: &Stop) -> Result<TimeLine, Box<NotReady>> {
        let why = Why::Unwatchable(io::ErrorKind::Unsupported.into());
        Err(self.not_ready(why, "is a deployment"))
    }

    /// A Deployment has no exit of its own; its pods are watched instead.
    fn exit_within(&mut self, at_most: Duration) -> Option<Exit> {
        sleep(at_most);
        None
    }

    fn is_stopped(&self) -> bool {
        false
    }

    fn evidence(&self) -> Evidence {
        Evidence {
            oom_kills: 0,
            memory_bytes: self.start.limits.memory_bytes,
            last_log_lines: log::last_lines(&self.start.log, 0, LAST_LINES).unwrap_or_default(),
            told: self.trouble.clone(),
        }
    }

    fn anchor(&self) -> Anchor {
        self.anchor
    }

    fn pids(&self) -> Vec<u32> {
        let Some((pid, group)) = self.first() else {
            return Vec::new();
        };
        let members = group.as_ref().and_then(|group| group.pids().ok());
        members.unwrap_or_else(|| vec![*pid])
    }

    fn observe(&self, what: &Observation) -> Result<Box<dyn Observer>, RunError> {
        let whose = Whose {
            cluster: Arc::clone(&self.start.cluster),
            eye: self.start.eye.clone(),
            selector: self.start.wanted.selector(),
            from_ns: self.anchor.monotonic_ns,
        };
        Ok(Box::new(Held::watch(whose, what)?))
    }

    fn cpu_s(&self) -> Option<f64> {
        None
    }

    fn limits_seen(&self, asked: &Limits) -> Option<LimitsSeen> {
        let (pid, group) = self.first()?;
        limits_seen(group.as_ref(), asked, *pid)
    }

    /// Counts nothing: that pod may be gone.
    fn count_limits(&self, _: &mut LimitsSeen) {}

    fn set_cpu(&self, _: Option<f64>) -> Result<(), RunError> {
        Ok(())
    }

    fn begin_phase(&mut self, plan: &PhasePlan) {
        let step = self.start.changed.steps.get(&plan.label).copied();
        let from_ns = monotonic_ns();
        self.phase = Some(Window {
            name: plan.label.clone(),
            from_ns,
            to_ns: from_ns,
            is_change: step.is_some(),
        });
        let Some(step) = step else {
            return;
        };
        let Some(mut rolling) = self.rolling().take() else {
            return;
        };
        rolling.wait_for(at_most(plan));
        let change = move || {
            let told = rolling.warm_up(TELLING);
            let result = told.and_then(|()| rolling.carry_out(step, 1).map(|_| ()));
            (rolling, result)
        };
        let builder = std::thread::Builder::new().name("change".to_owned());
        // Without a thread nothing is changed, and the end of the phase says so.
        self.changing = builder.spawn(change).ok();
    }

    fn end_phase(&mut self) -> Option<LaunchOutcome> {
        let window = Window {
            to_ns: monotonic_ns(),
            ..self.phase.take()?
        };
        let is_over = self.changing.as_ref().is_some_and(JoinHandle::is_finished);
        let result = self.until_changed();
        let not_changed = |why| Some(failed(FailureCause::NotChanged, why));
        let outcome = match (window.is_change, result) {
            (false, _) => None,
            (true, None) => {
                not_changed("nothing was changed: there was no thread for it".to_owned())
            }
            (true, Some(Err(NotRolled::Interrupted))) => {
                return Some(LaunchOutcome::Interrupted);
            }
            (true, Some(Err(error))) => not_changed(error.to_string()),
            (true, Some(Ok(()))) if !is_over => not_changed(format!(
                "the change of `{}` was not over when its users were: let them come for longer (--for)",
                window.name
            )),
            // The pods that came with it may be elsewhere.
            (true, Some(Ok(()))) => self
                .not_here()
                .map(|unseen| failed(FailureCause::NotStarted, unseen)),
        };
        self.windows.push(window);
        outcome
    }

    fn end(&mut self, _: Duration) -> io::Result<End> {
        // After an interruption it may still go on.
        let _ = self.until_changed();
        self.keep_seen();
        self.logging = None;
        self.delete()?;
        Ok(End {
            exit: Exit::Code(0),
            left_out_of_log: 0,
        })
    }
}

/// How long the change of a phase may take.
fn at_most(plan: &PhasePlan) -> Duration {
    let phase = match plan.kind {
        PhaseKind::Open { duration_s, .. } => Duration::try_from_secs_f64(duration_s),
        _ => Ok(Duration::ZERO),
    };
    phase.unwrap_or(Duration::MAX).saturating_add(CHANGING)
}

/// The service's process in a pod.
fn seen_in(eye: &Eye, pod: &PodState) -> Option<u32> {
    eye.look(&pod.uid, pod.subject_id()?)
}

/// What to say of the first of these pods that runs and is not seen.
fn unseen(pods: &[(String, PodState)], sees: impl Fn(&PodState) -> bool) -> Option<String> {
    let mut there = pods.iter().filter(|(_, pod)| runs(pod) && !pod.is_deleted);
    let (name, pod) = there.find(|(_, pod)| !sees(pod))?;
    Some(format!(
        "the pod {name} runs on node {}, and its process cannot be seen from here, so that its memory and processor time would be missing: all pods of a launch have to be on one node. Have a pod on a node do it, which keeps them there (--run-pod, --node NODE), or let other nodes take no pods meanwhile (`kubectl cordon NODE`)",
        pod.node.as_deref().unwrap_or("?")
    ))
}

/// Why the controller makes no pods; it tries again, and a run does not wait for that.
fn refused(said: &str) -> (FailureCause, String) {
    let cause = match said.contains("exceeded quota") {
        true => FailureCause::QuotaReached,
        false => FailureCause::NotStarted,
    };
    let why = format!(
        "the cluster takes no pods of it ({said}): ask for fewer or smaller ones (--pods, --cpu, --memory), or raise the quota (`kubectl describe quota`)"
    );
    (cause, why)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::our_pods::tests::state;
    use tacho_cluster_api::Container;

    #[test]
    fn a_change_may_take_as_long_as_its_users_come_and_a_while_longer() {
        let plan = |kind| PhasePlan {
            label: "restart".to_owned(),
            kind,
        };
        let open = plan(PhaseKind::Open {
            rate: 10.0,
            duration_s: 600.0,
            connections: 1,
        });
        assert_eq!(at_most(&open), Duration::from_secs(720));
        assert_eq!(at_most(&plan(PhaseKind::closed(1, 1))), CHANGING);
        // Its error names the option that says so.
        let late = NotRolled::NotOver {
            step: "restart".to_owned(),
            name: "tacho-r-001".to_owned(),
            s: 720,
            no_room: Some(Box::new(("p".to_owned(), "Insufficient cpu".to_owned()))),
            longer_by: "--for",
        };
        let told = late.to_string();
        assert!(
            told.contains("no node takes the pod p (Insufficient cpu)"),
            "{told}"
        );
        assert!(told.ends_with("wait longer by --for"), "{told}");
    }

    #[test]
    fn a_pod_that_runs_elsewhere_is_named_with_its_node() {
        let of = |name: &str, node: &str, container: Container| {
            let pod = PodState {
                uid: name.to_owned(),
                node: Some(node.to_owned()),
                ..state(container)
            };
            (name.to_owned(), pod)
        };
        let running = || Container::Running { started_at: None };
        let mut ending = of("ends", "two", running());
        ending.1.is_deleted = true;
        let here = of("here", "one", running());
        let waits = of("waits", "two", Container::Unknown);
        let sees = |pod: &PodState| pod.uid == "here";
        let all = [here.clone(), ending.clone(), waits.clone()];
        assert_eq!(unseen(&all, sees), None);
        let all = [here, ending, waits, of("there", "two", running())];
        let why = unseen(&all, sees).unwrap();
        assert!(
            why.contains("pod there runs on node two") && why.contains("--run-pod"),
            "{why}"
        );
    }

    #[test]
    fn a_quota_is_told_from_other_refusals() {
        let quota = "pods \"x\" is forbidden: exceeded quota: small, requested: limits.cpu=2";
        let (cause, why) = refused(quota);
        assert_eq!(cause, FailureCause::QuotaReached);
        assert!(
            why.contains("limits.cpu=2") && why.contains("--pods"),
            "{why}"
        );
        let (cause, _) = refused("violates PodSecurity \"restricted\"");
        assert_eq!(cause, FailureCause::NotStarted);
    }
}
