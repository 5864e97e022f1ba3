//! For the terminal.

use crate::split::Memory;

const MIB: f64 = 1_048_576.0;

fn mib(bytes: u64) -> String {
    format!("{:.1}", bytes as f64 / MIB)
}

/// A table of the parts, largest first.
#[must_use]
pub fn render(memory: &Memory) -> String {
    let (pid, source, resident) = (memory.pid, &memory.source, mib(memory.rss_bytes));
    let mut text = format!("process {pid}: {resident} MiB resident, by {source}\n\n");
    text += &format!("{:>10}  {:>6}  part\n", "MiB", "share");
    for part in &memory.parts {
        let (size, share, name) = (mib(part.bytes), part.share * 100.0, &part.name);
        text += &format!("{size:>10}  {share:>5.1}%  {name:<18}  {}\n", part.meaning);
    }
    let apart = memory.sum_bytes as f64 / memory.rss_bytes.max(1) as f64 - 1.0;
    let apart = apart * 100.0;
    let sum = mib(memory.sum_bytes);
    text +=
        &format!("{sum:>10}          the sum; {apart:+.1} % of the resident set read after it\n");
    if let Some(heap) = &memory.heap {
        let figure = |bytes: Option<u64>| {
            bytes.map_or_else(|| "not known".to_owned(), |b| format!("{} MiB", mib(b)))
        };
        text += &format!(
            "\nheap: committed {}, used {}, alive {}, resident {} MiB\n",
            figure(heap.committed_bytes),
            figure(heap.used_bytes),
            figure(heap.live_bytes),
            mib(heap.resident_bytes)
        );
    }
    if !memory.unexplained.is_empty() {
        text += "\nlargest anonymous mappings without an owner (large pieces of malloc are among them):\n";
    }
    for mapping in &memory.unexplained {
        let size = mib(mapping.bytes);
        text += &format!("{size:>10}  {}-{}\n", mapping.start, mapping.end);
    }
    for note in &memory.notes {
        text += &format!("\nnote: {note}\n");
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
