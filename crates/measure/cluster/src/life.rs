//! What the API tells of a pod, as instants of the launch.

use crate::eye::Exec;
use crate::service::Reached;
use tacho_clock::ms_between;
use tacho_cluster_api::{Container, Made, News, PodState};
use tacho_run_folder::PodLife;

/// The instants that were told, in nanoseconds of the monotonic clock, and the latest state.
#[derive(Debug, Default)]
pub struct Told {
    /// It was given to a node.
    pub scheduled_ns: Option<u64>,
    sandbox_ns: Option<u64>,
    running_ns: Option<u64>,
    ready_ns: Option<u64>,
    missed_ns: u64,
    /// Its sandbox was seen from the node.
    pub sandbox_seen_ns: Option<u64>,
    /// Its container was seen from the node.
    pub container_seen_ns: Option<u64>,
    /// The latest state.
    pub state: Option<PodState>,
    /// It is no longer there.
    pub is_gone: bool,
}

impl Told {
    /// Takes what came. What ends the watch is given back.
    pub fn take(&mut self, news: News) -> Option<tacho_cluster_api::ClusterError> {
        match news {
            News::State {
                at_ns,
                missed_since_ns,
                state,
            } => self.state(at_ns, missed_since_ns, *state),
            News::Gone => self.is_gone = true,
            News::Lost(error) => return Some(error),
        }
        None
    }

    fn state(&mut self, at_ns: u64, missed_since_ns: Option<u64>, state: PodState) {
        // The first one is asked for; before it there was nothing to miss.
        if let (Some(since), Some(_)) = (missed_since_ns, &self.state) {
            self.missed_ns = self.missed_ns.max(at_ns.saturating_sub(since));
        }
        let first = |instant: &mut Option<u64>, holds: bool| {
            if holds {
                instant.get_or_insert(at_ns);
            }
        };
        first(&mut self.scheduled_ns, state.node.is_some());
        first(&mut self.sandbox_ns, state.has_sandbox);
        let runs = matches!(state.container, Container::Running { .. });
        first(&mut self.running_ns, runs);
        first(&mut self.ready_ns, state.is_ready);
        self.state = Some(state);
    }

    /// On a busy machine the news that a pod has a node may be heard later than its sandbox is seen
    /// there. Then that is the earlier sign.
    fn known_scheduled_ns(&self) -> Option<u64> {
        let signs = [self.scheduled_ns, self.sandbox_seen_ns];
        signs.into_iter().flatten().min()
    }

    /// As the record has it.
    pub fn life(
        &self,
        name: &str,
        made: &Made,
        exec: &Exec,
        reached: Option<Reached>,
        is_unseen: bool,
    ) -> PodLife {
        let exec_ns = exec.anchor.monotonic_ns;
        let since_exec = |ns: u64| match ns < exec_ns {
            true => -ms_between(ns, exec_ns),
            false => ms_between(exec_ns, ns),
        };
        let state = self.state.as_ref();
        PodLife {
            name: name.to_owned(),
            node: state.and_then(|state| state.node.clone()),
            image: state.and_then(|state| state.image_id.clone()),
            created_ms: since_exec(made.answered_ns),
            scheduled_ms: self.known_scheduled_ns().map(since_exec),
            sandbox_ms: self.sandbox_ns.map(since_exec),
            sandbox_seen_ms: self.sandbox_seen_ns.map(since_exec),
            container_seen_ms: self.container_seen_ns.map(since_exec),
            exec_within_ms: ms_between(exec.not_yet_ns, exec_ns),
            running_told_ms: self.running_ns.map(since_exec),
            ready_told_ms: self.ready_ns.map(since_exec),
            endpoint_told_ms: reached.and_then(|it| it.endpoint_ns).map(since_exec),
            reached_ms: reached.map(|it| since_exec(it.answered_ns)),
            reached_within_ms: reached.map(|it| ms_between(it.not_yet_ns, it.answered_ns)),
            missed_ms: (self.missed_ns > 0).then_some(self.missed_ns as f64 / 1e6),
            is_unseen,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tacho_clock::Anchor;

    const MS: u64 = 1_000_000;

    fn state() -> PodState {
        PodState {
            uid: "u".into(),
            node: None,
            address: None,
            unschedulable: None,
            gates: Vec::new(),
            is_acknowledged: false,
            has_sandbox: false,
            container: Container::Unknown,
            ids: std::collections::BTreeMap::new(),
            image_id: None,
            is_ready: false,
            is_deleted: false,
            failed: None,
            disrupted: None,
        }
    }

    fn news(at_ms: u64, missed_since_ms: Option<u64>, state: PodState) -> News {
        News::State {
            at_ns: at_ms * MS,
            missed_since_ns: missed_since_ms.map(|ms| ms * MS),
            state: Box::new(state),
        }
    }

    #[test]
    fn instants_count_from_exec_and_the_first_of_each_kind_counts() {
        let scheduled = PodState {
            node: Some("one".into()),
            ..state()
        };
        let sandbox = PodState {
            has_sandbox: true,
            ..scheduled.clone()
        };
        let running = PodState {
            container: Container::Running { started_at: None },
            image_id: Some("sha256:1".into()),
            ..sandbox.clone()
        };
        let mut told = Told {
            sandbox_seen_ns: Some(350 * MS),
            container_seen_ns: Some(480 * MS),
            ..Told::default()
        };
        for one in [
            news(100, Some(90), state()),
            news(110, None, scheduled.clone()),
            news(120, None, scheduled),
            news(400, None, sandbox),
            news(700, Some(450), running.clone()),
            news(900, None, running),
        ] {
            assert!(told.take(one).is_none());
        }
        let made = Made {
            uid: "u".into(),
            is_alone: true,
            answered_ns: 90 * MS,
        };
        let exec = Exec {
            anchor: Anchor {
                monotonic_ns: 500 * MS,
                realtime_ns: 0,
            },
            not_yet_ns: 499 * MS,
        };
        let life = told.life("p", &made, &exec, None, true);
        assert!(life.is_unseen);
        assert_eq!((life.endpoint_told_ms, life.reached_ms), (None, None));
        let reached = Reached {
            endpoint_ns: Some(1_600 * MS),
            answered_ns: 1_650 * MS,
            not_yet_ns: 1_644 * MS,
        };
        let behind = told.life("p", &made, &exec, Some(reached), false);
        assert!(!behind.is_unseen);
        assert_eq!(behind.endpoint_told_ms, Some(1_100.0));
        assert_eq!(behind.reached_ms, Some(1_150.0));
        assert_eq!(behind.reached_within_ms, Some(6.0));
        assert_eq!(life.created_ms, -410.0);
        assert_eq!(life.scheduled_ms, Some(-390.0));
        assert_eq!(life.sandbox_ms, Some(-100.0));
        assert_eq!(life.sandbox_seen_ms, Some(-150.0));
        assert_eq!(life.container_seen_ms, Some(-20.0));
        assert_eq!(life.running_told_ms, Some(200.0));
        assert_eq!(life.exec_within_ms, 1.0);
        assert_eq!(life.missed_ms, Some(250.0));
        assert_eq!(life.image.as_deref(), Some("sha256:1"));
        assert_eq!(life.ready_told_ms, None);
        told.scheduled_ns = Some(540 * MS);
        let heard_late = told.life("p", &made, &exec, None, false);
        assert_eq!(heard_late.scheduled_ms, heard_late.sandbox_seen_ms);
    }

    #[test]
    fn a_pod_that_is_gone_is_so() {
        let mut told = Told::default();
        assert!(told.take(News::Gone).is_none());
        assert!(told.is_gone);
    }
}
