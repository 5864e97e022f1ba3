use super::*;
use crate::VariantKind;
use crate::model::{OnlyIf, PhaseKind, ReadyCondition};
use proptest::prelude::*;
use std::time::Duration;
use tacho_workload::{Body, Check};

const WHOLE: &str = r#"
tacho: 1
name: cold-start
subject:
  artifact: service/target/service.jar
  build: mvn -q package
  ready: {http: /ping, timeout: 90s}
  jvm-flags: [-Xmx128m, "-XX:+UseSerialGC"]
variants:
  - jar
  - {name: jar-zgc, kind: jar, jvm-flags: [-XX:+UseZGC], jdk: 25}
  - {name: go, kind: exec, command: ./server -port 8080}
baseline: jar
limits:
  - {cpu: 1}
  - {cpu: 250m, memory: 256MiB}
requests:
  - GET /ping
  - {path: /uppercase, headers: {Content-Type: application/json}, body: '{"s":"x"}', weight: 3}
phases:
  - cold: {requests: 5}
  - closed: {requests: 100_000, connections: 1000, ramp: 10s, label: warm-up}
  - closed: {requests: 10}
  - closed: {requests: 10}
  - open: {rate: 500/s, duration: 10s}
  - rest: 1s
launches: 3
seed: 42
rest: 500ms
threshold: 3%
request-timeout: 2m
gc-log: off
diagnose: memory
checks: ['p99<50ms']
"#;

fn problems(text: &str) -> Vec<String> {
    match parse(text, Path::new("/lab")) {
        Ok(experiment) => panic!("accepted: {experiment:?}"),
        Err(problems) => problems
            .iter()
            .map(|p| format!("{}: {}", p.place, p.message))
            .collect(),
    }
}

#[test]
fn aliases_do_not_multiply_and_brackets_do_not_pile_up() {
    let laughs: String = (1..9)
        .map(|n| {
            format!(
                "l{n}: &l{n} [{}]\n",
                vec![format!("*l{}", n - 1); 9].join(", ")
            )
        })
        .collect();
    let laughs = format!("l0: &l0 [ha, ha]\n{laughs}");
    let long = format!(
        "a: &a {}\nb: [{}]\n",
        "x".repeat(1 << 20),
        ["*a"; 1000].join(", ")
    );
    let deep = "[".repeat(100);
    let many = "- a\n".repeat(1_000_000);
    for (text, why) in [
        (long, "more than 128 MiB"),
        (deep, "deeper than 64"),
        (many, "more than 128 MiB"),
        (laughs, "more than 128 MiB"),
    ] {
        let problems = parse(&text, Path::new("/")).unwrap_err();
        assert!(problems[0].message.contains(why), "{}", problems[0].message);
    }
}

#[test]
fn a_duet_is_asked_for_by_true() {
    let text =
        |line: &str| format!("tacho: 1\nsubject: {{artifact: a.jar}}\nvariants: [jar]\n{line}");
    let duet = |line: &str| parse(&text(line), Path::new("/")).unwrap().duet;
    assert!(duet("duet: true") && !duet("duet: false") && !duet(""));
    let said = problems(&text("duet: maybe"));
    assert!(
        said[0].contains("`duet` must be `true` or `false`"),
        "{said:?}"
    );
}

