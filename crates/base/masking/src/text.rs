//! Secrets in a text of unknown grammar: a message, a line of a shell, a URL.

use crate::clients::Walk;
use crate::names::Names;
use crate::{MASK, Masking};
use regex::{Captures, Regex};
use std::sync::LazyLock;

/// Called with each secret that was found.
pub(crate) type Found<'a> = dyn FnMut(&str) + 'a;

#[allow(clippy::expect_used)] // A constant, and looked at by every test.
fn pattern(text: &str) -> Regex {
    Regex::new(text).expect("a pattern")
}

/// `scheme://user:password@`: greedy, up to the last `@`, because passwords may hold an unescaped
/// `@`.
static LOGGED_IN: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r#"(?P<before>[A-Za-z][A-Za-z0-9+.-]*://[^\s/"'`<>@:]*:)(?P<value>[^\s/"'`<>]*)@"#)
});
/// A URL with a user and no password, `scheme://token@`. The user may be a token.
static WITH_TOKEN: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r#"(?P<before>[A-Za-z][A-Za-z0-9+.-]*://)(?P<value>[^\s/"'`<>@:]+)@"#)
});
/// As [`LOGGED_IN`], with a `/` in the password that should have been written `%2F`. A port is not
/// taken for a password.
static WITH_SLASH: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r#"(?P<before>[A-Za-z][A-Za-z0-9+.-]*://[^\s/"'`<>@:]+:)(?P<value>[^\s/"'`<>@:0-9][^\s/"'`<>@:]*/[^\s"'`<>@:]*)@"#,
    )
});
/// `user:password@tcp(host)`, as Go drivers write it.
static IN_BRACKETS: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r#"(?P<before>\b[A-Za-z0-9_.-]+:)(?P<value>[^\s"'`]+)@(?P<after>(?:tcp|udp)[46]?\(|unix\(|[a-z]*sql[a-z-]*\()"#,
    )
});
/// A URL without its scheme: `user:password@host:port`.
static WITH_PORT: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r#"(?P<before>(?:^|[\s=(,"'])[A-Za-z0-9_.-]+:)(?P<value>[^\s"'`@/:]+)@(?P<after>[A-Za-z0-9_.-]+:[0-9]{2,5}\b)"#,
    )
});
/// Oracle's form of a login: `jdbc:oracle:thin:scott/tiger@//host`.
static ORACLE: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"(?P<before>jdbc:oracle:[A-Za-z0-9]+:[^\s/@]*/)(?P<value>[^\s@]+)@"));
/// `name=value`, `"name": "value"`, `Name: value`, `name:value`; in a string of a program or of
/// JSON, `\"name\": \"value\"`; in a parameter of a URL that is a URL, `name%3Dvalue`.
static NAMED: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r#"(?P<name>[A-Za-z_][A-Za-z0-9_.-]*)(?P<by>\\*["']?\s*=\s*|\\*["']\s*:\s*|:[ \t]+|:|%3[Dd])"#,
    )
});
/// A value in quotes after a name. A value without quotes is only read up to its end: reading to
/// the end of the line for each name would read a line of a megabyte half a million times.
static IN_QUOTES: LazyLock<Regex> =
    LazyLock::new(|| pattern(r#"^(?:\\+"(?:[^"\\])*(?:\\+")?|"(?:[^"\\]|\\.)*"?|'[^']*'?)"#));
/// A name and its value as two values: `"name": "DB_PASSWORD", "value": "..."`.
static PAIR: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r#"(?P<before>\b(?:name|key)\\*["']?\s*[:=]\s*\\*["']?(?P<name>[A-Za-z_][A-Za-z0-9_.-]*)\\*["']?\s*,?\s*\\*["']?value\\*["']?\s*[:=]\s*)(?P<value>"(?:[^"\\]|\\.)*"?|'[^']*'?|\\+"[^"\\]*|[^\s"',}\\]+)"#,
    )
});
/// What follows `key:` when the value of `key` is the name of a pair.
static REST_OF_PAIR: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r#"^\\*["']?[A-Za-z0-9_.-]+\\*["']?\s*,?\s*\\*["']?value\\*["']?\s*[:=]"#)
});
/// `PASSWORD 'secret'`, `IDENTIFIED BY 'secret'`, in SQL and in sentences.
static QUOTED: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r#"(?P<before>\b(?i:password|passwd|passphrase|identified\s+by)\s+)(?P<value>'[^'\r\n]*'|"[^"\r\n]*")"#,
    )
});
/// A line of `.netrc`.
static NETRC: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"(?P<before>\blogin\s+\S+\s+password\s+)(?P<value>[^\s'\x22]+)"));
/// `-passin pass:secret` of openssl.
static PASS: LazyLock<Regex> =
    LazyLock::new(|| pattern(r#"(?P<before>(?:^|\s)-pass[a-z]*\s+pass:)(?P<value>[^\s"']+)"#));
/// Tokens with a known form: RFC 7519, GitHub, GitLab, Slack, npm, Stripe.
static BY_FORM: LazyLock<Regex> = LazyLock::new(|| {
    pattern(concat!(
        r"(?P<before>\b)(?P<value>eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*",
        r"|gh[opsru]_[A-Za-z0-9]{20,}|github_pat_[A-Za-z0-9_]{20,}|glpat-[A-Za-z0-9_-]{20,}",
        r"|xox[a-z]-[A-Za-z0-9-]{10,}|npm_[A-Za-z0-9]{30,}|sk_live_[A-Za-z0-9]{16,})",
    ))
});
/// Private keys in the forms of RFC 7468 and of OpenSSL.
static PRIVATE_KEY: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?P<before>-----BEGIN [A-Z ]*PRIVATE KEY-----)(?P<value>[A-Za-z0-9+/=\s\\:,-]*?)(?P<after>-----END|$)",
    )
});
/// One word of a shell. A quoted part may contain spaces.
static WORD: LazyLock<Regex> =
    LazyLock::new(|| pattern(r#"\n|[|;&()]|(?:'[^'\n]*'|"[^"\n]*"|[^\s'"|;&()])+"#));
/// `--name value`, as written in a shell.
static OPTION: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r#"(?P<before>(?:^|\s)--?(?P<name>[A-Za-z][A-Za-z0-9_.-]*)\s+)(?P<value>"[^"]*"?|'[^']*'?|[^\s"'-]\S*)"#,
    )
});
/// `-u name:password`, as for curl.
static LOGIN: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r#"(?P<before>(?:^|\s)(?:-u|-U|--user|--proxy-user)[ =]["']?[^\s:"']+:)(?P<value>[^\s"']+)"#,
    )
});
/// The schemes of RFC 7617 and RFC 6750.
static SCHEME: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"\b(?P<before>(?i:Bearer|Basic)\s+)(?P<value>[A-Za-z0-9._~+/=-]{8,})")
});

