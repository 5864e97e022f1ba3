//! What a JVM logs once about its environment: `-Xlog:gc+init` (JDK 17 and later), and the line
//! `Using ...` of `-Xlog:gc` when it goes into the same file.

use crate::process::KnownRanges;
use std::fs::File;
use std::io::{self, Read};
use std::ops::Range;
use std::path::Path;
use tacho_run_folder::{Collector, JvmSeen, Word};

/// The facts in such a log; what it does not say is absent.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct GcInit {
    /// Full version: `25.0.3+9-LTS`.
    pub version: Option<String>,
    /// Processors that the JVM believes to have, after a CPU limit.
    pub processors: Option<u32>,
    /// Memory that the JVM believes to have, after a memory limit; whole MiB.
    pub memory_bytes: Option<u64>,
    /// Largest heap in bytes, as the JVM set it.
    pub max_heap_bytes: Option<u64>,
    /// The collector in use. Other lines begin with `Using`, too: `Using legacy single-generation
    /// mode`.
    pub collector: Option<Collector>,
    /// Where heap and class space lie.
    pub ranges: KnownRanges,
}

/// Bytes that are read. The facts are in the first lines, however long the log has become.
const BEGINNING: u64 = 64 << 10;

impl GcInit {
    /// Reads the beginning of a log file.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn read(path: &Path) -> io::Result<Self> {
        let mut bytes = Vec::new();
        File::open(path)?.take(BEGINNING).read_to_end(&mut bytes)?;
        Ok(Self::parse(&String::from_utf8_lossy(&bytes)))
    }

    /// Parses a log. Lines that say something else are passed over.
    #[must_use]
    pub fn parse(log: &str) -> Self {
        let mut facts = Self::default();
        for line in log.lines() {
            facts.take(message(line));
        }
        facts
    }

    fn take(&mut self, message: &str) {
        if let Some(name) = message
            .strip_prefix("Using ")
            .or_else(|| message.strip_prefix("Initializing "))
        {
            self.collector = self.collector.or_else(|| Collector::in_log(name));
            return;
        }
        let Some((key, value)) = message.split_once(": ") else {
            return;
        };
        let value = value.trim();
        match key {
            // Version: 25.0.3+9-LTS (release)
            "Version" => {
                self.version = value.split(" (").next().map(str::to_owned);
            }
            // CPUs: 2 total, 1 available
            "CPUs" => {
                self.processors = value
                    .split(", ")
                    .find_map(|part| part.strip_suffix(" available")?.parse().ok());
            }
            // Memory: 24103M
            "Memory" => self.memory_bytes = bytes(value),
            // Heap Max Capacity: 6028M; the Z collector leaves out `Heap`.
            "Heap Max Capacity" | "Max Capacity" => self.max_heap_bytes = bytes(value),
            // Heap address: 0x00000000f0000000, size: 256 MB, Compressed Oops mode: 32-bit
            "Heap address" => self.ranges.java_heap = heap_range(value),
            // Compressed class space mapped at: 0x000000000f000000-0x000000004f000000, reserved
            // size: 1073741824
            "Compressed class space mapped at" => {
                let range = value.split_once(',').map_or(value, |(range, _)| range);
                self.ranges.class_space = range
                    .split_once('-')
                    .and_then(|(start, end)| Some(address(start)?..address(end)?));
            }
            _ => {}
        }
    }

    /// Adds these facts to what is known of the JVM.
    pub fn fill(&self, seen: &mut JvmSeen) {
        fn enter<T: Clone>(known: &Option<T>, place: &mut Option<T>) {
            if known.is_some() {
                place.clone_from(known);
            }
        }
        enter(&self.version, &mut seen.version);
        enter(&self.processors, &mut seen.processors);
        enter(&self.memory_bytes, &mut seen.memory_bytes);
        enter(&self.max_heap_bytes, &mut seen.max_heap_bytes);
        enter(&self.collector.map(Word::from), &mut seen.collector);
    }
}

/// `0x00000000f0000000, size: 256 MB, ...`
fn heap_range(value: &str) -> Option<Range<u64>> {
    let (start, rest) = value.split_once(", size: ")?;
    let start = address(start)?;
    let mib: u64 = rest.split_once(" MB")?.0.parse().ok()?;
    Some(start..start.checked_add(mib.checked_mul(1 << 20)?)?)
}

fn address(text: &str) -> Option<u64> {
    u64::from_str_radix(text.trim().strip_prefix("0x")?, 16).ok()
}

/// The text after the decorations: `[0.017s][info][gc,init] CPUs: ...`.
fn message(line: &str) -> &str {
    let mut rest = line;
    while let Some((_, after)) = rest
        .strip_prefix('[')
        .and_then(|inside| inside.split_once(']'))
    {
        rest = after;
    }
    rest.trim()
}

