//! What is done to a Deployment.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// What is done to a Deployment. Its text is that of `--change`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum Step {
    /// New pods in place of all.
    Restart,
    /// So many pods, and then as many as before.
    Scale(u32),
    /// One pod leaves, as at a drain of its node.
    Evict,
    /// All of its pods on one node leave, as at a drain of it.
    Drain,
    /// One pod is deleted, and has no time to end in order.
    Kill,
    /// The process of one pod ends at once, and its node starts it anew.
    Crash,
}

/// Those that have no number.
const PLAIN: [(&str, Step); 5] = [
    ("restart", Step::Restart),
    ("evict", Step::Evict),
    ("drain", Step::Drain),
    ("kill", Step::Kill),
    ("crash", Step::Crash),
];

impl FromStr for Step {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if let Some((_, step)) = PLAIN.iter().find(|(name, _)| *name == text) {
            return Ok(*step);
        }
        match text.split_once('=') {
            Some(("scale", pods)) => {
                let pods = pods.parse().ok().filter(|pods| (1..=1000).contains(pods));
                let scale = pods.map(Self::Scale);
                scale.ok_or_else(|| "expected 1 to 1000 pods, as scale=4".to_owned())
            }
            _ => Err("expected restart, scale=PODS, evict, drain, kill or crash".to_owned()),
        }
    }
}

impl TryFrom<String> for Step {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}

impl From<Step> for String {
    fn from(step: Step) -> Self {
        step.to_string()
    }
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Self::Scale(pods) = self {
            return write!(f, "scale={pods}");
        }
        let name = PLAIN.iter().find(|(_, step)| step == self);
        f.write_str(name.map_or("", |(name, _)| name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_read_or_refused() {
        assert_eq!("restart".parse(), Ok(Step::Restart));
        assert_eq!("scale=4".parse(), Ok(Step::Scale(4)));
        let plain = PLAIN.map(|(_, step)| step);
        for step in [&plain[..], &[Step::Scale(3)]].concat() {
            assert_eq!(step.to_string().parse(), Ok(step));
        }
        for wrong in ["", "scale", "scale=0", "scale=x", "kill=1", "Drain"] {
            assert!(wrong.parse::<Step>().is_err(), "{wrong}");
        }
    }
}
