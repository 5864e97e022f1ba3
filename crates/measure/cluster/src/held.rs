//! What the pods of a Deployment hold and spend, seen from their node. They come and go with each
//! change: so they are looked for as long as users come, and each has a sampler of its own.
//!
//! Of a launch is told what *one* pod held, the one that held most of all: a limit is chosen by it.
//! Processor time is that of all together, with those that have gone.

use crate::eye::Eye;
use crate::our_pods::runs;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{JoinHandle, sleep};
use std::time::Duration;
use tacho_cgroup::{Group, Hierarchy};
use tacho_clock::thread_cpu_s;
use tacho_cluster_api::{Cluster, PodState};
use tacho_observe::{Sampler, SamplerError, SamplerSpec};
use tacho_run_folder::{ResourcePoint, ResourceSummary};
use tacho_runner::{Observation, Observer, RunError};

/// Between two readings of processor time: what a pod spent after the last one before its end is
/// not known.
const PAUSE: Duration = Duration::from_millis(250);
/// Between two questions to the API which pods there are, in pauses.
const PAUSES: u32 = 4;
/// The most containers that are sampled at once. Samplers look ten times a second: more of them
/// would cost what is measured.
const MOST_AT_ONCE: usize = 32;

/// Which pods, and how they are found.
pub struct Whose {
    pub cluster: Arc<Cluster>,
    pub eye: Eye,
    /// Labels of the pods.
    pub selector: String,
    /// What instants count from, by `CLOCK_MONOTONIC`.
    pub from_ns: u64,
}

/// Looks at the pods of a Deployment until it is stopped.
pub struct Held {
    pods: Arc<Mutex<Pods>>,
    is_over: Arc<AtomicBool>,
    /// Gives the processor time that looking took.
    thread: Option<JoinHandle<f64>>,
}

/// All containers that were found. Of one that is gone only its part of the sums is kept.
#[derive(Default)]
struct Pods {
    /// Those that exist, by the id of the service's container: one that is started anew has a group
    /// of its own.
    there: BTreeMap<String, Pod>,
    /// How many containers of a pod have been sampled, by the pod's uid.
    begun: BTreeMap<String, usize>,
    /// Processor time of those that are gone.
    gone_cpu_s: f64,
    /// The greatest figures of those that are gone.
    gone: ResourceSummary,
    /// The first sampler of those that are gone that could not write its file.
    trouble: Option<SamplerError>,
}

impl Pods {
    /// Whether it is not sampled yet, and there is room for it.
    fn takes(&self, id: &str) -> bool {
        !self.there.contains_key(id) && self.there.len() < MOST_AT_ONCE
    }

    /// How many containers of this pod were sampled before.
    fn before(&self, uid: &str) -> usize {
        self.begun.get(uid).copied().unwrap_or(0)
    }

    fn add(&mut self, id: &str, pod: Pod) {
        *self.begun.entry(pod.uid.clone()).or_default() += 1;
        self.there.insert(id.to_owned(), pod);
    }

    /// Processor time of all, with those that are gone.
    fn spent(&mut self) -> f64 {
        let there: f64 = self.there.values_mut().map(Pod::spent).sum();
        self.gone_cpu_s + there
    }

    /// Takes out those that no longer exist; their processor time stays in the sum. The caller
    /// stops their samplers.
    fn leave(&mut self, is_there: impl Fn(&str, &Pod) -> bool) -> Vec<Pod> {
        let all = self.there.iter();
        let ids: Vec<String> = all
            .filter(|(id, pod)| !is_there(id, pod))
            .map(|(id, _)| id.clone())
            .collect();
        let mut gone = Vec::new();
        for id in ids {
            if let Some(mut pod) = self.there.remove(&id) {
                self.gone_cpu_s += pod.spent();
                gone.push(pod);
            }
        }
        gone
    }

