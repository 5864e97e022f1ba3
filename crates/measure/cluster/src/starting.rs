//! A pod from its creation to the `exec` of its process, looked at each millisecond.

use crate::eye::{Exec, Eye};
use crate::heard::has_ended;
use crate::life::Told;
use crate::outcome::{of_api, of_trouble};
use crate::pod::{LAST_LINES, LOG, TOLD};
use std::fs::File;
use std::path::Path;
use std::sync::Arc;
use std::thread::sleep;
use std::time::{Duration, Instant};
use tacho_clock::{Anchor, monotonic_ns, wall_ns_of};
use tacho_cluster_api::{
    Cluster, ClusterError, Container, Following, Made, SubjectPod, TroubleKind,
};
use tacho_launch::failure::{self, Evidence};
use tacho_launch::{Exit, log};
use tacho_run_folder::{FailureCause, LaunchOutcome};
use tacho_runner::{Stop, failed};

/// Between two looks for its process.
const LOOK: Duration = Duration::from_millis(1);
/// For how long a node is waited for.
const SCHEDULING: Duration = Duration::from_secs(60);
/// And for that node to say anything of the pod.
const TAKEN: Duration = Duration::from_secs(60);
/// And for all until its process runs; the image may have to be pulled.
const STARTING: Duration = Duration::from_secs(600);
/// For how long a quota that is reached is waited for: others may give back what they have.
const ROOM: Duration = Duration::from_secs(30);
/// Between two tries.
const ROOM_LOOK: Duration = Duration::from_secs(1);
/// A process that the API tells of is seen from its node within this time.
const SEEN: Duration = Duration::from_secs(5);
/// The API tells when a container was started in whole seconds.
const TOLD_WITHIN_NS: u64 = 1_000_000_000;

/// A pod that was made. Dropping it deletes it.
#[derive(Debug)]
pub struct Named {
    cluster: Arc<Cluster>,
    /// Its name.
    pub name: String,
    is_there: bool,
}

impl Named {
    /// Deletes it: SIGTERM, the grace, SIGKILL.
    pub fn end(&mut self, grace: Duration) -> std::io::Result<()> {
        let grace_s = u32::try_from(grace.as_millis().div_ceil(1000)).unwrap_or(u32::MAX);
        let ended = self.cluster.end(&self.name, grace_s);
        self.is_there &= ended.is_err();
        ended.map_err(std::io::Error::other)
    }
}

impl Drop for Named {
    fn drop(&mut self) {
        if self.is_there {
            // Nobody is left to be told; what the run owns is deleted with the run.
            let _ = self.end(Duration::ZERO);
        }
    }
}

/// A pod whose process runs.
pub struct Started {
    pub named: Named,
    pub made: Made,
    pub following: Following,
    pub told: Told,
    pub exec: Exec,
    /// Its number on this machine; absent where nobody looks.
    pub pid: Option<u32>,
}

/// Makes a pod, and waits until its process is executed; without an eye until the API says so. If
/// it ends before that was seen, what it wrote goes into this log.
pub fn start(
    cluster: &Arc<Cluster>,
    eye: Option<&Eye>,
    pod: &SubjectPod,
    log: &Path,
    stop: &Stop,
) -> Result<Started, LaunchOutcome> {
    let made = make(cluster, pod, stop)?;
    let named = Named {
        cluster: Arc::clone(cluster),
        name: pod.name.clone(),
        is_there: true,
    };
    let following = cluster.follow(&pod.name).map_err(|error| of_api(&error))?;
    let mut told = Told::default();
    let waiting = Waiting {
        eye,
        following: &following,
        made: &made,
        stop,
    };
    let (exec, pid) = match waiting.until_exec(&mut told) {
        Ok(executed) => executed,
        Err(outcome) if has_ended(&told) => {
            return Err(in_its_words(
                outcome,
                &told,
                last_words(cluster, &pod.name, log),
            ));
        }
        Err(outcome) => return Err(outcome),
    };
    Ok(Started {
        named,
        made,
        following,
        told,
        exec,
        pid,
    })
}

