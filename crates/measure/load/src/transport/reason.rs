//! Explanations of faults, kept once each.

use std::fmt;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// More distinct texts than this are not told apart, so that a subject that puts a random number
/// into each of its messages does not fill our memory.
const MAX_TEXTS: usize = 255;

static TEXTS: Mutex<Texts> = Mutex::new(Texts(Vec::new()));

/// A text, as small as a number: faults are copied with every request and must not own memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Reason(u8);

impl Reason {
    /// The one that says this.
    pub(crate) fn of(text: impl fmt::Display) -> Self {
        Self(texts().index_of(&text.to_string()))
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(texts().text(self.0))
    }
}

fn texts() -> MutexGuard<'static, Texts> {
    TEXTS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Distinct texts; what comes after the last place is the same for all.
struct Texts(Vec<Box<str>>);

impl Texts {
    fn index_of(&mut self, text: &str) -> u8 {
        let known = self.0.iter().position(|known| **known == *text);
        let index = known.unwrap_or_else(|| {
            let next = self.0.len();
            if next < MAX_TEXTS {
                self.0.push(text.into());
            }
            next
        });
        index as u8
    }

    fn text(&self, index: u8) -> &str {
        let text = self.0.get(usize::from(index));
        text.map_or("one of many reasons that differ each time", |text| text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_kept_once() {
        assert_eq!(Reason::of("expired"), Reason::of("expired"));
        assert_ne!(Reason::of("expired"), Reason::of("revoked"));
        assert_eq!(Reason::of("expired").to_string(), "expired");
    }

    #[test]
    fn there_is_an_end_to_them() {
        let mut texts = Texts(Vec::new());
        for n in 0..1_000 {
            texts.index_of(&n.to_string());
        }
        assert_eq!(texts.0.len(), MAX_TEXTS);
        assert_eq!(texts.text(7), "7");
        assert_eq!(texts.index_of("another"), texts.index_of("yet another"));
        let other = texts.index_of("another");
        assert!(texts.text(other).contains("many"));
    }
}
