//! One axis of time for a whole log: nanoseconds since its first line.

use super::{LineOrder, Time, seconds};
use crate::decorations::At;

/// The uptime of lines that threads write at the same time may fall by a little; by more than this
/// it is another JVM's.
const RESTART: u64 = 1_000_000_000;
/// The most starts of JVMs that are remembered. A log that was collected from several pods hardly
/// holds more.
const MOST_BEGINS: usize = 64;
/// Two begins that are further apart are of two JVMs, in milliseconds: the clock on the wall is put
/// right now and then.
const ANOTHER_BEGIN: i64 = 2_000;
/// Lines may go back in time fewer times than this by chance.
const FEW: u64 = 3;
/// Instants of lines are no more exact than this, in nanoseconds.
const EXACT: u64 = 1_000_000;

/// The axis of a log, across restarts of the JVM.
#[derive(Debug, Default)]
pub struct Clock {
    /// Of the first line, on its own clock.
    first: Option<u64>,
    /// Added to the instants of this JVM: what those before it took.
    offset: u64,
    /// The first of this JVM.
    begin: u64,
    /// The latest of this JVM.
    latest: u64,
    began: Option<i64>,
    /// Another JVM writes the next line, whatever its uptime says.
    is_another: bool,
    /// How often another JVM began.
    pub restarts: u64,
    /// The earliest and the latest instant on the wall.
    walls: Option<(i64, i64)>,
    /// The same of the clock that instants are taken from.
    instants: Option<(u64, u64)>,
    steps: Steps,
}

/// Whether the lines follow each other as one JVM after the other writes them.
#[derive(Debug, Default)]
struct Steps {
    before: Option<u64>,
    /// Lines that are earlier than the one before, and later.
    back: u64,
    forth: u64,
    /// How often the time fell to an instant at which no JVM begins.
    falls: u64,
    /// Begins of JVMs, as both clocks of a line tell them.
    begins: Vec<i64>,
    current: usize,
    /// How often an earlier JVM came back.
    returns: u64,
}

impl Steps {
    fn take(&mut self, at: At, instant: u64) {
        if let Some(before) = self.before.replace(instant) {
            self.back += u64::from(instant < before);
            self.forth += u64::from(instant > before);
            let is_fall = instant.saturating_add(RESTART) < before;
            self.falls += u64::from(is_fall && instant > before / 2);
        }
        if let (Some(wall), Some(uptime)) = (at.wall, at.uptime) {
            let uptime = i64::try_from(uptime / 1_000_000).unwrap_or(i64::MAX);
            self.of_jvm(wall.saturating_sub(uptime));
        }
    }

    /// Takes the begin of the JVM that wrote a line.
    fn of_jvm(&mut self, begin: i64) {
        let is_it = |known: &i64| known.abs_diff(begin) <= ANOTHER_BEGIN.unsigned_abs();
        match self.begins.iter().position(is_it) {
            // The clocks drift apart, slowly.
            Some(known) => {
                self.begins[known] = begin;
                self.returns += u64::from(known < self.current);
                self.current = known;
            }
            None if self.begins.len() < MOST_BEGINS => {
                self.current = self.begins.len();
                self.begins.push(begin);
            }
            None => {}
        }
    }

    fn order(&self) -> LineOrder {
        if self.falls < FEW && self.returns < FEW {
            LineOrder::Forward
        } else if self.returns < FEW && self.forth.saturating_mul(10) < self.back {
            LineOrder::Backward
        } else {
            LineOrder::Mixed
        }
    }
}

impl Clock {
    /// The instant of a line on the axis; `None` when the line says none.
    pub fn take(&mut self, at: At) -> Option<u64> {
        if self.began.is_none() {
            self.began = at.wall;
        }
        let instant = at.uptime.or_else(|| {
            let millis = u64::try_from(at.wall?).ok()?;
            millis.checked_mul(1_000_000)
        })?;
        self.steps.take(at, instant);
        if let Some(wall) = at.wall {
            let (first, last) = self.walls.unwrap_or((wall, wall));
            self.walls = Some((first.min(wall), last.max(wall)));
        }
        let (least, most) = self.instants.unwrap_or((instant, instant));
        self.instants = Some((least.min(instant), most.max(instant)));
        if self.first.is_none() {
            self.first = Some(instant);
            self.begin = instant;
            self.latest = instant;
        }
        let is_another = std::mem::take(&mut self.is_another);
        if instant.saturating_add(RESTART) < self.latest {
            // What the new JVM took until its first line belongs to the time as well.
            self.offset = self.offset.saturating_add(self.latest - self.begin);
            self.begin = if at.uptime.is_some() { 0 } else { instant };
            self.latest = instant;
            self.restarts += 1;
        } else if is_another {
            // Its own begin is missing: what lies between the two is not covered.
            self.offset = self.offset.saturating_add(self.latest - self.begin);
            self.begin = instant;
            self.latest = instant;
            self.restarts += 1;
        }
        self.latest = self.latest.max(instant);
        Some(
            self.offset
                .saturating_add(instant.saturating_sub(self.begin)),
        )
    }

    /// A pause that ended at this instant of the axis may have begun before the first line of its
    /// JVM, in a log whose beginning is missing. Then the log covers its beginning, too, and the
    /// instant moves on by what was missing.
    pub fn cover(&mut self, pause: u64, now: u64) -> u64 {
        let missing = pause.saturating_sub(now.saturating_sub(self.offset));
        if missing < EXACT {
            return now;
        }
        self.offset = self.offset.saturating_add(missing);
        now.saturating_add(missing)
    }

