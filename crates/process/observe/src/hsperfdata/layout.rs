//! The layout, version 2.0, as `src/hotspot/share/runtime/perfMemory.hpp` of OpenJDK defines it.
//!
//! ```text
//! prologue                        entry, at entry_offset and every entry_length from there
//!  0 u32 magic 0xcafec0c0 (big)    0 i32 entry_length
//!  4 u8  byte order: 1 little      4 i32 name_offset     from the entry, ends with a zero
//!  5 u8  major version             8 i32 vector_length   0 is a scalar
//!  6 u8  minor version            12 u8  type            `J` long, `B` byte, ...
//!  7 u8  accessible               13 u8  flags
//!  8 i32 used                     14 u8  unit
//! 12 i32 overflow                 15 u8  variability
//! 16 i64 mod_time_stamp           16 i32 data_offset     from the entry
//! 24 i32 entry_offset
//! 28 i32 num_entries
//! ```

/// Why bytes are not a performance memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum LayoutError {
    /// Another kind of file.
    #[error(
        "this is no performance memory of a HotSpot JVM: its first bytes are not cafec0c0; name a process of HotSpot"
    )]
    Magic,
    /// A version that we do not know.
    #[error(
        "its layout is version {0}.{1}, but Tacho reads only 2.x; use JDK 8 or later, or a newer Tacho"
    )]
    Version(u8, u8),
    /// The JVM is still filling it.
    #[error("the JVM has not finished it yet; read it again later")]
    NotYet,
    /// An entry points outside.
    #[error("entry {0} points outside of it; the file is damaged")]
    Damaged(u32),
}

/// One entry, by reference into the memory.
#[derive(Debug, Clone, Copy)]
pub(super) struct RawEntry<'a> {
    pub name: &'a str,
    pub kind: u8,
    pub variability: u8,
    /// Elements of an array; 0 for a scalar.
    pub length: usize,
    /// From the value on, to the end of the entry.
    pub data: &'a [u8],
}

/// Numbers in the byte order of the JVM that wrote them.
#[derive(Debug, Clone, Copy)]
pub(super) struct Reader<'a> {
    bytes: &'a [u8],
    little: bool,
}

impl<'a> Reader<'a> {
    pub(super) fn long(self, at: usize) -> Option<i64> {
        let raw = self.bytes.get(at..at.checked_add(8)?)?.try_into().ok()?;
        Some(if self.little {
            i64::from_le_bytes(raw)
        } else {
            i64::from_be_bytes(raw)
        })
    }

    pub(super) fn int(self, at: usize) -> Option<i32> {
        let raw = self.bytes.get(at..at.checked_add(4)?)?.try_into().ok()?;
        Some(if self.little {
            i32::from_le_bytes(raw)
        } else {
            i32::from_be_bytes(raw)
        })
    }

    /// A length or an offset, which is never negative.
    fn size(self, at: usize) -> Option<usize> {
        usize::try_from(self.int(at)?).ok()
    }

    fn within(self, bytes: &'a [u8]) -> Self {
        Self { bytes, ..self }
    }
}

const PROLOGUE: usize = 32;
const ENTRY_HEAD: usize = 20;

/// The number of entries that a memory claims. It only grows.
pub(super) fn count(bytes: &[u8]) -> Option<u32> {
    u32::try_from(whole(bytes).int(28)?).ok()
}

/// A reader of the whole memory in its byte order.
pub(super) fn whole(bytes: &[u8]) -> Reader<'_> {
    Reader {
        bytes,
        little: bytes.get(4) == Some(&1),
    }
}

/// Calls `each` with every entry and a reader for its data.
pub(super) fn entries<'a>(
    bytes: &'a [u8],
    mut each: impl FnMut(RawEntry<'a>, Reader<'a>),
) -> Result<(), LayoutError> {
    let Some((head, _)) = bytes.split_first_chunk::<PROLOGUE>() else {
        return Err(LayoutError::Magic);
    };
    // Written in the order of a big-endian machine everywhere.
    if head[..4] != 0xcafe_c0c0_u32.to_be_bytes() {
        return Err(LayoutError::Magic);
    }
    let [major, minor, accessible] = [head[5], head[6], head[7]];
    if major != 2 {
        return Err(LayoutError::Version(major, minor));
    }
    if accessible == 0 {
        return Err(LayoutError::NotYet);
    }
    let whole = whole(bytes);
    let count = whole.int(28).unwrap_or(0);
    let mut at = whole.size(24).ok_or(LayoutError::Damaged(0))?;
    for number in 0..u32::try_from(count).unwrap_or(0) {
        let damaged = LayoutError::Damaged(number);
        let length = whole.size(at).ok_or(damaged)?;
        // An entry that has no length yet is being added just now; the rest follows later.
        if length == 0 {
            break;
        }
        let end = at.checked_add(length).ok_or(damaged)?;
        let entry = bytes.get(at..end).ok_or(damaged)?;
        let raw = parse_entry(whole.within(entry)).ok_or(damaged)?;
        each(raw, whole.within(raw.data));
        at = end;
    }
    Ok(())
}

fn parse_entry(entry: Reader<'_>) -> Option<RawEntry<'_>> {
    let head = entry.bytes.get(..ENTRY_HEAD)?;
    let name = entry.bytes.get(entry.size(4)?..)?;
    let name = name.split(|byte| *byte == 0).next()?;
    Some(RawEntry {
        name: std::str::from_utf8(name).ok()?,
        length: entry.size(8)?,
        kind: head[12],
        variability: head[15],
        data: entry.bytes.get(entry.size(16)?..)?,
    })
}
