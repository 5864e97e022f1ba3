//! Certificates, made anew for each test.
#![allow(dead_code)]

use rcgen::{
    BasicConstraints, CertificateParams, CertifiedIssuer, DnType, ExtendedKeyUsagePurpose, IsCa,
    KeyPair, date_time_ymd,
};
use rustls::pki_types::{CertificateDer, PrivateKeyDer, PrivatePkcs8KeyDer};
use rustls::server::WebPkiClientVerifier;
use rustls::{ConfigBuilder, RootCertStore, ServerConfig, WantsVerifier};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use tacho_load::{Address, ClientIdentity, Endpoint, TlsOptions};

/// An authority of one's own, with its files.
pub struct Authority {
    issuer: CertifiedIssuer<'static, KeyPair>,
    folder: tempfile::TempDir,
}

impl Authority {
    pub fn new() -> Self {
        let mut params = CertificateParams::new(Vec::new()).unwrap();
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        // Each is somebody else.
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        params
            .distinguished_name
            .push(DnType::CommonName, format!("authority {number}"));
        let issuer = CertifiedIssuer::self_signed(params, KeyPair::generate().unwrap()).unwrap();
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("ca.pem"), issuer.pem()).unwrap();
        Self { issuer, folder }
    }

    pub fn ca_file(&self) -> PathBuf {
        self.folder.path().join("ca.pem")
    }

    /// A server's configuration with a certificate for `localhost` and 127.0.0.1.
    pub fn server(&self) -> ServerConfig {
        self.server_for(&["localhost", "127.0.0.1"])
    }

    pub fn server_for(&self, names: &[&str]) -> ServerConfig {
        self.server_with(params(names))
    }

    /// A certificate that was valid once.
    pub fn expired_server(&self) -> ServerConfig {
        let mut params = params(&["localhost", "127.0.0.1"]);
        params.not_before = date_time_ymd(2001, 1, 1);
        params.not_after = date_time_ymd(2002, 1, 1);
        self.server_with(params)
    }

    fn server_with(&self, params: CertificateParams) -> ServerConfig {
        let (chain, key) = self.signed(params);
        builder()
            .with_no_client_auth()
            .with_single_cert(chain, key)
            .unwrap()
    }

    /// A server that asks for a certificate of this authority.
    pub fn server_that_asks(&self) -> ServerConfig {
        let mut roots = RootCertStore::empty();
        roots.add(self.issuer.der().clone()).unwrap();
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let verifier = WebPkiClientVerifier::builder_with_provider(Arc::new(roots), provider)
            .build()
            .unwrap();
        let (chain, key) = self.signed(params(&["localhost", "127.0.0.1"]));
        builder()
            .with_client_cert_verifier(verifier)
            .with_single_cert(chain, key)
            .unwrap()
    }

    /// Files of a client's certificate and key.
    pub fn client(&self) -> ClientIdentity {
        let mut params = params(&["client.test"]);
        params.extended_key_usages = vec![ExtendedKeyUsagePurpose::ClientAuth];
        let key = KeyPair::generate().unwrap();
        let signed = params.signed_by(&key, &self.issuer).unwrap();
        let identity = ClientIdentity {
            certificate: self.folder.path().join("client.pem"),
            key: self.folder.path().join("client-key.pem"),
        };
        std::fs::write(&identity.certificate, signed.pem()).unwrap();
        std::fs::write(&identity.key, key.serialize_pem()).unwrap();
        identity
    }

    fn signed(
        &self,
        params: CertificateParams,
    ) -> (Vec<CertificateDer<'static>>, PrivateKeyDer<'static>) {
        let key = KeyPair::generate().unwrap();
        let signed = params.signed_by(&key, &self.issuer).unwrap();
        let key = PrivatePkcs8KeyDer::from(key.serialize_der());
        (vec![signed.der().clone()], key.into())
    }

    /// Options that trust this authority.
    pub fn trusted(&self) -> TlsOptions {
        TlsOptions {
            ca_file: Some(self.ca_file()),
            ..TlsOptions::default()
        }
    }
}

fn params(names: &[&str]) -> CertificateParams {
    CertificateParams::new(names.iter().map(ToString::to_string).collect::<Vec<_>>()).unwrap()
}

fn builder() -> ConfigBuilder<ServerConfig, WantsVerifier> {
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .unwrap()
}

/// `https://localhost:port`, connected to 127.0.0.1.
pub fn https(address: std::net::SocketAddr, tls: TlsOptions) -> Endpoint {
    Endpoint {
        address: Address::Ip(address),
        authority: format!("localhost:{}", address.port()),
        tls: Some(tls),
        ..Endpoint::new(address)
    }
}
