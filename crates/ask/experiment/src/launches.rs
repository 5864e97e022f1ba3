//! How often each cell is launched: a number, or until the advice is decided.

use std::fmt;
use std::str::FromStr;

/// Launches of each cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Launches {
    /// This many.
    Fixed(u32),
    /// Until the advice is decided, and at most this many.
    Auto {
        /// The greatest number.
        most: u32,
    },
}

/// Number of launches at the first check. Five is the smallest number whose bootstrap interval of
/// the median has a coverage of 93.75 %.
const FIRST_LOOK: u32 = 5;
/// The next check comes when there are this many times as many launches. So checks are rare enough
/// that the error is not divided among many of them, and frequent enough that few launches are
/// wasted.
const NEXT_LOOK: f64 = 1.4;
/// The most launches of a cell by default; more are rarely worth the time.
const MOST: u32 = 20;
/// A larger number of launches is taken for a mistake.
const LARGEST: u32 = 10_000;

impl Launches {
    /// Without a number in the experiment: launches are made until the advice is decided.
    pub const DEFAULT: Self = Self::Auto { most: MOST };

    /// The greatest number of launches of a cell.
    #[must_use]
    pub fn most(self) -> u32 {
        match self {
            Self::Fixed(count) | Self::Auto { most: count } => count,
        }
    }

    /// The numbers of launches after which Tacho checks whether the advice is decided; empty for a
    /// fixed number.
    #[must_use]
    pub fn looks(self) -> Vec<u32> {
        let Self::Auto { most } = self else {
            return Vec::new();
        };
        let next = |look: &u32| Some((f64::from(*look) * NEXT_LOOK).round() as u32);
        let looks = std::iter::successors(Some(FIRST_LOOK), next);
        looks
            .take_while(|look| *look < most)
            .chain([most])
            .collect()
    }

    /// Limits `Auto` to this many launches, for commands that answer one question about two builds.
    #[must_use]
    pub fn at_most(self, most: u32) -> Self {
        match self {
            Self::Fixed(_) => self,
            Self::Auto { most: own } => Self::Auto {
                most: own.min(most),
            },
        }
    }

    /// A fixed number for commands that do not check in between: as many launches as at the first
    /// check.
    #[must_use]
    pub fn fixed(self) -> Self {
        match self {
            Self::Fixed(_) => self,
            Self::Auto { most } => Self::Fixed(most.min(FIRST_LOOK)),
        }
    }
}

impl fmt::Display for Launches {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Fixed(count) => write!(f, "{count}"),
            Self::Auto { most } => write!(f, "auto:{most}"),
        }
    }
}

impl FromStr for Launches {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let count = |text: &str| {
            let count = text.parse().ok();
            count.filter(|count| (1..=LARGEST).contains(count))
        };
        let read = match text.strip_prefix("auto") {
            Some("") => Some(Self::DEFAULT),
            Some(most) => most
                .strip_prefix(':')
                .and_then(count)
                .map(|most| Self::Auto { most }),
            None => count(text).map(Self::Fixed),
        };
        read.ok_or("must be a number from 1 to 10000, `auto`, or `auto:30` for at most 30")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_read_as_it_is_written() {
        for launches in [
            Launches::Fixed(7),
            Launches::Auto { most: 30 },
            Launches::DEFAULT,
        ] {
            assert_eq!(launches.to_string().parse(), Ok(launches));
        }
        assert_eq!("auto".parse(), Ok(Launches::DEFAULT));
        for wrong in ["", "0", "auto:", "auto:0", "auto 5", "10001", "-1", "many"] {
            assert!(wrong.parse::<Launches>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn looks_become_rarer_and_end_with_the_greatest_number() {
        assert_eq!(Launches::DEFAULT.looks(), [5, 7, 10, 14, 20]);
        assert_eq!(Launches::Auto { most: 6 }.looks(), [5, 6]);
        assert_eq!(Launches::Auto { most: 3 }.looks(), [3]);
        assert!(Launches::Fixed(9).looks().is_empty());
        assert_eq!(Launches::DEFAULT.fixed(), Launches::Fixed(5));
        assert_eq!(Launches::Fixed(9).fixed(), Launches::Fixed(9));
    }
}
