//! Sentences of the analysis, in which names stand between backticks.

use serde::Serialize;

/// A stretch of a sentence.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Stretch {
    /// It stood between backticks: the name of a variant, a flag.
    pub is_name: bool,
    /// Without the backticks.
    pub text: String,
}

/// The stretches of a sentence in order. A backtick without its partner is text.
#[must_use]
pub fn prose(sentence: &str) -> Vec<Stretch> {
    let mut stretches = Vec::new();
    let mut push = |is_name: bool, text: &str| {
        if !text.is_empty() {
            stretches.push(Stretch {
                is_name,
                text: text.to_owned(),
            });
        }
    };
    let mut rest = sentence;
    while let Some((before, opened)) = rest.split_once('`') {
        let Some((name, after)) = opened.split_once('`') else {
            break;
        };
        push(false, before);
        push(true, name);
        rest = after;
    }
    push(false, rest);
    stretches
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn names_are_told_from_text() {
        let names: Vec<(bool, String)> = prose("ship `aot`, not `jar")
            .into_iter()
            .map(|s| (s.is_name, s.text))
            .collect();
        assert_eq!(
            names,
            [
                (false, "ship ".into()),
                (true, "aot".into()),
                (false, ", not `jar".into())
            ]
        );
    }

    proptest! {
        #[test]
        fn nothing_but_pairs_of_backticks_is_lost(sentence in "[a`b ]{0,40}") {
            let told: String = prose(&sentence).into_iter().map(|s| s.text).collect();
            let letters = |s: &str| s.replace('`', "");
            prop_assert_eq!(letters(&told), letters(&sentence));
            prop_assert!(told.matches('`').count() <= 1);
        }
    }
}
