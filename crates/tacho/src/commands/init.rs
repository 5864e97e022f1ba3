//! `tacho init`.

use crate::arguments::Init;
use crate::error::Error;
use crate::exit::Exit;
use crate::{Done, output, print};
use std::path::Path;
use tacho_subject::{Inferred, Surroundings};

/// Writes a commented experiment file.
pub fn init(arguments: &Init) -> Done {
    if arguments.output.exists() && !arguments.force {
        return Err(Error::Exists(arguments.output.clone()));
    }
    let surroundings = Surroundings::here();
    let inferred = Inferred::of(&arguments.subject, arguments.jdk.as_deref(), &surroundings)?;
    let text = inferred.template(&as_seen_from(&arguments.output, &arguments.subject));
    output::write(&arguments.output, text)?;
    let file = arguments.output.display();
    print(&format!(
        "{file} is written. Say in it what your users send, then: tacho run {file}\n"
    ))?;
    Ok(Exit::Done)
}

/// The artifact relative to the folder of the file, where it lies below; else absolute.
fn as_seen_from(file: &Path, artifact: &Path) -> String {
    let absolute = |path: &Path| std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let (file, artifact) = (absolute(file), absolute(artifact));
    let folder = file.parent().unwrap_or(Path::new("/"));
    artifact
        .strip_prefix(folder)
        .unwrap_or(&artifact)
        .display()
        .to_string()
}
