//! At the terminal: a run whose launches a pod carries out.

use super::asking::{Asking, SILENT};
use super::hearing::{Broken, Hearing};
use super::message::{FOLDER, ORDERS, VERSION, Wish};
use super::serve::ALONE;
use crate::deployed::{Changed, GateImage};
use crate::deployments::not_rolled;
use crate::error::NotThere;
use crate::our_pods::{STARTING, runs, why_not};
use crate::run_objects::RunObjects;
use crate::seen::{AllSeen, Seen};
use crate::ship::Ship;
use crate::site::{Way, not_yet};
use std::fs::File;
use std::io::{self, BufReader, Write};
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::sync::{Arc, MutexGuard, OnceLock, PoisonError};
use std::thread::sleep;
use std::time::{Duration, Instant};
use tacho_cluster_api::{
    AWAY, Access, Cluster, ClusterError, PodState, Privileges, Purpose, RunPod, Tunnel,
    WorkerLimits,
};
use tacho_experiment::{Experiment, PhaseKind, ScheduleSpec};
use tacho_oci::Image;
use tacho_run_folder::{FailureCause, LaunchOutcome, Machine, RunFolder};
use tacho_runner::{
    Carrier, Event, Listener, Orders, RunError, Site, SiteError, StartSpec, Stop, Subject, failed,
};
use tacho_workers::{GivenFile, write_line};

/// Between two looks.
const LOOK: Duration = Duration::from_millis(200);
/// One that runs listens within this time.
const LISTENING: Duration = Duration::from_secs(30);
/// A pod that nobody ends any more ends when its launches are over by all means, and this time has
/// passed.
const AT_MOST: Duration = Duration::from_secs(24 * 60 * 60);

/// Said once the connection has been broken for a while.
const WAITING: &str = "no connection to the pod that carries out the launches: it goes on with them, and is tried again for ten minutes";

/// What a run lacks whose pod may see nothing of its node.
const UNSEEN: &str = "Nobody saw the node (`--unprivileged`): memory, processor time, throttling, what the JVM made of its limits, whether an archive was used and what else ran there are not known, and `exec` is known to the second.";

/// Makes the image of a run pod, when all else is there; its layers below this folder.
pub type MakeImage = dyn Fn(&Path) -> Result<Image, SiteError> + Send + Sync;

/// Where the image of a run pod comes from.
pub enum RunPodImage {
    /// From where nodes fetch it.
    Named(String),
    /// From here, as the other images of the run.
    Made(Box<MakeImage>),
}

/// What the run pod is made of.
pub struct Wanted {
    /// Its image.
    pub image: RunPodImage,
    /// Arguments with which the program serves a terminal.
    pub arguments: Vec<String>,
    /// Where it listens, on the loopback of its pod.
    pub port: u16,
    /// The node; absent: any.
    pub node: Option<String>,
    /// A ServiceAccount that is there; absent: one is made.
    pub account: Option<String>,
    /// What the pod may have at most.
    pub limits: WorkerLimits,
    /// What it may do on its node.
    pub privileges: Privileges,
}

/// Launches as pods of a cluster, carried out by a pod of it.
pub struct RunPods {
    objects: RunObjects,
    ship: Ship,
    wanted: Wanted,
    /// Launches are Deployments, to which this is done.
    changed: Option<Changed>,
    seen: AllSeen,
    /// Its own image, once it is on its way; gates are of it, too.
    gate_image: OnceLock<GateImage>,
    stop: Stop,
}

impl RunPods {
    /// Of a run with this name, whose launches are Deployments where they are `changed`. Nothing is
    /// made yet.
    ///
    /// # Errors
    /// Without a kubeconfig.
    pub fn new(
        access: &Access,
        ship: Ship,
        way: Way,
        run: &str,
        wanted: Wanted,
        changed: Option<Changed>,
        stop: Stop,
    ) -> Result<Self, NotThere> {
        let cluster = Arc::new(Cluster::of(access)?);
        Ok(Self {
            objects: RunObjects::new(cluster, run, ship.is_loaded(), way),
            ship,
            wanted,
            changed,
            seen: AllSeen::default(),
            gate_image: OnceLock::new(),
            stop,
        })
    }

