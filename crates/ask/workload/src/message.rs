//! A request as the transport gets it, whatever the version of HTTP.

use bytes::Bytes;
use std::sync::Arc;

/// One request, ready to be written. The engine adds `Host`, `User-Agent` and `Content-Length`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Message {
    /// `GET`, `POST`, ...
    pub method: Arc<str>,
    /// Path with query, as it goes over the wire.
    pub path: String,
    /// In order. Names are tokens and values hold nothing that would end the line.
    pub headers: Vec<(String, String)>,
    /// Empty when there is none.
    pub body: Bytes,
}

impl Message {
    /// The first header of this name, whatever the case.
    #[must_use]
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers
            .iter()
            .find(|(n, _)| n.eq_ignore_ascii_case(name))
            .map(|(_, value)| value.as_str())
    }
}