/// The last lines of a pod that has ended, all of whose words go into a file. None if they cannot
/// be had: the launch has failed without them as well.
fn last_words(cluster: &Cluster, pod: &str, to: &Path) -> Vec<String> {
    let Ok(file) = File::create(to) else {
        return Vec::new();
    };
    if let Ok(logging) = cluster.log(pod, file, LOG) {
        let _ = logging.to_the_end(TOLD);
    }
    log::last_lines(to, 0, LAST_LINES).unwrap_or_default()
}

/// What it wrote says more of an end by itself than the cluster does.
fn in_its_words(mut outcome: LaunchOutcome, told: &Told, words: Vec<String>) -> LaunchOutcome {
    let trouble = told.state.as_ref().and_then(|state| state.trouble());
    if let Some(TroubleKind::Ended { code }) = trouble.map(|trouble| trouble.kind) {
        let evidence = Evidence {
            last_log_lines: words,
            ..Evidence::default()
        };
        return failure::ended(Exit::Code(code), "before it was ready", evidence);
    }
    if let LaunchOutcome::Failed { last_log_lines, .. } = &mut outcome {
        *last_log_lines = words;
    }
    outcome
}

/// Makes it as soon as there is room for it.
fn make(cluster: &Cluster, pod: &SubjectPod, stop: &Stop) -> Result<Made, LaunchOutcome> {
    let began = Instant::now();
    loop {
        match cluster.make(pod) {
            Err(ClusterError::Quota { .. }) if began.elapsed() < ROOM && !stop.is_set() => {
                sleep(ROOM_LOOK);
            }
            made => return made.map_err(|error| of_api(&error)),
        }
    }
}

struct Waiting<'a> {
    eye: Option<&'a Eye>,
    following: &'a Following,
    made: &'a Made,
    stop: &'a Stop,
}

impl Waiting<'_> {
    fn until_exec(&self, told: &mut Told) -> Result<(Exec, Option<u32>), LaunchOutcome> {
        let began = Instant::now();
        let mut not_yet_ns = monotonic_ns();
        let mut seen = Seen::default();
        let mut runs_since = None;
        loop {
            let looked_ns = monotonic_ns();
            if let Some(eye) = self.eye {
                let uid = &self.made.uid;
                seen.keep(&eye.executed(uid, None), not_yet_ns);
                if let Some((pid, exec)) = self.measured(eye, &seen, told) {
                    if self.awaits_container(told) {
                        told.container_seen_ns = Some(exec.anchor.monotonic_ns);
                    }
                    return Ok((exec, Some(pid)));
                }
                not_yet_ns = looked_ns;
                if told.sandbox_seen_ns.is_none() && eye.has_sandbox(uid) {
                    told.sandbox_seen_ns = Some(monotonic_ns());
                }
                if self.awaits_container(told) && eye.has_container(uid) {
                    told.container_seen_ns = Some(monotonic_ns());
                }
            }
            self.hear(told)?;
            if self.stop.is_set() {
                return Err(LaunchOutcome::Interrupted);
            }
            let state = told.state.as_ref();
            let unschedulable = state.and_then(tacho_cluster_api::PodState::not_scheduled);
            if let Some(trouble) = unschedulable.filter(|_| began.elapsed() > SCHEDULING) {
                return Err(of_trouble(&trouble));
            }
            let silent = state.and_then(tacho_cluster_api::PodState::not_acknowledged);
            let given_ns = told.scheduled_ns.unwrap_or(u64::MAX);
            let is_late = Duration::from_nanos(looked_ns.saturating_sub(given_ns)) > TAKEN;
            if let Some(trouble) = silent.filter(|_| is_late) {
                return Err(of_trouble(&trouble));
            }
            if let Some(Container::Running { started_at, .. }) = state.map(|s| &s.container) {
                if self.eye.is_none() {
                    return Ok((as_told(started_at.as_deref()), None));
                }
                if runs_since.get_or_insert_with(Instant::now).elapsed() > SEEN {
                    return Err(not_here(told));
                }
            }
            if began.elapsed() > STARTING {
                let message = format!(
                    "its process did not begin within {} minutes; `kubectl describe pod` says what it waits for",
                    STARTING.as_secs() / 60
                );
                return Err(failed(FailureCause::NotStarted, message));
            }
            sleep(LOOK);
        }
    }

    /// Whether its sandbox was seen, and its container was not so far. Where others run beside it,
    /// the first container that is seen may be one of them: it is not looked for.
    fn awaits_container(&self, told: &Told) -> bool {
        self.made.is_alone && told.sandbox_seen_ns.is_some() && told.container_seen_ns.is_none()
    }

    /// Its process among those that were seen. Where others run beside it, it is known by the id of
    /// its container, which the API tells some time after the `exec` that was seen.
    fn measured(&self, eye: &Eye, seen: &Seen, told: &Told) -> Option<(u32, Exec)> {
        if self.made.is_alone {
            return seen.0.first().copied();
        }
        let container = told.state.as_ref()?.subject_id()?;
        seen.first_of(&eye.executed(&self.made.uid, Some(container)))
    }

    /// What has been told meanwhile; trouble ends the launch.
    fn hear(&self, told: &mut Told) -> Result<(), LaunchOutcome> {
        while let Some(news) = self.following.come() {
            if let Some(error) = told.take(news) {
                return Err(of_api(&error));
            }
        }
        if let Some(trouble) = told.state.as_ref().and_then(|state| state.trouble()) {
            return Err(of_trouble(&trouble));
        }
        if told.is_gone {
            let message = "somebody deleted it before its process began".to_owned();
            return Err(failed(FailureCause::NotStarted, message));
        }
        Ok(())
    }
}

