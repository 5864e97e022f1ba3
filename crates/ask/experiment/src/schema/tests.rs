use super::*;
use crate::file;
use boon::{Compiler, SchemaIndex, Schemas};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use tacho_fields::Node;

struct Schema {
    schemas: Schemas,
    index: SchemaIndex,
}

impl Schema {
    fn new() -> Self {
        let mut compiler = Compiler::new();
        compiler
            .add_resource("experiment.json", document())
            .unwrap();
        let mut schemas = Schemas::new();
        let index = compiler.compile("experiment.json", &mut schemas).unwrap();
        Self { schemas, index }
    }

    fn refuses(&self, text: &str) -> Option<String> {
        let root = tacho_fields::parse(text, "").unwrap();
        // As an editor reads it, and as a program that quotes all would write it.
        [true, false].into_iter().find_map(|typed| {
            self.schemas
                .validate(&json_of(&root, typed), self.index)
                .err()
                .map(|error| format!("{error:#}"))
        })
    }
}

fn json_of(node: &Node, typed: bool) -> Value {
    use tacho_fields::Value as Yaml;
    match &node.value {
        Yaml::Null => Value::Null,
        Yaml::Text(text) if typed && node.is_plain => {
            let number = text.parse::<i64>().map(Value::from);
            let number = number.or_else(|_| text.parse::<f64>().map(Value::from));
            number.unwrap_or_else(|_| match &**text {
                "true" | "True" => json!(true),
                "false" | "False" => json!(false),
                text => json!(text),
            })
        }
        Yaml::Text(text) => json!(text),
        Yaml::List(items) => items.iter().map(|item| json_of(item, typed)).collect(),
        Yaml::Map(entries) => {
            let entries = entries
                .iter()
                .map(|(key, value)| (key.name.clone(), json_of(value, typed)));
            Value::Object(entries.collect())
        }
    }
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..")
}

/// Every experiment of the labs.
fn experiments() -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![root().join("labs")];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap().flatten() {
            let path = entry.path();
            let name = entry.file_name().to_string_lossy().into_owned();
            if entry.file_type().unwrap().is_dir() {
                if !["target", "inputs", "node_modules"].contains(&&*name) {
                    folders.push(path);
                }
            } else if name.ends_with(".yaml") {
                let text = std::fs::read_to_string(&path).unwrap();
                let is_one = text.contains("\nvariants:") || text.contains("\nphases:");
                if text.contains("tacho: 1") && is_one {
                    found.push(path);
                }
            }
        }
    }
    found.sort();
    found
}

#[test]
fn it_takes_every_experiment_of_the_labs() {
    let schema = Schema::new();
    let experiments = experiments();
    assert!(experiments.len() > 40, "{}", experiments.len());
    for path in experiments {
        let text = std::fs::read_to_string(&path).unwrap();
        assert_eq!(schema.refuses(&text), None, "{}", path.display());
    }
}

/// It is the first command of many, with whatever JDK they have.
#[test]
fn the_demo_goes_on_without_what_a_machine_may_lack() {
    let path = root().join("labs/cold-start/demo.yaml");
    let text = std::fs::read_to_string(&path).unwrap();
    let demo = file::parse(&text, path.parent().unwrap()).unwrap();
    for variant in &demo.variants {
        let may_lack = matches!(
            variant.kind,
            crate::VariantKind::Aot | crate::VariantKind::Native
        );
        assert_eq!(variant.only_if.is_some(), may_lack, "{}", variant.name);
    }
}

