use crate::advice::Enough;
use crate::analyse;
use crate::testkit::{Place, Profile, Synthetic};
use proptest::prelude::*;
use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use tacho_run_folder::{
    CertificateState, FailureCause, Good, LaunchOutcome, LaunchRecord, MetricResult, Results,
    RunData, SearchRecord, Verdict,
};

fn noisy(name: &str, noise: f64) -> Profile {
    Profile {
        noise,
        ..Profile::named(name)
    }
}

fn metric<'a>(results: &'a Results, cell: &str, id: &str) -> &'a MetricResult {
    let cell = results.cells.iter().find(|c| c.cell == cell).expect(cell);
    cell.metrics.iter().find(|m| m.id == id).expect(id)
}

/// The difference may be that of two compilers.
#[test]
fn what_was_never_steady_is_said_to_be_so_in_the_advice() {
    let quick = Profile {
        throughput: 1_300.0,
        ..noisy("aot", 0.01)
    };
    let variants = || {
        Synthetic::new(5)
            .variant(noisy("jar", 0.01))
            .variant(quick.clone())
    };
    let sentence = analyse(&variants().run()).advice.sentence;
    assert!(!sentence.contains("warm"), "{sentence}");
    for (cold, said) in [
        (&["aot"][..], "throughput (`aot` was not shown to be warm)"),
        (&["jar", "aot"], "throughput (neither was shown to be warm)"),
    ] {
        let mut run = variants().run();
        let all = run.launches.iter_mut();
        for launch in all.filter(|l| cold.contains(&l.record.cell.as_str())) {
            let phase = &launch.record.phases[1];
            let (from_ms, length_ms) = (phase.started_ms, phase.duration_s * 1e3);
            for sample in &mut launch.samples {
                let share = ((sample.at_ms - from_ms) / length_ms).clamp(0.0, 1.0);
                sample.requests = 5 + (10_000.0 * share * share) as u64;
            }
        }
        let results = analyse(&run);
        assert!(metric(&results, "aot", "closed.throughput").is_unsteady());
        let sentence = results.advice.sentence;
        assert!(sentence.contains(said), "{sentence}");
    }
}

#[test]
fn searches_of_launches_that_count_are_in_the_results_trial_by_trial() {
    let mut run = Synthetic::new(2).variant(noisy("jar", 0.01)).run();
    let search: SearchRecord = serde_json::from_value(serde_json::json!({
        "objective": "p99<50ms", "rate": 100.0, "confirmed": true, "lowest_failing": 200.0, "end": "bracketed",
        "text": "the objective holds at 100/s and fails at 200/s",
        "trials": [{
            "label": "search trial 1", "rate": 100.0, "kind": "explore", "outcome": "held", "started_ms": 0.0,
            "duration_s": 10.0, "requests": 1000, "succeeded": 1000, "throughput": 100.0,
            "response_time_ms": null, "generator_lag_ms": null,
        }],
    }))
    .unwrap();
    for launch in &mut run.launches {
        launch.record.phases[0].search = Some(search.clone());
    }
    run.launches[1].record.outcome = LaunchOutcome::Interrupted;
    let results = analyse(&run);
    let [found] = results.cells[0].searches.as_slice() else {
        panic!("{:?}", results.cells[0].searches);
    };
    assert_eq!((found.launch, found.phase.as_str()), (1, "cold"));
    assert_eq!(found.search, search);
    // Beside the launch and the phase, not within something else.
    let json = serde_json::to_value(found).unwrap();
    assert_eq!(json["launch"], 1);
    assert_eq!(json["trials"][0]["outcome"], "held");
}

