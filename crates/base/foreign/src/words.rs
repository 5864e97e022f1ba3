//! Texts of other programs, shown to people. On a terminal a control character is a command.

use std::borrow::Cow;

/// Whether a terminal obeys this character, or it changes the order in which text is read: C0 with
/// tab and line feed, DEL, C1, and the controls of the Unicode bidirectional algorithm (UAX 9;
/// CVE-2021-42574 shows what they can do). This is the only list of them; all other code asks here.
#[must_use]
pub fn is_command(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// The text with every such character escaped as `\u001b`, except tabs and line feeds. The escapes
/// are those of JSON, so a JSON document keeps its meaning.
#[must_use]
pub fn visible(text: &str) -> Cow<'_, str> {
    escaped(text, |c| matches!(c, '\t' | '\n'))
}

/// As [`visible`], on one line: line feeds and tabs become spaces, so that no line can be forged.
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

/// As [`visible`], for text with our own colours: `ESC [ digits m` (ECMA-48 8.3.117) stays. Such a
/// sequence changes how text looks and nothing else.
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
    let is_bad = |c: char| is_command(c) && !is_kept(c);
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
    fn every_control_of_a_terminal_and_of_direction_is_a_command_and_nothing_else() {
        // UAX 9, 2: LRM, RLM, ALM; LRE, RLE, PDF, LRO, RLO; LRI, RLI, FSI, PDI.
        let direction = [0x200e, 0x200f, 0x61c]
            .into_iter()
            .chain(0x202a..=0x202e)
            .chain(0x2066..=0x2069);
        let mut wanted: Vec<u32> = (0..0x20).chain(0x7f..=0x9f).chain(direction).collect();
        let found: Vec<u32> = ('\0'..=char::MAX)
            .filter(|&c| is_command(c))
            .map(u32::from)
            .collect();
        wanted.sort_unstable();
        assert_eq!(found, wanted);
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
