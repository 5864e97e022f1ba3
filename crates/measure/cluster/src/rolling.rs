//! Changes of a Deployment, one after another, while somebody loads it. What the API tells
//! meanwhile is kept; what it means is [`tacho_rollout`]'s business.

use std::fmt;
use std::str::FromStr;
use std::time::{Duration, Instant};
use tacho_clock::monotonic_ns;
use tacho_cluster_api::{Change, Changes, Cluster, ClusterError, DeploymentState};
use tacho_rollout::{Life, Phase, PodNews, Told, What, Window, lives};
use tacho_runner::Stop;

/// Between two questions whether a change is over.
const PAUSE: Duration = Duration::from_millis(250);

/// What is done to a Deployment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// New pods in place of all.
    Restart,
    /// So many pods, and then as many as before.
    Scale(u32),
    /// One pod leaves, as at a drain of its node.
    Evict,
}

impl FromStr for Step {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.split_once('=') {
            None if text == "restart" => Ok(Self::Restart),
            None if text == "evict" => Ok(Self::Evict),
            Some(("scale", pods)) => {
                let pods = pods.parse().ok().filter(|pods| (1..=1000).contains(pods));
                let scale = pods.map(Self::Scale);
                scale.ok_or_else(|| "expected 1 to 1000 pods, as scale=4".to_owned())
            }
            _ => Err("expected restart, scale=PODS or evict".to_owned()),
        }
    }
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Restart => f.write_str("restart"),
            Self::Scale(pods) => write!(f, "scale={pods}"),
            Self::Evict => f.write_str("evict"),
        }
    }
}

/// Why changes were not carried out, or not to their end.
#[derive(Debug, thiserror::Error)]
pub enum NotRolled {
    /// The API.
    #[error(transparent)]
    Cluster(#[from] ClusterError),
    /// There is none of that name.
    #[error(
        "there is no deployment `{name}` in namespace {namespace}: `kubectl get deployments -n {namespace}` lists them"
    )]
    NoDeployment {
        /// Its name.
        name: String,
        /// Where it was looked for.
        namespace: String,
    },
    /// A change is under way that is not ours, or cannot be.
    #[error("the deployment `{name}` {how}: {instead}")]
    NotNow {
        /// Its name.
        name: String,
        /// In which state it is.
        how: String,
        /// What to do.
        instead: &'static str,
    },
    /// It has no Service, or several.
    #[error(
        "{found} leads to the pods of `{deployment}`: name one by --service, or where users come in by --url"
    )]
    WhichService {
        /// Of which deployment.
        deployment: String,
        /// None, or their names.
        found: String,
    },
    /// The Service has no address of its own.
    #[error(
        "the service `{0}` has no address or no TCP port of its own: say by --url where users come in"
    )]
    NoAddress(String),
    /// It was not over in time.
    #[error(
        "`{step}` was not over after {s} seconds: see `kubectl describe deployment {name}`, or wait longer by --within"
    )]
    NotOver {
        /// What was done.
        step: String,
        /// Of which deployment.
        name: String,
        /// After how long.
        s: u64,
    },
    /// The controller has given up.
    #[error("`{step}` does not come to its end ({said}): see `kubectl describe deployment {name}`")]
    Stuck {
        /// What was done.
        step: String,
        /// Of which deployment.
        name: String,
        /// Its words.
        said: String,
    },
    /// Users are not served as it is.
    #[error(
        "before anything was changed {failed} of {requests} requests failed: nothing was changed. See what is asked (`tacho load {url}`): the path, the method, a body"
    )]
    Failing {
        /// Without a good answer.
        failed: u64,
        /// In all.
        requests: u64,
        /// Where they were sent.
        url: String,
    },
    /// No pod takes traffic.
    #[error("no pod of `{0}` takes traffic, so that none can be evicted: is the deployment well?")]
    NobodyToEvict(String),
    /// The load has ended before the changes.
    #[error("for a minute nobody answered, and the load ended: is the deployment well?")]
    NobodyAnswers,
    /// The user has ended it.
    #[error("interrupted")]
    Interrupted,
}

/// A Deployment that is being changed.
#[derive(Debug)]
pub struct Rolling<'c> {
    cluster: &'c Cluster,
    name: String,
    /// As many pods as before, and as are left behind.
    replicas: u32,
    changes: Changes,
    told: Vec<Told>,
    stop: Stop,
    within: Duration,
    rest: Duration,
}

/// How long things may take, and do.
#[derive(Debug, Clone, Copy)]
pub struct Patience {
    /// A change.
    pub within: Duration,
    /// Before the first one, and after each.
    pub rest: Duration,
}