    /// What was seen of the launches to which users came, once; of Deployments.
    #[must_use]
    pub fn take_seen(&self) -> Vec<Seen> {
        std::mem::take(&mut self.seen())
    }

    fn seen(&self) -> MutexGuard<'_, Vec<Seen>> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Deletes all that the run has made there.
    ///
    /// # Errors
    /// When the API does not take it.
    pub fn end(&self) -> Result<(), NotThere> {
        self.objects.end()
    }

    fn cluster(&self) -> &Cluster {
        self.objects.cluster()
    }

    /// Refuses a rollout by a pod without privileges. Which pod a connection led to can be seen
    /// only on its node.
    fn not_unseen(&self) -> Option<NotThere> {
        let is_unseen = self.wanted.privileges == Privileges::None;
        (is_unseen && self.changed.is_some()).then_some(NotThere::NotYet {
            what: "a rollout by a pod without privileges",
            instead: "take --unprivileged out, or roll out a Deployment that is there (`tacho rollout NAME`)",
        })
    }

    /// Whether its own image is in the node.
    fn is_loaded(&self) -> bool {
        self.objects.is_loaded() && matches!(self.wanted.image, RunPodImage::Made(_))
    }

    /// The pod as it would be by an image and an account of these names, with launches that take so
    /// long.
    fn pod(&self, image: String, account: String, launches: Duration) -> Result<RunPod, NotThere> {
        Ok(RunPod {
            run: self.objects.run().clone(),
            owner: self.objects.begin()?,
            image,
            is_loaded: self.is_loaded(),
            arguments: self.wanted.arguments.clone(),
            account,
            node: self.wanted.node.clone(),
            limits: self.wanted.limits,
            privileges: self.wanted.privileges,
            at_most: AT_MOST.saturating_add(launches),
        })
    }

    /// Makes the pod, and waits until it runs.
    fn begin(&self, scratch: &Path, launches: Duration, stop: &Stop) -> Result<RunPod, SiteError> {
        let image = match &self.wanted.image {
            RunPodImage::Named(name) => name.clone(),
            RunPodImage::Made(make) => {
                let run = self.objects.run();
                let image = make(scratch)?;
                self.ship.hand_over(run, "run-pod", &image, stop)?
            }
        };
        let _ = self.gate_image.set(GateImage {
            name: image.clone(),
            is_loaded: self.is_loaded(),
        });
        let owner = self.objects.begin()?;
        let account = match &self.wanted.account {
            Some(account) => account.clone(),
            None => {
                let does: &[Purpose] = match &self.changed {
                    None => &[Purpose::Run],
                    Some(_) => &[Purpose::Run, Purpose::Rollout, Purpose::Variants],
                };
                let run = self.objects.run();
                let made = self.cluster().begin_account(run, &owner, does);
                made.map_err(without_account)?
            }
        };
        let pod = self.pod(image, account, launches)?;
        self.cluster().make_run_pod(&pod).map_err(not_admitted)?;
        self.wait_for(&pod, stop)?;
        Ok(pod)
    }

    fn wait_for(&self, pod: &RunPod, stop: &Stop) -> Result<(), NotThere> {
        let (name, began) = (pod.name(), Instant::now());
        loop {
            let Some(state) = self.cluster().state(&name)? else {
                return Err(gone(&name, "somebody deleted it".to_owned()));
            };
            if runs(&state) {
                return Ok(());
            }
            if let Some(why) = why_not(&state, began.elapsed()) {
                return Err(gone(&name, why));
            }
            if stop.is_set() {
                return Err(NotThere::RunInterrupted);
            }
            if began.elapsed() > STARTING {
                let why = "it does not run after ten minutes; `kubectl describe pod` says what it waits for";
                return Err(gone(&name, why.to_owned()));
            }
            sleep(LOOK);
        }
    }