    /// The numbers of collections fell: another JVM writes from the next line on.
    pub fn restart(&mut self) {
        self.is_another = true;
    }

    /// Whether the lines follow each other.
    pub fn order(&self) -> LineOrder {
        self.steps.order()
    }

    /// JVMs that the lines tell apart by when they began; 0 when they have not both clocks.
    pub fn jvms(&self) -> usize {
        self.steps.begins.len()
    }

    /// What the lines cover, without what lies between two JVMs; `None` when no line says an
    /// instant.
    pub fn duration(&self) -> Option<u64> {
        let (least, most) = self.instants?;
        match self.order() {
            LineOrder::Forward => Some(self.offset.saturating_add(self.latest - self.begin)),
            LineOrder::Backward => Some(most - least),
            LineOrder::Mixed => self.span().or(Some(most - least)),
        }
    }

    /// From the earliest instant on the wall to the latest.
    fn span(&self) -> Option<u64> {
        let (first, last) = self.walls?;
        first.abs_diff(last).checked_mul(1_000_000)
    }

    /// In words that are written.
    pub fn finish(&self) -> Option<Time> {
        Some(Time {
            first_s: seconds(self.first?),
            duration_s: seconds(self.duration()?),
            began: self
                .began
                .and_then(|ms| jiff::Timestamp::from_millisecond(ms).ok())
                .map(|at| at.to_string()),
            span_s: self.span().map(seconds),
            order: self.order(),
            restarts: match self.order() {
                LineOrder::Forward => self.restarts,
                LineOrder::Backward | LineOrder::Mixed => 0,
            },
        })
    }
}

#[cfg(test)]
mod tests {
    use super::{At, Clock, LineOrder};

    fn uptime(seconds: u64) -> At {
        At {
            uptime: Some(seconds * 1_000_000_000),
            wall: None,
        }
    }

    #[test]
    fn a_fall_of_the_uptime_is_a_restart() {
        let mut clock = Clock::default();
        assert_eq!(clock.take(uptime(10)), Some(0));
        assert_eq!(clock.take(uptime(30)), Some(20_000_000_000));
        assert_eq!(clock.take(uptime(2)), Some(22_000_000_000));
        assert_eq!(clock.restarts, 1);
        assert_eq!(clock.duration(), Some(22_000_000_000));
    }

    #[test]
    fn another_jvm_whose_begin_is_missing_covers_what_it_has() {
        let mut clock = Clock::default();
        clock.take(uptime(10));
        clock.take(uptime(30));
        clock.restart();
        assert_eq!(clock.take(uptime(500)), Some(20_000_000_000));
        assert_eq!(clock.take(uptime(501)), Some(21_000_000_000));
        assert_eq!(
            (clock.restarts, clock.duration()),
            (1, Some(21_000_000_000))
        );
    }

    #[test]
    fn a_pause_that_began_before_the_first_line_is_covered_whole() {
        let mut clock = Clock::default();
        let now = clock.take(uptime(10)).unwrap();
        assert_eq!(clock.cover(3_000_000_000, now), 3_000_000_000);
        let now = clock.take(uptime(14)).unwrap();
        assert_eq!(now, 7_000_000_000);
        assert_eq!(clock.cover(2_000_000_000, now), now);
        assert_eq!(clock.duration(), Some(7_000_000_000));
    }

    #[test]
    fn what_is_within_the_exactness_of_instants_is_not_missing() {
        let mut clock = Clock::default();
        let now = clock.take(uptime(10)).unwrap();
        assert_eq!(clock.cover(900_000, now), 0);
        assert_eq!(clock.duration(), Some(0));
    }

    fn both(wall: i64, uptime: u64) -> At {
        At {
            uptime: Some(uptime * 1_000_000_000),
            wall: Some(wall * 1_000),
        }
    }

    #[test]
    fn an_export_with_the_newest_line_first() {
        let mut clock = Clock::default();
        for seconds in (0..20).rev() {
            clock.take(uptime(seconds * 5));
        }
        assert_eq!(clock.order(), LineOrder::Backward);
        let time = clock.finish().unwrap();
        assert_eq!((time.restarts, time.duration_s), (0, 95.0));
    }

    #[test]
    fn two_jvms_line_by_line() {
        let mut clock = Clock::default();
        for second in 0..20 {
            clock.take(both(1_000 + 5 * second, 5 * second as u64));
            clock.take(both(1_003 + 5 * second, 800 + 5 * second as u64));
        }
        assert_eq!((clock.order(), clock.jvms()), (LineOrder::Mixed, 2));
        let time = clock.finish().unwrap();
        assert_eq!((time.restarts, time.duration_s), (0, 98.0));
    }

    #[test]
    fn restarts_one_after_the_other_are_in_order() {
        let mut clock = Clock::default();
        for begin in [1_000, 2_000, 3_000, 4_000, 5_000] {
            for second in 0..20 {
                clock.take(both(begin + second, second as u64));
            }
        }
        assert_eq!(clock.order(), LineOrder::Forward);
        let time = clock.finish().unwrap();
        assert_eq!((time.restarts, time.span_s), (4, Some(4_019.0)));
    }

    #[test]
    fn threads_that_write_at_the_same_time_are_no_restart() {
        let mut clock = Clock::default();
        clock.take(uptime(30));
        let before = At {
            uptime: Some(29_999_000_000),
            wall: None,
        };
        assert_eq!(clock.take(before), Some(0));
        assert_eq!(clock.restarts, 0);
    }
}