#[test]
fn a_run_becomes_results() {
    let quick = Profile {
        ready_ms: 1600.0,
        throughput: 1300.0,
        ..noisy("aot", 0.01)
    };
    let run = Synthetic::new(5)
        .variant(noisy("jar", 0.01))
        .variant(quick)
        .check("ready<1.8s")
        .run();
    let results = analyse(&run);

    let counts: Vec<_> = results
        .cells
        .iter()
        .map(|c| (c.valid, c.invalid, c.failed))
        .collect();
    assert_eq!(counts, [(5, 0, 0), (5, 0, 0)]);
    let ready = metric(&results, "aot", "ready_ms");
    assert_eq!(
        (ready.unit.as_str(), ready.good, ready.values.len()),
        ("ms", Good::Lower, 5)
    );
    assert!((ready.estimate.value - 1600.0).abs() < 1e-6);
    assert!(ready.estimate.low < 1600.0 && 1600.0 < ready.estimate.high);
    let versus = ready.versus_baseline.unwrap();
    assert!((versus.ratio.value - 0.8).abs() < 1e-9);
    assert_eq!((versus.verdict, versus.threshold), (Verdict::Better, 0.05));
    assert!((0.05..0.15).contains(&versus.smallest_detectable));
    let throughput = metric(&results, "aot", "closed.throughput").versus_baseline;
    assert_eq!(throughput.unwrap().verdict, Verdict::Better);
    let size = metric(&results, "aot", "application_bytes").versus_baseline;
    assert_eq!(size.unwrap().verdict, Verdict::Same);
    let built = metric(&results, "aot", "build_s").versus_baseline;
    assert_eq!(built.unwrap().verdict, Verdict::Inconclusive);
    assert_eq!(metric(&results, "jar", "ready_ms").versus_baseline, None);

    assert_eq!(results.cells[0].cost.len(), results.cells[1].cost.len());
    let passed: Vec<bool> = results.checks.iter().map(|c| c.passed).collect();
    assert_eq!(passed, [false, true]);
    assert_eq!(results.certificate.state, CertificateState::Valid);
    assert!(
        results.advice.sentence.starts_with("Ship `aot`"),
        "{}",
        results.advice.sentence
    );
}

/// Three of five that became steady soon, and two that never did, are not quick to become so.
#[test]
fn a_launch_that_never_became_steady_took_at_least_its_phase() {
    let settling = |jar: [Option<f64>; 5], aot: [Option<f64>; 5]| {
        let mut run = Synthetic::new(5)
            .variant(noisy("jar", 0.0))
            .variant(noisy("aot", 0.0))
            .check("closed.settled_after<25s")
            .run();
        for launch in &mut run.launches {
            let record = &mut launch.record;
            let after_s = if record.cell == "jar" { jar } else { aot };
            let after_s = after_s[record.replicate as usize - 1];
            let phase = &mut record.phases[1];
            phase.settled = Some(after_s.is_some());
            phase.duration_s = after_s.unwrap_or(20.0);
        }
        let results = analyse(&run);
        let found = metric(&results, "aot", "closed.settled_after_s").clone();
        let passed: Vec<bool> = results.checks.iter().map(|c| c.passed).collect();
        (found, passed)
    };
    let (s2, s5) = (Some(2.0), Some(5.0));
    let (found, passed) = settling([s5; 5], [s2, s2, s2, None, None]);
    assert_eq!(found.values.len(), 5);
    assert_eq!(found.unsteady, [8, 10]);
    let verdict = found.versus_baseline.unwrap().verdict;
    assert_eq!(verdict, Verdict::Inconclusive);
    assert!(!found.is_lower_bound());
    assert_eq!(passed, [true, true]);
    // At least four times as long; and nobody knows whether within 25 s.
    let (found, passed) = settling([s5; 5], [None; 5]);
    assert!(found.is_lower_bound());
    assert_eq!(found.versus_baseline.unwrap().verdict, Verdict::Worse);
    assert_eq!(passed, [true, false]);
    // Of both nobody knows how long some launches would have taken.
    let (found, _) = settling([s5, s5, s5, s5, None], [s2, s2, s2, s2, None]);
    assert_eq!(found.versus_baseline, None);
}

/// A late launch says nothing about response times, and as much as the others about the rest.
#[test]
fn what_the_generator_spoiled_is_left_out_of_the_figures_that_it_touched() {
    let mut run = Synthetic::new(5)
        .variant(noisy("jar", 0.01))
        .variant(noisy("aot", 0.01))
        .open_phase("open")
        .run();
    let make_late = |run: &mut RunData, number: u32| {
        let launch = run.launches.iter_mut().find(|l| l.record.number == number);
        let phase = &mut launch.unwrap().record.phases[2];
        let mut on_time = phase.response_time_ms.unwrap();
        on_time.p99 *= 0.5;
        phase.on_time_response_ms = Some(on_time);
    };
    make_late(&mut run, 3);
    let results = analyse(&run);
    let launches = |results: &Results, id: &str| -> Vec<u32> {
        let values = &metric(results, "jar", id).values;
        values.iter().map(|v| v.launch).collect()
    };
    assert_eq!(launches(&results, "open.response_p99_ms"), [1, 5, 7, 9]);
    assert_eq!(launches(&results, "open.response_p50_ms"), [1, 3, 5, 7, 9]);
    assert_eq!(launches(&results, "ready_ms"), [1, 3, 5, 7, 9]);
    assert_eq!(metric(&results, "jar", "open.response_p99_ms").late, [3]);
    assert_eq!(results.certificate.state, CertificateState::Degraded);
    // Without any other they are shown, marked, and compared with nothing.
    for number in [1, 5, 7, 9] {
        make_late(&mut run, number);
    }
    let results = analyse(&run);
    let p99 = metric(&results, "jar", "open.response_p99_ms");
    assert!(p99.is_late() && p99.values.len() == 5);
    let of_other = metric(&results, "aot", "open.response_p99_ms");
    assert!(!of_other.is_late() && of_other.versus_baseline.is_none());
    assert_eq!(results.certificate.state, CertificateState::Degraded);
}

