//! The kinds of input, and how to tell them apart.

use std::fmt::{self, Display};
use std::path::Path;
use std::str::FromStr;

/// A kind of input.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Format {
    /// vegeta's targets as text: `GET http://host/path`, header lines, `@body-file`.
    Vegeta,
    /// vegeta's targets as a JSON object a line.
    VegetaJson,
    /// curl command lines, as typed or as copied from a browser.
    Curl,
    /// A JMeter test plan.
    Jmx,
    /// An OpenAPI 3 document, JSON or YAML.
    OpenApi,
    /// A HAR file, as browsers and proxies export it.
    Har,
    /// A Postman collection of version 2.
    Postman,
}

impl Format {
    /// All of them.
    pub const ALL: [Self; 7] = [
        Self::Vegeta,
        Self::VegetaJson,
        Self::Curl,
        Self::Jmx,
        Self::OpenApi,
        Self::Har,
        Self::Postman,
    ];

    /// As it is written on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Vegeta => "vegeta",
            Self::VegetaJson => "vegeta-json",
            Self::Curl => "curl",
            Self::Jmx => "jmx",
            Self::OpenApi => "openapi",
            Self::Har => "har",
            Self::Postman => "postman",
        }
    }

    /// The probable format of the input, by its beginning and, in case of doubt, by the name of its
    /// file.
    #[must_use]
    pub fn guess(input: &[u8], file_name: Option<&Path>) -> Option<Self> {
        let start = input.strip_prefix(b"\xef\xbb\xbf").unwrap_or(input);
        let start = String::from_utf8_lossy(&start[..start.len().min(LOOKED_AT)]);
        by_content(&start).or_else(|| by_name(file_name?))
    }
}

/// Enough to get past a licence or a comment at the top of a file.
const LOOKED_AT: usize = 16 << 10;

fn by_content(start: &str) -> Option<Format> {
    let trimmed = start.trim_start();
    if trimmed.starts_with("<?xml") || trimmed.starts_with("<jmeterTestPlan") {
        return Some(Format::Jmx);
    }
    if trimmed.starts_with('{') {
        return json(trimmed);
    }
    trimmed
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty() && !line.starts_with('#') && *line != "---")
        .find_map(by_line)
}

/// Vegeta's targets, OpenAPI's documents, HAR files and Postman's collections are all JSON; targets
/// have a line each, a HAR file is one object in one key, and a collection has keys of its own.
fn json(start: &str) -> Option<Format> {
    let inside = start.strip_prefix('{').unwrap_or(start).trim_start();
    if inside.starts_with("\"log\"") {
        return Some(Format::Har);
    }
    if is_postmans(&outer_keys(start), start) {
        return Some(Format::Postman);
    }
    let first = start.lines().next().unwrap_or_default();
    if first.contains("\"method\"") && first.contains("\"url\"") {
        Some(Format::VegetaJson)
    } else if start.contains("\"openapi\"") || start.contains("\"swagger\"") {
        Some(Format::OpenApi)
    } else {
        None
    }
}

/// Whether these are settings of ghz, which name one gRPC call. They are no list of requests; a few
/// flags of Tacho do the same.
pub(crate) fn is_of_ghz(input: &[u8]) -> bool {
    let start = String::from_utf8_lossy(&input[..input.len().min(LOOKED_AT)]);
    let start = start.trim_start_matches('\u{feff}').trim_start();
    let keys = outer_keys(start);
    let has = |key: &str| keys.contains(&key);
    start.starts_with('{') && has("call") && (has("proto") || has("protoset") || has("host"))
}

/// Whether this is a collection, even of version 1, or another file of Postman. The reader of
/// collections says what to do with those.
fn is_postmans(keys: &[&str], start: &str) -> bool {
    let has = |key: &str| keys.contains(&key);
    let is_marked = || start.contains("\"_postman_") || start.contains(".com/json/collection/v");
    !has("openapi")
        && !has("swagger")
        && (has("info") && (has("item") || is_marked())
            || has("item") && !has("method") && start.contains("\"request\"")
            || has("collection") && is_marked()
            || has("requests") && (has("order") || has("folders"))
            || has("_postman_variable_scope")
            || has("values") && has("id") && has("name"))
}

/// Keys of the outermost object, as far as the beginning of the text goes.
fn outer_keys(start: &str) -> Vec<&str> {
    let mut keys = Vec::new();
    let (mut depth, mut text_from, mut is_escaped) = (0_usize, None, false);
    let mut last = None;
    for (at, byte) in start.bytes().enumerate() {
        if let Some(from) = text_from {
            match byte {
                _ if is_escaped => is_escaped = false,
                b'\\' => is_escaped = true,
                b'"' => {
                    last = Some(&start[from..at]);
                    text_from = None;
                }
                _ => {}
            }
            continue;
        }
        match byte {
            b'"' => text_from = Some(at + 1),
            b'{' | b'[' => depth += 1,
            b'}' | b']' => depth = depth.saturating_sub(1),
            b':' if depth == 1 => keys.extend(last.take()),
            _ => {}
        }
        if depth == 0 {
            break;
        }
    }
    keys
}

