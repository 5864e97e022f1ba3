//! Two runs at once on one machine: refused with words, or separate; never mixed.

use crate::house::{House, until};
use crate::support::Told;
use std::collections::BTreeSet;
use std::fs;

/// Each folder holds launches of its own process alone: whole, numbered without a gap, with one
/// port.
fn is_separate(house: &House, launches: usize) {
    let mut ports = Vec::new();
    for run in house.run_folders() {
        let all = House::launches(&run);
        assert_eq!(all.len(), launches, "{}", run.display());
        let numbers: BTreeSet<_> = all.iter().map(|l| l["number"].to_string()).collect();
        assert_eq!(numbers.len(), launches, "{numbers:?}");
        let of_run: BTreeSet<_> = all
            .iter()
            .map(|l| l["time_line"]["port"].to_string())
            .collect();
        assert_eq!(of_run.len(), 1, "{of_run:?}");
        ports.extend(of_run);
        house.report(&run);
    }
    let different: BTreeSet<_> = ports.iter().collect();
    assert_eq!(different.len(), ports.len(), "{ports:?}");
}

#[test]
fn two_runs_into_one_folder_stay_apart() {
    let mut house = House::new();
    for name in ["one", "two"] {
        let port = house.port();
        let text = house.experiment(&[(name, port, "well")], "");
        house.write(&format!("{name}.yaml"), &text);
    }
    let both = ["one", "two"].map(|name| house.start(house.tacho(&format!("run {name}.yaml"))));
    for told in both.map(|started| started.told()) {
        // Beside the other the certificate may be invalid.
        assert!(matches!(told.code, Some(0 | 3)), "{told:#?}");
    }
    assert_eq!(house.run_folders().len(), 2);
    is_separate(&house, 2);
    for run in house.run_folders() {
        let cells: BTreeSet<_> = House::launches(&run)
            .iter()
            .map(|l| l["cell"].to_string())
            .collect();
        assert_eq!(cells.len(), 1, "mixed: {cells:?}");
        let variants = fs::read_dir(run.join("variants")).unwrap().count();
        assert_eq!(variants, 1);
    }
    house.is_clean();
}

#[test]
fn two_runs_on_one_port_are_refused_with_words() {
    let house = House::with("well", "launches: 4\n");
    let port = house.experiment_port();
    let more =
        format!("launches: 4\nsubject: {{port: {port}, ready: {{http: /health, timeout: 60s}}}}\n");
    house.write(
        "experiment.yaml",
        &house.experiment(&[("it", port, "well")], &more),
    );
    let first = house.start(house.tacho("run experiment.yaml"));
    house.until_measured();
    let second = house.run(house.tacho("run experiment.yaml"));
    let first = first.told();
    // The other was there, or came first.
    let fate = |told: &Told| {
        ["is taken by", "another process listens"]
            .iter()
            .any(|said| told.out.contains(said) || told.err.contains(said))
    };
    for told in [&first, &second] {
        assert!(matches!(told.code, Some(0 | 3)), "{told:#?}");
    }
    // Each launch is completed on a process of its own run, or failed with the reason: the other
    // may have been quicker.
    let mut completed = 0;
    for run in house.run_folders() {
        for launch in House::launches(&run) {
            match launch["outcome"]["state"].as_str() {
                Some("completed") => {
                    completed += 1;
                    assert_eq!(launch["phases"][1]["succeeded"], 200, "{launch:#}");
                }
                _ => assert!(
                    ["port-taken", "exited"]
                        .contains(&launch["outcome"]["cause"].as_str().unwrap()),
                    "{launch:#}"
                ),
            }
        }
        house.report(&run);
    }
    assert!(completed > 0);
    let failed = 8 - completed;
    assert!(
        failed == 0 || fate(&first) || fate(&second),
        "{first:#?}\n{second:#?}"
    );
    house.is_clean();
}

/// A sweep of one takes nothing from the other that lives.
#[test]
fn a_command_beside_a_run_takes_nothing_from_it() {
    let house = House::with("well", "launches: 4\n");
    let mut run = house.start(house.tacho("run experiment.yaml"));
    until("the run has a folder", || house.run_folder().is_some());
    let mut commands = 0;
    while run.is_running() && commands < 40 {
        let told = house.run(house.tacho("schema run"));
        assert_eq!(told.code, Some(0), "{told:#?}");
        // Other tests kill theirs, and what those left is swept by whoever comes next.
        let swept = told.err.starts_with("An earlier Tacho was killed");
        assert!(told.err.is_empty() || swept, "{told:#?}");
        commands += 1;
    }
    let told = run.told();
    assert!(matches!(told.code, Some(0 | 3)), "{told:#?}");
    for launch in House::launches(&house.run_folder().unwrap()) {
        assert_eq!(launch["outcome"]["state"], "completed", "{launch:#}");
    }
    house.is_clean();
}
