//! Where the requests of a run go. All of them go to one origin.

use std::fmt;

/// How the subject is spoken to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Scheme {
    /// HTTP over a plain connection.
    Http,
    /// HTTP over TLS.
    Https,
    /// WebSocket over a plain connection.
    Ws,
    /// WebSocket over TLS.
    Wss,
}

impl Scheme {
    /// As it stands in a URL.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Http => "http",
            Self::Https => "https",
            Self::Ws => "ws",
            Self::Wss => "wss",
        }
    }

    /// Port that is meant when a URL names none.
    #[must_use]
    pub fn default_port(self) -> u16 {
        match self {
            Self::Http | Self::Ws => 80,
            Self::Https | Self::Wss => 443,
        }
    }
}

/// Scheme, host and port (RFC 6454).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Origin {
    /// How it is spoken to.
    pub scheme: Scheme,
    /// Host, and port unless it is the usual one: `shop.test:8080`, `127.0.0.1`, `[::1]:8443`.
    pub authority: String,
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}://{}", self.scheme.as_str(), self.authority)
    }
}
