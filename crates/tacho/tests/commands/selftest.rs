//! `tacho selftest`, from its command line. Machines that run tests are busy, so that nothing is
//! asserted of what it finds about their punctuality.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use crate::support;

use support::{Told, tacho};

#[test]
fn a_witness_sees_every_request_and_the_scripts_are_played() {
    let told = Told::of(
        &tacho()
            .args(["selftest", "--quiet", "--json", "-"])
            .output()
            .unwrap(),
    );
    let json = told.json();
    let [witnessed] = &json["witnessed"].as_array().unwrap()[..] else {
        panic!("one rate before the witness: {json:#}");
    };
    // 2,000 a second for 3 s, each answered however late it was.
    assert_eq!(witnessed["arrived"], 6_000, "{json:#}");
    assert_eq!(witnessed["succeeded"], 6_000, "{json:#}");
    let rows = witnessed["rows"].as_array().unwrap();
    let figures: Vec<_> = rows.iter().map(|row| &row["figure"]).collect();
    assert_eq!(
        figures,
        [
            "response-time",
            "response-time",
            "response-time",
            "lateness",
            "lateness"
        ]
    );
    for row in rows {
        assert!(row["at_most_us"].as_f64().unwrap() >= row["at_least_us"].as_f64().unwrap());
        assert!(row["reported_us"].as_f64().unwrap() > 0.0, "{json:#}");
    }
    assert_eq!(json["courses"].as_array().unwrap().len(), 3, "{json:#}");
}
