//! TLS by rustls, without a thread and without a runtime: bytes in, bytes out.

mod config;
mod fault;
mod stream;
mod verifier;

pub use config::{Tls, TlsError};
pub use stream::TlsStream;
