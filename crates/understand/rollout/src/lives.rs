//! The lives of pods, from what the API tells of pods and of the endpoints of a Service.

use crate::Request;
use crate::still_led::{StillLed, still_led};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::net::IpAddr;
use tacho_clock::to_seconds;

/// One message from the API about a pod or a Service's endpoints.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Told {
    /// When it came.
    pub at_ns: u64,
    /// What it says.
    pub what: What,
}

/// What the API tells.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum What {
    /// A pod is there, in this state.
    Pod(String, PodNews),
    /// A pod is no longer there.
    PodGone(String),
    /// Pods to which a slice of the Service's endpoints sends traffic.
    Endpoints(String, BTreeSet<String>),
    /// A slice is no longer there.
    EndpointsGone(String),
}

/// The state of a pod.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct PodNews {
    /// Tells this pod from others of the same name.
    pub uid: String,
    /// Where it is, once it is somewhere.
    pub node: Option<String>,
    /// Its address, once it has one.
    pub ip: Option<IpAddr>,
    /// A node has it.
    pub is_scheduled: bool,
    /// All of its containers run.
    pub is_running: bool,
    /// It is ready for traffic.
    pub is_ready: bool,
    /// It was told to end.
    pub is_ending: bool,
    /// How often its containers were started anew.
    pub restarts: u32,
}

/// What happens in the life of a pod, in its usual order.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum Phase {
    /// The API knows the pod.
    Made,
    /// A node has it.
    Scheduled,
    /// Its containers run.
    Running,
    /// It is ready.
    Ready,
    /// The Service's endpoints include the pod.
    TakesTraffic,
    /// It was told to end.
    Ending,
    /// The Service's endpoints no longer include the pod.
    TakesNoMore,
    /// It is no longer there.
    Gone,
}

/// One pod's life.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Life {
    /// Its name.
    pub pod: String,
    /// When each phase was first told, as far as it was.
    pub phases: BTreeMap<Phase, u64>,
    /// When a container was started anew.
    pub restarted_ns: Vec<u64>,
    /// When the Service's endpoints included it again, after they had not.
    pub back_ns: Vec<u64>,
    /// Tells this pod from others of the same name.
    pub uid: String,
    /// Where it was.
    pub node: Option<String>,
    /// Its address. Another pod may have it later.
    pub ip: Option<IpAddr>,
}

impl Life {
    /// When this was told.
    #[must_use]
    pub fn at(&self, phase: Phase) -> Option<u64> {
        self.phases.get(&phase).copied()
    }

    /// Whether we saw it begin. A pod that was there when watching began may have run for long.
    #[must_use]
    pub fn is_new(&self) -> bool {
        self.at(Phase::Running) > self.at(Phase::Made)
    }
}

/// Follows what is told, in its order.
#[derive(Debug, Default)]
struct Lives {
    lives: BTreeMap<String, Life>,
    restarts: BTreeMap<String, u32>,
    slices: BTreeMap<String, BTreeSet<String>>,
    takes: BTreeSet<String>,
}

/// The life of each pod, in the order in which they were made.
#[must_use]
pub fn lives(told: &[Told]) -> Vec<Life> {
    let mut all = Lives::default();
    for told in told {
        all.take(told);
    }
    let mut lives: Vec<Life> = all.lives.into_values().collect();
    lives.sort_by_key(|life| (life.at(Phase::Made), life.pod.clone()));
    lives
}

impl Lives {
    fn take(&mut self, told: &Told) {
        let at_ns = told.at_ns;
        match &told.what {
            What::Pod(pod, news) => self.pod(pod, news, at_ns),
            What::PodGone(pod) => self.reach(pod, Phase::Gone, at_ns),
            What::Endpoints(slice, pods) => {
                self.slices.insert(slice.clone(), pods.clone());
                self.endpoints(at_ns);
            }
            What::EndpointsGone(slice) => {
                self.slices.remove(slice);
                self.endpoints(at_ns);
            }
        }
    }

    fn pod(&mut self, pod: &str, news: &PodNews, at_ns: u64) {
        self.reach(pod, Phase::Made, at_ns);
        let life = self.life(pod);
        life.uid.clone_from(&news.uid);
        life.node = news.node.clone().or(life.node.take());
        life.ip = news.ip.or(life.ip);
        let reached = [
            (news.is_scheduled, Phase::Scheduled),
            (news.is_running, Phase::Running),
            (news.is_ready, Phase::Ready),
            (news.is_ending, Phase::Ending),
        ];
        for (is_so, phase) in reached {
            if is_so {
                self.reach(pod, phase, at_ns);
            }
        }
        let before = self.restarts.insert(pod.to_owned(), news.restarts);
        if before.is_some_and(|before| before < news.restarts) {
            self.life(pod).restarted_ns.push(at_ns);
        }
    }

