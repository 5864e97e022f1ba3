//! Words of others, shown to people: on a terminal a control character is a command.

use std::borrow::Cow;

/// The text with every character escaped as `\u001b` that a terminal would obey, or that makes text
/// read in another order than it is stored: C0 (but for tab and line feed), DEL, C1, and the
/// controls of the Unicode bidirectional algorithm (UAX 9; CVE-2021-42574 shows what they can do).
/// The form is that of JSON, so that a JSON document stays the same.
#[must_use]
pub fn visible(text: &str) -> Cow<'_, str> {
    escaped(text, |c| matches!(c, '\t' | '\n'))
}

/// The same on one line: line feeds and tabs become spaces, so that no line can be forged.
#[must_use]
pub fn one_line(text: &str) -> String {
    let line: String = text
        .trim()
        .chars()
        .map(|c| match c {
            '\n' | '\t' | '\r' => ' ',
            other => other,
        })
        .collect();
    visible(&line).into_owned()
}

/// The same for text that has our own colours in it: `ESC [ digits m` (ECMA-48 8.3.117) stays,
/// which can change how text looks and nothing else.
#[must_use]
pub fn visible_with_colours(text: &str) -> Cow<'_, str> {
    if !text.contains('\u{1b}') {
        return visible(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('\u{1b}') {
        let (before, sequence) = rest.split_at(at);
        out.push_str(&visible(before));
        let length = colour(sequence).unwrap_or(0);
        out.push_str(&sequence[..length]);
        rest = &sequence[length..];
        if length == 0 {
            out.push_str("\\u001b");
            rest = &rest[1..];
        }
    }
    out.push_str(&visible(rest));
    Cow::Owned(out)
}

/// Length of the sequence that sets a colour at the beginning of a text, if there is one.
fn colour(text: &str) -> Option<usize> {
    let inside = text.strip_prefix("\u{1b}[")?;
    let end = inside.find(|c: char| !matches!(c, '0'..='9' | ';' | ':'))?;
    inside[end..].starts_with('m').then_some(2 + end + 1)
}

fn escaped(text: &str, is_kept: impl Fn(char) -> bool) -> Cow<'_, str> {
    let is_bad = |c: char| (c.is_control() || is_bidi_control(c)) && !is_kept(c);
    if !text.contains(is_bad) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        match is_bad(c) {
            true => out.push_str(&format!("\\u{:04x}", u32::from(c))),
            false => out.push(c),
        }
    }
    Cow::Owned(out)
}

fn is_bidi_control(c: char) -> bool {
    matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_terminal_would_obey_is_shown_instead() {
        let clipboard = "a\u{1b}]52;c;cm0=\u{7}b";
        assert_eq!(visible(clipboard), "a\\u001b]52;c;cm0=\\u0007b");
        assert_eq!(visible("\u{9b}2J \u{202e}x"), "\\u009b2J \\u202ex");
        assert!(matches!(visible("plain\ttext\nÄ → 漢"), Cow::Borrowed(_)));
    }

    #[test]
    fn a_line_stays_a_line() {
        assert_eq!(one_line(" a\nerror: b\r\n"), "a error: b");
    }

    #[test]
    fn our_colours_stay_and_no_other_sequence() {
        let ours = "\u{1b}[31;1merror:\u{1b}[0m x\n";
        assert_eq!(visible_with_colours(ours), ours);
        let theirs = "\u{1b}[2J\u{1b}[1m\u{1b}]0;title\u{7}\u{1b}";
        assert_eq!(
            visible_with_colours(theirs),
            "\\u001b[2J\u{1b}[1m\\u001b]0;title\\u0007\\u001b"
        );
    }

    #[test]
    fn a_json_document_says_the_same_afterwards() {
        let document = "{\"a\": \"\u{202e}b\"}";
        assert_eq!(visible(document), "{\"a\": \"\\u202eb\"}");
    }
}
