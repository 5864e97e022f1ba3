//! What `tacho warm` says.

use std::fmt::Write as _;
use tacho_figures as figures;
use tacho_warm_up::{End, KindSummary, Summary};

/// One sentence, and a line for each kind of request.
#[must_use]
pub fn text(summary: &Summary) -> String {
    let sent = format!(
        "{} in {}",
        figures::counted(summary.answered + summary.failed, "1 request", "requests"),
        figures::seconds(summary.duration_s)
    );
    let mut text = match summary.end {
        End::Settled => format!("Warm after {sent}.\n"),
        End::RequestLimit => {
            format!("Not settled after {sent}, which are as many as --at-most allows.\n")
        }
        End::TimeLimit => {
            format!("Not settled after {sent}, which is as long as --within allows.\n")
        }
        End::NothingLeft => {
            format!("Not settled after {sent}, and there is nothing left to send.\n")
        }
        End::Failing if summary.answered + summary.failed == 0 => {
            "Could not be warmed.\n".to_owned()
        }
        End::Failing => format!("Could not be warmed: {sent}.\n"),
        End::Interrupted => format!("Interrupted after {sent}.\n"),
    };
    for kind in &summary.requests {
        let _ = writeln!(text, "  {}", line(kind));
    }
    for note in &summary.notes {
        let _ = writeln!(text, "  note: {note}");
    }
    if let Some(why) = summary
        .last_failure
        .as_ref()
        .filter(|_| summary.failed > 0 || summary.end == End::Failing)
    {
        let _ = writeln!(text, "  the last failure: {why}");
    }
    text + match (summary.ready, summary.end) {
        (true, End::Settled) => "Traffic may come.\n",
        (true, End::Failing) => {
            "Traffic may come all the same (--on-failure open), to a cold service.\n"
        }
        (true, _) => "Traffic may come, though the service may still become faster.\n",
        (false, End::Failing) => "Traffic must not come (--on-failure closed).\n",
        (false, _) => "",
    }
}

fn line(kind: &KindSummary) -> String {
    let times = match (kind.first_ms, kind.settled_from, kind.settled_ms) {
        (Some(first), Some(from), Some(settled)) => format!(
            "{} at first, {} since request {}",
            figures::ms(first),
            figures::ms(settled),
            figures::count(from + 1)
        ),
        (Some(first), ..) => format!("{} at first, not settled", figures::ms(first)),
        (None, ..) => "no good answer".to_owned(),
    };
    let failed = match kind.failed {
        0 => String::new(),
        failed => format!(", {} failed", figures::count(failed)),
    };
    format!(
        "{}: {times} ({} answered{failed})",
        kind.name,
        figures::count(kind.answered)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whether_traffic_may_come_is_said_last() {
        let mut summary = Summary {
            format: 1,
            url: "http://localhost/".to_owned(),
            end: End::Failing,
            ready: true,
            answered: 3,
            failed: 20,
            last_failure: Some("status 503".to_owned()),
            duration_s: 1.5,
            restarts: 0,
            requests: vec![KindSummary {
                name: "GET /".to_owned(),
                answered: 3,
                failed: 20,
                first_ms: Some(12.0),
                settled_from: None,
                settled_ms: None,
            }],
            notes: Vec::new(),
        };
        assert_eq!(
            text(&summary),
            "Could not be warmed: 23 requests in 1.50 s.\n  GET /: 12 ms at first, not settled (3 answered, 20 failed)\n  the last failure: status 503\nTraffic may come all the same (--on-failure open), to a cold service.\n"
        );
        summary.ready = false;
        assert!(text(&summary).ends_with("Traffic must not come (--on-failure closed).\n"));
        summary.failed = 0;
        summary.answered = 1;
        assert!(text(&summary).starts_with("Could not be warmed: 1 request in 1.50 s.\n"));
        summary.failed = 20;
        summary.answered = 3;
        summary.end = End::Interrupted;
        assert!(text(&summary).starts_with("Interrupted after 23 requests"));
        summary.notes = vec!["3 of 3 answers were redirects".to_owned()];
        assert!(text(&summary).contains("\n  note: 3 of 3 answers were redirects\n"));
    }
}
