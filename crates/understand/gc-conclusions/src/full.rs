//! Full collections for want of memory: whether the heap is small, or something else.

use crate::causes::{is_full, taking};
use crate::live::Live;
use crate::{Conclusion, Name, figure};
use tacho_figures as figures;
use tacho_gc_log::{Cause, Failure, GcSummary};
use tacho_run_folder::{Collector, MemoryFigure};

#[derive(Debug, Clone, Copy, Default)]
struct Full {
    count: u64,
    total_s: f64,
    max_ms: f64,
}

/// Looks at them.
pub fn look(summary: &GcSummary, found: &mut Vec<Conclusion>) {
    let full = of(summary);
    let live = Live::of(summary);
    if let Some(live) = live.filter(|live| live.is_near_the_limit() && is_short(summary, &full)) {
        found.push(small(&full, live));
        return;
    }
    if full.count > 0 {
        found.push(elsewise(summary, &full, live));
    }
}

fn of(summary: &GcSummary) -> Full {
    let mut sum = Full::default();
    let rows = summary.pauses.by_cause.iter();
    for row in rows.filter(|row| is_full(summary, row)) {
        let is_for_memory = match &row.cause {
            Some(cause) => Cause::of(cause).is_for_memory(),
            None => true,
        };
        if is_for_memory {
            sum.count += row.count;
            sum.total_s += row.total_s;
            sum.max_ms = sum.max_ms.max(row.max_ms);
        }
    }
    sum
}

/// Something was short of memory of the heap.
pub fn is_short_of_memory(summary: &GcSummary) -> bool {
    is_short(summary, &of(summary))
}

fn is_short(summary: &GcSummary, full: &Full) -> bool {
    let is_want = |failure: Failure| {
        matches!(
            failure,
            Failure::Evacuation
                | Failure::Promotion
                | Failure::AllocationDuringCycle
                | Failure::Degenerated
                | Failure::OutOfMemory
                | Failure::ConcurrentMode
        )
    };
    full.count > 0
        || summary.stalls.count > 0
        || summary.failures.iter().any(|failure| is_want(failure.name))
}

fn small(full: &Full, live: Live) -> Conclusion {
    let cost = match full.count {
        0 => String::new(),
        n => format!(
            ", and {} took {}",
            figures::counted(n, "1 full collection", "full collections"),
            figures::seconds(full.total_s)
        ),
    };
    Conclusion {
        name: Name::HeapSmall,
        summary: format!("The heap is small for what is alive: {}{cost}.", live.in_words()),
        advice: Some(
            "raise -Xmx (in a container also its limit), or find what is kept: compare two class histograms (`jcmd PID GC.class_histogram`) taken some minutes apart".to_owned(),
        ),
        figures: figures_of(full, Some(live)),
    }
}

fn elsewise(summary: &GcSummary, full: &Full, live: Option<Live>) -> Conclusion {
    let (name, why, advice) = match summary.settings.collector {
        Some(Collector::Serial | Collector::Parallel) => (
            Name::OldGenerationFilled,
            "the old generation had filled with what young collections moved there, and this collector frees it in no other way",
            "a larger young generation (-Xmn, -XX:NewRatio) moves less; G1 frees the old generation beside the program",
        ),
        Some(Collector::Cms) => (
            Name::FellBehind,
            "CMS frees the old generation beside the program, and these stopped it instead",
            "see the failures beside this; before JDK 8 a full permanent generation causes them, too (-XX:MaxPermSize)",
        ),
        Some(Collector::G1) => (
            Name::FellBehind,
            "G1 frees the old generation beside the program, and had no room left before it was done",
            "mark earlier (-XX:InitiatingHeapOccupancyPercent), with more threads (-XX:ConcGCThreads), or keep more room (-XX:G1ReservePercent); before JDK 10 its full collections use one thread (JEP 307)",
        ),
        Some(_) => (
            Name::FellBehind,
            "the collector works beside the program, and had no room left before it was done",
            "more heap gives it more time, more threads (-XX:ConcGCThreads) make it faster",
        ),
        None => (
            Name::OldGenerationFilled,
            "the log does not name its collector",
            "look at what is alive beside the largest heap",
        ),
    };
    let live_in_words = match live {
        Some(live) if live.is_far_from_it() => {
            format!(" {}: the heap is not too small.", live.in_words())
        }
        Some(live) => format!(" {}.", live.in_words()),
        None => String::new(),
    };
    Conclusion {
        name,
        summary: format!(
            "{} for want of room, {}: {why}.{live_in_words}",
            figures::counted(full.count, "1 full collection", "full collections"),
            taking(full.count, full.total_s, full.max_ms),
        ),
        advice: Some(advice.to_owned()),
        figures: figures_of(full, live),
    }
}

fn figures_of(full: &Full, live: Option<Live>) -> Vec<MemoryFigure> {
    let mut all = vec![
        figure("full_collections", full.count as f64),
        figure("pauses_s", full.total_s),
    ];
    if let Some(live) = live {
        all.push(figure("live_bytes", live.bytes));
        all.push(figure("room_bytes", live.room));
    }
    all
}
