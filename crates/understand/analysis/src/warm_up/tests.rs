use super::*;
use crate::testkit::{Profile, Synthetic};
use tacho_run_folder::{
    ErrorCount, JvmSample, PodRecord, Recipe, ResourceSummary, Sample, Second, Sweep, TimeLine,
    WarmUp, WarmUpEnd, WarmUpRecord, WarmingEnd,
};

const USERS_A_SECOND: u64 = 100;
const SECONDS: u32 = 60;

/// A launch whose users wait `slow_ms` for this many seconds, then 2 ms.
fn serve(launch: &mut LaunchData, slow_ms: f64, slow_s: u32, warm_up: (u64, f64)) {
    let (requests, duration_s) = warm_up;
    launch.record.warm_up = Some(WarmUpRecord {
        requests,
        failed: 0,
        duration_s,
        end: if requests == 0 {
            WarmUpEnd::NothingToDo.into()
        } else {
            WarmUpEnd::AllSent.into()
        },
    });
    let phase = &mut launch.record.phases[0];
    phase.requests = USERS_A_SECOND * u64::from(SECONDS);
    phase.succeeded = phase.requests;
    phase.duration_s = f64::from(SECONDS);
    let share_slow = f64::from(slow_s) / f64::from(SECONDS);
    let times = phase.response_time_ms.as_mut().unwrap();
    times.count = phase.requests;
    times.mean = slow_ms * share_slow + 2.0 * (1.0 - share_slow);
    times.p99 = if share_slow > 0.01 { slow_ms } else { 2.0 };
    let begin_s = phase.started_ms / 1e3;
    launch.seconds = (0..SECONDS)
        .map(|second| {
            let ms = if second < slow_s { slow_ms } else { 2.0 };
            // Noise of 1 %, so that a series is no straight line.
            let noisy = ms * (1.0 + 0.01 * f64::from(second % 3));
            Second {
                duration_s: 1.0,
                phase: "open".to_owned(),
                start_s: begin_s + f64::from(second),
                answered: USERS_A_SECOND,
                failed: 0,
                mean_ms: ms,
                p50_ms: noisy,
                p99_ms: noisy,
                over_objective: if ms > 50.0 { USERS_A_SECOND } else { 0 },
            }
        })
        .collect();
}

fn run() -> RunData {
    launched(3)
}

/// So many launches of each.
fn launched(times: u32) -> RunData {
    let mut synthetic = Synthetic::new(times);
    for name in ["jar", "jar-1000", "jar-10000"] {
        synthetic = synthetic.variant(Profile::named(name));
    }
    let mut run = synthetic
        .limits("1cpu", 1.0, 1 << 30)
        .open_phase("open")
        .run();
    run.plan.phases.retain(|phase| phase.label == "open");
    run.plan.warm_up = Some(Sweep {
        objective_ms: Some(50.0),
    });
    for launch in &mut run.launches {
        launch.record.phases.retain(|phase| phase.label == "open");
        launch.requests.clear();
        match launch.record.cell.as_str() {
            "jar" => serve(launch, 500.0, 10, (0, 0.0)),
            "jar-1000" => serve(launch, 40.0, 5, (1_000, 3.0)),
            _ => serve(launch, 2.0, 0, (10_000, 12.0)),
        }
    }
    for (variant, requests) in run.variants.iter_mut().zip([0, 1_000, 10_000]) {
        let recipe = match requests {
            0 => Recipe::None,
            requests => Recipe::Requests { requests },
        };
        variant.warm_up = Some(WarmUp {
            recipe,
            connections: 1,
            boost_cpu: None,
        });
    }
    run
}

fn cell<'a>(result: &'a WarmUpResult, name: &str) -> &'a CellWarmUp {
    result.cells.iter().find(|c| c.cell == name).unwrap()
}

#[test]
fn a_run_that_did_not_ask_has_no_answer() {
    let mut run = run();
    run.plan.warm_up = None;
    assert_eq!(sweep(&run), None);
}

#[test]
fn the_debt_is_what_all_users_waited_beyond_the_steady_state() {
    let result = sweep(&run()).unwrap();
    // 1,000 users waited 498 ms longer each; 500 users 38 ms.
    let debt = |name| cell(&result, name).debt_s.unwrap().value;
    assert!((debt("jar") - 498.0).abs() < 1.0, "{}", debt("jar"));
    assert!(
        (debt("jar-1000") - 19.0).abs() < 0.2,
        "{}",
        debt("jar-1000")
    );
    assert!(debt("jar-10000") < 0.2, "{}", debt("jar-10000"));
}

