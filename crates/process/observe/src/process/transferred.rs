//! Content of `/proc/<pid>/io` (proc(5)): what a process has read and written by system calls, from
//! and to files, pipes and connections. Data that goes only by `sendmsg(2)` and `recvmsg(2)` is not
//! included.

use std::fs;

/// Since the process began.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Transferred {
    /// Bytes read.
    pub read_bytes: u64,
    /// Bytes written.
    pub written_bytes: u64,
    /// Calls that read.
    pub reads: u64,
    /// Calls that write.
    pub writes: u64,
}

impl Transferred {
    /// `None` when it is not of that form.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let value = |name: &str| {
            let mut lines = text.lines();
            let line = lines.find_map(|line| line.strip_prefix(name))?;
            line.strip_prefix(':')?.trim().parse().ok()
        };
        Some(Self {
            read_bytes: value("rchar")?,
            written_bytes: value("wchar")?,
            reads: value("syscr")?,
            writes: value("syscw")?,
        })
    }

    /// The sum over some processes; `None` when none of them can be read.
    #[must_use]
    pub fn by(pids: &[u32]) -> Option<Self> {
        let read = pids
            .iter()
            .filter_map(|pid| Self::parse(&fs::read_to_string(format!("/proc/{pid}/io")).ok()?));
        read.reduce(|one, other| Self {
            read_bytes: one.read_bytes.saturating_add(other.read_bytes),
            written_bytes: one.written_bytes.saturating_add(other.written_bytes),
            reads: one.reads.saturating_add(other.reads),
            writes: one.writes.saturating_add(other.writes),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_process_wrote_is_read() {
        let text = "rchar: 10\nwchar: 20\nsyscr: 3\nsyscw: 4\nread_bytes: 0\nwrite_bytes: 4096\n";
        let read = Transferred::parse(text).unwrap();
        assert_eq!((read.read_bytes, read.written_bytes), (10, 20));
        assert_eq!((read.reads, read.writes), (3, 4));
        assert_eq!(Transferred::parse("rchar: 10\n"), None);
        let own = Transferred::by(&[std::process::id()]).unwrap();
        assert!(own.read_bytes > 0);
    }
}
