//! What the mappings of a process are for, as far as this is visible from outside.
//!
//! Names identify files, rights identify compiled code, and the shape identifies thread stacks and
//! the arenas of glibc. Where the Java heap and the class space lie is known from the JVM's log.
//! The rest is other.

use super::smaps::{Mapping, Sizes};
use std::collections::BTreeSet;
use std::ops::Range;

/// What a mapping is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    /// The Java heap.
    JavaHeap,
    /// The compressed class space, a part of metaspace.
    ClassSpace,
    /// A CDS or AOT archive.
    ClassArchive,
    /// Anonymous memory that may be executed: what a JIT compiler wrote.
    CodeCache,
    /// Executables and libraries.
    Program,
    /// A mapped file that is no program, such as a jar or `lib/modules`.
    MappedFile,
    /// The stack of a thread.
    Stack,
    /// `brk` and the arenas of libc.
    Libc,
    /// Shared memory without a file.
    Shared,
    /// Anonymous memory that is none of these.
    Other,
}

/// Where the JVM's log says that something lies.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct KnownRanges {
    /// The Java heap.
    pub java_heap: Option<Range<u64>>,
    /// The compressed class space.
    pub class_space: Option<Range<u64>>,
}

/// Sizes by kind.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ByKind(std::collections::BTreeMap<Kind, Sizes>);

impl ByKind {
    /// Of one kind.
    #[must_use]
    pub fn of(&self, kind: Kind) -> Sizes {
        self.0.get(&kind).copied().unwrap_or_default()
    }

    /// All of them together.
    #[must_use]
    pub fn sum(&self) -> Sizes {
        let mut sum = Sizes::default();
        self.0.values().for_each(|sizes| sum.add(sizes));
        sum
    }

    /// Adds a mapping.
    pub fn add(&mut self, kind: Kind, sizes: &Sizes) {
        self.0.entry(kind).or_default().add(sizes);
    }
}

/// glibc's arenas take address space in pieces of this size, aligned to it (`HEAP_MAX_SIZE` on 64
/// bits; `arena.c` of glibc).
const ARENA: u64 = 64 << 20;
/// The first piece of an arena that is made accessible (132 KiB).
const SMALLEST_ARENA: u64 = 132 << 10;
/// Guards at the end of a stack: one page of libc, or the JVM's own zones of some pages
/// (`-XX:StackRedPages` and its kin).
const LARGEST_GUARD: u64 = 64 << 10;
/// Stacks are asked for in round numbers.
const STACK_STEP: u64 = 64 << 10;
const STACKS: Range<u64> = 128 << 10..(64 << 20) + 1;

