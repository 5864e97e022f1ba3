//! What a JVM says once about its collector (`gc,init`, and `Using ...` of `gc`).

use super::Said;
use crate::event::{Setting, What};
use crate::scan::{Scan, digits, text};
use tacho_run_folder::Collector;

/// `Using G1`, `Using The Z Garbage Collector`
pub fn collector(message: &[u8]) -> Option<Said<'_>> {
    let name = message.strip_prefix(b"Using ")?;
    let collector = Collector::in_log(text(name)?)?;
    Some(What::Setting(Setting::Collector(collector)).into())
}

/// `Heap Max Capacity: 64M`, `CPUs: 2 total, 2 available`. Without decorations only what no program
/// would write.
pub fn read(message: &[u8], is_decorated: bool) -> Option<Said<'_>> {
    let colon = memchr::memmem::find(message, b": ")?;
    let value = message[colon + 2..].trim_ascii();
    let size = || Scan(value).size();
    let number = || digits(value).map(|(number, _)| number);
    let setting = match &message[..colon] {
        b"Heap Min Capacity" => Setting::MinHeap(size()?),
        b"Heap Initial Capacity" => Setting::InitialHeap(size()?),
        b"Heap Max Capacity" => Setting::MaxHeap(size()?),
        // JDK 9 to 14 write it small.
        b"Heap Region Size" | b"Heap region size" => Setting::RegionSize(size()?),
        b"Heap policy" | b"Heuristics" => Setting::Policy(text(value)?),
        b"Maximum young generation size" => Setting::MaxYoung(size()?),
        b"Maximum heap size" => Setting::MaxHeap(size()?),
        _ if !is_decorated => return None,
        b"Version" => {
            let end = memchr::memmem::find(value, b" (").unwrap_or(value.len());
            Setting::Version(text(&value[..end])?)
        }
        b"CPUs" => {
            let (total, rest) = digits(value)?;
            let available = rest
                .strip_prefix(b" total, ")
                .and_then(digits)
                .map_or(total, |(available, _)| available);
            Setting::Cpus(available)
        }
        b"Memory" => Setting::Memory(size()?),
        // ZGC
        b"Min Capacity" => Setting::MinHeap(size()?),
        b"Initial Capacity" => Setting::InitialHeap(size()?),
        b"Max Capacity" => Setting::MaxHeap(size()?),
        b"Parallel Workers" => Setting::ParallelWorkers(number()?),
        b"Concurrent Workers" | b"GC Workers" => Setting::ConcurrentWorkers(number()?),
        _ => return None,
    };
    Some(What::Setting(setting).into())
}
