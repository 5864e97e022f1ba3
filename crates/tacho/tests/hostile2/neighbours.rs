//! Other users of the same machine.

use crate::support::Lab;
use std::collections::BTreeSet;
use std::fs;

#[test]
fn the_mark_of_a_launch_cannot_be_guessed() {
    let command = "sh -c 'echo mark=$TACHO_LAUNCH; exit 1'";
    let lab = Lab::new(&format!(
        "tacho: 1\nname: marks\nvariants:\n  - {{name: a, kind: exec, command: \"{command}\"}}\nrequests: [GET /]\nphases:\n  - cold: {{requests: 1}}\nlaunches: 3\nrest: 0ms\n"
    ));
    lab.run(&[]).exits(3);
    let launches = fs::read_dir(lab.run_folder().join("launches")).unwrap();
    let marks: Vec<String> = launches
        .map(|launch| fs::read_to_string(launch.unwrap().path().join("log.txt")).unwrap())
        .filter_map(|log| Some(log.split_once("mark=")?.1.lines().next()?.to_owned()))
        .collect();
    assert_eq!(marks.len(), 3, "{marks:?}");
    // Process number and count are known to all; what comes after them is not the time.
    let secrets: BTreeSet<&str> = marks
        .iter()
        .filter_map(|mark| mark.splitn(3, '-').nth(2))
        .collect();
    assert_eq!(secrets.len(), 3, "{marks:?}");
    for secret in secrets {
        let digits = secret.chars().filter(char::is_ascii_hexdigit).count();
        assert!(digits >= 32, "{marks:?}");
    }
}
