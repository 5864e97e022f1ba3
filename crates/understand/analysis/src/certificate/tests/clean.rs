//! A run that nothing is wrong with.

use super::*;

#[test]
fn a_clean_run_is_valid_and_lists_its_rules() {
    let certificate = certificate(&run());
    assert_eq!(certificate.state, Valid, "{certificate:#?}");
    let rules: Vec<&str> = certificate
        .evidence
        .iter()
        .map(|e| e.rule.as_str())
        .collect();
    assert_eq!(
        rules,
        [
            "dispatch-delay",
            "busy-connections",
            "generator-cpu",
            "reconnects",
            "observer-cpu",
            "steal",
            "other-processes",
            "failed-requests",
            "failed-launches",
            "replication",
            "interrupted",
        ]
    );
    let statements = certificate.evidence.iter().map(|e| &e.statement);
    assert!(
        statements
            .clone()
            .all(|s| s.contains("bound") || s.contains("above"))
    );
    assert!(
        statements
            .clone()
            .all(|s| s.chars().any(|c| c.is_ascii_digit()))
    );
    assert!(
        certificate
            .evidence
            .iter()
            .all(|e| !e.launches.is_empty() || e.state == Valid)
    );
}
