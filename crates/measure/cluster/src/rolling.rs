//! Changes of a Deployment, one after another, while somebody loads it. What the API tells
//! meanwhile is kept; what it means is [`tacho_rollout`]'s business.

use crate::carried_out::by_us;
use crate::eye::Eye;
use crate::left_behind::back_by_hand;
use crate::not_rolled::NotRolled;
use crate::step::Step;
use rustix::process::{Pid, Signal, kill_process};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tacho_clock::monotonic_ns;
use tacho_cluster_api::{
    Change, Changes, Cluster, ClusterError, DeploymentState, PutBack, TemporaryChange,
};
use tacho_rollout::{Life, Phase, PodNews, Told, What, Window, lives};
use tacho_runner::Stop;

/// What [`Rolling::with_pre_stop`] names its changes that count, before their number.
pub const WITH_PRE_STOP: &str = "restart-preStop";

/// The name of the last of those changes, which takes the preStop out again.
const TAKEN_OUT: &str = "preStop taken out";

/// Before a pod that a budget keeps is asked again, as `kubectl drain` has it.
const DRAIN_PAUSE: Duration = Duration::from_secs(5);

/// Between two questions whether a change is over.
const PAUSE: Duration = Duration::from_millis(250);

/// A Deployment that is being changed.
#[derive(Debug)]
pub struct Rolling {
    cluster: Arc<Cluster>,
    name: String,
    /// The Deployment as it was found.
    was: DeploymentState,
    changes: Changes,
    told: Vec<Told>,
    stop: Stop,
    patience: Patience,
    /// What says of a pod that it takes traffic.
    serves_since: Phase,
}

/// How long a change may take, and how long the rests are.
#[derive(Debug, Clone, Copy)]
pub struct Patience {
    /// A change.
    pub within: Duration,
    /// Before the first one, and after each.
    pub rest: Duration,
    /// The option that gives a change more time.
    pub longer_by: &'static str,
}

impl Rolling {
    /// Begins to watch. Without the name of a Service no endpoints are watched, and a pod that is
    /// ready counts as one that takes traffic.
    ///
    /// # Errors
    /// Fails when the Deployment is not in a state to be changed, or cannot be watched.
    pub fn begin(
        cluster: Arc<Cluster>,
        deployment: &DeploymentState,
        service: &str,
        patience: Patience,
        stop: Stop,
    ) -> Result<Self, NotRolled> {
        let name = &deployment.name;
        let not_now = |how, instead: &str| NotRolled::NotNow {
            name: name.clone(),
            how,
            instead: format!(
                "{instead} -n {namespace}`",
                namespace = cluster.reached().namespace
            ),
        };
        if deployment.is_paused {
            let instead = format!("it goes on by `kubectl rollout resume deployment/{name}");
            let how = "is paused, so that a restart would change nothing";
            return Err(not_now(how, &instead));
        }
        if deployment.replicas == 0 {
            let instead = format!("`kubectl scale deployment/{name} --replicas 2");
            return Err(not_now("has no pods", &instead));
        }
        if !deployment.is_settled {
            let instead = format!("wait for it by `kubectl rollout status deployment/{name}");
            return Err(not_now("is not settled", &instead));
        }
        Ok(Self {
            name: deployment.name.clone(),
            was: deployment.clone(),
            changes: cluster.changes(&deployment.selector, service)?,
            cluster,
            told: Vec::new(),
            stop,
            patience,
            serves_since: match service {
                "" => Phase::Ready,
                _ => Phase::TakesTraffic,
            },
        })
    }

    /// From now on a change may take so long.
    pub fn wait_for(&mut self, within: Duration) {
        self.patience.within = within;
    }

    /// Users come, and nothing is judged yet: what they feel of a cold service is no change's
    /// doing.
    ///
    /// # Errors
    /// As [`Self::before`].
    pub fn warm_up(&mut self, time: Duration) -> Result<(), NotRolled> {
        self.gather(time)
    }

    /// Nothing is done for a while.
    ///
    /// # Errors
    /// Fails when the API is away for too long, or the user ends it.
    pub fn before(&mut self) -> Result<Window, NotRolled> {
        let from_ns = monotonic_ns();
        self.gather(self.patience.rest)?;
        Ok(window("before".to_owned(), from_ns, false))
    }

