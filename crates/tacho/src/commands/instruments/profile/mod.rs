//! `tacho profile`: where the time, the memory and the waiting of a running JVM go.
//!
//! ```text
//! mod       attach, sample for a time, read, write, print
//! sampler   async-profiler, or the JVM's own recorder: started, stopped, one recording
//! recorded  the recording --> ledgers
//! left      what a Tacho that was killed has left on
//! guard     a process that ends it at once
//! folder    where the files go
//! ```

mod folder;
mod guard;
mod left;
mod recorded;
mod sampler;

use super::arguments::{Profile, ProfileEvent, ProfileFormat};
use super::own;
use super::window::wait;
use crate::error::Error;
use crate::exit::Exit;
use crate::signals::stop_on_signals;
use crate::{Done, output};
use folder::OutFolder;
pub use guard::guard;
use sampler::{Running, Stopped};
use std::path::Path;
use std::time::{Duration, Instant};
use tacho_attach::Jvm;
use tacho_diagnosis::Own;
use tacho_diagnosis_report::export::{About, Format, of_ledger, stem, title};
use tacho_diagnosis_report::profile::{Cost, FILE, ProfileReport, render, text, top};
use tacho_jvm_agent::AgentError;
use tacho_run_folder::{Ledger, LedgerKind};
use tacho_runner::Stop;

/// How often is looked at how much processor time there was.
const LOOK: Duration = Duration::from_millis(200);
/// With so many a share of a tenth is known to within a third of it.
const FEW: u64 = 100;

/// Samples a JVM for a time.
pub fn profile(arguments: &Profile) -> Done {
    let common = &arguments.common;
    // Before anybody can know that there is something to be switched off.
    let stop = stop_on_signals()?;
    let jvm = Jvm::attach(common.pid).map_err(AgentError::from)?;
    let properties = jvm.properties().map_err(AgentError::from)?;
    let mut notes = Vec::new();
    let own = own::chosen(common, &jvm, &mut notes)?;
    let folder = OutFolder::make(arguments.out.as_deref(), common.pid)?;

    let (running, of_sampler) =
        Running::start(&jvm, &properties, arguments).inspect_err(|_| folder.give_up())?;
    notes.extend(of_sampler);
    let began_at = jiff::Timestamp::now();
    let begin = Instant::now();
    let processor_s = used_meanwhile(common.duration, &stop, &jvm);
    let elapsed = begin.elapsed();
    let interrupted = stop.is_set();
    let Stopped {
        recording,
        instrument,
        intervals,
        note,
    } = running.stop().inspect_err(|_| folder.give_up())?;
    notes.extend(note);
    let mut seen = kinds(&arguments.events);
    seen.retain(|kind| *kind != LedgerKind::Wall || intervals.wall.is_some());
    let kept = folder.keep(&recording.path(), arguments.has(ProfileFormat::Jfr))?;
    let reading = recorded::Reading {
        recording: &recording.path(),
        kinds: &seen,
        own: &own,
        wall: intervals.wall,
        processor_s,
        requests: arguments.requests.unwrap_or(1),
        // What was seen until Ctrl-C is shown: reading it is not what the user wanted to end.
        stop: &std::sync::atomic::AtomicBool::new(false),
    };
    let (ledgers, unread) = recorded::read(&reading, &kept).map_err(|error| match error {
        Error::Recording(_) if !jvm.is_alive() => {
            folder.discard(&kept);
            Error::CutOff { pid: common.pid }
        }
        error => error,
    })?;
    notes.extend(unread);

    notes.extend(ledgers.iter().filter_map(too_few));
    let own_code = Own::of(&own);
    let mut report = ProfileReport {
        pid: common.pid,
        program: tacho_masking::current().text(&program(&properties)),
        instrument,
        began_at: began_at.strftime("%Y-%m-%dT%H:%M:%SZ").to_string(),
        elapsed_s: elapsed.as_secs_f64(),
        processor_s,
        requests: arguments.requests,
        own,
        costs: ledgers
            .iter()
            .map(|ledger| cost(ledger, &own_code, arguments.top))
            .collect(),
        notes,
        interrupted,
        folder: folder.path().display().to_string(),
        files: Vec::new(),
    };
    report.files = kept.files;
    let began_ns = i64::try_from(began_at.as_nanosecond()).unwrap_or_default();
    let formats: Vec<Format> = arguments
        .formats
        .iter()
        .filter_map(|f| f.export())
        .collect();
    let mut unwritten = output::Unwritten::default();
    for ledger in &ledgers {
        let Some(stem) = stem(ledger.kind) else {
            continue;
        };
        let title = format!("{}, {}", report.program, title(ledger.kind));
        let about = About {
            title: &title,
            began_ns,
            duration_ns: i64::try_from(elapsed.as_nanos()).unwrap_or(i64::MAX),
            period: intervals.of(ledger.kind),
        };
        for export in of_ledger(ledger, stem, &formats, &about)? {
            if unwritten
                .take(folder.write(&export.name, &export.content))
                .is_some()
            {
                report.files.push(export.name);
            }
        }
    }
    if arguments.has(ProfileFormat::Html) {
        report.files.insert(0, FILE.to_owned());
        let page = render(&report, &ledgers)?;
        if unwritten
            .take(folder.write(FILE, page.as_bytes()))
            .is_none()
        {
            report.files.remove(0);
        }
    }
    unwritten.take(output::json_or_summary(
        common.json.as_deref(),
        || output::pretty(&report),
        || text(&report, &output::style()),
    ));
    unwritten.or(match interrupted {
        true => Exit::Interrupted,
        false => Exit::Done,
    })
}