/// A launch and its repetition are one block: of both the first value that counts is taken.
#[test]
fn a_launch_that_was_run_again_counts_once() {
    let mut run = Synthetic::new(5)
        .variant(noisy("jar", 0.01))
        .variant(noisy("aot", 0.01))
        .open_phase("open")
        .run();
    let costs = crate::cost::cell_costs(&run);
    let mut again = run.launches[2].clone();
    again.record.number = 11;
    again.record.phases[1].throughput *= 2.0;
    again.record.resources.at_ready.as_mut().unwrap().cpu_s *= 2.0;
    run.launches.push(again);
    let phase = &mut run.launches[2].record.phases[2];
    let mut on_time = phase.response_time_ms.unwrap();
    on_time.p99 *= 0.5;
    phase.on_time_response_ms = Some(on_time);
    let results = analyse(&run);
    let launches = |id: &str| -> Vec<u32> {
        let values = &metric(&results, "jar", id).values;
        values.iter().map(|v| v.launch).collect()
    };
    assert_eq!(launches("closed.throughput"), [1, 3, 5, 7, 9]);
    assert_eq!(launches("open.response_p99_ms"), [1, 5, 7, 9, 11]);
    assert_eq!(crate::cost::cell_costs(&run), costs);
}

/// A p99 that is the generator's is no best that the others could be held against.
#[test]
fn a_late_figure_hides_no_difference_between_the_others() {
    let slow = Profile {
        service_ms: 20.0,
        ..noisy("slow", 0.01)
    };
    let mut run = Synthetic::new(5)
        .variant(slow)
        .variant(noisy("late", 0.01))
        .variant(Profile {
            service_ms: 4.0,
            ..noisy("quick", 0.01)
        })
        .open_phase("open")
        .run();
    for launch in run.launches.iter_mut().filter(|l| l.record.cell == "late") {
        let phase = &mut launch.record.phases[2];
        let mut on_time = phase.response_time_ms.unwrap();
        on_time.p99 *= 0.5;
        phase.on_time_response_ms = Some(on_time);
    }
    let results = analyse(&run);
    assert!(metric(&results, "late", "open.response_p99_ms").is_late());
    let advice = &results.advice.by_limits[0];
    assert_ne!(advice.pick.as_deref(), Some("slow"), "{advice:#?}");
}

#[test]
fn launches_that_do_not_count_are_counted() {
    let mut run = Synthetic::new(5).variant(noisy("jar", 0.01)).run();
    run.launches[0].record.outcome = LaunchOutcome::Invalid {
        reason: String::new(),
    };
    run.launches[1].record.outcome = LaunchOutcome::Failed {
        cause: FailureCause::NeverReady,
        message: String::new(),
        last_log_lines: Vec::new(),
    };
    let results = analyse(&run);
    let cell = &results.cells[0];
    assert_eq!((cell.valid, cell.invalid, cell.failed), (3, 1, 1));
    let counted: Vec<u32> = metric(&results, "jar", "ready_ms")
        .values
        .iter()
        .map(|v| v.launch)
        .collect();
    assert_eq!(counted, [3, 4, 5]);
}

#[test]
fn variants_that_are_the_same_are_never_better_or_worse() {
    for noise in [0.0, 0.02, 0.3] {
        let run = Synthetic::new(5)
            .variant(noisy("jar", noise))
            .variant(noisy("copy", noise))
            .run();
        let results = analyse(&run);
        let verdicts = results.cells[1]
            .metrics
            .iter()
            .map(|m| m.versus_baseline.unwrap().verdict);
        for verdict in verdicts {
            assert!(
                matches!(verdict, Verdict::Same | Verdict::Inconclusive),
                "{noise}"
            );
        }
        assert!(
            results.break_evens.iter().all(|b| b.requests.is_none()),
            "{noise}"
        );
    }
}