#[test]
fn a_whole_experiment_is_read() {
    let experiment = parse(WHOLE, Path::new("/lab")).unwrap();
    assert_eq!(experiment.name, "cold-start");
    assert_eq!(
        experiment.subject.artifact.as_deref(),
        Some(Path::new("/lab/service/target/service.jar"))
    );
    assert_eq!(
        experiment.subject.ready.condition,
        ReadyCondition::Http("/ping".into())
    );
    assert_eq!(experiment.subject.ready.timeout, Duration::from_secs(90));
    let names: Vec<&str> = experiment
        .variants
        .iter()
        .map(|v| v.name.as_str())
        .collect();
    assert_eq!(names, ["jar", "jar-zgc", "go"]);
    assert_eq!(experiment.variants[2].kind, VariantKind::Exec);
    assert_eq!(
        experiment.variants[2].command,
        ["./server", "-port", "8080"]
    );
    assert_eq!(experiment.variants[1].overrides.jdk.as_deref(), Some("25"));
    let limits: Vec<&str> = experiment.limits.iter().map(|l| l.name.as_str()).collect();
    assert_eq!(limits, ["1cpu", "0.25cpu-256MiB"]);
    let requests = experiment.requests.unwrap();
    assert_eq!(requests[1].steps[0].method, "POST");
    assert_eq!(requests[1].weight, 3.0);
    let labels: Vec<&str> = experiment.phases.iter().map(|p| p.label.as_str()).collect();
    assert_eq!(
        labels,
        ["cold", "warm-up", "closed", "closed-2", "open", "rest"]
    );
    assert_eq!(
        experiment.phases[1].kind,
        PhaseKind::Closed {
            requests: Some(100_000),
            duration_s: None,
            connections: 1000,
            ramp_s: 10.0,
            think: None,
        }
    );
    assert_eq!(experiment.launches, Launches::Fixed(3));
    assert_eq!(experiment.seed, 42);
    assert_eq!(experiment.threshold, 0.03);
    assert_eq!(experiment.request_timeout, Duration::from_secs(120));
    assert_eq!(experiment.gc_log, GcLog::Off);
    assert_eq!(experiment.diagnose, crate::Diagnose::Memory);
}

#[test]
fn what_a_diagnosis_is_told_stands_in_the_file_as_well() {
    let text = |subject: &str, diagnose: &str| {
        format!("tacho: 1\nsubject: {{artifact: a.jar{subject}}}\nvariants: [jar]\n{diagnose}\n")
    };
    let read =
        |subject: &str, diagnose: &str| parse(&text(subject, diagnose), Path::new("/lab")).unwrap();
    let experiment = read(
        ", port: 8080, own: [com.acme, org.helpers.*]",
        "diagnose: {memory: true, connections: 8}",
    );
    assert_eq!(experiment.subject.port, Some(8080));
    assert_eq!(experiment.subject.own, ["com.acme", "org.helpers.*"]);
    assert_eq!(experiment.connections, Some(8));
    assert_eq!(experiment.diagnose, crate::Diagnose::Memory);
    let experiment = read("", "diagnose: {connections: 8}");
    assert_eq!(experiment.diagnose, crate::Diagnose::Off);
    assert_eq!(read("", "diagnose: memory").connections, None);
    assert_eq!(
        problems(&text(
            ", own: com/acme",
            "diagnose: {connections: 20000, memry: true}"
        )),
        [
            "2:10: `own` must be packages, such as `com.acme`, not `com/acme`",
            "4:11: `connections` must be between 1 and 10000",
            "4:32: unknown key `memry` in `diagnose`; did you mean `memory`?",
        ]
    );
    assert!(
        problems(&text("", "diagnose: [memory]"))[0]
            .contains("such as `{memory: true, connections: 8}`")
    );
    // The application is one: no variant has packages of its own.
    let variant = text("", "").replace("[jar]", "[{kind: jar, own: com.acme}]");
    assert!(problems(&variant)[0].contains("unknown key `own` in a variant"));
}

#[test]
fn an_unknown_key_is_named_with_its_place_and_the_nearest_right_one() {
    let text = "tacho: 1\nsubject: {artifact: a.jar}\nvariants: [jar]\nlaunchs: 3\n";
    assert_eq!(
        problems(text),
        ["4:1: unknown key `launchs` in the experiment; did you mean `launches`?"]
    );
    let text = "tacho: 1\nsubject:\n  artifact: a.jar\n  jvm_flags: [-Xmx1g]\nvariants: [jar]\n";
    assert_eq!(
        problems(text),
        ["4:3: unknown key `jvm_flags` in the subject; did you mean `jvm-flags`?"]
    );
}

