//! The name of a namespace.

use std::fmt;
use std::str::FromStr;

/// A namespace by its name, which is a label of RFC 1123: at most 63 small letters, digits and
/// hyphens, with no hyphen at either end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Namespace(String);

/// It is no name of a namespace.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{0}` is no name of a namespace: at most 63 small letters, digits and hyphens, with no hyphen at either end"
)]
pub struct BadNamespace(String);

impl FromStr for Namespace {
    type Err = BadNamespace;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        let is_of_it = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-';
        let is_label = (1..=63).contains(&name.len())
            && name.bytes().all(is_of_it)
            && !name.starts_with('-')
            && !name.ends_with('-');
        match is_label {
            true => Ok(Self(name.to_owned())),
            false => Err(BadNamespace(name.chars().take(80).collect())),
        }
    }
}

impl fmt::Display for Namespace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl AsRef<str> for Namespace {
    fn as_ref(&self) -> &str {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_labels() {
        for good in ["a", "default", "team-1", &"x".repeat(63)] {
            assert_eq!(good.parse::<Namespace>().unwrap().to_string(), good);
        }
        for bad in ["", "-a", "a-", "A", "a.b", "a/b", "a\nb", &"x".repeat(64)] {
            assert!(bad.parse::<Namespace>().is_err(), "{bad:?}");
        }
    }
}
