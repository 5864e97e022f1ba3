//! Cookies of a recording. Those that the answers to its sent requests set are handled by a cookie
//! jar for each user. Others are sent as they were.

use super::file::Entry;
use std::collections::BTreeSet;

/// Names of the cookies that answers have set so far.
#[derive(Debug, Default)]
pub(super) struct Jar(BTreeSet<String>);

impl Jar {
    /// Takes over what the answer of an entry sets.
    pub fn learn(&mut self, entry: &Entry) {
        let set = entry
            .response
            .headers
            .iter()
            .filter(|header| header.name.eq_ignore_ascii_case("set-cookie"));
        // In some files several cookies of one answer are the lines of one header.
        for line in set.flat_map(|header| header.value.lines()) {
            let pair = line.split(';').next().unwrap_or_default();
            if let Some((name, _)) = pair.split_once('=') {
                self.0.insert(name.trim().to_owned());
            }
        }
    }

    /// Whether an answer has set any.
    pub fn is_used(&self) -> bool {
        !self.0.is_empty()
    }

    /// The part of a `Cookie` header that no earlier answer has set.
    pub fn kept_of(&self, header: &str) -> String {
        let is_kept = |pair: &&str| {
            let name = pair.split('=').next().unwrap_or_default().trim();
            !name.is_empty() && !self.0.contains(name)
        };
        let kept: Vec<&str> = header.split(';').map(str::trim).filter(is_kept).collect();
        kept.join("; ")
    }
}
