//! Every rule has a row in `docs/certificate.md`, and another one with its remedy: those of a run
//! of launches as well, which are in the same page.

use super::*;
use std::collections::BTreeSet;

/// The ids that have a row in a section: in its tables of remedies, or in all others.
fn ids(section: &str, of_remedies: bool) -> BTreeSet<&str> {
    let mut are_remedies = false;
    let mut ids = BTreeSet::new();
    for line in section.lines() {
        if line.starts_with("| rule |") {
            are_remedies = line == "| rule | remedy |";
        }
        let row = line.strip_prefix("| `").and_then(|row| row.split_once('`'));
        if are_remedies == of_remedies {
            ids.extend(row.map(|(id, _)| id));
        }
    }
    ids
}

#[test]
fn every_rule_is_documented_with_its_remedy() {
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../docs/certificate.md");
    let page = std::fs::read_to_string(page).unwrap();
    let (_, page) = page.split_once("\n## `tacho run`\n").unwrap();
    let (run, page) = page.split_once("\n## `tacho load`\n").unwrap();
    let (load, _) = page.split_once("\n## ").unwrap();
    let of_run: BTreeSet<&str> = tacho_analysis::certificate::rule_ids().collect();
    let of_load: BTreeSet<&str> = RULES.iter().map(|(id, ..)| *id).chain([SOURCE]).collect();
    for (section, rules) in [(run, of_run), (load, of_load)] {
        assert_eq!(ids(section, false), rules, "what is checked");
        assert_eq!(ids(section, true), rules, "remedies");
    }
}
