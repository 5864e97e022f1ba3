//! Pushes each part of an image that a registry does not have yet, and the manifest last: when the
//! manifest is visible, all other parts are there.

use crate::credentials;
use crate::error::RegistryError;
use crate::name::Name;
use crate::patience::{Ended, Patience};
use crate::trust::authorities;
use bytes::Bytes;
use futures_util::stream;
use http::HeaderValue;
use oci_client::client::{Certificate, ClientConfig, ClientProtocol};
use oci_client::errors::OciDistributionError;
use oci_client::{Client, RegistryOperation};
use std::io::{self, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};
use tacho_oci::{Blob, Image};
use tokio::runtime::Builder;
use tokio::sync::mpsc::{Sender, channel};

/// For a connection.
const CONNECTING: Duration = Duration::from_secs(10);
/// How long to wait for an answer, or until the next piece is taken. Some registries inspect what
/// they received.
const ANSWERING: Duration = Duration::from_secs(120);
/// What is sent at a time.
const PIECE: usize = 1 << 20;
/// Pieces that are read ahead.
const AHEAD: usize = 4;

/// What pushing took.
#[derive(Debug, Clone, PartialEq)]
pub struct Pushed {
    /// The digest of the manifest: what the image is known by.
    pub digest: String,
    /// Bytes that were sent.
    pub sent_bytes: u64,
    /// Bytes that the registry had already.
    pub there_bytes: u64,
    /// How long it took, in seconds.
    pub took_s: f64,
}

/// Pushes an image. HTTPS is used, except with `plain_http`, or on this machine where no authority
/// was named for the registry. It is given up as soon as `stop` is set.
///
/// # Errors
/// When the registry is not reached or does not take it, the image cannot be read, or `stop` is
/// set.
pub fn push(
    name: &Name,
    image: &Image,
    plain_http: bool,
    stop: &AtomicBool,
) -> Result<Pushed, RegistryError> {
    let registry = name.reference().registry().to_owned();
    let auth = credentials::of(&registry)?;
    // Several libraries bring a provider. The first call wins, and all of them install the same.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let runtime = Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(RegistryError::NoThread)?;
    let client = client(name, plain_http, authorities(&registry)?)
        .map_err(|error| RegistryError::of(&error, &registry, &name.to_string()))?;
    let pushing = Pushing {
        client,
        name,
        registry,
        patience: Patience::new(ANSWERING, stop),
    };
    let began = Instant::now();
    let pushed = runtime.block_on(async {
        let reference = name.reference();
        let right = RegistryOperation::Push;
        let allowed = pushing.client.auth(reference, &auth, right);
        pushing.answer(allowed).await?;
        let (mut sent_bytes, mut there_bytes) = (0, 0);
        for blob in image.parts() {
            match pushing.part(blob).await? {
                true => sent_bytes += blob.bytes,
                false => there_bytes += blob.bytes,
            }
        }
        pushing.manifest(image.manifest()).await?;
        Ok::<_, RegistryError>(Pushed {
            digest: image.digest().to_string(),
            sent_bytes: sent_bytes + image.manifest().bytes,
            there_bytes,
            took_s: began.elapsed().as_secs_f64(),
        })
    });
    // The system may still look up a name, which nobody waits for any more.
    runtime.shutdown_background();
    pushed
}

fn client(
    name: &Name,
    plain_http: bool,
    authorities: Vec<Certificate>,
) -> Result<Client, OciDistributionError> {
    let is_plain = plain_http || (name.is_of_this_machine() && authorities.is_empty());
    let protocol = match is_plain {
        true => ClientProtocol::Http,
        false => ClientProtocol::Https,
    };
    Client::try_from(ClientConfig {
        protocol,
        // One request for a part, as Docker sends it: not every registry takes several.
        use_monolithic_push: true,
        // No `read_timeout`: it counts from the beginning of a request, also while a part is sent.
        connect_timeout: Some(CONNECTING),
        extra_root_certificates: authorities,
        user_agent: concat!("tacho/", env!("CARGO_PKG_VERSION")),
        ..ClientConfig::default()
    })
}