#[test]
fn users_over_the_objective_are_counted_and_those_whose_request_failed_too() {
    let mut run = run();
    let of_jar = |l: &&mut LaunchData| l.record.cell == "jar";
    for launch in run.launches.iter_mut().filter(of_jar) {
        launch.seconds[30].failed = 7;
    }
    let result = sweep(&run).unwrap();
    let over = |name| cell(&result, name).over_objective.unwrap().value;
    assert_eq!(over("jar"), 1_007.0);
    assert_eq!(over("jar-1000"), 0.0);
    assert_eq!(cell(&result, "jar").users.unwrap().value, 6_000.0);
}

#[test]
fn each_launch_has_its_course_and_those_that_differ_are_inconsistent() {
    let mut run = run();
    let result = sweep(&run).unwrap();
    assert_eq!(cell(&result, "jar").course.as_deref(), Some("warm-up"));
    assert_eq!(cell(&result, "jar-10000").course.as_deref(), Some("flat"));
    let first = &cell(&result, "jar").courses[0];
    assert!(
        (first.steady_after_s.unwrap() - 10.0).abs() < 1e-6,
        "{first:?}"
    );
    assert_eq!(first.by, "seconds");
    let odd = run
        .launches
        .iter_mut()
        .find(|l| l.record.cell == "jar")
        .unwrap();
    serve(odd, 2.0, 0, (0, 0.0));
    let result = sweep(&run).unwrap();
    assert_eq!(cell(&result, "jar").course.as_deref(), Some("inconsistent"));
}

#[test]
fn the_price_is_the_time_until_users_may_come_to_the_slowest_process() {
    let mut run = run();
    let result = sweep(&run).unwrap();
    let traffic = |result: &WarmUpResult, name| cell(result, name).traffic_ms.unwrap().value;
    assert_eq!(traffic(&result, "jar-1000"), 5_000.0);
    for launch in &mut run.launches {
        launch.record.pods.push(PodRecord {
            number: 2,
            time_line: TimeLine {
                ready_ms: Some(4_000.0),
                ..TimeLine::default()
            },
            limits: None,
            warm_up: launch.record.warm_up.clone(),
            resources: ResourceSummary::default(),
        });
    }
    assert_eq!(traffic(&sweep(&run).unwrap(), "jar-1000"), 7_000.0);
}

#[test]
fn the_cheapest_that_meets_the_objective_wins() {
    let mut run = run();
    let choice = sweep(&run).unwrap().choices.remove(0);
    assert_eq!(choice.cell.as_deref(), Some("jar-1000"));
    assert_eq!(
        choice.sentence,
        "jar-1000 is the cheapest that keeps p99 within 50 ms: p99 40 ms and ready for users after 5 s and 1,000 warm-up requests; jar has a p99 of 500 ms and is ready after 2 s."
    );
    // And it is what is advised.
    let advice = crate::analyse(&run).advice;
    assert!(
        advice.sentence.starts_with("jar-1000 is the cheapest"),
        "{advice:?}"
    );
    assert_eq!(advice.by_limits[0].pick.as_deref(), Some("jar-1000"));
    run.plan.warm_up = Some(Sweep { objective_ms: None });
    let sentence = sweep(&run).unwrap().choices.remove(0).sentence;
    assert!(
        sentence.starts_with("jar-10000 is the cheapest that comes within 1.3 x of the best p99"),
        "{sentence}"
    );
    run.plan.warm_up = Some(Sweep {
        objective_ms: Some(1.0),
    });
    let sentence = sweep(&run).unwrap().choices.remove(0).sentence;
    assert!(
        sentence.starts_with("No warm-up keeps p99 within 1 ms"),
        "{sentence}"
    );
}

