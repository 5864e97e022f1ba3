//! Why each number is what it is: the comments of the YAML, and the sentences for people.

use crate::autoscaler::{DEFAULT_WINDOW_S, window_s};
use crate::health::{Probe, RARE, back_in_service};
use crate::input::{Answers, Checked, Input, WarmUp};
use crate::plan::Plan;
use crate::startup::Threshold;
use crate::times::Times;
use crate::words::{one_in, pods, seconds};
use tacho_figures::{bytes, launches, percent};

/// The first lines.
pub(crate) fn head(checked: &Checked) -> String {
    let Input { amounts, .. } = checked.input;
    let amounts = [
        amounts
            .cpu_millis
            .map(|millis| format!("{millis}m of processor time")),
        amounts
            .memory_bytes
            .map(|limit| format!("{} of memory", bytes(limit as f64))),
    ];
    let amounts: Vec<String> = amounts.into_iter().flatten().collect();
    let with = if amounts.is_empty() {
        String::from("without limits")
    } else {
        format!("with {}", amounts.join(" and "))
    };
    let warm = checked
        .warm
        .as_ref()
        .map_or_else(String::new, |warm| format!(", warm after {}", course(warm)));
    format!(
        "From {} {with}: ready after {}{warm}.",
        launches(checked.ready.launches()),
        course(&checked.ready)
    )
}

fn course(times: &Times) -> String {
    format!(
        "{} (median; slowest {})",
        seconds(times.median()),
        seconds(times.slowest())
    )
}

/// The startup probe: the probability first.
pub(crate) fn startup(checked: &Checked, plan: &Plan) -> Vec<String> {
    let Threshold {
        kills_after_s,
        slowest_node,
        as_measured,
        ..
    } = plan.startup.chosen;
    let count = launches(plan.launches);
    let slowdown = checked.input.slowdown;
    let rare = if slowdown > 1.0 {
        format!(
            "{} on a node where a start takes {slowdown} times as long, {} on one like the measured machine",
            one_in(slowest_node.log_normal),
            one_in(as_measured.log_normal)
        )
    } else {
        one_in(as_measured.log_normal)
    };
    let mut reasons = vec![
        format!(
            "A pod that has not started is killed after {} at the earliest: (failureThreshold - 1) x periodSeconds, because the first probe is sent at once. \
             Healthy pods killed: {rare}, if start-up times are log-normal as the {count} suggest. Without that assumption {count}, {} of which took longer, leave up to {} possible (95 %; about 3 / n when none took longer).",
            seconds(kills_after_s),
            slower(checked.started(), kills_after_s / slowdown),
            one_in(slowest_node.at_most),
        ),
        format!(
            "A probe and not initialDelaySeconds: a pod that is up early is not kept waiting for the slowest, and the other probes begin when this one has succeeded. \
             timeoutSeconds: twice the slowest answer of a cold service ({}).",
            seconds(checked.input.measured.responses.cold_max)
        ),
    ];
    if !plan.startup.keeps_target {
        reasons.push(format!(
            "Asked for was {}: {count} are too few to promise it within ten times the slowest start, or 30 s. Measure more launches.",
            one_in(checked.input.target)
        ));
    }
    if plan.startup.has_outlier {
        reasons.push(format!(
            "The slowest launch ({}) does not belong to the others: among log-normal ones it would be rarer than {}. The probability above does not hold until it is known why; \
             twice that time is covered.",
            seconds(checked.started().slowest()),
            percent(crate::startup::OUTLIER)
        ));
    }
    reasons
}

fn slower(times: &Times, than: f64) -> String {
    if times.slowest() <= than {
        "none".to_owned()
    } else {
        "some".to_owned()
    }
}

