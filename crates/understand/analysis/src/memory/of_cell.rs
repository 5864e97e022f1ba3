//! Every pattern in every launch of a cell.

use super::{Finding, History, Outcome, Point, Series, diagnosis, look, split};
use tacho_figures as figures;
use tacho_run_folder::{
    Cell, CellMemory, EvidenceSeries, LaunchData, MemoryFinding, MemoryPattern, NotTold, RunData,
};

/// Points of a series that are kept, at most.
const MOST_POINTS: usize = 160;

/// What the memory of a cell's launches shows; `None` when none of them left anything to look at.
#[must_use]
pub fn of_cell(run: &RunData, cell: &Cell) -> Option<CellMemory> {
    let launches: Vec<&LaunchData> = run
        .launches
        .iter()
        .filter(|l| l.record.cell == cell.id && has_something(l))
        .collect();
    let split = split::of_launches(&launches);
    let diagnosis = diagnosis::of_cell(run, cell, split.as_ref());
    if launches.is_empty() && diagnosis.is_none() {
        return None;
    }
    let mut patterns: Vec<Pattern> = Vec::new();
    for launch in &launches {
        let number = launch.record.number;
        for (name, outcome) in look(&History::of_launch(launch)) {
            let place = patterns.iter().position(|p| p.name == name);
            let place = place.unwrap_or_else(|| {
                patterns.push(Pattern::new(name));
                patterns.len() - 1
            });
            patterns[place].add(number, outcome);
        }
    }
    Some(CellMemory {
        launches: launches.len() as u32,
        findings: patterns.iter().filter_map(Pattern::finding).collect(),
        absent: patterns
            .iter()
            .filter(|p| p.found.is_empty() && !p.absent.is_empty())
            .map(|p| p.name.into())
            .collect(),
        not_told: patterns.iter().filter_map(Pattern::not_told).collect(),
        split,
        diagnosis,
        notes: notes(&launches),
    })
}

fn has_something(launch: &LaunchData) -> bool {
    !launch.memory.is_empty() || !launch.jvm.is_empty() || launch.collections.is_some()
}

/// What the launches say of one pattern.
#[derive(Debug)]
struct Pattern {
    name: MemoryPattern,
    found: Vec<(u32, Finding)>,
    absent: Vec<u32>,
    not_told: Vec<(u32, String)>,
}

impl Pattern {
    fn new(name: MemoryPattern) -> Self {
        Self {
            name,
            found: Vec::new(),
            absent: Vec::new(),
            not_told: Vec::new(),
        }
    }

    fn add(&mut self, launch: u32, outcome: Outcome) {
        match outcome {
            Outcome::Found(finding) => self.found.push((launch, finding)),
            Outcome::Absent => self.absent.push(launch),
            Outcome::NotEnoughData(reason) => self.not_told.push((launch, reason)),
        }
    }

    fn finding(&self) -> Option<MemoryFinding> {
        let mut by_size: Vec<&(u32, Finding)> = self.found.iter().collect();
        let size = |found: &Finding| found.figures.first().map_or(0.0, |f| f.value);
        by_size.sort_by(|(_, a), (_, b)| size(a).total_cmp(&size(b)));
        let (shown, finding) = by_size.get(by_size.len() / 2)?;
        Some(MemoryFinding {
            pattern: finding.pattern.into(),
            summary: finding.summary.clone(),
            advice: finding.advice.clone(),
            launches: self.found.iter().map(|(launch, _)| *launch).collect(),
            looked_at: (self.found.len() + self.absent.len()) as u32,
            shown: *shown,
            from_s: finding.from_s,
            to_s: finding.to_s,
            figures: finding.figures.clone(),
            evidence: finding.evidence.iter().map(evidence).collect(),
        })
    }

    fn not_told(&self) -> Option<NotTold> {
        let (_, reason) = self.not_told.first()?;
        Some(NotTold {
            pattern: self.name.into(),
            reason: reason.clone(),
            launches: self.not_told.iter().map(|(launch, _)| *launch).collect(),
        })
    }
}

fn evidence(series: &Series) -> EvidenceSeries {
    EvidenceSeries {
        name: series.name.to_owned(),
        unit: series.unit.to_owned(),
        points: extremes(&series.points)
            .iter()
            .map(|p| (rounded(p.at_s), p.value))
            .collect(),
    }
}

/// To the millisecond.
fn rounded(seconds: f64) -> f64 {
    (seconds * 1e3).round() / 1e3
}

