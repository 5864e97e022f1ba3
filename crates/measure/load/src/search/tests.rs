use super::*;
use TrialKind::{Confirm, Explore};
use TrialOutcome::{Failed, GeneratorLimited, Held};
use proptest::prelude::*;
use std::collections::VecDeque;

fn plan(lowest: f64, highest: f64) -> SearchPlan {
    SearchPlan::new(lowest, highest).unwrap()
}

/// Carries out a search, and keeps its trials.
fn search(
    plan: SearchPlan,
    mut subject: impl FnMut(&Trial) -> TrialOutcome,
) -> (Vec<(Trial, TrialOutcome)>, Found) {
    let mut search = Search::new(plan);
    let mut trials = Vec::new();
    while let Some(trial) = search.next() {
        assert!(search.result().is_none());
        let outcome = subject(&trial);
        trials.push((trial, outcome));
        search.observe(outcome);
    }
    (trials, search.result().unwrap())
}

fn holds_up_to(capacity: f64) -> impl FnMut(&Trial) -> TrialOutcome {
    move |trial| if trial.rate <= capacity { Held } else { Failed }
}

#[test]
fn it_doubles_then_halves_then_challenges_then_confirms() {
    let (trials, found) = search(plan(100.0, 10_000.0), holds_up_to(500.0));
    let seen: Vec<(f64, TrialKind)> = trials
        .iter()
        .map(|(trial, _)| (trial.rate.round(), trial.kind))
        .collect();
    assert_eq!(
        seen,
        [
            (100.0, Explore),
            (200.0, Explore),
            (400.0, Explore),
            (800.0, Explore), // fails: the limit is between 400 and 800
            (566.0, Explore), // fails
            (476.0, Explore),
            (519.0, Explore), // fails
            (497.0, Explore), // less than 5 % below 519
            (519.0, Explore), // once more: it was no accident
            (497.0, Confirm),
            (497.0, Confirm),
            (497.0, Confirm),
        ]
    );
    assert!(found.confirmed);
    assert_eq!(found.end, End::Bracketed);
    assert_eq!(found.trials, 12);
    assert_eq!(found.rate.map(f64::round), Some(497.0));
    assert_eq!(found.lowest_failing.map(f64::round), Some(519.0));
}

#[test]
fn after_a_trial_that_did_not_hold_there_is_a_rest() {
    let plan = plan(100.0, 10_000.0).with_rest(Duration::from_secs(7));
    let (trials, _) = search(plan, holds_up_to(500.0));
    assert_eq!(trials[0].0.rest, Duration::ZERO);
    for pair in trials.windows(2) {
        let expected = match pair[0].1 {
            Held => Duration::ZERO,
            _ => Duration::from_secs(7),
        };
        assert_eq!(pair[1].0.rest, expected);
    }
}

#[test]
fn a_subject_that_holds_everything_is_confirmed_at_the_highest_rate() {
    let (trials, found) = search(plan(100.0, 700.0), |_| Held);
    let rates: Vec<f64> = trials.iter().map(|(trial, _)| trial.rate).collect();
    assert_eq!(rates, [100.0, 200.0, 400.0, 700.0, 700.0, 700.0, 700.0]);
    assert_eq!(found.end, End::HighestReached);
    assert_eq!((found.rate, found.lowest_failing), (Some(700.0), None));
    assert!(found.confirmed);
}

#[test]
fn a_subject_that_fails_even_at_the_lowest_rate_is_tried_twice() {
    let (trials, found) = search(plan(100.0, 700.0), |_| Failed);
    assert_eq!(trials.len(), 2);
    assert_eq!(found.end, End::NeverHeld);
    assert_eq!((found.rate, found.lowest_failing), (None, Some(100.0)));
    assert!(!found.confirmed);
}

#[test]
fn a_generator_that_cannot_keep_up_is_the_end_and_not_the_subject() {
    let (_, found) = search(plan(100.0, 10_000.0), |trial| {
        if trial.rate <= 3_000.0 {
            Held
        } else {
            GeneratorLimited
        }
    });
    assert_eq!(found.end, End::GeneratorLimited);
    assert!(found.confirmed);
    assert!(found.rate.unwrap() > 3_000.0 / 1.05 && found.rate.unwrap() <= 3_000.0);
    let (_, found) = search(plan(100.0, 10_000.0), |_| GeneratorLimited);
    assert_eq!((found.end, found.rate), (End::GeneratorLimited, None));
}

#[test]
fn a_generator_that_was_late_once_is_given_a_second_chance() {
    let mut late = VecDeque::from([1, 4, 7, 11]);
    let (_, found) = search(plan(100.0, 10_000.0), |trial| {
        if late.front() == Some(&trial.number) {
            late.pop_front();
            GeneratorLimited
        } else {
            holds_up_to(500.0)(trial)
        }
    });
    assert_eq!(found.end, End::Bracketed);
    assert_eq!(found.rate.map(f64::round), Some(497.0));
}

/// 400 fails once, by accident, on the way up.
#[test]
fn a_failure_by_accident_does_not_bound_the_search() {
    let (trials, found) = search(plan(100.0, 10_000.0), |trial| {
        if trial.number == 3 {
            Failed
        } else {
            holds_up_to(500.0)(trial)
        }
    });
    assert_eq!((trials[2].0.rate, trials[2].1), (400.0, Failed));
    assert!(found.confirmed);
    assert_eq!(found.rate.map(f64::round), Some(497.0));
}