#[test]
fn a_key_that_resembles_nothing_is_answered_with_the_list() {
    let text = "tacho: 1\nsubject: {artifact: a.jar}\nvariants: [jar]\nphases:\n  - cold: {requests: 5, zzz: 1}\n";
    assert_eq!(
        problems(text),
        ["5:25: unknown key `zzz` in a cold phase; a cold phase knows: label, requests"]
    );
}

#[test]
fn all_problems_are_shown_at_once_in_the_order_of_the_text() {
    let text = "tacho: 1\nsubject: {artifact: a.jar, port: 99999}\nvariants: [jarr]\nlimits: {cpu: none, memory: 256}\nphases:\n  - opn: {rate: 1}\n";
    assert_eq!(
        problems(text),
        [
            "2:34: `port` must be between 1 and 65535, not `99999`; leave it out and Tacho finds it",
            "3:12: there is no variant kind `jarr`; did you mean `jar`?",
            "4:15: `cpu` must be a number of processors such as 1, 0.25 or 250m, not `none`, which does not begin with a number",
            "4:29: `memory` must be a size such as 256MiB, 512M or 1GiB, not `256`, which has no unit",
            "6:5: there is no phase kind `opn`; did you mean `open`?",
        ]
    );
}

#[test]
fn what_is_missing_is_named_with_an_example() {
    assert_eq!(
        problems("tacho: 1\nvariants: [jar]\nphases:\n  - open: {duration: 5s}\n"),
        [
            "1:1: variant `jar` has nothing to be made from; add `subject: {artifact: path/to/app.jar}`",
            "4:11: an open phase needs `rate`, for example `rate: 500/s`",
        ]
    );
    assert_eq!(
        problems("name: x\nvariants: []\n"),
        [
            "1:1: the experiment needs its format: begin it with `tacho: 1`",
            "2:11: `variants` is empty; name at least one, for example `[jar]`",
        ]
    );
}

#[test]
fn a_newer_format_is_refused_and_broken_yaml_has_its_place() {
    assert!(
        problems("tacho: 2\nsubject: {artifact: a}\nvariants: [jar]\n")[0]
            .starts_with("1:8: this Tacho reads")
    );
    assert!(problems("tacho: 1\nvariants: [jar\n")[0].starts_with("3:"));
    assert!(problems("tacho: 1\ntacho: 1\n")[0].contains("duplicated key"));
    assert!(problems("")[0].contains("empty; `tacho init app.jar` writes"));
}

#[test]
fn the_baseline_must_be_a_variant() {
    let text =
        "tacho: 1\nsubject: {artifact: a.jar}\nvariants: [jar, extracted]\nbaseline: extractd\n";
    assert_eq!(
        problems(text),
        ["4:11: `baseline` names no variant: `extractd`; did you mean `extracted`?"]
    );
}

#[test]
fn a_second_variant_of_the_same_name_is_refused() {
    let text = "tacho: 1\nsubject: {artifact: a.jar}\nvariants: [jar, {kind: jar, jdk: 17}]\n";
    assert_eq!(
        problems(text),
        ["3:17: a second variant has the name `jar`; give it a `name` of its own"]
    );
}

proptest! {
    #[test]
    fn no_text_makes_the_reader_panic(text in "(tacho: 1\n)?([a-z:\\[\\]{}&*!|>'\"# \n,-]{0,80})") {
        let _ = parse(&text, Path::new("/lab"));
    }

    #[test]
    fn damage_anywhere_in_a_whole_file_never_panics(at in 0usize..900, with in any::<char>()) {
        let mut text: Vec<char> = WHOLE.chars().collect();
        let at = at % text.len();
        text[at] = with;
        let _ = parse(&text.into_iter().collect::<String>(), Path::new("/lab"));
    }
}

