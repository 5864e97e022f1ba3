//! `page OUT.html [RUN]`: the page of a diagnosis anew, from its run folder; without one, of
//! made-up figures, to be looked at and driven by a browser. `page OUT.html --profile`: that of a
//! profile, of made-up figures.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::path::Path;
use tacho_diagnosis::{Own, find};
use tacho_diagnosis_report::export::Format;
use tacho_diagnosis_report::profile::{Cost, ProfileReport, render, top};
use tacho_diagnosis_report::trace::rows;
use tacho_diagnosis_report::{Conclusion, DiagnosisReport, ExportedFile, Measured, html};
use tacho_run_folder::{
    CertificateState, Dissection, FORMAT, Interval, Ledger, LedgerEntry, LedgerKind, LeftOut,
    NotObserved, RunFolder, TracedCallee, TracedNode, Verdict, Window,
};

fn main() {
    let mut arguments = std::env::args().skip(1);
    let out = arguments.next().expect("usage: page OUT.html [RUN]");
    let what = arguments.next();
    if what.as_deref() == Some("--profile") {
        std::fs::write(out, made_up_profile()).unwrap();
        return;
    }
    let (report, baseline, candidate) = match what {
        Some(run) => of_run(Path::new(&run)),
        None => made_up(),
    };
    let page = html::render(&report, baseline.as_ref(), candidate.as_ref()).unwrap();
    std::fs::write(out, page).unwrap();
}

/// What a page is made of.
pub type Told = (DiagnosisReport, Option<Dissection>, Option<Dissection>);

fn of_run(path: &Path) -> Told {
    let folder = RunFolder::open(path).unwrap();
    let text = std::fs::read_to_string(path.join("diagnose.json")).unwrap();
    let report: DiagnosisReport = serde_json::from_str(&text).unwrap();
    let cells = folder.plan().unwrap().cells;
    let launches = folder.diagnoses().unwrap();
    let seen: Vec<Dissection> = launches
        .iter()
        .filter_map(|launch| launch.dissection().unwrap())
        .collect();
    let of = |variant: &str| {
        let cell = cells.iter().find(|cell| cell.variant == variant)?;
        seen.iter().find(|seen| seen.cell == cell.id).cloned()
    };
    let baseline = report.baseline.as_deref().and_then(of);
    let candidate = of(&report.candidate);
    (report, baseline, candidate)
}

/// A shop that looks for an absent class in each request; with names that try to be markup.
pub fn made_up() -> Told {
    let baseline = build(0.4, 0.0);
    let candidate = build(0.4, 1.6);
    let figure = |value: f64| Interval {
        value,
        low: value * 0.95,
        high: value * 1.05,
    };
    let mut findings = find(Some(&baseline), &candidate, None);
    findings.missing.push(NotObserved {
        what: "allocation by <b>class</b>".into(),
        why: "this is made up".into(),
    });
    let report = DiagnosisReport {
        format: FORMAT,
        name: "made-up".into(),
        baseline: Some("old & <b>bold</b>".into()),
        candidate: "new".into(),
        stored: None,
        conclusion: Conclusion::Explained,
        failures: Vec::new(),
        measured: vec![Measured {
            id: "measured.cpu_per_request_ms".into(),
            name: "CPU time a request, measured".into(),
            unit: "ms".into(),
            baseline: Some(figure(0.4)),
            candidate: figure(2.0),
            ratio: Some(figure(5.0)),
            verdict: Some(Verdict::Worse),
            decides: true,
            threshold: Some(0.05),
            launches: 5,
        }],
        certificate: CertificateState::Valid,
        findings: Some(findings),
        changes: None,
        counterfactuals: Vec::new(),
        notes: Vec::new(),
        counts: Vec::new(),
        remote: None,
        trace: rows(Some(&baseline), &candidate),
        files: [
            (
                "processor-candidate.pb.gz",
                Format::Pprof,
                Some(LedgerKind::Processor),
            ),
            ("diagnosis/new/processor.jfr", Format::Jfr, None),
        ]
        .map(|(path, format, of)| ExportedFile {
            path: path.into(),
            build: "candidate".into(),
            format,
            of,
        })
        .into(),
        folder: "made-up".into(),
    };
    (report, Some(baseline), Some(candidate))
}