/// The kind of each mapping, in their order.
#[must_use]
pub fn kinds(mappings: &[Mapping<'_>], known: &KnownRanges) -> Vec<Kind> {
    let programs: BTreeSet<&str> = mappings
        .iter()
        .filter(|m| m.executable && m.inode != 0)
        .map(|m| m.name)
        .collect();
    (0..mappings.len())
        .map(|index| kind(mappings, index, known, &programs))
        .collect()
}

/// Sizes added up by kind.
#[must_use]
pub fn by_kind(mappings: &[Mapping<'_>], known: &KnownRanges) -> ByKind {
    let mut sums = ByKind::default();
    for (mapping, kind) in mappings.iter().zip(kinds(mappings, known)) {
        sums.add(kind, &mapping.sizes);
    }
    sums
}

fn kind(
    mappings: &[Mapping<'_>],
    index: usize,
    known: &KnownRanges,
    programs: &BTreeSet<&str>,
) -> Kind {
    let Some(mapping) = mappings.get(index) else {
        return Kind::Other;
    };
    let within = |range: &Option<Range<u64>>| {
        range
            .as_ref()
            .is_some_and(|r| r.start <= mapping.start && mapping.end <= r.end)
    };
    // Archived objects are mapped from the archive into the heap, and count as heap from then on.
    if within(&known.java_heap) || is_heap_file(mapping.name) {
        return Kind::JavaHeap;
    }
    if within(&known.class_space) {
        return Kind::ClassSpace;
    }
    match mapping.name {
        "[heap]" => return Kind::Libc,
        name if name.starts_with("[stack") => return Kind::Stack,
        name if is_shared_memory(name) => return Kind::Shared,
        name if programs.contains(name) => return Kind::Program,
        "[vdso]" | "[vvar]" | "[vvar_vclock]" | "[vsyscall]" => return Kind::Program,
        name if name.starts_with('/') => {
            let archive = [".jsa", ".aot"].iter().any(|end| name.ends_with(end));
            return if archive {
                Kind::ClassArchive
            } else {
                Kind::MappedFile
            };
        }
        _ => {}
    }
    if mapping.shared {
        return Kind::Shared;
    }
    if mapping.executable {
        return Kind::CodeCache;
    }
    let before = index.checked_sub(1).and_then(|i| mappings.get(i));
    if is_stack(before, mapping) {
        return Kind::Stack;
    }
    if is_arena(mapping, mappings.get(index + 1)) {
        return Kind::Libc;
    }
    Kind::Other
}

/// ZGC maps its heap from memory of its own, in JDK 17 at three places.
fn is_heap_file(name: &str) -> bool {
    name.starts_with("/memfd:java_heap") || name.starts_with("/dev/shm/java_heap")
}

fn is_shared_memory(name: &str) -> bool {
    ["/memfd:", "/dev/shm/", "/dev/zero", "/SYSV", "[anon_shmem"]
        .iter()
        .any(|start| name.starts_with(start))
}

/// Whether this is a stack: a guard, and above it a mapping whose size is a round number with or
/// without the guard.
fn is_stack(before: Option<&Mapping<'_>>, mapping: &Mapping<'_>) -> bool {
    let Some(guard) = before.filter(|m| m.is_anonymous() && !m.accessible) else {
        return false;
    };
    mapping.is_anonymous()
        && mapping.accessible
        && guard.end == mapping.start
        && (1..=LARGEST_GUARD).contains(&guard.length())
        && [mapping.length(), mapping.length() + guard.length()]
            .iter()
            .any(|length| length.is_multiple_of(STACK_STEP) && STACKS.contains(length))
}

fn is_arena(mapping: &Mapping<'_>, next: Option<&Mapping<'_>>) -> bool {
    if !mapping.is_anonymous()
        || !mapping.accessible
        || !mapping.start.is_multiple_of(ARENA)
        || mapping.length() < SMALLEST_ARENA
    {
        return false;
    }
    let end = match next {
        Some(reserved)
            if reserved.is_anonymous() && !reserved.accessible && reserved.start == mapping.end =>
        {
            reserved.end
        }
        _ => mapping.end,
    };
    end.is_multiple_of(ARENA) && end - mapping.start <= 2 * ARENA
}

#[cfg(test)]
mod tests {
    use super::*;

    // As a JVM 17 with G1 and a heap of 256 MiB has them, with rounder sizes.
    const MAPS: &[(&str, Kind)] = &[
        ("f0000000-f1700000 rw-p 0 00:00 0 ", Kind::JavaHeap),
        (
            "ffe00000-ffe75000 rw-p 0 fe:00 1    /lib/classes.jsa",
            Kind::JavaHeap,
        ),
        (
            "563151641000-563151642000 r-xp 0 fe:00 3    /bin/java",
            Kind::Program,
        ),
        (
            "563151644000-563151645000 rw-p 0 fe:00 3    /bin/java",
            Kind::Program,
        ),
        (
            "563182345000-56318238c000 rw-p 0 00:00 0    [heap]",
            Kind::Libc,
        ),
        ("7f23dc000000-7f23dc021000 rw-p 0 00:00 0 ", Kind::Libc),
        ("7f23dc021000-7f23e0000000 ---p 0 00:00 0 ", Kind::Other),
        ("7f2403400000-7f2403410000 rw-p 0 00:00 0 ", Kind::Other),
        (
            "7f2407000000-7f2407bc7000 rw-p 0 fe:00 1    /lib/classes.jsa",
            Kind::ClassArchive,
        ),
        (
            "7f2408000000-7f2408010000 rw-p 0 00:00 0 ",
            Kind::ClassSpace,
        ),
        (
            "7f2408010000-7f2448000000 ---p 0 00:00 0 ",
            Kind::ClassSpace,
        ),
        ("7f2465400000-7f2465670000 rwxp 0 00:00 0 ", Kind::CodeCache),
        (
            "7f2474400000-7f247beb2000 r--s 0 fe:00 5    /lib/modules",
            Kind::MappedFile,
        ),
        ("7f248054d000-7f2480551000 ---p 0 00:00 0 ", Kind::Other),
        ("7f2480551000-7f248064d000 rw-p 0 00:00 0 ", Kind::Stack),
        ("7f248064d000-7f248064e000 ---p 0 00:00 0 ", Kind::Other),
        ("7f248064e000-7f248074e000 rw-p 0 00:00 0 ", Kind::Stack),
        ("7f2482621000-7f2482627000 ---p 0 00:00 0 ", Kind::Other),
        ("7f2482627000-7f248282f000 rw-p 0 00:00 0 ", Kind::Other),
        (
            "7f2490000000-7f2490100000 rw-s 0 00:01 9    /memfd:java_heap (deleted)",
            Kind::JavaHeap,
        ),
        (
            "7f24a0000000-7f24a0100000 rw-s 0 00:01 8    /dev/shm/mine",
            Kind::Shared,
        ),
        (
            "7ffc3abc4000-7ffc3abe5000 rw-p 0 00:00 0    [stack]",
            Kind::Stack,
        ),
        (
            "7ffc3abe7000-7ffc3abe9000 r-xp 0 00:00 0    [vdso]",
            Kind::Program,
        ),
    ];

    #[test]
    fn every_kind_is_told_by_its_name_its_rights_its_shape_or_its_place() {
        let text: String = MAPS.iter().map(|(line, _)| format!("{line}\n")).collect();
        let mappings = super::super::smaps::parse_smaps(&text);
        let known = KnownRanges {
            java_heap: Some(0xf000_0000..0x1_0000_0000),
            class_space: Some(0x7f24_0800_0000..0x7f24_4800_0000),
        };
        let seen = kinds(&mappings, &known);
        for ((line, expected), kind) in MAPS.iter().zip(seen) {
            assert_eq!(kind, *expected, "{line}");
        }
        assert_eq!(kinds(&mappings, &KnownRanges::default())[0], Kind::Other);
    }
}
