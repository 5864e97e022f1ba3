//! A load that several generators share: which of its requests and connections are one's own.

use std::num::NonZeroU32;

/// Each `of`-th request and connection of a load, from `nth` on: what one of several generators
/// does of it. What request `n` sends and when is a function of the load and of `n` alone, so that
/// all parts together are the load, whatever their number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Part {
    nth: u32,
    of: NonZeroU32,
}

impl Part {
    /// All of it.
    pub const WHOLE: Self = Self {
        nth: 0,
        of: NonZeroU32::MIN,
    };

    /// The `nth` part, from 0, of so many; `None` when there are not so many.
    #[must_use]
    pub fn new(nth: u32, of: u32) -> Option<Self> {
        let of = NonZeroU32::new(of)?;
        (nth < of.get()).then_some(Self { nth, of })
    }

    /// Its place among the parts, from 0.
    #[must_use]
    pub fn nth(self) -> u32 {
        self.nth
    }

    /// How many parts there are.
    #[must_use]
    pub fn of(self) -> u32 {
        self.of.get()
    }

    /// The place in the whole of its own request or connection `n`.
    #[inline]
    #[must_use]
    pub fn overall(self, n: u64) -> u64 {
        n.saturating_mul(self.of().into())
            .saturating_add(self.nth.into())
    }

    /// How many of so many requests or connections are its own.
    #[must_use]
    pub fn count(self, all: u64) -> u64 {
        all.saturating_sub(self.nth.into())
            .div_ceil(self.of().into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn all_parts_together_are_the_whole(of in 1u32..20, all in 0u64..500) {
            let parts: Vec<Part> = (0..of).filter_map(|nth| Part::new(nth, of)).collect();
            let mut own: Vec<u64> = parts
                .iter()
                .flat_map(|part| (0..part.count(all)).map(|n| part.overall(n)))
                .collect();
            own.sort_unstable();
            prop_assert!(own.into_iter().eq(0..all));
        }
    }

    #[test]
    fn there_is_no_part_beyond_the_last() {
        assert_eq!(Part::new(0, 1), Some(Part::WHOLE));
        assert_eq!(Part::new(3, 3), None);
        assert_eq!(Part::new(0, 0), None);
        assert_eq!(Part::WHOLE.count(u64::MAX), u64::MAX);
    }
}
