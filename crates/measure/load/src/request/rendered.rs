//! A request as it goes over the wire.

use super::{Endpoint, Protocol, RequestError};
use crate::transport::Keep;
use bytes::Bytes;
use std::num::NonZeroU32;
use tacho_workload::rules::{is_header_value, is_method, is_token};

/// The parts of a request, before they are rendered.
#[derive(Debug, Clone, Copy)]
pub struct Message<'a> {
    /// For people: named in errors.
    pub name: &'a str,
    /// `GET`, `POST`, ...
    pub method: &'a str,
    /// Path with query, beginning with `/`.
    pub path: &'a str,
    /// In order; `Host`, `User-Agent` and `Content-Length` are added unless given.
    pub headers: &'a [(String, String)],
    /// Empty when there is none.
    pub body: &'a [u8],
}

impl<'a> Message<'a> {
    /// A message of a workload, by the name of its kind.
    #[must_use]
    pub fn of(name: &'a str, message: &'a tacho_workload::Message) -> Self {
        Self {
            name,
            method: &message.method,
            path: &message.path,
            headers: &message.headers,
            body: &message.body,
        }
    }

    fn header(&self, name: &str) -> Option<&'a str> {
        self.headers
            .iter()
            .find(|(n, _)| n.eq_ignore_ascii_case(name))
            .map(|(_, value)| value.as_str())
    }

    fn check(&self) -> Result<(), RequestError> {
        let name = || self.name.to_owned();
        let method = self.method;
        if !is_method(method) {
            return Err(RequestError::Method {
                request: name(),
                method: method.to_owned(),
            });
        }
        let asterisk = method == "OPTIONS" && self.path == "*";
        if !(self.path.starts_with('/') || asterisk)
            || self
                .path
                .contains(|c: char| c.is_control() || c.is_whitespace())
        {
            return Err(self.bad_path());
        }
        match self.header("content-length") {
            Some(given) if given.trim().parse() != Ok(self.body.len()) => {
                Err(RequestError::ContentLength {
                    request: name(),
                    given: given.to_owned(),
                    actual: self.body.len(),
                })
            }
            _ => Ok(()),
        }
    }

    fn bad_path(&self) -> RequestError {
        RequestError::Path {
            request: self.name.to_owned(),
            path: self.path.to_owned(),
        }
    }

    fn check_header(&self, name: &str, value: &str) -> Result<(), RequestError> {
        if is_token(name) && is_header_value(value) {
            return Ok(());
        }
        Err(self.bad_header(name))
    }

    fn bad_header(&self, name: &str) -> RequestError {
        RequestError::Header {
            request: self.name.to_owned(),
            header: name.to_owned(),
        }
    }

    /// Announced where there is a body, and where one is to be expected (RFC 9110, 8.6).
    fn needs_length(&self) -> bool {
        self.header("content-length").is_none()
            && self.header("transfer-encoding").is_none()
            && (!self.body.is_empty() || matches!(self.method, "POST" | "PUT" | "PATCH"))
    }
}

const USER_AGENT: &str = concat!("tacho/", env!("CARGO_PKG_VERSION"));

/// A request as it goes over the wire: nothing of it is computed while the clock runs.
#[derive(Debug)]
pub struct Rendered {
    pub(crate) wire: Wire,
    /// What of the answer comes back with it.
    pub(crate) keep: Keep,
    /// Its answer, if it succeeds, is over with this many server-sent events.
    pub(crate) events: Option<NonZeroU32>,
    /// Its answer has no body.
    pub(crate) is_head: bool,
    /// May be sent again on a fresh connection when an idle one turns out to be closed
    /// (RFC 9110, 9.2.2).
    pub(crate) is_idempotent: bool,
    /// Its body waits until the subject wants it (RFC 9110, 10.1.1).
    pub(crate) expects_continue: bool,
}

/// Masks all that goes out over a WebSocket; why one is enough says [`tacho_websocket::frame`].
pub(crate) const MASK: [u8; 4] = *b"tach";

/// The bytes of HTTP/1.1, the fields of HTTP/2, or a frame of a WebSocket.
#[derive(Debug)]
pub(crate) enum Wire {
    Http1 {
        bytes: Box<[u8]>,
        head_length: usize,
    },
    Http2 {
        head: Box<http::Request<()>>,
        body: Bytes,
    },
    WebSocket {
        frame: Box<[u8]>,
    },
}

impl Rendered {
    /// Renders a message for the protocol of an endpoint.
    ///
    /// # Errors
    /// When it cannot be sent as it is: a header with a line break, a path with a space, a
    /// Content-Length that is wrong, a header that HTTP/2 does not have.
    pub fn new(
        message: &Message<'_>,
        endpoint: &Endpoint,
        keep: Keep,
    ) -> Result<Self, RequestError> {
        message.check()?;
        let expects_continue = !message.body.is_empty()
            && message
                .header("expect")
                .is_some_and(|value| value.trim().eq_ignore_ascii_case("100-continue"));
        Ok(Self {
            wire: match endpoint.protocol {
                Protocol::Http1 => http1(message, endpoint)?,
                Protocol::Http2 => http2(message, endpoint)?,
                Protocol::WebSocket => websocket(message, endpoint)?,
            },
            keep,
            events: None,
            is_head: message.method == "HEAD",
            is_idempotent: matches!(
                message.method,
                "GET" | "HEAD" | "OPTIONS" | "TRACE" | "PUT" | "DELETE"
            ),
            expects_continue,
        })
    }