    /// Slices overlap while one takes over from another: a pod is out when none names it.
    fn endpoints(&mut self, at_ns: u64) {
        let takes: BTreeSet<String> = self.slices.values().flatten().cloned().collect();
        let before = std::mem::replace(&mut self.takes, takes.clone());
        for pod in takes.difference(&before) {
            self.reach(pod, Phase::TakesTraffic, at_ns);
        }
        for pod in before.difference(&takes) {
            self.reach(pod, Phase::TakesNoMore, at_ns);
        }
    }

    fn life(&mut self, pod: &str) -> &mut Life {
        self.lives.entry(pod.to_owned()).or_insert_with(|| Life {
            pod: pod.to_owned(),
            ..Life::default()
        })
    }

    /// Records when a phase was first reached. Of `TakesNoMore` the last time counts, and it is
    /// taken back when the pod takes traffic again: a pod may be unready for a while and come back.
    fn reach(&mut self, pod: &str, phase: Phase, at_ns: u64) {
        let Life {
            phases, back_ns, ..
        } = self.life(pod);
        match phase {
            Phase::TakesNoMore => {
                phases.insert(phase, at_ns);
            }
            Phase::TakesTraffic => {
                if phases.remove(&Phase::TakesNoMore).is_some() {
                    back_ns.push(at_ns);
                }
                phases.entry(phase).or_insert(at_ns);
            }
            _ => {
                phases.entry(phase).or_insert(at_ns);
            }
        }
    }
}

/// The pod that had this address at this instant. Of several that had it until then, the one that
/// was made last.
#[must_use]
pub fn pod_at(lives: &[Life], ip: IpAddr, at_ns: u64) -> Option<&Life> {
    let had = |life: &&Life| {
        life.ip == Some(ip) && life.at(Phase::Made).is_some_and(|made| made <= at_ns)
    };
    lives
        .iter()
        .filter(had)
        .max_by_key(|life| life.at(Phase::Made))
}

/// How late the Service's endpoints followed the state of pods: the longest time seen, in seconds.
/// The first two times are as the API reports them, so the delay of a node's proxy comes on top;
/// `still_led` includes it.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
pub struct Lags {
    /// From the pod being ready until the endpoints included it; absent where that was not seen.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub to_take_traffic_s: Option<f64>,
    /// From the pod being told to end until the endpoints no longer included it; absent where that
    /// was not seen.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub to_take_no_more_s: Option<f64>,
    /// How long new connections still led to pods that had been told to end; absent where that was
    /// not seen.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub still_led: Option<StillLed>,
}

