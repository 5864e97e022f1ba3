//! What a diagnosis launch says, in one or two sentences.

use tacho_figures::{self as figures, bytes};
use tacho_run_folder::{CellResult, Diagnosis, ResidentMemory};

/// Parts that are named in the sentence.
const NAMED: usize = 4;

/// Where the memory is, what is alive, who allocates; `None` without a diagnosis launch.
#[must_use]
pub fn diagnosis(cell: &CellResult) -> Option<String> {
    let diagnosis = cell.memory.as_ref()?.diagnosis.as_ref()?;
    let head = format!(
        "`{}`, diagnosis launch {} (in no figure)",
        cell.variant, diagnosis.launch
    );
    if let Some(why) = &diagnosis.failure {
        return Some(format!("{head}: it did not go as it should: {why}"));
    }
    let said = diagnosis.said.as_ref()?;
    let pieces: Vec<String> = [
        said.resident.as_ref().map(where_it_is),
        alive(said),
        allocates(said),
    ]
    .into_iter()
    .flatten()
    .collect();
    if pieces.is_empty() {
        let missing = said.missing.first()?;
        return Some(format!("{head}: no {}: {}", missing.what, missing.why));
    }
    Some(format!("{head}: {}", pieces.join("; ")))
}

fn where_it_is(resident: &ResidentMemory) -> String {
    let named: Vec<String> = resident
        .parts
        .iter()
        .filter(|part| part.name != "unexplained")
        .take(NAMED)
        .map(|part| format!("{} {}", bytes(part.bytes), part.name))
        .collect();
    let unexplained = resident.parts.iter().find(|p| p.name == "unexplained");
    format!(
        "of {} resident {}, {} unexplained",
        bytes(resident.rss_bytes),
        named.join(", "),
        bytes(unexplained.map_or(0.0, |part| part.bytes))
    )
}

fn alive(said: &Diagnosis) -> Option<String> {
    let live = said.live.as_ref()?;
    let most = live.classes.first()?;
    Some(format!(
        "{} alive in {} objects, most of it `{}`",
        figures::bytes(live.bytes as f64),
        figures::count(live.instances),
        most.name
    ))
}

fn allocates(said: &Diagnosis) -> Option<String> {
    let site = said
        .recording
        .as_ref()?
        .allocation
        .as_ref()?
        .sites
        .first()?;
    Some(format!(
        "{} of what is allocated is `{}` at `{}`",
        figures::percent(site.share),
        site.class,
        site.frames.first()?
    ))
}