#[test]
fn a_file_of_phases_alone_is_read_with_the_same_care() {
    let folder = Path::new("/");
    let phases = super::parse_phases(
        "phases:\n  - closed: {duration: 5s}\n  - open: {rate: 100, duration: 2s}\n",
        folder,
        1,
    );
    assert_eq!(phases.unwrap().len(), 2);
    let problem = |text| {
        super::parse_phases(text, folder, 1).unwrap_err()[0]
            .message
            .clone()
    };
    assert!(problem("phases:\n  - closd: {duration: 5s}\n").contains("closed"));
    assert!(problem("{}").contains("needs `phases:`"));
    assert!(problem("").starts_with("the file is empty; a file of phases holds `phases:`"));
    assert!(problem("phases: [{rest: 1s}]\nvariants: [jar]\n").contains("variants"));
}

#[test]
fn a_sweep_over_warm_ups_makes_variants_of_recipes() {
    let text = "tacho: 1
name: x
subject: {artifact: app.jar}
pods: 2
warm-up:
  objective: 50ms
  recipes: [none, 1000, {bursts: 100, size: 10, rest: 50ms}, {each: 20, connections: 4, boost-cpu: 2}]
variants: [jar, {kind: aot, training: start-up, warm-up: {settled: {at-most: 500}}}]
requests:
  - {path: /users, template: '{\"n\": {{counter}}}'}
";
    let experiment = parse(text, Path::new("/x")).unwrap();
    let names: Vec<&str> = experiment
        .variants
        .iter()
        .map(|v| v.name.as_str())
        .collect();
    assert_eq!(
        names,
        [
            "jar",
            "jar-1000",
            "jar-bursts-100",
            "jar-each-20-boost-2",
            "aot"
        ]
    );
    assert_eq!((experiment.pods, experiment.baseline.as_str()), (2, "jar"));
    assert_eq!(experiment.warm_up.unwrap().objective_ms, Some(50.0));
    let of = |nth: usize| {
        experiment.variants[nth]
            .warm_up
            .as_ref()
            .unwrap()
            .describe()
    };
    assert_eq!(of(2), "100 requests in bursts of 10, 50 ms apart");
    assert_eq!(
        of(3),
        "20 of each request over 4 connections with 2 processors until warm"
    );
    assert_eq!(of(4), "requests until settled, at least 500");
    assert_eq!(experiment.variants[4].training, crate::Training::StartUp);
    assert_eq!(experiment.requests.unwrap()[0].steps[0].method, "POST");
}

#[test]
fn the_name_of_a_variants_own_warm_up_follows_its_name() {
    let text = "tacho: 1
subject: {artifact: app.jar}
variants: [jar, {kind: jar, warm-up: {requests: 100, name: hot}}, {name: b, kind: jar, warm-up: 100}]
baseline: jar-hot
requests: [/]
";
    let experiment = parse(text, Path::new("/x")).unwrap();
    let names = experiment.variants.iter().map(|v| v.name.as_str());
    assert_eq!(names.collect::<Vec<_>>(), ["jar", "jar-hot", "b"]);
}

#[test]
fn a_readiness_without_a_value_is_that_of_the_subject() {
    let text = "tacho: 1
subject: {artifact: a.jar, ready: {log: up}}
variants: [{kind: jar, ready: }, {name: b, kind: jar, ready: {port: true}}]
";
    let variants = parse(text, Path::new("/x")).unwrap().variants;
    assert_eq!(
        [variants[0].own_ready, variants[1].own_ready],
        [false, true]
    );
}

#[test]
fn a_jdk_by_its_path_counts_from_the_experiments_folder() {
    let text = "tacho: 1
subject: {artifact: a.jar, jdk: ../jdks/25}
variants: [jar, {name: b, kind: jar, jdk: 17}, {name: c, kind: jar, jdk: /opt/jdk}]
";
    let experiment = parse(text, Path::new("/x")).unwrap();
    let own = experiment
        .variants
        .iter()
        .map(|v| v.overrides.jdk.as_deref());
    assert_eq!(experiment.subject.jdk.as_deref(), Some("/x/../jdks/25"));
    assert_eq!(
        own.collect::<Vec<_>>(),
        [None, Some("17"), Some("/opt/jdk")]
    );
}

