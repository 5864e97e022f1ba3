//! Which instruments support a claim. A sampler stops beside what costs: behind an intrinsic, an
//! allocation or a call, at the next place where it is allowed to (Mytkowicz et al. 2010,
//! "Evaluating the accuracy of Java profilers"). So its word alone is held against the others: what
//! was allocated, waited for, counted and timed, and what differs between the builds.

use crate::comparison::{Pair, Suspect, WAITS};
use crate::finding::Count;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tacho_run_folder::LedgerKind;

/// Evidence that an owner costs more.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum Support {
    /// Samples of processor time.
    Samples,
    /// Samples of allocation, which are taken by bytes and not by time.
    Allocation,
    /// Waits, each of which was recorded.
    Waits,
    /// Exact counts.
    Counts,
    /// Traced wall-clock time of its calls.
    Trace,
    /// Its code, or a class on its stack, differs between the builds.
    Difference,
}

/// A claim that one instrument alone supports explains no more of a difference than this.
const ONE_ALONE: f64 = 2.0 / 3.0;
/// A claim that the trace does not bear out explains no more than this.
const CONTRADICTED: f64 = 1.0 / 3.0;
/// The trace bears a claim out from so much of it on: an instrument that takes time to time calls
/// makes everything slower, and the difference smaller beside it.
const BORNE_OUT: f64 = 0.3;
/// Less of it contradicts the claim.
const NOT_BORNE_OUT: f64 = 0.1;
/// So many times the bytes are more bytes.
const MORE_BYTES: f64 = 1.1;

/// Less often is now and then, not what a request does.
const PER_REQUEST: f64 = 0.2;
/// What an owner does, every one counted.
const COUNTED: [LedgerKind; 14] = [
    LedgerKind::Queries,
    LedgerKind::RemoteCalls,
    LedgerKind::Exceptions,
    LedgerKind::LogLines,
    LedgerKind::ClassLookUps,
    LedgerKind::ResourceLookUps,
    LedgerKind::Regexes,
    LedgerKind::Reflection,
    LedgerKind::ClassDefinitions,
    LedgerKind::Connections,
    LedgerKind::ThreadStarts,
    LedgerKind::TlsHandshakes,
    LedgerKind::Compilations,
    LedgerKind::Deoptimisations,
];

/// Who says that an owner costs more, and who says that it does not.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Said {
    pub by: Vec<Support>,
    pub against: Vec<Support>,
}

impl Said {
    /// Of an owner that costs so much more time, by a rule that counted this.
    pub fn of(suspect: &Suspect<'_, '_>, claimed: Pair, counts: &[Count]) -> Self {
        let mut said = Self::default();
        if suspect.time_of(LedgerKind::Processor).is_more() {
            said.by.push(Support::Samples);
        }
        let bytes = suspect.allocated();
        if bytes.is_more() && bytes.candidate > MORE_BYTES * bytes.baseline {
            said.by.push(Support::Allocation);
        }
        let waits = suspect.comparison.cost_as_seen(
            |item| suspect.is_mine(item) && item.is_own && WAITS.contains(&item.kind),
            1e-6,
        );
        if waits.is_more() {
            said.by.push(Support::Waits);
        }
        let is_more = |times: Pair| times.error == 0.0 && times.more() >= PER_REQUEST;
        let of_ledgers = suspect
            .comparison
            .count(|item| suspect.is_mine(item) && COUNTED.contains(&item.kind));
        let of_rule = counts.iter().filter(|count| !count.times.estimated);
        if is_more(of_ledgers) || of_rule.map(|count| count.times).any(is_more) {
            said.by.push(Support::Counts);
        }
        match borne_out(suspect, claimed) {
            Some(share) if share >= BORNE_OUT => said.by.push(Support::Trace),
            Some(share) if share < NOT_BORNE_OUT => said.against.push(Support::Trace),
            _ => {}
        }
        said
    }

    /// Of a difference the claim explains at most this much.
    pub fn most(&self) -> f64 {
        match (self.against.is_empty(), self.by.len()) {
            (false, _) => CONTRADICTED,
            (true, 0 | 1) => ONE_ALONE,
            (true, _) => 1.0,
        }
    }
}