/// Thresholds beside what they do to healthy pods, aligned; the chosen one is marked.
pub(crate) fn table(checked: &Checked, plan: &Plan) -> String {
    let slowdown = checked.input.slowdown;
    let mut rows = vec![[
        "failureThreshold".to_owned(),
        "kills after".to_owned(),
        if slowdown > 1.0 {
            format!("healthy pods killed, x {slowdown}")
        } else {
            "healthy pods killed".to_owned()
        },
        "as measured".to_owned(),
        "no distribution".to_owned(),
        String::new(),
    ]];
    rows.extend(plan.startup.table.iter().map(|row| {
        [
            row.failures.to_string(),
            seconds(row.kills_after_s),
            one_in(row.slowest_node.log_normal),
            one_in(row.as_measured.log_normal),
            format!("at most {}", one_in(row.slowest_node.at_most)),
            if row.failures == plan.startup.chosen.failures {
                "<- chosen".to_owned()
            } else {
                String::new()
            },
        ]
    }));
    let columns: Vec<usize> = if slowdown > 1.0 {
        (0..6).collect()
    } else {
        vec![0, 1, 2, 4, 5]
    };
    let widths = columns.iter().map(|column| {
        rows.iter()
            .map(|row| row[*column].chars().count())
            .max()
            .unwrap_or(0)
    });
    let widths: Vec<usize> = widths.collect();
    let lines = rows.iter().map(|row| {
        let cells = columns
            .iter()
            .zip(&widths)
            .map(|(column, width)| format!("{:<width$}", row[*column]));
        format!("  {}", cells.collect::<Vec<_>>().join("  "))
            .trim_end()
            .to_owned()
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// The readiness probe of the service.
pub(crate) fn readiness(checked: &Checked, plan: &Plan) -> String {
    let Probe { period_seconds, .. } = plan.readiness;
    let gate = match checked.input.warm_up {
        WarmUp::Itself => "The service says here that it is warm. ",
        WarmUp::PostStart(_) => {
            "No probe begins before the postStart hook has ended, so that the pod is warm by then. "
        }
        WarmUp::Sidecar(_) => "The pod is ready when both of its containers are. ",
        WarmUp::Nobody => "",
    };
    let known = match checked.input.paths.readiness {
        Some(_) => "",
        None => {
            "No readiness path is known, so that a port which takes connections counts as ready: name a path that answers with 2xx when traffic may come. "
        }
    };
    format!(
        "{known}{gate}Asked every {period_seconds} s, about a twentieth of the time until a pod takes traffic ({}); a pod that fails for {} s leaves the Service and is not killed (10 s at least: under a burst all pods are slow, and those that leave are missed). \
         timeoutSeconds: twice the slowest answer of {} in the steady state ({}), so that a pause takes no pod out; 1 s at least.",
        seconds(checked.in_service().median()),
        plan.readiness.patience(),
        whose(checked),
        seconds(checked.input.measured.responses.steady_max),
    )
}

fn whose(checked: &Checked) -> &'static str {
    match checked.input.measured.responses.of {
        Answers::HealthPath => "the probe's path",
        Answers::Requests => "the requests, behind which a probe waits,",
    }
}

/// The liveness probe, or why there is none.
pub(crate) fn liveness(checked: &Checked, plan: &Plan) -> String {
    let Some(probe) = plan.liveness else {
        return "No liveness probe: it needs a path that asks nobody else. On the readiness path, an outage of a database would restart every pod and throw away what is warm.".to_owned();
    };
    format!(
        "Lenient: a restart costs {} until the pod is warm again (all but {} of the launches, on the slowest node), so that silence of {} is waited out (a minute at least). \
         The path asks nobody else. timeoutSeconds: twice the slowest answer that was seen, cold ones too.",
        seconds(back_in_service(checked)),
        percent(RARE),
        seconds(f64::from((probe.failures - 1) * probe.period_seconds)),
    )
}

/// Why pods run with as little as they do.
pub(crate) fn security() -> String {
    "What a namespace that enforces `restricted` wants. An image has to name a user by number who is not root, as those of `tacho image` do; for one that runs as root take runAsNonRoot out."
        .to_owned()
}

/// Why `maxUnavailable` is 0.
pub(crate) fn unavailable() -> String {
    "No old pod leaves before a new one has taken its place: capacity is kept while new pods warm."
        .to_owned()
}

/// Why `maxSurge` is what it is.
pub(crate) fn surge(checked: &Checked, plan: &Plan) -> String {
    let Some((surge, takes)) = plan.rollout.max_surge.zip(plan.rollout.takes_seconds) else {
        return "A quarter of the pods at a time; each needs its processor time and memory beside the old ones.".to_owned();
    };
    let replicas = checked.input.service.replicas.unwrap_or(surge);
    format!(
        "{} of {replicas} at a time, beside the old ones: the cluster needs room for as many more. The whole takes about {} (median start and minReadySeconds, time after time).",
        pods(surge),
        seconds(takes)
    )
}

/// Why `minReadySeconds` is what it is.
pub(crate) fn min_ready(plan: &Plan) -> String {
    if plan.rollout.waits_for_warm {
        return format!(
            "Nobody warms a new pod but its users: it counts only when it has been ready for as long as all but {} of the launches took from ready to warm \
             (under the load of the measurement; less traffic warms later).",
            percent(RARE)
        );
    }
    format!(
        "As long as the readiness probe needs to find out that a pod is not ready after all ({} s).",
        plan.readiness.patience()
    )
}

/// Why `progressDeadlineSeconds` is what it is.
pub(crate) fn deadline(checked: &Checked, plan: &Plan) -> String {
    format!(
        "A rollout that is stuck is reported then. One pod may take: {} to be scheduled and to fetch its image (an allowance, not measured), {} for a start that is killed, \
         {} for a slow one, and minReadySeconds; in whole minutes.",
        seconds(crate::rollout::SCHEDULING),
        seconds(plan.startup.chosen.kills_after_s),
        seconds(back_in_service(checked)),
    )
}

/// Why `resources` are what they are; none when there are no limits.
pub(crate) fn resources(checked: &Checked) -> Option<String> {
    let amounts = checked.input.amounts;
    let mut parts = Vec::new();
    if let Some(limit) = amounts.memory_bytes {
        let peak = checked.input.measured.peak_memory_bytes.map(|peak| {
            let share = peak as f64 / limit as f64;
            let near = if share > 0.9 {
                ": little room for what the load did not show"
            } else {
                ""
            };
            format!(
                " ({} of it used at most, {}{near})",
                bytes(peak as f64),
                percent(share)
            )
        });
        parts.push(format!("memory as measured{}", peak.unwrap_or_default()));
    }
    if amounts.cpu_millis.is_some() {
        parts.push("processor time as measured: with less, every time below is longer, and a request is what the node guarantees when it is full".to_owned());
    }
    (!parts.is_empty()).then(|| format!("Requests and limits alike: {}.", parts.join("; ")))
}

/// `preStop` and the grace period.
pub(crate) fn shutdown(checked: &Checked, plan: &Plan) -> String {
    let measured = &checked.input.measured;
    let longest = match measured.shutdown {
        Some(shutdown) if shutdown >= measured.responses.steady_max => {
            format!("the slowest shutdown ({})", seconds(shutdown))
        }
        _ => format!(
            "the slowest answer ({})",
            seconds(measured.responses.steady_max)
        ),
    };
    format!(
        "preStop ({} s) and twice {longest}; not less than the API's default of 30 s. After that the process is killed.",
        plan.shutdown.pre_stop_seconds
    )
}

/// The `preStop` hook.
pub(crate) fn pre_stop() -> String {
    "Requests keep coming until every proxy knows that the pod is leaving; both begin at the same moment. Connections that clients keep open lead here until the service closes them: a request that is on its way just then is lost, unless the client sends it again or the service announces the close (Connection: close), as one with Spring Boot and Tacho's starter does for as long as TACHO_WARMUP_LEAVE says. (sleep: Kubernetes 1.30 and later.)".to_owned()
}

/// Who warms, where somebody does.
pub(crate) fn warm_up(checked: &Checked) -> Option<String> {
    let text = match checked.input.warm_up {
        WarmUp::Nobody => return None,
        WarmUp::Itself => "The service warms itself, and its readiness path answers with 2xx when it has ended.".to_owned(),
        WarmUp::Sidecar(_) => {
            "Sends requests until response times have settled; ready then. When the container beside it is restarted alone, it is not ready any more and begins anew."
                .to_owned()
        }
        WarmUp::PostStart(_) => {
            "Sends requests until response times have settled. The container counts as running, and probes begin, when the hook has ended; a hook that fails kills the container, \
             which this one does only when told to (--on-failure closed)."
                .to_owned()
        }
    };
    Some(text)
}

/// What an autoscaler should know, where the numbers make a difference.
pub(crate) fn autoscaling(checked: &Checked) -> Vec<String> {
    let mut hints = Vec::new();
    let back = back_in_service(checked);
    let window = window_s(checked);
    if window > DEFAULT_WINDOW_S {
        hints.push(format!(
            "With a HorizontalPodAutoscaler: behavior.scaleDown.stabilizationWindowSeconds: {window:.0} (ten times the {} until a new pod is warm; with the default of 300 a pod is given up that may be missed before another is warm).",
            seconds(back)
        ));
    }
    if !checked.is_gated()
        && checked
            .warming
            .as_ref()
            .is_some_and(|warming| warming.median() > 30.0)
    {
        hints.push(
            "A pod that warms while it is ready uses processor time that an autoscaler takes for load: warm it before it is ready (tacho warm, or the starter), or scale on requests.".to_owned(),
        );
    }
    hints
}
