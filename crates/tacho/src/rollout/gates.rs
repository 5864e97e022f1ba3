//! Warm-ups of variants that are deployed: a container beside each service carries them out.

use std::collections::BTreeMap;
use tacho_cluster::{GateWords, NotRolled};
use tacho_experiment::Experiment;
use tacho_kubernetes::{gate_port, warm_arguments, warming_needs_files};
use tacho_run_folder::{Recipe, WarmUp};
use tacho_subject::settings_of;

/// Where a service listens that does not say where.
const DEFAULT_PORT: u16 = 8080;

/// How long a warm-up may take that only the number of its requests ends, in seconds.
const A_DAY_S: f64 = 86_400.0;

/// Takes the warm-ups out of the experiment: the pods that a rollout puts in place of others have
/// to be warmed as well, so a container beside each service does it, as in the manifests of `tacho
/// warmup --emit kubernetes`. Those with more processors stay, and are refused where the run
/// begins.
pub fn gates(experiment: &mut Experiment) -> Result<BTreeMap<String, GateWords>, NotRolled> {
    let is_by_a_gate =
        |warm_up: &mut WarmUp| warm_up.recipe != Recipe::None && warm_up.boost_cpu.is_none();
    let mut gates = BTreeMap::new();
    for variant in &mut experiment.variants {
        let Some(warm_up) = variant.warm_up.take_if(is_by_a_gate) else {
            continue;
        };
        let no_gate = |instead| NotRolled::NoGate {
            variant: variant.name.clone(),
            instead,
        };
        let requests = experiment.requests.as_deref();
        let requests = requests.ok_or_else(|| no_gate("name it by `requests:`"))?;
        if warming_needs_files(requests) {
            return Err(no_gate(
                "have one request, with its body in the experiment, or warm the service from within",
            ));
        }
        let settings = settings_of(&experiment.subject, variant);
        let port = settings.port.unwrap_or(DEFAULT_PORT);
        let gate_port = gate_port(port);
        let within_s = warm_up.recipe.within_s().unwrap_or(A_DAY_S);
        let mut arguments = vec![
            "warm".to_owned(),
            "--gate".to_owned(),
            // The kubelet asks at the address of the pod.
            format!("0.0.0.0:{gate_port}"),
            "--wait".to_owned(),
            format!("{}s", settings.ready.timeout.as_secs()),
            "--within".to_owned(),
            format!("{within_s}s"),
        ];
        arguments.extend(warm_arguments(&warm_up, requests, port));
        let words = GateWords {
            arguments,
            port: gate_port,
        };
        gates.insert(variant.name.clone(), words);
    }
    Ok(gates)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn experiment(variant: &str, requests: &str) -> Experiment {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("experiment.yaml");
        let text = format!(
            "tacho: 1
name: x
subject: {{port: 8080, ready: {{http: /, timeout: 20s}}}}
variants: [{{name: a, kind: exec, command: [/bin/true], {variant}}}]
requests: {requests}
phases: [{{cold: {{requests: 1}}}}]
"
        );
        std::fs::write(&path, text).unwrap();
        tacho_experiment::file::Text::read(&path)
            .unwrap()
            .experiment()
            .unwrap()
    }

    #[test]
    fn a_warm_up_becomes_what_a_gate_is_told() {
        // A path that is called like the folder of mounted files is a path like any other.
        let mut warmed = experiment("warm-up: 500, port: 9000", "[GET /warm-up]");
        let gates = gates(&mut warmed).unwrap();
        let words = gates["a"].arguments.join(" ");
        assert_eq!(
            words,
            "warm --gate 0.0.0.0:9001 --wait 20s --within 86400s --at-least 500 --at-most 500 --method GET http://localhost:9000/warm-up"
        );
        assert_eq!(gates["a"].port, 9001);
        assert!(warmed.variants[0].warm_up.is_none());
    }

    #[test]
    fn a_gate_has_the_connections_and_the_time_of_its_recipe() {
        let mut settled = experiment(
            "warm-up: {settled: {at-least: 10, at-most: 50, within: 90s}, connections: 4}",
            "[GET /a]",
        );
        let gates = gates(&mut settled).unwrap();
        let words = gates["a"].arguments.join(" ");
        let told = "--within 90s --at-least 10 --at-most 50 --connections 4 --method GET";
        assert!(words.contains(told), "{words}");
    }

    #[test]
    fn several_requests_need_a_file_and_more_processors_are_left_to_be_refused() {
        let mut several = experiment("warm-up: settled", "[GET /a, GET /b]");
        let refused = gates(&mut several).unwrap_err().to_string();
        assert!(
            refused.contains("`a`") && refused.contains("one request"),
            "{refused}"
        );
        let mut boosted = experiment("warm-up: {requests: 5, boost-cpu: 2}", "[GET /a]");
        assert!(gates(&mut boosted).unwrap().is_empty());
        assert!(boosted.variants[0].warm_up.is_some());
    }
}
