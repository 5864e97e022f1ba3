//! HAR files that another hand has made, with what should be sent (labs/inputs): the requests, and
//! how many entries are left out. The held-back ones are asked by `TACHO_HELD_BACK=1` only.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod support;

use support::{Cases, Known};
use tacho_import::{HarOptions, read_har};

/// A recording of several hosts of one site: the truth wants all, and a run has one origin.
const SEVERAL_HOSTS: [(&str, Known); 2] = [
    ("har-charles-by-host", Known::Otherwise),
    ("har-chrome-redirects-preflight", Known::Otherwise),
];

#[test]
fn what_should_be_sent_is_sent() {
    let cases = Cases {
        kind: "har",
        at_least: 13,
        known: &SEVERAL_HOSTS,
    };
    cases.check(
        |case| {
            let input = case.read(case.truth.given("targets").unwrap());
            let base = case.truth.given("base").map(|base| base.parse().unwrap());
            read_har(&input, &case.folder, &HarOptions { base })
        },
        |_, _, _| Ok(()),
    );
}
