//! `tacho warmup` and experiments with a `warm-up` on services that are slow for a known number of
//! requests.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use crate::support;

use serde_json::Value;
use support::{Lab, Told, port, subject, tacho};

/// A service whose first 150 requests take 200 ms each: more than a busy neighbour makes of others.
fn cold_service(more: &str) -> Lab {
    slow_at_first("--cold 150 --cold-ms 200", "3s", more)
}

fn slow_at_first(how: &str, duration: &str, more: &str) -> Lab {
    let port = port();
    Lab::new(&format!(
        "tacho: 1
name: scripted
subject: {{port: {port}, ready: {{http: /health}}}}
variants:
  - {{name: service, kind: exec, command: '{} --port {{port}} {how}'}}
requests: [GET /ping]
phases:
  - open: {{rate: 130/s, duration: {duration}, connections: 40}}
launches: 1
rest: 0ms
seed: 1
{more}",
        subject().display()
    ))
}

fn cells(results: &Value) -> Vec<&Value> {
    results["warm_up"]["cells"]
        .as_array()
        .unwrap()
        .iter()
        .collect()
}

fn of<'a>(results: &'a Value, variant: &str) -> &'a Value {
    let mut cells = cells(results).into_iter();
    cells
        .find(|cell| cell["variant"] == variant)
        .unwrap_or_else(|| panic!("{results:#}"))
}

#[test]
fn the_cheapest_warm_up_that_is_enough_is_found() {
    // Slow by more than a busy neighbour makes others: which recipe is enough is then its own
    // doing.
    let lab = slow_at_first(
        "--cold 60 --cold-ms 3000",
        "10s",
        "warm-up: {objective: 2500ms, recipes: [none, {requests: 20, connections: 20}, {requests: 80, connections: 20}, {settled: {}, connections: 20}]}\n",
    );
    lab.run(&[])
        .says("Warm-up, and how users were served then (open)");
    let results = lab.json("results.json");
    let over = |variant: &str| {
        of(&results, variant)["over_objective"]["value"]
            .as_f64()
            .unwrap()
    };
    // What was not warmed away, users wait for; and those whose connection is taken meanwhile.
    assert!(over("service") >= 60.0, "{results:#}");
    assert!(over("service-20") >= 40.0, "{results:#}");
    assert!(over("service-80") < 40.0, "{results:#}");
    assert!(over("service-settled") < 40.0, "{results:#}");
    // 60 users waited three seconds, less what they would have waited anyway; where the neighbours
    // left no steady state, nobody knows that.
    let debt = &of(&results, "service")["debt_s"]["value"];
    assert!(debt.as_f64().is_none_or(|debt| debt >= 25.0), "{debt}");
    // It sends more than the cold ones until it has seen enough of the warm service: how much is
    // enough depends on how much the neighbours scatter its times.
    let settled = of(&results, "service-settled");
    let requests = settled["requests"]["value"].as_f64().unwrap();
    assert!(requests > 60.0, "{settled:#}");
    // Where the neighbours leave its times no rest, it ends at a limit, and says so.
    let [[end, launches]] = serde_json::from_value::<[[Value; 2]; 1]>(settled["ends"].clone())
        .unwrap_or_else(|_| panic!("{settled:#}"));
    let ends = ["settled", "request-limit", "time-limit"];
    assert!(ends.iter().any(|known| end == *known), "{settled:#}");
    assert_eq!(launches, 1, "{settled:#}");
    let sentence = results["warm_up"]["choices"][0]["sentence"]
        .as_str()
        .unwrap();
    // Both are enough; which was quicker, the machine decides.
    let best = ["service-80", "service-settled"];
    let is_best = best.iter().any(|name| {
        sentence.starts_with(&format!(
            "{name} is the cheapest that keeps p99 within 2.50 s"
        ))
    });
    assert!(is_best, "{sentence}");
    // With it the run ends, of one launch as of many, unless its figures are not to be used.
    let advice = results["advice"]["sentence"].as_str().unwrap();
    let own = sentence.trim_end_matches('.');
    assert!(
        advice.starts_with(own) || advice.starts_with("Do not use these numbers"),
        "{advice}"
    );
    let warm_up = &lab.launches()[0]["warm_up"];
    assert!(warm_up["end"].is_string(), "{warm_up}");
    let page = std::fs::read_to_string(lab.run_folder().join("report.html")).unwrap();
    assert!(page.contains("What a warm-up buys"));
}

#[test]
fn requests_go_to_all_processes_of_a_launch_in_turn_and_each_is_warmed_by_itself() {
    let lab = cold_service("pods: 2\nwarm-up: [none, {requests: 150, connections: 10}]\n");
    let told = lab.run(&[]);
    let results = lab.json("results.json");
    // Cold, each of the two is slow for its own 150 requests: three in four of 390 users wait.
    let p50 = |variant: &str| {
        of(&results, variant)["response"]["p50"]["value"]
            .as_f64()
            .unwrap()
    };
    assert!(p50("service") > 199.0, "{told:#?}");
    assert!(p50("service-150") < 150.0, "{told:#?}");
    for launch in lab.launches() {
        let pods = launch["pods"].as_array().unwrap();
        assert_eq!(pods.len(), 1, "{launch:#}");
        assert!(pods[0]["time_line"]["ready_ms"].is_number(), "{launch:#}");
        assert_eq!(
            pods[0]["warm_up"]["requests"],
            launch["warm_up"]["requests"]
        );
        assert_ne!(pods[0]["time_line"]["port"], launch["time_line"]["port"]);
        assert_eq!(launch["phases"][0]["succeeded"], 390);
    }
    let folder = lab.run_folder();
    let launches = std::fs::read_dir(folder.join("launches")).unwrap();
    for launch in launches.map(|entry| entry.unwrap().path()) {
        assert!(launch.join("pod-2/samples.csv").exists(), "{launch:?}");
    }
}