/// What a run of two identical variants says that is false.
fn says_something(results: &Results) -> bool {
    let verdicts = results.cells.iter().flat_map(|cell| &cell.metrics);
    let mut verdicts = verdicts.filter_map(|m| Some(m.versus_baseline?.verdict));
    let advised = &results.advice.by_limits[0];
    verdicts.any(|v| matches!(v, Verdict::Better | Verdict::Worse))
        || !results.break_evens.is_empty()
        || !advised.memory.is_empty()
        || advised.pick.as_deref().is_some_and(|pick| pick != "jar")
        || advised.decided_by.is_some()
}

/// The sum of twelve even draws, less 6: nearly normal (Irwin and Hall).
fn normal(random: &mut ChaCha8Rng) -> f64 {
    (0..12).map(|_| random.random::<f64>()).sum::<f64>() - 6.0
}

/// A long tail on one side, as of a launch that somebody disturbed.
fn skewed(random: &mut ChaCha8Rng) -> f64 {
    -random.random::<f64>().max(1e-9).ln()
}

/// Two modes with hardly any scatter of their own, as by what the compilers did first.
fn in_modes(random: &mut ChaCha8Rng) -> f64 {
    f64::from(u8::from(random.random_bool(0.3))) + 0.05 * normal(random)
}

/// Mostly quiet, now and then far off.
fn contaminated(random: &mut ChaCha8Rng) -> f64 {
    let scale = if random.random_bool(0.1) { 8.0 } else { 1.0 };
    scale * normal(random)
}

/// The share of runs of two identical variants that say something false.
fn wrong(runs: u64, place: Place, launches: u32, noise: f64) -> f64 {
    let wrong = (0..runs).filter(|seed| {
        let run = Synthetic::new(launches)
            .drawn(*seed, place)
            .variant(noisy("jar", noise))
            .variant(noisy("copy", noise))
            .open_phase("open")
            .run();
        says_something(&analyse(&run))
    });
    wrong.count() as f64 / runs as f64
}

#[test]
fn identical_variants_are_seldom_told_apart() {
    for place in [normal as Place, in_modes] {
        let wrong = wrong(40, place, 5, 0.3);
        // 5 % are two of forty; three standard errors more are six.
        assert!(wrong <= 0.15, "{wrong}");
    }
}

/// `make test-error-rate`: the chance of a false word in a run of identical variants, all its
/// sentences counted, and with it a table for docs/decisions/0017-told-apart.md.
#[test]
#[ignore = "minutes"]
fn the_error_rate_holds_for_every_scatter() {
    let scatters: [(&str, Place); 4] = [
        ("normal", normal),
        ("skewed", skewed),
        ("in modes", in_modes),
        ("contaminated", contaminated),
    ];
    let rows = |(name, place): (&'static str, Place)| {
        [(3, 0.02), (3, 0.3), (5, 0.1), (5, 0.3), (10, 0.3)]
            .map(|(launches, noise)| (name, noise, launches, wrong(1000, place, launches, noise)))
    };
    let table: Vec<_> = std::thread::scope(|scope| {
        scatters
            .map(|scatter| scope.spawn(move || rows(scatter)))
            .into_iter()
            .flat_map(|rows| rows.join().expect("a simulation"))
            .collect()
    });
    for (name, noise, launches, wrong) in &table {
        println!("| {name} | {noise} | {launches} | {:.1} % |", 100.0 * wrong);
    }
    // Two standard errors above 5 %.
    assert!(table.iter().all(|(.., wrong)| *wrong <= 0.064));
    for (name, place) in scatters {
        for noise in [0.02, 0.1, 0.3] {
            let (wrong, launches) = wrong_sequentially(300, place, noise);
            println!(
                "| {name} | {noise} | auto, {launches:.1} on average | {:.1} % |",
                100.0 * wrong
            );
            assert!(wrong <= 0.075, "{name} {noise}: {wrong}");
        }
    }
}

const LOOKS: [u32; 5] = [5, 7, 10, 14, 20];