    /// Carries out one change, to its end and a while longer.
    ///
    /// # Errors
    /// Fails when the API does not take it, or it does not come to its end.
    pub fn carry_out(&mut self, step: Step, number: u32) -> Result<Vec<Window>, NotRolled> {
        let from_ns = monotonic_ns();
        let awaited = match step {
            Step::Scale(pods) => return self.scale_and_back(pods, number),
            Step::Restart => {
                self.cluster.restart(&self.name)?;
                Awaited::Nobody
            }
            Step::Drain => Awaited::Gone(self.drain(step)?),
            Step::Evict => {
                let pod = self.somebody()?.pod;
                self.cluster.evict(&pod)?;
                Awaited::Gone(vec![pod])
            }
            Step::Kill => {
                let pod = self.somebody()?.pod;
                self.cluster.end(&pod, 0)?;
                Awaited::Gone(vec![pod])
            }
            Step::Crash => Awaited::Again(self.crash()?, from_ns),
        };
        self.settle(step, &awaited)?;
        self.gather(self.patience.rest)?;
        Ok(vec![window(format!("{step} {number}"), from_ns, true)])
    }

    /// Changes it so often with another preStop, and puts back what it had. Putting it in and
    /// taking it out are changes of their own: pods that end then are of the kind before.
    ///
    /// # Errors
    /// As [`Self::carry_out`]. What it had is put back then, too.
    pub fn with_pre_stop(&mut self, seconds: u32, times: u32) -> Result<Vec<Window>, NotRolled> {
        let from_ns = monotonic_ns();
        let slept = TemporaryChange::pre_stop(&self.was, seconds);
        self.change_for_a_while(&slept)?;
        let tried = self.restarts_with_pre_stop(seconds, times, from_ns);
        let back_ns = monotonic_ns();
        self.put_back(&slept)?;
        let mut windows = tried?;
        self.settle_and_rest(Step::Restart)?;
        windows.push(window(TAKEN_OUT.to_owned(), back_ns, true));
        Ok(windows)
    }

    fn restarts_with_pre_stop(
        &mut self,
        seconds: u32,
        times: u32,
        from_ns: u64,
    ) -> Result<Vec<Window>, NotRolled> {
        self.settle_and_rest(Step::Restart)?;
        let mut windows = vec![window(format!("preStop {seconds} s put in"), from_ns, true)];
        for number in 1..=times {
            for mut restarted in self.carry_out(Step::Restart, number)? {
                restarted.name = format!("{WITH_PRE_STOP} {number}");
                windows.push(restarted);
            }
        }
        Ok(windows)
    }

    fn scale_and_back(&mut self, pods: u32, number: u32) -> Result<Vec<Window>, NotRolled> {
        let step = Step::Scale(pods);
        // Somebody may have scaled it since it was found.
        let before = self.now()?;
        let scaled = TemporaryChange::replicas(&before, pods);
        let from_ns = monotonic_ns();
        self.change_for_a_while(&scaled)?;
        let there = self.settle_with(step, pods);
        let back_ns = monotonic_ns();
        match &there {
            // Whoever has scaled it wants it so. What stays of the record does no harm: the next
            // rollout sees that it was changed since.
            Err(NotRolled::ScaledByAnother { .. }) => drop(self.cluster.leave(&self.name)),
            // Somebody has deleted it.
            Err(NotRolled::NoDeployment { .. }) => {}
            // Whatever came of it: what was found is left behind.
            _ => self.put_back(&scaled)?,
        }
        there?;
        let there = Window {
            to_ns: back_ns,
            ..window(format!("scale-to-{pods} {number}"), from_ns, true)
        };
        self.settle_with(step, before.replicas)?;
        let name = format!("scale-back-to-{before} {number}", before = before.replicas);
        Ok(vec![there, window(name, back_ns, true)])
    }

    /// Makes a temporary change. What the Deployment was before is stored in the Deployment itself
    /// until it is put back.
    fn change_for_a_while(&self, changed: &TemporaryChange) -> Result<(), ClusterError> {
        let put_back = PutBack {
            by: by_us(),
            changed: changed.clone(),
        };
        self.cluster.change_for_a_while(&self.name, &put_back)
    }

    /// Undoes a temporary change.
    fn put_back(&self, changed: &TemporaryChange) -> Result<(), NotRolled> {
        let done = self.cluster.put_back(&self.name, changed);
        done.map_err(|error| NotRolled::LeftChanged {
            name: self.name.clone(),
            changed: changed.to_string(),
            by_hand: back_by_hand(&self.name, &self.cluster.reached().namespace, changed),
            why: error.to_string(),
        })
    }

