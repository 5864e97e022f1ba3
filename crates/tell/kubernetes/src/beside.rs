//! What goes with a Deployment: a Service, a Kustomize base, values of a Helm chart.

use crate::autoscaler::{Carried, FEWEST_PODS, MOST_PODS, target};
use crate::deployment::{Within, environment, sidecar, strategy, with_health};
use crate::input::Checked;
use crate::plan::Plan;
use crate::reasons;
use crate::yaml::{Mapping, Node};

/// Where others call it.
const PORT: u32 = 80;

/// Before the pods, at port 80.
pub(crate) fn service(checked: &Checked) -> String {
    let name = checked.input.service.name.as_str();
    let port = Mapping::new()
        .with("name", "http")
        .with("port", PORT)
        .with("targetPort", "http");
    let spec = Mapping::new()
        .with(
            "selector",
            Mapping::new().with("app.kubernetes.io/name", name),
        )
        .with("ports", vec![port.into()]);
    Mapping::new()
        .with("apiVersion", "v1")
        .with("kind", "Service")
        .with("metadata", Mapping::new().with("name", name))
        .with("spec", spec)
        .document()
}

/// A base (<https://kubectl.docs.kubernetes.io/references/kustomize/kustomization/>): overlays name
/// the image, the namespace and the number of pods.
pub(crate) fn kustomization(checked: &Checked, resources: &[&str]) -> String {
    let (name, tag) = image(&checked.input.service.image);
    let image = Mapping::new()
        .with("name", name)
        .with("newName", name)
        .because("Yours.")
        .with("newTag", tag);
    let resources = resources.iter().map(|&file| Node::from(file)).collect();
    Mapping::new()
        .with("apiVersion", "kustomize.config.k8s.io/v1beta1")
        .because("kubectl apply -k .")
        .with("kind", "Kustomization")
        .with("resources", Node::List(resources))
        .with("images", vec![image.into()])
        .document()
}

/// Values by the names of the chart that `helm create` makes.
pub(crate) fn helm_values(checked: &Checked, plan: &Plan, carried: Option<Carried>) -> String {
    let service = &checked.input.service;
    let (repository, tag) = image(&service.image);
    let replicas = service.replicas.unwrap_or(FEWEST_PODS);
    let sidecar = sidecar(checked, plan);
    let mut values = Mapping::new()
        .with("replicaCount", replicas)
        .because(reasons::head(checked))
        .because(
            "The names are those of `helm create`. What its templates do not use yet: startupProbe, lifecycle and env of the container, terminationGracePeriodSeconds of the pod, minReadySeconds, progressDeadlineSeconds and strategy of the Deployment. Each is one line in templates/deployment.yaml, such as this one before livenessProbe; with 6 instead of 10 for the pod, before containers, and with 2 for the Deployment, before selector:",
        )
        .because(TEMPLATE_LINE);
    if sidecar.is_some() {
        values = values
            .because("Nor do they use extraContainers, the list of containers beside that of the service. One of them warms it, and without it nobody does. Their line stands after the container, before volumes:")
            .because(CONTAINERS_LINE);
    }
    values = values
        .with(
            "image",
            Mapping::new()
                .with("repository", repository)
                .with("tag", tag),
        )
        .with("service", Mapping::new().with("port", service.port))
        .because("In that chart also the port of the container.")
        .with_some("env", environment(&service.environment));
    if let (Some(resources), Some(reason)) = (
        checked.input.amounts.resources(),
        reasons::resources(checked),
    ) {
        values = values.with("resources", resources).because(reason);
    }
    values = with_health(values, checked, plan, Within::Values);
    if plan.liveness.is_none() {
        values = values
            .with("livenessProbe", Node::Null)
            .because("Takes the probe of the chart away, which asks for / and would kill a service that has no such path.");
    }
    values = values
        .with_some(
            "extraContainers",
            sidecar.map(|sidecar| vec![Node::from(sidecar)]),
        )
        .with("terminationGracePeriodSeconds", plan.shutdown.grace_seconds)
        .because(reasons::shutdown(checked, plan))
        .with("minReadySeconds", plan.rollout.min_ready_seconds)
        .because(reasons::min_ready(plan))
        .with(
            "progressDeadlineSeconds",
            plan.rollout.progress_deadline_seconds,
        )
        .because(reasons::deadline(checked, plan))
        .with("strategy", strategy(checked, plan));
    if let Ok(target) = target(checked, carried) {
        let autoscaling = Mapping::new()
            .with("enabled", true)
            .with("minReplicas", replicas)
            .with("maxReplicas", MOST_PODS)
            .because("An example: what the cluster can give was not measured.")
            .with("targetCPUUtilizationPercentage", target.target)
            .because(target.reason);
        values = values.with("autoscaling", autoscaling);
    }
    values.document()
}