    /// From the first word to the last, over as many connections as it takes.
    fn hear_all(
        &self,
        pod: &str,
        given: &[(String, PathBuf)],
        hearing: &mut Hearing<'_>,
        stop: &Stop,
    ) -> Result<(), NotThere> {
        let mut told_of = None;
        loop {
            match self.hear(pod, given, hearing, stop) {
                Ok(()) => return Ok(()),
                Err(Broken::ForGood(why)) => return Err(gone(pod, why)),
                Err(Broken::Line) => {}
            }
            let state = self.cluster().state(pod);
            match &state {
                Ok(None) => return Err(gone(pod, "somebody deleted it".to_owned())),
                Ok(Some(state)) => {
                    if let Some(trouble) = state.trouble() {
                        return Err(gone(pod, trouble.to_string()));
                    }
                }
                Err(_) => {}
            }
            let seen = state.as_ref().ok().and_then(Option::as_ref);
            let silent = hearing.last.elapsed();
            // A login that has expired does not pass by itself.
            let is_for_good = state.as_ref().err().is_some_and(|error| !error.may_pass());
            if silent > patience(hearing.heard, stop.is_set() || is_for_good, seen) {
                let why = "it runs by the word of the API, and does not answer: is its node gone (`kubectl get nodes`)?";
                return Err(match state {
                    // The connection may be broken for the same reason.
                    Err(error) => error.into(),
                    Ok(_) => gone(pod, why.to_owned()),
                });
            }
            // Once for each time that the connection breaks.
            if silent > AWAY && told_of != Some(hearing.last) {
                told_of = Some(hearing.last);
                hearing.say(WAITING);
            }
            sleep(LOOK);
        }
    }

    /// Over one connection, to the last word.
    fn hear(
        &self,
        pod: &str,
        given: &[(String, PathBuf)],
        hearing: &mut Hearing<'_>,
        stop: &Stop,
    ) -> Result<(), Broken> {
        let Tunnel {
            socket,
            carrier: _carrier,
        } = self
            .cluster()
            .reach(pod, self.wanted.port)
            .map_err(|_| Broken::Line)?;
        let mut to = socket.try_clone().map_err(|_| Broken::Line)?;
        socket
            .set_read_timeout(Some(SILENT))
            .map_err(|_| Broken::Line)?;
        let mut from = BufReader::new(socket);
        match hearing.heard {
            0 => self
                .give(given, &mut to)
                .map_err(|error| match error.kind() {
                    io::ErrorKind::NotFound | io::ErrorKind::PermissionDenied => {
                        Broken::ForGood(format!("what it needs cannot be read: {error}"))
                    }
                    _ => Broken::Line,
                })?,
            from => write_line(&Wish::Resume { from }, &mut to).map_err(|_| Broken::Line)?,
        }
        let asking = Asking::begin(stop, &to).map_err(|_| Broken::Line)?;
        hearing.until_end(&mut from, &asking.asked_ns)?;
        drop(asking);
        // It ends by itself, if this does not arrive.
        let _ = write_line(&Wish::Over, &mut to);
        Ok(())
    }

    /// Hands the run over.
    fn give(&self, given: &[(String, PathBuf)], to: &mut UnixStream) -> io::Result<()> {
        let files = given.iter().map(|(name, path)| {
            Ok(GivenFile {
                name: name.clone(),
                bytes: std::fs::metadata(path)?.len(),
            })
        });
        let begin = Wish::Begin {
            version: VERSION,
            run: self.objects.run().to_string(),
            owner: self
                .objects
                .begin()
                .map_err(|error| io::Error::other(error.to_string()))?,
            is_loaded: self.objects.is_loaded(),
            through_service: self.objects.way() == Way::ThroughService,
            privileges: self.wanted.privileges,
            changed: self.changed.clone().map(|changed| {
                Box::new(Changed {
                    gate_image: self.gate_image.get().cloned(),
                    ..changed
                })
            }),
            files: files.collect::<io::Result<_>>()?,
        };
        write_line(&begin, to)?;
        for (_, path) in given {
            io::copy(&mut File::open(path)?, to)?;
        }
        to.flush()
    }
}

