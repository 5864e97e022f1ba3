//! When and where: figures without their machine mean nothing.

use std::time::Instant;
use tacho_observe::machine::{machine, steal_s};

/// Taken before the first scenario.
#[derive(Debug)]
pub struct Surroundings {
    begin: Instant,
    /// Processes that ran or wanted to, before we added ours.
    load_before: Option<String>,
    steal_before: Option<f64>,
}

impl Surroundings {
    pub fn begin() -> Self {
        Self {
            begin: Instant::now(),
            load_before: load_average(),
            steal_before: steal_s(),
        }
    }

    /// One paragraph.
    pub fn end(&self) -> String {
        let machine = machine();
        let minutes = self.begin.elapsed().as_secs_f64() / 60.0;
        let steal = self
            .steal_before
            .zip(steal_s())
            .map(|(before, after)| format!("; steal {:.1} s", (after - before).max(0.0)));
        let load = self
            .load_before
            .as_ref()
            .map(|load| format!("; load average before {load}"));
        format!(
            "{}, {minutes:.0} min. {} processors ({}), {:.0} GB, {}, Linux {}{}{}. nginx has one processor, the tool another.",
            jiff::Zoned::now().strftime("%Y-%m-%d"),
            machine.cpus,
            machine.cpu_model,
            machine.memory_bytes as f64 / 1e9,
            machine.os,
            machine.kernel,
            load.unwrap_or_default(),
            steal.unwrap_or_default(),
        )
    }
}

/// Over the last minute.
fn load_average() -> Option<String> {
    let text = std::fs::read_to_string("/proc/loadavg").ok()?;
    text.split_whitespace().next().map(str::to_owned)
}
