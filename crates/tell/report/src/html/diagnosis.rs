//! What diagnosis launches say, as tables: where the memory is, what the JVM has reserved and
//! committed, what is alive, who allocates.

use crate::words::{self, Stretch};
use serde::Serialize;
use tacho_figures::{self as figures, bytes, count, counted, percent, seconds};
use tacho_run_folder::{
    CellResult, Diagnosis, FlightRecording, LiveSet, MemoryDiagnosis, MemorySplit, NativeReport,
    ResidentMemory,
};

/// Rows of a table; the files have all.
const ROWS: usize = 15;
/// Frames of a place in the code.
const FRAMES: usize = 4;

#[derive(Debug, Serialize)]
pub struct DiagnosisView {
    variant: String,
    launch: u32,
    lead: Vec<Stretch>,
    failure: Option<Vec<Stretch>>,
    missing: Vec<Vec<Stretch>>,
    tables: Vec<TableView>,
    facts: Vec<Vec<Stretch>>,
}

#[derive(Debug, Serialize)]
struct TableView {
    title: String,
    lead: Vec<Stretch>,
    titles: Vec<&'static str>,
    rows: Vec<RowView>,
}

#[derive(Debug, Default, Serialize)]
struct RowView {
    /// The lines of its head: a place in the code has several.
    name: Vec<String>,
    cells: Vec<String>,
    meaning: Option<Vec<Stretch>>,
    is_sum: bool,
}

/// One view a diagnosis launch.
pub fn diagnoses(cells: &[&CellResult]) -> Vec<DiagnosisView> {
    cells
        .iter()
        .filter_map(|cell| {
            let memory = cell.memory.as_ref()?;
            let diagnosis = memory.diagnosis.as_ref()?;
            Some(view(&cell.variant, diagnosis, memory.split.as_ref()))
        })
        .collect()
}

fn view(
    variant: &str,
    diagnosis: &MemoryDiagnosis,
    measured: Option<&MemorySplit>,
) -> DiagnosisView {
    let said = diagnosis.said.as_ref();
    let tables = said.map_or_else(Vec::new, |said| {
        [
            said.resident
                .as_ref()
                .map(|resident| parts(resident, diagnosis, measured)),
            said.native.as_ref().map(|native| categories(native, said)),
            said.live.as_ref().map(classes),
            said.recording.as_ref().and_then(sites),
        ]
        .into_iter()
        .flatten()
        .collect()
    });
    DiagnosisView {
        variant: variant.to_owned(),
        launch: diagnosis.launch,
        lead: words::prose(&lead(diagnosis)),
        failure: diagnosis.failure.as_deref().map(words::prose),
        missing: said
            .into_iter()
            .flat_map(|said| &said.missing)
            .map(|m| words::prose(&format!("No {}: {}.", m.what, m.why)))
            .collect(),
        tables,
        facts: said
            .and_then(|said| said.recording.as_ref())
            .map_or_else(Vec::new, facts),
    }
}

fn lead(diagnosis: &MemoryDiagnosis) -> String {
    let mut text = "A launch of its own, after all that was measured, with instruments that cost something. None of its numbers is in a figure, a check or a verdict of this report.".to_owned();
    if let Some(ratio) = diagnosis.against_measured {
        text += &format!(
            " Its resident set is {} that of the measured launches.",
            figures::ratio(ratio)
        );
    }
    text
}

/// Shows the parts next to the split of the measured launches. This tells what the unexplained
/// memory of the measured launches consists of.
fn parts(
    resident: &ResidentMemory,
    diagnosis: &MemoryDiagnosis,
    measured: Option<&MemorySplit>,
) -> TableView {
    let of_measured = |name: &str| {
        let parts = measured.into_iter().flat_map(|split| &split.parts);
        let mut found = parts.filter(|part| part.name == name);
        found
            .next()
            .map_or_else(|| "–".to_owned(), |part| bytes(part.bytes))
    };
    let share = |part: f64| percent(part / resident.sum_bytes.max(1.0));
    let mut rows: Vec<RowView> = resident
        .parts
        .iter()
        .map(|part| RowView {
            name: vec![part.name.clone()],
            cells: vec![
                bytes(part.bytes),
                share(part.bytes),
                of_measured(&part.name),
            ],
            meaning: Some(words::prose(&part.meaning)),
            is_sum: false,
        })
        .collect();
    rows.push(RowView {
        name: vec!["the sum".to_owned()],
        cells: vec![
            bytes(resident.sum_bytes),
            share(resident.sum_bytes),
            measured.map_or_else(|| "–".to_owned(), |split| bytes(split.rss_bytes)),
        ],
        meaning: Some(words::prose("")),
        is_sum: true,
    });
    let agreement = match (diagnosis.adds_up, diagnosis.missed_by) {
        (Some(true), Some(missed)) => format!(
            "The parts add up to the resident set of {} within 5 % (they miss it by {})",
            bytes(resident.rss_bytes),
            percent(missed.abs())
        ),
        (Some(false), Some(missed)) => format!(
            "The parts do not add up to the resident set of {}: they miss it by {}, more than 5 %",
            bytes(resident.rss_bytes),
            percent(missed.abs())
        ),
        _ => "The resident set could not be read beside the parts".to_owned(),
    };
    let unexplained = diagnosis.unexplained_share.map_or_else(String::new, |s| {
        format!(
            "; {} of it is unexplained. In measured launches more is unexplained, because their JVM is not queried",
            percent(s)
        )
    });
    TableView {
        title: "Where the memory is".to_owned(),
        lead: words::prose(&format!("{agreement}{unexplained}.")),
        titles: vec![
            "Part",
            "Diagnosis launch",
            "Share",
            "Measured launches",
            "What it is",
        ],
        rows,
    }
}

