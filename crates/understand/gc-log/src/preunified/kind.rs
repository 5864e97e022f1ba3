//! What stands in a pair of square brackets, by the words behind the first.

use crate::event::{CyclePart, SpaceName};
use tacho_run_folder::Collector;

/// What a bracket holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// The program stands still: `[GC`, `[Full GC`, `[GC pause`.
    Stop(Stop),
    /// A part of the heap before and after: `[ParNew: `, `[Metaspace: `; and whose it is, where
    /// only one collector has it.
    Space(SpaceName, Option<Collector>),
    /// What a stop of CMS is for: `[1 CMS-remark: `.
    CmsStep(CmsStep),
    /// A concurrent phase: `[CMS-concurrent-mark: `, `[GC concurrent-mark-end, `.
    Phase(Phase),
    /// `[Eden: ... Survivors: ... Heap: ...]` of G1.
    G1Heap,
    /// `[Times: user=0.02 sys=0.01, real=0.02 secs]`.
    Times,
    /// Anything else.
    Other,
}

/// Why the program stands still.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stop {
    /// `[GC`: a young collection, or a step of CMS.
    Gc,
    /// `[Full GC`.
    Full,
    /// `[GC pause`: a collection of G1.
    G1Pause,
    /// `[GC remark`: a step of G1.
    G1Remark,
    /// `[GC cleanup`: a step of G1.
    G1Cleanup,
    /// `[Pause Init Mark`, as Shenandoah of JDK 8 writes its steps.
    Shenandoah(&'static str),
}

/// A step of CMS with the program stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CmsStep {
    /// Marks what the roots reach.
    InitialMark,
    /// Marks what changed while it marked beside the program.
    Remark,
}

/// What a line says of a concurrent phase.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Phase {
    /// It begins: nothing to count.
    Begins,
    /// It has ended; its duration follows.
    Ended {
        /// Its name without the collector's.
        name: &'static str,
        /// Its place in the cycle.
        part: CyclePart,
    },
    /// The cycle was given up.
    Aborted,
}

/// Phases of CMS.
const CMS_PHASES: [&str; 5] = ["abortable-preclean", "preclean", "mark", "sweep", "reset"];

/// Phases of G1.
const G1_PHASES: [&str; 4] = [
    "root-region-scan",
    "mark",
    "cleanup",
    "string-deduplication",
];

/// Steps of Shenandoah of JDK 8.
const SHENANDOAH: [&str; 9] = [
    "Init Mark",
    "Final Mark",
    "Final Evac",
    "Init Update Refs",
    "Final Update Refs",
    "Init Traversal",
    "Final Traversal",
    "Degenerated GC",
    "Full",
];

/// Concurrent phases of Shenandoah of JDK 8.
const SHENANDOAH_PHASES: [&str; 10] = [
    "reset bitmaps",
    "reset",
    "marking",
    "precleaning",
    "evacuation",
    "update references",
    "cleanup",
    "uncommit",
    "traversal",
    "partial",
];

/// Spaces of the generations.
const SPACES: [(&[u8], SpaceName, Option<Collector>); 12] = [
    (b"ParNew", SpaceName::Young, Some(Collector::Cms)),
    (b"PSYoungGen", SpaceName::Young, Some(Collector::Parallel)),
    (b"DefNew", SpaceName::Young, Some(Collector::Serial)),
    (b"ParOldGen", SpaceName::Old, Some(Collector::Parallel)),
    (b"PSOldGen", SpaceName::Old, Some(Collector::Parallel)),
    (b"Tenured", SpaceName::Old, None),
    (b"CMS Perm", SpaceName::Metaspace, Some(Collector::Cms)),
    (
        b"PSPermGen",
        SpaceName::Metaspace,
        Some(Collector::Parallel),
    ),
    (b"Perm", SpaceName::Metaspace, None),
    (b"Metaspace", SpaceName::Metaspace, None),
    (b"CMS", SpaceName::Old, Some(Collector::Cms)),
    (b"ASParNew", SpaceName::Young, Some(Collector::Cms)),
];

