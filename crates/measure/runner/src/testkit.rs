//! What the tests of this crate have in common.

use tacho_run_folder::PreparedVariant;
use tacho_subject::{Prepared, ProofNeeded};

/// A variant `a` that is not made with any JDK.
pub fn prepared(kind: &str, command: &[&str]) -> Prepared {
    Prepared {
        record: PreparedVariant {
            name: "a".into(),
            kind: kind.into(),
            command: command.iter().map(|&word| word.to_owned()).collect(),
            directory: "/".into(),
            environment: Default::default(),
            runtime: None,
            build_commands: Vec::new(),
            build_s: 0.0,
            application_bytes: 0,
            runtime_bytes: 0,
            warm_up: None,
            notes: Vec::new(),
        },
        proof: ProofNeeded::None,
        keep: Vec::new(),
        jvm_release: None,
        jdk_home: None,
    }
}
