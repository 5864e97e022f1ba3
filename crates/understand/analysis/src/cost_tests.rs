use super::*;
use crate::testkit::{Profile, Synthetic};
use tacho_run_folder::{FailureCause, PodRecord};

fn curve(knots: &[(f64, f64)], slope: f64) -> CostCurve {
    CostCurve::new(knots.to_vec(), slope).unwrap()
}

fn close(a: f64, b: f64) -> bool {
    (a - b).abs() < 1e-6
}

#[test]
fn between_knots_it_is_straight_and_after_them_it_goes_on() {
    let curve = curve(&[(10.0, 3.0), (0.0, 1.0), (110.0, 4.0)], 0.005);
    for (requests, cost) in [
        (0.0, 1.0),
        (5.0, 2.0),
        (10.0, 3.0),
        (60.0, 3.5),
        (110.0, 4.0),
        (310.0, 5.0),
    ] {
        assert!(close(curve.at(requests), cost), "{requests}");
    }
    assert_eq!(curve.measured(), 110.0);
}

#[test]
fn a_pause_costs_those_who_come_after_it() {
    let curve = curve(&[(0.0, 1.0), (10.0, 2.0), (10.0, 5.0), (20.0, 6.0)], 0.1);
    assert!(close(curve.at(10.0), 2.0));
    assert!(close(curve.at(15.0), 5.5));
    assert!(close(curve.at(30.0), 7.0));
}

#[test]
fn costs_never_fall_and_are_finite() {
    let curve = curve(&[(0.0, 2.0), (10.0, 1.0), (20.0, 4.0)], -1.0);
    assert!(close(curve.at(10.0), 2.0) && close(curve.at(100.0), 4.0));
    assert_eq!(CostCurve::new(vec![], 1.0), None);
    assert_eq!(CostCurve::new(vec![(0.0, f64::NAN)], 1.0), None);
    assert_eq!(CostCurve::new(vec![(0.0, 1.0)], f64::INFINITY), None);
}

#[test]
fn processor_time_is_that_of_start_up_and_of_each_request() {
    let run = Synthetic::new(1).variant(Profile::named("jar")).run();
    let curve = cpu_curve(&run.launches[0]).unwrap();
    for requests in [0.0, 1.0, 5.0, 5000.0, 10_005.0, 50_000.0] {
        let expected = 3.0 + 0.0005 * requests;
        assert!((curve.at(requests) - expected).abs() < 0.001, "{requests}");
    }
    assert_eq!(curve.measured(), 10_005.0);
}

#[test]
fn without_samples_the_phases_give_the_points() {
    let mut run = Synthetic::new(1).variant(Profile::named("jar")).run();
    run.launches[0].samples.clear();
    let curve = cpu_curve(&run.launches[0]).unwrap();
    assert!(close(curve.at(10_005.0), 3.0 + 0.0005 * 10_005.0));
    assert!(close(curve.at(5005.0), 3.0 + 0.0005 * 5005.0));
}

/// Of three processes each takes a third of the requests, and only the first is sampled.
#[test]
fn of_several_processes_it_is_that_of_one_for_its_share_of_the_requests() {
    let mut run = Synthetic::new(1).variant(Profile::named("jar")).run();
    let launch = &mut run.launches[0];
    for number in [2, 3] {
        launch.record.pods.push(PodRecord {
            number,
            time_line: launch.record.time_line.clone(),
            limits: None,
            warm_up: None,
            resources: launch.record.resources.clone(),
        });
    }
    // As it is for one process, with what all three answer and take.
    for sample in &mut launch.samples {
        sample.requests *= 3;
    }
    for phase in &mut launch.record.phases {
        phase.succeeded *= 3;
        phase.subject_cpu_s *= 3.0;
    }
    let check = |launch: &LaunchData| {
        let curve = cpu_curve(launch).unwrap();
        assert_eq!(curve.measured(), 10_005.0);
        for requests in [5005.0, 10_005.0, 50_000.0] {
            let expected = 3.0 + 0.0005 * requests;
            let found = curve.at(requests);
            assert!((found - expected).abs() < 0.001, "{requests}: {found}");
        }
    };
    check(launch);
    launch.samples.clear();
    check(launch);
}

#[test]
fn waiting_is_the_time_to_ready_and_every_service_time() {
    let run = Synthetic::new(1).variant(Profile::named("jar")).run();
    let curve = waiting_curve(&run.launches[0]).unwrap();
    // Ready after 2 s, the first request takes 80 ms, each other 2 ms.
    for (requests, waited) in [
        (0.0, 2.0),
        (1.0, 2.08),
        (2.0, 2.082),
        (5.0, 2.088),
        (10_005.0, 22.088),
        (20_005.0, 42.088),
    ] {
        assert!(
            close(curve.at(requests), waited),
            "{requests}: {}",
            curve.at(requests)
        );
    }
}

#[test]
fn an_error_is_not_served() {
    let mut run = Synthetic::new(1).variant(Profile::named("jar")).run();
    let launch = &mut run.launches[0];
    launch.requests[0].outcome = "refused".into();
    launch.record.phases[0].succeeded = 4;
    let curve = waiting_curve(launch).unwrap();
    assert!(close(curve.at(1.0), 2.002), "{}", curve.at(1.0));
    assert_eq!(curve.measured(), 10_004.0);
}

#[test]
fn a_launch_that_served_nothing_has_no_curve() {
    let mut run = Synthetic::new(1).variant(Profile::named("jar")).run();
    run.launches[0].record.phases.clear();
    assert_eq!(cpu_curve(&run.launches[0]), None);
    assert_eq!(waiting_curve(&run.launches[0]), None);
}

#[test]
fn a_cell_is_the_median_of_its_completed_launches() {
    let noisy = Profile {
        noise: 0.2,
        ..Profile::named("jar")
    };
    let mut run = Synthetic::new(3).variant(noisy).run();
    let points = |run: &RunData| {
        let costs = cell_costs(run);
        costs[0].points(&request_counts(&costs))
    };
    let all = points(&run);
    assert!(close(all[0].cpu_s, 3.0) && close(all[0].waiting_s, 2.0));
    assert_eq!(all[0].requests, 0.0);
    run.launches[0].record.outcome = LaunchOutcome::Failed {
        cause: FailureCause::Killed,
        message: String::new(),
        last_log_lines: Vec::new(),
    };
    // The middle and the costliest launch are left.
    assert!(close(points(&run)[0].cpu_s, 3.3));
}

#[test]
fn counts_reach_beyond_what_was_measured_and_say_so() {
    let run = Synthetic::new(3).variant(Profile::named("jar")).run();
    let costs = cell_costs(&run);
    let counts = request_counts(&costs);
    assert_eq!(counts[..5], [0.0, 1.0, 2.0, 5.0, 10.0]);
    assert!(counts.contains(&10_005.0));
    assert_eq!(counts.last(), Some(&100_050.0));
    for point in costs[0].points(&counts) {
        assert_eq!(
            point.extrapolated,
            point.requests > 10_005.0,
            "{}",
            point.requests
        );
    }
    assert!(request_counts(&[]).is_empty());
}
