//! JUnit XML, which every CI server shows: one test case a check and cell, and one for the
//! certificate. [`write`] takes any test cases.

use crate::{Exporter, Format, words};
use std::fmt::Write as _;
use tacho_run_folder::{CertificateState, CheckResult, Results, RunData, rule_in_words};

/// A run as JUnit XML.
pub const JUNIT: Format = Exporter {
    option: "junit",
    variable: "TACHO_JUNIT",
    help: "Also write the checks as JUnit XML",
    export: |of| Ok(render(&of.run, &of.results).into_bytes()),
};

/// A test case: passed unless it has a failure.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Case {
    /// By which CI servers group.
    pub class: String,
    /// What is tested.
    pub name: String,
    /// Why it did not pass.
    pub failure: Option<Failure>,
    /// For those who want to know more; may be empty.
    pub output: String,
}

/// Why a test case did not pass.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    /// In a line.
    pub message: String,
    /// The failure with its evidence.
    pub text: String,
}

/// Test cases that belong together.
#[derive(Debug, Clone, PartialEq)]
pub struct Suite<'a> {
    /// What was tested.
    pub name: &'a str,
    /// How long it took, in seconds.
    pub time_s: Option<f64>,
    /// The wall clock of its beginning, RFC 3339.
    pub started_at: &'a str,
    /// In their order.
    pub cases: &'a [Case],
}

/// The whole file of a run.
#[must_use]
pub fn render(run: &RunData, results: &Results) -> String {
    let suite = format!("tacho.{}", run.header.name);
    let mut cases = vec![certificate(&suite, results)];
    cases.extend(results.checks.iter().map(|c| check(&suite, c)));
    write(&Suite {
        name: &suite,
        time_s: None,
        started_at: &run.header.started_at,
        cases: &cases,
    })
}

/// The whole file of a suite.
#[must_use]
pub fn write(suite: &Suite<'_>) -> String {
    let failures = suite.cases.iter().filter(|c| c.failure.is_some()).count();
    let counts = format!(
        "tests=\"{}\" failures=\"{failures}\" errors=\"0\" skipped=\"0\"",
        suite.cases.len()
    );
    let time = suite
        .time_s
        .map_or_else(String::new, |s| format!(" time=\"{s:.3}\""));
    let mut xml = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    let _ = writeln!(xml, "<testsuites name=\"tacho\" {counts}>");
    let _ = writeln!(
        xml,
        "  <testsuite name=\"{}\" {counts}{time} timestamp=\"{}\">",
        escape(suite.name),
        escape(suite.started_at)
    );
    for case in suite.cases {
        write_case(&mut xml, case);
    }
    xml.push_str("  </testsuite>\n</testsuites>\n");
    xml
}

fn write_case(xml: &mut String, case: &Case) {
    let _ = writeln!(
        xml,
        "    <testcase classname=\"{}\" name=\"{}\" time=\"0\">",
        escape(&case.class),
        escape(&case.name)
    );
    if let Some(failure) = &case.failure {
        let _ = writeln!(
            xml,
            "      <failure message=\"{}\">{}</failure>",
            escape(&failure.message),
            escape(&failure.text)
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

fn certificate(suite: &str, results: &Results) -> Case {
    let certificate = &results.certificate;
    let evidence = certificate
        .evidence
        .iter()
        .map(|e| (e.state, e.rule.as_str(), e.statement.as_str()));
    certificate_case(suite, certificate.state, evidence)
}

/// The case of a certificate, from its state and its evidence: state, rule, statement. Degraded is
/// a caution, not a failure; invalid is one.
pub fn certificate_case<'a>(
    class: &str,
    state: CertificateState,
    evidence: impl Iterator<Item = (CertificateState, &'a str, &'a str)>,
) -> Case {
    let lines: Vec<String> = evidence
        .map(|(state, rule, statement)| {
            let (state, rule) = (words::certificate(state), rule_in_words(rule));
            format!("{state} {rule}: {statement}")
        })
        .collect();
    let evidence = lines.join("\n");
    Case {
        class: class.to_owned(),
        name: "certificate".to_owned(),
        failure: (state == CertificateState::Invalid).then(|| Failure {
            message: format!(
                "The certificate is invalid: {}",
                words::certificate_meaning(state)
            ),
            text: evidence.clone(),
        }),
        output: evidence,
    }
}

fn check(suite: &str, check: &CheckResult) -> Case {
    let measured = words::measured(check);
    let phase = check
        .phase
        .as_ref()
        .map(|phase| format!(" ({phase})"))
        .unwrap_or_default();
    Case {
        class: format!("{suite}.{}", check.cell),
        name: format!("{}{phase}", check.check),
        failure: (!check.passed).then(|| Failure {
            message: format!("{} does not hold: {measured}", check.check),
            text: words::check(check),
        }),
        output: if check.passed {
            measured
        } else {
            String::new()
        },
    }
}

/// For text and attributes alike. Characters that XML 1.0 cannot hold at all become `�`.
#[must_use]
pub fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&apos;"),
            // A line break in an attribute would be read as a space.
            '\n' => escaped.push_str("&#10;"),
            '\r' => escaped.push_str("&#13;"),
            '\t' => escaped.push_str("&#9;"),
            '\0'..='\u{1f}' | '\u{fffe}' | '\u{ffff}' => escaped.push('\u{fffd}'),
            c => escaped.push(c),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::escape;

    #[test]
    fn everything_that_xml_reads_is_escaped() {
        assert_eq!(
            escape("p99<50ms & \"x\" 'y' \u{7}]]>\n"),
            "p99&lt;50ms &amp; &quot;x&quot; &apos;y&apos; \u{fffd}]]&gt;&#10;"
        );
    }
}
