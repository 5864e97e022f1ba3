//! Each rule with the evidence on which it fires, and that on which it does not.

mod claims;
mod classes;
mod compiling;
mod libraries;
mod memory;
mod waiting;
mod work;

use crate::finding::{Finding, Findings, find};
use crate::testkit::Build;

const WORK: &str = "shop.Orders.total:10 shop.Web.get:5 lib.Server.run:1";

fn findings(baseline: Build, candidate: Build) -> Findings {
    find(Some(&baseline.evidence()), &candidate.evidence(), None)
}

/// The first of what is found between a build that works 1 ms and one that does something else on
/// top.
fn first(candidate: impl FnOnce(Build) -> Build, more_ms: f64) -> Finding {
    let found = findings(
        Build::of(1.0).works(WORK, 0.9),
        candidate(Build::of(1.0 + more_ms).works(WORK, 0.9)),
    );
    let unexplained = found.unexplained.share;
    let first = found.findings.into_iter().next().expect("a finding");
    // What one instrument alone says is not the whole reason.
    let most = match first.supported_by.len() {
        1 => 0.34,
        _ => 0.2,
    };
    assert!(unexplained < most, "{unexplained} {first:#?}");
    first
}
