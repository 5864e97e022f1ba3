//! What came of the search and of the checks, and how far all of it may be believed.

use crate::model::{CheckReport, Evidence, LoadReport};
use tacho_figures as figures;
use tacho_report::terminal::style::{BOLD, DIM, certificate_line, of_certificate, sign};
use tacho_report::terminal::text::{Text, wrap};
use tacho_run_folder::{CertificateState, rule_in_words};

pub fn print(text: &mut Text, report: &LoadReport) {
    search(text, report);
    checks(text, &report.checks);
    certificate(text, report);
}

fn search(text: &mut Text, report: &LoadReport) {
    let Some(search) = &report.search else {
        return;
    };
    text.heading(
        "Search",
        &format!("  highest rate with {}", search.objective),
    );
    for tried in &search.tries {
        let (sign, style) = sign(tried.holds);
        let line = format!(
            "{sign} {}: {}",
            figures::value(tried.rate, "/s"),
            tried.text
        );
        text.paragraph("  ", style, &line);
    }
    for line in wrap(&search.text, text.width() - 2) {
        text.line(&[(BOLD, &format!("  {line}"))]);
    }
}

fn checks(text: &mut Text, checks: &[CheckReport]) {
    if checks.is_empty() {
        return;
    }
    let failed = checks.iter().filter(|c| !c.passed).count();
    let title = format!("Checks: {} hold, {failed} do not", checks.len() - failed);
    text.heading(&title, "");
    for check in checks {
        let (sign, style) = sign(check.passed);
        text.paragraph(
            "  ",
            style,
            &format!("{sign} {}: {}", check.check, check.text),
        );
    }
}

fn certificate(text: &mut Text, report: &LoadReport) {
    let certificate = &report.certificate;
    certificate_line(text, certificate.state);
    let (holding, others): (Vec<&Evidence>, Vec<&Evidence>) = certificate
        .evidence
        .iter()
        .partition(|e| e.state == CertificateState::Valid);
    for evidence in others {
        let sign = match evidence.state {
            CertificateState::Invalid => "✗",
            _ => "!",
        };
        let line = format!(
            "{sign} {}: {}",
            rule_in_words(&evidence.what),
            evidence.text
        );
        text.paragraph("  ", of_certificate(evidence.state), &line);
    }
    let brief: Vec<String> = holding.into_iter().map(brief).collect();
    if !brief.is_empty() {
        text.paragraph("  ", DIM, &format!("✓ {}", brief.join(" · ")));
    }
}

/// A short form for rules that hold, for example `generator lag 0.03 ms (bound 1 ms)`. The JSON has
/// the full sentence.
fn brief(evidence: &Evidence) -> String {
    let number = |value: f64| match evidence.unit.as_str() {
        "ms" => figures::ms(value),
        "share" => figures::percent(value),
        _ => figures::number(value),
    };
    match (evidence.value, evidence.bound) {
        (Some(value), Some(bound)) if value != 0.0 => {
            format!(
                "{} {} (bound {})",
                rule_in_words(&evidence.what),
                number(value),
                number(bound)
            )
        }
        _ => match evidence.what.as_str() {
            "interrupted" => "not interrupted".to_owned(),
            "records" => "records complete".to_owned(),
            what => format!("no {}", rule_in_words(what)),
        },
    }
}