    /// What the sampler of one that is gone has summed up.
    fn keep(&mut self, summed: Result<ResourceSummary, SamplerError>) {
        match summed {
            Ok(summary) => self.gone = greater(std::mem::take(&mut self.gone), &summary),
            Err(error) => {
                self.trouble.get_or_insert(error);
            }
        }
    }
}

/// The service's container of one of the pods.
struct Pod {
    /// Identifies the pod.
    uid: String,
    sampler: Sampler,
    group: Option<Arc<Group>>,
    /// Processor time, when it was read last.
    cpu_s: f64,
}

impl Pod {
    fn spent(&mut self) -> f64 {
        let read = self.group.as_ref().and_then(|group| group.cpu().ok());
        // A group that has gone says nothing any more.
        self.cpu_s = read.map_or(self.cpu_s, |cpu| cpu.usage_s.max(self.cpu_s));
        self.cpu_s
    }
}

impl Held {
    /// Begins to look for pods; there may be none so far.
    pub fn watch(whose: Whose, what: &Observation) -> Result<Self, RunError> {
        let pods = Arc::new(Mutex::new(Pods::default()));
        let is_over = Arc::new(AtomicBool::new(false));
        let (found, over, what) = (Arc::clone(&pods), Arc::clone(&is_over), what.clone());
        let look = move || {
            let began = thread_cpu_s();
            let mut pause = 0;
            while !over.load(Ordering::Relaxed) {
                if pause % PAUSES == 0 {
                    whose.look(&found, &what);
                }
                lock(&found).spent();
                pause = pause.wrapping_add(1);
                sleep(PAUSE);
            }
            thread_cpu_s() - began
        };
        let builder = std::thread::Builder::new().name("pods".to_owned());
        let thread = builder.spawn(look).map_err(SamplerError::NoThread)?;
        Ok(Self {
            pods,
            is_over,
            thread: Some(thread),
        })
    }

    /// The processor time that looking took.
    fn end(&mut self) -> f64 {
        self.is_over.store(true, Ordering::Relaxed);
        let thread = self.thread.take();
        thread.and_then(|thread| thread.join().ok()).unwrap_or(0.0)
    }

    fn now(&self, read: impl Fn(&Sampler) -> Option<ResourcePoint>) -> Option<ResourcePoint> {
        let mut pods = lock(&self.pods);
        let cpu_s = pods.spent();
        let points = pods.there.values().filter_map(|pod| read(&pod.sampler));
        greatest(points, cpu_s)
    }
}

impl Whose {
    /// Begins to sample those that have come, after those that have gone made room. What the API
    /// does not say now, it says the next time.
    fn look(&self, pods: &Mutex<Pods>, what: &Observation) {
        let Ok(states) = self.cluster.pods_of(&self.selector) else {
            return;
        };
        self.let_go(pods, &states);
        for (name, state) in &states {
            let Some(id) = running(state) else {
                continue;
            };
            let mut pods = lock(pods);
            if !pods.takes(id) {
                continue;
            }
            let Some(pid) = self.eye.look(&state.uid, id) else {
                continue;
            };
            let before = pods.before(&state.uid);
            let group = Hierarchy::of_process(pid).map(Arc::new);
            let sampler = Sampler::start(SamplerSpec {
                pid,
                group: group.clone(),
                exec_ns: self.from_ns,
                path: file(&what.samples, name, before),
                memory_path: None,
                jvm_path: None,
                gc_log: None,
                requests: Arc::clone(&what.requests),
            });
            // A pod that cannot be sampled is missing among the others, and no reason to end.
            if let Ok(sampler) = sampler {
                let pod = Pod {
                    uid: state.uid.clone(),
                    sampler,
                    group,
                    cpu_s: 0.0,
                };
                pods.add(id, pod);
            }
        }
    }