#[test]
fn warm_ups_that_cannot_be_are_refused_with_their_place() {
    for (line, says) in [
        (
            "warm-up: [hot]",
            "a warm-up is `none`, a number of requests",
        ),
        ("warm-up: [{size: 5}]", "a warm-up says what is sent"),
        (
            "warm-up: [100, {requests: 100}]",
            "stands here a second time",
        ),
        ("warm-up: [{requests: 1, each: 2}]", "takes one of"),
        (
            "warm-up: [{requests: 1, name: a/b}]",
            "`name` may hold letters",
        ),
        (
            "variants: [{kind: jar, warm-up: {requests: 1, name: ../a}}]",
            "`name` may hold letters",
        ),
        (
            "variants: [jar, {name: jar-100, kind: jar}]\nwarm-up: [none, 100]",
            "with the name of its warm-up, a second variant is called `jar-100`",
        ),
        ("warm-up: {recipes: 100}", "must be a list"),
        (
            "variants: [{kind: jar, training: start-up}]",
            "belongs to `cds` and `aot`",
        ),
        (
            "variants: [{kind: aot, training: hard}]",
            "must be `requests`",
        ),
        ("requests: [{path: /, body: a, template: b}]", "not both"),
        ("requests: [{path: /, events: 0}]", "a whole number from 1"),
        (
            "requests: [{path: /, events: some}]",
            "a whole number from 1",
        ),
    ] {
        let variants = if line.starts_with("variants") {
            ""
        } else {
            "variants: [jar]\n"
        };
        let text = format!("tacho: 1\nname: x\nsubject: {{artifact: app.jar}}\n{variants}{line}\n");
        let problems = parse(&text, Path::new("/x")).unwrap_err();
        let all = format!("{problems:?}");
        assert!(all.contains(says), "{line}: {all}");
    }
}

#[test]
fn a_variant_may_be_left_out_where_it_cannot_be_had() {
    let text = "tacho: 1\nsubject: {artifact: a.jar}\nvariants:\n  - jar\n  - {kind: jlink, only-if: possible}\n  - {kind: native, only-if: built}\n";
    let conditions: Vec<Option<OnlyIf>> = parse(text, Path::new("/"))
        .unwrap()
        .variants
        .iter()
        .map(|variant| variant.only_if)
        .collect();
    assert_eq!(
        conditions,
        [None, Some(OnlyIf::Possible), Some(OnlyIf::Built)]
    );
    let text = "tacho: 1\nsubject: {artifact: a.jar}\nvariants: [{kind: jar, only-if: maybe}]\n";
    assert_eq!(
        problems(text),
        [
            "3:33: `only-if` must be `possible` (it can be made here) or `built` (what takes minutes was made before), not `maybe`"
        ]
    );
}

fn with_requests(lines: &str) -> String {
    format!("tacho: 1\nsubject: {{artifact: a.jar}}\nvariants: [jar]\nrequests:\n{lines}")
}

#[test]
fn an_answer_may_end_with_one_of_its_events() {
    let text = with_requests("  - {path: /prices, events: 3}\n  - /ping\n");
    let requests = parse(&text, Path::new("/")).unwrap().requests.unwrap();
    let events = requests.iter().map(|request| request.steps[0].events);
    let events: Vec<_> = events.map(|events| events.map(u32::from)).collect();
    assert_eq!(events, [Some(3), None]);
}

