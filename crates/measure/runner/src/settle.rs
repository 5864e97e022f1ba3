//! Follows a settle phase from beside it, and tells the generator when its throughput is steady.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use tacho_load::Control;
use tacho_statistics::steady_state::{Levelling, Window};

/// In which answers are counted.
const WINDOW: Duration = Duration::from_millis(100);

/// Follows what is answered.
#[derive(Debug)]
pub struct SettleWatch {
    control: Control,
    levelling: Levelling,
    window_began: Instant,
    answered: u64,
}

impl SettleWatch {
    /// From now on.
    #[must_use]
    pub fn begin(control: &Control) -> Self {
        Self {
            control: control.clone(),
            levelling: Levelling::default(),
            window_began: Instant::now(),
            answered: control.counters().answered,
        }
    }

    /// To be called more often than ten times a second.
    pub fn look(&mut self) {
        let length = self.window_began.elapsed();
        if length < WINDOW {
            return;
        }
        let answered = self.control.counters().answered;
        let window = Window {
            length_s: length.as_secs_f64(),
            amount: answered.saturating_sub(self.answered) as f64,
        };
        self.window_began = Instant::now();
        self.answered = answered;
        if self.levelling.push(window) {
            self.control.enough();
        }
    }

    /// Looks until the flag is set.
    pub fn follow(mut self, over: &AtomicBool) {
        while !over.load(Ordering::Relaxed) {
            std::thread::sleep(WINDOW / 4);
            self.look();
        }
    }
}
