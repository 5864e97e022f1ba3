//! What is printed and written of an image that was made.
//!
//! ```text
//! Image --> Report --> terminal, JSON
//! ```

#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used))]

mod text;

pub use text::render;

use schemars::{JsonSchema, schema_for};
use serde::{Deserialize, Serialize};
use tacho_oci::Image;
use tacho_report::RenderError;

/// Version of the format. Fields may be added without changing it, never renamed or removed.
pub const FORMAT: u32 = 1;

/// An image that was made.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Report {
    /// Version of this format.
    pub tacho: u32,
    /// The variant that is in it.
    pub variant: String,
    /// The variant's kind: `jar`, `native`.
    pub kind: String,
    /// The processors that its programs are for: `linux/amd64`.
    pub platform: String,
    /// Digest of its manifest, by which the image is identified. The same files give the same
    /// digest.
    pub digest: String,
    /// Bytes that are fetched where no part of the image is present: compressed layers and
    /// descriptions.
    pub compressed_bytes: u64,
    /// Size of all layers unpacked, in bytes; absent where a layer of the base cannot be unpacked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unpacked_bytes: Option<u64>,
    /// The layers, lowest first.
    pub layers: Vec<LayerMade>,
    /// What was assumed, and what is not in it.
    pub notes: Vec<String>,
}

/// One layer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct LayerMade {
    /// `base`, `system`, `runtime`, `dependencies`, `application`.
    pub role: String,
    /// Digest of the compressed layer, by which registries know it.
    pub digest: String,
    /// Bytes that are fetched for this layer.
    pub compressed_bytes: u64,
    /// The layer unpacked; bytes. Absent where it cannot be unpacked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unpacked_bytes: Option<u64>,
}

impl Report {
    /// Of an image.
    #[must_use]
    pub fn new(variant: &str, kind: &str, image: &Image, notes: Vec<String>) -> Self {
        Self {
            tacho: FORMAT,
            variant: variant.to_owned(),
            kind: kind.to_owned(),
            platform: format!("linux/{}", image.platform.0),
            digest: image.digest().to_string(),
            compressed_bytes: image.compressed_bytes(),
            unpacked_bytes: image.unpacked_bytes(),
            layers: image
                .layers
                .iter()
                .map(|layer| LayerMade {
                    role: layer.role.clone(),
                    digest: layer.blob.digest.to_string(),
                    compressed_bytes: layer.blob.bytes,
                    unpacked_bytes: layer.unpacked_bytes,
                })
                .collect(),
            notes,
        }
    }
}

/// The text of `docs/schema/image.json`, ending in a newline.
///
/// # Errors
/// When the schema cannot be written as JSON.
pub fn schema() -> Result<String, RenderError> {
    let mut text = serde_json::to_string_pretty(&schema_for!(Report))?;
    text.push('\n');
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report() -> Report {
        let layer = |role: &str, compressed_bytes, unpacked_bytes| LayerMade {
            role: role.to_owned(),
            digest: format!("sha256:{}", "0".repeat(64)),
            compressed_bytes,
            unpacked_bytes,
        };
        Report {
            tacho: FORMAT,
            variant: "extracted".to_owned(),
            kind: "extracted".to_owned(),
            platform: "linux/amd64".to_owned(),
            digest: format!("sha256:{}", "1".repeat(64)),
            compressed_bytes: 91_000_000,
            unpacked_bytes: Some(210_000_000),
            layers: vec![
                layer("base", 3_000_000, None),
                layer("runtime", 70_000_000, Some(180_000_000)),
                layer("application", 500, Some(2_560)),
            ],
            notes: vec!["PASSWORD is not in the image".to_owned()],
        }
    }

    #[test]
    fn each_layer_is_a_line_with_what_is_fetched_of_it() {
        let text = render(
            &report(),
            &tacho_report::terminal::Style {
                colour: false,
                width: 100,
            },
        );
        for said in [
            "base",
            "runtime",
            "application",
            "86.8 MiB",
            "172 MiB",
            "PASSWORD is not",
        ] {
            assert!(text.contains(said), "{said}: {text}");
        }
        // Of what cannot be unpacked no size is made up.
        let base = text.lines().find(|line| line.contains("base")).unwrap();
        assert!(
            base.contains("2.86 MiB") && base.contains("not known"),
            "{base}"
        );
    }

    #[test]
    fn the_published_schema_is_that_of_the_types() {
        let path = concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/../../../docs/schema/image.json"
        );
        let text = schema().unwrap();
        if std::env::var_os("TACHO_RENEW_SCHEMAS").is_some() {
            std::fs::write(path, &text).unwrap();
        }
        assert_eq!(
            std::fs::read_to_string(path).unwrap(),
            text,
            "TACHO_RENEW_SCHEMAS=1 renews it"
        );
        let value = serde_json::to_value(report()).unwrap();
        assert!(value["layers"][0].get("unpacked_bytes").is_none());
    }
}
