//! What is printed and what is written as JSON are interfaces: changes show here.

use super::*;
use crate::comparison::tests::all;
use crate::comparison::{CourseResult, TOLERANCE};
use crate::drive::Reported;
use crate::machine::Surroundings;
use crate::script::{Mixture, Stall};
use crate::server::Played;
use crate::witnessed::tests::witnessed;
use std::time::Duration;
use tacho_run_folder::Quantiles;

fn ms(ms: u64) -> Duration {
    Duration::from_millis(ms)
}

/// What is expected, so much later.
fn later(course: &Course, by: f64) -> Quantiles {
    let expected = crate::expected(course);
    Quantiles {
        count: expected.count,
        min: by,
        mean: by,
        p50: expected.p50 + by,
        p90: expected.p90 + by,
        p95: expected.p95 + by,
        p99: expected.p99 + by,
        p99_9: expected.p99_9 + by,
        max: expected.max + by,
    }
}

fn result(course: &Course, served: f64, reported: f64, server_late: f64) -> CourseResult {
    let expected = crate::expected(course);
    let seen = Reported {
        succeeded: expected.count,
        response_time_ms: Some(later(course, reported)),
        service_time_ms: Some(all(3.3)),
        generator_lag_ms: Some(all(0.1)),
        ends: None,
        waited_ms: 2.5,
    };
    let played = Played {
        answered: expected.count,
        response_time_ms: Some(later(course, served)),
        lateness_ms: Some(all(server_late)),
        waited_ms: 1.5,
    };
    let surroundings = Surroundings {
        server_lateness_ms: played.lateness_ms,
        server_waited_ms: played.waited_ms,
        generator_waited_ms: seen.waited_ms,
        steal_ms: 10.0,
    };
    CourseResult::of(course, &expected, &seen, &played, surroundings)
}

fn stall() -> Course {
    let stall = Stall::new(ms(10_000), ms(1_000), 20_000.0).unwrap();
    Course::new("stall", Script::Stall(stall), 2_000.0, 10.0, 64).unwrap()
}

fn mixture() -> Course {
    let mixture = Mixture::new(&[(985, ms(100)), (15, ms(1_000))]).unwrap();
    Course::new(
        "mixture of delays",
        Script::Mixture(mixture),
        100.0,
        10.0,
        64,
    )
    .unwrap()
}

fn test_of(courses: Vec<CourseResult>) -> SelfTest {
    SelfTest {
        judgement: courses.iter().map(CourseResult::judgement).max().unwrap(),
        tolerance: TOLERANCE,
        processors: 2,
        duration_s: 12.6,
        witnessed: Vec::new(),
        courses,
    }
}

#[test]
fn a_test_that_passed() {
    let mut passed = test_of(vec![
        result(&mixture(), 0.05, 0.11, 0.02),
        result(&stall(), 0.05, 0.11, 0.02),
    ]);
    passed.witnessed = vec![witnessed(3.2, 61.04, 2.9)];
    insta::assert_snapshot!(render(&passed));
}

/// As a tool that sends late together, counts from when it sent, and says that it was on time.
#[test]
fn a_test_in_which_the_witness_saw_something_else() {
    let mut wrong = test_of(vec![result(&mixture(), 0.05, 0.11, 0.02)]);
    wrong.witnessed = vec![witnessed(300.0, 57.0, 0.4)];
    wrong.judgement = wrong.witnessed[0].judgement();
    insta::assert_snapshot!(render(&wrong));
}

#[test]
fn a_test_that_the_machine_spoiled() {
    insta::assert_snapshot!(render(&test_of(vec![result(&stall(), 4.0, 4.1, 4.0)])));
}

#[test]
fn a_test_that_failed() {
    let mut wrong = result(&stall(), 0.05, 20.0, 0.02);
    wrong.succeeded -= 7;
    insta::assert_snapshot!(render(&test_of(vec![wrong])));
}

#[test]
fn as_json() {
    let mut test = test_of(vec![result(&stall(), 0.05, 0.11, 0.02)]);
    // The first two show the form.
    test.courses[0].comparisons.truncate(2);
    test.witnessed = vec![witnessed(3.2, 61.04, 2.9)];
    test.witnessed[0].rows.truncate(1);
    insta::assert_json_snapshot!(test);
}

#[test]
fn no_line_is_longer_than_a_hundred_columns() {
    let tests = [
        (0.05, 0.11, 0.02),
        (4_000.0, 4_100.0, 4_000.0),
        (1e6, 3e6, 1e6),
    ];
    for (served, reported, late) in tests {
        let courses = [mixture(), stall()].map(|course| result(&course, served, reported, late));
        for line in render(&test_of(courses.to_vec())).lines() {
            assert!(line.chars().count() <= 100, "{line}");
        }
    }
}