/// A run of variants that looks whether it is enough: what it came to, and after how many launches
/// of each.
fn sequential(variants: &[Profile], seed: u64, place: Place) -> (u32, Results) {
    let mut ended = None;
    for launches in LOOKS {
        let with = |run: Synthetic, variant: &Profile| run.variant(variant.clone());
        let synthetic = Synthetic::new(launches).drawn(seed, place);
        let mut run = variants
            .iter()
            .fold(synthetic, with)
            .open_phase("open")
            .run();
        run.plan.looks = LOOKS.to_vec();
        let is_enough = crate::enough(&run, launches).is_some();
        ended = Some((launches, run));
        if is_enough {
            break;
        }
    }
    let (launches, run) = ended.unwrap();
    (launches, analyse(&run))
}

/// Of runs that look up to five times: the share that say something false, and their launches.
fn wrong_sequentially(runs: u64, place: Place, noise: f64) -> (f64, f64) {
    let variants = [noisy("jar", noise), noisy("copy", noise)];
    let ended = (0..runs).map(|seed| sequential(&variants, seed, place));
    let (wrong, launches) = ended.fold((0, 0), |(wrong, launches), (after, results)| {
        let is_wrong = says_something(&results);
        (wrong + u64::from(is_wrong), launches + u64::from(after))
    });
    (wrong as f64 / runs as f64, launches as f64 / runs as f64)
}

#[test]
fn who_looks_often_says_nothing_false_more_often() {
    for place in [normal as Place, in_modes] {
        let (wrong, _) = wrong_sequentially(30, place, 0.3);
        assert!(wrong <= 0.15, "{wrong}");
    }
}

/// A third of the greatest number is enough where the difference is plain.
#[test]
fn a_plain_difference_is_decided_at_the_first_look() {
    let quick = Profile {
        throughput: 1_700.0,
        ready_ms: 1_000.0,
        ..noisy("quick", 0.05)
    };
    let variants = [noisy("jar", 0.05), quick];
    let early = (0..30).filter(|seed| {
        let (launches, results) = sequential(&variants, *seed, normal);
        let pick = results.advice.by_limits[0].pick.as_deref();
        launches == 5 && pick == Some("quick")
    });
    let early = early.count();
    assert!(early >= 25, "{early}");
}

#[test]
fn what_cannot_be_told_apart_is_given_up_and_one_variant_needs_one_look() {
    let alike = [noisy("jar", 0.3), noisy("copy", 0.3)];
    let given_up = (0..10).filter(|seed| sequential(&alike, *seed, normal).0 < 20);
    assert!(given_up.count() >= 5);
    assert_eq!(sequential(&[noisy("jar", 0.3)], 1, normal).0, 5);
    // Without any scatter they are the same at once.
    let exact = [noisy("jar", 0.0), noisy("copy", 0.0)];
    assert_eq!(sequential(&exact, 1, normal).0, 5);
}

/// Where launches failed, their scatter is not known, and more of them may tell. Where a figure is
/// late or missing, no more of them would.
#[test]
fn it_is_not_given_up_for_scatter_where_launches_are_missing() {
    let mut exact = Synthetic::new(5)
        .variant(noisy("jar", 0.0))
        .variant(noisy("copy", 0.0))
        .open_phase("open")
        .run();
    exact.plan.looks = LOOKS.to_vec();
    let with = |change: fn(&mut LaunchRecord)| {
        let mut run = exact.clone();
        let launches = run.launches.iter_mut().map(|launch| &mut launch.record);
        launches.filter(|it| it.cell == "copy").for_each(change);
        crate::enough(&run, 5)
    };
    let decided = Some(Enough::Decided { after: 5, of: 20 });
    assert_eq!(with(|_| {}), decided);
    let failing = |record: &mut LaunchRecord| {
        if record.replicate > 2 {
            record.outcome = LaunchOutcome::Interrupted;
        }
    };
    assert_eq!(with(failing), None);
    let late = |record: &mut LaunchRecord| {
        let phase = &mut record.phases[2];
        let mut on_time = phase.response_time_ms.unwrap();
        on_time.p99 *= 0.5;
        phase.on_time_response_ms = Some(on_time);
    };
    assert_eq!(with(late), decided);
    let missing = |record: &mut LaunchRecord| record.time_line.ready_ms = None;
    assert_eq!(with(missing), decided);
}

