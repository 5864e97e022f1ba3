//! What is written is a Deployment by the schema that the Kubernetes API publishes (`tests/schema`,
//! made by `scripts/kubernetes-schema`).
//!
//! That schema lets unknown fields pass; the API refuses them all the same when it is asked to be
//! strict, as `kubectl apply` does. Here every object is therefore closed before anything is held
//! against it.

#![allow(clippy::unwrap_used, clippy::expect_used)]

use boon::{Compiler, Schemas};
use proptest::prelude::*;
use saphyr::{LoadableYamlNode, Scalar, Yaml};
use serde_json::{Map, Value, json};
use std::sync::LazyLock;
use tacho_kubernetes::{
    Amounts, Answers, Input, Measured, Paths, Responses, Service, TachoWarm, WarmUp, render,
};
use tacho_masking::MASK;

struct Deployments {
    schemas: Schemas,
    deployment: boon::SchemaIndex,
}

impl Deployments {
    fn of_the_api() -> &'static Self {
        static API: LazyLock<Deployments> = LazyLock::new(Deployments::read);
        &API
    }

    fn read() -> Self {
        let mut schema: Value =
            serde_json::from_str(include_str!("schema/deployment.json")).unwrap();
        close(&mut schema["components"]["schemas"]);
        let mut compiler = Compiler::new();
        compiler.add_resource("kubernetes.json", schema).unwrap();
        let mut schemas = Schemas::new();
        let deployment = compiler
            .compile(
                "kubernetes.json#/components/schemas/io.k8s.api.apps.v1.Deployment",
                &mut schemas,
            )
            .unwrap();
        Self {
            schemas,
            deployment,
        }
    }

    fn validate(&self, document: &Value) -> Result<(), String> {
        self.schemas
            .validate(document, self.deployment)
            .map_err(|error| format!("{error:#}"))
    }
}

/// Nothing but what is named may stand in an object that names its properties.
fn close(value: &mut Value) {
    match value {
        Value::Object(object) => {
            object.values_mut().for_each(close);
            if object.get("type") == Some(&json!("object")) && object.contains_key("properties") {
                object.entry("additionalProperties").or_insert(json!(false));
            }
        }
        Value::Array(values) => values.iter_mut().for_each(close),
        _ => {}
    }
}

fn json_of(yaml: &Yaml) -> Value {
    match yaml {
        Yaml::Value(Scalar::String(text)) => json!(text),
        Yaml::Value(Scalar::Integer(number)) => json!(number),
        Yaml::Value(Scalar::Boolean(value)) => json!(value),
        Yaml::Value(Scalar::FloatingPoint(number)) => json!(number.into_inner()),
        Yaml::Sequence(items) => items.iter().map(json_of).collect(),
        Yaml::Mapping(entries) => {
            let entries = entries
                .iter()
                .map(|(key, value)| (key.as_str().unwrap().to_owned(), json_of(value)));
            Value::Object(entries.collect::<Map<_, _>>())
        }
        _ => Value::Null,
    }
}

fn document(input: &Input) -> Value {
    let yaml = render(input).unwrap().yaml;
    let documents = Yaml::load_from_str(&yaml).unwrap();
    assert_eq!(documents.len(), 1);
    json_of(&documents[0])
}

fn input(warm_up: WarmUp, environment: Vec<(String, String)>) -> Input {
    Input {
        service: Service {
            name: "users".to_owned(),
            image: "registry.example/users:1.0".to_owned(),
            port: 8080,
            replicas: Some(4),
            environment,
        },
        paths: Paths {
            startup: None,
            readiness: Some("/ready?full=yes".to_owned()),
            liveness: Some("/live".to_owned()),
        },
        amounts: Amounts {
            cpu_millis: Some(500),
            memory_bytes: Some(300 << 20),
        },
        measured: Measured {
            ready: vec![4.1, 4.3, 4.0, 4.2, 4.4],
            warm: vec![19.0, 21.5, 20.2, 22.8, 20.9],
            responses: Responses {
                steady_max: 0.2,
                cold_max: 1.1,
                of: Answers::Requests,
            },
            peak_memory_bytes: Some(290 << 20),
            shutdown: None,
        },
        warm_up,
        target: Input::TARGET,
        slowdown: Input::SLOWDOWN,
    }
}

