//! A launch that is known to be spoiled as soon as it is over.

use super::*;
use tacho_run_folder::Quantiles;

/// As soon as it is over: what takes the machine from it, and what the generator was late with.
#[test]
fn a_launch_is_spoiled_by_what_took_the_machine() {
    let record = || {
        let run = Synthetic::new(1)
            .variant(Profile::named("jar"))
            .open_phase("open")
            .run();
        run.launches.into_iter().next().unwrap().record
    };
    assert_eq!(spoiled(&record(), 2, Beside::Nothing), None);
    let mut busy = record();
    for phase in &mut busy.phases {
        let used = phase.processors.as_mut().unwrap();
        used.busy_cpu_s += 1.2 * used.span_s;
    }
    let Some(Spoil::Disturbed(why)) = spoiled(&busy, 2, Beside::Nothing) else {
        panic!("others took more than half");
    };
    assert!(why.starts_with("other processes took 6"), "{why}");
    let mut stolen = record();
    stolen.phases[1].steal_s = 3.0;
    assert!(matches!(
        spoiled(&stolen, 2, Beside::Nothing),
        Some(Spoil::Disturbed(_))
    ));
    // What would only degrade the run, too.
    let others = |share: f64| {
        let mut record = record();
        for phase in &mut record.phases {
            let used = phase.processors.as_mut().unwrap();
            used.busy_cpu_s = used.subject_cpu_s + used.tacho_cpu_s + share * 2.0 * used.span_s;
        }
        (
            spoiled(&record, 2, Beside::Nothing),
            spoiled(&record, 2, Beside::Cluster),
        )
    };
    assert_eq!(others(0.04), (None, None));
    assert!(matches!(others(0.06), (Some(Spoil::Disturbed(_)), None)));
    let mut late = record();
    let response = late.phases[2].response_time_ms.unwrap();
    late.phases[2].on_time_response_ms = Some(Quantiles {
        p99: response.p99 * 0.8,
        ..response
    });
    assert!(matches!(
        spoiled(&late, 2, Beside::Nothing),
        Some(Spoil::Late(_))
    ));
    late.outcome = LaunchOutcome::Interrupted;
    assert_eq!(spoiled(&late, 2, Beside::Nothing), None);
}
