//! Secrets in a text whose grammar is not known: a message, a line of a shell, a URL.

use crate::names::Names;
use crate::{MASK, Masking};
use regex::{Captures, Regex};
use std::sync::LazyLock;

/// Told of each secret that was found.
pub(crate) type Found<'a> = dyn FnMut(&str) + 'a;

#[allow(clippy::expect_used)] // A constant, and looked at by every test.
fn pattern(text: &str) -> Regex {
    Regex::new(text).expect("a pattern")
}

/// `scheme://user:password@`: greedily up to the last `@`, since passwords hold some that nobody has escaped.
static LOGGED_IN: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r#"(?P<before>[A-Za-z][A-Za-z0-9+.-]*://[^\s/"'`<>@:]*:)(?P<value>[^\s/"'`<>]*)@"#)
});
/// `scheme://token@`.
static WITH_TOKEN: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r#"(?P<before>[A-Za-z][A-Za-z0-9+.-]*://)(?P<value>[^\s/"'`<>@:]+)@"#)
});
/// `jdbc:oracle:thin:scott/tiger@//host`.
static ORACLE: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"(?P<before>jdbc:oracle:[A-Za-z0-9]+:[^\s/@]*/)(?P<value>[^\s@]+)@"));
/// `name=value` and `"name": "value"` and `Name: value`.
static NAMED: LazyLock<Regex> = LazyLock::new(|| {
    pattern(concat!(
        r#"(?P<name>[A-Za-z_][A-Za-z0-9_.-]*)(?P<by>["']?\s*=\s*|["']\s*:\s*|:[ \t]+)"#,
        r#"(?P<value>"(?:[^"\\]|\\.)*"?|'[^']*'?|[^\s"'][^\r\n]*)"#
    ))
});
/// `--name value`, as a shell has it.
static OPTION: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r#"(?P<before>(?:^|\s)--?(?P<name>[A-Za-z][A-Za-z0-9_.-]*)\s+)(?P<value>"[^"]*"?|'[^']*'?|[^\s"'-]\S*)"#,
    )
});
/// `-u name:password`, as curl has it.
static LOGIN: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r#"(?P<before>(?:^|\s)(?:-u|-U|--user|--proxy-user)[ =]["']?[^\s:"']+:)(?P<value>[^\s"']+)"#,
    )
});
/// The schemes of RFC 7617 and RFC 6750.
static SCHEME: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"\b(?P<before>(?i:Bearer|Basic)\s+)(?P<value>[A-Za-z0-9._~+/=-]{8,})")
});

/// `<name>value</name>`.
static ELEMENT: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?P<before><(?:[A-Za-z0-9_.-]+:)?(?P<name>[A-Za-z_][A-Za-z0-9_.-]*)(?:\s[^<>]*)?>)(?P<value>[^<]+)</",
    )
});

pub(crate) fn masked(masking: &Masking, text: &str, found: &mut Found<'_>) -> String {
    let text = urls(text, found);
    let text = elements(masking, &text, found);
    let text = options(masking, &text, found);
    let text = keep_before(&LOGIN, &text, found);
    let text = named(masking, &text, found);
    keep_before(&SCHEME, &text, found)
}

fn urls(text: &str, found: &mut Found<'_>) -> String {
    if !text.contains('@') {
        return text.to_owned();
    }
    let mut text = text.to_owned();
    for pattern in [&LOGGED_IN, &WITH_TOKEN, &ORACLE] {
        let masked = pattern.replace_all(&text, |it: &Captures<'_>| {
            tell(&it["value"], found);
            format!("{}{MASK}@", &it["before"])
        });
        text = masked.into_owned();
    }
    text
}

fn tell(secret: &str, found: &mut Found<'_>) {
    if secret != MASK && !secret.is_empty() {
        found(secret);
    }
}

fn keep_before(pattern: &Regex, text: &str, found: &mut Found<'_>) -> String {
    pattern
        .replace_all(text, |it: &Captures<'_>| {
            tell(&it["value"], found);
            format!("{}{MASK}", &it["before"])
        })
        .into_owned()
}