    /// Has all of its pods on one node leave, the node of the pod that has taken traffic for the
    /// longest time. As `kubectl drain` does it: one that a budget keeps is asked again. The node
    /// is not closed to new pods, which is a right over the whole cluster.
    fn drain(&mut self, step: Step) -> Result<Vec<String>, NotRolled> {
        let node = self.somebody()?.node;
        let lives = lives(&self.told);
        let there = lives.into_iter().filter(|life| life.node == node);
        let serving = there.filter(|life| takes(life, self.serves_since));
        let pods: Vec<String> = serving.map(|life| life.pod).collect();
        let mut kept = pods.clone();
        let began = Instant::now();
        loop {
            let mut still = Vec::new();
            for pod in kept {
                match self.cluster.evict(&pod) {
                    Ok(()) => {}
                    Err(error) if error.is_kept_by_a_budget() || error.is_busy() => still.push(pod),
                    Err(error) => return Err(error.into()),
                }
            }
            if still.is_empty() {
                return Ok(pods);
            }
            if began.elapsed() > self.patience.within {
                return Err(self.not_over(step));
            }
            kept = still;
            self.gather(DRAIN_PAUSE)?;
        }
    }

    /// Ends the process of a pod's own container on this machine, not that of another beside it.
    /// Its node's kubelet starts it anew.
    fn crash(&self) -> Result<String, NotRolled> {
        let life = self.somebody()?;
        let pods = self.cluster.pods_of(&self.was.selector)?;
        let pod = pods.iter().find(|(_, pod)| pod.uid == life.uid);
        let container = pod.and_then(|(_, pod)| pod.ids.get(&self.was.container));
        // Without its id it could be any of the pod.
        let pid = Eye::here().zip(container);
        let pid = pid.and_then(|(eye, id)| eye.look(&life.uid, id));
        let pid = pid.and_then(|pid| Pid::from_raw(pid.cast_signed()));
        let killed = pid.is_some_and(|pid| kill_process(pid, Signal::KILL).is_ok());
        match killed {
            true => Ok(life.pod),
            false => Err(NotRolled::ElsewhereToCrash {
                container: self.was.container.clone(),
                pod: life.pod,
                node: life.node.unwrap_or_default(),
            }),
        }
    }

    /// Until so many pods are there, and still wanted after the rest.
    fn settle_with(&mut self, step: Step, pods: u32) -> Result<(), NotRolled> {
        self.settle_and_rest(step)?;
        let is = self.now()?.replicas;
        match is == pods {
            true => Ok(()),
            false => Err(NotRolled::ScaledByAnother {
                step: step.to_string(),
                name: self.name.clone(),
                wanted: pods,
                is,
            }),
        }
    }

    /// The Deployment as it is now.
    fn now(&self) -> Result<DeploymentState, NotRolled> {
        let state = self.cluster.deployment(&self.name)?;
        state.ok_or_else(|| NotRolled::NoDeployment {
            name: self.name.clone(),
            namespace: self.cluster.reached().namespace.to_string(),
            there: Vec::new(),
        })
    }

    fn settle_and_rest(&mut self, step: Step) -> Result<(), NotRolled> {
        self.settle(step, &Awaited::Nobody)?;
        self.gather(self.patience.rest)
    }

    /// How long a pod sleeps before it is told to end, in seconds, as the Deployment was found.
    #[must_use]
    pub fn pre_stop_s(&self) -> Option<u32> {
        self.was.pre_stop_s()
    }

    /// All that was told.
    #[must_use]
    pub fn told(&self) -> &[Told] {
        &self.told
    }

    /// The pod that has taken traffic for the longest time.
    fn somebody(&self) -> Result<Life, NotRolled> {
        let mut lives = lives(&self.told).into_iter();
        let first = lives.find(|life| takes(life, self.serves_since));
        first.ok_or_else(|| NotRolled::NobodyToLeave(self.name.clone()))
    }

    /// Until all pods are as they are wanted, and those that end have gone.
    fn settle(&mut self, step: Step, awaited: &Awaited) -> Result<(), NotRolled> {
        let began = Instant::now();
        loop {
            self.gather(PAUSE)?;
            let state = self.now()?;
            if let Some(said) = state.stuck {
                return Err(NotRolled::Stuck {
                    step: step.to_string(),
                    name: self.name.clone(),
                    said,
                });
            }
            let lives = lives(&self.told);
            if state.is_settled && nobody_is_ending(&lives) && awaited.has_come(&lives) {
                return Ok(());
            }
            if began.elapsed() > self.patience.within {
                return Err(self.not_over(step));
            }
        }
    }

