//! The start-up times that frameworks print in their log. They are shown beside the measured time,
//! because most frameworks begin to count long after `exec`.

use crate::log::plain;
use regex::{Captures, Regex};
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};
use std::path::Path;
use std::sync::LazyLock;
use tacho_run_folder::FrameworkClaim;

/// Bytes of a log that are searched. Start-up is over long before.
const MOST_BYTES: u64 = 16 * 1024 * 1024;

/// How one framework prints its time.
struct Rule {
    framework: &'static str,
    pattern: &'static str,
    /// Milliseconds in one unit of what it prints.
    unit_ms: f64,
}

/// The groups: `start` is the start-up, `process` the time since the process began.
const RULES: [Rule; 6] = [
    // 2026-01-15T10:00:00.123Z INFO 4711 --- [main] c.e.DemoApplication : Started DemoApplication
    // in 1.234 seconds (process running for 1.9) Before Boot 3: ... Started DemoApplication in
    // 1.234 seconds (JVM running for 1.9)
    Rule {
        framework: "Spring Boot",
        pattern: r"Started \S+ in (?<start>[\d.,]+) seconds \((?:process|JVM) running for (?<process>[\d.,]+)\)",
        unit_ms: 1000.0,
    },
    // 2026-01-15 10:00:00,123 INFO [io.quarkus] (main) demo 1.0.0 on JVM (powered by Quarkus
    // 3.30.1) started in 0.432s. Listening on: http://0.0.0.0:8080 Native images print `native` in
    // place of `on JVM`.
    Rule {
        framework: "Quarkus",
        pattern: r"\(powered by Quarkus [^)]*\) started in (?<start>[\d.,]+)s\.",
        unit_ms: 1000.0,
    },
    // 2026.01.15 10:00:00.123 INFO [io.helidon.webserver.LoomServer] Started all channels in 12
    // milliseconds. 345 milliseconds since JVM startup. Java 25+36
    Rule {
        framework: "Helidon",
        pattern: r"Started all channels in (?<start>[\d.,]+) milliseconds\. (?<process>[\d.,]+) milliseconds since JVM startup",
        unit_ms: 1.0,
    },
    // 10:00:00.123 [main] INFO io.micronaut.runtime.Micronaut - Startup completed in 512ms. Server
    // Running: http://localhost:8080
    Rule {
        framework: "Micronaut",
        pattern: r"Startup completed in (?<start>[\d.,]+) ?ms",
        unit_ms: 1.0,
    },
    // 15-Jan-2026 10:00:00.123 INFO [main] org.apache.catalina.startup.Catalina.start Server
    // startup in [1234] milliseconds Before Tomcat 9: ... Server startup in 1234 ms
    Rule {
        framework: "Tomcat",
        pattern: r"Server startup in \[?(?<start>[\d.,]+)\]? (?:milliseconds|ms)",
        unit_ms: 1.0,
    },
    // [AUDIT ] CWWKF0011I: The defaultServer server is ready to run a smarter planet. The
    // defaultServer server started in 3.456 seconds.
    Rule {
        framework: "Open Liberty",
        pattern: r"CWWKF0011I: .* server started in (?<start>[\d.,]+) seconds",
        unit_ms: 1000.0,
    },
];

static PATTERNS: LazyLock<Vec<(&'static Rule, Regex)>> = LazyLock::new(|| {
    RULES
        .iter()
        // Every pattern is compiled by a test, so that none is lost here.
        .filter_map(|rule| Some((rule, Regex::new(rule.pattern).ok()?)))
        .collect()
});

/// The claim in one line, if it has one.
#[must_use]
pub fn in_line(line: &str) -> Option<FrameworkClaim> {
    let line = plain(line);
    PATTERNS.iter().find_map(|(rule, pattern)| {
        let found = pattern.captures(&line)?;
        Some(FrameworkClaim {
            framework: rule.framework.to_owned(),
            startup_ms: number(&found, "start")? * rule.unit_ms,
            process_ms: number(&found, "process").map(|n| n * rule.unit_ms),
            line: line.trim().to_owned(),
        })
    })
}

/// The claims in a log from this byte on, in their order. Usually there is one, or none; a WAR has
/// one of Boot and one of Tomcat.
pub fn in_log(path: &Path, from: u64) -> io::Result<Vec<FrameworkClaim>> {
    let mut file = tacho_files::open(path)?;
    file.seek(SeekFrom::Start(from))?;
    let mut reader = BufReader::new(file.take(MOST_BYTES));
    let mut claims = Vec::new();
    let mut line = Vec::new();
    while reader.read_until(b'\n', &mut line)? > 0 {
        claims.extend(in_line(&String::from_utf8_lossy(&line)));
        line.clear();
    }
    Ok(claims)
}

