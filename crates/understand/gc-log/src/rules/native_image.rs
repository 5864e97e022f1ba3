//! Native images (`-XX:+PrintGC`), whose serial collector has written its lines in several ways.

use super::{Said, heap};
use crate::decorations::At;
use crate::event::{
    CyclePart, HeapChange, Pause, PauseKind, Setting, Size, Space, SpaceName, What,
};
use crate::scan::{Scan, digits, text};
use memchr::memmem;

/// Until JDK 20: `[Incremental GC (CollectOnAllocation) 286720K->24576K, 0.0008521 secs]`, with
/// `-XX:+PrintGCTimeStamps` `[37400 msec: Full GC (CollectOnAllocation) 26624K->5120K, 0.0067170
/// secs]`, with `-XX:+VerboseGC` also `[47201169170742 GC: before epoch: 778 cause:
/// CollectOnAllocation]`
pub fn bracketed(line: &[u8]) -> Option<(At, Said<'_>)> {
    let inside = line.strip_prefix(b"[")?.strip_suffix(b"]")?;
    let mut at = At::default();
    let mut rest = inside;
    if let Some((number, after)) = digits(inside) {
        if let Some(after) = after.strip_prefix(b" msec: ") {
            at.uptime = Some(number.checked_mul(1_000_000)?);
            rest = after;
        } else if after.starts_with(b" GC: before ") || after.starts_with(b" GC: after ") {
            return Some((at, Said::Detail));
        }
    }
    let (kind, name) = kind(rest)?;
    let mut scan = Scan(&rest[name.len() + 1..]);
    let cause = text(scan.parenthesis()?)?;
    scan.literal(b" ")?;
    let comma = memchr::memchr(b',', scan.0)?;
    // With a capacity it is a line of JDK 8.
    let heap = heap(&scan.0[..comma]).filter(|heap| heap.capacity.is_none())?;
    let mut duration = Scan(scan.0[comma + 1..].trim_ascii());
    let nanoseconds = duration.duration()?;
    duration.is_done().then_some(())?;
    Some((at, pause(kind, name, cause, heap, nanoseconds).into()))
}

/// JDK 21: `GC(11) Incremental GC (Collect on allocation) 54.50M->9.50M 3.346ms`. Later ones write
/// `Pause ` before it.
pub fn collection(message: &[u8]) -> Option<Said<'_>> {
    let (kind, name) = kind(message)?;
    let mut scan = Scan(&message[name.len() + 1..]);
    let cause = text(scan.parenthesis()?)?;
    scan.literal(b" ")?;
    let space = memchr::memchr(b' ', scan.0)?;
    let heap = heap(&scan.0[..space])?;
    let mut duration = Scan(&scan.0[space + 1..]);
    let nanoseconds = duration.duration()?;
    duration.is_done().then_some(())?;
    Some(pause(kind, name, cause, heap, nanoseconds).into())
}

fn kind(text: &[u8]) -> Option<(PauseKind, &'static str)> {
    if text.starts_with(b"Incremental GC (") {
        Some((PauseKind::Young, "Incremental GC"))
    } else if text.starts_with(b"Full GC (") {
        Some((PauseKind::RoutineFull, "Full GC"))
    } else {
        None
    }
}

fn pause<'a>(
    kind: PauseKind,
    name: &'a str,
    cause: &'a str,
    heap: HeapChange,
    duration: u64,
) -> What<'a> {
    What::Pause(Pause {
        kind,
        name,
        part: CyclePart::Other,
        cause: Some(cause),
        heap: Some(heap),
        duration,
        evacuation_failed: false,
    })
}

/// Where such a line begins after something else.
pub fn find(line: &[u8]) -> Option<usize> {
    memmem::find(line, b"[Incremental GC (").or_else(|| memmem::find(line, b"[Full GC ("))
}

/// With `-XX:+VerboseGC`: `GC(0)   Eden: 8.00M->0.00M`, and before the first collection
/// `GC(0)   GC policy: adaptive`
pub fn row(message: &[u8]) -> Option<Said<'_>> {
    let message = message.trim_ascii_start();
    let colon = memmem::find(message, b": ")?;
    let value = message[colon + 2..].trim_ascii();
    let size = || Scan(value).size();
    let what = match &message[..colon] {
        b"Eden" => space(SpaceName::Eden, value)?,
        b"Survivor" => space(SpaceName::Survivor, value)?,
        b"Old" => space(SpaceName::Old, value)?,
        b"Free" => space(SpaceName::Free, value)?,
        // JDK 21 calls it heap policy.
        b"GC policy" | b"Heap policy" => What::Setting(Setting::Policy(text(value)?)),
        b"Memory" => What::Setting(Setting::Memory(size()?)),
        b"Maximum young generation size" => What::Setting(Setting::MaxYoung(size()?)),
        b"Maximum heap size" => What::Setting(Setting::MaxHeap(size()?)),
        b"Minimum heap size" => What::Setting(Setting::MinHeap(size()?)),
        _ => return None,
    };
    Some(what.into())
}

fn space<'a>(name: SpaceName, change: &[u8]) -> Option<What<'a>> {
    let change = heap(change)?;
    Some(What::Space(Space {
        name,
        before: Size::Bytes(change.before),
        after: Size::Bytes(change.after),
        capacity: None,
    }))
}
