//! What a copy of the baseline says of a run.

use super::*;
use tacho_run_folder::Results;

/// Its verdicts stand beside the others, it decides nothing, and the certificate says what they are
/// worth.
#[test]
fn what_is_told_of_a_copy_of_the_baseline_degrades() {
    let quick = || Profile {
        throughput: 1_900.0,
        ..Profile::named("aot")
    };
    let told = |copy: Profile| {
        let mut run = Synthetic::new(5)
            .variant(Profile::named("jar"))
            .variant(quick())
            .variant(copy)
            .run();
        run.plan.aa = Some("jar-aa".to_owned());
        crate::analyse(&run)
    };
    let of = |results: &Results| {
        let evidence = results.certificate.evidence.iter();
        evidence.clone().find(|e| e.rule == "a-a").cloned().unwrap()
    };
    let same = told(Profile::named("jar-aa"));
    assert_eq!(of(&same).state, CertificateState::Valid);
    assert!(of(&same).statement.contains("in none of"), "{same:#?}");
    // Faster than all of them, as if the machine had had a good minute each time.
    let other = told(Profile {
        throughput: 4_000.0,
        ..Profile::named("jar-aa")
    });
    let evidence = of(&other);
    assert_eq!(evidence.state, CertificateState::Degraded);
    assert!(
        evidence.statement.contains("throughput, closed (×"),
        "{evidence:?}"
    );
    assert_eq!(other.advice.by_limits[0].pick.as_deref(), Some("aot"));
    assert!(
        !other.advice.sentence.contains("jar-aa"),
        "{:?}",
        other.advice
    );
}