impl Site for RunPods {
    fn check(&self, experiment: &Experiment) -> Result<(), SiteError> {
        let of_deployments = || self.changed.as_ref().and_then(|_| not_rolled(experiment));
        let refused = not_yet(experiment)
            .or_else(|| not_by_a_pod(experiment))
            .or_else(of_deployments)
            .or_else(|| self.not_unseen());
        if let Some(refused) = refused {
            return Err(refused.into());
        }
        self.objects.begin_with(&experiment.limits)?;
        // Whether it would be taken is known before minutes are spent on images.
        let (image, account) = ("localhost/tacho-check".to_owned(), "default".to_owned());
        let pod = self.pod(image, account, Duration::ZERO)?;
        self.cluster()
            .would_make_run_pod(&pod)
            .map_err(not_admitted)?;
        Ok(())
    }

    fn ship(&self, variant: &str, image: &Image) -> Result<String, SiteError> {
        let run = self.objects.run();
        Ok(self.ship.hand_over(run, variant, image, &self.stop)?)
    }

    fn start(&self, _: &StartSpec) -> Result<Box<dyn Subject>, LaunchOutcome> {
        let why = "the launches of this run are a pod's".to_owned();
        Err(failed(FailureCause::NotStarted, why))
    }

    fn carrier(&self) -> Option<&dyn Carrier> {
        Some(self)
    }
}

impl Carrier for RunPods {
    fn carry_out(
        &self,
        orders: &Orders,
        folder: &RunFolder,
        stop: &Stop,
        listener: &mut dyn Listener,
    ) -> Result<Machine, RunError> {
        let failed = |error: NotThere| RunError::Site(error.into());
        listener.event(Event::Working {
            what: "starting the pod that carries out the launches",
        });
        let scratch = tempfile::tempdir();
        let scratch = scratch.map_err(|error| failed(unwritten(std::env::temp_dir(), error)))?;
        let path = scratch.path().join(ORDERS);
        let text = serde_json::to_vec(orders).map_err(|error| RunError::Site(error.into()))?;
        std::fs::write(&path, text).map_err(|error| failed(unwritten(path.clone(), error)))?;
        let given = given(path, folder);
        let begun = self.begin(scratch.path(), orders.longest(), stop);
        let pod = begun.map_err(|error| match stop.is_set() {
            true => RunError::Stopped,
            false => RunError::Site(error),
        })?;
        let mut hearing = Hearing::new(folder, listener);
        let heard = self.hear_all(&pod.name(), &given, &mut hearing, stop);
        let note = hearing.note();
        heard.map_err(|error| match stop.is_set() {
            true => RunError::Stopped,
            false => failed(error),
        })?;
        if self.changed.is_some() {
            let seen = all_seen(folder).map_err(|why| failed(gone(&pod.name(), why)))?;
            self.seen().extend(seen);
        }
        let mut plan = folder.plan()?;
        plan.notes.push(note);
        if self.wanted.privileges == Privileges::None {
            plan.notes.push(UNSEEN.to_owned());
        }
        folder.write_plan(&plan)?;
        Ok(hearing
            .machine
            .unwrap_or_else(tacho_observe::machine::machine))
    }
}

/// For how long nothing may come from a pod. It waits [`ALONE`] for its terminal, and the terminal
/// as long for it: when the pod is deleted, what has not arrived is lost. It is not waited for so
/// long if it never listened, if the user wishes to end or the API does not let us in, or if its
/// node is gone by the word of the API.
fn patience(heard: usize, is_to_end: bool, state: Option<&PodState>) -> Duration {
    // The pod has no readiness probe: while it runs, the cluster calls it unready only if it takes
    // its node for gone.
    let has_no_node = state.is_some_and(|state| runs(state) && !state.is_ready);
    match heard {
        0 => LISTENING,
        _ if is_to_end || has_no_node => AWAY,
        _ => ALONE,
    }
}

/// What the pod saw of each launch to which users came.
fn all_seen(folder: &RunFolder) -> Result<Vec<Seen>, String> {
    let mut all = Vec::new();
    for launch in folder.launches().into_iter().flatten() {
        let seen = Seen::take_from(launch.path());
        let unread = |error| {
            format!(
                "what it saw of {} is not read: {error}",
                launch.path().display()
            )
        };
        all.extend(seen.map_err(unread)?);
    }
    Ok(all)
}

