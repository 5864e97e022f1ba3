//! Secrets among the words of a command, whose borders are known.

use crate::text::{self, Found};
use crate::{MASK, Masking};

pub(crate) fn masked(masking: &Masking, words: &[String], found: &mut Found<'_>) -> Vec<String> {
    let mut masked = Vec::with_capacity(words.len());
    let mut before: Option<&str> = None;
    for current in words {
        masked.push(word(masking, before, current, found));
        before = Some(current);
    }
    masked
}

/// One word, which may be the value of the option before it.
pub(crate) fn word(
    masking: &Masking,
    before: Option<&str>,
    word: &str,
    found: &mut Found<'_>,
) -> String {
    if before.is_some_and(|before| awaits_secret(masking, before)) && !word.starts_with("--") {
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
    match word.split_once('=') {
        // All the rest of the word is the value, whatever stands in it.
        Some((name, value)) if is_name(name) && masking.names().is_secret(bare(name)) => {
            if value != MASK && !value.is_empty() {
                found(value);
            }
            format!("{name}={MASK}")
        }
        _ => text::masked(masking, word, found),
    }
}

/// `--api-key`, followed by its value.
pub(crate) fn awaits_secret(masking: &Masking, option: &str) -> bool {
    option.starts_with('-')
        && !option.starts_with("-D")
        && !option.contains(['=', ' ', ':'])
        && masking.names().is_secret(bare(option))
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
