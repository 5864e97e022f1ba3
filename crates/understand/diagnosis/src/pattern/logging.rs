//! The request waits for its log lines.

use super::{Match, Need, Pattern, SPECIAL, before, counts, is_in, ms, place_via, times, total};
use crate::comparison::Suspect;
use tacho_run_folder::LedgerKind;

pub const PATTERN: Pattern = Pattern {
    id: "synchronous-logging",
    name: "logging",
    needs: &[Need::Ledger(LedgerKind::Processor)],
    look,
    ..SPECIAL
};

fn look(suspect: &Suspect<'_, '_>) -> Option<Match> {
    let time = suspect.time_via(is_logging);
    if !time.is_more() {
        return None;
    }
    let lines = suspect.counts(LedgerKind::LogLines, |_| true);
    let counts = counts(lines, time).unwrap_or_default();
    let all = total(&counts);
    let lines = if counts.is_empty() {
        String::new()
    } else {
        format!(
            ": it writes one {}{}",
            times(all.candidate),
            before(suspect, all)
        )
    };
    let (line, stack) = place_via(suspect, is_logging);
    Some(Match {
        sentence: format!("Log lines of {{owner}} take {} of each request{lines}.", ms(time.candidate)),
        time,
        fix: "Log less here (a lower level, a guard in front of costly arguments), or hand the lines to an asynchronous appender and do not flush each of them.".to_owned(),
        counts,
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
