//! Pauses: all collectors write them alike.

use super::{Said, ending_in_duration, ending_in_heap, only_begins};
use crate::event::{CyclePart, Pause, PauseKind, What};
use crate::scan::{Scan, text};

/// `Pause Young (Normal) (G1 Evacuation Pause) 411M->98M(8192M) 11.751ms`; detail where it only
/// begins.
pub fn read(message: &[u8]) -> Option<Said<'_>> {
    let Some((head, duration)) = ending_in_duration(message) else {
        return only_begins(message).then_some(Said::Detail);
    };
    let (head, heap) = ending_in_heap(head);
    let named = name(head.strip_prefix(b"Pause ")?)?;
    Some(
        What::Pause(Pause {
            kind: named.kind,
            name: text(named.name)?,
            part: named.part,
            cause: match named.cause {
                Some(cause) => Some(text(cause)?),
                None => None,
            },
            heap,
            duration,
            evacuation_failed: named.evacuation_failed,
        })
        .into(),
    )
}

struct Named<'a> {
    kind: PauseKind,
    name: &'a [u8],
    part: CyclePart,
    cause: Option<&'a [u8]>,
    evacuation_failed: bool,
}

/// `Young (Normal) (G1 Evacuation Pause)`, `Full (System.gc())`, `Init Mark (unload classes)`.
fn name(head: &[u8]) -> Option<Named<'_>> {
    let open = memchr::memchr(b'(', head);
    let base = open.map_or(head, |open| &head[..open]).trim_ascii_end();
    let rest = open.map_or(&head[head.len()..], |open| &head[open..]);
    let mut scan = Scan(rest);
    let first = scan.parenthesis();
    let named = |kind, name, cause| Named {
        kind,
        name,
        part: match (base, first) {
            (b"Remark", _) => CyclePart::Marked,
            (b"Young", Some(b"Prepare Mixed")) => CyclePart::BeforeMixed,
            _ => CyclePart::Other,
        },
        cause,
        // A region that native code has pinned stays where it is: that is no want of room.
        evacuation_failed: memchr::memmem::find(rest, b"(Evacuation Failure").is_some()
            && memchr::memmem::find(rest, b"(Evacuation Failure: Pinned)").is_none(),
    };
    scan.spaces();
    let behind_first = head.len() - scan.0.len();
    Some(match base {
        b"Young" => match first {
            // What G1 collects stands before the cause.
            Some(b"Normal" | b"Concurrent Start" | b"Prepare Mixed") => named(
                PauseKind::Young,
                head[..behind_first].trim_ascii_end(),
                scan.parenthesis(),
            ),
            Some(b"Mixed") => named(
                PauseKind::Mixed,
                head[..behind_first].trim_ascii_end(),
                scan.parenthesis(),
            ),
            cause => named(PauseKind::Young, base, cause),
        },
        // JDK 9 and 10: `Pause Initial Mark (G1 Humongous Allocation) 10M->9M(64M) 2.1ms`
        // CMS has no cause: `Pause Initial Mark 43M->43M(61M) 0.343ms`.
        b"Initial Mark" if first.is_some() => named(PauseKind::Young, base, first),
        b"Mixed" => named(PauseKind::Mixed, base, first),
        // Native images from JDK 22 on: `Pause Full GC (Collect on allocation) 8.00M->4.00M
        // 1.863ms`
        b"Incremental GC" => named(PauseKind::Young, base, first),
        b"Full GC" => named(PauseKind::RoutineFull, base, first),
        b"Full" => named(PauseKind::Full, base, first),
        // Shenandoah says in the parentheses where the cycle was given up.
        b"Degenerated GC" => named(PauseKind::Degenerated, head.trim_ascii_end(), None),
        b"" => return None,
        _ => named(PauseKind::Step, base, None),
    })
}
