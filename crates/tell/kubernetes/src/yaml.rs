//! A writer of YAML: block style, two spaces a level, a reason above the line that it explains.
//!
//! Libraries that write YAML keep no comments, and the comments are half of what is said here. Only
//! what a manifest needs is there: mappings, lists, texts and whole numbers. A text that could be
//! read as anything else is quoted (YAML 1.2, section 10.3, and the words that YAML 1.1 takes for
//! booleans).

use std::fmt::Write;

/// How long a comment may get, with its indentation.
const WIDTH: usize = 110;

/// A node of the YAML to be written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Node {
    /// A text, which is quoted where YAML needs it.
    Text(String),
    /// A whole number.
    Number(u64),
    /// Yes or no.
    Flag(bool),
    /// `null`: what stood there is taken away.
    Null,
    /// Keys and values in their order.
    Mapping(Mapping),
    /// Values one below the other; texts alone stand in one line.
    List(Vec<Node>),
}

/// Keys and values in their order, each with the reason for it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Mapping {
    entries: Vec<Entry>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Entry {
    reasons: Vec<String>,
    key: String,
    value: Node,
}

impl Mapping {
    /// Without an entry.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// One entry more.
    #[must_use]
    pub fn with(mut self, key: &str, value: impl Into<Node>) -> Self {
        self.entries.push(Entry {
            reasons: Vec::new(),
            key: key.to_owned(),
            value: value.into(),
        });
        self
    }

    /// One entry more, if there is something to say.
    #[must_use]
    pub fn with_some(self, key: &str, value: Option<impl Into<Node>>) -> Self {
        match value {
            Some(value) => self.with(key, value),
            None => self,
        }
    }

    /// Adds a comment above the entry that was added last. Each call is a paragraph; long lines are
    /// wrapped.
    #[must_use]
    pub fn because(mut self, reason: impl Into<String>) -> Self {
        if let Some(entry) = self.entries.last_mut() {
            entry.reasons.push(reason.into());
        }
        self
    }

    /// Whether nothing is in it.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The whole as a document, ending in a newline.
    #[must_use]
    pub fn document(&self) -> String {
        let mut text = String::new();
        self.write(&mut text, 0, false);
        text
    }

    /// With `inline`, the first entry continues a line that has already begun (after a list's
    /// dash).
    fn write(&self, text: &mut String, depth: usize, inline: bool) {
        let indent = "  ".repeat(depth);
        let mut begun = inline;
        for entry in &self.entries {
            for reason in &entry.reasons {
                for line in comment(reason, WIDTH.saturating_sub(indent.len())) {
                    begin(text, &indent, &mut begun);
                    let _ = writeln!(text, "{line}");
                }
            }
            begin(text, &indent, &mut begun);
            let _ = write!(text, "{}:", scalar(&entry.key));
            entry.value.write_after(text, depth);
        }
    }
}

fn begin(text: &mut String, indent: &str, begun: &mut bool) {
    if !std::mem::take(begun) {
        text.push_str(indent);
    }
}

impl Node {
    /// After the colon of its key.
    fn write_after(&self, text: &mut String, depth: usize) {
        match self {
            Self::Mapping(mapping) if !mapping.is_empty() => {
                text.push('\n');
                mapping.write(text, depth + 1, false);
            }
            Self::List(nodes) if !nodes.iter().all(Self::is_text) => {
                text.push('\n');
                for node in nodes {
                    text.push_str(&"  ".repeat(depth + 1));
                    text.push('-');
                    node.write_item(text, depth + 2);
                }
            }
            plain => {
                let _ = writeln!(text, " {}", plain.in_line());
            }
        }
    }

    /// After a list's dash.
    fn write_item(&self, text: &mut String, depth: usize) {
        match self {
            Self::Mapping(mapping) if !mapping.is_empty() => {
                text.push(' ');
                mapping.write(text, depth, true);
            }
            plain => {
                let _ = writeln!(text, " {}", plain.in_line());
            }
        }
    }

    fn is_text(&self) -> bool {
        matches!(self, Self::Text(_))
    }

