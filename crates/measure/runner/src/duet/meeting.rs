//! Where one side of a duet waits for the other.

use crate::stop::Stop;
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::Duration;

/// How soon the user's wish to end is noticed.
const LOOK: Duration = Duration::from_millis(50);

/// One of the two sides of a duet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Side {
    First,
    Second,
}

impl Side {
    /// Both, in their order.
    pub const BOTH: [Self; 2] = [Self::First, Self::Second];

    fn other(self) -> Self {
        match self {
            Self::First => Self::Second,
            Self::Second => Self::First,
        }
    }
}

/// The other side will not come any more.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Gone;

/// A point where both sides wait for each other, again and again, until one leaves.
#[derive(Debug, Default)]
pub struct Meeting {
    sides: Mutex<[Seen; 2]>,
    changed: Condvar,
}

/// What is known of a side.
#[derive(Debug, Clone, Copy, Default)]
struct Seen {
    /// How often it has come.
    times: u32,
    has_gone: bool,
}

impl Meeting {
    /// Waits until the other side has come as often, or the user has had enough.
    pub fn come(&self, side: Side, stop: &Stop) -> Result<(), Gone> {
        let mut sides = self.sides.lock().unwrap_or_else(PoisonError::into_inner);
        sides[side as usize].times += 1;
        let times = sides[side as usize].times;
        self.changed.notify_all();
        loop {
            let other = sides[side.other() as usize];
            if other.times >= times || stop.is_set() {
                return Ok(());
            }
            if other.has_gone {
                return Err(Gone);
            }
            let waited = self.changed.wait_timeout(sides, LOOK);
            sides = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// This side comes no more.
    pub fn go(&self, side: Side) {
        let mut sides = self.sides.lock().unwrap_or_else(PoisonError::into_inner);
        sides[side as usize].has_gone = true;
        self.changed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nobody_goes_on_before_the_other_has_come() {
        let (meeting, stop) = (Meeting::default(), Stop::new());
        let at = Mutex::new(Vec::new());
        let side = |side: Side| {
            for round in 0..100 {
                at.lock().unwrap().push(round);
                assert_eq!(meeting.come(side, &stop), Ok(()));
            }
            meeting.go(side);
        };
        std::thread::scope(|scope| {
            scope.spawn(|| side(Side::First));
            side(Side::Second);
        });
        let rounds: Vec<_> = at.into_inner().unwrap();
        let expected: Vec<_> = (0..100).flat_map(|round| [round, round]).collect();
        assert_eq!(rounds, expected);
    }

    #[test]
    fn who_waits_is_told_that_the_other_has_gone() {
        let (meeting, stop) = (Meeting::default(), Stop::new());
        std::thread::scope(|scope| {
            let waits = scope.spawn(|| {
                let first = meeting.come(Side::First, &stop);
                (first, meeting.come(Side::First, &stop))
            });
            assert_eq!(meeting.come(Side::Second, &stop), Ok(()));
            meeting.go(Side::Second);
            // It has come to the first, and to no second one.
            assert_eq!(waits.join().unwrap(), (Ok(()), Err(Gone)));
        });
    }

    #[test]
    fn the_users_wish_ends_the_wait() {
        let (meeting, stop) = (Meeting::default(), Stop::new());
        std::thread::scope(|scope| {
            let waits = scope.spawn(|| meeting.come(Side::First, &stop));
            stop.set();
            assert_eq!(waits.join().unwrap(), Ok(()));
        });
    }
}