#[test]
fn it_takes_what_the_reader_takes() {
    let schema = Schema::new();
    for more in [
        "variants: [jar, {name: cds}, {name: c1, kind: jar, jvm-flags: -Xint}]",
        "variants: [jar]\nsubject: {artifact: a.jar, port: 80, ready: {port: true, timeout: 1m}, environment: {A: 1, B: }, own: com.acme}",
        "variants: [{kind: exec, command: [./a, 1]}, {name: b, kind: exec, command: ./b -x, only-if: built, warm-up: {bursts: 1k, size: 50, rest: 200ms, boost-cpu: 250m, name: x}}]",
        "variants: [{kind: aot, training: start-up, warm-up: settled}]",
        "variants: [jar]\nwarm-up: [none, 1000, each:200, {settled: {at-least: 10, within: 20 s}}]",
        "variants: [jar]\nwarm-up: {objective: 50ms, recipes: [none]}\npods: 2\nlaunches: auto:30",
        "variants: [jar]\nlimits: {cpu: 0.5, memory: 512MiB}\nthreshold: 0.05\nduet: true\ngc-log: on\ndiagnose: memory",
        "variants: [jar]\nlimits: [{cpu: 250m}, {name: all}]\ndiagnose: {memory: true, connections: 8}\nlaunches: 5\nseed: 7\nrest: 0\nmask: [A]\nchecks: ready<1s",
        "variants: [jar]\nrequests: [/a, POST /b, {path: '/{{counter}}', weight: 2.5, headers: {A: b}, template: x, events: 2}, {path: /c, method: PUT, body: y, name: z}, {path: /d, status: 302}, {path: /e, status: '200-299,404'}]",
        "variants: [jar]\nrequests: [{websocket: /quotes, greeting: 1, template: '{{counter}}', events: 2, headers: {A: b}}]",
        "variants: [jar]\nphases: [{cold: {requests: 5}}, {settle: }, {closed: {requests: 10_000, ramp: 0, think: 1ms}}, {closed: {duration: 1s, think: {uniform: [1ms, 2ms]}, label: b}}, {rest: 1s}, {rest: {duration: 1s}}]",
        "variants: [jar]\nphases: [{ramp: {from: 0, to: 30/min, duration: 1s}}, {steps: {rates: [1, 2], each: 1s}}, {steps: {rates: 5, each: [1s], label: x}}, {sine: {mean: 5, amplitude: 5/s, period: 1s, duration: 2s}}, {poisson: {rate: 1e3, duration: 1s, seed: 3}}, {burst: {requests: 20, rest: 1s, duration: 9s}}, {search: {objective: 'p99<50ms', from: 10, to: '1,000/s', tolerance: 5%}}]",
        "variants: [jar]\ncompanions: [{command: [a, b], port: 9000, fresh: true, ready: {log: up}}]",
    ] {
        let text = format!("tacho: 1\n{more}\n");
        let text = match more.contains("artifact") || more.contains("kind: exec, command: [./a") {
            true => text,
            false => text + "subject: {artifact: a.jar}\n",
        };
        if let Err(problems) = file::parse(&text, Path::new("/")) {
            panic!("{text}: {problems:?}");
        }
        assert_eq!(schema.refuses(&text), None, "{text}");
    }
}

#[test]
fn it_refuses_what_the_reader_refuses_for_its_shape() {
    let schema = Schema::new();
    for more in [
        "variants: jar",
        "variants: []",
        "variants: [jra]",
        "variants: [{kind: jar, nmae: x}]",
        "variants: [jar]\nphase: []",
        "variants: [jar]\nphases: [{cold: {requests: many}}]",
        "variants: [jar]\nphases: [{cold: }]",
        "variants: [jar]\nphases: [{warm: {requests: 5}}]",
        "variants: [jar]\nphases: [{cold: {requests: 5}, rest: 1s}]",
        "variants: [jar]\nphases: [{open: {rate: 500/s, duration: 10}}]",
        "variants: [jar]\nphases: [{open: {rate: fast, duration: 10s}}]",
        "variants: [jar]\nlimits: {memory: lots}",
        "variants: [jar]\nsubject: {artifact: a.jar, port: http}",
        "variants: [jar]\nsubject: {artifact: a.jar, ready: {http: ready}}",
        "variants: [jar]\nsubject: {artifact: a.jar, ready: {port: 8080}}",
        "variants: [jar]\nrequests: [{method: GET}]",
        "variants: [jar]\nduet: maybe",
        "variants: [jar]\nlaunches: often",
        "variants: [jar]\ncompanions: [{port: 1}]",
        "variants: [jar]\ngc-log: loud",
    ] {
        let text = format!("tacho: 1\n{more}\n");
        let text = match more.contains("artifact") {
            true => text,
            false => text + "subject: {artifact: a.jar}\n",
        };
        assert!(file::parse(&text, Path::new("/")).is_err(), "{text}");
        assert!(schema.refuses(&text).is_some(), "{text}");
    }
    assert!(schema.refuses("variants: [jar]\n").is_some());
    assert!(schema.refuses("tacho: 2\nvariants: [jar]\n").is_some());
}

