//! When and where: figures without their machine mean nothing.

use std::time::{Duration, Instant};
use tacho_observe::machine::{machine, steal_s};

/// We do nothing for so long, to see what others do.
const LOOK: Duration = Duration::from_secs(3);
/// When others take more of the processors than this, they take it from what we measure.
const BUSY: f64 = 0.1;
const WARNING: &str =
    " **Other programs were busy: run it again on an idle machine before you believe a figure.**";

/// Taken before the first scenario.
#[derive(Debug)]
pub struct Surroundings {
    begin: Instant,
    /// Share of all processors that others took.
    others: Option<f64>,
    steal_before: Option<f64>,
}

impl Surroundings {
    /// Takes some seconds.
    pub fn begin() -> Self {
        let before = Times::now();
        std::thread::sleep(LOOK);
        let others = before
            .zip(Times::now())
            .map(|(before, now)| now.busy_share_since(before));
        Self {
            begin: Instant::now(),
            others,
            steal_before: steal_s(),
        }
    }

    /// The machine and what else it did, as a paragraph.
    pub fn end(&self) -> String {
        let machine = machine();
        let minutes = self.begin.elapsed().as_secs_f64() / 60.0;
        let steal = self
            .steal_before
            .zip(steal_s())
            .map(|(before, after)| format!("; steal {:.1} s", (after - before).max(0.0)));
        let others = self.others.map(|share| {
            format!(
                "; before it began, others took {:.0} % of the processors",
                share * 100.0
            )
        });
        let is_busy = self.others.is_some_and(|share| share > BUSY);
        format!(
            "{}, {minutes:.0} min. {} processors ({}), {:.0} GB, {}, Linux {}{}{}. nginx has one processor, the tool another.{}",
            jiff::Zoned::now().strftime("%Y-%m-%d"),
            machine.cpus,
            machine.cpu_model,
            machine.memory_bytes as f64 / 1e9,
            machine.os,
            machine.kernel,
            others.unwrap_or_default(),
            steal.unwrap_or_default(),
            if is_busy { WARNING } else { "" },
        )
    }
}

/// Ticks of all processors since boot.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Times {
    all: u64,
    idle: u64,
}

impl Times {
    fn now() -> Option<Self> {
        Self::of(&std::fs::read_to_string("/proc/stat").ok()?)
    }

    // cpu  user nice system idle iowait irq softirq steal guest guest_nice
    fn of(stat: &str) -> Option<Self> {
        let line = stat.lines().find_map(|line| line.strip_prefix("cpu "))?;
        // Guests' time is in user and nice already (proc_stat(5)).
        let ticks: Vec<u64> = line
            .split_whitespace()
            .take(8)
            .map_while(|t| t.parse().ok())
            .collect();
        Some(Self {
            all: ticks.iter().sum(),
            idle: ticks.get(3)? + ticks.get(4)?,
        })
    }

    fn busy_share_since(self, before: Self) -> f64 {
        let all = self.all.saturating_sub(before.all).max(1);
        let idle = self.idle.saturating_sub(before.idle);
        1.0 - idle.min(all) as f64 / all as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_neither_idle_nor_waiting_for_disks_is_busy() {
        let before = Times::of("cpu  10 0 0 100 0 0 0 0 7 7\ncpu0 1\n").unwrap();
        let after = Times::of("cpu  20 5 3 160 20 1 1 0 9 9\n").unwrap();
        assert_eq!(
            before,
            Times {
                all: 110,
                idle: 100
            }
        );
        assert!((after.busy_share_since(before) - 0.2).abs() < 1e-9);
        assert_eq!(Times::of("cpu  1 2 3\n"), None);
        assert!(Times::now().is_some());
    }
}
