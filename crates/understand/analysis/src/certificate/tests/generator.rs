//! The generator and the observers: lateness, processor time, and connections made anew.

use super::*;
use tacho_run_folder::{PlannedRequest, Quantiles};

#[test]
fn dispatch_delay() {
    // Of the times without lateness, a quantile alone or all of them.
    let all = |share: f64| {
        move |times: &mut Quantiles| {
            for quantile in [
                &mut times.p50,
                &mut times.p90,
                &mut times.p95,
                &mut times.p99,
                &mut times.p99_9,
            ] {
                *quantile *= 1.0 - share;
            }
        }
    };
    type Less<'a> = &'a dyn Fn(&mut Quantiles);
    let cases: [(Less<'_>, CertificateState); 5] = [
        (&all(0.09), Valid),
        // The other two launches of the cell stand.
        (&all(0.11), Degraded),
        (&|times| times.p99 *= 0.5, Degraded),
        (&|times| times.p50 *= 0.8, Degraded),
        (&|times| times.max = 0.0, Valid),
    ];
    for (number, (less, expected)) in cases.into_iter().enumerate() {
        let run = with_open(|phase| {
            let mut on_time = phase.response_time_ms.unwrap();
            less(&mut on_time);
            phase.on_time_response_ms = Some(on_time);
        });
        let certificate = certificate(&run);
        let evidence = found(&certificate, "dispatch-delay");
        assert_eq!(evidence.state, expected, "{number}");
        assert!(expected == Valid || evidence.launches == [2]);
        assert_eq!(certificate.state, expected);
    }
    let unrecorded = with_open(|phase| phase.generator_lag_ms = None);
    assert_eq!(state_of(&unrecorded, "dispatch-delay"), Degraded);
    // No launch of one of the variants has anything to go by.
    let mut lost = run();
    for launch in lost.launches.iter_mut().filter(|l| l.record.cell == "aot") {
        let phase = &mut launch.record.phases[2];
        let mut on_time = phase.response_time_ms.unwrap();
        all(0.11)(&mut on_time);
        phase.on_time_response_ms = Some(on_time);
    }
    assert_eq!(state_of(&lost, "dispatch-delay"), Invalid);
}

#[test]
fn busy_connections_are_told_from_a_late_generator() {
    for (wait, expected) in [(0.9, Valid), (1.1, Degraded), (500.0, Degraded)] {
        let run = with_open(|phase| phase.dispatch_delay_ms.as_mut().unwrap().p99 = 0.04 + wait);
        assert_eq!(state_of(&run, "busy-connections"), expected, "{wait}");
        assert_eq!(state_of(&run, "dispatch-delay"), Valid);
    }
}

#[test]
fn generator_cpu() {
    for (cpu_s, expected) in [(8.0, Valid), (8.1, Degraded), (10.0, Degraded)] {
        let run = with_open(|phase| phase.generator_cpu_s = cpu_s);
        assert_eq!(state_of(&run, "generator-cpu"), expected, "{cpu_s}");
    }
    let too_short = with_open(|phase| (phase.duration_s, phase.generator_cpu_s) = (0.09, 0.09));
    assert_eq!(state_of(&too_short, "generator-cpu"), Valid);
}

#[test]
fn reconnects() {
    for (reconnects, expected) in [(0, Valid), (40, Valid), (41, Degraded)] {
        let run = with_open(|phase| phase.reconnects = reconnects);
        assert_eq!(
            state_of(&run, "reconnects"),
            expected,
            "{reconnects} of 2,000"
        );
    }
}

/// Three of four requests ask for it, as `ab` does: those tell of connecting, and are meant to.
#[test]
fn connections_that_are_asked_to_close_are_no_fault() {
    let asked = |weight: f64, closes: bool| PlannedRequest {
        name: "GET /".to_owned(),
        weight,
        sha256: String::new(),
        closes,
    };
    for (reconnects, expected) in [(1_500, Valid), (1_540, Valid), (1_541, Degraded)] {
        let mut run = with_open(|phase| phase.reconnects = reconnects);
        run.plan.requests = Some(vec![asked(3.0, true), asked(1.0, false)]);
        assert_eq!(state_of(&run, "reconnects"), expected, "{reconnects}");
        if expected == Degraded {
            let said = found(&certificate(&run), "reconnects").statement.clone();
            assert!(said.contains("75 % of all requests ask for it"), "{said}");
        }
    }
}

#[test]
fn observer_cpu() {
    for (share, expected) in [(0.049, Valid), (0.051, Degraded)] {
        let mut run = run();
        let resources = &mut run.launches[0].record.resources;
        resources.observer_cpu_s = share * resources.at_end.unwrap().at_ms / 1e3;
        assert_eq!(state_of(&run, "observer-cpu"), expected, "{share}");
    }
    // Looking while nothing is measured takes nobody's time, however short the launch.
    let mut run = run();
    let resources = &mut run.launches[0].record.resources;
    let end_s = resources.at_end.unwrap().at_ms / 1e3;
    (resources.observer_cpu_s, resources.observer_cpu_at_rest_s) = (0.14 * end_s, 0.1 * end_s);
    assert_eq!(state_of(&run, "observer-cpu"), Valid);
}
