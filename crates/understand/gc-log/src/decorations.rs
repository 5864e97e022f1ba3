//! What stands before the message: `[0.611s][info][gc,start    ] `.
//!
//! Which decorations there are is the user's choice (`-Xlog:gc*:file:time,uptime,pid,...`); their
//! order is fixed. See "Decorations" in the manual of `java`, `-Xlog`.

use crate::scan::{Scan, digits};

/// When a line was written. Which of the two clocks is there is the choice of who set up the log.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct At {
    /// Nanoseconds since the JVM began (or, with `timenanos` alone, since the machine did).
    pub uptime: Option<u64>,
    /// Milliseconds since 1970.
    pub wall: Option<i64>,
}

/// Everything before the message that is of use.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Decorations<'a> {
    /// Uptime or wall clock, as far as the decorations say.
    pub at: At,
    /// Tags of the line, such as `gc` or `gc,start`; none where it is decorated without.
    pub tags: Option<&'a [u8]>,
    /// The level is below `info`.
    pub is_debug: bool,
}

/// Groups that are looked at: there are twelve decorators.
const MOST: usize = 12;

/// Milliseconds above which a number is a wall clock: no JVM has run for 30 years.
const WALL_MILLIS: u64 = 1_000_000_000_000;

/// Splits a line. Without decorations the whole line is the message.
pub fn split(line: &[u8]) -> (Option<Decorations<'_>>, &[u8]) {
    let mut found = Decorations::default();
    let mut known = false;
    let mut rest = line;
    for _ in 0..MOST {
        let [b'[', inside @ ..] = rest else { break };
        let Some(end) = memchr::memchr(b']', inside) else {
            break;
        };
        let group = &inside[..end];
        match take(&mut found, group) {
            Taken::Known => known = true,
            // A host name, a process, a thread: only beside others.
            Taken::Other if known || inside.get(end + 1) == Some(&b'[') => {}
            Taken::Other => break,
        }
        rest = &inside[end + 1..];
    }
    if !known {
        return (None, line);
    }
    (Some(found), rest.strip_prefix(b" ").unwrap_or(rest))
}

enum Taken {
    Known,
    Other,
}

fn take<'a>(found: &mut Decorations<'a>, group: &'a [u8]) -> Taken {
    let taken = match group.first() {
        Some(b'0'..=b'9') => number(found, group),
        Some(b'a'..=b'z') => word(found, group),
        _ => None,
    };
    taken.map_or(Taken::Other, |()| Taken::Known)
}

/// `0.611s`, `611ms`, `99072569ns`, `2026-11-22T07:32:45.546+0000`.
fn number(found: &mut Decorations<'_>, group: &[u8]) -> Option<()> {
    if group.get(4) == Some(&b'-') {
        found.at.wall = Some(iso(group)?);
        return Some(());
    }
    let (value, rest) = digits(group)?;
    match rest {
        b"ms" if value >= WALL_MILLIS => found.at.wall = Some(i64::try_from(value).ok()?),
        b"ms" => found.at.uptime = Some(value.checked_mul(1_000_000)?),
        // Of two, the second is the uptime (`timenanos` stands before `uptimenanos`).
        b"ns" => found.at.uptime = Some(value),
        _ => {
            let mut scan = Scan(group);
            let nanoseconds = scan.duration()?;
            if !scan.0.is_empty() || !group.ends_with(b"s") {
                return None;
            }
            found.at.uptime = Some(nanoseconds);
        }
    }
    Some(())
}

/// A level, or tags; both are padded with spaces.
fn word<'a>(found: &mut Decorations<'a>, group: &'a [u8]) -> Option<()> {
    let word = group.trim_ascii_end();
    match word {
        b"info" | b"warning" | b"error" => return Some(()),
        b"debug" | b"trace" => {
            found.is_debug = true;
            return Some(());
        }
        _ => {}
    }
    let is_tags = word
        .iter()
        .all(|b| b.is_ascii_lowercase() || *b == b',')
        .then_some(());
    is_tags?;
    // Of a host name and tags, the last are the tags; a word alone may be anything but these.
    found.tags = Some(word);
    let known = word.starts_with(b"gc") || word.starts_with(b"safepoint");
    (known || found.at != At::default() || found.is_debug).then_some(())
}