/// What a line alone says.
pub(crate) fn by_line(line: &str) -> Option<Format> {
    let (first, rest) = line.split_once([' ', '\t']).unwrap_or((line, ""));
    if matches!(
        first.replace(['"', '\''], "").as_str(),
        "openapi:" | "swagger:"
    ) {
        Some(Format::OpenApi)
    } else if matches!(first, "curl" | "curl.exe") || first.ends_with("/curl") {
        Some(Format::Curl)
    } else if is_method(first) && (rest.contains("://") || rest.trim_start().starts_with('/')) {
        Some(Format::Vegeta)
    } else {
        None
    }
}

fn by_name(file_name: &Path) -> Option<Format> {
    let name = file_name.file_name()?.to_str()?.to_ascii_lowercase();
    if name.ends_with(".postman_collection.json") {
        return Some(Format::Postman);
    }
    let extension = file_name.extension()?.to_str()?.to_ascii_lowercase();
    match extension.as_str() {
        "jmx" => Some(Format::Jmx),
        "jsonl" | "ndjson" => Some(Format::VegetaJson),
        "har" => Some(Format::Har),
        "sh" | "curl" => Some(Format::Curl),
        "yaml" | "yml" => Some(Format::OpenApi),
        _ => None,
    }
}

/// vegeta takes any word of capital letters.
pub(crate) fn is_method(word: &str) -> bool {
    !word.is_empty() && word.bytes().all(|b| b.is_ascii_uppercase())
}

impl Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Not the name of a format.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{0}` is no format that is read; give one of vegeta, vegeta-json, curl, jmx, openapi, har, postman"
)]
pub struct UnknownFormat(pub String);

impl FromStr for Format {
    type Err = UnknownFormat;

    fn from_str(text: &str) -> Result<Self, UnknownFormat> {
        Self::ALL
            .into_iter()
            .find(|format| format.name() == text)
            .ok_or_else(|| UnknownFormat(text.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_read_back() {
        for format in Format::ALL {
            assert_eq!(format.to_string().parse(), Ok(format));
        }
        assert!("saz".parse::<Format>().is_err());
    }

    #[test]
    fn the_content_tells_the_format() {
        for (input, format) in [
            ("# mine\n\nGET http://a/\nX: y\n", Some(Format::Vegeta)),
            ("POST /path", Some(Format::Vegeta)),
            (
                "{\"method\":\"GET\",\"url\":\"http://a\"}\n",
                Some(Format::VegetaJson),
            ),
            ("#!/bin/sh\ncurl -s http://a\n", Some(Format::Curl)),
            (
                "export A=1\n/usr/bin/curl -s http://a\n",
                Some(Format::Curl),
            ),
            ("\u{feff}<?xml version=\"1.0\"?>", Some(Format::Jmx)),
            ("openapi: 3.1.0\n", Some(Format::OpenApi)),
            ("---\n# licence\n'openapi': 3.1.0\n", Some(Format::OpenApi)),
            ("{\n  \"openapi\": \"3.0.3\"}", Some(Format::OpenApi)),
            (
                "\u{feff}{\n  \"log\": {\"entries\": []}}",
                Some(Format::Har),
            ),
            (
                "{\"log\":{\"entries\":[{\"request\":{\"method\":\"GET\",\"url\":\"http://a\"}}]}}",
                Some(Format::Har),
            ),
            (
                "{\"info\":{\"name\":\"a\"},\"item\":[{\"request\":{\"method\":\"GET\",\"url\":\"http://a\"}}]}",
                Some(Format::Postman),
            ),
            (
                "{\n\t\"info\": {\n\t\t\"_postman_id\": \"5d7b\",\n\t\t\"description\": \"long",
                Some(Format::Postman),
            ),
            (
                "{\"info\": {\"schema\": \"https://schema.getpostman.com/json/collection/v2.1.0/",
                Some(Format::Postman),
            ),
            (
                "{\"id\":\"1\",\"order\":[],\"folders\":[],\"requests\":[]}",
                Some(Format::Postman),
            ),
            (
                "{\"id\":\"1\",\"name\":\"QA\",\"values\":[{\"key\":\"a\"}]}",
                Some(Format::Postman),
            ),
            (
                "{\"info\": {\"title\": \"_postman_\"}, \"openapi\": \"3.1.0\"}",
                Some(Format::OpenApi),
            ),
            (
                "{\"method\":\"POST\",\"url\":\"http://a\",\"item\":{\"info\":1}}\n",
                Some(Format::VegetaJson),
            ),
            ("hello", None),
            ("", None),
        ] {
            assert_eq!(Format::guess(input.as_bytes(), None), format, "{input}");
        }
    }

    #[test]
    fn settings_of_ghz_are_known_for_what_they_are() {
        assert!(is_of_ghz(b"{\"proto\": \"a.proto\", \"call\": \"a.B.C\"}"));
        assert!(is_of_ghz(b"\n{\"call\": \"a.B.C\", \"host\": \"a:1\"}"));
        assert!(!is_of_ghz(b"{\"call\": \"a.B.C\"}"));
        assert!(!is_of_ghz(b"{\"log\": {\"call\": 1, \"proto\": 2}}"));
        assert!(!is_of_ghz(b"call proto"));
    }

    #[test]
    fn the_name_helps_where_the_content_does_not() {
        let guess = |name: &str| Format::guess(b"", Some(Path::new(name)));
        assert_eq!(guess("plan.JMX"), Some(Format::Jmx));
        assert_eq!(guess("api.yaml"), Some(Format::OpenApi));
        assert_eq!(guess("a.Postman_Collection.json"), Some(Format::Postman));
        assert_eq!(guess("targets.txt"), None);
    }
}