fn tacho_warm(arguments: Vec<String>) -> TachoWarm {
    TachoWarm {
        image: "registry.example/tacho:0.1".to_owned(),
        gate_port: 9000,
        arguments,
        within_s: None,
        amounts: Amounts {
            cpu_millis: Some(100),
            memory_bytes: None,
        },
    }
}

fn warm_ups(arguments: Vec<String>) -> [WarmUp; 4] {
    let tacho = tacho_warm(arguments);
    [
        WarmUp::Nobody,
        WarmUp::Itself,
        WarmUp::Sidecar(tacho.clone()),
        WarmUp::PostStart(tacho),
    ]
}

#[test]
fn every_way_to_warm_gives_a_deployment_by_the_schema() {
    let api = Deployments::of_the_api();
    for warm_up in warm_ups(vec!["http://localhost:8080/".to_owned()]) {
        let mut input = input(
            warm_up,
            [
                ("JAVA_TOOL_OPTIONS", "-Xmx200m -XX:+UseSerialGC"),
                // A secret.
                ("DB_PASSWORD", "***"),
            ]
            .map(|(name, value)| (name.to_owned(), value.to_owned()))
            .into(),
        );
        assert_eq!(api.validate(&document(&input)), Ok(()));
        input.service.replicas = None;
        input.paths.liveness = None;
        if input.warm_up != WarmUp::Itself {
            input.paths.readiness = None;
        }
        input.amounts = Amounts::default();
        assert_eq!(api.validate(&document(&input)), Ok(()));
    }
}

/// Each change is a mistake that somebody makes; none may pass.
#[test]
fn a_wrong_field_a_wrong_type_and_a_missing_field_are_refused() {
    let api = Deployments::of_the_api();
    let right = document(&input(WarmUp::Itself, Vec::new()));
    let container = "/spec/template/spec/containers/0";
    let changes: [(&str, &str, Option<Value>); 9] = [
        ("/spec", "minReadySecond", Some(json!(3))),
        ("/spec", "progressDeadlineSeconds", Some(json!("60"))),
        ("/spec", "selector", None),
        ("/spec/strategy/rollingUpdate", "maxSurge", Some(json!([1]))),
        (container, "name", None),
        (container, "startProbe", Some(json!({}))),
        (
            &format!("{container}/startupProbe"),
            "periodSeconds",
            Some(json!(1.5)),
        ),
        (&format!("{container}/livenessProbe/httpGet"), "port", None),
        (
            &format!("{container}/lifecycle/preStop/sleep"),
            "seconds",
            Some(json!("5s")),
        ),
    ];
    for (place, key, value) in changes {
        let mut wrong = right.clone();
        let object = wrong
            .pointer_mut(place)
            .and_then(Value::as_object_mut)
            .unwrap();
        match value {
            Some(value) => object.insert(key.to_owned(), value),
            None => object.remove(key),
        };
        let error = api
            .validate(&wrong)
            .expect_err(&format!("{place}/{key} passed"));
        let names_it = error.contains(key) || error.contains(place);
        assert!(names_it, "{place}/{key}: {error}");
    }
    assert_eq!(api.validate(&right), Ok(()));
}

fn not_masked() -> impl Strategy<Value = String> {
    ".*".prop_filter("it is masked", |value| !value.contains(MASK))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Whatever stands in texts that come from outside: it stays a text in its place. A masked
    /// value has another place: it refers to a Secret.
    #[test]
    fn texts_from_outside_break_nothing(
        value in not_masked(),
        argument in any::<String>(),
        image in "[ -~]{0,30}",
    ) {
        let api = Deployments::of_the_api();
        for warm_up in warm_ups(vec![argument.clone()]) {
            let mut input = input(warm_up, vec![("NAME".to_owned(), value.clone())]);
            input.service.image = image.clone();
            let document = document(&input);
            prop_assert_eq!(api.validate(&document), Ok(()));
            let container = &document["spec"]["template"]["spec"]["containers"][0];
            // As the kubelet reads one dollar sign.
            let value = value.replace('$', "$$");
            prop_assert_eq!(&container["env"][0]["value"], &json!(value));
            prop_assert_eq!(&container["image"], &json!(image));
        }
    }
}
