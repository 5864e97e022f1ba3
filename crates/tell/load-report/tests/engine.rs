//! What the engine records is what the report reads: a phase against a server, from the generator
//! to the JSON.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use tacho_load::testkit::{Act, TestServer, source};
use tacho_load::{Anchor, Control, Endpoint, Generator, Options, Recorder};
use tacho_load_report::{
    Check, LiveView, LoadRun, Pace, Phase, PhaseView, Run, Surface, markdown, text,
};
use tacho_report::terminal::Style;
use tacho_run_folder::{CertificateState, PhaseKind, PhasePlan};
use tacho_workload::Step;

#[test]
fn a_phase_of_the_engine_is_reported_to_the_last_request() {
    let server = TestServer::start(|seen| {
        if seen.head.starts_with("GET /missing") {
            vec![Act::status(404, "no")]
        } else {
            vec![Act::ok("ok")]
        }
    });
    let steps = [Step::get("/ping"), Step::get("/missing")];
    let endpoint = Endpoint::new(server.address());
    let source = source(&steps, &endpoint);
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let anchor = Anchor::now();
    let files = ["phases.hlog", "requests.csv", "slowest.csv"].map(path);
    let mut recorder = Recorder::create_files(&files[0], &files[1], &files[2], anchor).unwrap();
    let mut generator = Generator::new(endpoint, source, Options::default()).unwrap();
    let control = Control::new();
    let view = LiveView::start(Surface::Off, &control, recorder.live());
    view.phase(PhaseView {
        label: "open".into(),
        duration_s: Some(2.0),
        pace: Pace::Constant(300.0),
        connections: 8,
        ..PhaseView::default()
    });
    let plan = PhasePlan {
        label: "open".into(),
        kind: PhaseKind::Open {
            rate: 300.0,
            duration_s: 2.0,
            connections: 8,
        },
    };
    let record = generator.run(0, &plan, &mut recorder, &control).unwrap();
    view.phase_ended();
    view.finish();

    let names = steps.map(|r| r.name);
    // It may be that all that ends within one second has failed: when it ends is the scheduler's.
    let checks = ["errors<100%", "errors<=100% over every 1s"].map(|c| Check::parse(c).unwrap());
    let run = LoadRun::read(&Run {
        url: "http://127.0.0.1/",
        requests: &names,
        phases: &[Phase {
            index: 0,
            what: "300/s".into(),
            connections: 8,
            always_busy: false,
            record: &record,
        }],
        histograms: &files[0],
        slowest: &files[2],
        cpus: 2,
        checks: &checks,
        search: None,
        notes: &["the subject's certificate was not checked, as was asked for".to_owned()],
        source_trouble: &["feed `users`: 3 rows were passed over".to_owned()],
    })
    .unwrap();
    let report = &run.report;
    assert_eq!(report.requests, 600);
    let count = |name: &str| report.outcomes[name].count;
    assert_eq!(count("2xx") + count("4xx"), 600);
    assert!(report.outcomes["4xx"].example.is_some());
    assert_eq!(report.response_time_ms, record.response_time_ms);
    // From the log of seconds comes what the totals say.
    let distributions = &run.distributions[0];
    let from_log = distributions.response.quantiles().unwrap();
    let totals = record.response_time_ms.unwrap();
    assert_eq!((from_log.count, from_log.p99), (totals.count, totals.p99));
    assert_eq!(from_log.max, totals.max);
    assert_eq!(
        distributions.generator_lag.quantiles().map(|q| q.p99_9),
        record.generator_lag_ms.map(|q| q.p99_9)
    );
    let kinds: Vec<(u64, u64)> = report
        .requests_by_kind
        .iter()
        .map(|k| (k.succeeded, k.failed))
        .collect();
    assert_eq!(kinds, [(count("2xx"), 0), (0, count("4xx"))]);
    for what in ["records", "littles-law", "interrupted"] {
        let evidence = report.certificate.evidence.iter();
        let found = evidence.clone().find(|e| e.what == what).unwrap();
        assert_eq!(found.state, CertificateState::Valid, "{found:?}");
    }
    assert!(
        report.checks.iter().all(|c| c.passed),
        "{:?}",
        report.checks
    );
    assert!(text::render(&run, &Style::default()).contains("600 requests"));
    assert_eq!(report.notes.len(), 1);
    let source = report.certificate.evidence.last().unwrap();
    assert_eq!(
        (source.what.as_str(), source.state),
        ("source", CertificateState::Degraded)
    );
    assert!(markdown::render(report).contains("- note: the subject's certificate was not checked"));
}