#[test]
fn a_request_may_say_which_status_is_right() {
    let text =
        with_requests("  - {path: /old, status: 302}\n  - {path: /a, status: '200-299,404'}\n");
    let requests = parse(&text, Path::new("/")).unwrap().requests.unwrap();
    let checks = requests
        .iter()
        .map(|request| request.steps[0].checks.clone());
    let expected = [
        vec![Check::Status(vec![(302, 302)])],
        vec![Check::Status(vec![(200, 299), (404, 404)])],
    ];
    assert_eq!(checks.collect::<Vec<_>>(), expected);
    let text = with_requests("  - {path: /, status: fine}\n");
    assert_eq!(
        problems(&text),
        [
            "5:23: `status`: `fine` is no status; give one from 200 to 599, or a range such as 200-299"
        ]
    );
}

#[test]
fn placeholders_may_stand_in_path_headers_and_template_of_a_request() {
    let text = with_requests(
        "  - GET /users/{{random 1 9}}
  - {path: '/a/{{counter}}?t={{now s}}', headers: {X-Id: '{{uuid}}'}, weight: 3}
  - {path: /a, template: 'n={{counter}}'}
  - {path: /a, body: '{{as it stands'}
",
    );
    let requests = parse(&text, Path::new("/")).unwrap().requests.unwrap();
    let steps = requests.iter().map(|request| &request.steps[0]);
    let read: Vec<(&str, &str, &Body)> = steps
        .map(|step| (step.method.as_str(), step.path.as_str(), &step.body))
        .collect();
    let template = Body::Template("n={{counter}}".to_owned());
    let bytes = Body::Bytes(b"{{as it stands".to_vec());
    assert_eq!(
        read,
        [
            ("GET", "/users/{{random 1 9}}", &Body::None),
            ("GET", "/a/{{counter}}?t={{now s}}", &Body::None),
            ("POST", "/a", &template),
            ("POST", "/a", &bytes),
        ]
    );
    assert_eq!(
        requests[1].steps[0].headers,
        [("X-Id".to_owned(), "{{uuid}}".to_owned())]
    );
    assert_eq!((requests[1].weight, requests[2].weight), (3.0, 1.0));
}

#[test]
fn a_request_that_cannot_be_sent_is_named_with_its_place() {
    let text = with_requests(
        "  - GET /{{user.id}}
  - {path: '/{{counter', name: open}
  - {path: /, headers: {X: '{{token}}'}}
  - {path: /, headers: {X Y: a}}
  - {path: /, body: abc, headers: {Content-Length: 7}}
  - {path: /a b, method: get}
  - get /
",
    );
    let unknown = "is neither built in (counter, random, uuid, now), nor a column of a feed (`feed.column`), nor captured by an earlier step; write `{{\"{{\"}}` where two braces are meant as they stand";
    let expected = [
        format!("5:5: request `GET /{{{{user.id}}}}`, path: `user.id` at line 1, column 2 {unknown}"),
        "6:5: request `open`, path: the placeholder at line 1, column 2 is not closed; close it with `}}`, or write `{{\"{{\"}}` where two braces are meant as they stand".to_owned(),
        format!("7:5: request `GET /`, header `X`: `token` at line 1, column 1 {unknown}"),
        "8:5: request `GET /`: the header `X Y` holds a character that ends or breaks a header line; remove it".to_owned(),
        "9:5: request `POST /`: Content-Length is given as `7`, but the body has 3 bytes; leave it out, it is added".to_owned(),
        "10:12: `path` must begin with `/` and hold no space or `#`, not `/a b`".to_owned(),
        "10:26: `method` must be a word such as GET or POST, not `get`".to_owned(),
        "11:5: a request is written as `GET /path` or as a mapping, not `get /`".to_owned(),
    ];
    assert_eq!(problems(&text), expected);
}

#[test]
fn a_manifest_of_a_cluster_is_told_for_what_it_is() {
    let text =
        "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: users}\n---\nkind: Service\n";
    let problems = parse(text, Path::new(".")).unwrap_err();
    assert_eq!(problems.len(), 1, "{problems:?}");
    assert!(problems[0].message.contains("manifest of Kubernetes"));
}
