//! The result for people: both columns, and what they teach.

use crate::comparison::{Comparison, CourseResult, Judgement, Verdict};
use crate::course::Course;
use crate::run::SelfTest;
use crate::script::Script;
use crate::witnessed::{Figure, Row, Witnessed};
use std::fmt::Write;
use tacho_run_folder::Quantile;

// Writing to a String never fails.
macro_rules! line {
    ($text:expr, $($part:tt)*) => {{ let _ = writeln!($text, $($part)*); }};
}

/// The result as text of at most 100 columns.
#[must_use]
pub fn render(test: &SelfTest) -> String {
    let mut text = String::new();
    for witnessed in &test.witnessed {
        render_witnessed(&mut text, witnessed);
    }
    for result in &test.courses {
        render_course(&mut text, result);
    }
    line!(
        text,
        "served: as the server saw it; closed loop: service time, which is what ab or wrk would print."
    );
    text.push_str(&conclusion(test));
    text
}

fn render_witnessed(text: &mut String, witnessed: &Witnessed) {
    let course = &witnessed.course;
    let apart = if witnessed.apart {
        "on another processor"
    } else {
        "on the same processor"
    };
    line!(
        text,
        "witness: {} requests/s for {} s over {} connections\n  \
         a process {apart} that keeps the kernel's stamp of each arrival",
        course.rate,
        course.duration_s,
        course.connections
    );
    line!(
        text,
        "  us                        the witness saw   reported     error  allowed"
    );
    for row in &witnessed.rows {
        render_row(text, row);
    }
    let requests = course.requests();
    if witnessed.succeeded != requests || witnessed.arrived != requests {
        line!(
            text,
            "  Of {requests} requests {} arrived and {} were answered; all should have been.",
            witnessed.arrived,
            witnessed.succeeded
        );
    }
    line!(
        text,
        "  sent within 20 us of the one before: {:.1} %\n  \
         waited for a processor: generator {:.1} ms; steal {:.0} ms\n",
        witnessed.in_bursts * 100.0,
        witnessed.generator_waited_ms,
        witnessed.steal_ms
    );
}

fn render_row(text: &mut String, row: &Row) {
    let figure = match row.figure {
        Figure::ResponseTime => "response",
        Figure::Lateness => "sent late by",
    };
    let seen = if row.at_least_us < row.at_most_us {
        format!("{:.1} to {:.1}", row.at_least_us, row.at_most_us)
    } else {
        format!("{:.1}", row.at_most_us)
    };
    line!(
        text,
        "  {:<18} {seen:>22} {:>10.1} {:>+6.1} us {:>5.0} us  {}",
        format!("{figure} {}", row.quantile),
        row.reported_us,
        row.error_us,
        row.tolerance_us,
        verdict(row.verdict)
    );
}

fn verdict(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Agrees => "agrees",
        Verdict::MachineWasLate => "machine late",
        Verdict::Differs => "DIFFERS",
    }
}

fn render_course(text: &mut String, result: &CourseResult) {
    line!(text, "{}", heading(&result.course));
    line!(
        text,
        "  response, ms     expected     served   reported     error  allowed               closed loop"
    );
    for comparison in &result.comparisons {
        render_comparison(text, comparison);
    }
    if result.succeeded != result.requests {
        line!(
            text,
            "  {} of {} requests were answered; all should have been.",
            result.succeeded,
            result.requests
        );
    }
    render_surroundings(text, result);
    if let Some(lesson) = lesson(result) {
        line!(text, "  {lesson}");
    }
    line!(text, "");
}

fn heading(course: &Course) -> String {
    let load = format!(
        "{} requests/s for {} s over {} connections",
        course.rate, course.duration_s, course.connections
    );
    let script = match &course.script {
        Script::Constant { delay_ns } => format!("each takes {} ms", ms(*delay_ns)),
        Script::Stall(stall) => format!(
            "silent {} of every {} s, then {:.0} answers/s",
            ms(stall.silence_ns) / 1e3,
            ms(stall.period_ns) / 1e3,
            1e9 / stall.spacing_ns as f64
        ),
        Script::Mixture(mixture) => {
            let delays = mixture.shares().iter().map(|share| {
                let percent = share.thousandths as f64 / 10.0;
                format!("{percent} % {}", ms(share.delay_ns))
            });
            let delays: Vec<String> = delays.collect();
            format!("delays in ms: {}", delays.join(", "))
        }
    };
    format!("{}: {load}\n  {script}", course.name)
}

fn render_comparison(text: &mut String, comparison: &Comparison) {
    let Comparison {
        quantile,
        expected_ms,
        served_ms,
        reported_ms,
        ..
    } = comparison;
    let error = match comparison.relative_error {
        // Where 1 ms is allowed for a much shorter time, a percentage says nothing.
        Some(error) if comparison.tolerance_ms < expected_ms / 10.0 => signed(error * 100.0, "%"),
        _ => signed(comparison.error_ms, "ms"),
    };
    line!(
        text,
        "  {quantile:<14} {expected_ms:>10.3} {served_ms:>10.3} {reported_ms:>10.3} {error:>9} {:>5.2} ms  {:<12} {:>11.3}",
        comparison.tolerance_ms,
        verdict(comparison.verdict),
        comparison.closed_loop_ms
    );
}

fn render_surroundings(text: &mut String, result: &CourseResult) {
    let surroundings = &result.surroundings;
    let worst = |quantiles: Option<tacho_run_folder::Quantiles>| quantiles.map_or(0.0, |q| q.max);
    line!(
        text,
        "  latest: server {:.2} ms, generator {:.2} ms\n  waited for a processor: server {:.1} ms, generator {:.1} ms; steal {:.0} ms",
        worst(surroundings.server_lateness_ms),
        worst(result.generator_lag_ms),
        surroundings.server_waited_ms,
        surroundings.generator_waited_ms,
        surroundings.steal_ms
    );
}

/// What a tool that waits for each answer before it asks again would have made of the same server.
fn lesson(result: &CourseResult) -> Option<String> {
    if !matches!(result.course.script, Script::Stall(_)) {
        return None;
    }
    let p99 = result
        .comparisons
        .iter()
        .find(|c| c.quantile == Quantile::P99)?;
    Some(format!(
        "A closed-loop tool sends nothing while it waits, so it says p99 = {:.1} ms; users had {:.1} ms.",
        p99.closed_loop_ms, p99.expected_ms
    ))
}

fn conclusion(test: &SelfTest) -> String {
    let took = format!("({:.0} s, {} processors)", test.duration_s, test.processors);
    match test.judgement {
        Judgement::Passed => {
            format!("passed: what Tacho reports on this machine is what happened {took}\n")
        }
        Judgement::Spoiled => format!(
            "spoiled: the machine was late, so this shows nothing about Tacho {took}\n\
             Close other programs, or take a machine with a free processor for server and generator each,\n\
             and run it again.\n"
        ),
        Judgement::Failed => format!(
            "failed: Tacho measures wrongly on this machine, and the machine's lateness does not explain it\n\
             {took}. Do not trust its figures here; please report this output.\n"
        ),
    }
}

/// A difference; hundredths only where they matter.
fn signed(number: f64, unit: &str) -> String {
    if number.abs() < 1e3 {
        format!("{number:+.2} {unit}")
    } else {
        format!("{number:+.0} {unit}")
    }
}

fn ms(ns: u64) -> f64 {
    ns as f64 / 1e6
}

#[cfg(test)]
mod tests;