/// Of lives that began, or ended, after an instant, and of the requests that came meanwhile, as far
/// as they are known.
#[must_use]
pub fn lags(lives: &[Life], requests: &[Request], since_ns: u64) -> Lags {
    let longest = |from: Phase, to: Phase| {
        let lag = |life: &Life| {
            let (from, to) = (life.at(from)?, life.at(to)?);
            (from >= since_ns).then(|| to_seconds(to.saturating_sub(from)))
        };
        lives.iter().filter_map(lag).reduce(f64::max)
    };
    Lags {
        to_take_traffic_s: longest(Phase::Ready, Phase::TakesTraffic),
        to_take_no_more_s: longest(Phase::Ending, Phase::TakesNoMore),
        still_led: still_led(requests, lives, since_ns),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const S: u64 = 1_000_000_000;

    fn pod(at_s: u64, name: &str, news: PodNews) -> Told {
        Told {
            at_ns: at_s * S,
            what: What::Pod(name.to_owned(), news),
        }
    }

    fn endpoints(at_s: u64, slice: &str, pods: &[&str]) -> Told {
        let pods = pods.iter().map(|pod| (*pod).to_owned()).collect();
        Told {
            at_ns: at_s * S,
            what: What::Endpoints(slice.to_owned(), pods),
        }
    }

    fn ready() -> PodNews {
        PodNews {
            is_scheduled: true,
            is_running: true,
            is_ready: true,
            ..PodNews::default()
        }
    }

    #[test]
    fn one_pod_takes_over_from_another() {
        let ending = PodNews {
            is_ending: true,
            ..ready()
        };
        let gone = Told {
            at_ns: 15 * S,
            what: What::PodGone("old".to_owned()),
        };
        let told = [
            pod(0, "old", ready()),
            endpoints(0, "a", &["old"]),
            pod(1, "new", PodNews::default()),
            pod(4, "new", ready()),
            endpoints(5, "a", &["old", "new"]),
            pod(6, "old", ending),
            endpoints(8, "a", &["new"]),
            gone,
        ];
        let lives = lives(&told);
        let names: Vec<&str> = lives.iter().map(|life| life.pod.as_str()).collect();
        assert_eq!(names, ["old", "new"]);
        let at = |life: &Life, phase| life.at(phase).map(|at| at / S);
        assert_eq!(at(&lives[1], Phase::Made), Some(1));
        assert_eq!(at(&lives[1], Phase::Ready), Some(4));
        assert_eq!(at(&lives[1], Phase::TakesTraffic), Some(5));
        assert_eq!(at(&lives[0], Phase::Ending), Some(6));
        assert_eq!(at(&lives[0], Phase::TakesNoMore), Some(8));
        assert_eq!(at(&lives[0], Phase::Gone), Some(15));
        let lags = lags(&lives, &[], S);
        assert_eq!(lags.to_take_traffic_s, Some(1.0));
        assert_eq!(lags.to_take_no_more_s, Some(2.0));
    }

    #[test]
    fn a_pod_that_comes_back_has_not_left() {
        let told = [
            endpoints(1, "a", &["p"]),
            endpoints(2, "a", &[]),
            endpoints(3, "a", &["p"]),
        ];
        let lives = lives(&told);
        assert_eq!(lives[0].at(Phase::TakesTraffic), Some(S));
        assert_eq!(lives[0].at(Phase::TakesNoMore), None);
        assert_eq!(lives[0].back_ns, [3 * S]);
    }

    #[test]
    fn a_pod_that_moves_to_another_slice_has_not_left() {
        let told = [
            endpoints(1, "a", &["p"]),
            endpoints(2, "b", &["p"]),
            endpoints(3, "a", &[]),
        ];
        let lives = lives(&told);
        assert_eq!(lives[0].at(Phase::TakesTraffic), Some(S));
        assert_eq!(lives[0].at(Phase::TakesNoMore), None);
    }

    #[test]
    fn a_container_that_is_started_anew_is_told() {
        let again = PodNews {
            restarts: 1,
            ..ready()
        };
        let told = [
            pod(1, "p", ready()),
            pod(2, "p", again.clone()),
            pod(3, "p", again),
        ];
        assert_eq!(lives(&told)[0].restarted_ns, [2 * S]);
    }

    #[test]
    fn an_address_is_of_the_pod_that_had_it_then() {
        let of = |ip: [u8; 4]| PodNews {
            ip: Some(ip.into()),
            ..ready()
        };
        let told = [
            pod(1, "first", of([10, 0, 0, 7])),
            pod(2, "other", of([10, 0, 0, 8])),
            pod(30, "later", of([10, 0, 0, 7])),
        ];
        let lives = lives(&told);
        let at = |ip: [u8; 4], at_s: u64| {
            let found = pod_at(&lives, ip.into(), at_s * S);
            found.map(|life| life.pod.as_str())
        };
        assert_eq!(at([10, 0, 0, 7], 20), Some("first"));
        assert_eq!(at([10, 0, 0, 7], 31), Some("later"));
        assert_eq!(at([10, 0, 0, 8], 31), Some("other"));
        assert_eq!(at([10, 0, 0, 9], 31), None);
        assert_eq!(at([10, 0, 0, 7], 0), None);
    }

    proptest! {
        #[test]
        fn no_order_of_news_makes_a_life_that_was_not_told(
            names in proptest::collection::vec(0u8..3, 0..40),
            flags in proptest::collection::vec(any::<u8>(), 40),
        ) {
            let told: Vec<Told> = names.iter().zip(&flags).enumerate().map(|(at, (name, flag))| {
                let name = format!("p{name}");
                let what = match flag % 4 {
                    0 => What::Endpoints("a".to_owned(), [name].into()),
                    1 => What::PodGone(name),
                    _ => What::Pod(name, PodNews { is_ready: flag & 8 > 0, is_ending: flag & 16 > 0, ..PodNews::default() }),
                };
                Told { at_ns: at as u64, what }
            }).collect();
            let lives = lives(&told);
            prop_assert!(lives.len() <= 3);
            for life in &lives {
                for (phase, at) in &life.phases {
                    let of_this = told.get(*at as usize).map(|told| match &told.what {
                        What::Pod(pod, news) => (pod == &life.pod) && match phase {
                            Phase::Ready => news.is_ready,
                            Phase::Ending => news.is_ending,
                            _ => *phase == Phase::Made,
                        },
                        What::PodGone(pod) => pod == &life.pod && *phase == Phase::Gone,
                        What::Endpoints(_, pods) => match phase {
                            Phase::TakesTraffic => pods.contains(&life.pod),
                            _ => *phase == Phase::TakesNoMore && !pods.contains(&life.pod),
                        },
                        What::EndpointsGone(_) => false,
                    });
                    prop_assert_eq!(of_this, Some(true));
                }
            }
        }
    }
}
