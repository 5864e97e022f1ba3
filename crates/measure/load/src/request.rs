//! Where requests go, and what they are on the wire.

mod endpoint;
mod from_url;
mod proxy;
mod rendered;

pub use crate::transport::Protocol;
pub use endpoint::{Address, ClientIdentity, Endpoint, TlsOptions, WebSocket};
pub use from_url::UrlError;
pub(crate) use rendered::{MASK, Wire};
pub use rendered::{Message, Rendered};

/// A request that cannot be sent as it is.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum RequestError {
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
    /// A connection that is a WebSocket has the address with which it was opened.
    #[error(
        "request `{request}`: messages of a WebSocket go to the address of the URL, `{opened}`, not to `{path}`"
    )]
    OtherWebSocket {
        /// Name of the request.
        request: String,
        /// As it was given.
        path: String,
        /// Where connections are opened.
        opened: String,
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
}

#[cfg(test)]
mod tests;