/// The share of what is claimed that the trace saw; `None` where the owner was not traced in every
/// build, or where there is nothing to compare with and the trace has the whole of it.
fn borne_out(suspect: &Suspect<'_, '_>, claimed: Pair) -> Option<f64> {
    let mut traced = Pair::default();
    for (is_baseline, side) in suspect.comparison.sides() {
        let method = side.traced(&suspect.owner)?;
        if method.total_ns == 0 {
            return None;
        }
        *traced.side(is_baseline) +=
            method.total_ns as f64 / 1e6 / (method.requests as f64).max(1.0);
    }
    (claimed.more() > 0.0).then(|| traced.more() / claimed.more())
}

#[cfg(test)]
mod tests {
    use super::Support;
    use crate::Findings;
    use crate::finding::find;
    use crate::testkit::Build;
    use tacho_run_folder::{BuildChanges, Change, ClassChange};

    const WORK: &str = "shop.Web.get:5 lib.Server.run:1";
    /// Where the sampler stopped, on the line behind the one that costs.
    const BEHIND: &str = "java.lang.Long.toHexString:1 shop.Frames.sum:12 shop.Web.get:5";
    const CLONES: &str = "shop.Frames.sum:11 shop.Web.get:5";

    fn found(candidate: Build, changes: Option<&BuildChanges>) -> Findings {
        let baseline = Build::of(1.0).works(WORK, 1.0);
        find(Some(&baseline.evidence()), &candidate.evidence(), changes)
    }

    #[test]
    fn what_was_copied_is_told_where_it_was_allocated_and_not_where_the_sampler_stopped() {
        let mebibytes = 16.0 * 1024.0 * 1024.0;
        let candidate = Build::of(4.0)
            .works(WORK, 1.0)
            .works(BEHIND, 3.0)
            .allocates("byte[]", CLONES, mebibytes);
        let found = found(candidate, None);
        let first = &found.findings[0];
        assert_eq!(first.pattern, "oversize-allocation", "{found:#?}");
        assert_eq!(first.line, Some(11));
        assert_eq!(first.supported_by, [Support::Samples, Support::Allocation]);
    }

    #[test]
    fn megabytes_are_looked_at_where_no_sample_is() {
        let mebibytes = 20.0 * 1024.0 * 1024.0;
        let candidate = Build::of(4.0)
            .works(WORK, 1.0)
            .allocates("byte[]", CLONES, mebibytes);
        let found = found(candidate, None);
        assert_eq!(found.findings[0].owner, "shop.Frames.sum", "{found:#?}");
        // The rest has no explanation, and that is said.
        assert!(found.unexplained.share > 0.2, "{found:#?}");
    }

    #[test]
    fn one_instrument_alone_does_not_explain_everything() {
        let candidate = || Build::of(4.0).works(WORK, 1.0).works(BEHIND, 3.0);
        let alone = found(candidate(), None);
        let first = &alone.findings[0];
        assert_eq!(first.supported_by, [Support::Samples]);
        assert!(first.explains < 0.67, "{first:#?}");
        assert!(alone.unexplained.share > 0.33, "{alone:#?}");
        // Its code differs: two say so.
        let changes = BuildChanges {
            classes: vec![ClassChange {
                class: "shop.Frames".to_owned(),
                change: Change::Changed,
                members: vec!["sum".to_owned()],
                library: None,
            }],
            ..BuildChanges::default()
        };
        let held = found(candidate(), Some(&changes));
        assert!(held.findings[0].explains > 0.99, "{held:#?}");
    }

    #[test]
    fn a_trace_that_sees_nothing_of_it_contradicts() {
        let traced = |build: Build, ms: f64| build.timed("shop.Frames.sum", ms);
        let baseline = traced(Build::of(1.0).works(WORK, 1.0), 2.0);
        let candidate = |ms| {
            let build = Build::of(4.0).works(WORK, 1.0).works(BEHIND, 3.0);
            traced(build, ms)
        };
        let held = |ms| {
            let found = find(
                Some(&baseline_of(&baseline)),
                &candidate(ms).evidence(),
                None,
            );
            found.findings[0].clone()
        };
        let against = held(2.1);
        assert_eq!(against.contradicted_by, [Support::Trace]);
        assert!(against.explains < 0.34, "{against:#?}");
        let with = held(5.0);
        assert_eq!(with.supported_by, [Support::Samples, Support::Trace]);
        assert!(with.explains > 0.99, "{with:#?}");
    }

    fn baseline_of(build: &Build) -> tacho_run_folder::Dissection {
        build.seen().clone()
    }
}