struct Pushing<'n> {
    client: Client,
    name: &'n Name,
    registry: String,
    patience: Patience<'n>,
}

impl Pushing<'_> {
    fn failed(&self, error: &OciDistributionError) -> RegistryError {
        RegistryError::of(error, &self.registry, &self.name.to_string())
    }

    /// Waits for what the registry was asked.
    async fn answer<T>(
        &self,
        asked: impl Future<Output = Result<T, OciDistributionError>>,
    ) -> Result<T, RegistryError> {
        match self.patience.wait(asked).await {
            Ok(answer) => answer.map_err(|error| self.failed(&error)),
            Err(Ended::Silent) => Err(RegistryError::Silent {
                registry: self.registry.clone(),
                seconds: ANSWERING.as_secs(),
            }),
            Err(Ended::Stopped) => Err(RegistryError::Stopped),
        }
    }

    /// Sends a part, unless the registry has it. Returns whether it was sent.
    async fn part(&self, blob: &Blob) -> Result<bool, RegistryError> {
        let (reference, digest) = (self.name.reference(), blob.digest.to_string());
        let there = self.client.blob_exists(reference, &digest);
        if self.answer(there).await? {
            return Ok(false);
        }
        let pieces = pieces(blob.clone(), self.patience.taken())?;
        let bytes = Some(blob.bytes);
        let sent = self
            .client
            .push_blob_stream(reference, pieces, &digest, bytes);
        self.answer(sent).await?;
        Ok(true)
    }

    async fn manifest(&self, manifest: &Blob) -> Result<(), RegistryError> {
        let mut body = Vec::new();
        manifest.copy_to(&mut body)?;
        let kind = HeaderValue::from_str(manifest.media_type().as_ref());
        let kind = kind.unwrap_or(HeaderValue::from_static(
            "application/vnd.oci.image.manifest.v1+json",
        ));
        let reference = self.name.reference();
        let pushed = self.client.push_manifest_raw(reference, body, kind);
        self.answer(pushed).await.map(|_| ())
    }
}

type Piece = Result<Bytes, OciDistributionError>;

/// Reads a part piece by piece on its own thread, because it may be larger than the memory. Counts
/// those that were taken.
fn pieces(
    blob: Blob,
    taken: Arc<AtomicU64>,
) -> Result<impl futures_util::Stream<Item = Piece> + Send + 'static, RegistryError> {
    let (send, come) = channel::<Piece>(AHEAD);
    let read = move || {
        let mut to = Pieces {
            send: send.clone(),
            piece: Vec::with_capacity(PIECE),
        };
        let read = blob.copy_to(&mut to).map_err(io::Error::other);
        if let Err(error) = read.and_then(|()| to.flush()) {
            // If the receiver is gone, its own error says why.
            let _ = send.blocking_send(Err(OciDistributionError::IoError(error)));
        }
    };
    let builder = std::thread::Builder::new().name("image part".to_owned());
    builder.spawn(read).map_err(RegistryError::NoThread)?;
    Ok(stream::unfold((come, taken), async |(mut come, taken)| {
        let piece = come.recv().await?;
        taken.fetch_add(1, Ordering::Relaxed);
        Some((piece, (come, taken)))
    }))
}

/// What is written to it is sent in pieces.
struct Pieces {
    send: Sender<Piece>,
    piece: Vec<u8>,
}

impl Write for Pieces {
    fn write(&mut self, buffer: &[u8]) -> io::Result<usize> {
        let room = PIECE - self.piece.len();
        let taken = &buffer[..buffer.len().min(room)];
        self.piece.extend_from_slice(taken);
        if self.piece.len() == PIECE {
            self.flush()?;
        }
        Ok(taken.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        if self.piece.is_empty() {
            return Ok(());
        }
        let full = std::mem::replace(&mut self.piece, Vec::with_capacity(PIECE));
        let sent = self.send.blocking_send(Ok(full.into()));
        sent.map_err(|_| io::ErrorKind::BrokenPipe.into())
    }
}
