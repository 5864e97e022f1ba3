//! Parts of a text that a user wrote, with their places, so that an error can point at one.

/// Why a text cannot be read. The text shows the place.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{problem}\n  {text}\n  {marker:>width$}", marker = "^".repeat((*length).max(1)), width = column - 1 + (*length).max(1))]
pub struct Misread<P: std::fmt::Display> {
    /// As the user wrote it.
    pub text: String,
    /// Column of the problem, in characters, from 1.
    pub column: usize,
    /// How many characters.
    pub length: usize,
    /// What is wrong and what to do.
    pub problem: P,
}

/// A part of a text, by byte positions.
#[derive(Debug, Clone, Copy)]
pub struct Part<'a> {
    whole: &'a str,
    start: usize,
    end: usize,
}

impl<'a> Part<'a> {
    /// From one byte position to another, without the spaces around it.
    #[must_use]
    pub fn of(whole: &'a str, start: usize, end: usize) -> Self {
        let text = &whole[start..end];
        let start = start + (text.len() - text.trim_start().len());
        Self {
            whole,
            start,
            end: (start + text.trim().len()).min(end),
        }
    }

    /// A word of a text that is known to hold it.
    #[must_use]
    pub fn word(whole: &'a str, word: &str) -> Self {
        let start = whole.find(word).unwrap_or(0);
        Self::of(whole, start, (start + word.len()).min(whole.len()))
    }

    /// Its bytes in the whole text.
    #[must_use]
    pub fn range(&self) -> std::ops::Range<usize> {
        self.start..self.end
    }

    /// The part itself.
    #[must_use]
    pub fn text(&self) -> &'a str {
        &self.whole[self.start..self.end]
    }

    /// Split at a byte position of its text, the separator of `width` bytes left out.
    #[must_use]
    pub fn split(&self, at: usize, width: usize) -> (Self, Self) {
        let at = self.start + at;
        (
            Self::of(self.whole, self.start, at),
            Self::of(self.whole, at + width, self.end),
        )
    }

    /// What is wrong with this part.
    #[must_use]
    pub fn error<P>(&self, problem: P) -> Misread<P>
    where
        P: std::fmt::Display,
    {
        Misread {
            text: self.whole.to_owned(),
            column: self.whole[..self.start].chars().count() + 1,
            length: self.text().chars().count(),
            problem,
        }
    }
}

impl<P: std::fmt::Display> Misread<P> {
    /// The same place with what is wrong told as another type.
    #[must_use]
    pub fn map<Q: std::fmt::Display>(self, to: impl FnOnce(P) -> Q) -> Misread<Q> {
        Misread {
            text: self.text,
            column: self.column,
            length: self.length,
            problem: to(self.problem),
        }
    }
}
