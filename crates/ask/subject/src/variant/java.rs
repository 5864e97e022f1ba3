//! The command that starts a JVM.

use super::Context;
use std::path::Path;

/// `java <the user's flags> <more flags> <target> <the user's arguments>`.
pub(super) fn command(
    context: &Context,
    java: &Path,
    flags: &[String],
    target: &[String],
) -> Vec<String> {
    let settings = &context.settings;
    [
        &[text(java)][..],
        &settings.jvm_flags,
        flags,
        target,
        &settings.arguments,
    ]
    .concat()
}

/// A path as a word of a command.
pub(super) fn text(path: &Path) -> String {
    path.display().to_string()
}