fn categories(native: &NativeReport, said: &Diagnosis) -> TableView {
    let peaks = said
        .recording
        .as_ref()
        .map_or(&[][..], |recording| &recording.native_peaks);
    let peak = |name: &str| {
        let found = peaks.iter().find(|category| category.name == name);
        found.map_or_else(
            || "–".to_owned(),
            |category| bytes(category.committed_bytes as f64),
        )
    };
    let row = |name: &str, committed: u64, reserved: u64| {
        let mut cells = vec![bytes(committed as f64), bytes(reserved as f64)];
        if !peaks.is_empty() {
            cells.push(peak(name));
        }
        RowView {
            name: vec![name.to_owned()],
            cells,
            ..RowView::default()
        }
    };
    let mut rows: Vec<RowView> = native
        .categories
        .iter()
        .take(ROWS)
        .map(|c| row(&c.name, c.committed_bytes, c.reserved_bytes))
        .collect();
    rows.push(RowView {
        is_sum: true,
        ..row("all", native.committed_bytes, native.reserved_bytes)
    });
    let resident = said.resident.as_ref().map_or_else(String::new, |r| {
        format!(" {} were resident.", bytes(r.rss_bytes))
    });
    let mut titles = vec!["Category", "Committed", "Reserved"];
    if !peaks.is_empty() {
        titles.push("Highest committed");
    }
    TableView {
        title: "Native Memory Tracking".to_owned(),
        lead: words::prose(&format!(
            "What the JVM has asked for, by its own categories. Committed memory need not have been touched, and libraries and files are not in it: it is not the resident set.{resident}"
        )),
        titles,
        rows,
    }
}

fn classes(live: &LiveSet) -> TableView {
    TableView {
        title: "What is alive".to_owned(),
        lead: words::prose(&format!(
            "A full collection left {} in {} objects. Largest classes, by the size of their objects alone.",
            bytes(live.bytes as f64),
            count(live.instances)
        )),
        titles: vec!["Class", "Size", "Share", "Objects"],
        rows: live
            .classes
            .iter()
            .take(ROWS)
            .map(|class| RowView {
                name: vec![class.name.clone()],
                cells: vec![
                    bytes(class.bytes as f64),
                    percent(class.bytes as f64 / live.bytes.max(1) as f64),
                    count(class.instances),
                ],
                ..RowView::default()
            })
            .collect(),
    }
}

fn sites(recording: &FlightRecording) -> Option<TableView> {
    let allocation = recording.allocation.as_ref()?;
    Some(TableView {
        title: "Who allocates".to_owned(),
        lead: words::prose(&format!(
            "Shares of what was allocated on the heap over the whole launch, from {} samples. What the recorder itself allocated ({}) is left out.",
            count(allocation.samples),
            bytes(allocation.recorder_bytes as f64)
        )),
        titles: vec!["Place in the code, its callers below", "Share", "Mostly"],
        rows: allocation
            .sites
            .iter()
            .take(ROWS)
            .map(|site| RowView {
                name: site.frames.iter().take(FRAMES).cloned().collect(),
                cells: vec![percent(site.share), site.class.clone()],
                ..RowView::default()
            })
            .collect(),
    })
}

fn facts(recording: &FlightRecording) -> Vec<Vec<Stretch>> {
    let mut facts = Vec::new();
    for c in &recording.collections {
        facts.push(format!(
            "`{}`: {}, pauses of {} in all, the longest {}",
            c.name,
            counted(c.count, "1 collection", "collections"),
            seconds(c.pause_s),
            seconds(c.longest_pause_s)
        ));
    }
    if let Some(direct) = recording.direct_buffers {
        facts.push(format!(
            "direct buffers: {} of {} at most, {} at the highest",
            bytes(direct.used_bytes as f64),
            bytes(direct.limit_bytes as f64),
            bytes(direct.highest_bytes as f64)
        ));
    }
    if let Some(classes) = recording.classes {
        facts.push(format!(
            "classes: {} loaded, {} unloaded",
            count(classes.loaded),
            count(classes.unloaded)
        ));
    }
    if let Some(created) = recording.exceptions {
        facts.push(format!("exceptions and errors created: {}", count(created)));
    }
    for (what, time) in [
        ("waited for locks", recording.monitor_waits),
        ("parked (idle workers too)", recording.parks),
        ("in compilations", recording.compilations),
    ] {
        if time.count > 0 {
            facts.push(format!(
                "{what}: {} times {} in all, counting only what was long enough to be recorded",
                count(time.count),
                seconds(time.total_s)
            ));
        }
    }
    for old in recording.old_objects.iter().take(5) {
        facts.push(format!(
            "old and alive: `{}`, {} old, allocated at `{}`",
            old.class,
            seconds(old.age_s),
            old.frames.first().map_or("unknown", String::as_str)
        ));
    }
    facts.iter().map(|fact| words::prose(fact)).collect()
}
