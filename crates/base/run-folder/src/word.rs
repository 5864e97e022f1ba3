//! Words of vocabularies to which a later version of Tacho may add.

use serde::{Deserialize, Serialize};
use std::fmt;

/// A word in a file that may have been written by a later version: one that is not known here is
/// kept as it stands, and is no reason to refuse the file.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Word<T> {
    /// One of this version's.
    Known(T),
    /// A word that this version does not know, as it stands in the file.
    Other(String),
}

impl<T: Copy> Word<T> {
    /// It, when this version knows it.
    pub fn known(&self) -> Option<T> {
        match self {
            Self::Known(word) => Some(*word),
            Self::Other(_) => None,
        }
    }
}

impl<T> From<T> for Word<T> {
    fn from(word: T) -> Self {
        Self::Known(word)
    }
}

/// No word yet.
impl<T> Default for Word<T> {
    fn default() -> Self {
        Self::Other(String::new())
    }
}

impl<T: PartialEq> PartialEq<T> for Word<T> {
    fn eq(&self, other: &T) -> bool {
        matches!(self, Self::Known(word) if word == other)
    }
}

impl<T: fmt::Display> fmt::Display for Word<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Known(word) => word.fmt(f),
            Self::Other(word) => f.pad(word),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::{Collector, JvmSeen};

    #[test]
    fn a_word_of_a_later_version_is_kept_as_it_stands() {
        let read = |name: &str| {
            let seen: JvmSeen =
                serde_json::from_value(serde_json::json!({"collector": name})).unwrap();
            assert_eq!(serde_json::json!(seen)["collector"], name);
            seen.collector.unwrap()
        };
        assert_eq!(read("G1").known(), Some(Collector::G1));
        let later = read("Generational Shenandoah");
        assert_eq!(later.known(), None);
        assert_eq!(later.to_string(), "Generational Shenandoah");
    }
}
