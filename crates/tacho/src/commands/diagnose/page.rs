//! What lies in the run folder for people and for other tools: the page, and the exports beside it.

use super::Seen;
use crate::error::Error;
use tacho_diagnosis_report::export::{self, Format};
use tacho_diagnosis_report::{DiagnosisReport, ExportedFile, html};
use tacho_run_folder::RunFolder;

/// Recordings that instruments leave in the folder of a diagnosis launch.
const RECORDINGS: [&str; 3] = ["processor.jfr", "events.jfr", "trace.jfr"];

/// Writes the profiles, and says which files there are for other tools.
pub fn write_exports(folder: &RunFolder, seen: &Seen) -> Result<Vec<ExportedFile>, Error> {
    let mut files = Vec::new();
    let (baseline, candidate) = (seen.baseline(), seen.candidate());
    for export in export::files(baseline, candidate)? {
        folder.write_bytes(&export.name, &export.content)?;
        files.push(ExportedFile {
            path: export.name,
            build: export.build.unwrap_or_default().to_owned(),
            format: export.format,
            of: Some(export.kind),
        });
    }
    for (build, launch) in seen.launches() {
        for name in RECORDINGS {
            let path = launch.path().join(name);
            let Ok(below) = path.strip_prefix(folder.path()) else {
                continue;
            };
            if path.is_file() {
                files.push(ExportedFile {
                    path: below.display().to_string(),
                    build: build.to_owned(),
                    format: Format::Jfr,
                    of: None,
                });
            }
        }
    }
    Ok(files)
}

/// Writes `diagnose.html`.
pub fn write(folder: &RunFolder, report: &DiagnosisReport, seen: &Seen) -> Result<(), Error> {
    let page = html::render(report, seen.baseline(), seen.candidate())?;
    folder.write_page(html::FILE, &page)?;
    Ok(())
}