/// Milliseconds since 1970 of `2026-11-22T07:32:45.546+0000`, as HotSpot writes it.
pub fn iso(text: &[u8]) -> Option<i64> {
    let field = |from: usize, to: usize| {
        let (value, rest) = digits(text.get(from..to)?)?;
        rest.is_empty().then_some(())?;
        i64::try_from(value).ok()
    };
    for (place, mark) in [(4, b'-'), (7, b'-'), (10, b'T'), (13, b':'), (16, b':')] {
        if text.get(place) != Some(&mark) {
            return None;
        }
    }
    let (year, month, day) = (field(0, 4)?, field(5, 7)?, field(8, 10)?);
    if !(1..=12).contains(&month) || !(1..=31).contains(&day) {
        return None;
    }
    let seconds = field(11, 13)? * 3600 + field(14, 16)? * 60 + field(17, 19)?;
    let (millis, zone) = if matches!(text.get(19), Some(b'.' | b',')) {
        (field(20, 23)?, 23)
    } else {
        (0, 19)
    };
    let offset = match text.get(zone) {
        Some(sign @ (b'+' | b'-')) => {
            let minutes = field(zone + 1, zone + 3)? * 60 + field(zone + 3, zone + 5)?;
            if *sign == b'+' { minutes } else { -minutes }
        }
        _ => 0,
    };
    Some((days(year, month, day) * 86_400 + seconds - offset * 60) * 1000 + millis)
}

/// Days since 1970 of a date of the Gregorian calendar: years begin in March here, so that the leap
/// day is the last.
fn days(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let year_of_era = year.rem_euclid(400);
    let day_of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    era * 146_097 + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year - 719_468
}

#[cfg(test)]
mod tests {
    use super::{At, Decorations, split};

    fn decorations(line: &str) -> (Option<Decorations<'_>>, &str) {
        let (found, message) = split(line.as_bytes());
        (found, std::str::from_utf8(message).unwrap())
    }

    #[test]
    fn those_that_are_usual() {
        let (found, message) = decorations("[0.611s][info][gc,start    ] GC(0) Pause");
        let found = found.unwrap();
        assert_eq!(found.at.uptime, Some(611_000_000));
        assert_eq!(found.tags, Some(b"gc,start".as_slice()));
        assert_eq!(message, "GC(0) Pause");
    }

    #[test]
    fn all_that_there_are() {
        let line = "[2026-11-22T07:32:45.637+0000][2026-11-22T07:32:45.637+0000][0.099s][1795332765637ms][99ms]\
                    [37280340943289ns][99072569ns][vm][29203][29211][info][gc] GC(0) x";
        let (found, message) = decorations(line);
        let found = found.unwrap();
        assert_eq!(found.at.uptime, Some(99_072_569));
        assert_eq!(found.at.wall, Some(1_795_332_765_637));
        assert_eq!(found.tags, Some(b"gc".as_slice()));
        assert_eq!(message, "GC(0) x");
    }

    #[test]
    fn the_wall_clock_has_a_zone() {
        let at = |line| decorations(line).0.unwrap().at.wall.unwrap();
        let utc = at("[2026-11-22T07:32:45.637+0000] GC(0) x");
        assert_eq!(utc, 1_795_332_765_637);
        assert_eq!(at("[2026-11-22T09:02:45.637+0130] GC(0) x"), utc);
        assert_eq!(at("[2024-02-29T00:00:00.000+0000] x"), 1_709_164_800_000);
    }

    #[test]
    fn a_line_without() {
        for line in [
            "GC(0) Pause",
            "[INFO] Starting",
            "[main] hello",
            "[",
            "",
            "[x",
        ] {
            assert_eq!(decorations(line), (None, line));
        }
        let at = decorations("[17ms] GC(0) x").0.unwrap().at;
        assert_eq!(
            at,
            At {
                uptime: Some(17_000_000),
                wall: None
            }
        );
    }
}
