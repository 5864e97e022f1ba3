//! Wakers for a loop that needs no runtime: the number of whoever is woken is put on a list.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Wake, Waker};

/// Bells, and the list of those that were rung, in order, each at most once.
#[derive(Debug, Default)]
pub struct Bells {
    bells: Vec<(Arc<Bell>, Waker)>,
    rung: Arc<Mutex<Vec<u32>>>,
}

/// One thread rings and answers; a waker has to be `Send` nevertheless.
#[derive(Debug)]
struct Bell {
    number: u32,
    is_rung: AtomicBool,
    rung: Arc<Mutex<Vec<u32>>>,
}

impl Bells {
    /// Has bells for the numbers below `count`, if not for more.
    pub fn provide(&mut self, count: usize) {
        while self.bells.len() < count {
            let bell = Arc::new(Bell {
                number: self.bells.len() as u32,
                is_rung: AtomicBool::new(false),
                rung: Arc::clone(&self.rung),
            });
            self.bells.push((Arc::clone(&bell), Waker::from(bell)));
        }
    }

    /// Rings for a number.
    pub fn waker(&self, number: u32) -> &Waker {
        &self.bells[number as usize].1
    }

    /// Adds the numbers that were rung for to `numbers`; from here on they can be rung for anew.
    pub fn answer(&self, numbers: &mut Vec<u32>) {
        let mut rung = self.rung.lock().unwrap_or_else(PoisonError::into_inner);
        for number in rung.drain(..) {
            let (bell, _) = &self.bells[number as usize];
            bell.is_rung.store(false, Ordering::Relaxed);
            numbers.push(number);
        }
    }
}

impl Wake for Bell {
    fn wake(self: Arc<Self>) {
        self.wake_by_ref();
    }

    fn wake_by_ref(self: &Arc<Self>) {
        if !self.is_rung.swap(true, Ordering::Relaxed) {
            let mut rung = self.rung.lock().unwrap_or_else(PoisonError::into_inner);
            rung.push(self.number);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_number_is_answered_once_however_often_it_is_rung_for() {
        let mut bells = Bells::default();
        bells.provide(3);
        let mut rung = Vec::new();
        bells.waker(2).wake_by_ref();
        bells.waker(1).wake_by_ref();
        bells.waker(2).wake_by_ref();
        bells.answer(&mut rung);
        assert_eq!(rung, [2, 1]);
        rung.clear();
        bells.answer(&mut rung);
        assert!(rung.is_empty());
        bells.waker(2).wake_by_ref();
        bells.answer(&mut rung);
        assert_eq!(rung, [2]);
    }
}
