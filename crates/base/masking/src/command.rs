//! Secrets among the words of a command, whose borders are known.

use crate::clients::Walk;
use crate::text::{self, Found};
use crate::{MASK, Masking};

pub(crate) fn masked(masking: &Masking, words: &[String], found: &mut Found<'_>) -> Vec<String> {
    let mut line = Line::default();
    words
        .iter()
        .map(|word| line.word(masking, word, found))
        .collect()
}

/// The words so far: the last of them may be an option that awaits its value.
#[derive(Debug, Clone, Default)]
pub(crate) struct Line {
    before: Option<String>,
    walk: Walk,
}

impl Line {
    pub(crate) fn word(
        &mut self,
        masking: &Masking,
        current: &str,
        found: &mut Found<'_>,
    ) -> String {
        let before = self.before.replace(current.to_owned());
        if let Some((option, secret)) = self.walk.step(current).map(|at| current.split_at(at)) {
            if secret != MASK {
                found(secret);
            }
            return format!("{option}{MASK}");
        }
        word(masking, before.as_deref(), current, found)
    }
}

/// One word, which may be the value of the option before it.
pub(crate) fn word(
    masking: &Masking,
    before: Option<&str>,
    word: &str,
    found: &mut Found<'_>,
) -> String {
    if before.is_some_and(|before| awaits_secret(masking, before, word)) && !word.starts_with("--")
    {
        if word != MASK {
            found(word);
        }
        return MASK.to_owned();
    }
    if let Some("-u" | "-U" | "--user" | "--proxy-user") = before
        && let Some((user, password)) = word.split_once(':')
    {
        found(password);
        return format!("{user}:{MASK}");
    }
    // Of openssl, for which `env:NAME` and `file:PATH` are other sources.
    if before.is_some_and(|before| before.starts_with("-pass"))
        && let Some(password) = word.strip_prefix("pass:")
    {
        found(password);
        return format!("pass:{MASK}");
    }
    match word.split_once('=') {
        // All the rest of the word is the value, whatever stands in it.
        Some((name, value)) if is_name(name) && masking.names().hides(bare(name), value) => {
            if value != MASK && !value.is_empty() {
                found(value);
            }
            format!("{name}={MASK}")
        }
        _ => text::masked(masking, word, found),
    }
}

/// `--api-key`, followed by its value.
fn awaits_secret(masking: &Masking, option: &str, value: &str) -> bool {
    option.starts_with('-')
        && !option.starts_with("-D")
        && !option.contains(['=', ' ', ':'])
        && masking.names().hides(bare(option), value)
}

/// `-Dname`, `--name`, `-name`, `/name`, `NAME`.
fn bare(name: &str) -> &str {
    let name = name.strip_prefix("-D").unwrap_or(name);
    name.trim_start_matches(['-', '/'])
}

fn is_name(name: &str) -> bool {
    let mut characters = bare(name).chars();
    characters
        .next()
        .is_some_and(|c| c.is_alphabetic() || c == '_')
        && characters.all(|c| c.is_alphanumeric() || "_.-[]".contains(c))
}