impl Kind {
    /// Reads the words behind an opening bracket, and returns what follows them.
    pub fn read(inside: &[u8]) -> (Self, &[u8]) {
        let read = match inside.first() {
            Some(b'G') => gc(inside),
            Some(b'F') => after(inside, b"Full GC").map(|rest| (Self::Stop(Stop::Full), rest)),
            Some(b'T') if inside.starts_with(b"Times: ") => Some((Self::Times, inside)),
            Some(b'E') if inside.starts_with(b"Eden: ") => Some((Self::G1Heap, inside)),
            Some(b'1') => cms_step(inside),
            Some(b'C') => inside
                .strip_prefix(b"CMS-concurrent-")
                .and_then(|name| phase(name, &CMS_PHASES, Collector::Cms))
                .or_else(|| shenandoah_phase(inside.strip_prefix(b"Concurrent ")?)),
            Some(b'P') => inside.strip_prefix(b"Pause ").and_then(shenandoah),
            _ => None,
        };
        read.or_else(|| space(inside))
            .unwrap_or((Self::Other, inside))
    }

    /// Whether a line that holds this bracket is of a collection log, whatever stands around it.
    pub fn is_telling(self) -> bool {
        !matches!(self, Self::Other | Self::Space(..))
    }

    /// The program stands still in it.
    pub fn is_stop(self) -> bool {
        matches!(self, Self::Stop(_))
    }
}

fn gc(inside: &[u8]) -> Option<(Kind, &[u8])> {
    let rest = inside.strip_prefix(b"GC")?;
    let stop = |stop, rest| Some((Kind::Stop(stop), rest));
    if let Some(rest) = rest.strip_prefix(b" concurrent-") {
        return phase(rest, &G1_PHASES, Collector::G1);
    }
    if let Some(rest) = rest.strip_prefix(b" pause") {
        return stop(Stop::G1Pause, rest);
    }
    if let Some(rest) = rest.strip_prefix(b" remark") {
        return stop(Stop::G1Remark, rest);
    }
    if let Some(rest) = rest.strip_prefix(b" cleanup") {
        return stop(Stop::G1Cleanup, rest);
    }
    // Parts of G1's collections: `[GC Worker Start (ms): `, `[GC ref-proc, `.
    let is_part = rest.starts_with(b" Worker") || rest.starts_with(b" ref-proc");
    if is_part {
        return None;
    }
    after(inside, b"GC").and_then(|rest| stop(Stop::Gc, rest))
}

/// What follows a word that ends here.
fn after<'a>(inside: &'a [u8], word: &[u8]) -> Option<&'a [u8]> {
    let rest = inside.strip_prefix(word)?;
    match rest.first() {
        None | Some(b' ' | b'(' | b'[' | b'0'..=b'9') => Some(rest),
        // `[GC--`: objects could not be promoted. `[Full GCbefore GC:` hides the space.
        Some(b'-') if rest.starts_with(b"--") => Some(rest),
        _ => None,
    }
}

fn phase<'a>(
    name: &'a [u8],
    phases: &'static [&'static str],
    collector: Collector,
) -> Option<(Kind, &'a [u8])> {
    let (name, rest) = phases.iter().find_map(|known| {
        let rest = name.strip_prefix(known.as_bytes())?;
        Some((*known, rest))
    })?;
    let phase = if rest.starts_with(b"-start") {
        Phase::Begins
    } else if rest.starts_with(b"-abort") {
        Phase::Aborted
    } else {
        Phase::Ended {
            name,
            part: match (name, collector) {
                ("reset", Collector::Cms) => CyclePart::Ends,
                _ => CyclePart::Other,
            },
        }
    };
    Some((Kind::Phase(phase), rest))
}

