//! libFuzzer over the target that `TACHO_FUZZ` names.
#![no_main]

use std::sync::OnceLock;
use tacho_fuzz::{Target, target};

static TARGET: OnceLock<&'static Target> = OnceLock::new();

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let target = TARGET.get_or_init(|| {
        let name = std::env::var("TACHO_FUZZ").unwrap_or_default();
        target(&name).unwrap_or_else(|| panic!("TACHO_FUZZ names no target: `{name}`"))
    });
    (target.run)(bytes);
});
