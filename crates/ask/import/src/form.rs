//! Bodies of HTML forms: `application/x-www-form-urlencoded` and `multipart/form-data`.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_encode};
use std::collections::HashSet;

/// What may stand in a form or in a part of a URL as it is (RFC 3986, 2.3).
const RESERVED: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'.')
    .remove(b'_')
    .remove(b'~');

/// Content type of a form without files.
pub(crate) const URLENCODED: &str = "application/x-www-form-urlencoded";

/// Percent-encoded, a space as %20: right in a path, in a query and in a form.
pub(crate) fn encode(bytes: &[u8]) -> String {
    percent_encode(bytes, RESERVED).to_string()
}

/// The types that curl knows by the names of files.
pub(crate) fn content_type(name: &str) -> &'static str {
    let extension = name.rsplit('.').next().unwrap_or_default();
    match extension.to_ascii_lowercase().as_str() {
        "gif" => "image/gif",
        "jpg" | "jpeg" => "image/jpeg",
        "png" => "image/png",
        "svg" => "image/svg+xml",
        "txt" => "text/plain",
        "htm" | "html" => "text/html",
        "pdf" => "application/pdf",
        "xml" => "application/xml",
        _ => "application/octet-stream",
    }
}

/// A part of a `multipart/form-data` body.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Part {
    pub name: String,
    pub file_name: Option<String>,
    pub content_type: Option<String>,
    pub content: Vec<u8>,
}

/// Content type and body (RFC 7578). The boundary is the same for the same parts, so that an
/// input always makes the same bytes.
pub(crate) fn multipart(parts: &[Part]) -> (String, Vec<u8>) {
    let boundary = boundary(parts);
    let mut body = Vec::new();
    for part in parts {
        body.extend_from_slice(b"--");
        body.extend_from_slice(boundary.as_bytes());
        body.extend_from_slice(b"\r\n");
        body.extend_from_slice(head(part).as_bytes());
        body.extend_from_slice(&part.content);
        body.extend_from_slice(b"\r\n");
    }
    body.extend_from_slice(format!("--{boundary}--\r\n").as_bytes());
    (format!("multipart/form-data; boundary={boundary}"), body)
}

fn head(part: &Part) -> String {
    let mut head = format!(
        "Content-Disposition: form-data; name=\"{}\"",
        quote(&part.name)
    );
    if let Some(file_name) = &part.file_name {
        head.push_str(&format!("; filename=\"{}\"", quote(file_name)));
    }
    if let Some(content_type) = &part.content_type {
        head.push_str("\r\nContent-Type: ");
        head.extend(content_type.chars().filter(|c| !c.is_control()));
    }
    head.push_str("\r\n\r\n");
    head
}

/// As browsers and curl escape names (WHATWG HTML, multipart form data).
fn quote(name: &str) -> String {
    name.replace('"', "%22")
        .replace('\r', "%0D")
        .replace('\n', "%0A")
}

const BOUNDARY: &str = "tacho-boundary-";

/// A boundary that occurs in no part: the first number that follows the word nowhere. (The parts
/// are searched in one pass, because a part may hold all numbers up to a million.)
fn boundary(parts: &[Part]) -> String {
    let taken: HashSet<u64> = parts
        .iter()
        .flat_map(|part| numbers_after_boundaries(&part.content))
        .collect();
    let free = (0..).find(|number| !taken.contains(number));
    format!("{BOUNDARY}{}", free.unwrap_or(u64::MAX))
}

/// All numbers that follow the word: 1, 12 and 123 in `tacho-boundary-123`.
fn numbers_after_boundaries(content: &[u8]) -> impl Iterator<Item = u64> {
    after_boundaries(content).flat_map(|after| {
        after
            .iter()
            .take_while(|byte| byte.is_ascii_digit())
            .scan(0_u64, |number, digit| {
                *number = number
                    .checked_mul(10)?
                    .checked_add(u64::from(digit - b'0'))?;
                Some(*number)
            })
    })
}

/// What follows each occurrence of the word.
fn after_boundaries(content: &[u8]) -> impl Iterator<Item = &[u8]> {
    let word = BOUNDARY.as_bytes();
    content
        .windows(word.len())
        .enumerate()
        .filter(move |(_, window)| *window == word)
        .map(move |(at, _)| &content[at + word.len()..])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn part(content: &[u8]) -> Part {
        Part {
            name: "a\"b".to_owned(),
            file_name: Some("c.txt".to_owned()),
            content_type: Some("text/plain\r\nX: y".to_owned()),
            content: content.to_vec(),
        }
    }

    #[test]
    fn a_multipart_body_byte_for_byte() {
        let (content_type, body) = multipart(&[part(b"hello")]);
        assert_eq!(
            content_type,
            "multipart/form-data; boundary=tacho-boundary-0"
        );
        assert_eq!(
            String::from_utf8(body).unwrap(),
            "--tacho-boundary-0\r\n\
             Content-Disposition: form-data; name=\"a%22b\"; filename=\"c.txt\"\r\n\
             Content-Type: text/plainX: y\r\n\r\n\
             hello\r\n\
             --tacho-boundary-0--\r\n"
        );
    }

    #[test]
    fn the_boundary_stands_in_no_part() {
        let (content_type, _) =
            multipart(&[part(b"--tacho-boundary-0"), part(b"tacho-boundary-1")]);
        assert!(content_type.ends_with("tacho-boundary-2"));
        let (content_type, _) = multipart(&[part(b"tacho-boundary-0123 tacho-boundary-2x")]);
        assert!(content_type.ends_with("tacho-boundary-3"), "{content_type}");
    }

    #[test]
    fn only_unreserved_characters_stay() {
        assert_eq!(encode(b"a-b_c.d~e f/g?\xff"), "a-b_c.d~e%20f%2Fg%3F%FF");
    }
}