fn cost(ledger: &Ledger, own: &Own, rows: usize) -> Cost {
    let entries = ledger.entries.iter();
    Cost {
        kind: ledger.kind,
        unit: match ledger.kind {
            LedgerKind::Allocation => "bytes",
            _ => "ns",
        },
        samples: entries.clone().map(|entry| entry.count).sum::<u64>() + ledger.left_out.count,
        sum: entries.map(|entry| entry.cost).sum::<f64>() + ledger.left_out.cost,
        top: top(ledger, own, rows),
    }
}

/// Shares of few samples say little.
fn too_few(ledger: &Ledger) -> Option<String> {
    let samples: u64 = ledger.entries.iter().map(|entry| entry.count).sum();
    (ledger.kind == LedgerKind::Processor && samples < FEW).then(|| {
        format!("{samples} samples of processor time are few: shares are rough. Give it more --duration, or a shorter --interval")
    })
}

fn kinds(events: &[ProfileEvent]) -> Vec<LedgerKind> {
    let mut kinds: Vec<LedgerKind> = events.iter().map(|event| event.kind()).collect();
    kinds.sort();
    kinds.dedup();
    kinds
}

/// Waits, and says how much processor time the process used meanwhile; of one that ends, what it had used shortly before.
fn used_meanwhile(time: Duration, stop: &Stop, jvm: &Jvm) -> f64 {
    let begin = Instant::now();
    let before = processor_s(jvm.pid()).unwrap_or_default();
    let mut last = before;
    while begin.elapsed() < time && !stop.is_set() && jvm.is_alive() {
        wait(LOOK.min(time.saturating_sub(begin.elapsed())), stop, jvm);
        last = processor_s(jvm.pid()).unwrap_or_default().max(last);
    }
    last - before
}

/// Of the process, in all.
fn processor_s(pid: u32) -> Option<f64> {
    let stat = tacho_observe::process::stat(pid)?;
    Some(stat.user_s + stat.system_s)
}

/// The main class or the jar's name; what comes behind it may be a secret.
fn program(properties: &std::collections::BTreeMap<String, String>) -> String {
    let command = properties
        .get("sun.java.command")
        .map_or("", String::as_str);
    let word = command.split(' ').next().unwrap_or_default();
    let name = match Path::new(word).file_name() {
        Some(name) if word.contains('/') => name.to_string_lossy().into_owned(),
        _ => word.to_owned(),
    };
    if name.is_empty() {
        "a JVM".to_owned()
    } else {
        name
    }
}
