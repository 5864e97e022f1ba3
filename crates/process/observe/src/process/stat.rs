//! Content of `/proc/<pid>/stat` and `statm`.

/// What `/proc/<pid>/stat` says that we need.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ProcessStat {
    /// Its process id.
    pub pid: u32,
    /// `R`, `S`, `D`, `Z`, ...
    pub state: char,
    /// The id of its parent.
    pub parent: u32,
    /// Its process group.
    pub group: u32,
    /// The id of its session's leader.
    pub session: u32,
    /// Page faults served without reading from a disk.
    pub minor_faults: u64,
    /// Page faults that had to read from a disk.
    pub major_faults: u64,
    /// Processor time in user mode in seconds, in steps of a clock tick (10 ms).
    pub user_s: f64,
    /// Processor time in the kernel.
    pub system_s: f64,
    /// Processor time of children that have ended and were waited for.
    pub reaped_s: f64,
    /// Number of threads.
    pub threads: u32,
    /// When it began, in clock ticks since boot: with the id, this names a process for good.
    pub start_ticks: u64,
}

impl ProcessStat {
    /// Whether it still runs, and is no zombie.
    #[must_use]
    pub fn is_alive(&self) -> bool {
        !matches!(self.state, 'Z' | 'X' | 'x')
    }

    /// Whether it was stopped by SIGSTOP or a debugger. It does nothing until it is continued.
    #[must_use]
    pub fn is_stopped(&self) -> bool {
        matches!(self.state, 'T' | 't')
    }

    /// Processor time of the process and of its children that have ended.
    #[must_use]
    pub fn cpu_s(&self) -> f64 {
        self.user_s + self.system_s + self.reaped_s
    }
}

/// Parses `/proc/<pid>/stat`; `None` when it is not of that form.
#[must_use]
pub fn parse_stat(text: &str) -> Option<ProcessStat> {
    let (pid, rest) = text.split_once(" (")?;
    // The name may hold spaces and parentheses; the last one ends it.
    let (_, rest) = rest.rsplit_once(") ")?;
    let fields: Vec<&str> = rest.split_ascii_whitespace().collect();
    // Numbered from 1 as in proc(5); the state is the third.
    let field = |number: usize| fields.get(number - 3).copied();
    let count = |number| field(number)?.parse::<u64>().ok();
    let ticks_per_s = rustix::param::clock_ticks_per_second().max(1) as f64;
    let seconds = |number| Some(count(number)? as f64 / ticks_per_s);
    Some(ProcessStat {
        pid: pid.parse().ok()?,
        state: field(3)?.chars().next()?,
        parent: field(4)?.parse().ok()?,
        // -1 while it is taken down: then there is nothing left of it.
        group: field(5)?.parse().ok()?,
        session: field(6)?.parse().ok()?,
        minor_faults: count(10)?,
        major_faults: count(12)?,
        user_s: seconds(14)?,
        system_s: seconds(15)?,
        reaped_s: seconds(16)? + seconds(17)?,
        threads: field(20)?.parse().ok()?,
        start_ticks: count(22)?,
    })
}

/// Resident pages from `/proc/<pid>/statm`.
#[must_use]
pub fn parse_statm_rss_pages(text: &str) -> Option<u64> {
    text.split_ascii_whitespace().nth(1)?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const LINE: &str = "4242 (we) ird (na me) S 1 4243 4244 0 -1 4194304 1500 20 3 0 250 50 30 20 20 0 41 0 987654 0 0\n";

    #[test]
    fn a_name_with_parentheses_does_not_confuse() {
        let stat = parse_stat(LINE).unwrap();
        assert_eq!((stat.pid, stat.parent, stat.state), (4242, 1, 'S'));
        assert_eq!((stat.group, stat.session), (4243, 4244));
        assert_eq!((stat.minor_faults, stat.major_faults), (1500, 3));
        assert_eq!((stat.threads, stat.start_ticks), (41, 987_654));
        assert!((stat.cpu_s() - 3.5).abs() < 1e-9, "{stat:?}");
        assert!(stat.is_alive());
    }

    #[test]
    fn a_zombie_is_not_alive_and_who_is_stopped_is() {
        let stat = parse_stat(&LINE.replace(") S", ") Z")).unwrap();
        assert!(!stat.is_alive());
        let stopped = parse_stat(&LINE.replace(") S", ") T")).unwrap();
        assert!(stopped.is_alive() && stopped.is_stopped());
    }

    #[test]
    fn resident_pages_are_found() {
        assert_eq!(parse_statm_rss_pages("2650 519 480 3 0 200 0\n"), Some(519));
    }

    proptest! {
        #[test]
        fn no_content_makes_a_parser_panic(text in "[0-9]{0,4} \\(\\PC{0,8}\\) [A-Z] [0-9 -]{0,120}|\\PC{0,80}") {
            let _ = (parse_stat(&text), parse_statm_rss_pages(&text));
        }
    }
}
