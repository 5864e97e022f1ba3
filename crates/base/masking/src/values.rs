//! Secrets by what they are.

use crate::MASK;
use base64::Engine;
use base64::engine::general_purpose::STANDARD_NO_PAD;
use std::collections::BTreeSet;

/// What is shorter is a word of every text: to mask each `dev` would make nonsense of it and hide
/// nothing.
const SHORTEST: usize = 6;

/// What is no secret, or stands in every run folder with another meaning.
const WORDS: [&str; 25] = [
    "enabled",
    "disabled",
    "default",
    "optional",
    "required",
    "password",
    "changeit",
    "running",
    "completed",
    "invalid",
    "failed",
    "interrupted",
    "not-started",
    "exited",
    "killed",
    "out-of-memory",
    "never-ready",
    "port-taken",
    "degraded",
    "inconclusive",
    "better",
    "closed",
    "scheduled",
    "search",
    "memory",
];

/// Values that are known to be secret, in the ways in which they are written.
#[derive(Debug, Clone, Default)]
pub(crate) struct Values {
    /// Longest first: one may be a part of another.
    forms: Vec<String>,
    known: BTreeSet<String>,
    /// What base64 makes of one, in letters that what stands before and after it does not change.
    encoded: BTreeSet<String>,
}

impl Values {
    pub(crate) fn extend(&mut self, secrets: impl IntoIterator<Item = String>) {
        let before = self.known.len();
        for secret in secrets {
            for part in parts(&secret) {
                if is_telling(part) {
                    self.known.extend(forms(part));
                    self.encoded.extend(encoded(part));
                }
            }
        }
        if self.known.len() > before {
            self.forms = self.known.iter().cloned().collect();
            self.forms.sort_by_key(|form| std::cmp::Reverse(form.len()));
        }
    }

    pub(crate) fn masked(&self, text: &str) -> String {
        let mut masked = text.to_owned();
        for form in &self.forms {
            if masked.contains(form.as_str()) {
                masked = masked.replace(form.as_str(), MASK);
            }
        }
        for core in &self.encoded {
            masked = without_encoded(&masked, core);
        }
        masked
    }
}

/// In base64 three bytes are four letters (RFC 4648, 4), so that a secret looks different by how
/// many bytes stand before it: `user:secret` of a Basic authorization. The letters that hold bits
/// of others are left out.
fn encoded(secret: &str) -> Vec<String> {
    let mut forms = Vec::new();
    for before in 0..3 {
        let mut bytes = vec![0; before];
        bytes.extend(secret.as_bytes());
        let letters = STANDARD_NO_PAD.encode(&bytes);
        let (from, to) = ((before * 8).div_ceil(6), bytes.len() * 8 / 6);
        let core = &letters[from..to];
        forms.push(core.to_owned());
        // For URLs (RFC 4648, 5).
        forms.push(core.replace('+', "-").replace('/', "_"));
    }
    forms
}

/// The whole word of base64 is masked: it holds the name of the user, and pieces of the secret's
/// first and last letter.
fn without_encoded(text: &str, core: &str) -> String {
    let is_letter = |c: char| c.is_ascii_alphanumeric() || "+/-_".contains(c);
    let mut masked = String::new();
    let mut rest = text;
    while let Some(at) = rest.find(core) {
        let (before, after) = (&rest[..at], &rest[at + core.len()..]);
        masked += before.trim_end_matches(is_letter);
        masked += MASK;
        let after = after.trim_start_matches(is_letter);
        rest = after
            .strip_prefix("==")
            .or(after.strip_prefix('='))
            .unwrap_or(after);
    }
    masked + rest
}

/// `Bearer abc` is said in two words, and of cookies each has a value of its own.
fn parts(secret: &str) -> impl Iterator<Item = &str> {
    let whole = secret.trim();
    let after_scheme = whole.split_once(' ').map(|(_, rest)| rest.trim());
    let cookies = whole
        .split(';')
        .filter_map(|cookie| Some(cookie.split_once('=')?.1.trim()));
    let lines = whole.lines().map(str::trim);
    [Some(whole), after_scheme]
        .into_iter()
        .flatten()
        .chain(cookies)
        .chain(lines)
}

fn is_telling(secret: &str) -> bool {
    let is_number = secret.parse::<f64>().is_ok();
    let is_word = WORDS.contains(&secret.to_ascii_lowercase().as_str());
    let is_filled_in_later = secret.starts_with("{{") || secret.starts_with("${");
    secret.chars().count() >= SHORTEST
        && secret != MASK
        && !is_number
        && !is_word
        && !is_filled_in_later
}

/// As it is, and as JSON, URLs, and HTML and XML write it.
fn forms(secret: &str) -> Vec<String> {
    let json = serde_json::to_string(secret).unwrap_or_default();
    let json = json.trim_matches('"').to_owned();
    let markup = secret
        .replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
        .replace('\'', "&#x27;");
    let mut url = String::new();
    for byte in secret.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            url.push(char::from(byte));
        } else {
            url += &format!("%{byte:02X}");
        }
    }
    vec![secret.to_owned(), json, markup, url]
}
