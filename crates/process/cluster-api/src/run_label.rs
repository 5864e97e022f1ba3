//! The run that an object of the cluster belongs to.

use std::fmt;

/// A label's value has 63 characters; names of objects are made of it, and have a number at their
/// end (<https://kubernetes.io/docs/concepts/overview/working-with-objects/labels/>).
const LONGEST: usize = 48;

/// Identifies a run among the objects of a namespace: letters, digits and dashes, as both names and
/// values of labels may have them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunLabel(String);

impl RunLabel {
    /// What can be kept of the identifier of a run, which begins with its instant.
    #[must_use]
    pub fn of(run: &str) -> Self {
        let plain = |c: char| match c.is_ascii_alphanumeric() {
            true => c.to_ascii_lowercase(),
            false => '-',
        };
        let text: String = run.chars().map(plain).take(LONGEST).collect();
        let text = text.trim_matches('-');
        Self(if text.is_empty() { "run" } else { text }.to_owned())
    }

    /// The name of its object of this number.
    #[must_use]
    pub fn name_of(&self, what: &str) -> String {
        format!("tacho-{self}-{what}")
    }
}

impl fmt::Display for RunLabel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_run_is_known_again_by_its_label() {
        let label = RunLabel::of("20261127-201645-cold_Start");
        assert_eq!(label.to_string(), "20261127-201645-cold-start");
        assert_eq!(label.name_of("7"), "tacho-20261127-201645-cold-start-7");
        assert_eq!(RunLabel::of("../..").to_string(), "run");
    }

    proptest! {
        #[test]
        fn whatever_a_run_is_called_its_label_is_one(run in ".{0,80}") {
            let name = RunLabel::of(&run).name_of("launch-123");
            prop_assert!(name.len() <= 63 + 3, "{name}");
            let ends = |c: Option<char>| c.is_some_and(|c| c.is_ascii_alphanumeric());
            prop_assert!(ends(name.chars().next()) && ends(name.chars().last()));
            prop_assert!(name.chars().all(|c| c == '-' || c.is_ascii_lowercase() || c.is_ascii_digit()));
        }
    }
}
