//! A base image from outside, on which an image is built. Only content that matches its digests is
//! trusted.

use crate::blob::{Blob, Held, Summing, digest_of, in_a_layout};
use crate::{Layer, OciError, Platform};
use flate2::read::MultiGzDecoder;
use oci_spec::image::{
    Descriptor, Digest, DigestAlgorithm, ImageConfiguration, ImageIndex, ImageManifest, MediaType,
    OciLayout, Os,
};
use serde::de::DeserializeOwned;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::str::FromStr;
use tar::Archive;

/// Largest description; registries accept no longer ones (distribution-spec, "pushing manifests").
const LONGEST_DESCRIPTION: u64 = 4 * 1024 * 1024;
/// The most files that are looked at in a tar; an image has at most a few hundred.
const MOST_FILES: usize = 10_000;
/// Most levels of indexes that name indexes. No image is known to have more.
const DEEPEST: usize = 3;
/// The most bytes of a layer that are unpacked to check it. A decompression bomb is stopped here.
const LARGEST_LAYER: u64 = 64 * 1024 * 1024 * 1024;

/// An image of somebody else, to be built upon.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Base {
    pub(crate) configuration: ImageConfiguration,
    /// Its layers, lowest first.
    pub layers: Vec<Layer>,
    /// The digest of its manifest, which identifies the image.
    pub digest: Digest,
}

impl Base {
    /// Reads an OCI layout: a folder, or a tar, which is taken apart in `scratch`. The files stay
    /// where they are and have to be there until the new image is written.
    ///
    /// # Errors
    /// When it is no layout, has no image for the platform, or something in it is not what its
    /// digest says.
    pub fn read(path: &Path, platform: &Platform, scratch: &Path) -> Result<Self, OciError> {
        let found = fs::metadata(path).map_err(|source| OciError::read(path, source))?;
        if found.is_dir() {
            return Reading { path, folder: path }.base(platform);
        }
        take_apart(path, scratch)?;
        let folder = scratch;
        Reading { path, folder }.base(platform)
    }

    /// Reads one that was packed already: for tests and fuzzers, which have no file.
    #[doc(hidden)]
    pub fn read_tar(tar: impl Read, platform: &Platform, scratch: &Path) -> Result<Self, OciError> {
        let path = Path::new("the tar");
        unpack(path, tar, scratch)?;
        let folder = scratch;
        Reading { path, folder }.base(platform)
    }
}

fn take_apart(path: &Path, scratch: &Path) -> Result<(), OciError> {
    let failed = |source| OciError::read(path, source);
    let mut file = File::open(path).map_err(failed)?;
    let mut head = Vec::new();
    file.by_ref()
        .take(2)
        .read_to_end(&mut head)
        .map_err(failed)?;
    if head == [0x1f, 0x8b] {
        let why = "it is compressed as a whole; `gunzip` it first";
        return Err(OciError::no_base(path, why));
    }
    let file = File::open(path).map_err(failed)?;
    unpack(path, file, scratch)
}

/// Writes the files of a layout into the folder, under names that Tacho chooses.
fn unpack(path: &Path, tar: impl Read, scratch: &Path) -> Result<(), OciError> {
    let broken = |error: io::Error| OciError::no_base(path, format!("its tar: {error}"));
    let mut archive = Archive::new(tar);
    let mut is_of_docker = false;
    for (number, entry) in archive.entries().map_err(broken)?.enumerate() {
        if number == MOST_FILES {
            let why = format!("it has more than {MOST_FILES} files");
            return Err(OciError::no_base(path, why));
        }
        let mut entry = entry.map_err(broken)?;
        if !entry.header().entry_type().is_file() {
            continue;
        }
        let name = String::from_utf8_lossy(&entry.path_bytes()).into_owned();
        let name = name.strip_prefix("./").unwrap_or(&name);
        is_of_docker |= name == "manifest.json";
        let Some(inside) = place(name) else { continue };
        let to = scratch.join(inside);
        let failed = |source| OciError::write(&to, source);
        if let Some(folder) = to.parent() {
            fs::create_dir_all(folder).map_err(failed)?;
        }
        let mut out = File::create(&to).map_err(failed)?;
        io::copy(&mut entry, &mut out).map_err(broken)?;
    }
    if !scratch.join("index.json").exists() {
        let why = if is_of_docker {
            "it is of Docker's older format, which names no digests (`docker save` writes the other from version 25 on)"
        } else {
            "it has no index.json"
        };
        return Err(OciError::no_base(path, why));
    }
    Ok(())
}

