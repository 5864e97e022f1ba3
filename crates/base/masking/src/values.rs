//! Known secret values, masked wherever they appear.

use crate::MASK;
use base64::Engine;
use base64::engine::general_purpose::STANDARD_NO_PAD;
use std::collections::BTreeSet;

/// The shortest value that is masked wherever it appears. A shorter one, such as `dev`, is a common
/// word: masking it everywhere would spoil the text and hide nothing.
const SHORTEST: usize = 6;

/// Words that are no secrets, or that occur in every run folder with another meaning.
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

/// Values that are known to be secret, in all the forms in which they are written.
#[derive(Debug, Clone, Default)]
pub(crate) struct Values {
    /// Longest first, because one may be a part of another.
    forms: Vec<String>,
    known: BTreeSet<String>,
    /// The part of a value's base64 form that does not depend on the text before and after it.
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

/// The base64 forms of a secret. Three bytes become four letters (RFC 4648, 4), so the form depends
/// on how many bytes stand before the secret, as in `user:secret` of a Basic authorization. Letters
/// that also hold bits of other bytes are left out.
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

/// Masks the whole base64 word, because it also holds the user's name and parts of the first and
/// last letter of the secret.
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

/// The parts of a secret value: `Bearer abc` has two words, and each cookie has its own value.
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

/// The secret as it is, and as JSON, URLs, HTML and XML write it.
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
