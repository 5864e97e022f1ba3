//! JUnit XML, which every CI server shows: one test case a check, and one for the certificate.

use crate::model::{Certificate, CheckReport, LoadReport};
use std::fmt::Write as _;
use tacho_report::junit::escape;
use tacho_report::words;
use tacho_run_folder::CertificateState;

struct Case<'a> {
    name: &'a str,
    /// Message and text.
    failure: Option<(String, String)>,
    output: String,
}

/// The whole file. `started_at` is the wall clock of the run's beginning, RFC 3339.
#[must_use]
pub fn render(report: &LoadReport, started_at: &str) -> String {
    let mut cases = vec![certificate(&report.certificate)];
    cases.extend(report.checks.iter().map(check));
    let failures = cases.iter().filter(|c| c.failure.is_some()).count();
    let counts = format!(
        "tests=\"{}\" failures=\"{failures}\" errors=\"0\" skipped=\"0\"",
        cases.len()
    );
    let mut xml = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    let _ = writeln!(xml, "<testsuites name=\"tacho\" {counts}>");
    let _ = writeln!(
        xml,
        "  <testsuite name=\"{}\" {counts} time=\"{:.3}\" timestamp=\"{}\">",
        escape(&format!("tacho load {}", report.url)),
        report.duration_s,
        escape(started_at)
    );
    for case in &cases {
        write_case(&mut xml, case);
    }
    xml.push_str("  </testsuite>\n</testsuites>\n");
    xml
}

fn write_case(xml: &mut String, case: &Case<'_>) {
    let _ = writeln!(
        xml,
        "    <testcase classname=\"tacho.load\" name=\"{}\" time=\"0\">",
        escape(case.name)
    );
    if let Some((message, text)) = &case.failure {
        let _ = writeln!(
            xml,
            "      <failure message=\"{}\">{}</failure>",
            escape(message),
            escape(text)
        );
    }
    if !case.output.is_empty() {
        let _ = writeln!(
            xml,
            "      <system-out>{}</system-out>",
            escape(&case.output)
        );
    }
    xml.push_str("    </testcase>\n");
}

/// Degraded is a caution, not a failure; invalid is one.
fn certificate(certificate: &Certificate) -> Case<'static> {
    let lines: Vec<String> = certificate
        .evidence
        .iter()
        .map(|e| format!("{} {}: {}", words::certificate(e.state), e.what, e.text))
        .collect();
    let evidence = lines.join("\n");
    Case {
        name: "certificate",
        failure: (certificate.state == CertificateState::Invalid).then(|| {
            let meaning = words::certificate_meaning(certificate.state);
            (
                format!("The certificate is invalid: {meaning}"),
                evidence.clone(),
            )
        }),
        output: evidence,
    }
}

fn check(check: &CheckReport) -> Case<'_> {
    Case {
        name: &check.check,
        failure: (!check.passed).then(|| {
            let message = format!("{} does not hold: {}", check.check, check.text);
            (message, check.text.clone())
        }),
        output: if check.passed {
            check.text.clone()
        } else {
            String::new()
        },
    }
}
