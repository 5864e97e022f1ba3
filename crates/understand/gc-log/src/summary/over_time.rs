//! The heap and the pauses over time: stretches of equal length, at most 4,096, whose length
//! doubles when they are full. Each keeps its extremes, so that a thinned curve still touches them.

use super::{Bucket, milliseconds, seconds};
use crate::event::{HeapChange, Pause, PauseKind};

/// Stretches that are kept.
const MOST: usize = 4096;
/// Length to begin with: a millisecond, as exact as uptimes are.
const BEGIN: u64 = 1_000_000;

#[derive(Debug, Clone, Copy, Default)]
struct Stretch {
    before: Option<(u64, u64)>,
    after: Option<(u64, u64)>,
    capacity: Option<u64>,
    pauses: u64,
    pause: u64,
    longest: u64,
    full: u64,
    stalled: u64,
}

/// The curve in the making.
#[derive(Debug)]
pub struct OverTime {
    width: u64,
    stretches: Vec<Stretch>,
}

impl Default for OverTime {
    fn default() -> Self {
        Self {
            width: BEGIN,
            stretches: Vec::new(),
        }
    }
}

impl OverTime {
    pub fn pause(&mut self, now: Option<u64>, pause: &Pause<'_>) {
        if let Some(heap) = pause.heap {
            self.heap(now, &heap);
        }
        let Some(stretch) = self.at(now) else { return };
        stretch.pauses += 1;
        stretch.pause += pause.duration;
        stretch.longest = stretch.longest.max(pause.duration);
        stretch.full += u64::from(matches!(
            pause.kind,
            PauseKind::Full | PauseKind::RoutineFull | PauseKind::Degenerated
        ));
    }

    pub fn heap(&mut self, now: Option<u64>, heap: &HeapChange) {
        let Some(stretch) = self.at(now) else { return };
        widen(&mut stretch.before, heap.before);
        widen(&mut stretch.after, heap.after);
        stretch.capacity = stretch.capacity.max(heap.capacity);
    }

    pub fn capacity(&mut self, now: Option<u64>, bytes: u64) {
        if let Some(stretch) = self.at(now) {
            stretch.capacity = stretch.capacity.max(Some(bytes));
        }
    }

    pub fn stall(&mut self, now: Option<u64>, duration: u64) {
        if let Some(stretch) = self.at(now) {
            stretch.stalled += duration;
        }
    }

    fn at(&mut self, now: Option<u64>) -> Option<&mut Stretch> {
        let now = now?;
        while now / self.width >= MOST as u64 {
            self.halve();
        }
        let place = usize::try_from(now / self.width).ok()?;
        if place >= self.stretches.len() {
            self.stretches.resize(place + 1, Stretch::default());
        }
        self.stretches.get_mut(place)
    }

    fn halve(&mut self) {
        self.width *= 2;
        for i in 0..self.stretches.len().div_ceil(2) {
            let second = self.stretches.get(2 * i + 1).copied().unwrap_or_default();
            self.stretches[i] = together(self.stretches[2 * i], second);
        }
        self.stretches.truncate(self.stretches.len().div_ceil(2));
    }

    pub fn finish(&self) -> (Vec<Bucket>, f64) {
        let buckets = self
            .stretches
            .iter()
            .zip(0_u64..)
            .filter(|(stretch, _)| stretch.is_used())
            .map(|(stretch, i)| Bucket {
                at_s: seconds(i * self.width),
                before: stretch.before,
                after: stretch.after,
                capacity_bytes: stretch.capacity,
                pauses: stretch.pauses,
                pause_ms: milliseconds(stretch.pause),
                max_pause_ms: milliseconds(stretch.longest),
                full: stretch.full,
                stall_ms: milliseconds(stretch.stalled),
            });
        (buckets.collect(), seconds(self.width))
    }
}

impl Stretch {
    fn is_used(&self) -> bool {
        self.before.is_some() || self.pauses > 0 || self.stalled > 0 || self.capacity.is_some()
    }
}

fn together(a: Stretch, b: Stretch) -> Stretch {
    let mut sum = a;
    for (low, high) in b.before.into_iter() {
        widen(&mut sum.before, low);
        widen(&mut sum.before, high);
    }
    for (low, high) in b.after.into_iter() {
        widen(&mut sum.after, low);
        widen(&mut sum.after, high);
    }
    Stretch {
        capacity: a.capacity.max(b.capacity),
        pauses: a.pauses + b.pauses,
        pause: a.pause + b.pause,
        longest: a.longest.max(b.longest),
        full: a.full + b.full,
        stalled: a.stalled + b.stalled,
        ..sum
    }
}

fn widen(range: &mut Option<(u64, u64)>, value: u64) {
    *range = Some(match *range {
        Some((low, high)) => (low.min(value), high.max(value)),
        None => (value, value),
    });
}

#[cfg(test)]
mod tests {
    use super::{HeapChange, MOST, OverTime};

    #[test]
    fn however_long_it_is_the_extremes_are_kept() {
        let mut curve = OverTime::default();
        for second in 0..100_000_u64 {
            let used = if second == 77_777 {
                999
            } else {
                10 + second % 7
            };
            let heap = HeapChange {
                before: used,
                after: 3,
                capacity: Some(1000),
            };
            curve.heap(Some(second * 1_000_000_000), &heap);
        }
        let (buckets, width) = curve.finish();
        assert!(buckets.len() <= MOST);
        let peak = buckets.iter().max_by_key(|b| b.before.unwrap().1).unwrap();
        assert_eq!(peak.before.unwrap().1, 999);
        assert!(peak.at_s <= 77_777.0 && 77_777.0 < peak.at_s + width);
        assert!(buckets.iter().all(|b| b.before.unwrap().0 >= 10));
    }
}
