//! What is sent and where, rendered before the clock starts.

mod endpoint;
mod from_url;
mod mix;
mod proxy;
mod rendered;

pub use crate::transport::{Keep, Protocol};
pub use endpoint::{Address, ClientIdentity, Endpoint, TlsOptions};
pub use from_url::UrlError;
pub use mix::Mix;
pub(crate) use rendered::Wire;
pub use rendered::{Message, Rendered};

/// One request of a mix.
#[derive(Debug, Clone, PartialEq)]
pub struct Request {
    /// Name in reports and errors.
    pub name: String,
    /// `GET`, `POST`, ...
    pub method: String,
    /// Path with query, beginning with `/`.
    pub path: String,
    /// In order; `Host`, `User-Agent` and `Content-Length` are added unless given.
    pub headers: Vec<(String, String)>,
    /// Empty when there is none.
    pub body: Vec<u8>,
    /// Relative frequency, above 0.
    pub weight: f64,
}

impl Request {
    /// `GET` of a path, with weight 1.
    #[must_use]
    pub fn get(path: &str) -> Self {
        Self {
            name: format!("GET {path}"),
            method: "GET".to_owned(),
            path: path.to_owned(),
            headers: Vec::new(),
            body: Vec::new(),
            weight: 1.0,
        }
    }
}

/// A request that cannot be sent as it is.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum RequestError {
    /// An empty mix.
    #[error("there is nothing to send; give at least one request")]
    None,
    /// Not a token, or CONNECT.
    #[error(
        "request `{request}`: `{method}` is no method that can be sent; use GET, POST or the like"
    )]
    Method {
        /// Name of the request.
        request: String,
        /// As it was given.
        method: String,
    },
    /// Does not begin with `/`, or holds white space or control characters.
    #[error(
        "request `{request}`: the path `{}` must begin with `/` and hold no spaces or control characters; write a space as %20",
        path.escape_debug()
    )]
    Path {
        /// Name of the request.
        request: String,
        /// As it was given.
        path: String,
    },
    /// A line break in a header would be a header of its own.
    #[error(
        "request `{request}`: the header `{}` holds a character that ends or breaks a header line; remove it",
        header.escape_debug()
    )]
    Header {
        /// Name of the request.
        request: String,
        /// Name of the header as it was given.
        header: String,
    },
    /// The peer would wait for bytes that never come.
    #[error(
        "request `{request}`: Content-Length is given as `{given}`, but the body has {actual} bytes; leave it out, it is added"
    )]
    ContentLength {
        /// Name of the request.
        request: String,
        /// As it was given.
        given: String,
        /// Bytes of the body.
        actual: usize,
    },
    /// A connection-specific field, which HTTP/2 forbids.
    #[error(
        "request `{request}`: HTTP/2 has no header `{header}` (RFC 9113, 8.2.2); remove it, or send with HTTP/1.1"
    )]
    NotInHttp2 {
        /// Name of the request.
        request: String,
        /// Name of the header as it was given.
        header: String,
    },
    /// Not above 0.
    #[error("request `{request}`: a weight of {weight} means nothing; give a number above 0")]
    Weight {
        /// Name of the request.
        request: String,
        /// As it was given.
        weight: f64,
    },
}

#[cfg(test)]
mod tests;
