//! Findings as SARIF 2.1.0 (OASIS, 2020), so that a code review shows the costly line.
//!
//! A finding names a method and its line. The file is only known from the sources: if the class is
//! in none of them, the finding is at the innermost frame of its stack whose file is known. A
//! finding without such a frame is no result: code reviews refuse a document with a result that is
//! in no file.

use crate::DiagnosisReport;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use tacho_diagnosis::{Finding, Frame, aligned, shown};

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
    let (mut results, mut without_location) = (Vec::new(), Vec::new());
    for finding in findings {
        rules.entry(&finding.pattern).or_insert_with(|| {
            json!({"id": finding.pattern, "shortDescription": {"text": title(&finding.pattern)}})
        });
        match location(finding, source) {
            Some(location) => results.push(result(finding, &location)),
            None => without_location.push(message(finding)),
        }
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
                "withoutLocation": without_location,
            },
        }],
    })
}

/// Its owner, or the innermost frame of its stack, in a file that is known.
fn location(finding: &Finding, source: &dyn Fn(&str) -> Option<String>) -> Option<Value> {
    let owner = &finding.owner;
    let class = owner.rsplit_once('.').map(|(class, _)| class);
    if let Some(file) = class.and_then(source) {
        return Some(place(owner, &file, finding.line));
    }
    finding.stack.iter().find_map(|frame| {
        let Frame { class, line, .. } = Frame::parse(frame);
        let file = source(class)?;
        let name = shown(&aligned(frame));
        if name == *owner {
            return Some(place(owner, &file, finding.line));
        }
        let mut place = place(&name, &file, line);
        place["message"] = json!({"text": format!("On the stack of {owner}.")});
        Some(place)
    })
}

fn place(method: &str, file: &str, line: Option<u32>) -> Value {
    json!({
        "logicalLocations": [{"fullyQualifiedName": method, "kind": "function"}],
        "physicalLocation": {
            "artifactLocation": {
                "uri": utf8_percent_encode(file, PATH).to_string(),
                "uriBaseId": "%SRCROOT%",
            },
            // Without a known line, use line 1, so that review tools have a place to show.
            "region": {"startLine": line.unwrap_or(1).max(1)},
        },
    })
}

fn message(finding: &Finding) -> String {
    format!("{} {}", finding.sentence, finding.fix)
}

fn result(finding: &Finding, location: &Value) -> Value {
    json!({
        "ruleId": finding.pattern,
        "level": if finding.explains >= MUCH { "warning" } else { "note" },
        "message": {"text": message(finding)},
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
        let mut of_a_library = finding("absent-classes", "org.lib.Finder.find", Some(7), 0.15);
        of_a_library.stack = [
            "java.util.HashMap.get:557",
            "org.lib.Finder.find:7",
            "shop.Prices.lambda$price$3:21",
            "shop.Prices.price:14",
        ]
        .map(str::to_owned)
        .to_vec();
        let findings = Findings {
            compared: true,
            findings: vec![
                finding("absent-classes", "shop.Prices.price", Some(14), 0.8),
                of_a_library,
                finding("waits-for-lock", "shop.Prices.lambda$new$0", None, 0.05),
                finding("waits-for-lock", "org.lib.Pool.take", Some(3), 0.04),
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

    /// The class cannot be told from the name of such an owner.
    #[test]
    fn a_lambda_of_a_static_part_is_at_its_own_line() {
        let owner = "shop.Prices (a lambda of its static part)";
        let mut lambda = finding("processor-time", owner, Some(9), 0.5);
        lambda.stack = ["shop.Prices.lambda$static$0:8", "shop.Prices.price:14"]
            .map(str::to_owned)
            .to_vec();
        let mut report = report();
        report.findings.as_mut().unwrap().findings = vec![lambda];
        let of_it = written(&report);
        let place = &of_it["runs"][0]["results"][0]["locations"][0];
        assert_eq!(place["physicalLocation"]["region"]["startLine"], 9);
        assert_eq!(place["logicalLocations"][0]["fullyQualifiedName"], owner);
        assert!(place["message"].is_null(), "{place}");
    }

    /// A code review refuses the whole document otherwise.
    #[test]
    fn every_result_is_in_a_file() {
        let nowhere = document(&report(), &|_| None);
        for (of_it, results, others) in [(written(&report()), 3, 1), (nowhere, 0, 4)] {
            let run = &of_it["runs"][0];
            let all = run["results"].as_array().unwrap();
            assert_eq!(all.len(), results, "{of_it:#}");
            for result in all {
                let place = &result["locations"][0]["physicalLocation"];
                assert!(place["artifactLocation"]["uri"].is_string(), "{result:#}");
            }
            let left = run["properties"]["withoutLocation"].as_array().unwrap();
            assert_eq!(left.len(), others, "{of_it:#}");
        }
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
