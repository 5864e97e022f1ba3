//! ZGC, with and without generations.

use super::{Said, concurrent, ending_in_duration, ending_in_heap, generations, pause};
use crate::event::{Cycle, Failure, Generation, Stall, What};
use crate::scan::{Scan, text};

/// What follows `Y: `, `y: ` or `O: `.
pub fn generational(letter: u8, message: &[u8]) -> Option<Said<'_>> {
    let generation = if letter == b'O' {
        Generation::Old
    } else {
        Generation::Young
    };
    match message.first()? {
        b'P' if message.starts_with(b"Pause ") => pause::read(message),
        b'C' if message.starts_with(b"Concurrent ") => concurrent::read(message),
        b' ' => row(generation, message),
        b'M' if message.starts_with(b"Metaspace:") => generations::metaspace(message),
        // Relocation Stall (ZWorkerOld#0) 0.145ms
        b'R' | b'A' if memchr::memmem::find(message, b" Stall (").is_some() => stall(message),
        // Young Generation 24M(38%)->24M(38%) 0.003s: a part of the collection's own line.
        b'Y' | b'O' if memchr::memmem::find(message, b" Generation").is_some() => {
            Some(Said::Detail)
        }
        b'A' | b'C' | b'R' => cell_row(generation, message),
        _ => None,
    }
    .or_else(|| is_table(message).then_some(Said::Detail))
}

/// `Garbage Collection (Warmup) 916M(11%)->246M(3%)`, `Major Collection (Warmup)
/// 844M(10%)->194M(2%) 0.023s`; detail where it only begins.
pub fn cycle(message: &[u8]) -> Option<Said<'_>> {
    let (name, generation) = if message.starts_with(b"Garbage Collection (") {
        ("Garbage Collection", Generation::Whole)
    } else if message.starts_with(b"Major Collection (") {
        ("Major Collection", Generation::Whole)
    } else if message.starts_with(b"Minor Collection (") {
        ("Minor Collection", Generation::Young)
    } else {
        return None;
    };
    let mut scan = Scan(&message[name.len() + 1..]);
    let cause = text(scan.parenthesis()?)?;
    scan.spaces();
    if scan.0.is_empty() {
        return Some(Said::Detail);
    }
    let aborted = scan.0 == b"Aborted";
    let (heap, duration) = match ending_in_duration(message) {
        Some((head, duration)) => (ending_in_heap(head).1, Some(duration)),
        None => (ending_in_heap(message).1, None),
    };
    // With generations a line without a duration is not whole.
    if !aborted && (heap.is_none() || (duration.is_none() && generation_has_duration(name))) {
        return None;
    }
    Some(
        What::Cycle(Cycle {
            name,
            generation,
            cause: Some(cause),
            heap,
            duration,
            aborted,
        })
        .into(),
    )
}

fn generation_has_duration(name: &str) -> bool {
    name != "Garbage Collection"
}

/// A row of the table that ZGC writes after each cycle.
///
/// ```text
///                Mark Start          Mark End        Relocate Start      Relocate End           High               Low
///  Capacity:       64M (100%)         64M (100%)         64M (100%)         64M (100%)         64M (100%)         64M (100%)
///      Live:         -                12M (20%)          12M (20%)          12M (20%)            -                  -
/// ```
pub fn row(generation: Generation, message: &[u8]) -> Option<Said<'_>> {
    cell_row(generation, message.trim_ascii_start())
}

fn cell_row(generation: Generation, message: &[u8]) -> Option<Said<'_>> {
    let Some(colon) = memchr::memchr(b':', message) else {
        return Some(Said::Detail);
    };
    let values = &message[colon + 1..];
    let what = match &message[..colon] {
        b"Capacity" => What::Capacity(nth(values, 3)?),
        // The heap's row has two more cells (High, Low) than that of a generation.
        b"Used" if generation == Generation::Young && nth(values, 4).is_none() => What::YoungUsed {
            before: nth(values, 0)?,
            after: nth(values, 3)?,
        },
        b"Live" => What::Live {
            generation,
            bytes: nth(values, 1)?,
        },
        b"Allocated" => What::Allocated {
            generation,
            bytes: nth(values, 3)?,
        },
        b"Promoted" => What::Promoted(nth(values, 3)?),
        _ => return Some(Said::Detail),
    };
    Some(what.into())
}

/// The n-th cell of a row; cells without a value are `-`.
fn nth(values: &[u8], n: usize) -> Option<u64> {
    let mut scan = Scan(values);
    for _ in 0..n {
        scan.spaces();
        if scan.literal(b"-").is_none() {
            scan.size()?;
            scan.spaces();
            scan.parenthesis()?;
        }
    }
    scan.spaces();
    scan.size()
}

/// `Allocation Stall (main) 15.750ms`
pub fn stall(message: &[u8]) -> Option<Said<'_>> {
    let open = memchr::memmem::find(message, b" Stall (")?;
    let name = text(&message[..open + b" Stall".len()])?;
    if !matches!(
        name,
        "Allocation Stall" | "Relocation Stall" | "JNI Critical Stall"
    ) {
        return None;
    }
    let (head, duration) = ending_in_duration(message)?;
    let thread = head.get(open + b" Stall (".len()..)?.strip_suffix(b")")?;
    Some(
        What::Stall(Stall {
            name,
            thread: text(thread)?,
            duration,
        })
        .into(),
    )
}

/// `Out Of Memory (main)`
pub fn out_of_memory(message: &[u8]) -> Option<Said<'_>> {
    let thread = message.strip_prefix(b"Out Of Memory (")?;
    thread
        .ends_with(b")")
        .then_some(What::Failure(Failure::OutOfMemory).into())
}

/// Rows that begin without a space: the longest titles of their tables.
pub fn unindented(message: &[u8]) -> Option<Said<'_>> {
    if message.starts_with(b"Allocated:") || message.starts_with(b"Reclaimed:") {
        return cell_row(Generation::Whole, message);
    }
    is_table(message).then_some(Said::Detail)
}

/// `Heap Statistics:`, `Min Capacity: 8M(12%)`
fn is_table(message: &[u8]) -> bool {
    const TITLES: [&[u8]; 5] = [
        b"Heap Statistics:",
        b"Min Capacity:",
        b"Max Capacity:",
        b"Soft Max Capacity:",
        b"Age Table:",
    ];
    TITLES.iter().any(|title| message.starts_with(title))
}
