//! What the collector could not do.

use crate::{Conclusion, Name, figure};
use tacho_figures::{self as figures, times};
use tacho_gc_log::{Failure, GcSummary};

/// The share of what is allocated that moves to the old generation from which on the young one is
/// too small for it.
const MUCH_PROMOTED: f64 = 0.3;
/// Fewer collections show how a program begins.
const FEWEST: u64 = 20;

/// Looks at them.
pub fn look(summary: &GcSummary, found: &mut Vec<Conclusion>) {
    for failure in &summary.failures {
        if let Some((name, meaning, advice)) = rule(failure.name) {
            let what = match (&summary.out_of_memory, name) {
                (Some(what), Name::OutOfMemory) => format!(" of {what}"),
                _ => String::new(),
            };
            found.push(Conclusion {
                name,
                summary: match failure.count {
                    1 => format!("{meaning}{what}."),
                    n => format!("{meaning}{what}; {}.", times(n as f64)),
                },
                advice: Some(advice.to_owned()),
                figures: vec![figure("times", failure.count as f64)],
            });
        }
    }
    stalls(summary, found);
    promotion(summary, found);
}

/// The conclusion for a kind of failure. Failures without a rule show in the pauses that they end
/// in.
fn rule(failure: Failure) -> Option<(Name, &'static str, &'static str)> {
    Some(match failure {
        Failure::OutOfMemory => (
            Name::OutOfMemory,
            "A thread was told that there is no memory (OutOfMemoryError)",
            "-XX:+HeapDumpOnOutOfMemoryError keeps what was alive",
        ),
        Failure::Evacuation => (
            Name::EvacuationFailure,
            "G1 did not find room for living objects (evacuation failure, to-space exhausted): such pauses are long, and full collections may follow",
            "more heap, more room kept (-XX:G1ReservePercent), or marking that begins earlier (-XX:InitiatingHeapOccupancyPercent); arrays larger than half a region fill the heap with gaps",
        ),
        Failure::Promotion => (
            Name::PromotionFailure,
            "The old generation had no room for what outlived the young one (promotion failed); with CMS it may have been in too many pieces",
            "more heap, or a smaller young generation; CMS was removed in JDK 14 (JEP 363), G1 moves objects together",
        ),
        Failure::ConcurrentMode => (
            Name::ConcurrentModeFailure,
            "CMS was not done when the old generation was full (concurrent mode failure), and one thread did the rest with the program stopped",
            "begin earlier (-XX:CMSInitiatingOccupancyFraction with -XX:+UseCMSInitiatingOccupancyOnly) or give more heap; CMS was removed in JDK 14 (JEP 363)",
        ),
        Failure::AllocationDuringCycle => (
            Name::FellBehind,
            "An allocation found no memory while a cycle ran: the collector began too late for this rate of allocation",
            "more heap or more threads (-XX:ConcGCThreads) give it time",
        ),
        Failure::Degenerated => (
            Name::FellBehind,
            "A concurrent cycle was completed with the program stopped (degenerated collection)",
            "more heap or more threads (-XX:ConcGCThreads) give it time",
        ),
        Failure::ConcurrentMarkAborted
        | Failure::ConcurrentModeInterrupted
        | Failure::CycleAborted => return None,
    })
}

fn stalls(summary: &GcSummary, found: &mut Vec<Conclusion>) {
    let stalls = &summary.stalls;
    if stalls.count == 0 {
        return;
    }
    found.push(Conclusion {
        name: Name::AllocationStalls,
        summary: format!(
            "Threads had to wait for memory {} ({} over all threads, {} at most): the collector does not keep up with what is allocated. Such waits are no pauses, but whoever waits feels the same.",
            times(stalls.count as f64),
            figures::seconds(stalls.total_s),
            figures::ms(stalls.max_ms)
        ),
        advice: Some("more heap or more threads (-XX:ConcGCThreads) give it time; less allocation needs neither".to_owned()),
        figures: vec![
            figure("stalls", stalls.count as f64),
            figure("stalls_s", stalls.total_s),
        ],
    });
}

fn promotion(summary: &GcSummary, found: &mut Vec<Conclusion>) {
    let (Some(promotion), Some(allocation)) = (&summary.promotion, &summary.allocation) else {
        return;
    };
    let share = promotion.bytes as f64 / (allocation.bytes as f64).max(1.0);
    if share < MUCH_PROMOTED || summary.collections < FEWEST || allocation.is_upper_bound {
        return;
    }
    found.push(Conclusion {
        name: Name::PrematurePromotion,
        summary: format!(
            "{} of what is allocated moves to the old generation ({} of {}), where only collections of the old generation free it.",
            figures::percent(share),
            figures::bytes(promotion.bytes as f64),
            figures::bytes(allocation.bytes as f64)
        ),
        advice: Some("a larger young generation or larger survivor spaces (-XX:SurvivorRatio) let objects die young".to_owned()),
        figures: vec![
            figure("promoted_bytes", promotion.bytes as f64),
            figure("allocated_bytes", allocation.bytes as f64),
        ],
    });
}
