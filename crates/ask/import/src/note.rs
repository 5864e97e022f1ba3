//! What was not understood, or was changed.

use std::fmt::{self, Display};

/// One thing that the reader did not understand, left out or changed.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Note {
    /// Where in the input: `line 3`, `Test Plan > Users > Login`, `GET /pets`.
    pub place: String,
    /// What, and what becomes of it.
    pub text: String,
}

impl Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.text)
    }
}

/// Most notes that are kept. Nobody reads more, and an input must not be able to ask for more
/// memory.
const MOST: usize = 1000;
/// Longest place and text, in characters.
const LONGEST: usize = 400;

/// Collects notes, each once.
#[derive(Debug, Default)]
pub(crate) struct Notes {
    notes: Vec<Note>,
    known: std::collections::HashSet<(String, String)>,
    beyond: usize,
}

impl Notes {
    pub fn add(&mut self, place: impl Display, text: impl Display) {
        if self.notes.len() >= MOST {
            self.beyond += 1;
            return;
        }
        let place = shorten(&place.to_string(), LONGEST);
        let text = shorten(&text.to_string(), LONGEST);
        if self.known.insert((place.clone(), text.clone())) {
            self.notes.push(Note { place, text });
        }
    }

    pub fn finish(mut self) -> Vec<Note> {
        if self.beyond > 0 {
            self.notes.push(Note {
                place: "the input".to_owned(),
                text: format!("{} more notes are not shown", self.beyond),
            });
        }
        self.notes
    }
}

/// At most this many characters, the last of them an ellipsis when something was cut.
pub(crate) fn shorten(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        None => text.to_owned(),
        Some(_) => text
            .chars()
            .take(most.saturating_sub(1))
            .chain(['…'])
            .collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_note_is_kept_once() {
        let mut notes = Notes::default();
        notes.add("line 1", "left out");
        notes.add("line 1", "left out");
        notes.add("line 2", "left out");
        assert_eq!(notes.finish().len(), 2);
    }

    #[test]
    fn notes_beyond_the_bound_are_counted() {
        let mut notes = Notes::default();
        for line in 0..MOST + 7 {
            notes.add(format!("line {line}"), "left out");
        }
        let notes = notes.finish();
        assert_eq!(notes.len(), MOST + 1);
        assert_eq!(notes[MOST].text, "7 more notes are not shown");
    }

    #[test]
    fn long_texts_are_cut_at_a_character() {
        assert_eq!(shorten("äöü", 3), "äöü");
        assert_eq!(shorten("äöüß", 3), "äö…");
    }
}
