//! Memory over time: what was found, where the memory is, and what could not be told.

use super::diagnosis::{DiagnosisView, diagnoses};
use crate::overview::LimitsOverview;
use crate::words;
use crate::words::Stretch;
use serde::Serialize;
use tacho_figures::{bytes, capitalised};
use tacho_run_folder::{CellResult, MemoryPattern, MemorySplit, Word};

/// Nothing of this is shown for runs that recorded no such series.
#[derive(Debug, Serialize)]
pub struct MemoryView {
    is_known: bool,
    findings: Vec<FindingView>,
    /// Patterns that no variant shows.
    absent: Vec<String>,
    not_told: Vec<NotToldView>,
    split: Option<SplitView>,
    diagnoses: Vec<DiagnosisView>,
    notes: Vec<Vec<Stretch>>,
}

#[derive(Debug, Serialize)]
struct FindingView {
    title: String,
    variant: String,
    found_in: String,
    shown: u32,
    summary: Vec<Stretch>,
    advice: Vec<Stretch>,
}

#[derive(Debug, Serialize)]
struct NotToldView {
    reason: Vec<Stretch>,
    patterns: String,
    variants: String,
}

#[derive(Debug, Serialize)]
struct SplitView {
    variants: Vec<String>,
    rows: Vec<SplitRow>,
    sums: Vec<String>,
}

#[derive(Debug, Serialize)]
struct SplitRow {
    name: String,
    meaning: Vec<Stretch>,
    cells: Vec<String>,
}

/// The view of one set of limits. Its findings come in the order of the charts' evidence.
pub fn memory(limits: &LimitsOverview<'_>) -> MemoryView {
    let cells: Vec<&CellResult> = limits.rows.iter().map(|row| row.cell).collect();
    let known = || cells.iter().filter_map(|c| Some((*c, c.memory.as_ref()?)));
    let findings = known()
        .flat_map(|(cell, memory)| {
            memory.findings.iter().map(move |f| FindingView {
                title: words::pattern(&f.pattern).to_owned(),
                variant: cell.variant.clone(),
                found_in: words::found_in(f, memory.launches),
                shown: f.shown,
                summary: words::prose(&capitalised(&f.summary)),
                advice: words::prose(&f.advice),
            })
        })
        .collect();
    let mut absent: Vec<&Word<MemoryPattern>> = Vec::new();
    for name in known().flat_map(|(_, memory)| &memory.absent) {
        let is_found = known().any(|(_, m)| m.findings.iter().any(|f| f.pattern == *name));
        if !absent.contains(&name) && !is_found {
            absent.push(name);
        }
    }
    let mut notes: Vec<Vec<Stretch>> = Vec::new();
    for (cell, memory) in known() {
        notes.extend(
            memory
                .notes
                .iter()
                .map(|n| words::prose(&format!("{}: {n}", cell.variant))),
        );
    }
    MemoryView {
        is_known: known().next().is_some(),
        findings,
        absent: absent
            .into_iter()
            .map(|name| words::pattern(name).to_owned())
            .collect(),
        not_told: words::not_told(&cells)
            .into_iter()
            .map(|(reason, patterns, variants)| NotToldView {
                reason: words::prose(&reason),
                patterns: patterns.join("; "),
                variants: variants.join(", "),
            })
            .collect(),
        split: split(&cells),
        diagnoses: diagnoses(&cells),
        notes,
    }
}

/// A column a variant, a row a part.
fn split(cells: &[&CellResult]) -> Option<SplitView> {
    let splits: Vec<(&str, &MemorySplit)> = cells
        .iter()
        .filter_map(|c| Some((c.variant.as_str(), c.memory.as_ref()?.split.as_ref()?)))
        .collect();
    let mut parts: Vec<(&str, &str)> = Vec::new();
    for part in splits.iter().flat_map(|(_, split)| &split.parts) {
        if parts.iter().all(|(name, _)| *name != part.name) {
            parts.push((&part.name, &part.meaning));
        }
    }
    // Memory that is not explained comes last, for every variant.
    parts.sort_by_key(|(name, _)| *name == "unexplained");
    let of = |split: &MemorySplit, name: &str| {
        let part = split.parts.iter().find(|part| part.name == name);
        part.map_or_else(|| "–".to_owned(), |part| bytes(part.bytes))
    };
    (!splits.is_empty()).then(|| SplitView {
        variants: splits.iter().map(|(v, _)| (*v).to_owned()).collect(),
        rows: parts
            .iter()
            .map(|(name, meaning)| SplitRow {
                name: (*name).to_owned(),
                meaning: words::prose(meaning),
                cells: splits.iter().map(|(_, split)| of(split, name)).collect(),
            })
            .collect(),
        sums: splits.iter().map(|(_, s)| bytes(s.rss_bytes)).collect(),
    })
}
