//! What the engine would send.

use std::path::Path;
use tacho_import::Imported;
use tacho_workload::{Check, Message, Script, User};

/// One request, as it is sent by the first user and by the second.
pub struct Sent {
    origin: String,
    pub message: Message,
    pub again: Message,
    pub checks: Vec<Check>,
}

/// A moment after the cases were made, in nanoseconds since 1970.
const NOW: u64 = 1_800_000_000_000_000_000;

/// All requests of the only scenario, in order.
pub fn all(imported: &Imported, folder: &Path) -> Result<Vec<Sent>, String> {
    let origin = imported.origin.as_ref().ok_or("no origin")?;
    let script = Script::compile(&imported.workload, folder, &origin.into(), 1);
    let script = script.map_err(|error| error.to_string())?;
    let [scenario] = imported.workload.scenarios.as_slice() else {
        return Err("not one scenario".to_owned());
    };
    let message = |n: u64, kind: u32| {
        let mut user = User::new();
        let begun = script.begin(&mut user, 0, n, script.pick(0, n));
        begun.map_err(|error| error.to_string())?;
        let message = script.render(&mut user, kind, NOW);
        message.map_err(|error| error.to_string())
    };
    let mut all = Vec::new();
    for (kind, step) in (0..).zip(&scenario.steps) {
        all.push(Sent {
            origin: origin.to_string(),
            message: message(0, kind)?,
            again: message(1, kind)?,
            checks: step.checks.clone(),
        });
    }
    Ok(all)
}

impl Sent {
    /// As a truth writes it: method and address.
    pub fn send(&self) -> String {
        format!(
            "{} {}{}",
            self.message.method, self.origin, self.message.path
        )
    }

    /// All values of a header.
    pub fn values(&self, name: &str) -> Vec<&str> {
        let headers = self.message.headers.iter();
        headers
            .filter(|(n, _)| n.eq_ignore_ascii_case(name))
            .map(|(_, value)| value.as_str())
            .collect()
    }

    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.message.body).into_owned()
    }

    /// Whether an answer of this status is none that has failed.
    pub fn admits(&self, status: u16) -> bool {
        let mut ranges = self.checks.iter().filter_map(|check| match check {
            Check::Status(ranges) => Some(ranges),
            _ => None,
        });
        let mut said = ranges.next().into_iter().flatten().peekable();
        match said.peek() {
            None => status < 400,
            Some(_) => said.any(|(low, high)| (*low..=*high).contains(&status)),
        }
    }
}