/// As in the table of the phase: one figure has one value.
#[test]
fn a_p99_that_is_the_generators_own_lateness_is_left_out() {
    let p99 = |run: &RunData| cell(&sweep(run).unwrap(), "jar-1000").response.p99.unwrap();
    let mut run = run();
    assert_eq!(p99(&run).high, 40.0);
    let mut launches = run.launches.iter_mut();
    let late = launches.find(|l| l.record.cell == "jar-1000").unwrap();
    let phase = &mut late.record.phases[0];
    let times = phase.response_time_ms.as_mut().unwrap();
    times.p99 = 90.0;
    phase.on_time_response_ms = Some(Quantiles {
        p99: 40.0,
        ..*times
    });
    phase.generator_lag_ms = Some(Quantiles {
        p99: 50.0,
        ..*times
    });
    assert_eq!(p99(&run).high, 40.0);
    run.launches.retain(|launch| {
        let phase = &launch.record.phases[0];
        launch.record.cell != "jar-1000"
            || phase.generator_lag_ms.is_some_and(|lag| lag.p99 == 50.0)
    });
    assert_eq!(p99(&run).high, 90.0, "without another it is an upper bound");
}

/// Those whose requests failed are in no p99.
#[test]
fn a_warm_up_under_which_users_are_not_answered_is_not_enough() {
    let chosen = |objective_ms: Option<f64>, failing: &[&str]| {
        let mut run = run();
        run.plan.warm_up = Some(Sweep { objective_ms });
        for launch in &mut run.launches {
            if failing.contains(&launch.record.cell.as_str()) {
                let phase = &mut launch.record.phases[0];
                let errors = ErrorCount {
                    count: 120,
                    example: String::new(),
                };
                phase.succeeded -= errors.count;
                phase.errors.insert("status-5xx".into(), errors);
            }
        }
        let choice = sweep(&run).unwrap().choices.remove(0);
        (choice.cell, choice.sentence)
    };
    let (cell, _) = chosen(Some(50.0), &["jar-1000"]);
    assert_eq!(cell.as_deref(), Some("jar-10000"));
    // Nor is its p99 what the others are held against.
    let (cell, sentence) = chosen(None, &["jar-10000"]);
    assert_eq!(cell.as_deref(), Some("jar-1000"), "{sentence}");
    let all = ["jar", "jar-1000", "jar-10000"];
    for (objective_ms, how) in [(Some(50.0), "failed or took longer."), (None, "failed.")] {
        let (cell, sentence) = chosen(objective_ms, &all);
        assert_eq!(cell, None);
        let but = format!("p99 of 2 ms, but the requests of up to 2 % of its users {how}");
        assert!(sentence.ends_with(&but), "{sentence}");
    }
}

/// As where the service refuses what is marked as warm-up.
#[test]
fn a_warm_up_that_failed_is_not_the_one_that_was_enough() {
    let failing = WarmUpEnd::Watched(WarmingEnd::Failing);
    let fail = |run: &mut RunData, name: &str| {
        let of_it = |launch: &&mut LaunchData| launch.record.cell == name;
        for launch in run.launches.iter_mut().filter(of_it) {
            launch.record.warm_up.as_mut().unwrap().end = failing.into();
        }
    };
    let mut run = run();
    fail(&mut run, "jar-1000");
    let choice = sweep(&run).unwrap().choices.remove(0);
    assert_eq!(choice.cell.as_deref(), Some("jar-10000"));
    fail(&mut run, "jar-10000");
    let choice = sweep(&run).unwrap().choices.remove(0);
    assert_eq!(choice.cell, None);
    let but = "comes nearest with a p99 of 2 ms, but its warm-up failed.";
    assert!(choice.sentence.ends_with(but), "{}", choice.sentence);
}

#[test]
fn a_launch_was_warmed_as_its_least_warm_process() {
    let mut run = run();
    let failing = WarmUpEnd::Watched(WarmingEnd::Failing);
    let of_it = |launch: &&mut LaunchData| launch.record.cell == "jar-1000";
    let launch = run.launches.iter_mut().find(of_it).unwrap();
    let mut warm_up = launch.record.warm_up.clone().unwrap();
    warm_up.end = failing.into();
    launch.record.pods.push(PodRecord {
        number: 2,
        time_line: TimeLine::default(),
        limits: None,
        warm_up: Some(warm_up),
        resources: ResourceSummary::default(),
    });
    let result = sweep(&run).unwrap();
    let mut ends = cell(&result, "jar-1000").ends.clone();
    ends.sort_by_key(|(_, launches)| *launches);
    let expected: [(Word<WarmUpEnd>, u32); 2] =
        [(failing.into(), 1), (WarmUpEnd::AllSent.into(), 2)];
    assert_eq!(ends, expected);
}

