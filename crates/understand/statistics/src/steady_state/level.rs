//! Whether a rate has stopped changing: the answers of a closed loop, or the processor time under a
//! constant load.
//!
//! Response times of single requests do not show this, because a closed loop shows its speed in the
//! number of requests. Instead, the mean rate of one stretch of time is compared with that of the
//! next: a test of equivalence (Schuirmann 1987) on batch means, because neighbouring windows are
//! alike (Alexopoulos and Seila, "Output data analysis", 1998).

use crate::student;

/// What was counted in a span of time.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Window {
    /// How long it was, in seconds.
    pub length_s: f64,
    /// Number of answers, or seconds of processor time.
    pub amount: f64,
}

/// Whether a rate was steady, and from when on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Steadiness {
    /// Steady from the window of this index on.
    From(usize),
    /// It still changed at the end.
    Changing,
    /// The series is too short, or too noisy.
    CannotTell,
}

/// Rates are alike when they differ by at most this factor's logarithm.
const ALIKE: f64 = 0.095_310_179_804_324_87; // ln(1.1)
/// Error of each of the two one-sided tests.
const ERROR: f64 = 0.05;
/// Most batches of each side of a comparison.
const MOST_BATCHES: usize = 10;
/// Fewer batches do not show how noisy they are.
const FEWEST_BATCHES: usize = 4;
/// The steady end is at least this share of the series (Barrett et al. 2017: 500 of 2,000
/// iterations).
const SHORTEST_END: f64 = 0.25;
/// How many positions are tried as the beginning of the steady end.
const BEGINNINGS: usize = 12;

/// Whether the rate of a whole phase was steady, and from when on.
#[must_use]
pub fn steadiness(windows: &[Window]) -> Steadiness {
    let latest = (windows.len() as f64 * (1.0 - SHORTEST_END)) as usize;
    let beginnings = (0..=BEGINNINGS).map(|n| latest * n / BEGINNINGS);
    let mut looks = beginnings.map(|from| (from, look(&windows[from..])));
    if let Some((from, _)) = looks.find(|(_, look)| *look == Look::Level) {
        return Steadiness::From(from);
    }
    match look(&windows[windows.len() / 2..]) {
        Look::Changing => Steadiness::Changing,
        Look::Level | Look::CannotTell => Steadiness::CannotTell,
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Look {
    Level,
    Changing,
    CannotTell,
}

/// Compares the first half with the second, and the last quarter with everything before it. The
/// halves alone would hide a late step.
fn look(windows: &[Window]) -> Look {
    let length = windows.len();
    let comparisons = [length / 2, length * 3 / 4].map(|at| {
        let (before, after) = windows.split_at(at);
        compare(before, after)
    });
    if comparisons
        .iter()
        .all(|c| c.is_some_and(Difference::is_none))
    {
        Look::Level
    } else if comparisons
        .iter()
        .any(|c| c.is_some_and(Difference::is_some))
    {
        Look::Changing
    } else {
        Look::CannotTell
    }
}

/// The difference between the logarithms of two rates.
#[derive(Debug, Clone, Copy)]
struct Difference {
    by: f64,
    /// Half the width of its interval.
    error: f64,
}

impl Difference {
    /// Whether the rates are alike with 95 % confidence.
    fn is_none(self) -> bool {
        self.by.abs() + self.error <= ALIKE
    }

    /// Whether the rates are not alike with 95 % confidence.
    fn is_some(self) -> bool {
        self.by.abs() - self.error > ALIKE
    }
}

fn compare(before: &[Window], after: &[Window]) -> Option<Difference> {
    let (before, after) = (Rate::of(before)?, Rate::of(after)?);
    let t = student::quantile(ERROR, before.degrees + after.degrees);
    Some(Difference {
        by: (after.mean / before.mean).ln(),
        error: t * before.relative_error.hypot(after.relative_error),
    })
}

/// The mean rate of some windows, and how well it is known.
struct Rate {
    mean: f64,
    relative_error: f64,
    degrees: f64,
}

impl Rate {
    fn of(windows: &[Window]) -> Option<Self> {
        let count = windows.len().min(MOST_BATCHES);
        if count < FEWEST_BATCHES {
            return None;
        }
        let batches: Vec<f64> = (0..count)
            .map(|n| rate(&windows[windows.len() * n / count..windows.len() * (n + 1) / count]))
            .collect();
        let mean = rate(windows);
        let squares: f64 = batches.iter().map(|batch| (batch - mean).powi(2)).sum();
        let degrees = count as f64 - 1.0;
        let error = (squares / degrees / count as f64).sqrt();
        (mean > 0.0 && mean.is_finite()).then_some(Self {
            mean,
            relative_error: error / mean,
            degrees,
        })
    }
}

fn rate(windows: &[Window]) -> f64 {
    let amount: f64 = windows.iter().map(|w| w.amount).sum();
    let length_s: f64 = windows.iter().map(|w| w.length_s).sum();
    amount / length_s
}

/// With fewer windows nothing counts as steady: 2 s of windows of a tenth of a second.
const FEWEST_WINDOWS: usize = 20;
/// The series is checked again when it has grown by this factor.
const NEXT_LOOK: f64 = 1.1;

/// Follows a load window by window, until its rate is steady.
#[derive(Debug, Clone)]
pub struct Levelling {
    windows: Vec<Window>,
    next_look: usize,
    is_level: bool,
}

impl Default for Levelling {
    fn default() -> Self {
        Self {
            windows: Vec::new(),
            next_look: FEWEST_WINDOWS,
            is_level: false,
        }
    }
}

impl Levelling {
    /// Adds the next window. Returns whether the last half of all windows is level; once true, it
    /// stays true.
    pub fn push(&mut self, window: Window) -> bool {
        self.windows.push(window);
        let seen = self.windows.len();
        if !self.is_level && seen >= self.next_look {
            self.next_look = (seen as f64 * NEXT_LOOK).ceil() as usize;
            self.is_level = look(&self.windows[seen / 2..]) == Look::Level;
        }
        self.is_level
    }
}

#[cfg(test)]
mod tests;