    /// Ends the samplers of containers that neither the API nor their node knows any more. A pod
    /// that was deleted without a grace period runs for some time after the API has dropped it, and
    /// the API tells of a container for some time after it has ended.
    fn let_go(&self, pods: &Mutex<Pods>, states: &[(String, PodState)]) {
        let told: BTreeSet<&str> = states
            .iter()
            .filter_map(|(_, state)| running(state))
            .collect();
        let is_there =
            |id: &str, pod: &Pod| told.contains(id) || self.eye.look(&pod.uid, id).is_some();
        let gone = lock(pods).leave(is_there);
        for pod in gone {
            // It takes a last sample: others need not wait for that.
            let summed = pod.sampler.stop();
            lock(pods).keep(summed);
        }
    }
}

impl Observer for Held {
    fn point(&self) -> Option<ResourcePoint> {
        self.now(Sampler::point)
    }

    fn glance(&self) -> Option<ResourcePoint> {
        self.now(Sampler::glance)
    }

    fn stop(mut self: Box<Self>) -> Result<ResourceSummary, RunError> {
        let looking_s = self.end();
        let pods = std::mem::take(&mut *lock(&self.pods));
        if let Some(trouble) = pods.trouble {
            return Err(trouble.into());
        }
        let mut most = pods.gone;
        most.observer_cpu_s += looking_s;
        for pod in pods.there.into_values() {
            most = greater(most, &pod.sampler.stop()?);
        }
        Ok(most)
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        self.end();
    }
}

/// Of one pod, the one that holds most; processor time is of all.
fn greatest(points: impl Iterator<Item = ResourcePoint>, cpu_s: f64) -> Option<ResourcePoint> {
    let most = points.max_by_key(|point| point.rss_bytes)?;
    Some(ResourcePoint { cpu_s, ..most })
}

/// The greater of each figure; what observing took is added up.
fn greater(one: ResourceSummary, other: &ResourceSummary) -> ResourceSummary {
    ResourceSummary {
        peak_rss_bytes: one.peak_rss_bytes.max(other.peak_rss_bytes),
        peak_pss_bytes: one.peak_pss_bytes.max(other.peak_pss_bytes),
        peak_cgroup_bytes: one.peak_cgroup_bytes.max(other.peak_cgroup_bytes),
        peak_working_set_bytes: one.peak_working_set_bytes.max(other.peak_working_set_bytes),
        peak_threads: one.peak_threads.max(other.peak_threads),
        observer_cpu_s: one.observer_cpu_s + other.observer_cpu_s,
        observer_cpu_at_rest_s: one.observer_cpu_at_rest_s + other.observer_cpu_at_rest_s,
        ..one
    }
}

/// The id of the service's container, where it runs: which of a pod's processes is the service is
/// known once the API tells that.
fn running(state: &PodState) -> Option<&str> {
    state.subject_id().filter(|_| runs(state))
}

/// `samples-NAME.csv` beside the samples of a launch of one process; `samples-NAME-2.csv` of a
/// container that was started anew, after one `before`.
fn file(samples: &Path, pod: &str, before: usize) -> PathBuf {
    // What the API says is text of somebody else's, and becomes a name of a file.
    let is_plain = |c: &char| c.is_ascii_alphanumeric() || *c == '-';
    let plain: String = pod.chars().filter(is_plain).take(100).collect();
    let number = match before {
        0 => String::new(),
        before => format!("-{}", before + 1),
    };
    samples.with_file_name(format!("samples-{plain}{number}.csv"))
}

