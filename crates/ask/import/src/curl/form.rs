//! Parts of a form, as `-F` gives them: `name=content`, `name=@file;type=text/plain`,
//! `name=<file`.

use crate::error::ImportError;
use crate::file;
use crate::form::{Part, content_type};
use std::path::Path;

/// A part, and whether something about it was not understood.
pub(super) struct ReadPart {
    pub part: Part,
    pub has_unknown: bool,
}

/// `--form-string`: no character of the content is special.
pub(super) fn plain_part(value: &[u8]) -> Option<ReadPart> {
    let (name, content) = split(value, b'=')?;
    Some(ReadPart {
        part: Part {
            name: String::from_utf8_lossy(name).into_owned(),
            file_name: None,
            content_type: None,
            content: content.to_vec(),
        },
        has_unknown: false,
    })
}

/// `--form`: `@` and `<` name a file; none when the value is no `name=content`.
pub(super) fn part(
    value: &[u8],
    base: &Path,
    place: &str,
) -> Result<Option<ReadPart>, ImportError> {
    let Some(mut read) = plain_part(value) else {
        return Ok(None);
    };
    let content = std::mem::take(&mut read.part.content);
    let (source, attributes) = split_attributes(&content);
    read_attributes(attributes, &mut read);
    match source {
        [b'@', name @ ..] => {
            let name = unquote(name);
            read.part.content = file::read(base, &name, place)?;
            let short = Path::new(&name).file_name();
            read.part.file_name.get_or_insert_with(|| {
                short.map_or_else(String::new, |short| short.to_string_lossy().into_owned())
            });
            read.part
                .content_type
                .get_or_insert_with(|| content_type(&name).to_owned());
        }
        [b'<', name @ ..] => read.part.content = file::read(base, &unquote(name), place)?,
        plain => read.part.content = unquote_bytes(plain),
    }
    Ok(Some(read))
}

fn split(bytes: &[u8], at: u8) -> Option<(&[u8], &[u8])> {
    let position = bytes.iter().position(|&byte| byte == at)?;
    Some((&bytes[..position], &bytes[position + 1..]))
}

/// A semicolon ends the content, unless it stands in quotes that begin it.
fn split_attributes(content: &[u8]) -> (&[u8], &[u8]) {
    let after_mark = usize::from(matches!(content, [b'@' | b'<', ..]));
    let after_quotes = match &content[after_mark..] {
        [b'"', quoted @ ..] => quoted
            .iter()
            .position(|&byte| byte == b'"')
            .map_or(0, |length| after_mark + length + 2),
        _ => 0,
    };
    match split(&content[after_quotes..], b';') {
        Some((before, attributes)) => (&content[..after_quotes + before.len()], attributes),
        None => (content, b""),
    }
}

fn read_attributes(attributes: &[u8], read: &mut ReadPart) {
    for attribute in attributes.split(|&byte| byte == b';') {
        let attribute = String::from_utf8_lossy(attribute);
        match attribute.trim().split_once('=') {
            None if attribute.trim().is_empty() => {}
            Some(("type", value)) => read.part.content_type = Some(value.to_owned()),
            Some(("filename", value)) => {
                read.part.file_name = Some(value.trim_matches('"').to_owned());
            }
            // `text/html; charset=UTF-8` is one type.
            Some(("charset" | "boundary", _)) if read.part.content_type.is_some() => {
                if let Some(content_type) = &mut read.part.content_type {
                    content_type.push_str("; ");
                    content_type.push_str(attribute.trim());
                }
            }
            _ => read.has_unknown = true,
        }
    }
}

fn unquote(name: &[u8]) -> String {
    String::from_utf8_lossy(&unquote_bytes(name)).into_owned()
}

fn unquote_bytes(text: &[u8]) -> Vec<u8> {
    match text {
        [b'"', inner @ .., b'"'] => inner.to_vec(),
        _ => text.to_vec(),
    }
}
