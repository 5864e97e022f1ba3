//! Where in the collection something stands: the names of its folders and its own.

use crate::note::shorten;
use std::fmt::{self, Display};

/// Longest name that is told, in characters.
const LONGEST: usize = 80;

#[derive(Debug, Default)]
pub(super) struct Place<'a> {
    names: Vec<&'a str>,
}

impl<'a> Place<'a> {
    pub fn enter(&mut self, name: &'a str) {
        self.names.push(name);
    }

    pub fn leave(&mut self) {
        self.names.pop();
    }
}

/// On one line, and without control characters for a terminal.
impl Display for Place<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, name) in self.names.iter().enumerate() {
            if at > 0 {
                f.write_str(" / ")?;
            }
            let name = match name.trim() {
                "" => "(no name)",
                name => name,
            };
            let plain: String = shorten(name, LONGEST)
                .chars()
                .map(|c| if c.is_control() { ' ' } else { c })
                .collect();
            f.write_str(&plain)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_stand_on_one_line() {
        let mut place = Place::default();
        place.enter("Orders");
        place.enter(" ");
        place.enter("a\u{1b}[2J\nb");
        assert_eq!(place.to_string(), "Orders / (no name) / a [2J b");
        place.leave();
        assert_eq!(place.to_string(), "Orders / (no name)");
    }
}
