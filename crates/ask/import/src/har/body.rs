//! The body of a recorded request: whole, or not sent.

use super::file::{Param, PostData, Request};
use crate::form;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use std::path::{Component, Path};
use tacho_workload::Body;

/// Why a body cannot be sent as it was recorded.
#[derive(Debug, thiserror::Error)]
pub(super) enum NoBody {
    #[error("its body of {0} bytes is not in the recording{1}")]
    Lost(u64, String),
    #[error("{there} of the {all} bytes of its body are in the recording: a file was sent with it")]
    InPart { there: usize, all: u64 },
    #[error(
        "the text of its body has {there} bytes, and content-length says {all}: that is not what was sent. Record it with a tool that keeps bytes, such as a proxy; if you have changed the text, remove content-length"
    )]
    Longer { there: usize, all: u64 },
    #[error(
        "the recording only lists the fields of its form ({0}), without the bytes that were sent. Record it with a tool that keeps bytes, such as a proxy"
    )]
    Listed(usize),
    #[error("its body is in the file {0}, which is not beside the recording")]
    NoFile(String),
    #[error("its body is in a file that is not beside the recording, but elsewhere ({0})")]
    Outside(String),
    #[error("its body is base64 that cannot be read")]
    Base64,
}

pub(super) fn of(request: &Request, base_dir: &Path) -> Result<Body, NoBody> {
    if let Some(name) = request
        .post_data
        .as_ref()
        .and_then(|data| data.file.as_deref())
    {
        return beside(name, base_dir);
    }
    if let Some(binary) = &request.content {
        return match binary.encoding.as_deref() {
            Some("base64") => STANDARD
                .decode(binary.text.as_bytes())
                .map(Body::Bytes)
                .map_err(|_| NoBody::Base64),
            _ => Ok(Body::Bytes(binary.text.clone().into_bytes())),
        };
    }
    let data = request.post_data.as_ref();
    let text = data.map(text_of).unwrap_or_default();
    let bytes = match text {
        "" => data.map(filled_in).unwrap_or_default(),
        text => text.as_bytes().to_vec(),
    };
    let fields = data.map_or(0, |data| params_of(data).len());
    match (bytes.len() as u64, said(request, bytes.is_empty())) {
        (0, None) if fields > 0 => Err(NoBody::Listed(fields)),
        (0, Some(0) | None) => Ok(Body::None),
        (0, Some(all)) => Err(NoBody::Lost(all, why(request))),
        (there, Some(all)) if there < all => Err(NoBody::InPart {
            there: bytes.len(),
            all,
        }),
        // What is filled in here may be spelled otherwise, and means the same.
        (there, Some(all)) if there > all && !text.is_empty() => from_latin1(text, all),
        _ => Ok(Body::Bytes(bytes)),
    }
}

/// The length of the body as it was sent, by its header. Without a header, and where the recording
/// has no body, the recorder's count is used. (Where it has a body, that count is the length of the
/// recorded text.)
fn said(request: &Request, is_empty: bool) -> Option<u64> {
    let by_header = request
        .headers
        .iter()
        .filter(|header| header.name.eq_ignore_ascii_case("content-length"))
        .find_map(|header| header.value.trim().parse().ok());
    let counted = request.body_size.filter(|size| is_empty && *size > 0.0);
    by_header.or(counted.map(|size| size as u64))
}

/// The bytes that were sent, of a text that is longer. Chrome and Safari write each byte of a body
/// that is no text as the character of that number.
fn from_latin1(text: &str, all: u64) -> Result<Body, NoBody> {
    let bytes: Option<Vec<u8>> = text.chars().map(|c| u8::try_from(c).ok()).collect();
    match bytes {
        Some(bytes) if bytes.len() as u64 == all => Ok(Body::Bytes(bytes)),
        _ => Err(NoBody::Longer {
            there: text.len(),
            all,
        }),
    }
}

fn why(request: &Request) -> String {
    let status = request.body_status.as_deref();
    status.map_or_else(String::new, |status| format!(" ({status})"))
}

fn text_of(data: &PostData) -> &str {
    let text = data.text.as_deref().unwrap_or_default();
    without_headers(&data.mime_type, text)
}

fn params_of(data: &PostData) -> &[Param] {
    data.params.as_deref().unwrap_or_default()
}

/// A form of the parameters.
fn filled_in(data: &PostData) -> Vec<u8> {
    let params = params_of(data);
    let is_form = data.mime_type.starts_with(form::URLENCODED);
    let has_file = params.iter().any(|param| param.file_name.is_some());
    if !is_form || has_file {
        return Vec::new();
    }
    let pairs: Vec<String> = params.iter().map(pair).collect();
    pairs.join("&").into_bytes()
}

fn pair(param: &Param) -> String {
    let value = param.value.as_deref().unwrap_or_default();
    format!(
        "{}={}",
        form::encode(param.name.as_bytes()),
        form::encode(value.as_bytes())
    )
}

/// Firefox keeps the headers of a form's stream before its text. A form in parts begins with its
/// boundary; an encoded form has no line breaks.
fn without_headers<'t>(mime_type: &str, text: &'t str) -> &'t str {
    let Some((head, rest)) = text.split_once("\r\n\r\n") else {
        return text;
    };
    let has_headers = if mime_type.starts_with("multipart/") {
        !text.starts_with("--") && rest.starts_with("--")
    } else {
        mime_type.starts_with(form::URLENCODED) && head.split("\r\n").all(is_of_content)
    };
    if has_headers { rest } else { text }
}

/// Whether a line is one of the headers that Firefox writes: `Content-Length: 12`.
fn is_of_content(line: &str) -> bool {
    let name = line.split_once(": ").map(|(name, _)| name);
    name.is_some_and(|name| {
        name.eq_ignore_ascii_case("content-type") || name.eq_ignore_ascii_case("content-length")
    })
}

/// Reads a file that the recording names. Only files below the recording's folder are read, because
/// the names come from outside.
fn beside(name: &str, base_dir: &Path) -> Result<Body, NoBody> {
    let mut parts = Path::new(name).components();
    let is_plain = matches!(parts.next(), Some(Component::Normal(_))) && parts.next().is_none();
    if !is_plain {
        return Err(NoBody::Outside(crate::note::shorten(name, 60)));
    }
    let path = base_dir.join(name);
    match path.symlink_metadata() {
        Ok(found) if found.is_file() => Ok(Body::File(path)),
        _ => Err(NoBody::NoFile(name.to_owned())),
    }
}