/// 800 holds by luck on the way up; so it is a candidate, and falls in the confirmation.
#[test]
fn a_success_by_luck_does_not_survive_the_confirmation() {
    let (trials, found) = search(plan(100.0, 10_000.0), |trial| {
        if trial.number == 4 {
            Held
        } else {
            holds_up_to(500.0)(trial)
        }
    });
    assert_eq!((trials[3].0.rate, trials[3].1), (800.0, Held));
    assert!(found.confirmed);
    assert!(found.rate.unwrap() <= 500.0 && found.rate.unwrap() > 500.0 / 1.05);
}

#[test]
fn a_candidate_that_fails_its_last_confirmation_is_given_up_for_the_next_below() {
    let mut confirmations = 0;
    let (_, found) = search(plan(100.0, 10_000.0), |trial| {
        if trial.kind == Confirm {
            confirmations += 1;
            if confirmations == 3 {
                return Failed;
            }
        }
        holds_up_to(500.0)(trial)
    });
    assert_eq!(found.rate.map(f64::round), Some(476.0));
    assert_eq!(found.lowest_failing.map(f64::round), Some(497.0));
    assert!(found.confirmed);
}

#[test]
fn contradictions_without_end_use_up_the_trials() {
    let plan = SearchPlan {
        most_trials: 25,
        ..plan(1.0, 1e6)
    };
    let (trials, found) = search(plan, |trial| match trial.kind {
        Explore if trial.number % 3 == 0 => Failed,
        Explore => Held,
        Confirm => Failed,
    });
    assert!(trials.len() <= 25);
    assert!(found.end == End::TrialsUsedUp || found.confirmed || found.rate.is_none());
}

#[test]
fn plans_that_cannot_be_are_refused() {
    for (lowest, highest) in [
        (0.0, 10.0),
        (10.0, 10.0),
        (20.0, 10.0),
        (f64::NAN, 10.0),
        (1.0, f64::INFINITY),
        (1.0, 1e9),
    ] {
        assert!(
            SearchPlan::new(lowest, highest).is_err(),
            "{lowest} {highest}"
        );
    }
    assert!(plan(1.0, 2.0).with_tolerance(0.0).is_err());
    assert!(plan(1.0, 2.0).with_tolerance(f64::NAN).is_err());
    assert!(plan(1.0, 2.0).with_confirmations(0).is_err());
}

#[test]
fn what_was_found_is_said_in_one_sentence() {
    let say =
        |subject: fn(&Trial) -> TrialOutcome| search(plan(100.0, 700.0), subject).1.to_string();
    assert_eq!(
        say(|trial| holds_up_to(500.0)(trial)),
        "the objective holds at 493/s and fails at 511/s"
    );
    assert_eq!(
        say(|_| Held),
        "the objective holds at 700/s, the highest rate that was asked for; search higher to find the limit"
    );
    assert_eq!(
        say(|_| Failed),
        "the objective fails even at 100/s, the lowest rate; search lower, or ask for less"
    );
    assert!(say(|_| GeneratorLimited).contains("nothing is known of the subject"));
}

fn any_outcome() -> impl Strategy<Value = TrialOutcome> {
    prop_oneof![Just(Held), Just(Failed), Just(GeneratorLimited)]
}

proptest! {
    #[test]
    fn a_steady_subject_is_found_to_the_tolerance(
        lowest in 0.1f64..1_000.0, room in 1.01f64..10_000.0, place in 0.0f64..1.0, tolerance in 0.01f64..0.3,
    ) {
        let highest = (lowest * room).min(1e7);
        let capacity = lowest * (highest / lowest).powf(place);
        let plan = plan(lowest, highest).with_tolerance(tolerance).unwrap();
        let (trials, found) = search(plan, holds_up_to(capacity));
        let rate = found.rate.unwrap();
        prop_assert!(found.confirmed && rate <= capacity);
        match found.lowest_failing {
            Some(failing) => prop_assert!(capacity < failing && failing <= rate * (1.0 + tolerance)),
            None => prop_assert_eq!(rate, highest),
        }
        let doublings = room.log2().ceil() + 1.0;
        let halvings = (2.0_f64.ln() / tolerance.ln_1p()).log2().ceil().max(0.0) + 1.0;
        prop_assert!(trials.len() as f64 <= doublings + halvings + 1.0 + 3.0, "{}", trials.len());
    }

    #[test]
    fn whatever_happens_it_ends_and_does_not_contradict_itself(
        outcomes in prop::collection::vec(any_outcome(), 100), room in 1.01f64..1e6,
    ) {
        let mut left = outcomes.into_iter();
        let (trials, found) = search(plan(1.0, room), |_| left.next().unwrap_or(Failed));
        prop_assert!(trials.len() <= 100 && found.trials as usize == trials.len());
        for (trial, _) in &trials {
            prop_assert!((1.0..=room).contains(&trial.rate));
        }
        if let (Some(rate), Some(failing)) = (found.rate, found.lowest_failing) {
            prop_assert!(rate < failing);
        }
        if found.confirmed {
            // The confirmations of the found rate all held, and were the last word on it.
            let of_rate: Vec<_> = trials
                .iter()
                .filter(|(trial, _)| Some(trial.rate) == found.rate && trial.kind == Confirm)
                .map(|(_, outcome)| *outcome)
                .filter(|outcome| *outcome != GeneratorLimited)
                .collect();
            prop_assert_eq!(of_rate, vec![Held; 3]);
        } else {
            prop_assert!(found.rate.is_none() || found.end == End::TrialsUsedUp);
        }
    }
}
