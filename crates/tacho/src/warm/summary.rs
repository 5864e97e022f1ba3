//! What came of a warm-up, in words.

use std::fmt::Write as _;
use tacho_report::quantity;
use tacho_warm_up::{End, KindSummary, Summary};

/// One sentence, and a line for each kind of request.
pub fn text(summary: &Summary) -> String {
    let sent = format!(
        "{} requests in {}",
        quantity::count(summary.answered + summary.failed),
        quantity::value(summary.duration_s, "s")
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
            quantity::value(first, "ms"),
            quantity::value(settled, "ms"),
            quantity::count(from + 1)
        ),
        (Some(first), ..) => format!("{} at first, not settled", quantity::value(first, "ms")),
        (None, ..) => "no good answer".to_owned(),
    };
    let failed = match kind.failed {
        0 => String::new(),
        failed => format!(", {} failed", quantity::count(failed)),
    };
    format!(
        "{}: {times} ({} answered{failed})",
        kind.name,
        quantity::count(kind.answered)
    )
}
