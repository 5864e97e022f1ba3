use super::*;
use crate::testkit::{Profile, Synthetic};
use tacho_run_folder::LaunchData;

/// Ten seconds at 1,000 a second, after which come ten at a constant rate.
fn launch() -> LaunchData {
    let profile = Profile {
        throughput: 1_000.0,
        ..Profile::named("jar")
    };
    let run = Synthetic::new(1).variant(profile).open_phase("open").run();
    run.launches.into_iter().next().unwrap()
}

fn closed(launch: &LaunchData) -> &PhaseRecord {
    &launch.record.phases[1]
}

/// Lets the closed phase answer as many as `share` of its time tells.
fn answering(mut launch: LaunchData, share: impl Fn(f64) -> f64) -> LaunchData {
    let (from_ms, length_ms) = (closed(&launch).started_ms, closed(&launch).duration_s * 1e3);
    let before = 5.0;
    for sample in &mut launch.samples {
        let at = (sample.at_ms - from_ms) / length_ms;
        if (0.0..=1.0).contains(&at) {
            sample.requests = (before + 10_000.0 * share(at)) as u64;
        }
    }
    launch
}

#[test]
fn a_phase_that_is_steady_throughout_is_taken_whole() {
    let launch = launch();
    let part = part(&launch, closed(&launch));
    assert_eq!(part.is_steady, Some(true));
    assert!((part.throughput - 1_000.0).abs() < 1e-6, "{part:?}");
    let cpu_ms = part.cpu_per_request_ms.unwrap();
    assert!((cpu_ms - 0.5).abs() < 1e-6, "{part:?}");
}

#[test]
fn of_a_phase_that_becomes_steady_the_steady_part_counts() {
    // A tenth of the requests in the first half of the time.
    let launch = answering(launch(), |at| match at < 0.5 {
        true => at * 0.2,
        false => 0.1 + (at - 0.5) * 1.8,
    });
    let part = part(&launch, closed(&launch));
    assert_eq!(part.is_steady, Some(true));
    assert!((part.throughput - 1_800.0).abs() < 40.0, "{part:?}");
    let whole = closed(&launch).throughput;
    assert!((whole - 1_000.0).abs() < 1.0, "{whole}");
}

#[test]
fn of_a_phase_that_climbs_to_its_end_the_whole_counts_and_is_marked() {
    let launch = answering(launch(), |at| at * at);
    let part = part(&launch, closed(&launch));
    assert_eq!(part.is_steady, Some(false));
    assert!((part.throughput - 1_000.0).abs() < 1.0, "{part:?}");
}

#[test]
fn a_phase_too_short_to_tell_is_as_steady_as_what_came_before_it() {
    let short = |mut launch: LaunchData| {
        let started_ms = launch.record.phases[2].started_ms;
        launch.record.phases[2].duration_s = 0.35;
        launch.samples.retain(|s| s.at_ms < started_ms + 350.0);
        launch
    };
    let open = |launch: &LaunchData| part(launch, &launch.record.phases[2]).is_steady;
    assert_eq!(open(&short(launch())), Some(true));
    let climbing = answering(launch(), |at| at * at);
    assert_eq!(open(&short(climbing.clone())), Some(false));
    let mut settled = climbing;
    settled.record.phases[0].settled = Some(true);
    assert_eq!(open(&short(settled)), Some(true));
}

#[test]
fn nobody_looked_at_the_first_requests_or_without_samples() {
    let mut launch = launch();
    assert_eq!(part(&launch, &launch.record.phases[0]).is_steady, None);
    launch.samples.clear();
    let part = part(&launch, closed(&launch));
    assert_eq!(part.is_steady, None);
    assert!((part.throughput - 1_000.0).abs() < 1e-6, "{part:?}");
}
