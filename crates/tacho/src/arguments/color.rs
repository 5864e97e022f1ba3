//! `--color`: when what is written for people has colours.

use clap::ValueEnum;

/// The variable that says it where the command line does not.
pub(super) const VARIABLE: &str = "TACHO_COLOR";

const FLAG: &str = "--color";

/// When there are colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Color {
    /// On a terminal, unless NO_COLOR says otherwise
    Auto,
    /// Also in pipes and files
    Always,
    /// Nowhere
    Never,
}

impl Color {
    /// The choice, before the rest of the command line is parsed: usage errors and the help have
    /// colours, too. A wrong value is reported later.
    pub fn asked(words: &[String]) -> Self {
        let variable = std::env::var(VARIABLE).ok();
        Self::said(words).or(variable.as_deref()).map_or(
            // An empty variable counts as not set. A wrong value is an error, reported without
            // colours.
            Self::Auto,
            |said| Self::from_str(said, false).unwrap_or(Self::Auto),
        )
    }

    /// The last value of the option, in either of its spellings.
    fn said(words: &[String]) -> Option<&str> {
        let next = words.iter().skip(1).map(String::as_str).map(Some);
        let pairs = words.iter().zip(next.chain([None]));
        let values = pairs.filter_map(|(word, next)| match word.strip_prefix(FLAG)? {
            "" => next,
            rest => rest.strip_prefix('='),
        });
        values.last()
    }

    /// Applies the choice to all later output.
    pub fn apply(self) {
        let choice = match self {
            Self::Auto => anstream::ColorChoice::Auto,
            Self::Always => anstream::ColorChoice::Always,
            Self::Never => anstream::ColorChoice::Never,
        };
        choice.write_global();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_found_before_the_command_line_is_understood() {
        let said = |line: &str| {
            let words: Vec<String> = line.split(' ').map(str::to_owned).collect();
            Color::said(&words).map(str::to_owned)
        };
        assert_eq!(said("tacho run --color always").as_deref(), Some("always"));
        assert_eq!(said("tacho --color=never run x").as_deref(), Some("never"));
        assert_eq!(
            said("tacho --color never run --color=auto").as_deref(),
            Some("auto")
        );
        assert_eq!(said("tacho run --color"), None);
        assert_eq!(said("tacho run --colors=3"), None);
    }
}
