//! Known complaints in the last lines of a log, one rule for each.

use regex::{Captures, Regex};
use std::sync::LazyLock;
use tacho_run_folder::FailureCause;

/// A known complaint in a log.
struct Rule {
    pattern: &'static str,
    cause: Option<FailureCause>,
    say: fn(&Captures<'_>) -> String,
}

/// The first rule that matches any line, in this order.
const RULES: [Rule; 9] = [
    // Exception in thread "main" java.lang.UnsupportedClassVersionError: a/B has been compiled by a
    // more recent version of the Java Runtime (class file version 69.0), this version of the Java
    // Runtime only recognizes class file versions up to 61.0
    Rule {
        pattern: r"UnsupportedClassVersionError.*\(class file version (\d+)\.\d+\).* up to (\d+)\.",
        cause: None,
        say: |found| {
            format!(
                "its classes need Java {}, and the JVM it was given is Java {}; give a newer JDK with `jdk` or --jdk",
                release(found, 1),
                release(found, 2)
            )
        },
    },
    // java.net.BindException: Address already in use
    // listen tcp :8080: bind: address already in use
    // Error: Os { code: 98, kind: AddrInUse, message: "Address in use" }
    // Web server failed to start. Port 8080 was already in use.
    // Port 8080 seems to be in use by another process. Quarkus may already be running
    Rule {
        pattern: r"(?i)address (?:already )?in use|port \d+ (?:was already|seems to be) in use|EADDRINUSE",
        cause: Some(FailureCause::PortTaken),
        say: |_| {
            "another process listens on a port that it wants; end that process (`ss -ltnp` names it) or give the subject another port".into()
        },
    },
    // Error: Unable to access jarfile app.jar
    Rule {
        pattern: r"Unable to access jarfile (.+)",
        cause: None,
        say: |found| {
            format!(
                "the JVM cannot read the jar {}; is the path right, and was it built?",
                &found[1]
            )
        },
    },
    // Error occurred during initialization of VM / Could not reserve enough space for 4194304KB
    // object heap
    Rule {
        pattern: r"Could not reserve enough space for (.+)|There is insufficient memory for the Java Runtime|Cannot allocate memory|Failed to (?:map|commit) (?:memory|area)",
        cause: None,
        say: |_| {
            "the JVM did not get the memory that it asked for at its start; lower -Xms and -Xmx, or raise the memory limit".into()
        },
    },
    // Exception in thread "main" java.lang.OutOfMemoryError: Java heap space
    // Terminating due to java.lang.OutOfMemoryError: Metaspace
    Rule {
        pattern: r"java\.lang\.OutOfMemoryError(?:: (.+))?",
        cause: None,
        say: |found| {
            let what = found.get(1).map_or("memory", |m| m.as_str());
            format!(
                "the JVM ran out of {what}; raise -Xmx (or the memory limit that the heap follows from)"
            )
        },
    },
    // Unrecognized VM option 'UseFooGC' / Unrecognized option: -Xfoo
    Rule {
        pattern: r"Unrecognized (?:VM )?option:? ?'?([^\s']+)",
        cause: None,
        say: |found| {
            format!(
                "its JVM does not know the flag {}; remove it from `jvm-flags` or give another JDK",
                &found[1]
            )
        },
    },
    // Error: Could not find or load main class com.example.Main
    // no main manifest attribute, in app.jar
    Rule {
        pattern: r"Could not find or load main class (\S+)|no main manifest attribute, in (\S+)",
        cause: None,
        say: |_| {
            "the JVM found no class to start; is it an executable jar (`java -jar` needs Main-Class in its manifest)?".into()
        },
    },
    // # A fatal error has been detected by the Java Runtime Environment:
    Rule {
        pattern: r"A fatal error has been detected by the Java Runtime",
        cause: None,
        say: |_| "the JVM itself crashed; its hs_err file lies in the working directory".into(),
    },
    // execvp(3) hands a program that the kernel does not know to the shell, which then says:
    // ./app: 1: ELF: not found
    // ./app: cannot execute binary file: Exec format error
    Rule {
        pattern: r"(?:^|\W)ELF.{0,20}: not found|cannot execute binary file|Exec format error",
        cause: None,
        say: |_| {
            "it is no program for this machine; was it built for another processor or system?"
                .into()
        },
    },
];

static PATTERNS: LazyLock<Vec<(&'static Rule, Regex)>> = LazyLock::new(|| {
    RULES
        .iter()
        .filter_map(|rule| Some((rule, Regex::new(rule.pattern).ok()?)))
        .collect()
});

/// Class-file version 45 was Java 1.
fn release(found: &Captures<'_>, group: usize) -> u32 {
    let version: u32 = found
        .get(group)
        .and_then(|m| m.as_str().parse().ok())
        .unwrap_or(0);
    version.saturating_sub(44)
}

/// The cause, where a line tells it, and what to do. The first rule that matches any line decides.
pub(super) fn from_log(lines: &[String]) -> Option<(Option<FailureCause>, String)> {
    PATTERNS.iter().find_map(|(rule, pattern)| {
        let found = lines.iter().find_map(|line| pattern.captures(line))?;
        Some((rule.cause, (rule.say)(&found)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_rule_compiles() {
        assert_eq!(PATTERNS.len(), RULES.len());
    }

    #[test]
    fn the_log_tells_why_a_jvm_ended() {
        let cases = [
            (
                "Exception in thread \"main\" java.lang.UnsupportedClassVersionError: a/B has been compiled by a more recent version of the Java Runtime (class file version 69.0), this version of the Java Runtime only recognizes class file versions up to 61.0",
                None,
                "need Java 25, and the JVM it was given is Java 17",
            ),
            (
                "Caused by: java.net.BindException: Address already in use",
                Some(FailureCause::PortTaken),
                "another port",
            ),
            (
                "Web server failed to start. Port 8080 was already in use.",
                Some(FailureCause::PortTaken),
                "another port",
            ),
            (
                "Port 8080 seems to be in use by another process. Quarkus may already be running",
                Some(FailureCause::PortTaken),
                "another port",
            ),
            (
                "listen tcp :8080: bind: address already in use",
                Some(FailureCause::PortTaken),
                "another port",
            ),
            ("Error: Unable to access jarfile app.jar", None, "app.jar"),
            (
                "Could not reserve enough space for 4194304KB object heap",
                None,
                "-Xmx",
            ),
            (
                "java.lang.OutOfMemoryError: Java heap space",
                None,
                "Java heap space",
            ),
            (
                "Terminating due to java.lang.OutOfMemoryError: Metaspace",
                None,
                "Metaspace",
            ),
            ("Unrecognized VM option 'UseFooGC'", None, "UseFooGC"),
            ("Unrecognized option: -Xfoo", None, "-Xfoo"),
            ("no main manifest attribute, in lib.jar", None, "Main-Class"),
            (
                "./app: 1: ELF\u{fffd}: not found",
                None,
                "another processor",
            ),
            (
                "# A fatal error has been detected by the Java Runtime Environment:",
                None,
                "hs_err",
            ),
        ];
        for (line, cause, words) in cases {
            let lines = ["something else".to_owned(), line.to_owned()];
            let (found, message) = from_log(&lines).unwrap();
            assert_eq!(found, cause, "{line}");
            assert!(message.contains(words), "{message}");
        }
    }

    #[test]
    fn other_lines_tell_nothing() {
        assert_eq!(from_log(&["all is well".into(), String::new()]), None);
    }
}
