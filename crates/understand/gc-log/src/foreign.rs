//! What else people send: it is told what it is, instead of that no garbage collection happened.

use memchr::memmem;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Something that is no collection log that is read here.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum Foreign {
    /// `-verbose:gc` of Eclipse OpenJ9 or IBM J9: XML.
    OpenJ9,
    /// `-Xverbose:gc` of JRockit.
    JRockit,
    /// The runtime of Android.
    Android,
    /// `GODEBUG=gctrace=1`.
    Go,
    /// `--trace-gc` of V8: Node.js, Chrome.
    V8,
    /// A dump of a JVM's threads.
    ThreadDump,
    /// `hs_err_pid.log`: a JVM has crashed.
    FatalError,
    /// `-verbose:class`, `-Xlog:class+load`.
    ClassLoading,
    /// `jstat -gcutil`, `jstat -gc`.
    Jstat,
    /// `jmap -histo`, `jcmd GC.class_histogram`.
    ClassHistogram,
    /// `jfr summary`.
    FlightRecording,
}

impl Foreign {
    /// What a line is typical of; no line of a collection log that is read is any of these.
    pub fn of(line: &[u8]) -> Option<Self> {
        let line = line.trim_ascii_start();
        let has = |text: &[u8]| memmem::find(line, text).is_some();
        Some(match line.first()? {
            b'<' if [
                &b"<verbosegc"[..],
                b"<gc-op ",
                b"<gc-start ",
                b"<gc type=",
                b"<af type=",
                b"<af-start ",
            ]
            .iter()
            .any(|tag| line.starts_with(tag)) =>
            {
                Self::OpenJ9
            }
            b'g' if line.starts_with(b"gc ") && has(b" @") && has(b"%: ") => Self::Go,
            b'F' if line.starts_with(b"Full thread dump") => Self::ThreadDump,
            b'#' if has(b"fatal error has been detected by the Java Runtime") => Self::FatalError,
            b'S' if line.starts_with(b"S0 ") || line.starts_with(b"S0C ") => Self::Jstat,
            b'n' if line.starts_with(b"num ") && has(b"#instances") => Self::ClassHistogram,
            b'E' if line.starts_with(b"Event Type ") && has(b"Size (bytes)") => {
                Self::FlightRecording
            }
            b'[' => of_brackets(line, &has)?,
            _ if has(b" GC freed ") && has(b" paused ") => Self::Android,
            _ => return None,
        })
    }

    /// What is missing and what to do instead, in a sentence or two. `None` for output of other
    /// runtimes, for which there is no advice.
    #[must_use]
    pub fn instead(self) -> Option<&'static str> {
        Some(match self {
            Self::OpenJ9 | Self::JRockit | Self::Android | Self::Go | Self::V8 => return None,
            Self::Jstat => {
                "It has counters, and no single pauses. Collections are logged with -Xlog:gc*:file=gc.log (JDK 9 and later) or -Xloggc:gc.log -XX:+PrintGCDetails -XX:+PrintGCDateStamps (JDK 8)."
            }
            Self::ThreadDump
            | Self::FatalError
            | Self::ClassLoading
            | Self::ClassHistogram
            | Self::FlightRecording => {
                "Collections are logged with -Xlog:gc*:file=gc.log (JDK 9 and later) or -Xloggc:gc.log -XX:+PrintGCDetails -XX:+PrintGCDateStamps (JDK 8)."
            }
        })
    }

    /// What it is, for messages: `a table of jstat`.
    #[must_use]
    pub fn in_words(self) -> &'static str {
        match self {
            Self::OpenJ9 => "a log of Eclipse OpenJ9 or IBM J9 (-verbose:gc, XML)",
            Self::JRockit => "a log of JRockit (-Xverbose:gc)",
            Self::Android => "a log of Android's runtime",
            Self::Go => "a trace of Go's collector (GODEBUG=gctrace=1)",
            Self::V8 => "a trace of V8's collector (--trace-gc)",
            Self::ThreadDump => "a dump of a JVM's threads",
            Self::FatalError => "an error report of a JVM that crashed (hs_err_pid.log)",
            Self::ClassLoading => "a log of the classes that were loaded",
            Self::Jstat => "a table of jstat",
            Self::ClassHistogram => "a histogram of classes (jmap -histo)",
            Self::FlightRecording => "the summary of a flight recording (jfr summary)",
        }
    }
}

fn of_brackets(line: &[u8], has: &dyn Fn(&[u8]) -> bool) -> Option<Foreign> {
    if line.starts_with(b"[INFO ][memory ]") || line.starts_with(b"[memory ]") {
        return Some(Foreign::JRockit);
    }
    if line.starts_with(b"[Loaded ") && has(b" from ") {
        return Some(Foreign::ClassLoading);
    }
    // [12345:0x5581]  120 ms: Scavenge 2.1 (3.0) -> 1.9 (4.0) MB, 0.6 / 0.0 ms
    let is_v8 =
        has(b" ms: ") && (has(b"Scavenge ") || has(b"Mark-sweep ") || has(b"Mark-Compact "));
    is_v8.then_some(Foreign::V8)
}

#[cfg(test)]
mod tests {
    use super::Foreign;

    #[test]
    fn each_by_a_line() {
        for (line, what) in [
            (
                "<gc-start id=\"5\" type=\"scavenge\" contextid=\"4\">",
                Foreign::OpenJ9,
            ),
            (
                "gc 1 @0.012s 2%: 0.01+0.3+0.01 ms clock, 4->4->0 MB",
                Foreign::Go,
            ),
            (
                "[memory ] [YC#1] 1.2-1.3: YC 1024KB->512KB",
                Foreign::JRockit,
            ),
            (
                "[Loaded java.lang.Object from /opt/rt.jar]",
                Foreign::ClassLoading,
            ),
            (
                "[21:0x55] 120 ms: Scavenge 2.1 (3.0) -> 1.9 (4.0) MB, 0.6 / 0.0 ms",
                Foreign::V8,
            ),
            (
                "  S0     S1     E      O      M     CCS    YGC",
                Foreign::Jstat,
            ),
            (
                "Full thread dump OpenJDK 64-Bit Server VM",
                Foreign::ThreadDump,
            ),
        ] {
            assert_eq!(Foreign::of(line.as_bytes()), Some(what), "{line}");
        }
        for line in [
            "[0.5s][info][gc] GC(0) Pause Young",
            "hello",
            "",
            "[INFO] Starting",
        ] {
            assert_eq!(Foreign::of(line.as_bytes()), None, "{line}");
        }
    }
}
