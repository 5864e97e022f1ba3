//! Which status codes a response assertion accepts. JMeter compares codes as texts, with patterns.
//! There are few enough codes to try each.

/// The codes that HTTP has (RFC 9110, 15).
const FIRST: u16 = 100;
const LAST: u16 = 599;

/// A set of status codes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Codes {
    codes: Vec<u16>,
}

impl Codes {
    pub fn that(accept: impl Fn(&str) -> bool) -> Self {
        Self {
            codes: (FIRST..=LAST)
                .filter(|code| accept(&code.to_string()))
                .collect(),
        }
    }

    pub fn any() -> Self {
        Self::that(|_| true)
    }

    /// What counts as success when nothing is said.
    pub fn usual() -> Self {
        Self::that(|code| code < "400")
    }

    pub fn and(&self, other: &Self) -> Self {
        Self {
            codes: self
                .codes
                .iter()
                .copied()
                .filter(|code| other.codes.binary_search(code).is_ok())
                .collect(),
        }
    }

    pub fn is_empty(&self) -> bool {
        self.codes.is_empty()
    }

    /// As ranges, bounds included.
    pub fn ranges(&self) -> Vec<(u16, u16)> {
        let mut ranges: Vec<(u16, u16)> = Vec::new();
        for &code in &self.codes {
            match ranges.last_mut() {
                Some((_, last)) if *last + 1 == code => *last = code,
                _ => ranges.push((code, code)),
            }
        }
        ranges
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_become_ranges() {
        let codes = Codes::that(|code| code == "200" || code == "201" || code.starts_with('4'));
        assert_eq!(codes.ranges(), [(200, 201), (400, 499)]);
        assert_eq!(codes.and(&Codes::usual()).ranges(), [(200, 201)]);
        assert_eq!(Codes::any().ranges(), [(100, 599)]);
        assert!(Codes::that(|_| false).is_empty());
    }
}
