//! The pages with names that try to be markup.
#![allow(clippy::unwrap_used, clippy::expect_used)]

#[allow(dead_code)]
#[path = "../examples/page.rs"]
mod page;
#[path = "../../report/tests/policy/mod.rs"]
mod policy;

use tacho_diagnosis::Clock;
use tacho_diagnosis_report::{html, text};
use tacho_report::terminal::Style;

#[test]
fn the_pages_run_no_script_but_their_own() {
    let (mut report, baseline, candidate) = page::made_up();
    let hostile = policy::HOSTILE.to_owned();
    report.name.clone_from(&hostile);
    report.failures.push(hostile.clone());
    report.baseline = Some(hostile.clone());
    // Class, method and thread names come from the JVM that is looked at.
    let text = serde_json::to_string(&candidate.unwrap()).unwrap();
    let hostile = serde_json::to_string(&hostile).unwrap();
    let mut candidate: serde_json::Value = serde_json::from_str(&text).unwrap();
    spoil(&mut candidate, &serde_json::from_str(&hostile).unwrap());
    let candidate = serde_json::from_value(candidate).unwrap();
    policy::holds(&html::render(&report, baseline.as_ref(), Some(&candidate)).unwrap());
    policy::holds(&page::made_up_profile());
}

/// "No difference" and "could not look" are two results.
#[test]
fn rules_that_could_not_look_stand_on_the_page() {
    let (mut report, baseline, candidate) = page::made_up();
    let page = |report: &_| html::render(report, baseline.as_ref(), candidate.as_ref()).unwrap();
    let with = |report: &mut tacho_diagnosis_report::DiagnosisReport, not_looked| {
        report.findings.as_mut().unwrap().not_looked = not_looked;
    };
    with(&mut report, Vec::new());
    assert!(!page(&report).contains("Not looked for"));
    let not = serde_json::json!({"pattern": "x", "name": "locks", "why": "nobody counted"});
    with(&mut report, vec![serde_json::from_value(not).unwrap()]);
    assert!(page(&report).contains("Not looked for: locks (nobody counted)."));
}

/// Beside the wall time of the trace stands the time of a finding, which is another one.
#[test]
fn each_time_says_by_which_clock_it_is() {
    let (mut report, baseline, candidate) = page::made_up();
    for (clock, words) in [
        (Clock::Processor, "processor time"),
        (Clock::Waiting, "waiting"),
        (Clock::Both, "processor time and waiting"),
    ] {
        report.findings.as_mut().unwrap().findings[0].clock = clock;
        let page = html::render(&report, baseline.as_ref(), candidate.as_ref()).unwrap();
        let row = format!(r#"<tr><th scope="row">{words}</th>"#);
        assert!(page.contains(&row), "{words} of {clock:?}");
        // No column and no row is a time of no clock.
        assert!(page.contains(r#"<th scope="col" class="number">wall time</th>"#));
        assert!(!page.contains(">time</th>"), "{clock:?}");
        let style = Style {
            colour: false,
            width: 100,
        };
        let text = text::render(&report, &style);
        let is_row = |line: &str| line.trim_start().starts_with(&format!("{words}  "));
        assert!(text.lines().any(is_row), "{words} of {clock:?}:\n{text}");
        let is_mute = |line: &str| line.trim_start().starts_with("time ");
        assert!(!text.lines().any(is_mute), "{text}");
        assert!(text.contains("wall time a request"), "{text}");
    }
}

/// Puts it after each key, name and stack frame.
fn spoil(value: &mut serde_json::Value, hostile: &serde_json::Value) {
    use serde_json::Value;
    match value {
        Value::Array(items) => items.iter_mut().for_each(|item| spoil(item, hostile)),
        Value::Object(fields) => {
            for (name, value) in fields {
                match value {
                    Value::String(text)
                        if ["key", "class", "method", "loader", "why"].contains(&name.as_str()) =>
                    {
                        text.push_str(hostile.as_str().unwrap());
                    }
                    Value::Array(items) if name == "stack" => {
                        for item in items.iter_mut().filter(|item| item.is_string()) {
                            *item = Value::String(format!(
                                "{}{}",
                                item.as_str().unwrap(),
                                hostile.as_str().unwrap()
                            ));
                        }
                    }
                    _ => spoil(value, hostile),
                }
            }
        }
        _ => {}
    }
}