/// Where a file of a layout is written; `None` for other files of the tar, which are ignored.
fn place(name: &str) -> Option<PathBuf> {
    if matches!(name, "index.json" | "oci-layout") {
        return Some(name.into());
    }
    let hex = name.strip_prefix("blobs/sha256/")?;
    let digest = Digest::from_str(&format!("sha256:{hex}")).ok()?;
    Some(in_a_layout(&digest).into())
}

struct Reading<'a> {
    /// As the user gave it.
    path: &'a Path,
    folder: &'a Path,
}

impl Reading<'_> {
    fn base(&self, platform: &Platform) -> Result<Base, OciError> {
        let mark: OciLayout = self.json(&self.description("oci-layout")?)?;
        if !mark.image_layout_version().starts_with("1.") {
            return Err(self.no("its layout is of another version than 1"));
        }
        let index: ImageIndex = self.json(&self.description("index.json")?)?;
        let descriptor = self.manifest_for(platform, index, 0)?;
        let manifest: ImageManifest = self.json(&self.described(&descriptor)?)?;
        let configuration: ImageConfiguration = self.json(&self.described(manifest.config())?)?;
        let (arch, os) = (configuration.architecture(), configuration.os());
        if *arch != platform.0 || *os != Os::Linux {
            return Err(self.no(format!(
                "it is for {os} on {arch}; the image is to be for linux on {}",
                platform.0
            )));
        }
        let diff_ids = configuration.rootfs().diff_ids().clone();
        if diff_ids.len() != manifest.layers().len() {
            return Err(self.no("it has not as many layers as its configuration names"));
        }
        let layers = manifest
            .layers()
            .iter()
            .zip(diff_ids)
            .map(|(descriptor, diff_id)| self.layer(descriptor, &diff_id))
            .collect::<Result<_, _>>()?;
        Ok(Base {
            configuration,
            layers,
            digest: descriptor.digest().clone(),
        })
    }

    /// The one manifest for Linux on these processors.
    fn manifest_for(
        &self,
        platform: &Platform,
        index: ImageIndex,
        depth: usize,
    ) -> Result<Descriptor, OciError> {
        if depth == DEEPEST {
            return Err(self.no("its indices lead into each other"));
        }
        let fits = |descriptor: &&Descriptor| {
            let asked = descriptor.platform().as_ref();
            asked.is_none_or(|p| *p.architecture() == platform.0 && *p.os() == Os::Linux)
        };
        let Some(found) = index.manifests().iter().find(fits) else {
            let wanted = &platform.0;
            return Err(self.no(format!("it has no image for linux on {wanted}")));
        };
        if is_index(found.media_type()) {
            let inner: ImageIndex = self.json(&self.described(found)?)?;
            return self.manifest_for(platform, inner, depth + 1);
        }
        Ok(found.clone())
    }

    fn layer(&self, descriptor: &Descriptor, diff_id: &str) -> Result<Layer, OciError> {
        let digest = self.sha256(descriptor.digest())?;
        let diff_id = Digest::from_str(diff_id)
            .map_err(|_| self.no(format!("`{diff_id}` is no digest of a layer")))?;
        let Some(media_type) = of_the_specification(descriptor.media_type()) else {
            let kind = descriptor.media_type();
            return Err(self.no(format!("one of its layers is of the kind {kind}")));
        };
        let path = self.folder.join(in_a_layout(digest));
        let blob = Blob {
            media_type,
            digest: digest.clone(),
            bytes: descriptor.size(),
            held: Held::In(path),
        };
        self.check(&blob)?;
        let unpacked_bytes = self.unpacked(&blob, &diff_id)?;
        Ok(Layer {
            role: "base".to_owned(),
            diff_id,
            blob,
            unpacked_bytes,
        })
    }

    /// Checks that the bytes match the digest.
    fn check(&self, blob: &Blob) -> Result<(), OciError> {
        let mut sum = Summing::new(io::sink());
        blob.copy_to(&mut sum)
            .map_err(|error| self.no(format!("a layer: {error}")))?;
        if sum.end().0 != blob.digest {
            return Err(self.no(format!("{} is not what its name says", blob.digest)));
        }
        Ok(())
    }

    /// Checks that the unpacked tar is the one that the configuration names. Returns its size.
    fn unpacked(&self, blob: &Blob, diff_id: &Digest) -> Result<Option<u64>, OciError> {
        let Held::In(path) = &blob.held else {
            return Ok(None);
        };
        let broken = |error: io::Error| self.no(format!("layer {}: {error}", blob.digest));
        let file = File::open(path).map_err(broken)?;
        let mut tar: Box<dyn Read> = match blob.media_type {
            MediaType::ImageLayer => Box::new(file),
            MediaType::ImageLayerGzip => Box::new(MultiGzDecoder::new(file)),
            _ => return Ok(None),
        };
        let mut sum = Summing::new(io::sink());
        let mut bounded = tar.by_ref().take(LARGEST_LAYER);
        io::copy(&mut bounded, &mut sum).map_err(broken)?;
        let (unpacked, bytes, _) = sum.end();
        if unpacked != *diff_id {
            return Err(self.no(format!("layer {} unpacks to something else", blob.digest)));
        }
        Ok(Some(bytes))
    }

    fn described(&self, descriptor: &Descriptor) -> Result<Vec<u8>, OciError> {
        let digest = self.sha256(descriptor.digest())?;
        let bytes = self.description(&in_a_layout(digest))?;
        if digest_of(&bytes) != *digest {
            return Err(self.no(format!("{digest} is not what its name says")));
        }
        Ok(bytes)
    }

    fn sha256<'a>(&self, digest: &'a Digest) -> Result<&'a Digest, OciError> {
        if *digest.algorithm() == DigestAlgorithm::Sha256 {
            return Ok(digest);
        }
        Err(self.no(format!("{digest} is no SHA-256")))
    }

    /// Reads a plain file of bounded size. A pipe under this name would never end.
    fn description(&self, name: &str) -> Result<Vec<u8>, OciError> {
        let path = self.folder.join(name);
        let failed = |error: io::Error| self.no(format!("{name}: {error}"));
        let found = fs::metadata(&path).map_err(failed)?;
        if !found.is_file() || found.len() > LONGEST_DESCRIPTION {
            return Err(self.no(format!("{name} is no file of at most 4 MiB")));
        }
        let mut bytes = Vec::new();
        let file = File::open(&path).map_err(failed)?;
        file.take(LONGEST_DESCRIPTION)
            .read_to_end(&mut bytes)
            .map_err(failed)?;
        Ok(bytes)
    }

    fn json<T: DeserializeOwned>(&self, bytes: &[u8]) -> Result<T, OciError> {
        serde_json::from_slice(bytes).map_err(|error| self.no(format!("its JSON: {error}")))
    }

    fn no(&self, why: impl Into<String>) -> OciError {
        OciError::no_base(self.path, why)
    }
}

fn is_index(kind: &MediaType) -> bool {
    const OF_DOCKER: &str = "application/vnd.docker.distribution.manifest.list.v2+json";
    matches!(kind, MediaType::ImageIndex) || kind.to_string() == OF_DOCKER
}

/// The specification's name for a type of layer. A manifest of the specification needs it, and the
/// bytes of Docker's layers are the same.
fn of_the_specification(kind: &MediaType) -> Option<MediaType> {
    match kind {
        MediaType::ImageLayer | MediaType::ImageLayerGzip | MediaType::ImageLayerZstd => {
            Some(kind.clone())
        }
        other => match other.to_string().as_str() {
            "application/vnd.docker.image.rootfs.diff.tar" => Some(MediaType::ImageLayer),
            "application/vnd.docker.image.rootfs.diff.tar.gzip" => Some(MediaType::ImageLayerGzip),
            _ => None,
        },
    }
}