/// The orders, and the run folder as it is so far, by the names that they have there.
fn given(orders: PathBuf, folder: &RunFolder) -> Vec<(String, PathBuf)> {
    let mut given = vec![(ORDERS.to_owned(), orders)];
    let mut add = |below: &Path| {
        let entries = std::fs::read_dir(folder.path().join(below));
        for entry in entries.into_iter().flatten().flatten() {
            let is_file = entry.file_type().is_ok_and(|kind| kind.is_file());
            if is_file {
                let name = Path::new(FOLDER).join(below).join(entry.file_name());
                given.push((name.to_string_lossy().into_owned(), entry.path()));
            }
        }
    };
    // What variants were built in is not needed there.
    add(Path::new(""));
    add(Path::new("variants"));
    given
}

/// What the terminal alone has.
fn not_by_a_pod(experiment: &Experiment) -> Option<NotThere> {
    let without = |what, instead| Some(NotThere::NotYet { what, instead });
    if !experiment.companions.is_empty() || !experiment.running_companions.is_empty() {
        return without(
            "what a subject needs beside it, by a pod",
            "companions run on this machine, to which no pod elsewhere leads: run them in the cluster and name their Service in the environment, or run Tacho as root on the node",
        );
    }
    let is_replay = |kind: &PhaseKind| {
        let PhaseKind::Scheduled { schedule, .. } = kind else {
            return false;
        };
        matches!(schedule, ScheduleSpec::Replay { .. })
    };
    if experiment.phases.iter().any(|phase| is_replay(&phase.kind)) {
        return without(
            "a recorded schedule, by a pod",
            "take `replay` out, or run Tacho as root on the node",
        );
    }
    None
}

fn gone(pod: &str, why: String) -> NotThere {
    NotThere::RunPod {
        pod: pod.to_owned(),
        why,
    }
}

fn unwritten(path: PathBuf, source: io::Error) -> NotThere {
    NotThere::Write { path, source }
}

/// Pod Security says which of its rules; what is to be done is another thing.
fn not_admitted(error: ClusterError) -> NotThere {
    match error {
        ClusterError::NotAdmitted { message, .. } => NotThere::RunPodNotAdmitted { message },
        error => error.into(),
    }
}

fn without_account(error: ClusterError) -> NotThere {
    match error {
        ClusterError::Forbidden { doing, .. } => NotThere::NoAccount {
            doing: doing.to_string(),
        },
        error => error.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::our_pods::tests::state;
    use tacho_cluster_api::Container;

    #[test]
    fn a_pod_is_waited_for_as_long_as_it_waits_itself_unless_its_node_is_gone() {
        let running = state(Container::Running { started_at: None });
        let ready = PodState {
            is_ready: true,
            ..running.clone()
        };
        assert_eq!(patience(3, false, Some(&ready)), ALONE);
        // The API does not say.
        assert_eq!(patience(3, false, None), ALONE);
        // The cluster takes its node for gone, or the user wants no more of it.
        assert_eq!(patience(3, false, Some(&running)), AWAY);
        assert_eq!(patience(3, true, Some(&ready)), AWAY);
        assert_eq!(patience(0, false, Some(&ready)), LISTENING);
    }

    #[test]
    fn the_run_folder_travels_without_what_variants_were_built_in() {
        let root = tempfile::tempdir().unwrap();
        let folder = RunFolder::create(root.path()).unwrap();
        for name in [
            "run.json",
            "plan.json",
            "variants/jar.json",
            "build/jar/a.jar",
        ] {
            let path = root.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, "{}").unwrap();
        }
        let mut names: Vec<String> = given("/orders".into(), &folder)
            .into_iter()
            .map(|(name, _)| name)
            .collect();
        names.sort();
        assert_eq!(
            names,
            [
                "orders.json",
                "run/plan.json",
                "run/run.json",
                "run/variants/jar.json"
            ]
        );
    }
}