/// `1.234`, or `1,234` where the JVM's locale has a decimal comma. Tomcat writes `[1,234]`
/// milliseconds with a thousands separator. So three digits after a comma are a fraction only where
/// the unit is seconds.
fn number(found: &Captures<'_>, group: &str) -> Option<f64> {
    let text = found.name(group)?.as_str();
    let whole_unit = found.get(0)?.as_str().contains(" milliseconds");
    let text = if whole_unit {
        text.replace(',', "")
    } else {
        text.replace(',', ".")
    };
    text.trim_end_matches('.')
        .parse()
        .ok()
        .filter(|n: &f64| n.is_finite())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn every_rule_compiles() {
        assert_eq!(PATTERNS.len(), RULES.len());
    }

    #[test]
    fn the_lines_that_frameworks_print() {
        let cases = [
            (
                "2026-01-15T10:00:00.123Z  INFO 4711 --- [main] c.e.DemoApplication : Started DemoApplication in 1.234 seconds (process running for 1.9)",
                ("Spring Boot", 1234.0, Some(1900.0)),
            ),
            (
                "INFO 1 --- [main] a.B : Started B in 2.5 seconds (JVM running for 3.125)",
                ("Spring Boot", 2500.0, Some(3125.0)),
            ),
            (
                "2026-01-15 10:00:00,123 INFO  [io.quarkus] (main) demo 1.0.0 on JVM (powered by Quarkus 3.30.1) started in 0.432s. Listening on: http://0.0.0.0:8080",
                ("Quarkus", 432.0, None),
            ),
            (
                "INFO [io.quarkus] (main) demo 1.0.0 native (powered by Quarkus 3.30.1) started in 0.016s. Listening on: http://0.0.0.0:8080",
                ("Quarkus", 16.0, None),
            ),
            (
                "2026.01.15 10:00:00.123 INFO [io.helidon.webserver.LoomServer] Started all channels in 12 milliseconds. 345 milliseconds since JVM startup. Java 25+36",
                ("Helidon", 12.0, Some(345.0)),
            ),
            (
                "10:00:00.123 [main] INFO  io.micronaut.runtime.Micronaut - Startup completed in 512ms. Server Running: http://localhost:8080",
                ("Micronaut", 512.0, None),
            ),
            (
                "15-Jan-2026 10:00:00.123 INFO [main] org.apache.catalina.startup.Catalina.start Server startup in [1234] milliseconds",
                ("Tomcat", 1234.0, None),
            ),
            (
                "INFO [main] org.apache.catalina.startup.Catalina.start Server startup in [1,234] milliseconds",
                ("Tomcat", 1234.0, None),
            ),
            (
                "[AUDIT   ] CWWKF0011I: The defaultServer server is ready to run a smarter planet. The defaultServer server started in 3.456 seconds.",
                ("Open Liberty", 3456.0, None),
            ),
        ];
        for (line, (framework, startup_ms, process_ms)) in cases {
            let claim = in_line(line).unwrap();
            assert_eq!(claim.framework, framework, "{line}");
            assert!((claim.startup_ms - startup_ms).abs() < 1e-6, "{claim:?}");
            assert_eq!(claim.process_ms.map(f64::round), process_ms, "{line}");
        }
    }

    #[test]
    fn colours_are_no_hindrance() {
        let line = "\u{1b}[2m10:00\u{1b}[0;39m \u{1b}[32m INFO\u{1b}[m : Started \u{1b}[1mDemo\u{1b}[m in 1.5 seconds (process running for 2)";
        assert_eq!(in_line(line).unwrap().startup_ms, 1500.0);
    }

    #[test]
    fn other_lines_claim_nothing() {
        for line in [
            "",
            "Started",
            "Started Demo in a moment",
            "server startup in 12 ms",
        ] {
            assert_eq!(in_line(line), None);
        }
    }

    #[test]
    fn a_log_is_read_from_where_the_launch_began() {
        let log = tempfile::NamedTempFile::new().unwrap();
        let earlier = "Startup completed in 100ms\n";
        std::fs::write(
            log.path(),
            format!("{earlier}x\nStartup completed in 200ms\n"),
        )
        .unwrap();
        let claims = in_log(log.path(), earlier.len() as u64).unwrap();
        assert_eq!(claims.len(), 1);
        assert_eq!(claims[0].startup_ms, 200.0);
    }

    proptest! {
        #[test]
        fn no_line_makes_it_panic(line in ".{0,200}") {
            let _ = in_line(&line);
        }
    }
}
