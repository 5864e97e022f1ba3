//! Evidence that an optimisation was active, and what the JVM made of its surroundings.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use tacho_figures::percent;
use tacho_run_folder::Proof;
use tacho_subject::ProofNeeded;

/// What could be seen of the process when it was ready.
#[derive(Debug, Clone, Default)]
pub struct Sight {
    /// Files that the process tree has mapped.
    pub mapped: BTreeSet<PathBuf>,
    /// Executables of the process tree.
    pub executables: Vec<PathBuf>,
    /// Classes loaded in all, and those of them that came from an archive.
    pub classes: Option<(u64, u64)>,
}

/// Holds the evidence against the claim; `None` when nothing was claimed.
#[must_use]
pub fn judge(needed: &ProofNeeded, sight: &Sight) -> Option<Proof> {
    match needed {
        ProofNeeded::None => None,
        ProofNeeded::SharedClasses {
            claim,
            archive,
            at_least,
        } => Some(shared_classes(claim, archive, *at_least, sight)),
        ProofNeeded::Runtime { claim, exe_under } => {
            let exe = sight
                .executables
                .iter()
                .find(|exe| exe.starts_with(exe_under));
            Some(Proof {
                claim: claim.clone().into_owned(),
                holds: exe.is_some(),
                shared_classes: None,
                evidence: match exe {
                    Some(exe) => format!("the process executes {}", exe.display()),
                    None => format!(
                        "no process executes anything below {}, but: {}",
                        exe_under.display(),
                        sight
                            .executables
                            .iter()
                            .map(|exe| exe.display().to_string())
                            .collect::<Vec<_>>()
                            .join(", ")
                    ),
                },
            })
        }
    }
}

fn shared_classes(claim: &str, archive: &Path, at_least: f64, sight: &Sight) -> Proof {
    let name = archive.display();
    let mapped = sight.mapped.contains(archive);
    let share = sight.classes.map(|(all, shared)| {
        if all == 0 {
            0.0
        } else {
            shared as f64 / all as f64
        }
    });
    let enough = share.is_some_and(|share| share >= at_least);
    let counts = match (sight.classes, share) {
        (Some((all, shared)), Some(share)) => format!(
            "{shared} of {all} classes ({}) came from an archive, at least {} were to be shown",
            percent(share),
            percent(at_least)
        ),
        _ => "the JVM's performance memory (/tmp/hsperfdata_USER) could not be read: is -XX:-UsePerfData set, is /tmp full or not writable for the JVM, or is it another user's JVM?".to_owned(),
    };
    let evidence = match (mapped, enough) {
        (true, true) => format!("{name} is mapped; {counts}"),
        (true, false) => format!("{name} is mapped, but {counts}"),
        (false, _) => format!(
            "{name} is not mapped: the JVM ignored it without a word. Run the command with -Xlog:cds -Xlog:aot to see why (another JVM build, other flags or another class path than in the training); {counts}"
        ),
    };
    Proof {
        claim: claim.to_owned(),
        holds: mapped && enough,
        shared_classes: share,
        evidence,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn needed() -> ProofNeeded {
        ProofNeeded::SharedClasses {
            claim: "classes are served from the AOT cache".into(),
            archive: "/run/app.aot".into(),
            at_least: 0.5,
        }
    }

    fn sight(mapped: bool, shared: u64) -> Sight {
        Sight {
            mapped: mapped.then(|| "/run/app.aot".into()).into_iter().collect(),
            classes: Some((1000, shared)),
            ..Sight::default()
        }
    }

    #[test]
    fn an_archive_must_be_mapped_and_serve_its_share() {
        let holds = |sight: &Sight| judge(&needed(), sight).unwrap().holds;
        assert!(holds(&sight(true, 900)));
        assert!(!holds(&sight(true, 100)));
        assert!(!holds(&sight(false, 900)));
        assert!(!holds(&Sight::default()));
    }

    #[test]
    fn a_runtime_of_its_own_must_be_the_one_that_runs() {
        let needed = ProofNeeded::Runtime {
            claim: "it runs on the trimmed runtime".into(),
            exe_under: "/build/runtime".into(),
        };
        let with = |exe: &str| Sight {
            executables: vec![exe.into()],
            ..Sight::default()
        };
        assert!(
            judge(&needed, &with("/build/runtime/bin/java"))
                .unwrap()
                .holds
        );
        assert!(
            !judge(&needed, &with("/usr/lib/jvm/bin/java"))
                .unwrap()
                .holds
        );
        assert!(judge(&ProofNeeded::None, &with("/x")).is_none());
    }
}
