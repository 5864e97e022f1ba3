//! The published JSON Schemas are those of the types.

#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::path::PathBuf;
use tacho_report::schema;

const RENEW: &str = "TACHO_RENEW_SCHEMAS=1 cargo test -p tacho-report --test schemas";

#[test]
fn docs_hold_the_schemas_of_the_types() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../docs/schema");
    let renew = std::env::var_os("TACHO_RENEW_SCHEMAS").is_some();
    for file in schema::all().unwrap() {
        let path = folder.join(file.name);
        if renew {
            std::fs::create_dir_all(&folder).unwrap();
            std::fs::write(&path, &file.text).unwrap();
        }
        let published = std::fs::read_to_string(&path).unwrap_or_default();
        assert!(
            published == file.text,
            "docs/schema/{} is not the schema of its type any more; renew it with\n  {RENEW}",
            file.name
        );
    }
}
