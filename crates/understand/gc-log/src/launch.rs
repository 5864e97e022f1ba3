//! The collections of a run's launches: what readers of a run take from a log.

use crate::course::{Axis, Collections};
use crate::files::Log;
use std::io;
use std::path::Path;
use tacho_files::log::WithoutHoles;
use tacho_run_folder::{CollectionLog, FolderError, LaunchDir, LaunchRecord};

/// What the subject printed: native images, and JVMs that are told to, log among it.
const OUTPUT: &str = "log.txt";

/// Reads the log of a launch's collections from its folder; nothing where there is none.
///
/// # Errors
/// When it is there and cannot be read. A log that says nothing is no error.
///
/// The name of the log stands in a document that somebody may have sent: it is opened inside the
/// launch's folder, or not at all.
pub fn of_launch(
    dir: &LaunchDir,
    record: &LaunchRecord,
) -> Result<Option<CollectionLog>, FolderError> {
    let file = record.gc_log.as_deref().unwrap_or(OUTPUT);
    let Some(log) = dir.open(Path::new(file))? else {
        return Ok(None);
    };
    let found = read(WithoutHoles::of(log), file)
        .map_err(|error| FolderError::io(&dir.path().join(file), error))?;
    // The output of a program that collects without a word is no log; a log of its own that has
    // nothing to tell is one.
    let speaks = record.gc_log.is_some() || found.collector.is_some() || found.pauses.count > 0;
    Ok(Some(found).filter(|_| speaks))
}

/// Reads one log to its end.
///
/// # Errors
/// When the input cannot be read.
pub fn read(input: impl io::Read, file: &str) -> io::Result<CollectionLog> {
    let mut log = Log::default();
    let mut collections = Collections::on(Axis::Uptime);
    log.read(input, &mut |event| collections.take(event))?;
    let lines = log.end(&mut |event| collections.take(event));
    let (_, course) = collections.finish(vec![file.to_owned()], lines);
    Ok(course.log)
}