/// What misses a check is not advised: it decides nothing between those that are left.
#[test]
fn a_variant_that_misses_a_check_does_not_decide_how_many_launches_are_enough() {
    let quick = Profile {
        throughput: 2_000.0,
        memory_bytes: 300 << 20,
        ..noisy("quick", 0.1)
    };
    let enough = |check: &str| {
        let mut run = Synthetic::new(5)
            .variant(noisy("jar", 0.1))
            .variant(quick.clone())
            .variant(noisy("copy", 0.1))
            .check(check)
            .run();
        run.plan.looks = LOOKS.to_vec();
        crate::enough(&run, 5)
    };
    let decided = Enough::Decided { after: 5, of: 20 };
    assert_eq!(enough("peak_rss<400MiB"), Some(decided));
    assert_eq!(enough("peak_rss<250MiB"), None);
    // Where each misses one, all of them are compared.
    assert_eq!(enough("peak_rss<10MiB"), Some(decided));
}

/// Where there is a difference it is found, in spite of the correction.
#[test]
fn a_third_less_is_found_in_five_launches_that_scatter_by_5_percent() {
    let found = (0..30).filter(|seed| {
        let quick = Profile {
            ready_ms: 1333.0,
            ..noisy("quick", 0.05)
        };
        let run = Synthetic::new(5)
            .drawn(*seed, normal)
            .variant(noisy("jar", 0.05))
            .variant(quick)
            .run();
        let results = analyse(&run);
        let ready = metric(&results, "quick", "ready_ms").versus_baseline;
        ready.unwrap().verdict == Verdict::Better
    });
    // 99 of 100 were found with other seeds.
    let found = found.count();
    assert!(found >= 27, "{found}");
}

#[test]
fn the_same_run_gives_the_same_results() {
    let run = Synthetic::new(14)
        .variant(noisy("jar", 0.1))
        .variant(noisy("aot", 0.2))
        .run();
    assert_eq!(analyse(&run), analyse(&run));
}

/// Every number of the results, through their debug form, which spells out what JSON cannot hold.
fn is_finite(results: &Results) -> bool {
    let text = format!("{results:?}");
    !text.contains("NaN") && !text.contains("inf")
}

/// A run that something went wrong with.
fn damaged() -> impl Strategy<Value = RunData> {
    let damage = proptest::collection::vec((0usize..6, 0usize..9), 0..6);
    (1u32..4, damage, any::<bool>()).prop_map(|(launches, damages, limited)| {
        let mut synthetic = Synthetic::new(launches)
            .variant(noisy("jar", 0.1))
            .variant(noisy("aot", 0.1))
            .open_phase("open")
            .check("p99<5ms");
        if limited {
            synthetic = synthetic.limits("1cpu", 1.0, 1 << 28);
        }
        let mut run = synthetic.run();
        for (launch, damage) in damages {
            let launch = launch % run.launches.len();
            spoil(&mut run, launch, damage);
        }
        run
    })
}

fn spoil(run: &mut RunData, launch: usize, damage: usize) {
    let data = &mut run.launches[launch];
    let record = &mut data.record;
    match damage {
        0 => data.samples.clear(),
        1 => data.requests.clear(),
        2 => record.resources = Default::default(),
        3 => record.time_line = Default::default(),
        4 => record.phases.truncate(1),
        5 => record.outcome = LaunchOutcome::Interrupted,
        6 => record.limits = None,
        7 => {
            for phase in &mut record.phases {
                phase.response_time_ms = None;
                phase.service_time_ms = None;
                phase.duration_s = 0.0;
                phase.throughput = f64::INFINITY;
                phase.succeeded = 0;
            }
        }
        _ => {
            run.variants.clear();
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn whatever_is_missing_the_results_are_finite(run in damaged()) {
        let results = analyse(&run);
        prop_assert!(is_finite(&results), "{results:?}");
        prop_assert!(!results.advice.sentence.is_empty());
    }
}

/// Seven variants under two limits with ten launches each, which is a large run: more than 500
/// comparisons.
#[test]
fn all_of_a_large_run_is_compared() {
    let names = ["jar", "extracted", "war", "cds", "aot", "jlink", "native"];
    let run = names
        .iter()
        .fold(Synthetic::new(10), |s, name| s.variant(noisy(name, 0.1)))
        .open_phase("open")
        .limits("1cpu", 1.0, 1 << 28)
        .limits("2cpu", 2.0, 1 << 28)
        .run();
    let results = analyse(&run);
    let compared = results.cells.iter().flat_map(|c| &c.metrics);
    let compared = compared.filter(|m| m.versus_baseline.is_some()).count();
    assert!(compared > 400, "{compared}");
}
