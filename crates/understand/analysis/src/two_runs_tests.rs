//! Two runs of which is known how unlike they are.

use super::*;
use crate::testkit::{Profile, Synthetic};
use tacho_run_folder::{CertificateState, MetricResult, Verdict};

fn run(launches: u32, variants: &[(&str, f64)]) -> RunData {
    let mut run = Synthetic::new(launches);
    for (name, throughput) in variants {
        run = run.variant(Profile {
            throughput: *throughput,
            noise: 0.01,
            ..Profile::named(name)
        });
    }
    run.run()
}

fn side(run: &RunData, variant: &str, name: &str) -> Side {
    Side {
        run: run.clone(),
        variant: variant.to_owned(),
        name: name.to_owned(),
    }
}

fn beside(was: &RunData, is: &RunData) -> Result<Beside, Unlike> {
    Beside::of(
        side(was, "jar", "jar of main"),
        side(is, "jar", "jar of pr"),
    )
}

fn throughput(results: &Results) -> &MetricResult {
    let mut metrics = results.cells[1].metrics.iter();
    metrics
        .find(|metric| metric.id == "closed.throughput")
        .unwrap()
}

#[test]
fn a_run_that_is_slower_than_the_other_is_told_so_and_a_like_one_is_not() {
    let main = run(6, &[("jar", 1000.0)]);
    for (now, verdict) in [
        (800.0, Verdict::Worse),
        (1000.0, Verdict::Same),
        (1300.0, Verdict::Better),
    ] {
        let results = beside(&main, &run(9, &[("jar", now)])).unwrap().analyse();
        let names: Vec<&str> = results.cells.iter().map(|cell| &*cell.variant).collect();
        assert_eq!(names, ["jar of main", "jar of pr"]);
        assert_eq!((results.cells[0].valid, results.cells[1].valid), (6, 9));
        let against = throughput(&results).versus_baseline.unwrap();
        assert_eq!(against.verdict, verdict, "{against:?}");
        assert!((against.ratio.value - now / 1000.0).abs() < 0.01);
    }
}

/// From eight launches on those of one run are compared within their blocks; two runs have none.
#[test]
fn what_two_runs_have_by_chance_in_the_same_launch_does_not_cancel_out() {
    let scattered = |throughput: f64| {
        let profile = Profile {
            throughput,
            noise: 0.5,
            ..Profile::named("jar")
        };
        Synthetic::new(9).variant(profile).run()
    };
    let results = beside(&scattered(1000.0), &scattered(800.0))
        .unwrap()
        .analyse();
    let against = throughput(&results).versus_baseline.unwrap();
    assert_eq!(against.verdict, Verdict::Inconclusive, "{against:?}");
}

#[test]
fn other_variants_of_a_run_take_no_part() {
    let main = run(6, &[("native", 3000.0), ("jar", 1000.0)]);
    let results = beside(&main, &run(6, &[("jar", 1000.0)]))
        .unwrap()
        .analyse();
    assert_eq!(results.cells.len(), 2);
    let against = throughput(&results).versus_baseline.unwrap();
    assert_eq!(against.verdict, Verdict::Same);
}

#[test]
fn each_run_is_judged_by_itself_and_the_worst_of_both_counts() {
    let main = run(6, &[("jar", 1000.0)]);
    let mut disturbed = main.clone();
    for phase in &mut disturbed.launches[2].record.phases {
        let processors = phase.processors.as_mut().unwrap();
        processors.busy_cpu_s += processors.span_s * 1.5;
    }
    let state = |was: &RunData, is: &RunData| beside(was, is).unwrap().analyse().certificate;
    assert_eq!(state(&main, &main).state, CertificateState::Valid);
    let told = state(&main, &disturbed);
    assert!(told.state > CertificateState::Valid);
    let evidence = told.evidence.iter().find(|one| one.state == told.state);
    let evidence = evidence.unwrap();
    assert!(
        evidence.statement.starts_with("jar of pr: "),
        "{evidence:?}"
    );
    // Its launches are numbered after those of the other.
    assert_eq!(evidence.launches, [9]);
}

#[test]
fn what_measured_something_else_is_refused() {
    let main = run(3, &[("jar", 1000.0)]);
    let refused = |change: &dyn Fn(&mut RunData)| {
        let mut other = main.clone();
        change(&mut other);
        beside(&main, &other).unwrap_err().to_string()
    };
    let said = refused(&|run| run.plan.phases.remove(0).label.clear());
    assert!(said.contains("phases differ (kind cold"), "{said}");
    let said = refused(&|run| run.plan.pods = 2);
    assert!(said.contains("1 processes in one and 2"), "{said}");
    let said = refused(&|run| run.plan.cells[0].limits.cpu = Some(0.5));
    assert!(said.contains("limits differ (none; none)"), "{said}");
    let request = |sha256: &str| {
        Some(vec![PlannedRequest {
            name: "GET /a".to_owned(),
            weight: 1.0,
            sha256: sha256.to_owned(),
            closes: false,
        }])
    };
    let mut main = main.clone();
    main.plan.requests = request("0123456789");
    let mut other = main.clone();
    other.plan.requests = request("9876543210");
    let said = beside(&main, &other).unwrap_err().to_string();
    assert!(said.contains("`GET /a` (01234567), weight 1"), "{said}");
    // An older Tacho sent the same, and did not say what it asks of its connection.
    other.plan.requests = request("0123456789");
    other.plan.requests.as_mut().unwrap()[0].closes = true;
    assert!(beside(&main, &other).is_ok());
    // Of one that is older still nobody knows.
    other.plan.requests = None;
    let notes = beside(&main, &other).unwrap().notes;
    assert!(
        notes[0].contains("did not record which requests"),
        "{notes:?}"
    );
}

#[test]
fn another_machine_is_no_reason_to_refuse_and_is_named() {
    let main = run(3, &[("jar", 1000.0)]);
    let mut other = main.clone();
    let machine = &mut other.header.machine;
    machine.kernel = "6.8".to_owned();
    machine.memory_bytes += machine.memory_bytes / 100;
    let found = beside(&main, &other).unwrap();
    assert_eq!(found.elsewhere, Vec::<String>::new());
    assert!(
        found
            .notes
            .contains(&"The runs have unlike kernels: 6.1 and 6.8.".to_owned())
    );
    other.header.machine.cpus = 4;
    other.header.machine.memory_bytes *= 2;
    let found = beside(&main, &other).unwrap();
    assert_eq!(found.elsewhere[0], "2 processors and 4");
    assert_eq!(found.elsewhere.len(), 2);
}
