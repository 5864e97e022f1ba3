//! What people write on a command line and into an experiment.

use crate::with_text;
use std::path::Path;
use tacho_load_report::Check;
use tacho_quantity::{
    Bytes, Count, Cpus, Duration, Factor, QuantityError, Rate, RateOrNone, Share, objectives,
};
use tacho_run_folder::{Objective, Quantiles};

/// What is understood is printed as the same value.
pub fn quantity(text: &str) {
    fn again<T>(text: &str)
    where
        T: std::str::FromStr<Err = QuantityError> + std::fmt::Display + PartialEq + std::fmt::Debug,
    {
        if let Ok(value) = text.parse::<T>() {
            let printed = value.to_string();
            assert_eq!(printed.parse::<T>(), Ok(value), "{printed}");
        }
    }
    again::<Bytes>(text);
    again::<Count>(text);
    again::<Cpus>(text);
    again::<Duration>(text);
    again::<Factor>(text);
    again::<Rate>(text);
    again::<RateOrNone>(text);
    again::<Share>(text);
    for text in objectives(text) {
        if let Ok(objective) = text.parse::<tacho_quantity::Objective>() {
            let printed = objective.to_string();
            assert_eq!(printed.parse().as_ref(), Ok(&objective), "{printed}");
        }
    }
}

/// What is understood says the same again, and shorter times never hold less.
pub fn objective(text: &str) {
    let Ok(objective) = text.parse::<Objective>() else {
        return;
    };
    let again: Objective = match objective.to_string().parse() {
        Ok(again) => again,
        Err(error) => panic!("as it writes itself it is not understood: {error}"),
    };
    assert_eq!(objective, again);
    assert!((0.0..=1.0).contains(&objective.errors_allowed()));
    let all = |ms: f64| Quantiles {
        count: 1,
        min: ms,
        mean: ms,
        p50: ms,
        p90: ms,
        p95: ms,
        p99: ms,
        p99_9: ms,
        max: ms,
    };
    let holds = |ms| objective.holds(Some(&all(ms)), 0.0);
    assert!(!holds(f64::INFINITY), "beyond all bounds it held");
    // `errors<0%` allows nothing at all.
    let held = [0.0, 1e-6, 1.0, 1e3, 1e9].map(holds);
    assert!(
        held.is_sorted_by_key(|held| !held),
        "a longer time held where a shorter one did not"
    );
    assert!(!objective.holds(None, 0.0));
}

/// What is understood says the same again.
pub fn check(text: &str) {
    if let Ok(check) = Check::parse(text) {
        assert_eq!(Check::parse(&check.text).as_ref(), Ok(&check));
    }
}

pub fn experiment(bytes: &[u8]) {
    with_text(bytes, |text| {
        drop(tacho_experiment::file::parse(text, Path::new("/")));
        drop(tacho_experiment::file::parse_phases(
            text,
            Path::new("/"),
            1,
        ));
    });
}

/// A secret that is known stands in nothing that is written, whatever stands around it.
pub fn masking(bytes: &[u8]) {
    const SECRET: &str = "zq7Kx0-planted";
    with_text(bytes, |text| {
        let middle = (text.len() / 2..).find(|place| text.is_char_boundary(*place));
        let (before, after) = text.split_at(middle.unwrap_or_default());
        let document = format!("{before}{SECRET}{after}");
        let mut masking = tacho_masking::Masking::new();
        masking.learn_pairs([("password", SECRET)]);
        masking.learn_yaml(text);
        let words: Vec<String> = document.split_whitespace().map(str::to_owned).collect();
        masking.learn_command(&words);
        for masked in [masking.yaml(&document), masking.text(&document)] {
            assert!(!masked.contains(SECRET), "{masked}");
        }
        if let Ok(masked) = masking.compact_json(&words) {
            assert!(!masked.contains(SECRET), "{masked}");
        }
    });
}