    fn not_over(&self, step: Step) -> NotRolled {
        NotRolled::NotOver {
            step: step.to_string(),
            name: self.name.clone(),
            s: self.patience.within.as_secs(),
            no_room: self.no_room().map(Box::new),
            longer_by: self.patience.longer_by,
        }
    }

    /// A pod that no node takes, as far as the API says it now.
    fn no_room(&self) -> Option<(String, String)> {
        let pods = self.cluster.pods_of(&self.was.selector).unwrap_or_default();
        pods.into_iter()
            .find_map(|(name, state)| Some((name, state.not_scheduled()?.said)))
    }

    /// Keeps what is told for so long.
    fn gather(&mut self, time: Duration) -> Result<(), NotRolled> {
        let until = Instant::now() + time;
        loop {
            if self.stop.is_set() {
                return Err(NotRolled::Interrupted);
            }
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Ok(());
            }
            let next = self.changes.next(left.min(PAUSE));
            if let Some((at_ns, change)) = next {
                let what = what(change)?;
                self.told.push(Told { at_ns, what });
            }
        }
    }
}

/// What has to happen before a change is over.
#[derive(Debug)]
enum Awaited {
    /// Nothing besides the Deployment's own state.
    Nobody,
    /// These pods are gone.
    Gone(Vec<String>),
    /// A container of this pod was started anew since then.
    Again(String, u64),
}

impl Awaited {
    fn has_come(&self, lives: &[Life]) -> bool {
        let of = |pod: &str| lives.iter().find(|life| life.pod == pod);
        match self {
            Self::Nobody => true,
            Self::Gone(pods) => pods.iter().all(|pod| {
                let gone = of(pod).and_then(|life| life.at(Phase::Gone));
                gone.is_some()
            }),
            Self::Again(pod, since_ns) => of(pod).is_some_and(|life| {
                let mut again = life.restarted_ns.iter();
                again.any(|at| at > since_ns)
            }),
        }
    }
}

/// It takes traffic since that phase, and nobody has told it to leave.
fn takes(life: &Life, since: Phase) -> bool {
    let left = [Phase::Ending, Phase::TakesNoMore, Phase::Gone];
    life.at(since).is_some() && left.iter().all(|it| life.at(*it).is_none())
}

fn nobody_is_ending(lives: &[Life]) -> bool {
    let mut ending = lives.iter().filter(|life| life.at(Phase::Ending).is_some());
    ending.all(|life| life.at(Phase::Gone).is_some())
}

fn window(name: String, from_ns: u64, is_change: bool) -> Window {
    Window {
        name,
        from_ns,
        to_ns: monotonic_ns(),
        is_change,
    }
}

fn what(change: Change) -> Result<What, ClusterError> {
    Ok(match change {
        Change::Pod {
            name,
            uid,
            node,
            ip,
            is_scheduled,
            is_running,
            is_ready,
            is_ending,
            restarts,
        } => What::Pod(
            name,
            PodNews {
                uid,
                node,
                ip,
                is_scheduled,
                is_running,
                is_ready,
                is_ending,
                restarts,
            },
        ),
        Change::PodGone(name) => What::PodGone(name),
        Change::Endpoints(slice, pods) => What::Endpoints(slice, pods),
        Change::EndpointsGone(slice) => What::EndpointsGone(slice),
        Change::Lost(error) => return Err(error),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_is_over_when_what_it_did_is_seen() {
        let at = |phase: Phase, at: u64| Life {
            pod: "p".to_owned(),
            phases: [(Phase::TakesTraffic, 1), (phase, at)].into(),
            ..Life::default()
        };
        let gone = Awaited::Gone(vec!["p".to_owned()]);
        assert!(!gone.has_come(&[at(Phase::Ending, 5)]));
        assert!(gone.has_come(&[at(Phase::Gone, 5)]));
        let again = Awaited::Again("p".to_owned(), 5);
        let started = |at_ns| Life {
            restarted_ns: vec![at_ns],
            ..at(Phase::Ready, 1)
        };
        assert!(!again.has_come(&[started(4)]) && again.has_come(&[started(6)]));
        assert!(!again.has_come(&[]));
        assert!(!nobody_is_ending(&[at(Phase::Ending, 5)]));
        let serving = |life: &Life| takes(life, Phase::TakesTraffic);
        assert!(serving(&at(Phase::Ready, 1)) && !serving(&at(Phase::Ending, 5)));
        let unnamed = Life {
            phases: [(Phase::Ready, 1)].into(),
            ..Life::default()
        };
        assert!(!serving(&unnamed) && takes(&unnamed, Phase::Ready));
    }
}
