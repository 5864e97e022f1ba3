//! An image: its layers, and its configuration.

use crate::blob::Blob;
use crate::{Base, Layer, OciError};
use oci_spec::image::{
    Arch, Config, ConfigBuilder, Digest, History, HistoryBuilder, ImageConfigurationBuilder,
    ImageManifestBuilder, MediaType, Os, RootFsBuilder, SCHEMA_VERSION,
};
use std::collections::{BTreeMap, HashMap};

/// The processor architecture of the programs in an image. The system is Linux.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Platform(pub Arch);

impl Platform {
    /// That of this machine.
    #[must_use]
    pub fn here() -> Self {
        Self(match std::env::consts::ARCH {
            "x86_64" => Arch::Amd64,
            "aarch64" => Arch::ARM64,
            other => Arch::Other(other.to_owned()),
        })
    }
}

/// What a container of the image runs.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Process {
    /// Program and arguments.
    pub command: Vec<String>,
    /// Beside what the base sets; a variable of the same name replaces the base's.
    pub environment: BTreeMap<String, String>,
    /// The working folder. Absent: that of the base, otherwise the root folder.
    pub directory: Option<String>,
    /// `65532` or `65532:65532`; a number, so that Kubernetes can tell that it is not root.
    pub user: String,
    /// TCP ports on which it listens.
    pub ports: Vec<u16>,
    /// Beside those of the base.
    pub labels: BTreeMap<String, String>,
}

/// A complete image.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Image {
    /// Of which processors its programs are.
    pub platform: Platform,
    /// Lowest first, those of the base included.
    pub layers: Vec<Layer>,
    pub(crate) configuration: Blob,
    pub(crate) manifest: Blob,
}

impl Image {
    /// An image of these layers, upon a base or upon nothing.
    ///
    /// # Errors
    /// When the description cannot be written as JSON.
    pub fn of(
        platform: Platform,
        base: Option<&Base>,
        layers: Vec<Layer>,
        process: &Process,
    ) -> Result<Self, OciError> {
        let below = base.map_or(&[][..], |base| &base.layers);
        let made = layers;
        let history = history(base, &made);
        let layers: Vec<Layer> = below.iter().cloned().chain(made).collect();
        let diff_ids: Vec<String> = layers.iter().map(|l| l.diff_id.to_string()).collect();
        let root = RootFsBuilder::default()
            .typ("layers")
            .diff_ids(diff_ids)
            .build()
            .map_err(said)?;
        let configuration = ImageConfigurationBuilder::default()
            .architecture(platform.0.clone())
            .os(Os::Linux)
            .config(configured(base.and_then(Base::config), process)?)
            .rootfs(root)
            .history(history)
            .build()
            .map_err(said)?;
        let configuration = Blob::json(MediaType::ImageConfig, &configuration)?;
        let manifest = ImageManifestBuilder::default()
            .schema_version(SCHEMA_VERSION)
            .media_type(MediaType::ImageManifest)
            .config(configuration.descriptor())
            .layers(
                layers
                    .iter()
                    .map(|layer| layer.blob.descriptor())
                    .collect::<Vec<_>>(),
            )
            .build()
            .map_err(said)?;
        Ok(Self {
            platform,
            manifest: Blob::json(MediaType::ImageManifest, &manifest)?,
            configuration,
            layers,
        })
    }

    /// The digest of its manifest, which identifies the image.
    #[must_use]
    pub fn digest(&self) -> &Digest {
        &self.manifest.digest
    }

    /// Bytes to download where no part of the image is present yet: layers, configuration and
    /// manifest.
    #[must_use]
    pub fn compressed_bytes(&self) -> u64 {
        self.blobs().map(|blob| blob.bytes).sum()
    }

    /// Its layers as they lie unpacked; bytes. Absent where a layer of the base cannot be unpacked.
    #[must_use]
    pub fn unpacked_bytes(&self) -> Option<u64> {
        self.layers.iter().map(|layer| layer.unpacked_bytes).sum()
    }

    /// All parts. The manifest comes last, so that all others are there when it is visible.
    pub fn blobs(&self) -> impl Iterator<Item = &Blob> {
        self.parts().chain([&self.manifest])
    }

    /// What the manifest names: layers and configuration.
    pub fn parts(&self) -> impl Iterator<Item = &Blob> {
        let layers = self.layers.iter().map(|layer| &layer.blob);
        layers.chain([&self.configuration])
    }

    /// What names all other parts.
    #[must_use]
    pub fn manifest(&self) -> &Blob {
        &self.manifest
    }
}

/// Turns an error of a builder of the specification's types into ours. Such a builder fails only
/// when a field is missing.
fn said(error: oci_spec::OciSpecError) -> OciError {
    OciError::Description(serde::ser::Error::custom(error))
}

/// What `docker history` shows: each layer with its role.
fn history(base: Option<&Base>, layers: &[Layer]) -> Vec<History> {
    let mut history = base.map(Base::history).unwrap_or_default();
    for layer in layers {
        let by = format!("tacho image: {}", layer.role);
        history.extend(HistoryBuilder::default().created_by(by).build());
    }
    history
}

fn configured(base: Option<&Config>, process: &Process) -> Result<Config, OciError> {
    let mut labels: HashMap<String, String> =
        base.and_then(|b| b.labels().clone()).unwrap_or_default();
    let own = process.labels.iter();
    labels.extend(own.map(|(key, value)| (key.clone(), value.clone())));
    let inherited = base.and_then(|b| b.exposed_ports().clone());
    let mut ports = inherited.unwrap_or_default();
    ports.extend(process.ports.iter().map(|port| format!("{port}/tcp")));
    ports.sort();
    ports.dedup();
    let directory = process
        .directory
        .clone()
        .or_else(|| base.and_then(|b| b.working_dir().clone()))
        .unwrap_or_else(|| "/".to_owned());
    let mut config = ConfigBuilder::default()
        .user(&process.user)
        .env(environment(base, process))
        .entrypoint(process.command.clone())
        .working_dir(directory)
        .labels(labels);
    if !ports.is_empty() {
        config = config.exposed_ports(ports);
    }
    if let Some(volumes) = base.and_then(|b| b.volumes().clone()) {
        config = config.volumes(volumes);
    }
    config.build().map_err(said)
}

/// The base's variables in their order, replaced where there is one of the same name; then the
/// rest.
fn environment(base: Option<&Config>, process: &Process) -> Vec<String> {
    let name = |pair: &str| pair.split('=').next().unwrap_or_default().to_owned();
    let inherited = base.and_then(|b| b.env().clone()).unwrap_or_default();
    let mut environment: Vec<String> = inherited
        .into_iter()
        .filter(|pair| !process.environment.contains_key(&name(pair)))
        .collect();
    let own = process.environment.iter();
    environment.extend(own.map(|(key, value)| format!("{key}={value}")));
    environment
}

/// What a base brings into the description of an image that is built upon it.
impl Base {
    fn config(&self) -> Option<&Config> {
        self.configuration.config().as_ref()
    }

    fn history(&self) -> Vec<History> {
        self.configuration.history().clone().unwrap_or_default()
    }
}
