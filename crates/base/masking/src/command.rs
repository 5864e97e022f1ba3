//! Secrets in a command that is already split into words.

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

/// The command so far. Its last word may be an option that awaits a value.
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

/// Masks one word, which may be the value of the option before it.
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
    // An option of openssl, which also takes `env:NAME` and `file:PATH`. Those hold no secret.
    if before.is_some_and(|before| before.starts_with("-pass"))
        && let Some(password) = word.strip_prefix("pass:")
    {
        found(password);
        return format!("pass:{MASK}");
    }
    match word.split_once('=') {
        // The whole rest of the word is the value, even where it holds another `=`.
        Some((name, value)) if is_name(name) && masking.names().hides(bare(name), value) => {
            if value != MASK && !value.is_empty() {
                found(value);
            }
            format!("{name}={MASK}")
        }
        _ => text::masked(masking, word, found),
    }
}

/// Whether this is an option such as `--api-key` whose value is the next word.
fn awaits_secret(masking: &Masking, option: &str, value: &str) -> bool {
    option.starts_with('-')
        && !option.starts_with("-D")
        && !option.contains(['=', ' ', ':'])
        && masking.names().hides(bare(option), value)
}

/// The name in `-Dname`, `--name`, `-name`, `/name` or `NAME`.
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
