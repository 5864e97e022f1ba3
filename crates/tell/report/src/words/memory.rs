//! Patterns of memory over time, in words.

use tacho_run_folder::{CellResult, MemoryFinding, MemoryPattern, NotTold, Word};

/// A headline for a pattern; of one that is newer than this program, its name.
#[must_use]
pub fn pattern(name: &Word<MemoryPattern>) -> &str {
    use MemoryPattern::*;
    match name {
        Word::Known(SawTooth) => "Saw-tooth that only full collections clear",
        Word::Known(GrowthWithoutEnd) => "Growth without end: a leak is suspected",
        Word::Known(Thrashing) => "Thrashing collector",
        Word::Known(OversizedHeap) => "Heap much larger than its live set",
        Word::Known(AllocationSpikes) => "Spikes of the allocation rate",
        Word::Known(HumongousAllocations) => "Humongous allocations",
        Word::Known(MetaspaceGrowth) => "Metaspace grows without end",
        Word::Known(CodeCacheGrowth) => "Compiled code grows without end",
        Word::Known(GrowthOutsideTheHeap) => "Memory outside the heap grows without end",
        Word::Known(LimitHitByPageCache) => "Limit hit by page cache, not by the heap",
        Word::Other(newer) => newer,
    }
}

/// `3 of 5 launches`; also says in how many launches the pattern could not be looked for.
#[must_use]
pub fn found_in(finding: &MemoryFinding, all: u32) -> String {
    let found = finding.launches.len();
    let of = finding.looked_at;
    let launches = if of == 1 { "launch" } else { "launches" };
    match all.saturating_sub(of) {
        0 => format!("{found} of {of} {launches}"),
        untold => format!("{found} of {of} {launches}, {untold} more cannot tell"),
    }
}

/// Everything of one finding but its advice.
#[must_use]
pub fn finding(cell: &CellResult, finding: &MemoryFinding) -> String {
    let all = cell.memory.as_ref().map_or(0, |memory| memory.launches);
    format!(
        "`{}`, {} ({}): {}",
        cell.variant,
        finding.pattern,
        found_in(finding, all),
        finding.summary
    )
}

/// Patterns that could not be looked for, grouped by reason: reason, patterns, variants.
#[must_use]
pub fn not_told(cells: &[&CellResult]) -> Vec<(String, Vec<String>, Vec<String>)> {
    let mut rows: Vec<(String, Vec<String>, Vec<String>)> = Vec::new();
    for cell in cells {
        let told = cell.memory.iter().flat_map(|memory| &memory.not_told);
        for NotTold {
            pattern, reason, ..
        } in told
        {
            let pattern = self::pattern(pattern).to_owned();
            let place = rows
                .iter()
                .position(|(r, p, _)| r == reason && p.contains(&pattern));
            let place = place.or_else(|| {
                let same = |(r, _, v): &(String, Vec<String>, Vec<String>)| {
                    r == reason && v.as_slice() == [cell.variant.clone()]
                };
                rows.iter().position(same)
            });
            let row = match place {
                Some(place) => &mut rows[place],
                None => {
                    rows.push((reason.clone(), Vec::new(), Vec::new()));
                    let last = rows.len() - 1;
                    &mut rows[last]
                }
            };
            if !row.1.contains(&pattern) {
                row.1.push(pattern);
            }
            if !row.2.contains(&cell.variant) {
                row.2.push(cell.variant.clone());
            }
        }
    }
    rows
}
