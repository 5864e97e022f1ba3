use super::synthetic::{Noise, series};
use super::{Agreement, Settling, Shape, agreement, course, course_of_medians};
use std::collections::BTreeMap;

const NOISES: [Noise; 5] = [
    Noise::LogNormal(0.05),
    Noise::LogNormal(0.3),
    Noise::LogNormal(0.8),
    Noise::Pauses(0.3, 50),
    Noise::Autocorrelated(0.3, 0.3),
];

#[test]
fn a_known_change_is_found_within_2_percent_of_its_place_in_95_of_100() {
    let mut found = 0;
    let mut all = 0;
    for (index, noise) in NOISES.into_iter().enumerate() {
        for seed in 0..80 {
            let count = [500, 2_000, 10_000, 60_000][seed as usize % 4];
            let at = count / [10, 4, 2][seed as usize % 3];
            let values = series(seed + 1_000 * index as u64, count, noise, |i| {
                if i < at { 12.0 } else { 1.5 }
            });
            let course = course(&values).unwrap();
            all += 1;
            let place = course.steady_from.unwrap_or(0);
            if course.shape == Shape::WarmUp && place.abs_diff(at) as f64 <= 0.02 * at as f64 {
                found += 1;
            }
        }
    }
    assert!(found * 100 >= all * 95, "{found} of {all}");
}

#[test]
fn of_1000_flat_noisy_series_at_most_5_percent_are_called_anything_else() {
    let mut called = BTreeMap::new();
    for seed in 0..1_000 {
        let noise = NOISES[seed as usize % NOISES.len()];
        let count = [200, 1_000, 3_000, 20_000][seed as usize / 5 % 4];
        let values = series(seed, count, noise, |_| 2.0);
        *called.entry(course(&values).unwrap().shape).or_insert(0) += 1;
    }
    assert!(called[&Shape::Flat] >= 950, "{called:?}");
}

#[test]
fn the_four_courses_are_told_apart() {
    let noise = Noise::LogNormal(0.2);
    let shape =
        |typical: &dyn Fn(usize) -> f64| course(&series(7, 4_000, noise, typical)).unwrap().shape;
    assert_eq!(shape(&|_| 3.0), Shape::Flat);
    assert_eq!(shape(&|i| if i < 900 { 9.0 } else { 3.0 }), Shape::WarmUp);
    assert_eq!(shape(&|i| if i < 900 { 2.0 } else { 3.0 }), Shape::Slowdown);
    // Fast for a while in the middle: the end is not the best that was.
    assert_eq!(
        shape(&|i| match i {
            0..900 => 9.0,
            900..1800 => 2.0,
            _ => 3.0,
        }),
        Shape::Slowdown
    );
    assert_eq!(
        shape(&|i| if i < 3_500 { 3.0 } else { 9.0 }),
        Shape::NoSteadyState
    );
    // As a JVM does: interpreted, then compiled once, then again.
    let jvm = |i: usize| match i {
        0..100 => 40.0,
        100..900 => 8.0,
        900..2000 => 3.0,
        _ => 1.0,
    };
    let course = course(&series(7, 4_000, noise, jvm)).unwrap();
    assert_eq!(course.shape, Shape::WarmUp);
    assert!(
        course.steady_from.unwrap().abs_diff(2_000) <= 20,
        "{course:?}"
    );
    assert!((course.steady_ms.unwrap() - 1.0).abs() < 0.02, "{course:?}");
}

#[test]
fn what_no_user_can_tell_is_no_change() {
    let microseconds = series(3, 2_000, Noise::LogNormal(0.05), |i| {
        if i < 500 { 0.06 } else { 0.045 }
    });
    assert_eq!(course(&microseconds).unwrap().shape, Shape::Flat);
    assert!(course(&[1.0; 39]).is_none());
}

#[test]
fn launches_that_disagree_are_called_inconsistent() {
    use Shape::{Flat, WarmUp};
    assert_eq!(agreement(&[]), None);
    assert_eq!(agreement(&[WarmUp; 3]), Some(Agreement::Consistent(WarmUp)));
    assert_eq!(
        agreement(&[WarmUp, Flat, WarmUp]),
        Some(Agreement::Inconsistent(BTreeMap::from([
            (WarmUp, 2),
            (Flat, 1)
        ])))
    );
}

fn settles(values: impl IntoIterator<Item = f64>) -> Option<super::Settled> {
    let mut settling = Settling::default();
    values.into_iter().find_map(|value| settling.push(value))
}

#[test]
fn it_has_settled_when_it_was_quiet_for_as_long_as_it_was_not() {
    // The fewest requests after which noise of this size can be told from a fall.
    let fewest = [200, 700, 6_000, 700, 1_500];
    for (index, noise) in NOISES.into_iter().enumerate() {
        for at in [0, 150, 1_000, 6_000] {
            // Down by steps that follow one another within less than a doubling, the last at `at`.
            let typical = |i| {
                (0..)
                    .map(|step| (at as f64 * 0.6_f64.powi(step)) as usize)
                    .take_while(|place| i < *place)
                    .fold(2.0, |level, _| level * 1.6)
            };
            let settled = settles(series(index as u64, 40_000, noise, typical)).unwrap();
            let what = format!("{noise:?} {at}: {settled:?}");
            assert!(settled.known_after + 20 >= 2 * at, "{what}");
            assert!(
                settled.known_after <= (2 * at).max(fewest[index]) * 5 / 4,
                "{what}"
            );
            assert!((1.8..2.2).contains(&settled.typical_ms), "{what}");
        }
    }
}

#[test]
fn what_goes_on_falling_does_not_settle() {
    // As a power of the count: with each doubling to 0.71 times as much.
    let falling = |i: usize| 30.0 * ((i + 1) as f64).powf(-0.5);
    let noise = Noise::LogNormal(0.2);
    let settled = (0..20).filter(|seed| settles(series(*seed, 20_000, noise, falling)).is_some());
    assert_eq!(settled.count(), 0);
}

#[test]
fn of_flat_medians_few_are_called_otherwise() {
    let noises = [
        Noise::LogNormal(0.05),
        Noise::LogNormal(0.2),
        Noise::Autocorrelated(0.1, 0.4),
    ];
    for noise in noises {
        let mistaken = (0..400)
            .filter(|seed| {
                let medians = series(*seed, 60, noise, |_| 3.0);
                course_of_medians(&medians).unwrap().shape != Shape::Flat
            })
            .count();
        assert!(mistaken <= 20, "{mistaken} of 400 with {noise:?}");
    }
}

#[test]
fn medians_that_fall_are_a_warm_up_however_they_fall() {
    let falling: [fn(usize) -> f64; 3] = [
        |second| if second < 6 { 20.0 } else { 3.0 },
        |second| 3.0 + 40.0 * (-(second as f64) / 4.0).exp(),
        // In steps, as one compiler after the other has done its work.
        |second| [30.0, 8.0, 3.0][(second / 8).min(2)],
    ];
    for typical in falling {
        let found = (0..100)
            .filter(|seed| {
                let medians = series(*seed, 60, Noise::LogNormal(0.05), typical);
                course_of_medians(&medians).unwrap().shape == Shape::WarmUp
            })
            .count();
        assert!(found >= 95, "{found} of 100");
    }
}

#[test]
fn medians_that_rise_to_the_end_are_no_flat_course() {
    let medians = series(1, 45, Noise::LogNormal(0.03), |second| {
        2_000.0 + 350.0 * second as f64
    });
    assert_ne!(course_of_medians(&medians).unwrap().shape, Shape::Flat);
}