/// The reader names all keys of a mapping when it finds one that is like none of them.
#[test]
fn its_keys_are_those_of_the_reader() {
    const NONE: &str = "qqqqqqqqqq";
    let phase = |kind: &str, needed: &str| {
        let text = format!("phases: [{{{kind}: {{{needed}{NONE}: 1}}}}]");
        (
            text,
            format!("/properties/phases/anyOf/0/items/properties/{kind}"),
        )
    };
    let in_open = "rate: 1, duration: 1s, ";
    let one_variant = "/properties/variants/anyOf/0/items/anyOf/1";
    let mut places = vec![
        (format!("{NONE}: 1"), String::new()),
        (
            format!("subject: {{{NONE}: 1}}"),
            "/properties/subject/anyOf/0".to_owned(),
        ),
        (
            format!("subject: {{ready: {{{NONE}: 1}}}}"),
            "/properties/subject/anyOf/0/properties/ready/anyOf/0".to_owned(),
        ),
        (
            format!("companions: [{{command: a, {NONE}: 1}}]"),
            "/properties/companions/anyOf/0/items".to_owned(),
        ),
        (
            format!("limits: {{{NONE}: 1}}"),
            "/properties/limits/anyOf/0/anyOf/0".to_owned(),
        ),
        (
            format!("diagnose: {{{NONE}: 1}}"),
            "/properties/diagnose/anyOf/0/anyOf/1".to_owned(),
        ),
        (
            format!("requests: [{{path: /a, {NONE}: 1}}]"),
            "/properties/requests/anyOf/0/items/anyOf/1".to_owned(),
        ),
        (
            format!("warm-up: {{{NONE}: 1}}"),
            "/properties/warm-up/anyOf/0/anyOf/1".to_owned(),
        ),
        (
            // `size` and `rest` are those of bursts.
            format!("warm-up: [{{bursts: 1, {NONE}: 1}}]"),
            "/properties/warm-up/anyOf/0/anyOf/0/items/anyOf/1".to_owned(),
        ),
        phase("cold", "requests: 5, "),
        phase("settle", ""),
        phase("closed", "requests: 5, "),
        phase("open", in_open),
        phase("ramp", "from: 1, to: 2, duration: 1s, "),
        phase("steps", "rates: 1, each: 1s, "),
        phase("sine", "mean: 1, amplitude: 1, period: 1s, duration: 1s, "),
        phase("poisson", in_open),
        phase("burst", "requests: 5, rest: 1s, duration: 1s, "),
        phase("search", "objective: 'p99<1s', from: 1, to: 2, "),
    ];
    let (replay, place) = phase("replay", "file: /dev/null, ");
    places.push((replay, place));
    for (more, place) in places {
        let (text, keys) = (format!("tacho: 1\nvariants: [jar]\n{more}\n"), keys(&place));
        let known = known(&text, NONE);
        assert_eq!(known, keys, "{place}");
    }
    let text = format!("tacho: 1\nvariants: [{{kind: jar, {NONE}: 1}}]\n");
    assert_eq!(known(&text, NONE), keys(one_variant));
}

fn keys(place: &str) -> BTreeSet<String> {
    let document = document();
    let mapping = document.pointer(place).unwrap_or_else(|| panic!("{place}"));
    // A key that may be nothing is wrapped.
    let mapping = mapping
        .pointer("/anyOf/0")
        .filter(|_| mapping.get("properties").is_none());
    let whole = document.pointer(place).unwrap();
    let properties = mapping.unwrap_or(whole)["properties"].as_object();
    let properties = properties.unwrap_or_else(|| panic!("{place}: {whole:#}"));
    properties.keys().cloned().collect()
}

fn known(text: &str, none: &str) -> BTreeSet<String> {
    let problems = file::parse(text, Path::new("/")).unwrap_err();
    let said = problems
        .iter()
        .find(|problem| problem.message.contains(none))
        .unwrap_or_else(|| panic!("{text}: {problems:?}"));
    let (_, keys) = said.message.split_once(" knows: ").unwrap();
    keys.split(", ").map(str::to_owned).collect()
}

/// They have the same keys, and another default.
#[test]
fn it_is_said_of_each_when_it_counts_as_ready_if_nothing_is_said() {
    let document = document();
    for (of, otherwise) in [
        (
            "subject/anyOf/0",
            "Else at the first 2xx of a path that is found.",
        ),
        (
            "companions/anyOf/0/items",
            "Else when it accepts a connection.",
        ),
    ] {
        let ready = document.pointer(&format!("/properties/{of}/properties/ready"));
        let said = ready.unwrap()["description"].as_str().unwrap();
        assert!(said.ends_with(otherwise), "{of}: {said}");
    }
}

#[test]
fn docs_hold_the_schema_and_the_page_of_all_keys() {
    for (file, text) in [
        ("docs/schema/experiment.json", render().unwrap()),
        ("docs/experiment.md", reference::page(&document())),
    ] {
        let path = root().join(file);
        if std::env::var_os("TACHO_RENEW_SCHEMAS").is_some() {
            std::fs::write(&path, &text).unwrap();
        }
        assert!(
            std::fs::read_to_string(&path).unwrap_or_default() == text,
            "{file} is not made from the schema any more; renew it with\n  \
             TACHO_RENEW_SCHEMAS=1 cargo test -p tacho-experiment schema"
        );
    }
}
