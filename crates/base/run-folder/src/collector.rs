//! The collectors: all names of each, in logs, counters (hsperfdata), flags and threads.

use serde::{Deserialize, Serialize};
use std::fmt;

/// A garbage collector of HotSpot, or of a native image.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[allow(missing_docs)]
pub enum Collector {
    Serial,
    Parallel,
    #[serde(rename = "CMS", alias = "Concurrent Mark Sweep")]
    Cms,
    G1,
    #[serde(rename = "ZGC")]
    Zgc,
    Shenandoah,
    Epsilon,
    #[serde(rename = "Serial (native image)")]
    SerialOfImage,
    #[serde(rename = "G1 (native image)")]
    G1OfImage,
    #[serde(rename = "Epsilon (native image)")]
    EpsilonOfImage,
}

/// The names of one collector.
struct Names {
    /// As Tacho calls it, in JSON and in reports.
    name: &'static str,
    /// After `Using` in its log.
    log: &'static str,
    /// `sun.gc.policy.name`, the first word of `sun.gc.collector.N.name`, or its generation.
    counters: &'static [&'static str],
    /// What chooses it.
    flag: Option<&'static str>,
    /// How its threads' names begin, of JDK 11 to 25, with `|` between.
    threads: &'static str,
}

/// A native image has chosen when it was built, has no counters, and collects in the application's
/// threads.
const fn of_image(name: &'static str, log: &'static str) -> Names {
    Names {
        name,
        log,
        counters: &[],
        flag: None,
        threads: "",
    }
}

const ALL: [Collector; 10] = [
    Collector::Serial,
    Collector::Parallel,
    Collector::Cms,
    Collector::G1,
    Collector::Zgc,
    Collector::Shenandoah,
    Collector::Epsilon,
    Collector::SerialOfImage,
    Collector::G1OfImage,
    Collector::EpsilonOfImage,
];

impl Collector {
    const fn names(self) -> Names {
        match self {
            Self::Serial => Names {
                name: "Serial",
                log: "Serial",
                counters: &["Copy:MSC"],
                flag: Some("-XX:+UseSerialGC"),
                // It carries out the pauses of the others, too, with their workers; so it counts,
                // and with it the few other operations that it does.
                threads: "VM Thread",
            },
            Self::Parallel => Names {
                name: "Parallel",
                log: "Parallel",
                counters: &["ParScav:MSC"],
                flag: Some("-XX:+UseParallelGC"),
                threads: "GC Thread#|ParGC Thread#",
            },
            Self::Cms => Names {
                name: "CMS",
                log: "Concurrent Mark Sweep",
                counters: &["ParNew:CMS"],
                flag: Some("-XX:+UseConcMarkSweepGC"),
                threads: "CMS Main Thread|CMS Thread#",
            },
            Self::G1 => Names {
                name: "G1",
                log: "G1",
                counters: &["GarbageFirst"],
                flag: Some("-XX:+UseG1GC"),
                threads: "G1 Main Marker|G1 Conc#|G1 Refine#|G1 Service|G1 Young RemSet",
            },
            Self::Zgc => Names {
                name: "ZGC",
                log: "The Z Garbage Collector",
                counters: &["Z", "ZGC"],
                flag: Some("-XX:+UseZGC"),
                // With X: the one without generations, beside the other one in JDK 21 to 23 (JEP
                // 439).
                threads: "ZWorker|ZDriver|ZDirector|ZUnmapper|ZUncommitter|RuntimeWorker#|XWorker|XDriver|XDirector|XUnmapper|XUncommitter",
            },
            Self::Shenandoah => Names {
                name: "Shenandoah",
                log: "Shenandoah",
                counters: &["Shenandoah"],
                flag: Some("-XX:+UseShenandoahGC"),
                threads: "Shenandoah",
            },
            Self::Epsilon => Names {
                name: "Epsilon",
                log: "Epsilon",
                // Its only generation: it never collects, so it has no collector to count.
                counters: &["Heap"],
                flag: Some("-XX:+UnlockExperimentalVMOptions -XX:+UseEpsilonGC"),
                threads: "",
            },
            Self::SerialOfImage => of_image("Serial (native image)", "Serial GC"),
            Self::G1OfImage => of_image("G1 (native image)", "G1 GC"),
            Self::EpsilonOfImage => of_image("Epsilon (native image)", "Epsilon GC"),
        }
    }

    /// As it is chosen, in JSON and in reports: `G1`, `Serial (native image)`.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.names().name
    }

    /// The one that a log names after `Using`.
    #[must_use]
    pub fn in_log(name: &str) -> Option<Self> {
        ALL.into_iter()
            .find(|collector| collector.names().log == name)
    }

    /// The one of a policy, a generation, or the first word of a counter's name in hsperfdata.
    #[must_use]
    pub fn in_counters(name: &str) -> Option<Self> {
        ALL.into_iter()
            .find(|collector| collector.names().counters.contains(&name))
    }

    /// The flags that choose it; none for a native image.
    #[must_use]
    pub fn flag(self) -> Option<&'static str> {
        self.names().flag
    }

    /// A single thread collects while the application stands still, so that pauses are the
    /// collector's processor time.
    #[must_use]
    pub fn is_single_threaded(self) -> bool {
        matches!(self, Self::Serial | Self::SerialOfImage)
    }

    /// A thread of this name collects, whichever the collector. The kernel keeps the first 15
    /// characters of a name (proc_pid_comm(5)).
    #[must_use]
    pub fn runs_on(thread: &str) -> bool {
        let mut threads = ALL.into_iter().flat_map(|of| of.names().threads.split('|'));
        threads.any(|begin| !begin.is_empty() && thread.starts_with(begin))
    }
}

impl fmt::Display for Collector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// What a counter of a collector in hsperfdata counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum CountedPauses {
    Young,
    Full,
    Concurrent,
}

impl CountedPauses {
    /// By `sun.gc.collector.N.name`: the collectors name their counters themselves.
    #[must_use]
    pub fn of(name: &str) -> Option<Self> {
        match name {
            // It counts its phases here, three times as many as its pauses: neither number nor
            // time would be true.
            "Shenandoah full" | "Shenandoah partial" => None,
            "ZGC major collection pauses" => Some(Self::Concurrent),
            "ZGC minor collection pauses" => Some(Self::Young),
            _ if name.contains("concurrent cycle") => Some(Self::Concurrent),
            _ if name.contains("young collection") => Some(Self::Young),
            _ if name.contains("full collection") => Some(Self::Full),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_collector_is_written_by_its_name() {
        for collector in ALL {
            assert_eq!(serde_json::json!(collector), collector.name());
            assert_eq!(Collector::in_log(collector.names().log), Some(collector));
        }
    }

    #[test]
    fn threads_are_told_by_their_names() {
        for name in [
            "VM Thread\n",
            "GC Thread#0\n",
            "G1 Conc#1\n",
            "G1 Young RemSet\n",
            "ZWorkerYoung#0\n",
            "XDriver\n",
            "Shenandoah GC T\n",
            "Shenandoah GC Threads#1",
        ] {
            assert!(Collector::runs_on(name), "{name}");
        }
        for name in [
            "C2 CompilerThre\n",
            "java\n",
            "VM Periodic Tas\n",
            "G1-client\n",
        ] {
            assert!(!Collector::runs_on(name), "{name}");
        }
    }
}
