//! The Deployment as YAML: every number with its reason above it.

use crate::health::{Probe, bounded};
use crate::input::{Checked, Input, TachoWarm, WarmUp};
use crate::plan::Plan;
use crate::reasons;
use crate::yaml::{Mapping, Node};
use tacho_masking::MASK;

/// Stands for the name of a Secret that only the user knows.
const YOUR_SECRET: &str = "your-secret";

/// What a probe is written into.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Within {
    /// A Deployment, as it is.
    Deployment,
    /// Values of a chart. Helm merges them with its own, key by key.
    Values,
}

/// The document, ending in a newline.
pub(crate) fn yaml(checked: &Checked, plan: &Plan) -> String {
    let Input { service, .. } = checked.input;
    Mapping::new()
        .with("apiVersion", "apps/v1")
        .because(reasons::head(checked))
        .with("kind", "Deployment")
        .with(
            "metadata",
            Mapping::new()
                .with("name", service.name.as_str())
                .with("labels", labels(checked)),
        )
        .with("spec", spec(checked, plan))
        .document()
}

fn labels(checked: &Checked) -> Mapping {
    Mapping::new().with(
        "app.kubernetes.io/name",
        checked.input.service.name.as_str(),
    )
}

fn spec(checked: &Checked, plan: &Plan) -> Mapping {
    let pods = Mapping::new()
        .with("metadata", Mapping::new().with("labels", labels(checked)))
        .with("spec", pod(checked, plan));
    Mapping::new()
        .with_some("replicas", checked.input.service.replicas)
        .with("minReadySeconds", plan.rollout.min_ready_seconds)
        .because(reasons::min_ready(plan))
        .with(
            "progressDeadlineSeconds",
            plan.rollout.progress_deadline_seconds,
        )
        .because(reasons::deadline(checked, plan))
        .with("strategy", strategy(checked, plan))
        .with(
            "selector",
            Mapping::new().with("matchLabels", labels(checked)),
        )
        .with("template", pods)
}

pub(crate) fn strategy(checked: &Checked, plan: &Plan) -> Mapping {
    let surge: Node = plan
        .rollout
        .max_surge
        .map_or_else(|| "25%".into(), Node::from);
    let rolling = Mapping::new()
        .with("maxUnavailable", 0u32)
        .because(reasons::unavailable())
        .with("maxSurge", surge)
        .because(reasons::surge(checked, plan));
    Mapping::new()
        .with("type", "RollingUpdate")
        .with("rollingUpdate", rolling)
}

fn pod(checked: &Checked, plan: &Plan) -> Mapping {
    let containers = std::iter::once(container(checked, plan)).chain(sidecar(checked, plan));
    let containers: Vec<Node> = containers.map(Node::from).collect();
    Mapping::new()
        .with("terminationGracePeriodSeconds", plan.shutdown.grace_seconds)
        .because(reasons::shutdown(checked, plan))
        .with("securityContext", of_pod())
        .because(reasons::security())
        .with("containers", containers)
}

/// What the Pod Security Standard `restricted` wants of a pod
/// (<https://kubernetes.io/docs/concepts/security/pod-security-standards/>).
fn of_pod() -> Mapping {
    let seccomp = Mapping::new().with("type", "RuntimeDefault");
    Mapping::new()
        .with("runAsNonRoot", true)
        .with("seccompProfile", seccomp)
}

/// And of each container.
fn of_container() -> Mapping {
    let none = Mapping::new().with("drop", vec!["ALL".into()]);
    Mapping::new()
        .with("allowPrivilegeEscalation", false)
        .with("capabilities", none)
}