/// What puts a value into a template, whatever it is; `nindent` begins a line of its own, since
/// `{{-` takes the one before (<https://helm.sh/docs/chart_template_guide/control_structures/>).
const TEMPLATE_LINE: &str =
    "{{- with .Values.startupProbe }}{{ dict \"startupProbe\" . | toYaml | nindent 10 }}{{- end }}";

/// The same for containers, which are items of a list that has one already.
const CONTAINERS_LINE: &str =
    "{{- with .Values.extraContainers }}{{ toYaml . | nindent 8 }}{{- end }}";

/// Its name and its tag; `latest` where it has none.
fn image(image: &str) -> (&str, &str) {
    match image.rsplit_once(':') {
        // A colon before a slash belongs to a port.
        Some((name, tag)) if !tag.contains('/') => (name, tag),
        _ => (image, "latest"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::{sample, tacho_warm};

    #[test]
    fn a_port_is_no_tag() {
        assert_eq!(image("r.example/users:1.0"), ("r.example/users", "1.0"));
        assert_eq!(
            image("r.example:5000/users"),
            ("r.example:5000/users", "latest")
        );
        assert_eq!(
            image("r.example:5000/users:2"),
            ("r.example:5000/users", "2")
        );
    }

    /// The chart has one, and a value that is not given leaves it.
    #[test]
    fn where_no_liveness_is_probed_that_of_the_chart_is_taken_away() {
        let mut input = sample();
        input.paths.liveness = None;
        let checked = Checked::of(&input).unwrap();
        let values = helm_values(&checked, &Plan::of(&checked), None);
        assert!(values.contains("\nlivenessProbe: null\n"), "{values}");
    }

    /// Helm merges both, and the API refuses a probe that asks in two ways.
    #[test]
    fn where_a_port_is_probed_the_request_of_the_chart_is_taken_away() {
        let mut input = sample();
        input.paths.readiness = None;
        input.paths.liveness = None;
        input.warm_up = crate::WarmUp::Nobody;
        let checked = Checked::of(&input).unwrap();
        let plan = Plan::of(&checked);
        let values = helm_values(&checked, &plan, None);
        let probe = "\n  httpGet: null\n  tcpSocket:\n    port: http\n";
        assert_eq!(values.matches(probe).count(), 2, "{values}");
        let deployment = crate::deployment::yaml(&checked, &plan);
        assert!(!deployment.contains("httpGet"), "{deployment}");
    }

    #[test]
    fn the_container_that_warms_is_among_the_values_with_the_line_that_uses_it() {
        let mut input = sample();
        let values = |input: &crate::Input| {
            let checked = Checked::of(input).unwrap();
            helm_values(&checked, &Plan::of(&checked), None)
        };
        assert!(!values(&input).contains("extraContainers"));
        input.warm_up = crate::WarmUp::Sidecar(tacho_warm());
        let values = values(&input);
        assert!(
            values.contains(&format!("\n# {CONTAINERS_LINE}\n")),
            "{values}"
        );
        let container = "\nextraContainers:
  - name: warm
    image: registry.example/tacho:0.1
";
        assert!(values.contains(container), "{values}");
        assert!(values.contains("\n      httpGet:\n        path: /ready\n"));
    }

    #[test]
    fn service_kustomization_and_values() {
        let input = sample();
        let checked = Checked::of(&input).unwrap();
        let plan = Plan::of(&checked);
        insta::assert_snapshot!("service", service(&checked));
        let files = ["kubernetes.yaml", "service.yaml"];
        insta::assert_snapshot!("kustomization", kustomization(&checked, &files));
        let carried = Carried {
            rate: 250.0,
            cpu: 0.52,
            p99: 0.043,
        };
        insta::assert_snapshot!("helm-values", helm_values(&checked, &plan, Some(carried)));
    }
}
