//! JUnit XML, which every CI server shows: one test case a check and cell, and one for the
//! certificate.

use crate::words;
use std::fmt::Write as _;
use tacho_run_folder::{CertificateState, CheckResult, Results, RunData};

/// A test case: passed unless it has a failure.
struct Case {
    class: String,
    name: String,
    failure: Option<Failure>,
    output: String,
}

struct Failure {
    message: String,
    text: String,
}

/// The whole file.
#[must_use]
pub fn render(run: &RunData, results: &Results) -> String {
    let suite = format!("tacho.{}", run.header.name);
    let mut cases = vec![certificate(&suite, results)];
    cases.extend(results.checks.iter().map(|c| check(&suite, c)));
    let failures = cases.iter().filter(|c| c.failure.is_some()).count();
    let counts = format!(
        "tests=\"{}\" failures=\"{failures}\" errors=\"0\" skipped=\"0\"",
        cases.len()
    );
    let mut xml = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    let _ = writeln!(xml, "<testsuites name=\"tacho\" {counts}>");
    let _ = writeln!(
        xml,
        "  <testsuite name=\"{}\" {counts} timestamp=\"{}\">",
        escape(&suite),
        escape(&run.header.started_at)
    );
    for case in &cases {
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

/// Degraded is a caution, not a failure; invalid is one.
fn certificate(suite: &str, results: &Results) -> Case {
    let certificate = &results.certificate;
    let evidence = certificate
        .evidence
        .iter()
        .map(|e| {
            format!(
                "{} {}: {}",
                words::certificate(e.state),
                e.rule,
                e.statement
            )
        })
        .collect::<Vec<_>>()
        .join("\n");
    Case {
        class: suite.to_owned(),
        name: "certificate".to_owned(),
        failure: (certificate.state == CertificateState::Invalid).then(|| Failure {
            message: format!(
                "The certificate is invalid: {}",
                words::certificate_meaning(certificate.state)
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
