//! `tacho profile`.

use super::arguments::{Profile, ProfileFormat};
use super::target;
use crate::exit::Exit;
use crate::signals::stop_on_signals;
use crate::{Done, output};
use std::path::Path;
use tacho_diagnosis_report::profile::{FILE, ProfileReport, costs, exports, render, text};
use tacho_instruments::OutFolder;

/// Samples a JVM for a time.
pub fn profile(arguments: &Profile) -> Done {
    let common = &arguments.common;
    let mut kinds = arguments.events.clone();
    kinds.sort();
    kinds.dedup();
    let wanted = tacho_instruments::Profile {
        kinds,
        interval: arguments.interval,
        requests: arguments.requests.unwrap_or(1),
        recorder: arguments.recorder,
        keep: arguments.formats.contains(&ProfileFormat::Jfr),
    };
    // Catch signals before there is a sampler to switch off.
    let stop = stop_on_signals()?;
    let (folder, seen) = tacho_instruments::profile(target(common, stop.flag()), &wanted, || {
        OutFolder::make(arguments.out.as_deref(), common.pid)
    })?;
    let recording = seen.recording.as_deref().and_then(Path::file_name);
    let mut report = ProfileReport {
        pid: common.pid,
        program: tacho_masking::current().text(&seen.program),
        began_at: seen.began_at.strftime("%Y-%m-%dT%H:%M:%SZ").to_string(),
        elapsed_s: seen.elapsed.as_secs_f64(),
        processor_s: seen.processor_s,
        requests: arguments.requests,
        costs: costs(&seen.ledgers, &seen.own, arguments.top),
        interrupted: seen.interrupted,
        folder: folder.path().display().to_string(),
        files: recording
            .map(|name| name.to_string_lossy().into())
            .into_iter()
            .collect(),
        instrument: seen.instrument.clone(),
        own: seen.own.clone(),
        notes: seen.notes.clone(),
    };
    let mut unwritten = output::Unwritten::default();
    let began_ns = i64::try_from(seen.began_at.as_nanosecond()).unwrap_or_default();
    let formats: Vec<_> = arguments
        .formats
        .iter()
        .filter_map(|f| f.export())
        .collect();
    let period = |kind| tacho_instruments::period(&seen.asked, kind);
    for export in exports(&report, &seen.ledgers, &formats, began_ns, period)? {
        let written = unwritten.take(folder.write(&export.name, &export.content));
        report.files.extend(written.map(|()| export.name));
    }
    if arguments.formats.contains(&ProfileFormat::Html) {
        report.files.insert(0, FILE.to_owned());
        let page = render(&report, &seen.ledgers)?;
        let written = unwritten.take(folder.write(FILE, page.as_bytes()));
        if written.is_none() {
            report.files.remove(0);
        }
    }
    unwritten.take(output::json_or_summary(
        common.json.as_deref(),
        || output::pretty(&report),
        || text(&report, &output::style()),
    ));
    unwritten.or(match seen.interrupted {
        true => Exit::Interrupted,
        false => Exit::Done,
    })
}

/// Ends the sampling of a profile that is killed.
pub fn guard() -> Done {
    match tacho_instruments::guard()? {
        true => Ok(Exit::Done),
        false => Ok(Exit::Usage),
    }
}