impl<'c> Rolling<'c> {
    /// Begins to watch.
    ///
    /// # Errors
    /// Fails when the Deployment is not in a state to be changed, or cannot be watched.
    pub fn begin(
        cluster: &'c Cluster,
        deployment: &DeploymentState,
        service: &str,
        patience: Patience,
        stop: Stop,
    ) -> Result<Self, NotRolled> {
        let not_now = |how: String, instead| NotRolled::NotNow {
            name: deployment.name.clone(),
            how,
            instead,
        };
        if deployment.is_paused {
            let instead = "`kubectl rollout resume` it first";
            return Err(not_now("is paused".to_owned(), instead));
        }
        if !deployment.is_settled {
            let instead = "wait until it is settled (`kubectl rollout status`)";
            return Err(not_now("is not settled".to_owned(), instead));
        }
        if deployment.replicas == 0 {
            return Err(not_now("has no pods".to_owned(), "scale it up first"));
        }
        Ok(Self {
            cluster,
            name: deployment.name.clone(),
            replicas: deployment.replicas,
            changes: cluster.changes(&deployment.selector, service)?,
            told: Vec::new(),
            stop,
            within: patience.within,
            rest: patience.rest,
        })
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
        self.gather(self.rest)?;
        Ok(window("before".to_owned(), from_ns, false))
    }

    /// Carries out one change, to its end and a while longer.
    ///
    /// # Errors
    /// Fails when the API does not take it, or it does not come to its end.
    pub fn carry_out(&mut self, step: Step, number: u32) -> Result<Vec<Window>, NotRolled> {
        match step {
            Step::Restart => {
                let from_ns = monotonic_ns();
                self.cluster.restart(&self.name)?;
                self.settle(step, None)?;
                self.gather(self.rest)?;
                Ok(vec![window(format!("restart {number}"), from_ns, true)])
            }
            Step::Evict => {
                let pod = self.somebody()?;
                let from_ns = monotonic_ns();
                self.cluster.evict(&pod)?;
                self.settle(step, Some(&pod))?;
                self.gather(self.rest)?;
                Ok(vec![window(format!("evict {number}"), from_ns, true)])
            }
            Step::Scale(pods) => {
                let there = self.scale(step, pods);
                // Whatever came of it: what was found is left behind.
                let back = self.scale(step, self.replicas);
                let (from_ns, back_ns) = (there?, back?);
                let there = Window {
                    to_ns: back_ns,
                    ..window(format!("scale-to-{pods} {number}"), from_ns, true)
                };
                let name = format!("scale-back-to-{} {number}", self.replicas);
                Ok(vec![there, window(name, back_ns, true)])
            }
        }
    }

    /// Its beginning.
    fn scale(&mut self, step: Step, pods: u32) -> Result<u64, NotRolled> {
        let from_ns = monotonic_ns();
        self.cluster.scale(&self.name, pods)?;
        self.settle(step, None)?;
        self.gather(self.rest)?;
        Ok(from_ns)
    }

    /// All that was told.
    #[must_use]
    pub fn told(&self) -> &[Told] {
        &self.told
    }

    /// The pod that has taken traffic for the longest time.
    fn somebody(&self) -> Result<String, NotRolled> {
        let lives = lives(&self.told);
        let takes = |life: &&Life| {
            let left = [Phase::Ending, Phase::TakesNoMore, Phase::Gone];
            life.at(Phase::TakesTraffic).is_some() && left.iter().all(|it| life.at(*it).is_none())
        };
        let first = lives.into_iter().find(|life| takes(&life));
        let pod = first.map(|life| life.pod);
        pod.ok_or_else(|| NotRolled::NobodyToEvict(self.name.clone()))
    }

    /// Until all pods are as they are wanted, and those that end have gone.
    fn settle(&mut self, step: Step, leaves: Option<&str>) -> Result<(), NotRolled> {
        let began = Instant::now();
        loop {
            self.gather(PAUSE)?;
            let state = self.cluster.deployment(&self.name)?;
            let state = state.ok_or_else(|| NotRolled::NoDeployment {
                name: self.name.clone(),
                namespace: self.cluster.reached().namespace.to_string(),
            })?;
            if let Some(said) = state.stuck {
                return Err(NotRolled::Stuck {
                    step: step.to_string(),
                    name: self.name.clone(),
                    said,
                });
            }
            if state.is_settled && self.nobody_is_ending(leaves) {
                return Ok(());
            }
            if began.elapsed() > self.within {
                return Err(NotRolled::NotOver {
                    step: step.to_string(),
                    name: self.name.clone(),
                    s: self.within.as_secs(),
                });
            }
        }
    }

    fn nobody_is_ending(&self, leaves: Option<&str>) -> bool {
        let ends = |life: &Life| {
            life.at(Phase::Ending).is_some() || leaves.is_some_and(|pod| life.pod == pod)
        };
        let lives = lives(&self.told);
        let mut ending = lives.iter().filter(|life| ends(life));
        ending.all(|life| life.at(Phase::Gone).is_some())
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
            is_scheduled,
            is_running,
            is_ready,
            is_ending,
            restarts,
        } => What::Pod(
            name,
            PodNews {
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
    fn steps_are_read_or_refused() {
        assert_eq!("restart".parse(), Ok(Step::Restart));
        assert_eq!("scale=4".parse(), Ok(Step::Scale(4)));
        for step in [Step::Restart, Step::Scale(3), Step::Evict] {
            assert_eq!(step.to_string().parse(), Ok(step));
        }
        for wrong in ["", "scale", "scale=0", "scale=x", "kill"] {
            assert!(wrong.parse::<Step>().is_err(), "{wrong}");
        }
    }
}
