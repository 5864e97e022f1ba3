//! From the options to a configuration that all connections share.

use super::stream::TlsStream;
use super::verifier::AnyCertificate;
use crate::request::{ClientIdentity, Endpoint, TlsOptions};
use crate::transport::fault::Fault;
use rustix::fd::OwnedFd;
use rustls::client::WantsClientCert;
use rustls::crypto::ring;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer, ServerName};
use rustls::{ClientConfig, ConfigBuilder, RootCertStore};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Files or names with which no TLS can be spoken.
#[derive(Debug, thiserror::Error)]
pub enum TlsError {
    /// A file that cannot be read, or holds nothing of the kind.
    #[error("{path}: {problem}; give a PEM file with {wanted}")]
    File {
        /// Path of the PEM file.
        path: PathBuf,
        /// What should be in it.
        wanted: &'static str,
        /// What is wrong with it.
        problem: String,
    },
    /// The certificate and the key do not fit each other, or are of no use.
    #[error("{certificate} and {key}: {source}; give a certificate and its own private key")]
    Identity {
        /// Path of the PEM file with the certificate.
        certificate: PathBuf,
        /// Path of the PEM file with its private key.
        key: PathBuf,
        /// What the TLS library says.
        source: rustls::Error,
    },
    /// Nobody to trust.
    #[error(
        "this system has no certificate authorities ({problem}); install ca-certificates, or name a CA file"
    )]
    NoAuthorities {
        /// What was found.
        problem: String,
    },
    /// Not a name that a certificate could be for.
    #[error(
        "`{name}` is no host name that a certificate could be for; give another server name (SNI)"
    )]
    ServerName {
        /// As it was given.
        name: String,
    },
    /// No version or cipher in common with ourselves.
    #[error("TLS cannot be set up: {0}; this is an error in Tacho, please report it")]
    Setup(rustls::Error),
}

/// What all TLS connections of a run share: trust, our identity, and the sessions that the subject
/// lets us resume (256 of them, as rustls has it for every client).
#[derive(Debug, Clone)]
pub struct Tls {
    config: Arc<ClientConfig>,
    server_name: ServerName<'static>,
}

impl Tls {
    /// Reads the files that the options name.
    pub fn new(options: &TlsOptions, endpoint: &Endpoint) -> Result<Self, TlsError> {
        let provider = Arc::new(ring::default_provider());
        let builder = ClientConfig::builder_with_provider(Arc::clone(&provider))
            .with_safe_default_protocol_versions()
            .map_err(TlsError::Setup)?;
        let builder = if options.insecure {
            builder
                .dangerous()
                .with_custom_certificate_verifier(Arc::new(AnyCertificate::new(&provider)))
        } else {
            builder.with_root_certificates(authorities(options.ca_file.as_deref())?)
        };
        let mut config = match &options.identity {
            None => builder.with_no_client_auth(),
            Some(identity) => identify(builder, identity)?,
        };
        config.alpn_protocols = vec![endpoint.protocol.alpn().to_vec()];
        let name = options.server_name.as_deref().unwrap_or(endpoint.host());
        let server_name =
            ServerName::try_from(name.to_owned()).map_err(|_| TlsError::ServerName {
                name: name.to_owned(),
            })?;
        Ok(Self {
            config: Arc::new(config),
            server_name,
        })
    }

    /// Begins a session over a connected socket.
    pub fn begin(&self, socket: OwnedFd) -> Result<TlsStream, Fault> {
        TlsStream::begin(socket, &self.config, &self.server_name)
    }
}

/// The system's authorities, and those of a file of one's own. The system's and not a list that was
/// compiled in, because services inside a company are signed by its own authority, which its
/// machines know; and because such a list grows old with the binary.
fn authorities(own: Option<&Path>) -> Result<RootCertStore, TlsError> {
    let system = rustls_native_certs::load_native_certs();
    let mut store = RootCertStore::empty();
    store.add_parsable_certificates(system.certs);
    if let Some(path) = own {
        let unusable = |problem| TlsError::File {
            path: path.to_owned(),
            wanted: "certificates of authorities",
            problem,
        };
        for certificate in certificates(path).map_err(unusable)? {
            store
                .add(certificate)
                .map_err(|error| unusable(error.to_string()))?;
        }
    } else if store.is_empty() {
        let problem = system.errors.first().map_or_else(
            || "none is installed".to_owned(),
            std::string::ToString::to_string,
        );
        return Err(TlsError::NoAuthorities { problem });
    }
    Ok(store)
}

fn identify(
    builder: ConfigBuilder<ClientConfig, WantsClientCert>,
    identity: &ClientIdentity,
) -> Result<ClientConfig, TlsError> {
    let unusable = |path: &Path, wanted| {
        let path = path.to_owned();
        move |problem| TlsError::File {
            path,
            wanted,
            problem,
        }
    };
    let chain = certificates(&identity.certificate)
        .map_err(unusable(&identity.certificate, "our certificate"))?;
    let key = PrivateKeyDer::from_pem_file(&identity.key)
        .map_err(|error| error.to_string())
        .map_err(unusable(&identity.key, "its private key"))?;
    builder
        .with_client_auth_cert(chain, key)
        .map_err(|source| TlsError::Identity {
            certificate: identity.certificate.clone(),
            key: identity.key.clone(),
            source,
        })
}

/// At least one.
fn certificates(path: &Path) -> Result<Vec<CertificateDer<'static>>, String> {
    let found: Result<Vec<_>, _> = CertificateDer::pem_file_iter(path)
        .map_err(|error| error.to_string())?
        .collect();
    match found {
        Ok(found) if found.is_empty() => Err("it holds no certificate".to_owned()),
        Ok(found) => Ok(found),
        Err(error) => Err(error.to_string()),
    }
}
