//! For the terminal.

use crate::split::Memory;
use std::fmt::Write;

const MIB: f64 = 1_048_576.0;

fn mib(bytes: u64) -> String {
    format!("{:.1}", bytes as f64 / MIB)
}

/// A table of the parts, largest first.
#[must_use]
pub fn render(memory: &Memory) -> String {
    let mut text = String::new();
    let _ = writeln!(
        text,
        "process {}: {} MiB resident, by {}\n",
        memory.pid,
        mib(memory.rss_bytes),
        memory.source
    );
    let _ = writeln!(text, "{:>10}  {:>6}  part", "MiB", "share");
    for part in &memory.parts {
        let _ = writeln!(
            text,
            "{:>10}  {:>5.1}%  {:<18}  {}",
            mib(part.bytes),
            part.share * 100.0,
            part.name,
            part.meaning
        );
    }
    let apart = memory.sum_bytes as f64 / memory.rss_bytes.max(1) as f64 - 1.0;
    let _ = writeln!(
        text,
        "{:>10}          the sum; {:+.1} % of the resident set read after it",
        mib(memory.sum_bytes),
        apart * 100.0
    );
    if let Some(heap) = &memory.heap {
        let figure = |bytes: Option<u64>| {
            bytes.map_or_else(|| "not known".to_owned(), |b| format!("{} MiB", mib(b)))
        };
        let _ = writeln!(
            text,
            "\nheap: committed {}, used {}, alive {}, resident {} MiB",
            figure(heap.committed_bytes),
            figure(heap.used_bytes),
            figure(heap.live_bytes),
            mib(heap.resident_bytes)
        );
    }
    if !memory.unexplained.is_empty() {
        let _ = writeln!(
            text,
            "\nlargest anonymous mappings without an owner (large pieces of malloc are among them):"
        );
        for mapping in &memory.unexplained {
            let _ = writeln!(
                text,
                "{:>10}  {}-{}",
                mib(mapping.bytes),
                mapping.start,
                mapping.end
            );
        }
    }
    for note in &memory.notes {
        let _ = writeln!(text, "\nnote: {note}");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::split::{Heap, Part, Unexplained};

    #[test]
    fn the_table_names_the_parts_the_sum_and_what_is_not_known() {
        let memory = Memory {
            tacho: 1,
            pid: 4711,
            source: "native memory tracking".to_owned(),
            rss_bytes: 100 << 20,
            sum_bytes: 99 << 20,
            parts: vec![Part {
                name: "live heap".to_owned(),
                bytes: 99 << 20,
                share: 1.0,
                meaning: "objects".to_owned(),
            }],
            unexplained: vec![Unexplained {
                start: "0x7f0000000000".to_owned(),
                end: "0x7f0000001000".to_owned(),
                bytes: 1 << 20,
            }],
            heap: Some(Heap {
                used_bytes: Some(99 << 20),
                ..Heap::default()
            }),
            notes: vec!["a note".to_owned()],
        };
        let expected = "\
process 4711: 100.0 MiB resident, by native memory tracking

       MiB   share  part
      99.0  100.0%  live heap           objects
      99.0          the sum; -1.0 % of the resident set read after it

heap: committed not known, used 99.0 MiB, alive not known, resident 0.0 MiB

largest anonymous mappings without an owner (large pieces of malloc are among them):
       1.0  0x7f0000000000-0x7f0000001000

note: a note
";
        assert_eq!(render(&memory), expected);
    }
}
