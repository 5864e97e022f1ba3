//! Writing the templates of `tacho_workload`: text that is meant as it stands, and placeholders.

use crate::origin::path_of;
use tacho_workload::{Body, Step};

/// Writes text so that a template yields it unchanged, even where it looks like a placeholder.
pub(crate) fn literal(text: &str) -> String {
    Template::from(text).finish()
}

/// A request of texts that are meant as they stand, counted under its method and path.
pub(crate) fn literal_step(
    method: String,
    target: &str,
    headers: Vec<(String, String)>,
    body: Body,
) -> Step {
    let headers = headers.into_iter();
    Step {
        name: format!("{method} {}", path_of(target)),
        method,
        path: literal(target),
        headers: headers
            .map(|(name, value)| (name, literal(&value)))
            .collect(),
        body,
        ..Step::default()
    }
}

/// A template in the making.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Template {
    pieces: Vec<Piece>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Piece {
    /// Plain text; no two in a row.
    Text(String),
    /// What stands between double braces.
    Placeholder(String),
}

impl From<&str> for Template {
    fn from(text: &str) -> Self {
        let mut template = Self::default();
        template.push_text(text);
        template
    }
}

impl Template {
    pub fn push_text(&mut self, text: &str) {
        if text.is_empty() {
            return;
        }
        match self.pieces.last_mut() {
            Some(Piece::Text(last)) => last.push_str(text),
            _ => self.pieces.push(Piece::Text(text.to_owned())),
        }
    }

    pub fn push_placeholder(&mut self, expression: &str) {
        self.pieces.push(Piece::Placeholder(expression.to_owned()));
    }

    pub fn append(&mut self, other: &Self) {
        for piece in &other.pieces {
            match piece {
                Piece::Text(text) => self.push_text(text),
                Piece::Placeholder(expression) => self.push_placeholder(expression),
            }
        }
    }

    /// Its text, when there is no placeholder in it.
    pub fn as_text(&self) -> Option<&str> {
        match self.pieces.as_slice() {
            [] => Some(""),
            [Piece::Text(text)] => Some(text),
            _ => None,
        }
    }

    pub fn is_empty(&self) -> bool {
        self.pieces.is_empty()
    }

    pub fn has_placeholders(&self) -> bool {
        self.as_text().is_none()
    }

    /// Bytes of memory, roughly.
    pub fn len(&self) -> usize {
        self.pieces
            .iter()
            .map(|piece| match piece {
                Piece::Text(text) | Piece::Placeholder(text) => text.len() + 4,
            })
            .sum()
    }

    /// With every piece of plain text changed by a function, placeholders left as they are.
    pub fn map_text(&self, change: impl Fn(&str) -> String) -> Self {
        let mut mapped = Self::default();
        for piece in &self.pieces {
            match piece {
                Piece::Text(text) => mapped.push_text(&change(text)),
                Piece::Placeholder(expression) => mapped.push_placeholder(expression),
            }
        }
        mapped
    }

    /// As `tacho_workload` reads it; a value is encoded so that it breaks nothing around it.
    pub fn finish(&self) -> String {
        self.write("")
    }

    /// The same, with values inserted as they are.
    pub fn finish_raw(&self) -> String {
        self.write("raw ")
    }

    /// Two opening braces in a row are written as a placeholder that yields them. A single brace
    /// needs nothing: of three in a row, the last two open the placeholder.
    fn write(&self, prefix: &str) -> String {
        self.pieces
            .iter()
            .map(|piece| match piece {
                Piece::Text(text) => text.replace("{{", "{{\"{{\"}}"),
                Piece::Placeholder(expression) => format!("{{{{{prefix}{expression}}}}}"),
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn double_braces_are_escaped() {
        assert_eq!(literal("a{b}"), "a{b}");
        assert_eq!(literal("{{a}}"), "{{\"{{\"}}a}}");
        assert_eq!(literal("{{{"), "{{\"{{\"}}{");
        assert_eq!(literal(""), "");
    }

    #[test]
    fn a_brace_before_a_placeholder_stays() {
        let mut template = Template::from("{\"a\":{");
        template.push_placeholder("uuid");
        template.push_text("}}");
        assert_eq!(template.finish(), "{\"a\":{{{uuid}}}}");
        assert_eq!(template.finish_raw(), "{\"a\":{{{raw uuid}}}}");
    }

    #[test]
    fn neighbouring_texts_are_escaped_together() {
        let mut template = Template::from("{");
        template.push_text("{x");
        assert_eq!(template.finish(), "{{\"{{\"}}x");
    }
}