fn cms_step(inside: &[u8]) -> Option<(Kind, &[u8])> {
    let name = inside.strip_prefix(b"1 CMS-")?;
    if let Some(rest) = name.strip_prefix(b"initial-mark") {
        return Some((Kind::CmsStep(CmsStep::InitialMark), rest));
    }
    let rest = name.strip_prefix(b"remark")?;
    Some((Kind::CmsStep(CmsStep::Remark), rest))
}

fn shenandoah(name: &[u8]) -> Option<(Kind, &[u8])> {
    SHENANDOAH.iter().find_map(|known| {
        let rest = name.strip_prefix(known.as_bytes())?;
        Some((Kind::Stop(Stop::Shenandoah(known)), rest))
    })
}

fn shenandoah_phase(name: &[u8]) -> Option<(Kind, &[u8])> {
    SHENANDOAH_PHASES.iter().find_map(|known| {
        let rest = name.strip_prefix(known.as_bytes())?;
        let phase = Phase::Ended {
            name: known,
            part: match *known {
                "reset" => CyclePart::Begins,
                // The first builds end a cycle with it.
                "reset bitmaps" => CyclePart::Ends,
                "cleanup" => CyclePart::Frees,
                _ => CyclePart::Other,
            },
        };
        Some((Kind::Phase(phase), rest))
    })
}

fn space(inside: &[u8]) -> Option<(Kind, &[u8])> {
    SPACES.iter().find_map(|(word, name, collector)| {
        let rest = inside.strip_prefix(*word)?;
        let ends = !rest
            .first()
            .is_some_and(|b| b.is_ascii_alphabetic() || *b == b'-');
        ends.then_some((Kind::Space(*name, *collector), rest))
    })
}

#[cfg(test)]
mod tests {
    use super::{CmsStep, Collector, CyclePart, Kind, Phase, SpaceName, Stop};

    fn kind(inside: &str) -> Kind {
        Kind::read(inside.as_bytes()).0
    }

    #[test]
    fn what_stops_the_program() {
        for inside in [
            "GC 12.3: [ParNew",
            "GC[YG occupancy",
            "GC (System.gc())",
            "GC-- [PS",
            "GC",
        ] {
            assert_eq!(kind(inside), Kind::Stop(Stop::Gc), "{inside}");
        }
        assert_eq!(kind("Full GC (System) 0.7: ["), Kind::Stop(Stop::Full));
        assert_eq!(kind("GC pause (young)"), Kind::Stop(Stop::G1Pause));
        assert_eq!(kind("GC remark 1.2: ["), Kind::Stop(Stop::G1Remark));
        assert_eq!(kind("GC cleanup 12M->9M(64M)"), Kind::Stop(Stop::G1Cleanup));
    }

    #[test]
    fn what_does_not() {
        for inside in [
            "GC Worker Start (ms)",
            "GC ref-proc, 0.1 secs]",
            "GC-Thread-1] x",
            "INFO]",
        ] {
            assert_eq!(kind(inside), Kind::Other, "{inside}");
        }
        assert_eq!(
            kind("CMS-concurrent-mark-start]"),
            Kind::Phase(Phase::Begins)
        );
        let preclean = Phase::Ended {
            name: "abortable-preclean",
            part: CyclePart::Other,
        };
        assert_eq!(
            kind("CMS-concurrent-abortable-preclean: 0.1/0.2 secs]"),
            Kind::Phase(preclean)
        );
        assert_eq!(
            kind("GC concurrent-mark-abort]"),
            Kind::Phase(Phase::Aborted)
        );
        assert_eq!(
            kind("1 CMS-remark: 1K(2K)]"),
            Kind::CmsStep(CmsStep::Remark)
        );
        let cms = Some(Collector::Cms);
        assert_eq!(
            kind("CMS Perm : 1K->1K(2K)]"),
            Kind::Space(SpaceName::Metaspace, cms)
        );
        assert_eq!(kind("CMS: 1K->1K(2K)"), Kind::Space(SpaceName::Old, cms));
        assert_eq!(kind("CMS2014-01-01T"), Kind::Space(SpaceName::Old, cms));
    }
}