/// The lowest and the highest point of each stretch of time, in order; all of them when they are
/// few.
fn extremes(points: &[Point]) -> Vec<Point> {
    let (Some(first), Some(last)) = (points.first(), points.last()) else {
        return Vec::new();
    };
    if points.len() <= MOST_POINTS {
        return points.to_vec();
    }
    let width = ((last.at_s - first.at_s) / (MOST_POINTS / 2) as f64).max(f64::MIN_POSITIVE);
    // The last point of all would be a stretch of its own.
    let stretch = |p: &Point| (((p.at_s - first.at_s) / width) as usize).min(MOST_POINTS / 2 - 1);
    points
        .chunk_by(|a, b| stretch(a) == stretch(b))
        .flat_map(|chunk| {
            let by_value = |a: &&Point, b: &&Point| a.value.total_cmp(&b.value);
            let mut kept: Vec<Point> =
                [chunk.iter().min_by(by_value), chunk.iter().max_by(by_value)]
                    .into_iter()
                    .flatten()
                    .copied()
                    .collect();
            kept.sort_by(|a, b| a.at_s.total_cmp(&b.at_s));
            kept.dedup_by(|b, a| a.value == b.value);
            kept
        })
        .collect()
}

fn notes(launches: &[&LaunchData]) -> Vec<String> {
    let logs = || launches.iter().filter_map(|l| l.collections.as_ref());
    let unknown: u64 = logs().map(|log| log.unknown_lines).sum();
    let left_out: u64 = logs().map(|log| log.left_out).sum();
    let mut notes = Vec::new();
    if unknown > 0 {
        notes.push(format!(
            "{} lines of garbage collection in the logs were not understood; `tacho gc` shows them",
            figures::count(unknown)
        ));
    }
    if left_out > 0 {
        notes.push(format!(
            "{} collections at the end of long logs were not looked at",
            figures::count(left_out)
        ));
    }
    notes
}

#[cfg(test)]
mod tests {
    use super::super::growth;
    use super::super::synthetic::{MIB, Model};
    use super::*;
    use crate::testkit::{Profile, Synthetic};
    use tacho_run_folder::CollectionLog;

    /// Three launches of one cell whose logs show these live sets.
    fn run(live: [fn(f64) -> f64; 3]) -> RunData {
        let mut run = Synthetic::new(3).variant(Profile::named("jar")).run();
        for (launch, live) in run.launches.iter_mut().zip(live) {
            let heap = Model {
                live,
                ..Model::default()
            }
            .run();
            launch.collections = Some(CollectionLog {
                collections: heap.collections,
                max_heap_bytes: Some(512 << 20),
                to_s: heap.to_s,
                ..CollectionLog::default()
            });
        }
        run
    }

    fn memory(run: &RunData) -> CellMemory {
        of_cell(run, &run.plan.cells[0]).unwrap()
    }

    #[test]
    fn a_finding_says_in_which_launches_it_is_and_shows_the_middle_one() {
        let run = run([
            |t| (100.0 + 0.2 * t) * MIB,
            |_| 100.0 * MIB,
            |t| (100.0 + 0.4 * t) * MIB,
        ]);
        let memory = memory(&run);
        let leak = memory
            .findings
            .iter()
            .find(|f| f.pattern == growth::NAME)
            .unwrap();
        assert_eq!((leak.launches.as_slice(), leak.looked_at), (&[1, 3][..], 3));
        assert_eq!(leak.shown, 3, "of two the larger");
        let slope = leak.figures[0].value / MIB;
        assert!((0.35..0.45).contains(&slope), "{slope}");
        assert!(leak.evidence.iter().all(|s| s.points.len() <= MOST_POINTS));
        assert!(!memory.absent.contains(&growth::NAME.into()));
    }

    #[test]
    fn what_could_not_be_looked_for_is_said_with_the_reason() {
        let memory = memory(&run([|_| 150.0 * MIB; 3]));
        assert_eq!(memory.findings, []);
        assert!(memory.absent.contains(&growth::NAME.into()));
        let metaspace = memory
            .not_told
            .iter()
            .find(|n| n.pattern == MemoryPattern::MetaspaceGrowth)
            .unwrap();
        assert_eq!(metaspace.launches, [1, 2, 3]);
        assert!(
            metaspace.reason.contains("-XX:-UsePerfData"),
            "{metaspace:?}"
        );
    }

    #[test]
    fn launches_without_anything_to_look_at_have_no_result() {
        let mut run = run([|_| 100.0 * MIB; 3]);
        for launch in &mut run.launches {
            launch.collections = None;
        }
        assert_eq!(of_cell(&run, &run.plan.cells[0]), None);
    }

    #[test]
    fn a_thinned_series_keeps_its_extremes() {
        let mut points: Vec<Point> = (0..10_000)
            .map(|i| Point::new(f64::from(i), 10.0))
            .collect();
        points[7_777].value = 99.0;
        points[3_333].value = 1.0;
        let thin = extremes(&points);
        assert!(thin.len() <= MOST_POINTS, "{}", thin.len());
        assert!(thin.iter().any(|p| p.value == 99.0) && thin.iter().any(|p| p.value == 1.0));
        assert!(thin.windows(2).all(|pair| pair[0].at_s <= pair[1].at_s));
    }
}