    /// The same, whose answer is over with this many server-sent events: a stream of them has no
    /// end of its own.
    #[must_use]
    pub fn awaiting(self, events: Option<NonZeroU32>) -> Self {
        Self { events, ..self }
    }

    /// Head and body in HTTP/1.1; nothing when it was rendered for HTTP/2.
    #[inline]
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        match &self.wire {
            Wire::Http1 { bytes, .. } => bytes,
            Wire::WebSocket { frame } => frame,
            Wire::Http2 { .. } => &[],
        }
    }

    /// The fields of the head in HTTP/2; `None` when it was rendered for another protocol.
    pub(crate) fn head(&self) -> Option<&http::HeaderMap> {
        match &self.wire {
            Wire::Http2 { head, .. } => Some(head.headers()),
            Wire::Http1 { .. } | Wire::WebSocket { .. } => None,
        }
    }

    /// Bytes of [`Rendered::bytes`] that are head.
    #[inline]
    pub(crate) fn head_length(&self) -> usize {
        match &self.wire {
            Wire::Http1 { head_length, .. } => *head_length,
            Wire::Http2 { .. } | Wire::WebSocket { .. } => 0,
        }
    }

    /// Rendered for this protocol.
    #[inline]
    pub(crate) fn is_for(&self, protocol: Protocol) -> bool {
        matches!(
            (&self.wire, protocol),
            (Wire::Http1 { .. }, Protocol::Http1)
                | (Wire::Http2 { .. }, Protocol::Http2)
                | (Wire::WebSocket { .. }, Protocol::WebSocket)
        )
    }
}

fn websocket(message: &Message<'_>, endpoint: &Endpoint) -> Result<Wire, RequestError> {
    let opened = endpoint.websocket.as_ref().map_or("", |it| &it.path);
    if message.path != opened {
        return Err(RequestError::OtherWebSocket {
            request: message.name.to_owned(),
            path: message.path.to_owned(),
            opened: opened.to_owned(),
        });
    }
    let frame = tacho_websocket::frame(tacho_websocket::Frame::Message, message.body, MASK);
    Ok(Wire::WebSocket {
        frame: frame.into(),
    })
}

fn http1(message: &Message<'_>, endpoint: &Endpoint) -> Result<Wire, RequestError> {
    let mut bytes = Vec::with_capacity(256 + message.body.len());
    let mut put = |parts: [&str; 4]| {
        parts
            .iter()
            .for_each(|p| bytes.extend_from_slice(p.as_bytes()))
    };
    put([message.method, " ", message.path, " HTTP/1.1\r\n"]);
    let mut line = |name: &str, value: &str| -> Result<(), RequestError> {
        message.check_header(name, value)?;
        put([name, ": ", value, "\r\n"]);
        Ok(())
    };
    if message.header("host").is_none() {
        line("Host", &endpoint.authority)?;
    }
    if message.header("user-agent").is_none() {
        line("User-Agent", USER_AGENT)?;
    }
    for (name, value) in message.headers {
        line(name, value)?;
    }
    if message.needs_length() {
        line("Content-Length", &message.body.len().to_string())?;
    }
    bytes.extend_from_slice(b"\r\n");
    let head_length = bytes.len();
    bytes.extend_from_slice(message.body);
    Ok(Wire::Http1 {
        bytes: bytes.into(),
        head_length,
    })
}

/// Fields that belong to a connection, which in HTTP/2 carries many requests (RFC 9113, 8.2.2).
const NOT_IN_HTTP2: [&str; 5] = [
    "connection",
    "keep-alive",
    "proxy-connection",
    "transfer-encoding",
    "upgrade",
];

fn http2(message: &Message<'_>, endpoint: &Endpoint) -> Result<Wire, RequestError> {
    let authority = message.header("host").unwrap_or(&endpoint.authority);
    message.check_header("Host", authority)?;
    let uri = http::Uri::builder()
        .scheme(endpoint.scheme())
        .authority(authority)
        .path_and_query(message.path)
        .build()
        .map_err(|_| message.bad_path())?;
    let mut head = Box::new(http::Request::new(()));
    *head.uri_mut() = uri;
    *head.method_mut() = message
        .method
        .parse()
        .map_err(|_: http::method::InvalidMethod| RequestError::Method {
            request: message.name.to_owned(),
            method: message.method.to_owned(),
        })?;
    let mut field = |name: &str, value: &str| -> Result<(), RequestError> {
        message.check_header(name, value)?;
        // Names are in lower case from here on (RFC 9113, 8.2).
        let key = name.parse::<http::HeaderName>().ok();
        let value = http::HeaderValue::from_bytes(value.as_bytes()).ok();
        let (Some(key), Some(value)) = (key, value) else {
            return Err(message.bad_header(name));
        };
        head.headers_mut().append(key, value);
        Ok(())
    };
    if message.header("user-agent").is_none() {
        field("user-agent", USER_AGENT)?;
    }
    for (name, value) in message.headers {
        if NOT_IN_HTTP2.iter().any(|n| n.eq_ignore_ascii_case(name)) {
            return Err(RequestError::NotInHttp2 {
                request: message.name.to_owned(),
                header: name.clone(),
            });
        }
        if !name.eq_ignore_ascii_case("host") {
            field(name, value.trim())?;
        }
    }
    if message.needs_length() {
        field("content-length", &message.body.len().to_string())?;
    }
    Ok(Wire::Http2 {
        head,
        body: Bytes::copy_from_slice(message.body),
    })
}
