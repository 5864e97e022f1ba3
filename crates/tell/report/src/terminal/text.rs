//! Lines of styled text that never pass the width of the terminal.

use super::style::{BOLD, DIM};
use anstyle::Style as Ansi;
use std::fmt::Write as _;

/// Lines in the making.
#[derive(Debug)]
pub struct Text {
    width: usize,
    lines: Vec<Vec<(Ansi, String)>>,
}

impl Text {
    /// An empty text of this width.
    #[must_use]
    pub fn new(width: usize) -> Self {
        Self {
            width,
            lines: Vec::new(),
        }
    }

    /// Columns of the terminal.
    #[must_use]
    pub fn width(&self) -> usize {
        self.width
    }

    /// An empty line.
    pub fn blank(&mut self) {
        self.lines.push(Vec::new());
    }

    /// One line; what passes the width is cut and marked with `…`.
    pub fn line(&mut self, spans: &[(Ansi, &str)]) {
        let mut room = self.width;
        let mut line = Vec::new();
        for (style, text) in spans {
            let length = text.chars().count();
            if length <= room {
                line.push((*style, (*text).to_owned()));
                room -= length;
            } else {
                line.push((*style, cut(text, room)));
                break;
            }
        }
        self.lines.push(line);
    }

    /// A title with a note beside it, after an empty line.
    pub fn heading(&mut self, title: &str, note: &str) {
        self.blank();
        self.line(&[(BOLD, title), (DIM, note)]);
    }

    /// A text over as many lines as it needs; those after the first stand two further in.
    pub fn paragraph(&mut self, indent: &str, style: Ansi, text: &str) {
        let further = format!("{indent}  ");
        for (i, line) in wrap(text, self.width - further.len()).iter().enumerate() {
            let indent = if i == 0 { indent } else { &further };
            self.lines.push(vec![(style, format!("{indent}{line}"))]);
        }
    }

    /// A path, which must stay in one piece to be clicked or copied: it gets a line of its own
    /// when it does not fit after its title, and is never cut.
    pub fn unbroken(&mut self, title: &str, path: &str) {
        if title.chars().count() + path.chars().count() <= self.width {
            self.lines
                .push(vec![(Ansi::new(), format!("{title}{path}"))]);
        } else {
            self.lines
                .push(vec![(Ansi::new(), title.trim_end().to_owned())]);
            self.lines.push(vec![(Ansi::new(), path.to_owned())]);
        }
    }

    /// The text, with escape sequences only when colours are wanted.
    #[must_use]
    pub fn finish(self, colour: bool) -> String {
        let mut out = String::new();
        for line in self.lines {
            let mut text = String::new();
            for (style, span) in line {
                // A name with a line break in it forges no line.
                let span = span.replace(['\n', '\r'], " ");
                if colour && style != Ansi::new() && !span.trim().is_empty() {
                    let _ = write!(text, "{style}{span}{style:#}");
                } else {
                    text.push_str(&span);
                }
            }
            out.push_str(text.trim_end());
            out.push('\n');
        }
        out
    }
}

/// The first `width` characters, the last of them `…`.
#[must_use]
pub fn cut(text: &str, width: usize) -> String {
    if text.chars().count() <= width {
        return text.to_owned();
    }
    let mut short: String = text.chars().take(width.saturating_sub(1)).collect();
    if width > 0 {
        short.push('…');
    }
    short
}

/// Breaks at spaces, but not between a number and its `%`; a word that is wider than a line is
/// broken.
#[must_use]
pub fn wrap(text: &str, width: usize) -> Vec<String> {
    let glued = text.replace(" %", "\u{a0}%");
    let mut lines = Vec::new();
    let mut line = String::new();
    let mut used = 0;
    for word in glued.split_ascii_whitespace() {
        let mut word: Vec<char> = word.chars().collect();
        if used > 0 && used + 1 + word.len() > width {
            lines.push(std::mem::take(&mut line));
            used = 0;
        }
        while word.len() > width {
            let rest = word.split_off(width);
            lines.push(word.into_iter().collect());
            word = rest;
        }
        if used > 0 {
            line.push(' ');
            used += 1;
        }
        used += word.len();
        line.extend(word);
    }
    if used > 0 {
        lines.push(line);
    }
    lines.iter().map(|l| l.replace('\u{a0}', " ")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn no_line_passes_the_width_and_no_word_is_lost(text in "[a-z ]{0,300}", width in 5usize..60) {
            let lines = wrap(&text, width);
            prop_assert!(lines.iter().all(|l| l.chars().count() <= width));
            let letters = |s: &str| s.chars().filter(|c| !c.is_whitespace()).collect::<String>();
            prop_assert_eq!(letters(&lines.concat()), letters(&text));
        }
    }

    #[test]
    fn a_number_keeps_its_per_cent_sign() {
        assert_eq!(wrap("more than 5 %, or", 11), ["more than", "5 %, or"]);
    }

    #[test]
    fn a_long_line_is_cut_and_says_so() {
        let mut text = Text::new(6);
        text.line(&[(Ansi::new(), "abc"), (Ansi::new(), "defgh")]);
        assert_eq!(text.finish(false), "abcde…\n");
    }
}
