//! What a JVM before version 9 writes once: its version, its flags, and the heap when it exits.

use super::Read;
use crate::event::Setting;
use crate::scan::{Scan, digits, text};
use memchr::memmem;
use tacho_run_folder::Collector;

/// Beginnings of lines, behind their spaces, that say nothing that is counted.
const DETAILS: [&[u8]; 32] = [
    b"AdaptiveSize",
    b"Application time",
    b"CMS: ",
    b"Heap after GC",
    b"Metaspace  ",
    b"No shared spaces configured",
    b"PSAdaptiveSize",
    b"PSOldGen  ",
    b"PSPermGen  ",
    b"PSYoungGen  ",
    b"ParOldGen  ",
    b"TLAB",
    b"class space  ",
    b"compacting perm gen",
    b"concurrent mark-sweep generation",
    b"concurrent-mark-sweep perm gen",
    b"def new generation",
    b"eden space ",
    b"from space ",
    b"garbage-first heap",
    b"object space ",
    b"par new generation",
    b"ro space ",
    b"rw space ",
    b"tenured generation",
    b"the space ",
    b"to   space ",
    b"to space ",
    b"{Heap before GC",
    b"avg_survived_padded_avg",
    b"Avoiding ",
    b"GC log file ",
];

/// Reads a line that belongs to no record.
pub fn read(line: &[u8], tell: &mut impl FnMut(Setting<'_>)) -> Read {
    // Wherever it stands: a log viewer may have put something before it.
    let has_settings = flags(line, tell)
        .or_else(|| memory(line, tell))
        .or_else(|| version(line, tell));
    let line = line.trim_ascii_start();
    if has_settings.or_else(|| region(line, tell)).is_some() {
        return Read::Events;
    }
    match line == b"Heap" || DETAILS.iter().any(|begin| line.starts_with(begin)) {
        true => Read::Detail,
        false => Read::NotOurs,
    }
}

/// `Java HotSpot(TM) 64-Bit Server VM (25.40-b25) for bsd-amd64 JRE (1.8.0_40-b25), built on ...`
fn version(line: &[u8], tell: &mut impl FnMut(Setting<'_>)) -> Option<()> {
    let at = memmem::find(line, b" JRE (")? + b" JRE ".len();
    memmem::find(line, b" VM (")?;
    let version = text(Scan(&line[at..]).parenthesis()?)?;
    tell(Setting::Version(version));
    Some(())
}

/// `Memory: 4k page, physical 16777216k(152832k free)`
fn memory(line: &[u8], tell: &mut impl FnMut(Setting<'_>)) -> Option<()> {
    const TITLE: &[u8] = b" page, physical ";
    let at = memmem::find(line, TITLE)? + TITLE.len();
    let (kilobytes, rest) = digits(&line[at..])?;
    rest.starts_with(b"k").then_some(())?;
    tell(Setting::Memory(kilobytes.checked_mul(1024)?));
    Some(())
}

/// `region size 1024K, 131 young (134144K), 9 survivors (9216K)`
fn region(line: &[u8], tell: &mut impl FnMut(Setting<'_>)) -> Option<()> {
    let size = Scan(line.strip_prefix(b"region size ")?).size()?;
    tell(Setting::RegionSize(size));
    Some(())
}

/// `CommandLine flags: -XX:InitialHeapSize=268435456 -XX:+UseG1GC ...`
fn flags(line: &[u8], tell: &mut impl FnMut(Setting<'_>)) -> Option<()> {
    const TITLE: &[u8] = b"CommandLine flags: ";
    let flags = &line[memmem::find(line, TITLE)? + TITLE.len()..];
    for flag in flags.split(|b| *b == b' ') {
        if let Some(setting) = flag.strip_prefix(b"-XX:").and_then(flag_in_words) {
            tell(setting);
        }
    }
    Some(())
}

fn flag_in_words(flag: &[u8]) -> Option<Setting<'static>> {
    let collector = match flag {
        b"+UseG1GC" => Some(Collector::G1),
        b"+UseConcMarkSweepGC" => Some(Collector::Cms),
        b"+UseParallelGC" | b"+UseParallelOldGC" => Some(Collector::Parallel),
        b"+UseSerialGC" => Some(Collector::Serial),
        b"+UseShenandoahGC" => Some(Collector::Shenandoah),
        _ => None,
    };
    if let Some(collector) = collector {
        return Some(Setting::Collector(collector));
    }
    let at = memchr::memchr(b'=', flag)?;
    let (value, rest) = digits(&flag[at + 1..])?;
    rest.is_empty().then_some(())?;
    Some(match &flag[..at] {
        b"InitialHeapSize" => Setting::InitialHeap(value),
        b"MaxHeapSize" => Setting::MaxHeap(value),
        b"MaxNewSize" => Setting::MaxYoung(value),
        b"G1HeapRegionSize" => Setting::RegionSize(value),
        b"ParallelGCThreads" => Setting::ParallelWorkers(value),
        b"ConcGCThreads" => Setting::ConcurrentWorkers(value),
        _ => return None,
    })
}
