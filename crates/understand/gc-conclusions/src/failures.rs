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
            let what = match (failure.name, error_of(summary, failure.name)) {
                (Failure::OutOfMemory, Some(what)) => format!(" of {what}"),
                (_, Some(what)) => format!(": {what}"),
                (_, None) => String::new(),
            };
            found.push(Conclusion {
                name,
                summary: match (failure.count, failure.name) {
                    (1, _) => format!("{meaning}{what}."),
                    // One error is printed by the JVM, by who caught it, and as somebody's cause.
                    (n, Failure::OutOfMemory | Failure::OutOfOtherMemory) => {
                        let lines = figures::count(n);
                        format!("{meaning}{what}; {lines} lines of the log say so.")
                    }
                    (n, _) => format!("{meaning}{what}; {}.", times(n as f64)),
                },
                advice: Some(advice.to_owned()),
                figures: vec![figure("times", failure.count as f64)],
            });
        }
    }
    stalls(summary, found);
    promotion(summary, found);
}

/// What the program printed first of an error of memory, where that was this failure.
fn error_of(summary: &GcSummary, failure: Failure) -> Option<&str> {
    let what = summary.out_of_memory.as_deref()?;
    (Failure::of_error(what) == failure).then_some(what)
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
        Failure::OutOfOtherMemory => (
            Name::OutOfMemory,
            "A thread was told that there is no memory outside of the heap (OutOfMemoryError)",
            "more heap does not help. For classes raise -XX:MaxMetaspaceSize, or find the class loaders that are kept; for direct buffers raise -XX:MaxDirectMemorySize, or find the buffers that are kept; for threads look at the limits on processes and on memory, and for threads that never end",
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

#[cfg(test)]
mod tests {
    use crate::{Name, conclude};
    use tacho_gc_log::{Axis, Collections, Log};

    /// Whether a heap that is nearly full is said to be small, and what is said of the error that
    /// the program printed.
    fn said(error: &str) -> (bool, String) {
        let log = format!(
            "[0.006s][info][gc] Using G1\n\
             [0.006s][info][gc,init] Heap Max Capacity: 100M\n\
             [9.000s][info][gc] GC(9) Pause Full (System.gc()) 95M->90M(100M) 90.000ms\n\
             Exception in thread \"main\" java.lang.OutOfMemoryError: {error}\n"
        );
        let mut reader = Log::default();
        let mut collections = Collections::on(Axis::Log);
        reader
            .read(log.as_bytes(), &mut |event| collections.take(event))
            .unwrap();
        let lines = reader.end(&mut |event| collections.take(event));
        let (summary, course) = collections.finish(Vec::new(), lines);
        let all = conclude(&summary, &course).found;
        let is_small = all.iter().any(|one| one.name == Name::HeapSmall);
        let mut all = all.into_iter();
        let of_error = all.find(|one| one.name == Name::OutOfMemory).unwrap();
        (is_small, of_error.summary)
    }

    #[test]
    fn an_error_of_the_heap_is_a_want_of_heap() {
        for error in [
            "Java heap space",
            "GC overhead limit exceeded",
            "Requested array size exceeds VM limit",
        ] {
            let (is_small, said) = said(error);
            assert!(is_small, "{error}");
            assert!(said.ends_with(&format!("of {error}.")), "{said}");
        }
    }

    #[test]
    fn an_error_that_is_printed_twice_is_not_two_errors() {
        let (_, told) =
            said("Java heap space\nCaused by: java.lang.OutOfMemoryError: Java heap space");
        let lines = "of Java heap space; 2 lines of the log say so.";
        assert!(told.ends_with(lines), "{told}");
    }

    #[test]
    fn an_error_of_other_memory_is_said_as_what_it_is() {
        for error in [
            "Metaspace",
            "Compressed class space",
            "Direct buffer memory",
            "unable to create native thread: possibly out of memory or process/resource limits reached",
        ] {
            let (is_small, said) = said(error);
            assert!(!is_small, "{error}");
            let told = format!("outside of the heap (OutOfMemoryError): {error}.");
            assert!(said.ends_with(&told), "{said}");
        }
    }
}