    /// In flow style.
    fn in_line(&self) -> String {
        match self {
            Self::Text(text) => scalar(text),
            Self::Number(number) => number.to_string(),
            Self::Flag(flag) => flag.to_string(),
            Self::Null => "null".to_owned(),
            Self::List(nodes) => {
                let nodes: Vec<String> = nodes.iter().map(Self::in_line).collect();
                format!("[{}]", nodes.join(", "))
            }
            Self::Mapping(mapping) => {
                let entries = mapping.entries.iter();
                let entries: Vec<String> = entries
                    .map(|entry| format!("{}: {}", scalar(&entry.key), entry.value.in_line()))
                    .collect();
                format!("{{{}}}", entries.join(", "))
            }
        }
    }
}

impl From<&str> for Node {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<String> for Node {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<bool> for Node {
    fn from(flag: bool) -> Self {
        Self::Flag(flag)
    }
}

impl From<u64> for Node {
    fn from(number: u64) -> Self {
        Self::Number(number)
    }
}

impl From<u32> for Node {
    fn from(number: u32) -> Self {
        Self::Number(number.into())
    }
}

impl From<u16> for Node {
    fn from(number: u16) -> Self {
        Self::Number(number.into())
    }
}

impl From<Mapping> for Node {
    fn from(mapping: Mapping) -> Self {
        Self::Mapping(mapping)
    }
}

impl From<Vec<Node>> for Node {
    fn from(nodes: Vec<Node>) -> Self {
        Self::List(nodes)
    }
}

/// A text in YAML: plain if it cannot be misread, otherwise in double quotes.
fn scalar(text: &str) -> String {
    if is_plain(text) {
        return text.to_owned();
    }
    let mut quoted = String::from('"');
    for character in text.chars() {
        match character {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            '\n' => quoted.push_str("\\n"),
            '\t' => quoted.push_str("\\t"),
            '\r' => quoted.push_str("\\r"),
            // What YAML does not take as it is (section 5.1), and what it takes for a line break.
            c if c.is_control()
                || matches!(
                    c,
                    '\u{2028}' | '\u{2029}' | '\u{feff}' | '\u{fffe}' | '\u{ffff}'
                ) =>
            {
                let _ = write!(quoted, "\\u{:04x}", u32::from(c));
            }
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}

fn is_plain(text: &str) -> bool {
    // Also allow flags such as `--wait`: a dash begins a list item only before a space.
    let first = text.trim_start_matches('-').chars().next();
    let begins =
        first.is_some_and(|c| c.is_ascii_alphabetic() || "/_".contains(c)) || is_quantity(text);
    // A colon is allowed if no space follows, as in image names.
    let goes_on = text
        .chars()
        .all(|c| c.is_ascii_alphanumeric() || "/_-.:".contains(c))
        && !text.ends_with(':');
    let words = ["true", "false", "yes", "no", "on", "off", "null", "y", "n"];
    begins && goes_on && !words.contains(&text.to_ascii_lowercase().as_str())
}

/// `500m`, `256Mi`, `30s`: digits and a unit. No YAML number ends in such a unit. (`1e3`, `0x1` and
/// `0o7` are numbers.)
fn is_quantity(text: &str) -> bool {
    let unit = text.trim_start_matches(|c: char| c.is_ascii_digit());
    unit.len() < text.len() && matches!(unit, "m" | "s" | "Ki" | "Mi" | "Gi" | "Ti")
}

/// The lines of a comment. Lines that begin with a space keep their layout.
fn comment(reason: &str, width: usize) -> Vec<String> {
    let mut lines = Vec::new();
    for paragraph in reason.lines() {
        if paragraph.starts_with(' ') {
            lines.push(format!("# {paragraph}"));
            continue;
        }
        let mut line = String::from("#");
        for word in paragraph.split_whitespace() {
            if line.len() > 1 && line.chars().count() + 1 + word.chars().count() > width {
                lines.push(std::mem::replace(&mut line, String::from("#")));
            }
            line.push(' ');
            line.push_str(word);
        }
        lines.push(line);
    }
    lines
}

#[cfg(test)]
#[path = "yaml_tests.rs"]
mod tests;
