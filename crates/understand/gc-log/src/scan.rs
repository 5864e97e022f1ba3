//! Reading from left to right within one line, without an allocation.

/// What is left of a line.
#[derive(Debug, Clone, Copy)]
pub struct Scan<'a>(pub &'a [u8]);

impl<'a> Scan<'a> {
    /// Takes `text` when it is next.
    pub fn literal(&mut self, text: &[u8]) -> Option<()> {
        self.0 = self.0.strip_prefix(text)?;
        Some(())
    }

    /// Takes spaces, if any.
    pub fn spaces(&mut self) {
        while let [b' ', rest @ ..] = self.0 {
            self.0 = rest;
        }
    }

    /// Whether nothing but spaces is left.
    pub fn is_done(mut self) -> bool {
        self.spaces();
        self.0.is_empty()
    }

    /// Takes a whole number.
    pub fn number(&mut self) -> Option<u64> {
        let (value, rest) = digits(self.0)?;
        self.0 = rest;
        Some(value)
    }

    /// Takes a decimal number as millionths of its unit: `54.50` is 54,500,000. Further decimals
    /// are dropped.
    fn millionths(&mut self) -> Option<u64> {
        let whole = self.number()?.checked_mul(1_000_000)?;
        // Builds of older JVMs for some countries write a comma.
        let [b'.' | b',', rest @ ..] = self.0 else {
            return Some(whole);
        };
        let mut rest = rest;
        let mut fraction = 0;
        let mut worth = 100_000;
        let begin = rest;
        while let [digit @ b'0'..=b'9', tail @ ..] = rest {
            fraction += u64::from(digit - b'0') * worth;
            worth /= 10;
            rest = tail;
        }
        if rest.len() == begin.len() {
            return None;
        }
        self.0 = rest;
        whole.checked_add(fraction)
    }

    /// Takes a size: `411M`, `17294K`, `54.50M`, `0B`; bytes.
    pub fn size(&mut self) -> Option<u64> {
        let millionths = u128::from(self.millionths()?);
        let (unit, rest) = self.0.split_first()?;
        let factor: u128 = match unit {
            b'B' => 1,
            b'K' => 1 << 10,
            b'M' => 1 << 20,
            b'G' => 1 << 30,
            b'T' => 1 << 40,
            _ => return None,
        };
        self.0 = rest;
        // `64MB`, as native images and some settings write it.
        if *unit != b'B' {
            self.0 = rest.strip_prefix(b"B").unwrap_or(rest);
        }
        u64::try_from(millionths * factor / 1_000_000).ok()
    }

    /// Takes a duration: `11.751ms`, `0.023s`, `120 ns`, `0.0055645 secs`; nanoseconds.
    pub fn duration(&mut self) -> Option<u64> {
        let mut ahead = *self;
        let begin = ahead.0;
        let millionths = ahead.millionths()?;
        ahead.spaces();
        let (per_unit, unit): (u64, &[u8]) = if ahead.0.starts_with(b"ms") {
            (1_000_000, b"ms")
        } else if ahead.0.starts_with(b"ns") {
            (1, b"ns")
        } else if ahead.0.starts_with(b"us") {
            (1_000, b"us")
        } else if ahead.0.starts_with(b"secs") {
            (1_000_000_000, b"secs")
        } else if ahead.0.starts_with(b"s") {
            (1_000_000_000, b"s")
        } else {
            return None;
        };
        ahead.literal(unit)?;
        self.0 = ahead.0;
        if unit == b"secs" {
            return nanoseconds_of(begin);
        }
        u64::try_from(u128::from(millionths) * u128::from(per_unit) / 1_000_000).ok()
    }

    /// Takes `(...)` with whatever is nested in it, and returns the inside.
    pub fn parenthesis(&mut self) -> Option<&'a [u8]> {
        let inside = self.0.strip_prefix(b"(")?;
        let mut depth = 1;
        for (i, byte) in inside.iter().enumerate() {
            match byte {
                b'(' => depth += 1,
                b')' => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                self.0 = &inside[i + 1..];
                return Some(&inside[..i]);
            }
        }
        None
    }
}

/// `0.0055645`: seconds with more decimals than millionths.
pub fn nanoseconds_of(text: &[u8]) -> Option<u64> {
    let (whole, rest) = digits(text)?;
    let mut value = whole.checked_mul(1_000_000_000)?;
    let mut worth = 100_000_000;
    for digit in rest.get(1..)?.iter().take_while(|b| b.is_ascii_digit()) {
        value = value.checked_add(u64::from(digit - b'0') * worth)?;
        worth /= 10;
    }
    Some(value)
}

/// The whole number at the beginning, and what follows it.
pub fn digits(text: &[u8]) -> Option<(u64, &[u8])> {
    let mut value: u64 = 0;
    let mut rest = text;
    while let [digit @ b'0'..=b'9', tail @ ..] = rest {
        value = value
            .checked_mul(10)?
            .checked_add(u64::from(digit - b'0'))?;
        rest = tail;
    }
    (rest.len() < text.len()).then_some((value, rest))
}

/// A text of a line; a line whose texts are no UTF-8, or hold what no JVM writes there, is not
/// understood.
pub fn text(bytes: &[u8]) -> Option<&str> {
    std::str::from_utf8(bytes)
        .ok()
        .filter(|text| !text.contains(tacho_foreign::is_command))
}

#[cfg(test)]
mod tests {
    use super::Scan;

    #[test]
    fn sizes() {
        let size = |text: &str| Scan(text.as_bytes()).size();
        assert_eq!(size("411M"), Some(411 << 20));
        assert_eq!(size("54.50M"), Some((54 << 20) + (1 << 19)));
        assert_eq!(size("0B"), Some(0));
        assert_eq!(size("12"), None);
        assert_eq!(size("99999999999999999999M"), None);
    }

    #[test]
    fn durations() {
        let duration = |text: &str| Scan(text.as_bytes()).duration();
        assert_eq!(duration("11.751ms"), Some(11_751_000));
        assert_eq!(duration("0.023s"), Some(23_000_000));
        assert_eq!(duration("0.0055645 secs"), Some(5_564_500));
        assert_eq!(duration("0.0000000 secs"), Some(0));
        assert_eq!(duration("3980 ns"), Some(3980));
        assert_eq!(duration("11.751"), None);
        assert_eq!(duration("11.ms"), None);
    }

    #[test]
    fn nested_parentheses_are_one() {
        let mut scan = Scan(b"(System.gc()) 1M");
        assert_eq!(scan.parenthesis(), Some(b"System.gc()".as_slice()));
        assert_eq!(scan.0, b" 1M");
        assert_eq!(Scan(b"(open").parenthesis(), None);
    }
}