/// An element of XML: `<name>value</name>`.
static ELEMENT: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?P<before><(?:[A-Za-z0-9_.-]+:)?(?P<name>[A-Za-z_][A-Za-z0-9_.-]*)(?:\s[^<>]*)?>)(?P<value>[^<]+)</",
    )
});

pub(crate) fn masked(masking: &Masking, text: &str, found: &mut Found<'_>) -> String {
    let text = match text.contains("PRIVATE KEY") {
        true => values(&PRIVATE_KEY, text, found),
        false => text.to_owned(),
    };
    let text = urls(&text, found);
    let text = clients(&text, found);
    let text = elements(masking, &text, found);
    let text = pairs(masking, &text, found);
    let text = options(masking, &text, found);
    let text = [&LOGIN, &NETRC, &PASS]
        .iter()
        .fold(text, |text, pattern| values(pattern, &text, found));
    let text = replaced(&QUOTED, &text, |it| Some(hidden(&it["value"], found)));
    let text = named(masking, &text, found);
    schemes(&values(&BY_FORM, &text, found), found)
}

fn urls(text: &str, found: &mut Found<'_>) -> String {
    if !text.contains('@') {
        return text.to_owned();
    }
    [
        &LOGGED_IN,
        &WITH_SLASH,
        &WITH_TOKEN,
        &ORACLE,
        &IN_BRACKETS,
        &WITH_PORT,
    ]
    .iter()
    .fold(text.to_owned(), |text, pattern| {
        values(pattern, &text, found)
    })
}

