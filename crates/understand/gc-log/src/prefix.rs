//! Brackets that a log shipper has put before a line, and that look as decorations of the JVM do:
//! `[2026-11-22T07:32:45.637Z] [0.611s][info][gc] GC(0) Pause ...`, `[info] 12.221: [GC ...`. A JVM
//! writes no space between two decorations of its own.

use crate::decorations::{self, At};
use crate::preunified::stamp;

/// What stands behind a clock or a level in brackets, where a line of a JVM begins there, or a line
/// of its record goes on (`goes_on`).
pub fn behind(line: &[u8], goes_on: bool) -> Option<&[u8]> {
    line.starts_with(b"[").then_some(())?;
    let (prefix, rest) = line.split_at(memchr::memchr(b']', line)? + 1);
    let rest = rest.strip_prefix(b" ")?;
    let is_prefix = (goes_on || begins(rest)) && is_clock_or_level(prefix);
    is_prefix.then_some(rest)
}

/// Whether a line of a JVM begins so: with a bracket, or with an instant as those before version 9
/// write it.
fn begins(text: &[u8]) -> bool {
    let text = text.trim_ascii_start();
    text.starts_with(b"[") || stamp::take(&mut At::default(), text).is_some()
}

fn is_clock_or_level(prefix: &[u8]) -> bool {
    let (found, rest) = decorations::split(prefix);
    rest.is_empty() && found.is_some_and(|found| found.tags.is_none())
}

#[cfg(test)]
mod tests {
    use super::behind;

    fn rest(line: &str) -> Option<&str> {
        behind(line.as_bytes(), false).map(|rest| std::str::from_utf8(rest).unwrap())
    }

    #[test]
    fn clocks_and_levels_before_decorations_and_records() {
        let unified = "[0.611s][info][gc] GC(0) Pause Init Mark 0.495ms";
        let record = "12.221: [GC 41003K(83008K), 0.0032403 secs]";
        let without_instant = "[GC 41003K(83008K), 0.0032403 secs]";
        let dated = "2014-03-29T10:03:45.431+1030: [GC 41003K(83008K), 0.0032403 secs]";
        for line in [unified, record, without_instant, dated] {
            for prefix in ["[2026-11-22T07:32:45.637Z] ", "[info] ", "[error  ] "] {
                assert_eq!(rest(&format!("{prefix}{line}")), Some(line), "{prefix}");
            }
        }
        let spaces = "   [Eden: 24.0M(24.0M)->0.0B(30.0M)]";
        assert_eq!(rest(&format!("[info] {spaces}")), Some(spaces));
    }

    #[test]
    fn what_a_jvm_writes_itself_is_no_prefix() {
        for line in [
            "[0.611s][info][gc] GC(0) Pause Init Mark 0.495ms",
            "[0.611s] GC(0) Pause Init Mark 0.495ms",
            "[info   ][gc          ] GC(0) Pause Init Mark 0.495ms",
            "[17ms] Using G1",
            "[GC 41003K(83008K), 0.0032403 secs] [Times: user=0.02 sys=0.01, real=0.02 secs]",
            "[Full GC [PSYoungGen: 1K->0K(2K)] [ParOldGen: 1K->1K(2K)] 2K->1K(4K), 0.1 secs]",
            "[1 CMS-remark: 1K(2K)] 3K(4K), 0.1 secs]",
            "[gc] [0.611s]",
            "[",
            "",
        ] {
            assert_eq!(rest(line), None, "{line}");
        }
    }

    #[test]
    fn within_a_record_any_line_goes_on() {
        let line = b"[info] : 174848K->25512K(349568K), 0.0157380 secs]";
        assert_eq!(behind(line, false), None);
        assert_eq!(behind(line, true), Some(&line[7..]));
        assert_eq!(behind(b": 174848K->25512K(349568K)]", true), None);
    }
}
