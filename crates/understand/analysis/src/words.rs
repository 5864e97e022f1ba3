//! Numbers as people read them.

/// `850 ms`, `1.25 s`, `0.42 ms`: three digits.
#[must_use]
pub fn duration_ms(ms: f64) -> String {
    if ms >= 1000.0 {
        return format!("{} s", digits(ms / 1e3));
    }
    format!("{} ms", digits(ms))
}

/// `75 s`, `4.8 min`, `2.1 h`: how long somebody waits.
#[must_use]
pub fn waiting(seconds: f64) -> String {
    match seconds {
        s if s < 100.0 => format!("{s:.0} s"),
        s if s < 6000.0 => format!("{} min", digits((s / 6.0).round() / 10.0)),
        s => format!("{} h", digits((s / 360.0).round() / 10.0)),
    }
}

/// `512 KiB`, `84.3 MiB`.
#[must_use]
pub fn bytes(bytes: f64) -> String {
    let units = ["B", "KiB", "MiB", "GiB", "TiB"];
    let mut value = bytes;
    let mut unit = 0;
    while value.abs() >= 1024.0 && unit + 1 < units.len() {
        value /= 1024.0;
        unit += 1;
    }
    format!("{} {}", digits(value), units[unit])
}

/// `12 %`, `0.4 %`, of a fraction.
#[must_use]
pub fn percent(fraction: f64) -> String {
    let percent = fraction * 100.0;
    if percent == 0.0 || percent.abs() >= 10.0 {
        return format!("{percent:.0} %");
    }
    if percent.abs() >= 0.1 {
        let text = format!("{percent:.1}");
        return format!("{} %", text.trim_end_matches(".0"));
    }
    format!("{percent:.3} %")
}

/// `40,000`: rounded to two digits, for numbers that are no more certain than that.
#[must_use]
pub fn about(count: f64) -> String {
    if count < 10.0 {
        return format!("{count:.0}");
    }
    let scale = 10f64.powf(count.log10().floor() - 1.0);
    thousands(((count / scale).round() * scale).round() as u64)
}

/// `1,234,567`
#[must_use]
pub fn thousands(count: u64) -> String {
    let plain = count.to_string();
    let mut text = String::new();
    for (i, digit) in plain.chars().enumerate() {
        if i > 0 && (plain.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// `1 launch`, `3 launches`.
#[must_use]
pub fn launches(count: usize) -> String {
    match count {
        1 => "1 launch".to_owned(),
        n => format!("{} launches", thousands(n as u64)),
    }
}

/// `1.2`, `13.4`, `134`: three digits, no trailing zeros after the point.
#[must_use]
pub fn digits(value: f64) -> String {
    let size = value.abs();
    let decimals = match size {
        s if s >= 99.95 => 0,
        s if s >= 9.995 => 1,
        s if s >= 0.0995 || s == 0.0 => 2,
        _ => 4,
    };
    let text = format!("{value:.decimals$}");
    if text.contains('.') {
        return text.trim_end_matches('0').trim_end_matches('.').to_owned();
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_as_people_read_them() {
        let durations =
            [0.0004, 0.42, 13.37, 99.99, 850.0, 999.4, 1250.0, 60_000.0].map(duration_ms);
        assert_eq!(
            durations,
            [
                "0.0004 ms",
                "0.42 ms",
                "13.4 ms",
                "100 ms",
                "850 ms",
                "999 ms",
                "1.25 s",
                "60 s"
            ]
        );
        assert_eq!(
            [59.6, 288.0, 660.0, 7560.0].map(waiting),
            ["60 s", "4.8 min", "11 min", "2.1 h"]
        );
        let sizes = [0.0, 512.0, 524_288.0, 88_395_000.0].map(bytes);
        assert_eq!(sizes, ["0 B", "512 B", "512 KiB", "84.3 MiB"]);
        let shares = [0.0, 0.000_01, 0.004, 0.05, 0.126].map(percent);
        assert_eq!(shares, ["0 %", "0.001 %", "0.4 %", "5 %", "13 %"]);
        let counts = [0.0, 7.3, 42.4, 39_500.0, 1_234_567.0].map(about);
        assert_eq!(counts, ["0", "7", "42", "40,000", "1,200,000"]);
        assert_eq!(
            [1, 999, 1000, 1_234_567].map(thousands),
            ["1", "999", "1,000", "1,234,567"]
        );
    }
}
