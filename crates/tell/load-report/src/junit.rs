//! JUnit XML, which every CI server shows: one test case a check, and one for the certificate.

use crate::model::{Certificate, CheckReport, LoadReport};
use crate::{Exporter, Format};
use tacho_report::junit::{Case, Failure, Suite, certificate_case, write};

/// A load run as JUnit XML.
pub const JUNIT: Format = Exporter {
    option: "junit",
    variable: "TACHO_JUNIT",
    help: "Checks as JUnit XML (-)",
    export: |of| Ok(render(&of.run.report, &of.started_at).into_bytes()),
};

/// By which CI servers group.
const CLASS: &str = "tacho.load";

/// The whole file. `started_at` is the wall clock of the run's beginning, RFC 3339.
#[must_use]
pub fn render(report: &LoadReport, started_at: &str) -> String {
    let mut cases = vec![certificate(&report.certificate)];
    cases.extend(report.checks.iter().map(check));
    write(&Suite {
        name: &format!("tacho load {}", report.url),
        time_s: Some(report.duration_s),
        started_at,
        cases: &cases,
    })
}

fn certificate(certificate: &Certificate) -> Case {
    let evidence = certificate
        .evidence
        .iter()
        .map(|e| (e.state, e.what.as_str(), e.text.as_str()));
    certificate_case(CLASS, certificate.state, evidence)
}

fn check(check: &CheckReport) -> Case {
    let holds = Case {
        class: CLASS.to_owned(),
        name: check.check.clone(),
        output: check.text.clone(),
        failure: None,
    };
    if check.passed {
        return holds;
    }
    Case {
        failure: Some(Failure {
            message: format!("{} does not hold: {}", check.check, check.text),
            text: check.text.clone(),
        }),
        output: String::new(),
        ..holds
    }
}
