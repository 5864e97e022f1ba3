//! Where the requests go.

use crate::transport::Protocol;
use std::net::SocketAddr;
use std::path::PathBuf;
use tacho_import::{Connection, HttpVersion};
use tacho_workload::{Origin, Scheme};

/// The one origin of a run, and how it is spoken to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Endpoint {
    /// What connections are made to.
    pub address: Address,
    /// Further instances of the same subject: requests go to all of them in turn.
    pub others: Vec<Address>,
    /// Host and port as the subject knows them: the `Host` header (`:authority` in HTTP/2) unless a
    /// request brings its own, and the name that its certificate is checked against.
    pub authority: String,
    /// TLS, when the scheme is https.
    pub tls: Option<TlsOptions>,
    /// Spoken over each connection.
    pub protocol: Protocol,
    /// What each connection becomes, when that is a WebSocket.
    pub websocket: Option<WebSocket>,
}

/// Where WebSockets are opened: all messages of a run go there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WebSocket {
    /// Path with query.
    pub path: String,
    /// Sent with the request for the upgrade: cookies, an origin, a protocol.
    pub headers: Vec<(String, String)>,
    /// How many messages the subject sends first, before anything is said to it.
    pub greeting: u32,
}

/// What connections are made to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Address {
    /// A number: nothing to resolve.
    Ip(SocketAddr),
    /// A name, resolved before the clock starts.
    Name {
        /// As `getaddrinfo` takes it.
        host: String,
        /// Port of TCP.
        port: u16,
    },
    /// A Unix socket.
    Unix(PathBuf),
}

/// How the subject proves who it is, and how we do.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct TlsOptions {
    /// PEM file of certificate authorities to trust besides the system's.
    pub ca_file: Option<PathBuf>,
    /// Our own certificate, for subjects that ask for one.
    pub identity: Option<ClientIdentity>,
    /// Asked for (SNI) and checked instead of the authority's host.
    pub server_name: Option<String>,
    /// Takes any certificate. Only when the user asks for it, and the result says so.
    pub insecure: bool,
}

/// A client certificate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClientIdentity {
    /// PEM file: the certificate, then those that lead to its authority.
    pub certificate: PathBuf,
    /// PEM file of its private key.
    pub key: PathBuf,
}

impl Endpoint {
    /// HTTP/1.1 over plain TCP; the authority is the address.
    #[must_use]
    pub fn new(address: SocketAddr) -> Self {
        Self {
            address: Address::Ip(address),
            others: Vec::new(),
            authority: address.to_string(),
            tls: None,
            protocol: Protocol::Http1,
            websocket: None,
        }
    }

    /// The same, known to the subject under another name.
    #[must_use]
    pub fn with_authority(self, authority: impl Into<String>) -> Self {
        Self {
            authority: authority.into(),
            ..self
        }
    }

    /// The same, with further instances that take requests in turn.
    #[must_use]
    pub fn beside(self, others: impl IntoIterator<Item = SocketAddr>) -> Self {
        Self {
            others: others.into_iter().map(Address::Ip).collect(),
            ..self
        }
    }

    /// The same, reached through a Unix socket; the authority stays.
    #[must_use]
    pub fn over_unix_socket(self, path: impl Into<PathBuf>) -> Self {
        Self {
            address: Address::Unix(path.into()),
            ..self
        }
    }

    /// The same, speaking this.
    #[must_use]
    pub fn speaking(self, protocol: Protocol) -> Self {
        Self { protocol, ..self }
    }

    /// The same, whose connections become WebSockets.
    #[must_use]
    pub fn talking(self, websocket: WebSocket) -> Self {
        Self {
            protocol: Protocol::WebSocket,
            websocket: Some(websocket),
            ..self
        }
    }

    /// Where its requests go.
    #[must_use]
    pub fn origin(&self) -> Origin {
        Origin {
            scheme: match (self.protocol, &self.tls) {
                (Protocol::WebSocket, Some(_)) => Scheme::Wss,
                (Protocol::WebSocket, None) => Scheme::Ws,
                (_, Some(_)) => Scheme::Https,
                (_, None) => Scheme::Http,
            },
            authority: self.authority.clone(),
        }
    }

    /// Applies the connection settings of an imported file. An import cannot turn off the
    /// verification of certificates: only the user can.
    #[must_use]
    pub fn wished(mut self, wishes: Connection) -> Self {
        if let Some(HttpVersion::Http2 | HttpVersion::Http2PriorKnowledge) = wishes.http_version {
            self.protocol = Protocol::Http2;
        }
        if let Some(socket) = wishes.unix_socket {
            self.address = Address::Unix(socket);
        }
        if let Some(tls) = &mut self.tls {
            tls.ca_file = wishes.ca;
            tls.identity = wishes
                .certificate
                .zip(wishes.key)
                .map(|(certificate, key)| ClientIdentity { certificate, key });
        }
        self
    }

    /// `http` or `https`.
    #[must_use]
    pub fn scheme(&self) -> &'static str {
        self.origin().scheme.as_str()
    }

    /// The authority without its port, and an IPv6 address without its brackets.
    #[must_use]
    pub fn host(&self) -> &str {
        if let Some(bracketed) = self.authority.strip_prefix('[') {
            return bracketed
                .split_once(']')
                .map_or(bracketed, |(host, _)| host);
        }
        self.authority
            .split_once(':')
            .map_or(&self.authority, |(host, _)| host)
    }

    /// What a reader of the result has to know about the way it was reached; empty when there is
    /// nothing.
    #[must_use]
    pub fn caveats(&self) -> Vec<&'static str> {
        let insecure = self.tls.as_ref().is_some_and(|tls| tls.insecure);
        insecure
            .then_some("the subject's certificate was not checked, as was asked for")
            .into_iter()
            .collect()
    }
}