/// A panic of another thread in between cannot leave these values half changed.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::our_pods::tests::state;
    use tacho_cluster_api::Container;

    fn holds(rss_bytes: u64, cpu_s: f64) -> ResourcePoint {
        ResourcePoint {
            rss_bytes,
            cpu_s,
            ..ResourcePoint::default()
        }
    }

    #[test]
    fn memory_is_that_of_the_pod_that_holds_most_and_processor_time_that_of_all() {
        let points = [holds(10, 1.0), holds(30, 2.0), holds(20, 3.0)];
        let seen = greatest(points.into_iter(), 7.5).unwrap();
        assert_eq!((seen.rss_bytes, seen.cpu_s), (30, 7.5));
        assert_eq!(greatest(std::iter::empty(), 7.5), None);
    }

    #[test]
    fn peaks_are_the_greatest_of_all_pods_and_observing_is_added_up() {
        let of = |rss, cgroup, cost| ResourceSummary {
            peak_rss_bytes: Some(rss),
            peak_cgroup_bytes: cgroup,
            observer_cpu_s: cost,
            ..ResourceSummary::default()
        };
        let all = greater(of(5, None, 0.1), &of(3, Some(9), 0.2));
        assert_eq!(all.peak_rss_bytes, Some(5));
        assert_eq!(all.peak_cgroup_bytes, Some(9));
        assert!((all.observer_cpu_s - 0.3).abs() < 1e-12);
    }

    /// Each of them samples this process.
    fn sampled(folder: &Path, number: usize) -> Pod {
        let sampler = Sampler::start(SamplerSpec {
            pid: std::process::id(),
            group: None,
            exec_ns: 0,
            path: folder.join(format!("samples-{number}.csv")),
            memory_path: None,
            jvm_path: None,
            gc_log: None,
            requests: Arc::default(),
        });
        Pod {
            uid: "u".to_owned(),
            sampler: sampler.unwrap(),
            group: None,
            cpu_s: 0.5,
        }
    }

    #[test]
    fn room_is_for_those_that_exist_and_those_that_are_gone_stay_in_the_sums() {
        let folder = tempfile::tempdir().unwrap();
        let mut pods = Pods::default();
        for number in 0..MOST_AT_ONCE {
            assert!(pods.takes(&format!("c{number}")));
            pods.add(&format!("c{number}"), sampled(folder.path(), number));
        }
        assert!(!pods.takes("another"));
        assert_eq!(pods.before("u"), MOST_AT_ONCE);

        let gone = pods.leave(|id, _| id == "c0");
        assert_eq!(gone.len(), MOST_AT_ONCE - 1);
        for pod in gone {
            pods.keep(pod.sampler.stop());
        }
        assert!(!pods.takes("c0"), "it is sampled already");
        assert!(pods.takes("another"));
        // The file of the next one has another name all the same.
        assert_eq!(pods.before("u"), MOST_AT_ONCE);
        assert!((pods.spent() - 16.0).abs() < 1e-9, "{}", pods.spent());
        assert!(pods.gone.peak_rss_bytes.is_some());
        assert!(pods.trouble.is_none());
    }

    #[test]
    fn a_container_that_was_started_anew_is_another_one() {
        let of = |container, id: &str| PodState {
            ids: [("subject".to_owned(), id.to_owned())].into(),
            ..state(container)
        };
        let runs = || Container::Running { started_at: None };
        let ended = Container::Terminated {
            reason: "Error".to_owned(),
            code: 137,
        };
        let first = of(runs(), "containerd://a");
        let again = of(runs(), "containerd://b");
        assert_eq!(running(&first), Some("containerd://a"));
        assert_eq!(running(&of(ended, "containerd://a")), None);
        assert_eq!(running(&again), Some("containerd://b"));
        let samples = Path::new("/runs/x/samples.csv");
        assert_eq!(
            file(samples, "go-abc", 1),
            Path::new("/runs/x/samples-go-abc-2.csv")
        );
    }

    #[test]
    fn a_name_of_a_pod_leads_nowhere_else() {
        let samples = Path::new("/runs/x/launches/001/samples.csv");
        assert_eq!(
            file(samples, "go-5d4f-abc", 0),
            Path::new("/runs/x/launches/001/samples-go-5d4f-abc.csv")
        );
        assert_eq!(
            file(samples, "../../../etc/x", 0),
            Path::new("/runs/x/launches/001/samples-etcx.csv")
        );
    }
}
