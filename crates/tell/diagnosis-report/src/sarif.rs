//! Findings as SARIF 2.1.0 (OASIS, 2020), so that a code review shows the costly line.
//!
//! A finding names a method and its line. The file is only known from the sources: if the class is
//! in none of them, the finding has only its method.

use crate::DiagnosisReport;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use tacho_diagnosis::Finding;

/// A finding that explains at least this share is a warning; others are notes.
const MUCH: f64 = 0.2;

/// Encodes all characters of a path except those that need no escaping (RFC 3986).
const PATH: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'/')
    .remove(b'-')
    .remove(b'_')
    .remove(b'.')
    .remove(b'~');

/// The whole document. `source` knows the file of a class, by its full name, relative to the root
/// of the sources.
#[must_use]
pub fn document(report: &DiagnosisReport, source: &dyn Fn(&str) -> Option<String>) -> Value {
    let findings = report.findings.iter().flat_map(|all| &all.findings);
    let mut rules: BTreeMap<&str, Value> = BTreeMap::new();
    let mut results = Vec::new();
    for finding in findings {
        rules.entry(&finding.pattern).or_insert_with(|| {
            json!({"id": finding.pattern, "shortDescription": {"text": title(&finding.pattern)}})
        });
        results.push(result(finding, source));
    }
    json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": {"driver": {
                "name": "Tacho",
                "version": env!("CARGO_PKG_VERSION"),
                "rules": rules.into_values().collect::<Vec<_>>(),
            }},
            "results": results,
            "properties": {
                "conclusion": report.conclusion,
                "certificate": report.certificate,
                "baseline": report.baseline,
                "candidate": report.candidate,
            },
        }],
    })
}

fn result(finding: &Finding, source: &dyn Fn(&str) -> Option<String>) -> Value {
    let mut location = json!({
        "logicalLocations": [{"fullyQualifiedName": finding.owner, "kind": "function"}],
    });
    let class = finding.owner.rsplit_once('.').map(|(class, _)| class);
    if let Some(file) = class.and_then(source) {
        location["physicalLocation"] = json!({
            "artifactLocation": {
                "uri": utf8_percent_encode(&file, PATH).to_string(),
                "uriBaseId": "%SRCROOT%",
            },
            // Without a known line, use line 1, so that review tools have a place to show.
            "region": {"startLine": finding.line.unwrap_or(1).max(1)},
        });
    }
    json!({
        "ruleId": finding.pattern,
        "level": if finding.explains >= MUCH { "warning" } else { "note" },
        "message": {"text": format!("{} {}", finding.sentence, finding.fix)},
        "locations": [location],
        // Identifies the same finding in the next run, even if its line has moved.
        "partialFingerprints": {"tacho/v1": format!("{}:{}", finding.pattern, finding.owner)},
        "properties": {
            "explains": finding.explains,
            "explainsError": finding.explains_error,
            "timeMs": finding.time_ms,
            "clock": finding.clock,
        },
    })
}

/// `absent-classes` as people write it.
fn title(pattern: &str) -> String {
    let mut title = pattern.replace('-', " ");
    if let Some(first) = title.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    title
}

#[cfg(test)]
mod tests {
    use super::*;
    use tacho_diagnosis::{Clock, Conclusion, Findings, Pair};
    use tacho_run_folder::CertificateState;

    fn finding(pattern: &str, owner: &str, line: Option<u32>, explains: f64) -> Finding {
        Finding {
            pattern: pattern.into(),
            sentence: format!("{owner} is costly."),
            owner: owner.into(),
            line,
            is_own: true,
            time_ms: Pair {
                candidate: 2.0,
                ..Pair::default()
            },
            clock: Clock::Processor,
            explains,
            explains_error: 0.01,
            supported_by: Vec::new(),
            contradicted_by: Vec::new(),
            counts: Vec::new(),
            fix: "Ask before.".into(),
            spent_below: None,
            stack: Vec::new(),
            also: Vec::new(),
            differs: None,
        }
    }

    fn report() -> DiagnosisReport {
        let findings = Findings {
            compared: true,
            findings: vec![
                finding("absent-classes", "shop.Prices.price", Some(14), 0.8),
                finding("absent-classes", "org.lib.Finder.find", Some(7), 0.15),
                finding("waits-for-lock", "shop.Prices.lambda$new$0", None, 0.05),
            ],
            ..Findings::default()
        };
        DiagnosisReport {
            format: 1,
            name: "shop".into(),
            baseline: Some("old".into()),
            candidate: "new".into(),
            stored: None,
            conclusion: Conclusion::Explained,
            failures: Vec::new(),
            changes: None,
            measured: Vec::new(),
            certificate: CertificateState::Valid,
            findings: Some(findings),
            counts: Vec::new(),
            remote: None,
            counterfactuals: Vec::new(),
            notes: Vec::new(),
            trace: Vec::new(),
            files: Vec::new(),
            folder: "runs/shop".into(),
        }
    }

    fn written(report: &DiagnosisReport) -> Value {
        let source = |class: &str| {
            (class == "shop.Prices").then(|| "src/main/java/shop/my prices/Prices.java".to_owned())
        };
        document(report, &source)
    }

    #[test]
    fn a_finding_is_at_its_line_where_its_file_is_known() {
        let mut of_it = written(&report());
        let driver = &mut of_it["runs"][0]["tool"]["driver"];
        driver["version"] = json!("VERSION");
        // Each rule once.
        assert_eq!(driver["rules"].as_array().unwrap().len(), 2);
        insta::assert_snapshot!(serde_json::to_string_pretty(&of_it).unwrap());
    }

    #[test]
    fn without_findings_it_has_no_results() {
        let of_it = written(&DiagnosisReport {
            findings: None,
            ..report()
        });
        assert_eq!(of_it["runs"][0]["results"], json!([]));
        assert_eq!(of_it["runs"][0]["tool"]["driver"]["rules"], json!([]));
    }
}
