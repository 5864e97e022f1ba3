//! The seconds of a phase, and when it began.

use tacho_run_folder::{LaunchData, Second};

/// What the log of a launch has of a phase. A second in which no request was concluded is not in
/// the log.
pub struct PhaseSeconds<'a> {
    /// On the clock of the seconds.
    began_s: f64,
    seconds: Vec<&'a Second>,
}

impl<'a> PhaseSeconds<'a> {
    pub fn of(launch: &'a LaunchData, label: &str) -> Self {
        let seconds = launch.seconds.iter();
        let record = launch.record.phases.iter().find(|it| it.label == label);
        Self::since(
            record.map(|it| it.started_ms / 1e3),
            seconds.filter(|second| second.phase == label).collect(),
        )
    }

    /// Of a phase that was recorded as begun at an instant. Without one it begins with its first
    /// second.
    pub fn since(recorded_s: Option<f64>, seconds: Vec<&'a Second>) -> Self {
        let first_s = seconds.first().map_or(0.0, |first| first.start_s);
        // Instants of the log are rounded. Seconds count from the beginning of the phase, so less
        // than half of one is rounding.
        let is_later = |recorded: &f64| first_s - recorded > 0.5;
        Self {
            began_s: recorded_s.filter(is_later).unwrap_or(first_s),
            seconds,
        }
    }

    /// Each second, and when it began since the phase did.
    pub fn iter(&self) -> impl Iterator<Item = (f64, &'a Second)> {
        let began_s = self.began_s;
        let seconds = self.seconds.iter();
        seconds.map(move |second| (second.start_s - began_s, *second))
    }
}

#[cfg(test)]
pub mod testkit {
    use tacho_run_folder::Second;

    /// Each began at an instant, with so many answers, each after `ms`, and was so long.
    pub fn second(start_s: f64, answered: u64, duration_s: f64, ms: f64) -> Second {
        Second {
            phase: "open".to_owned(),
            start_s,
            duration_s,
            answered,
            failed: 0,
            mean_ms: ms,
            p50_ms: ms,
            p99_ms: ms,
            over_objective: 0,
        }
    }
}
