//! Messages of HotSpot: one file a collector, one function a rule, each under a real line.

mod concurrent;
mod epsilon;
mod g1;
mod generations;
pub mod native_image;
mod pause;
pub mod safepoint;
mod settings;
mod shenandoah;
mod zgc;

use crate::age;
use crate::event::{HeapChange, What};
use crate::scan::Scan;

/// What a rule makes of a message.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Said<'a> {
    /// The message is an event.
    What(What<'a>),
    /// Known, and nothing is taken from it.
    Detail,
}

impl<'a> From<What<'a>> for Said<'a> {
    fn from(what: What<'a>) -> Self {
        Self::What(what)
    }
}

/// Reads the message after `GC(7) `. `None` when no rule knows it.
///
/// Without a number and without decorations (`is_decorated`), only what no program would write is
/// taken for a message.
pub fn read(message: &[u8], collection: Option<u64>, is_decorated: bool) -> Option<Said<'_>> {
    let is_numbered = collection.is_some();
    match message.first()? {
        // The generation of a ZGC: `y: ` of a minor collection, `Y: ` and `O: ` of a major one.
        generation @ (b'y' | b'Y' | b'O') if message[1..].starts_with(b": ") && is_numbered => {
            zgc::generational(*generation, &message[3..])
        }
        b'P' if message.starts_with(b"Pause ") && is_numbered => pause::read(message),
        b'C' if message.starts_with(b"Concurrent ") && is_numbered => concurrent::read(message),
        b' ' if is_numbered => native_image::row(message)
            .or_else(|| zgc::row(crate::event::Generation::Whole, message)),
        _ if is_numbered => of_a_collection(message),
        _ => elsewhere(message, is_decorated),
    }
}

fn of_a_collection(message: &[u8]) -> Option<Said<'_>> {
    match message.first()? {
        b'-' | b'D' if message.starts_with(b"- age ") || message.starts_with(b"Desired ") => {
            age::read(message).map(Said::What)
        }
        b'A' | b'E' | b'H' | b'S' => g1::regions(message),
        b'O' => g1::regions(message)
            .or_else(|| zgc::out_of_memory(message))
            .or_else(|| generations::space(message)),
        b'D' | b'P' => generations::space(message),
        b'T' => generations::space(message).or_else(|| g1::exhausted(message)),
        b'U' => cpu(message).or_else(|| settings::collector(message)),
        b'M' if message.starts_with(b"Metaspace:") => generations::metaspace(message),
        b'G' | b'M' => zgc::cycle(message),
        b'F' | b'I' => native_image::collection(message),
        b'C' if message.starts_with(b"Coalescing ") => concurrent::read(message),
        b'C' => generations::space(message),
        _ => None,
    }
    .or_else(|| zgc::stall(message))
    .or_else(|| zgc::unindented(message))
}

fn elsewhere(message: &[u8], is_decorated: bool) -> Option<Said<'_>> {
    zgc::stall(message)
        .or_else(|| zgc::out_of_memory(message))
        .or_else(|| settings::collector(message))
        .or_else(|| shenandoah::read(message))
        .or_else(|| generations::promotion_failed(message))
        .or_else(|| concurrent::failed(message))
        .or_else(|| epsilon::read(message).filter(|_| is_decorated))
        .or_else(|| settings::read(message, is_decorated))
        .or_else(|| generations::metaspace(message).filter(|_| is_decorated))
}

/// Second tags under which there is only detail beside the lines that have rules.
const DETAIL_TAGS: [&[u8]; 35] = [
    b"age",
    b"alloc",
    b"barrier",
    b"bot",
    b"classhisto",
    b"compaction",
    b"coops",
    b"cset",
    b"director",
    b"ergo",
    b"exit",
    b"free",
    b"humongous",
    b"ihop",
    b"init",
    b"load",
    b"marking",
    b"metaspace",
    b"mmu",
    b"nmethod",
    b"page",
    b"periodic",
    b"phases",
    b"plab",
    b"ref",
    b"refine",
    b"region",
    b"reloc",
    b"remset",
    b"start",
    b"stats",
    b"stringdedup",
    b"task",
    b"thread",
    b"tlab",
];

/// Whether lines of these tags that no rule takes are detail.
pub fn is_detail_tag(tags: &[u8]) -> bool {
    tags.split(|b| *b == b',')
        .skip(1)
        .any(|tag| DETAIL_TAGS.contains(&tag))
}

/// Beginnings of the messages that the numbers come from.
const HEADLINES: [&[u8]; 8] = [
    b"Pause ",
    b"Concurrent ",
    b"Garbage Collection ",
    b"Major Collection ",
    b"Minor Collection ",
    b"Incremental GC ",
    b"Full GC ",
    b"User=",
];

/// Whether numbers should come from a message.
pub fn is_headline(message: &[u8]) -> bool {
    HEADLINES.iter().any(|begin| message.starts_with(begin))
}

/// Whether something that is counted may be missing with a message that no rule takes: it begins as
/// such messages do, or ends in a duration or in the heap before and after.
pub fn has_figures(message: &[u8]) -> bool {
    is_headline(message)
        || ending_in_duration(message).is_some()
        || ending_in_heap(message).1.is_some()
}

/// `User=0.00s Sys=0.01s Real=0.01s`
fn cpu(message: &[u8]) -> Option<Said<'_>> {
    let mut scan = Scan(message);
    scan.literal(b"User=")?;
    let user = scan.duration()?;
    scan.literal(b" Sys=")?;
    let system = scan.duration()?;
    scan.literal(b" Real=")?;
    let real = scan.duration()?;
    Some(What::Cpu { user, system, real }.into())
}

/// Takes the duration after the last space, and returns it with what stands before.
fn ending_in_duration(message: &[u8]) -> Option<(&[u8], u64)> {
    let space = memchr::memrchr(b' ', message)?;
    let mut scan = Scan(&message[space + 1..]);
    let duration = scan.duration()?;
    scan.0.is_empty().then_some((&message[..space], duration))
}

/// Takes `411M->98M(8192M)` after the last space, if it is there, and returns it with what stands
/// before.
fn ending_in_heap(head: &[u8]) -> (&[u8], Option<HeapChange>) {
    let split = || {
        let space = memchr::memrchr(b' ', head)?;
        Some((&head[..space], heap(&head[space + 1..])?))
    };
    match split() {
        Some((head, heap)) => (head, Some(heap)),
        None => (head, None),
    }
}

/// `411M->98M(8192M)`, `916M(11%)->246M(3%)`, `54.50M->9.50M`
pub fn heap(token: &[u8]) -> Option<HeapChange> {
    let mut scan = Scan(token);
    let before = scan.size()?;
    let _share = scan.parenthesis();
    scan.literal(b"->")?;
    let after = scan.size()?;
    let capacity = match scan.parenthesis() {
        Some(share) if share.ends_with(b"%") => None,
        Some(capacity) => Some(Scan(capacity).size()?),
        None => None,
    };
    scan.0.is_empty().then_some(HeapChange {
        before,
        after,
        capacity,
    })
}

/// Whether a headline has no figures: something begins here (`gc,start`).
fn only_begins(message: &[u8]) -> bool {
    let last = memchr::memrchr(b' ', message).map_or(message, |space| &message[space + 1..]);
    !last.first().is_some_and(u8::is_ascii_digit) && memchr::memmem::find(message, b"->").is_none()
}