/// How to ship is another question than how warm is enough: a sweep answers its own, whatever was
/// promised and however few launches there were.
#[test]
fn a_sweep_ends_in_its_own_sentence_and_not_in_the_advice_on_variants() {
    let advised = |times: u32, objective_ms: Option<f64>| {
        let mut run = launched(times);
        run.plan.warm_up = Some(Sweep { objective_ms });
        crate::analyse(&run).advice
    };
    let without = "jar-10000 is the cheapest that comes within 1.3 x of the best p99 (2 ms): p99 2 ms and ready for users after 14 s and 10,000 warm-up requests; jar has a p99 of 500 ms and is ready after 2 s";
    let enough = advised(3, None);
    assert_eq!(enough.sentence, format!("{without}."));
    assert_eq!(enough.by_limits[0].sentence, enough.sentence);
    assert_eq!(enough.by_limits[0].pick.as_deref(), Some("jar-10000"));
    for times in [1, 2] {
        let of = match times {
            1 => "1 launch",
            _ => "2 launches",
        };
        let few = advised(times, None);
        assert_eq!(
            few.sentence,
            format!(
                "{without}; {of} of each cannot tell that from chance, make at least 3, better 5 (with caution: replication)."
            )
        );
        // Chance may have made it: nothing is marked as advised.
        assert_eq!(few.by_limits[0].pick, None);
        let promised = advised(times, Some(1.0)).sentence;
        assert!(
            promised.starts_with("No warm-up keeps p99 within 1 ms in every launch; jar-10000"),
            "{promised}"
        );
        assert!(
            promised.contains(&format!("; {of} of each cannot tell")),
            "{promised}"
        );
    }
}

#[test]
fn a_sweep_in_which_nobody_was_served_says_that() {
    let mut run = run();
    for launch in &mut run.launches {
        for phase in &mut launch.record.phases {
            phase.response_time_ms = None;
        }
    }
    let advice = crate::analyse(&run).advice.sentence;
    assert_eq!(
        advice,
        "No warm-up can be told to be enough: no launch that counts served its users (phase open)."
    );
}

/// Samples of ten a second, with counters that grow at two rates: in the first ten seconds, and
/// later.
fn busy(launch: &mut LaunchData, compiling: [f64; 2], processors: [f64; 2]) {
    let begin = launch.record.phases[0].started_ms;
    let at = |tick: u32| begin + f64::from(tick) * 100.0;
    let grown = |tick: u32, rates: [f64; 2]| {
        let s = f64::from(tick) / 10.0;
        s.min(10.0) * rates[0] + (s - 10.0).max(0.0) * rates[1]
    };
    launch.jvm = (0..=600)
        .map(|tick| JvmSample {
            at_ms: at(tick),
            compile_s: Some(grown(tick, compiling)),
            ..JvmSample::default()
        })
        .collect();
    launch.samples = (0..=600)
        .map(|tick| Sample {
            at_ms: at(tick),
            cpu_s: grown(tick, processors),
            ..Sample::default()
        })
        .collect();
}

#[test]
fn compilers_without_a_processor_to_spare_are_starved() {
    let mut run = run();
    for launch in &mut run.launches {
        match launch.record.cell.as_str() {
            "jar" => busy(launch, [0.8, 0.01], [0.99, 0.3]),
            "jar-1000" => busy(launch, [0.8, 0.01], [0.5, 0.3]),
            _ => busy(launch, [0.01, 0.01], [0.99, 0.3]),
        }
    }
    let result = sweep(&run).unwrap();
    let starved = cell(&result, "jar").starved.as_deref().unwrap();
    assert!(
        starved.contains("800 ms of work") && starved.contains("99 %"),
        "{starved}"
    );
    assert_eq!(cell(&result, "jar-1000").starved, None);
    assert_eq!(cell(&result, "jar-10000").starved, None);
    let compiling = &cell(&result, "jar").causes[0];
    assert_eq!(compiling.name, "time spent compiling");
    assert!(
        (compiling.first - 0.8).abs() < 0.01 && (compiling.last - 0.01).abs() < 0.01,
        "{compiling:?}"
    );
}
