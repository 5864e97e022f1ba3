//! What is written is documented.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::path::Path;
use tacho_rollout_report::schema;

#[test]
fn docs_hold_the_schema() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../docs/schema/rollout.json");
    let text = schema().unwrap();
    if std::env::var_os("TACHO_RENEW_SCHEMAS").is_some() {
        std::fs::write(&path, &text).unwrap();
    }
    assert!(
        std::fs::read_to_string(&path).unwrap_or_default() == text,
        "docs/schema/rollout.json is not the schema of its type any more; renew it with\n  \
         TACHO_RENEW_SCHEMAS=1 cargo test -p tacho-rollout-report"
    );
}
