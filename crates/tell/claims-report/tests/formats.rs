//! What is printed and written is an interface.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use tacho_claims::{Article, Expected, Judged, Outcome, Seen};
use tacho_claims_report::{OfArticle, Report, markdown, schema, text};
use tacho_report::terminal::Style;
use tacho_run_folder::{CertificateState, Interval};

fn judged(says: &str, seen: Option<Seen>, outcome: Outcome) -> Judged {
    Judged {
        says: says.to_owned(),
        same: "0.9 to 1.1".to_owned(),
        is_contradiction: outcome.contradicts(Expected::Same),
        seen,
        outcome,
        expected: Expected::Same,
        why: String::new(),
    }
}

fn seen(value: f64, unit: &str, is_ratio: bool, launches: usize) -> Option<Seen> {
    let spread = if launches > 1 { 0.1 } else { 0.0 };
    Some(Seen {
        figure: Interval {
            value,
            low: value * (1.0 - spread),
            high: value * (1.0 + spread),
        },
        unit: unit.to_owned(),
        is_ratio,
        launches,
        certificate: Some(CertificateState::Degraded),
    })
}

fn report() -> Report {
    let not_measured = Outcome::NotMeasured("`native` was not measured".to_owned());
    let invalid = Outcome::NotMeasured("the certificate of its run is invalid".to_owned());
    let mut differs = judged(
        "As many | as that",
        seen(2.5, "1", true, 3),
        Outcome::Differs,
    );
    differs.why = "There are two processors here.".to_owned();
    let claims = vec![
        judged("Both are equal", seen(1.01, "1", true, 5), Outcome::Same),
        differs,
        judged(
            "It starts in 2 s",
            seen(1_950.0, "ms", false, 5),
            Outcome::NotTold,
        ),
        judged("Eight look-ups", seen(8.0, "1", false, 1), Outcome::Same),
        judged("Native is smaller", None, not_measured),
        judged("It is quiet", seen(1.0, "1", true, 5), invalid),
    ];
    Report::new(vec![OfArticle {
        file: "labs/one/claims.yaml".to_owned(),
        article: Article {
            title: "On one thing".to_owned(),
            author: Some("A. Writer".to_owned()),
            year: Some(2021),
            question: "Is one thing another?".to_owned(),
        },
        claims,
    }])
}

#[test]
fn the_terminal() {
    let style = Style {
        colour: false,
        width: 80,
    };
    insta::assert_snapshot!(text::render(&report(), &style));
}

#[test]
fn the_table_of_a_readme() {
    insta::assert_snapshot!(markdown::render(&report()));
}

#[test]
fn docs_hold_the_schema() {
    let path =
        std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../docs/schema/claims.json");
    let text = schema().unwrap();
    if std::env::var_os("TACHO_RENEW_SCHEMAS").is_some() {
        std::fs::write(&path, &text).unwrap();
    }
    assert!(
        std::fs::read_to_string(&path).unwrap_or_default() == text,
        "docs/schema/claims.json is not the schema of its type any more; renew it with\n  \
         TACHO_RENEW_SCHEMAS=1 cargo test -p tacho-claims-report"
    );
}