fn elements(masking: &Masking, text: &str, found: &mut Found<'_>) -> String {
    let masked = ELEMENT.replace_all(text, |it: &Captures<'_>| {
        if !masking.names().is_secret(&it["name"]) || it["value"].trim().is_empty() {
            return it[0].to_owned();
        }
        tell(it["value"].trim(), found);
        format!("{}{MASK}</", &it["before"])
    });
    masked.into_owned()
}

fn options(masking: &Masking, text: &str, found: &mut Found<'_>) -> String {
    let mut masked = String::with_capacity(text.len());
    let mut rest = text;
    // What follows an option may be the next option: nothing may be skipped.
    while let Some(it) = OPTION.captures(rest) {
        let (Some(before), Some(value)) = (it.name("before"), it.name("value")) else {
            break;
        };
        masked.push_str(&rest[..before.end()]);
        if masking.names().is_secret(&it["name"]) {
            masked.push_str(&hidden(value.as_str(), found));
            rest = &rest[value.end()..];
        } else {
            rest = &rest[value.start()..];
        }
    }
    masked + rest
}

fn named(masking: &Masking, text: &str, found: &mut Found<'_>) -> String {
    let mut masked = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(it) = NAMED.captures(rest) {
        let Some(value) = it.name("value") else {
            break;
        };
        let (name, by) = (&it["name"], &it["by"]);
        let is_colon = by.starts_with(':');
        let name = name.trim_start_matches("D.");
        let is_secret = masking.names().is_secret(name) && !(is_colon && Names::is_prose(name));
        if !is_secret {
            // The value may hold names of its own.
            masked.push_str(&rest[..value.start()]);
            rest = &rest[value.start()..];
            continue;
        }
        let json = match by.contains(':') && !is_colon {
            true => json_length(value.as_str()),
            false => None,
        };
        // `{"tokens": 12}` counts something.
        if json.is_some() && Names::is_prose(name) {
            masked.push_str(&rest[..value.start()]);
            rest = &rest[value.start()..];
            continue;
        }
        let length = json.unwrap_or_else(|| length_of(value.as_str(), is_colon));
        let (secret, after) = rest[value.start()..].split_at(length);
        // Said of how it is to be written: `Authorization: Basic ...`.
        if secret.ends_with("...") {
            masked.push_str(&rest[..value.start() + length]);
            rest = after;
            continue;
        }
        masked.push_str(&rest[..value.start()]);
        match json {
            // A string is JSON wherever a number was.
            Some(_) => {
                tell(secret, found);
                masked.push_str(&format!("\"{MASK}\""));
            }
            None => masked.push_str(&hidden(secret, found)),
        }
        rest = after;
    }
    masked + rest
}

/// Of a number, `true` or `null` of JSON: its document stays one.
fn json_length(value: &str) -> Option<usize> {
    let end = value.find(|c: char| ",}]".contains(c) || c.is_whitespace())?;
    let literal = &value[..end];
    let is_literal = matches!(literal, "true" | "false" | "null") || literal.parse::<f64>().is_ok();
    is_literal.then_some(end)
}

/// A value without quotes ends where its surroundings do: a header's with the line or the quote around it, a parameter's with the
/// next one.
fn length_of(value: &str, is_colon: bool) -> usize {
    if value.starts_with(['"', '\'']) {
        return value.len();
    }
    // A shell's other quote.
    if let Some(inner) = value.strip_prefix('`') {
        return inner.find('`').map_or(value.len(), |end| end + 2);
    }
    let ends = |c: char| match c {
        '"' | '\'' | '`' => true,
        _ if is_colon => false,
        '&' | ';' | ')' | '}' | ']' | '>' => true,
        _ => c.is_whitespace(),
    };
    value.find(ends).unwrap_or(value.len())
}

/// With its quotes, where it has some.
fn hidden(value: &str, found: &mut Found<'_>) -> String {
    let quote = value.chars().next().filter(|c| matches!(c, '"' | '\''));
    match quote {
        Some(quote) => {
            let inner = value.trim_start_matches(quote);
            let closed = inner.ends_with(quote);
            tell(inner.trim_end_matches(quote), found);
            let end = if closed || inner.is_empty() {
                quote.to_string()
            } else {
                String::new()
            };
            format!("{quote}{MASK}{end}")
        }
        None => {
            tell(value.trim_end(), found);
            MASK.to_owned()
        }
    }
}