#[test]
fn a_process_that_dies_while_it_is_warmed_fails_its_launch_and_says_so() {
    let lab = Lab::new(&format!(
        "tacho: 1
name: scripted
variants:
  - {{name: dies, kind: exec, command: '{} --port {} --exit-after 50', warm-up: 200}}
requests: [GET /ping]
phases:
  - open: {{rate: 50/s, duration: 1s}}
launches: 1
rest: 0ms
",
        subject().display(),
        port()
    ));
    lab.run(&[]).exits(3);
    let launch = &lab.launches()[0];
    assert_eq!(launch["outcome"]["state"], "failed", "{launch:#}");
    assert_eq!(launch["outcome"]["cause"], "exited", "{launch:#}");
    assert!(
        launch["warm_up"]["failed"].as_u64().unwrap() > 0,
        "{launch:#}"
    );
}

#[test]
fn a_warm_up_of_which_nothing_is_answered_well_has_failed() {
    let lab = slow_at_first("--answer 500", "1s", "warm-up: [none, 20]\n");
    lab.run(&[]);
    let launches = lab.launches();
    let ends = launches.iter().map(|launch| &launch["warm_up"]["end"]);
    let mut ends: Vec<&str> = ends.filter_map(Value::as_str).collect();
    ends.sort_unstable();
    assert_eq!(ends, ["failing", "nothing-to-do"], "{launches:#?}");
}

#[test]
fn the_command_sweeps_over_the_recipes_that_it_is_given() {
    let lab = slow_at_first("--cold 150 --cold-ms 20", "3s", "");
    let output = tacho()
        .current_dir(lab.path())
        .args([
            "warmup",
            "experiment.yaml",
            "--recipes",
            "none,each:50,bursts:40",
            "--launches",
            "3",
            "--emit",
            "kustomize,helm",
        ])
        .args(["--rate", "50", "--duration", "1s", "--objective", "10s"])
        .output()
        .unwrap();
    let told = Told::of(&output)
        .says("Warm-up, and how users were served then (users)")
        .says("Of the warm-up that won: runs/");
    let results = lab.json("results.json");
    let names: Vec<&str> = cells(&results)
        .iter()
        .map(|c| c["variant"].as_str().unwrap())
        .collect();
    assert_eq!(names, ["service", "service-each-50", "service-bursts-40"]);
    assert_eq!(of(&results, "service-each-50")["requests"]["value"], 50.0);
    // Whole bursts of 50.
    assert_eq!(of(&results, "service-bursts-40")["requests"]["value"], 50.0);
    assert_eq!(results["warm_up"]["objective_ms"], 10_000.0);
    let deployment = std::fs::read_to_string(lab.run_folder().join("kubernetes.yaml"));
    let deployment = deployment.unwrap_or_else(|e| panic!("{e}: {told:#?}"));
    assert!(deployment.contains("path: /health"), "{deployment}");
    assert!(deployment.contains("startupProbe:"), "{deployment}");
    let base = std::fs::read_to_string(lab.run_folder().join("kustomization.yaml")).unwrap();
    assert!(base.contains("[kubernetes.yaml, service.yaml]"), "{base}");
    assert!(lab.run_folder().join("service.yaml").exists());
    let values = std::fs::read_to_string(lab.run_folder().join("helm-values.yaml")).unwrap();
    assert!(values.contains("repository: registry.example/"), "{values}");
    // A share of what is requested: nothing was.
    assert!(!lab.run_folder().join("autoscaler.yaml").exists());
    told.says("note: no autoscaler: it scales on the share");
}

#[test]
fn without_users_there_is_nothing_to_sweep() {
    let lab = Lab::scripted(&[("quick", &format!("--port {}", port()))], "");
    let output = tacho()
        .current_dir(lab.path())
        .args(["warmup", "experiment.yaml"])
        .output()
        .unwrap();
    Told::of(&output).exits(2).says("give --rate");
}

#[test]
fn recipes_that_would_compare_something_else_are_refused() {
    let refused = |lab: &Lab, recipes: &str, why: &str| {
        let output = tacho()
            .current_dir(lab.path())
            .args(["warmup", "experiment.yaml", "--recipes", recipes])
            .output()
            .unwrap();
        Told::of(&output).exits(2).says(why);
    };
    let with_its_own = cold_service("warm-up: [none, 150]\n");
    refused(&with_its_own, "10,20", "--recipes would change nothing");
    let plain = cold_service("");
    refused(
        &plain,
        "1000,1k",
        "a second variant is called `service-1000`",
    );
    refused(&plain, "none,0", "a second variant is called `service`");
}