fn container(checked: &Checked, plan: &Plan) -> Mapping {
    let Input { service, .. } = checked.input;
    let port = Mapping::new()
        .with("name", "http")
        .with("containerPort", service.port);
    let mut container = Mapping::new()
        .with("name", service.name.as_str())
        .with("image", service.image.as_str())
        .with_some("env", environment(&service.environment))
        .with("ports", vec![port.into()])
        .with("securityContext", of_container());
    if let (Some(resources), Some(reason)) = (
        checked.input.amounts.resources(),
        reasons::resources(checked),
    ) {
        container = container.with("resources", resources).because(reason);
    }
    with_health(container, checked, plan, Within::Deployment)
}

/// Its probes, and what happens at its beginning and end.
pub(crate) fn with_health(
    mut container: Mapping,
    checked: &Checked,
    plan: &Plan,
    within: Within,
) -> Mapping {
    let paths = &checked.input.paths;
    let probe = |path, numbers| probe(path, "http".into(), numbers, within);
    let startup = Probe {
        period_seconds: plan.startup.period_seconds,
        timeout_seconds: plan.startup.timeout_seconds,
        failures: plan.startup.chosen.failures,
    };
    container = container.with("startupProbe", probe(checked.startup_path, startup));
    for reason in reasons::startup(checked, plan) {
        container = container.because(reason);
    }
    container = container
        .because(reasons::table(checked, plan))
        .with(
            "readinessProbe",
            probe(paths.readiness.as_deref(), plan.readiness),
        )
        .because(reasons::readiness(checked, plan));
    let lifecycle = lifecycle(checked, plan);
    match plan.liveness.zip(paths.liveness.as_deref()) {
        Some((numbers, path)) => container
            .with("livenessProbe", probe(Some(path), numbers))
            .because(reasons::liveness(checked, plan))
            .with("lifecycle", lifecycle),
        None => container
            .with("lifecycle", lifecycle)
            .because(reasons::liveness(checked, plan)),
    }
}

/// Names and values as a container has them; `None` without any.
#[must_use]
pub fn environment(variables: &[(String, String)]) -> Option<Node> {
    let variables = variables.iter();
    let nodes: Vec<Node> = variables
        .map(|(name, value)| variable(name, value).into())
        .collect();
    (!nodes.is_empty()).then_some(Node::List(nodes))
}

/// A variable. Where something secret is masked in its value, the whole value comes from a Secret.
fn variable(name: &str, value: &str) -> Mapping {
    let variable = Mapping::new().with("name", name);
    if !value.contains(MASK) {
        return variable.with("value", literal(value));
    }
    let kept = Mapping::new().with("name", YOUR_SECRET).with("key", name);
    variable
        .with("valueFrom", Mapping::new().with("secretKeyRef", kept))
        .because(format!(
            "A secret, which is not written here: name your Secret and the key of the whole value in it, or make this one (kubectl create secret generic {YOUR_SECRET} --from-literal={name}=VALUE)."
        ))
}

/// The text in a form in which it stays as it is: the kubelet expands `$(NAME)` in variables and in
/// arguments, and reads `$$` as one dollar sign
/// (<https://kubernetes.io/docs/reference/kubernetes-api/workload-resources/pod-v1/#entrypoint>).
fn literal(text: &str) -> String {
    text.replace('$', "$$")
}

/// A probe. Without a path, it checks whether the port accepts connections.
fn probe(path: Option<&str>, port: Node, numbers: Probe, within: Within) -> Mapping {
    let asks = match path {
        Some(path) => Mapping::new().with(
            "httpGet",
            Mapping::new().with("path", path).with("port", port),
        ),
        None => without_request(within).with("tcpSocket", Mapping::new().with("port", port)),
    };
    asks.with("periodSeconds", numbers.period_seconds)
        .with("timeoutSeconds", numbers.timeout_seconds)
        .with("failureThreshold", numbers.failures)
}

/// The request of a chart's own probe would stay beside the socket, and the API refuses a probe of
/// two kinds.
fn without_request(within: Within) -> Mapping {
    match within {
        Within::Deployment => Mapping::new(),
        Within::Values => Mapping::new()
            .with("httpGet", Node::Null)
            .because("Takes the request of the chart's own probe away, which Helm would merge with this one."),
    }
}

