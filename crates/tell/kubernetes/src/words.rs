//! Numbers as the sentences have them.

use tacho_figures::counted;

/// Below this probability, a model based on a few launches says nothing.
const RAREST: f64 = 1e-6;

/// `4.13 s`, `24 s`, `3 min`.
pub(crate) fn seconds(value: f64) -> String {
    match value {
        v if v < 10.0 => tacho_figures::seconds(v),
        v => tacho_figures::waiting(v),
    }
}

/// `1 in 12,000`, rounded so that it never understates the probability. `43 %` if it is common.
/// `less than 1 in a million` if it is too rare for the model.
pub(crate) fn one_in(probability: f64) -> String {
    if probability < RAREST {
        return "less than 1 in a million".to_owned();
    }
    if probability > 0.1 {
        return format!("{:.0} %", (probability * 100.0).ceil());
    }
    let count = 1.0 / probability;
    // Round down to two digits. The tiny factor keeps exact values such as 1e-4 unchanged.
    let scale = 10f64.powf(count.log10().floor() - 1.0);
    let floor = ((count / scale) * (1.0 + 1e-9)).floor() * scale;
    format!("1 in {}", tacho_figures::count(floor.round() as u64))
}

/// `1 pod`, `3 pods`.
pub(crate) fn pods(count: u32) -> String {
    counted(count.into(), "1 pod", "pods")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn probabilities_are_never_made_smaller() {
        let shown = [1.0, 0.431, 0.1, 0.03, 1e-4, 8.1e-5, 1.01e-6, 9e-7].map(one_in);
        let expected = [
            "100 %",
            "44 %",
            "1 in 10",
            "1 in 33",
            "1 in 10,000",
            "1 in 12,000",
            "1 in 990,000",
            "less than 1 in a million",
        ];
        assert_eq!(shown, expected);
    }

    #[test]
    fn times() {
        assert_eq!(
            [0.05, 4.13, 24.4, 130.0].map(seconds),
            ["50 ms", "4.13 s", "24 s", "2.2 min"]
        );
    }
}
