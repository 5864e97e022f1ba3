//! A HorizontalPodAutoscaler from what pods carried while users were served well.

use crate::health::back_in_service;
use crate::input::Checked;
use crate::words::seconds;
use crate::yaml::Mapping;
use tacho_figures::percent;

/// Default window in which an autoscaler does not remove a pod
/// (<https://kubernetes.io/docs/tasks/run-application/horizontal-pod-autoscale/#stabilization-window>).
pub(crate) const DEFAULT_WINDOW_S: f64 = 300.0;
/// Below this utilization, the run shows a nearly idle pod. It does not show at which load another
/// pod is needed.
const IDLE: f64 = 0.2;
/// Above this utilization, a pod has no room for more load until another pod is warm.
const FULL: f64 = 0.8;
/// An example value: what the cluster can provide is not measured here.
pub(crate) const MOST_PODS: u32 = 10;
/// With two pods, one may end at any time and the other takes its users.
pub(crate) const FEWEST_PODS: u32 = 2;

/// The load of each pod, from the worst of the launches.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Carried {
    /// Requests a second that came to each pod.
    pub rate: f64,
    /// Processors that each pod used.
    pub cpu: f64,
    /// 99th percentile of the response times in the slowest second, in seconds.
    pub p99: f64,
}

/// Why no autoscaler can be written.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
pub enum NoAutoscaler {
    /// Utilization is a share of what is requested.
    #[error(
        "no autoscaler: it scales on the share of requested processor time, and the launches had no CPU limit; give --cpu"
    )]
    NoRequest,
    /// Nothing was sent at a rate.
    #[error(
        "no autoscaler: no phase sent requests at a rate, so the load that a pod can carry is unknown"
    )]
    NoUsers,
    /// The load was too low to say anything.
    #[error(
        "no autoscaler: at {rate:.0} requests a second a pod used {used} of its processor time, too little to tell when another pod is needed; give a higher --rate",
        used = percent(*.utilization)
    )]
    Idle {
        /// Requests a second to each pod.
        rate: f64,
        /// Share of the requested processor time.
        utilization: f64,
    },
}

/// A pod that is not needed is removed after this time. Bringing it back should take at most a
/// tenth of the time for which it was gone.
pub(crate) fn window_s(checked: &Checked) -> f64 {
    let minutes = (back_in_service(checked) * 10.0 / 60.0).ceil();
    (minutes * 60.0).max(DEFAULT_WINDOW_S)
}

/// The document.
pub(crate) fn yaml(checked: &Checked, carried: Option<Carried>) -> Result<String, NoAutoscaler> {
    let service = &checked.input.service;
    let percent_of_request = target(checked, carried)?;
    let target = Mapping::new()
        .with("type", "Utilization")
        .with("averageUtilization", percent_of_request.target)
        .because(percent_of_request.reason);
    let metric = Mapping::new().with("type", "ContainerResource").with(
        "containerResource",
        Mapping::new()
            .with("name", "cpu")
            // Only the service's container counts: one that warms beside it is idle after the
            // warm-up.
            .with("container", service.name.as_str())
            .with("target", target),
    );
    let scaled = Mapping::new()
        .with("apiVersion", "apps/v1")
        .with("kind", "Deployment")
        .with("name", service.name.as_str());
    let spec = Mapping::new()
        .with("scaleTargetRef", scaled)
        .with("minReplicas", service.replicas.unwrap_or(FEWEST_PODS))
        .because("One may end at any time; the other takes its users.")
        .with("maxReplicas", MOST_PODS)
        .because("An example: what the cluster can give was not measured.")
        .with("metrics", vec![metric.into()])
        .because("The average over all pods. A new pod gets only new connections: where clients keep theirs, one pod may be at its limit while the average is below the target.")
        .with_some("behavior", behavior(checked));
    Ok(Mapping::new()
        .with("apiVersion", "autoscaling/v2")
        .because("It owns the number of pods: leave `replicas` out of the Deployment (kubectl apply would set it back).")
        .with("kind", "HorizontalPodAutoscaler")
        .with("metadata", Mapping::new().with("name", service.name.as_str()))
        .with("spec", spec)
        .document())
}

