//! An image as one file: a tar of an OCI layout.
//! <https://github.com/opencontainers/image-spec/blob/main/image-layout.md>

use crate::blob::Blob;
use crate::{Image, OciError, SourceDate, entry};
use oci_spec::image::{
    ANNOTATION_REF_NAME, ImageIndexBuilder, MediaType, OciLayoutBuilder, Os, PlatformBuilder,
    SCHEMA_VERSION,
};
use std::collections::{BTreeMap, HashMap};
use std::io::Write;
use std::path::Path;
use tar::{Builder, EntryType};

/// The one version of layouts that there is.
const VERSION: &str = "1.0.0";
/// The annotation with the name under which containerd imports an image.
const CONTAINERD_NAME: &str = "io.containerd.image.name";

/// Writes an image into one tar, which `ctr images import`, `podman load`, `skopeo copy
/// oci-archive:` and `docker load` (from version 25 on) read.
///
/// `name` is what it is called there: `registry/app:tag`.
///
/// # Errors
/// When a layer cannot be read, or the file cannot be written.
pub fn write(image: &Image, name: Option<&str>, to: &mut impl Write) -> Result<(), OciError> {
    let mut tar = Builder::new(to);
    let blobs: BTreeMap<String, &Blob> = image
        .blobs()
        .map(|blob| (blob.in_a_layout(), blob))
        .collect();
    for folder in ["blobs/", "blobs/sha256/"] {
        append(&mut tar, EntryType::Directory, folder, 0, |_| Ok(()))?;
    }
    for (name, blob) in blobs {
        append(&mut tar, EntryType::Regular, &name, blob.bytes, |out| {
            blob.copy_to(out)
        })?;
    }
    for (file, blob) in [("index.json", index(image, name)?), ("oci-layout", mark()?)] {
        append(&mut tar, EntryType::Regular, file, blob.bytes, |out| {
            blob.copy_to(out)
        })?;
    }
    tar.finish().map_err(failed)
}

fn failed(source: std::io::Error) -> OciError {
    OciError::write(Path::new("the image"), source)
}

fn append<W: Write>(
    tar: &mut Builder<W>,
    kind: EntryType,
    name: &str,
    bytes: u64,
    content: impl FnOnce(&mut W) -> Result<(), OciError>,
) -> Result<(), OciError> {
    let is_folder = kind == EntryType::Directory;
    let mode = if is_folder { 0o755 } else { 0o644 };
    let mut head = entry::head(kind, mode, bytes, SourceDate::default().0);
    head.set_path(name).map_err(failed)?;
    entry::write(tar.get_mut(), head, bytes, Path::new("the image"), content)
}

fn mark() -> Result<Blob, OciError> {
    let layout = OciLayoutBuilder::default()
        .image_layout_version(VERSION)
        .build()
        .map_err(|error| OciError::Description(serde::ser::Error::custom(error)))?;
    Blob::json(MediaType::Other("application/json".to_owned()), &layout)
}

fn index(image: &Image, name: Option<&str>) -> Result<Blob, OciError> {
    let said =
        |error| OciError::Description(serde::ser::Error::custom::<oci_spec::OciSpecError>(error));
    let platform = PlatformBuilder::default()
        .architecture(image.platform.0.clone())
        .os(Os::Linux)
        .build()
        .map_err(said)?;
    let mut manifest = image.manifest.descriptor();
    manifest.set_platform(Some(platform));
    if let Some(name) = name {
        let annotations = [(ANNOTATION_REF_NAME, tag(name)), (CONTAINERD_NAME, name)];
        let annotations: HashMap<String, String> = annotations
            .map(|(key, value)| (key.to_owned(), value.to_owned()))
            .into();
        manifest.set_annotations(Some(annotations));
    }
    let index = ImageIndexBuilder::default()
        .schema_version(SCHEMA_VERSION)
        .media_type(MediaType::ImageIndex)
        .manifests(vec![manifest])
        .build()
        .map_err(said)?;
    Blob::json(MediaType::ImageIndex, &index)
}

/// The tag of a name: what follows the last colon, unless that is the port of a registry.
fn tag(name: &str) -> &str {
    match name.rsplit_once(':') {
        Some((_, tag)) if !tag.contains('/') => tag,
        _ => "latest",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tag_is_no_port() {
        for (name, wanted) in [
            ("app", "latest"),
            ("app:1", "1"),
            ("localhost:5000/app", "latest"),
            ("localhost:5000/app:1.2", "1.2"),
        ] {
            assert_eq!(tag(name), wanted, "{name}");
        }
    }
}
