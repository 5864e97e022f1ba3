//! Whether a rate has stopped changing: answers of a closed loop, or processor time under an even
//! load.
//!
//! Response times of single requests are not asked here, since a closed loop hides its speed in
//! their number. Asked is the mean rate of one part of the time against that of the next: a test of
//! equivalence (Schuirmann 1987) on batch means, because neighbouring windows are alike
//! (Alexopoulos and Seila, "Output data analysis", 1998).

use crate::student;

/// What was counted in a span of time.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Window {
    /// How long it was, in seconds.
    pub length_s: f64,
    /// Answers, or seconds of processor time.
    pub amount: f64,
}

/// Whether a rate was steady, and from when on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Steadiness {
    /// From the window of this index on.
    From(usize),
    /// It changed to the end.
    Changing,
    /// Too short, or too noisy.
    CannotTell,
}

/// Rates are alike when they differ by at most this factor's logarithm.
const ALIKE: f64 = 0.095_310_179_804_324_87; // ln(1.1)
/// One-sided, for either side of the equivalence.
const ERROR: f64 = 0.05;
/// Of each side of a comparison.
const MOST_BATCHES: usize = 10;
/// Fewer say nothing of their own noise.
const FEWEST_BATCHES: usize = 4;
/// The steady end is at least so large a share (Barrett et al. 2017: 500 of 2,000 iterations).
const SHORTEST_END: f64 = 0.25;
/// Beginnings of the steady end that are tried.
const BEGINNINGS: usize = 12;

/// Of a whole phase.
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

/// Half against half, and the last quarter against what is before it: a late step hides in halves.
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

/// Of the logarithms of two rates.
#[derive(Debug, Clone, Copy)]
struct Difference {
    by: f64,
    /// Half of its interval.
    error: f64,
}

impl Difference {
    /// At most what counts as alike, with 95 % confidence.
    fn is_none(self) -> bool {
        self.by.abs() + self.error <= ALIKE
    }

    /// More than that, with 95 % confidence.
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

/// Fewer windows never settle anything: 2 s of windows of a tenth of a second.
const FEWEST_WINDOWS: usize = 20;
/// The next look is taken when there are this many times as many.
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
    /// Takes the next window; says whether the last half of all is level, and goes on saying so.
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