/// The candidate's shop as `tacho profile` sees it.
pub fn made_up_profile() -> String {
    let mut ledgers = build(0.4, 1.6).ledgers;
    ledgers.retain(|ledger| ledger.kind != LedgerKind::ClassLookUps);
    for ledger in &mut ledgers {
        ledger.requests = 1;
    }
    let own = Own::of(&["shop.".into()]);
    let costs = ledgers.iter().map(|ledger| Cost {
        kind: ledger.kind,
        unit: "ns",
        samples: ledger.entries.iter().map(|entry| entry.count).sum(),
        sum: ledger.entries.iter().map(|entry| entry.cost).sum(),
        top: top(ledger, &own, 8),
    });
    let report = ProfileReport {
        pid: 4711,
        program: "shop & <b>bold</b>.jar".into(),
        instrument: "made up".into(),
        began_at: "2026-11-22T10:00:00Z".into(),
        elapsed_s: 10.0,
        processor_s: 2.0,
        requests: None,
        own: vec!["shop.".into()],
        costs: costs.collect(),
        notes: vec!["this is made up".into()],
        interrupted: false,
        folder: "made-up".into(),
        files: ["profile.html", "profile.jfr", "processor.pb.gz"]
            .map(str::to_owned)
            .into(),
    };
    render(&report, &ledgers).unwrap()
}

/// Milliseconds a request of work, and of looking for a class.
fn build(work_ms: f64, look_ups_ms: f64) -> Dissection {
    const REQUESTS: u64 = 1000;
    let outer = [
        "shop.Orders.lambda$total$3:17",
        "org.web.Server$$Lambda$8.run:1",
        "java.lang.Thread.run:840",
    ];
    let entry = |key: &str, inner: &[&str], count: u64, ms: f64| LedgerEntry {
        key: key.into(),
        frames: inner
            .iter()
            .chain(&outer)
            .map(|f| (*f).to_owned())
            .collect(),
        count: count * REQUESTS,
        cost: ms * 1e6 * REQUESTS as f64,
        ..LedgerEntry::default()
    };
    let ledger = |kind, exact, entries| Ledger {
        kind,
        window: "processor".into(),
        requests: REQUESTS,
        exact,
        entries,
        threads: Default::default(),
        left_out: LeftOut::default(),
    };
    let searched = [
        "java.util.zip.ZipFile.getEntry:320",
        "org.boot.loader.JarLoader.findClass:88",
        "java.lang.ClassLoader.loadClass:526",
        "shop.</script><img src=x onerror=alert(1)>.find:3",
    ];
    let worked = ["java.util.HashMap.get:564", "org.lib.Prices.of:12"];
    let seen = (look_ups_ms > 0.0).then(|| LedgerEntry {
        outcome: Some("java.lang.ClassNotFoundException".into()),
        loader: Some("org.boot.loader.JarLoader".into()),
        ..entry("org.absent.Module", &searched[2..], 24, look_ups_ms)
    });
    let window = |name: &str| Window {
        name: name.into(),
        instrument: "made up".into(),
        requests: REQUESTS,
        duration_s: 1.0,
        processor_s: work_ms + look_ups_ms,
        mean_ms: work_ms + look_ups_ms,
        busy: 0.2,
        ..Window::default()
    };
    let call = |method: &str, line, times: u64, ms: f64| TracedCallee {
        method: method.into(),
        line: Some(line),
        calls: times * REQUESTS,
        total_ns: (ms * 1e6 * REQUESTS as f64) as u64,
        failed: 0,
        estimated: look_ups_ms > 0.0,
    };
    let node = |parent, method: &str, ms: f64, callees| TracedNode {
        requests: REQUESTS,
        parent,
        method: method.into(),
        calls: REQUESTS,
        total_ns: (ms * 1e6 * REQUESTS as f64) as u64,
        failed: 0,
        timed: (look_ups_ms > 0.0).then_some(REQUESTS / 5),
        callees,
    };
    let finder = "shop.</script><img src=x onerror=alert(1)>.find";
    let mut lambda = vec![call("org.lib.Prices.of", 18, 12, work_ms)];
    if look_ups_ms > 0.0 {
        lambda.push(call(finder, 19, 24, look_ups_ms));
    }
    let trees = vec![
        node(
            None,
            "shop.Orders.total",
            work_ms + look_ups_ms + 0.1,
            vec![call(
                "java.util.function.Supplier.get",
                17,
                1,
                work_ms + look_ups_ms + 0.05,
            )],
        ),
        node(
            Some((0, 0)),
            "shop.Orders.lambda$total$3",
            work_ms + look_ups_ms + 0.04,
            lambda,
        ),
    ];
    Dissection {
        cell: "made-up".into(),
        trees,
        processors: 1.0,
        own: vec!["shop.".into()],
        windows: vec![window("plain"), window("processor")],
        ledgers: vec![
            ledger(
                LedgerKind::Processor,
                false,
                vec![
                    entry("", &searched, 1, look_ups_ms),
                    entry("", &worked, 1, work_ms),
                ],
            ),
            ledger(
                LedgerKind::LockWaits,
                true,
                vec![entry(
                    "org.boot.loader.JarLoader",
                    &searched[1..],
                    1,
                    0.1 + look_ups_ms / 8.0,
                )],
            ),
            ledger(LedgerKind::ClassLookUps, true, seen.into_iter().collect()),
        ],
        ..Dissection::default()
    }
}