/// Processes of a pod, each with the instant at which it was first seen.
#[derive(Debug, Default)]
struct Seen(Vec<(u32, Exec)>);

impl Seen {
    /// These are there now, and those that are new were not there yet at that instant.
    fn keep(&mut self, pids: &[u32], not_yet_ns: u64) {
        self.0.retain(|(pid, _)| pids.contains(pid));
        for pid in pids {
            if self.first_of(&[*pid]).is_none() {
                let anchor = Anchor::now();
                self.0.push((*pid, Exec { anchor, not_yet_ns }));
            }
        }
    }

    /// The first that was seen of these.
    fn first_of(&self, pids: &[u32]) -> Option<(u32, Exec)> {
        let mut seen = self.0.iter();
        seen.find(|(pid, _)| pids.contains(pid)).copied()
    }
}

/// As the API tells it: the begin of its second, so that nothing passes for faster than it was.
fn as_told(started_at: Option<&str>) -> Exec {
    let wall_ns = started_at.and_then(wall_ns_of);
    let anchor = wall_ns.map_or_else(Anchor::now, Anchor::at_wall);
    Exec {
        anchor,
        not_yet_ns: anchor.monotonic_ns.saturating_sub(TOLD_WITHIN_NS),
    }
}

/// It runs, and not where we can see it.
fn not_here(told: &Told) -> LaunchOutcome {
    let node = told.state.as_ref().and_then(|state| state.node.as_deref());
    let message = format!(
        "it runs on node {}, and its process cannot be seen from here: Tacho has to run on that node, as root and outside of containers",
        node.unwrap_or("?")
    );
    failed(FailureCause::NotStarted, message)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The proxy beside it began first, and it was seen before the API told which one it is.
    #[test]
    fn a_process_that_is_recognised_late_was_executed_when_it_was_first_seen() {
        let mut seen = Seen::default();
        seen.keep(&[], 10);
        seen.keep(&[7], 20);
        seen.keep(&[7, 8], 30);
        seen.keep(&[7, 8, 9], 40);
        let (pid, exec) = seen.first_of(&[9, 8]).unwrap();
        assert_eq!((pid, exec.not_yet_ns), (8, 30));
        // Another process may get the number of one that has ended.
        seen.keep(&[7, 9], 50);
        seen.keep(&[7, 8, 9], 60);
        assert_eq!(seen.first_of(&[8]).unwrap().1.not_yet_ns, 60);
        assert_eq!(seen.first_of(&[10]), None);
    }

    #[test]
    fn exec_is_the_begin_of_the_second_that_the_api_tells() {
        let exec = as_told(Some("2025-11-21T21:33:27Z"));
        assert_eq!(exec.anchor.realtime_ns, 1_763_760_807_000_000_000);
        let now = as_told(Some("soon"));
        assert!(now.anchor.monotonic_ns <= monotonic_ns());
        assert_eq!(now.anchor.monotonic_ns - now.not_yet_ns, TOLD_WITHIN_NS);
    }
}