/// For the values of a chart, too.
pub(crate) struct Target {
    pub target: u32,
    pub reason: String,
}

pub(crate) fn target(checked: &Checked, carried: Option<Carried>) -> Result<Target, NoAutoscaler> {
    let millis = checked
        .input
        .amounts
        .cpu_millis
        .filter(|millis| *millis > 0);
    let requested = millis.ok_or(NoAutoscaler::NoRequest)? as f64 / 1e3;
    let carried = carried.ok_or(NoAutoscaler::NoUsers)?;
    let utilization = carried.cpu / requested;
    if utilization < IDLE {
        return Err(NoAutoscaler::Idle {
            rate: carried.rate,
            utilization,
        });
    }
    let measured = format!(
        "At {:.0} requests a second, in the later half of the phase, each pod used {} of what it requests, and the p99 of the slowest second was {}",
        carried.rate,
        percent(utilization),
        seconds(carried.p99),
    );
    let reason = match utilization > FULL {
        true => format!(
            "{measured}. That leaves no room for load that arrives before another pod takes traffic ({}): the target is {} instead.",
            seconds(back_in_service(checked)),
            percent(FULL)
        ),
        false => format!(
            "{measured}. A pod carries at least this load; whether it can carry more was not tried (tacho load --search)."
        ),
    };
    Ok(Target {
        target: (utilization.min(FULL) * 100.0).round() as u32,
        reason,
    })
}

fn behavior(checked: &Checked) -> Option<Mapping> {
    let window = window_s(checked);
    (window > DEFAULT_WINDOW_S).then(|| {
        let down = Mapping::new()
            .with("stabilizationWindowSeconds", window as u32)
            .because(format!(
                "Ten times the {} until a new pod is warm: a pod that was removed too early is missed until another one is warm.",
                seconds(back_in_service(checked))
            ));
        Mapping::new().with("scaleDown", down)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::sample;

    fn carried(cpu: f64) -> Option<Carried> {
        Some(Carried {
            rate: 250.0,
            cpu,
            p99: 0.043,
        })
    }

    fn of(cpu_millis: Option<u64>, carried: Option<Carried>) -> Result<String, NoAutoscaler> {
        let mut input = sample();
        input.amounts.cpu_millis = cpu_millis;
        yaml(&Checked::of(&input).unwrap(), carried)
    }

    #[test]
    fn the_load_that_was_carried_well_is_the_target() {
        insta::assert_snapshot!("autoscaler", of(Some(1000), carried(0.52)).unwrap());
    }

    #[test]
    fn a_pod_that_was_full_leaves_no_room() {
        let text = of(Some(1000), carried(0.97)).unwrap();
        assert!(text.contains("averageUtilization: 80\n"), "{text}");
        assert!(text.contains("leaves no room"), "{text}");
    }

    #[test]
    fn what_is_not_known_is_not_claimed() {
        let idle = of(Some(1000), carried(0.03)).unwrap_err().to_string();
        assert!(idle.contains("a higher --rate"), "{idle}");
        assert_eq!(of(None, carried(0.5)), Err(NoAutoscaler::NoRequest));
        assert_eq!(of(Some(1000), None), Err(NoAutoscaler::NoUsers));
    }

    #[test]
    fn pods_that_are_warm_soon_need_no_longer_window() {
        let mut input = sample();
        input.measured.warm.clear();
        input.warm_up = crate::WarmUp::Nobody;
        let checked = Checked::of(&input).unwrap();
        assert!(behavior(&checked).is_none());
        assert_eq!(window_s(&checked), DEFAULT_WINDOW_S);
    }
}