/// The text with each `value` group of the pattern replaced by what `by` returns. Where `by`
/// returns nothing, and in the rest of each match, the text stays.
fn replaced(
    pattern: &Regex,
    text: &str,
    mut by: impl FnMut(&Captures<'_>) -> Option<String>,
) -> String {
    let mut masked = String::with_capacity(text.len());
    let mut copied = 0;
    for it in pattern.captures_iter(text) {
        if let (Some(value), Some(mask)) = (it.name("value"), by(&it)) {
            masked += &text[copied..value.start()];
            masked += &mask;
            copied = value.end();
        }
    }
    masked + &text[copied..]
}

/// With each `value` of the pattern masked.
fn values(pattern: &Regex, text: &str, found: &mut Found<'_>) -> String {
    replaced(pattern, text, |it| {
        tell(it["value"].trim(), found);
        Some(MASK.to_owned())
    })
}

/// Commands in a text: `mysql -pSECRET`.
fn clients(text: &str, found: &mut Found<'_>) -> String {
    let mut masked = String::with_capacity(text.len());
    let mut copied = 0;
    let mut walk = Walk::default();
    for it in WORD.find_iter(text) {
        let word = it.as_str();
        if matches!(word, "\n" | "|" | ";" | "&" | "(" | ")") {
            let goes_on = word == "\n" && text[..it.start()].ends_with('\\');
            if !goes_on {
                walk = Walk::default();
            }
            continue;
        }
        masked.push_str(&text[copied..it.start()]);
        copied = it.end();
        match walk.step(word) {
            Some(at) => {
                let (option, secret) = word.split_at(at);
                masked += option;
                masked += &hidden(secret, found);
            }
            // A command in quotes, as `sh -c` has it, or words between two apostrophes.
            None if word.contains(' ') => {
                for part in word.split_inclusive(['\'', '"']) {
                    masked += &match part.strip_suffix(['\'', '"']) {
                        Some(inner) => clients(inner, found) + &part[inner.len()..],
                        None => clients(part, found),
                    };
                }
            }
            None => masked += word,
        }
    }
    masked + &text[copied..]
}

fn pairs(masking: &Masking, text: &str, found: &mut Found<'_>) -> String {
    replaced(&PAIR, text, |it| {
        let is_secret = masking.names().hides(&it["name"], &it["value"]);
        is_secret.then(|| hidden(&it["value"], found))
    })
}

/// Masks tokens after `Bearer` and the like. `Bearer authentication failed` is a sentence: a token
/// contains digits, or capitals after its first letter.
fn schemes(text: &str, found: &mut Found<'_>) -> String {
    replaced(&SCHEME, text, |it| {
        let is_token = it["value"]
            .chars()
            .skip(1)
            .any(|c| c.is_ascii_digit() || c.is_uppercase());
        is_token.then(|| {
            tell(&it["value"], found);
            MASK.to_owned()
        })
    })
}

fn tell(secret: &str, found: &mut Found<'_>) {
    if secret != MASK && !secret.is_empty() {
        found(secret);
    }
}

fn elements(masking: &Masking, text: &str, found: &mut Found<'_>) -> String {
    replaced(&ELEMENT, text, |it| {
        let value = it["value"].trim();
        let is_secret = masking.names().hides(&it["name"], &it["value"]) && !value.is_empty();
        is_secret.then(|| {
            tell(value, found);
            MASK.to_owned()
        })
    })
}

fn options(masking: &Masking, text: &str, found: &mut Found<'_>) -> String {
    let mut masked = String::with_capacity(text.len());
    let mut rest = text;
    // The word after an option may be the next option, so no word is skipped.
    while let Some(it) = OPTION.captures(rest) {
        let (Some(before), Some(value)) = (it.name("before"), it.name("value")) else {
            break;
        };
        masked.push_str(&rest[..before.end()]);
        if masking.names().hides(&it["name"], value.as_str()) {
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
        let Some(by) = it.name("by") else {
            break;
        };
        let (before, after) = rest.split_at(by.end());
        masked.push_str(before);
        rest = after;
        let (name, by) = (&it["name"], by.as_str());
        let is_colon = by.starts_with(':');
        let is_in_path = before.len() > by.len() + name.len()
            && before[..before.len() - by.len() - name.len()].ends_with('/');
        let name = name.trim_start_matches("D.");
        let may_be_secret = masking.names().is_secret(name)
            && !(is_colon && Names::is_prose(name))
            // `/etc/passwd: Permission denied`.
            && !(is_colon && is_in_path)
            && (by != ":" || masking.names().ends_in_secret(name))
            && !(name == "key" && REST_OF_PAIR.is_match(rest));
        if !may_be_secret {
            // The value may hold names of its own.
            continue;
        }
        let value = rest;
        if value.is_empty() || value.starts_with(char::is_whitespace) {
            continue;
        }
        // An image with its version, or a file with a line number.
        let is_number = value.starts_with(|c: char| c.is_ascii_digit() || c == ':' || c == '/');
        if by == ":"
            && (is_number && !Names::is_password(name)
                || value.starts_with(['}', ']', ')', ',', ';']))
        {
            continue;
        }
        let json = match by.contains(':') && !is_colon {
            true => json_length(value),
            false => None,
        };
        // `{"tokens": 12}` counts something.
        if json.is_some() && Names::is_prose(name) {
            continue;
        }
        let length = json.unwrap_or_else(|| length_of(value, name, by));
        let (secret, after) = rest.split_at(length);
        if !masking.names().hides(name, secret) {
            continue;
        }
        rest = after;
        match json {
            // An example in documentation, not a secret: `Authorization: Basic ...`.
            _ if secret.ends_with("...") => masked.push_str(secret),
            // A string is valid JSON wherever a number was.
            Some(_) => {
                tell(secret, found);
                masked.push_str(&format!("\"{MASK}\""));
            }
            None => masked.push_str(&hidden(secret, found)),
        }
    }
    masked + rest
}

/// The length of a number, `true`, `false` or `null` in a JSON document; `None` for any other
/// value. Such a value is masked as a string, so that the document stays JSON.
fn json_length(value: &str) -> Option<usize> {
    let end = value.find(|c: char| !c.is_ascii_alphanumeric() && !"+-.".contains(c))?;
    let (literal, after) = value.split_at(end);
    let ends = |c: char| ",}]".contains(c) || c.is_whitespace() && !is_line_end(c);
    let is_literal = matches!(literal, "true" | "false" | "null") || literal.parse::<f64>().is_ok();
    (after.starts_with(ends) && is_literal).then_some(end)
}

fn is_line_end(c: char) -> bool {
    matches!(c, '\r' | '\n')
}

/// The length of a value without quotes. It ends where its surroundings end: a header's value at
/// the end of the line or of the quotes around it, a URL parameter's before the next parameter.
fn length_of(value: &str, name: &str, by: &str) -> usize {
    if value.starts_with(['"', '\'', '\\']) {
        return IN_QUOTES.find(value).map_or_else(
            || value.find(is_line_end).unwrap_or(value.len()),
            |quoted| quoted.end(),
        );
    }
    // The backquote of a shell.
    if let Some(inner) = value.strip_prefix('`') {
        let end = inner.find(|c| c == '`' || is_line_end(c));
        return match end {
            Some(end) if inner[end..].starts_with('`') => end + 2,
            Some(end) => end + 1,
            None => value.len(),
        };
    }
    let is_header = by.starts_with(':') && by != ":";
    let is_in_path = name.eq_ignore_ascii_case("jsessionid");
    let ends = |c: char| match c {
        '"' | '\'' | '`' => true,
        _ if is_header => is_line_end(c),
        '&' | ';' | ')' | '}' | ']' | '>' => true,
        '%' => by.starts_with('%'),
        '?' => is_in_path,
        ',' => by == ":",
        _ => c.is_whitespace(),
    };
    value.find(ends).unwrap_or(value.len())
}

/// The mask, with the quotes of the value where it has some. Quotes of a string within a string
/// have backslashes.
fn hidden(value: &str, found: &mut Found<'_>) -> String {
    let escapes = value.len() - value.trim_start_matches('\\').len();
    let quote = value[escapes..]
        .chars()
        .next()
        .filter(|c| matches!(c, '"' | '\''));
    match quote {
        Some(quote) => {
            let mark = &value[..=escapes];
            let inner = value[mark.len()..].trim_start_matches(quote);
            let closed = inner.ends_with(mark);
            let secret = inner.trim_end_matches(quote);
            tell(
                secret
                    .get(..secret.len() - if closed { escapes } else { 0 })
                    .unwrap_or(secret),
                found,
            );
            let end = if closed || inner.is_empty() { mark } else { "" };
            format!("{mark}{MASK}{end}")
        }
        None => {
            tell(value.trim_end(), found);
            MASK.to_owned()
        }
    }
}
