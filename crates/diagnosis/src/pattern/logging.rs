//! The request waits for its log lines.

use super::{Match, Pattern, is_in, place_via};
use crate::comparison::Suspect;

pub const PATTERN: Pattern = Pattern {
    id: "synchronous-logging",
    name: "logging",
    look,
};

fn look(suspect: &Suspect<'_, '_>) -> Option<Match> {
    let time = suspect.time_via(is_logging);
    if !time.is_more() {
        return None;
    }
    let (line, stack) = place_via(suspect, is_logging);
    Some(Match {
        sentence: format!("Log lines of {{owner}} take {:.2} ms of each request.", time.candidate),
        time,
        fix: "Log less here (a lower level, a guard in front of dear arguments), or hand the lines to an asynchronous appender and do not flush each of them.".to_owned(),
        counts: Vec::new(),
        line,
        stack,
        is_cause: true,
    })
}

fn is_logging(frame: &str) -> bool {
    is_in(
        frame,
        &[
            "org.slf4j.",
            "ch.qos.logback.",
            "java.util.logging.",
            "org.apache.logging.",
            "org.apache.log4j.",
            "org.apache.commons.logging.",
            "java.lang.System$Logger",
            "sun.util.logging.",
            "org.jboss.logging.",
        ],
    )
}