/// `6028M`: HotSpot writes whole numbers of B, K, M or G.
fn bytes(text: &str) -> Option<u64> {
    let unit = text.chars().next_back()?;
    let factor = match unit {
        'B' => 1,
        'K' => 1 << 10,
        'M' => 1 << 20,
        'G' => 1 << 30,
        'T' => 1 << 40,
        _ => return None,
    };
    text.strip_suffix(unit)?
        .parse::<u64>()
        .ok()?
        .checked_mul(factor)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    // As JDK 25 wrote it with -Xlog:gc,gc+init.
    const G1: &str = "\
[0.004s][info][gc     ] Using G1
[0.004s][info][gc,init] CardTable entry size: 512
[0.006s][info][gc,init] Version: 25.0.3+9-LTS (release)
[0.006s][info][gc,init] CPUs: 8 total, 2 available
[0.006s][info][gc,init] Memory: 24103M
[0.006s][info][gc,init] Heap Region Size: 4M
[0.006s][info][gc,init] Heap Min Capacity: 8M
[0.006s][info][gc,init] Heap Max Capacity: 6028M
[0.006s][info][gc,init] Parallel Workers: 2
";

    // As JDK 17 wrote it with -Xlog:gc+init.
    const Z: &str = "\
[0.005s][info][gc,init] Initializing The Z Garbage Collector
[0.005s][info][gc,init] Version: 17.0.15+6-Debian-1deb12u1 (release)
[0.005s][info][gc,init] CPUs: 2 total, 2 available
[0.005s][info][gc,init] Memory: 24103M
[0.005s][info][gc,init] Address Space Size: 96416M x 3 = 289248M
[0.005s][info][gc,init] Min Capacity: 8M
[0.005s][info][gc,init] Max Capacity: 6026M
";

    #[test]
    fn what_the_jvm_made_of_its_limits_is_read() {
        assert_eq!(
            GcInit::parse(G1),
            GcInit {
                version: Some("25.0.3+9-LTS".into()),
                processors: Some(2),
                memory_bytes: Some(24103 << 20),
                max_heap_bytes: Some(6028 << 20),
                collector: Some(Collector::G1),
                ranges: KnownRanges::default(),
            }
        );
        let z = GcInit::parse(Z);
        assert_eq!(z.collector, Some(Collector::Zgc));
        assert_eq!(z.max_heap_bytes, Some(6026 << 20));
        assert_eq!(z.version.as_deref(), Some("17.0.15+6-Debian-1deb12u1"));
    }

    #[test]
    fn where_the_heap_and_the_class_space_lie_is_read() {
        let ranges = GcInit::parse(
            "[0.005s][debug][gc,heap,coops] Heap address: 0x00000000f0000000, size: 256 MB, Compressed Oops mode: 32-bit\n\
             [0.034s][info][gc,metaspace] Compressed class space mapped at: 0x000000000f000000-0x000000004f000000, reserved size: 1073741824\n",
        )
        .ranges;
        assert_eq!(ranges.java_heap, Some(0xf000_0000..0x1_0000_0000));
        assert_eq!(ranges.class_space, Some(0x0f00_0000..0x4f00_0000));
        let nonsense = "Heap address: 0xffffffffffffffff, size: 99 MB, \nCompressed class space mapped at: 7-0x\n";
        assert_eq!(GcInit::parse(nonsense).ranges, KnownRanges::default());
    }

    #[test]
    fn sizes_come_in_every_unit() {
        assert_eq!(bytes("6170604K"), Some(6_170_604 << 10));
        assert_eq!(bytes("8G"), Some(8 << 30));
        assert_eq!(bytes("17B"), Some(17));
        assert_eq!(bytes("M"), None);
        assert_eq!(bytes("unlimited"), None);
        assert_eq!(bytes("99999999999999999G"), None);
    }

    #[test]
    fn only_what_is_known_is_entered() {
        let mut seen = JvmSeen {
            collector: Some(Collector::G1.into()),
            ..JvmSeen::default()
        };
        GcInit::parse("[0.1s][info][gc,init] Memory: 256M\n").fill(&mut seen);
        assert_eq!(seen.memory_bytes, Some(256 << 20));
        assert_eq!(seen.collector, Some(Collector::G1.into()));
    }

    proptest! {
        #[test]
        fn no_log_makes_the_parser_panic(
            log in "(\\[[a-z0-9.,]{0,6}\\]){0,3} ?(CPUs|Memory|Version|Using|Max Capacity):? [0-9A-Za-z ,()é]{0,20}|\\PC{0,60}",
        ) {
            let _ = GcInit::parse(&log);
        }
    }
}
