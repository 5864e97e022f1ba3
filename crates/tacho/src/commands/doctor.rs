//! `tacho doctor`.

use crate::arguments::Doctor;
use crate::exit::Exit;
use crate::{Done, print};
use std::fmt::Write;
use tacho_runner::{Surroundings, doctor};

/// Says what this machine can and cannot do, and how to mend it.
pub fn doctor(arguments: &Doctor) -> Done {
    let findings = doctor::findings(&Surroundings::here(), arguments.jdk.as_deref());
    let mut text = String::new();
    for finding in &findings {
        let (colour, sign) = match finding.state {
            doctor::State::Good => ("32", "ok     "),
            doctor::State::Missing => ("33", "missing"),
            doctor::State::Bad => ("31", "bad    "),
        };
        let _ = writeln!(text, "\x1b[{colour}m{sign}\x1b[0m {}", finding.text);
        for remedy in &finding.remedies {
            let _ = writeln!(text, "        -> {remedy}");
        }
    }
    print(&text)?;
    let is_bad = |finding: &doctor::Finding| finding.state == doctor::State::Bad;
    Ok(match findings.iter().any(is_bad) {
        true => Exit::Machine,
        false => Exit::Done,
    })
}
