//! What the hypervisor and other processes took of the machine.

use super::*;

#[test]
fn steal() {
    let capacity_s: f64 = 2.0
        * run().launches[0]
            .record
            .phases
            .iter()
            .map(|p| p.duration_s)
            .sum::<f64>();
    for (share, expected) in [
        (0.0099, Valid),
        (0.0101, Degraded),
        (0.0499, Degraded),
        (0.0501, Invalid),
    ] {
        let mut run = run();
        run.launches[0].record.phases[1].steal_s = share * capacity_s;
        assert_eq!(state_of(&run, "steal"), expected, "{share}");
    }
    // Two ticks of a launch of a tenth of a second are rounding, three are not.
    for (steal_s, expected) in [(0.02, Valid), (0.03, Invalid)] {
        let mut run = run();
        for phase in &mut run.launches[0].record.phases {
            phase.duration_s = 0.033;
        }
        run.launches[0].record.phases[0].steal_s = steal_s;
        assert_eq!(state_of(&run, "steal"), expected, "{steal_s}");
    }
}

#[test]
fn other_processes() {
    // Alike in each phase of launch 2, on the 2 processors of the synthetic machine.
    let with_others = |share: f64| {
        let mut run = run();
        for phase in &mut run.launches[1].record.phases {
            let used = phase.processors.as_mut().unwrap();
            used.busy_cpu_s = used.subject_cpu_s + used.tacho_cpu_s + 2.0 * share * used.span_s;
        }
        run
    };
    for (share, expected) in [
        (0.049, Valid),
        (0.051, Degraded),
        (0.499, Degraded),
        (0.501, Invalid),
    ] {
        let certificate = certificate(&with_others(share));
        let evidence = found(&certificate, "other-processes");
        assert_eq!(evidence.state, expected, "{share}");
        let says_what_to_do = evidence.statement.contains("`top`");
        assert_eq!(says_what_to_do, expected != Valid, "{evidence:?}");
        assert!(expected == Valid || evidence.launches == [2]);
    }
    let not_judged = |change: fn(&mut PhaseRecord)| {
        let mut run = with_others(0.9);
        for launch in &mut run.launches {
            launch.record.phases.iter_mut().for_each(change);
        }
        let evidence = certificate(&run).evidence;
        evidence.iter().all(|e| e.rule != "other-processes")
    };
    // Not known, nothing was sent, too short for the tick.
    assert!(not_judged(|phase| phase.processors = None));
    assert!(not_judged(|phase| phase.requests = 0));
    assert!(not_judged(|phase| {
        phase.processors.as_mut().unwrap().span_s = 0.3;
    }));
}

/// Of launches from which time was stolen it is asked whether they were slower.
#[test]
fn stolen_time_counts_by_what_it_did() {
    let stolen = |slower: f64, noise: f64| {
        let profile = |name: &str| Profile {
            noise,
            ..Profile::named(name)
        };
        let synthetic = Synthetic::new(10)
            .variant(profile("jar"))
            .variant(profile("aot"));
        let mut run = synthetic.run();
        for launch in run.launches.iter_mut().step_by(3) {
            let closed = &mut launch.record.phases[1];
            closed.steal_s = 0.03 * 2.0 * closed.duration_s;
            closed.throughput /= slower;
        }
        found(&certificate(&run), "steal").clone()
    };
    let unharmed = stolen(1.0, 0.01);
    assert_eq!(unharmed.state, Valid, "{unharmed:?}");
    assert!(
        unharmed
            .statement
            .ends_with("as fast as the others, within 5 %"),
        "{unharmed:?}"
    );
    let harmed = stolen(1.3, 0.01);
    assert_eq!(harmed.state, Degraded, "{harmed:?}");
    assert!(
        harmed.statement.contains("30 % slower than the others"),
        "{harmed:?}"
    );
    // Nothing is shown where launches scatter as much.
    assert_eq!(stolen(1.0, 0.5).state, Degraded);
}

/// One with nothing to be held against may be the one that was slowed down.
#[test]
fn stolen_time_of_a_cell_without_calm_launches_is_not_explained_by_another_cell() {
    let synthetic = Synthetic::new(5)
        .variant(Profile::named("jar"))
        .variant(Profile::named("aot"));
    let mut run = synthetic.run();
    for launch in &mut run.launches {
        let record = &mut launch.record;
        let share = match record.cell.as_str() {
            "aot" => 0.08,
            _ if record.number == 1 => 0.02,
            _ => 0.0,
        };
        let duration_s: f64 = record.phases.iter().map(|p| p.duration_s).sum();
        record.phases[1].steal_s = share * 2.0 * duration_s;
    }
    assert_eq!(state_of(&run, "steal"), Invalid);
}

/// The phases of a launch are no launches: what slows one down slows down the next.
#[test]
fn the_phases_of_a_stolen_launch_count_once() {
    let synthetic = Synthetic::new(6)
        .variant(Profile::named("jar"))
        .open_phase("even")
        .open_phase("later");
    let mut run = synthetic.run();
    let factors = [0.97, 0.97, 1.03, 1.03, 1.0, 1.0];
    for (index, launch) in run.launches.iter_mut().enumerate() {
        let phases = &mut launch.record.phases;
        let stolen_s = 0.03 * 2.0 * phases.iter().map(|p| p.duration_s).sum::<f64>();
        phases[1].steal_s = if index % 2 == 0 { stolen_s } else { 0.0 };
        phases[1].throughput /= factors[index];
        for open in &mut phases[2..] {
            open.response_time_ms.as_mut().unwrap().p50 *= factors[index];
        }
    }
    // Three launches of each that scatter by 3 % show nothing within 5 %.
    assert_eq!(state_of(&run, "steal"), Degraded);
}