fn lifecycle(checked: &Checked, plan: &Plan) -> Mapping {
    let mut lifecycle = Mapping::new();
    if let (WarmUp::PostStart(tacho), Some(reason)) =
        (&checked.input.warm_up, reasons::warm_up(checked))
    {
        let mut command = vec!["tacho".to_owned(), "warm".to_owned()];
        command.extend(patience(checked, plan, tacho));
        command.extend(tacho.arguments.iter().cloned());
        lifecycle = lifecycle
            .with(
                "postStart",
                Mapping::new().with("exec", Mapping::new().with("command", texts(command))),
            )
            .because(reason);
    }
    let sleep = Mapping::new().with("seconds", plan.shutdown.pre_stop_seconds);
    lifecycle
        .with("preStop", Mapping::new().with("sleep", sleep))
        .because(reasons::pre_stop())
}

/// The container beside the service, where one warms it.
pub(crate) fn sidecar(checked: &Checked, plan: &Plan) -> Option<Mapping> {
    match &checked.input.warm_up {
        WarmUp::Sidecar(tacho) => Some(that_warms(checked, plan, tacho)),
        _ => None,
    }
}

/// Its name, which is not that of the service: each container of a pod has its own.
fn gate(service: &str) -> &'static str {
    match service {
        "warm" => "tacho-warm",
        _ => "warm",
    }
}

fn that_warms(checked: &Checked, plan: &Plan, tacho: &TachoWarm) -> Mapping {
    let mut arguments = vec![
        "warm".to_owned(),
        "--gate".to_owned(),
        // Listen on all addresses, because the kubelet asks at the address of the pod.
        format!("0.0.0.0:{}", tacho.gate_port),
    ];
    arguments.extend(patience(checked, plan, tacho));
    arguments.extend(tacho.arguments.iter().cloned());
    let is_masked = arguments.iter().any(|argument| argument.contains(MASK));
    let arguments = arguments.iter().map(|argument| literal(argument));
    let mut container = Mapping::new()
        .with("name", gate(&checked.input.service.name))
        .with("image", tacho.image.as_str())
        .with("args", texts(arguments.collect()));
    if let Some(reason) = reasons::warm_up(checked) {
        container = container.because(reason);
    }
    if is_masked {
        container = container.because(
            "`***` stands for a secret, which is not written here: give this container a variable from your Secret, and write $(NAME) in its place.",
        );
    }
    container = container
        .with_some("resources", tacho.amounts.for_a_while())
        .with("securityContext", of_container());
    match plan.gate {
        Some(gate) => container.with(
            "readinessProbe",
            probe(
                Some("/ready"),
                tacho.gate_port.into(),
                gate,
                Within::Deployment,
            ),
        ),
        None => container,
    }
}

/// Time limits for the warm-up. `--wait` lasts twice as long as the startup probe allows (at least
/// 60 s), so that a start may fail once. `--within` lasts longer than warming takes in 99 of 100
/// launches, and as long as it was allowed to take in them.
fn patience(checked: &Checked, plan: &Plan, tacho: &TachoWarm) -> Vec<String> {
    let wait = 2.0 * plan.startup.chosen.kills_after_s.max(30.0);
    let mut flags = vec!["--wait".to_owned(), format!("{wait:.0}s")];
    let took = checked.warming.as_ref().map(bounded);
    let takes = took.map(|took| took * checked.input.slowdown);
    let within = [takes, tacho.within_s].into_iter().flatten();
    if let Some(within) = within.reduce(f64::max) {
        let within = within.ceil().max(1.0);
        flags.extend(["--within".to_owned(), format!("{within:.0}s")]);
    }
    flags
}

fn texts(texts: Vec<String>) -> Node {
    Node::List(texts.into_iter().map(Node::from).collect())
}
