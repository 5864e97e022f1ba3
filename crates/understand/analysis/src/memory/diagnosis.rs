//! What a diagnosis launch says of a cell's memory, held against the resident set and against the
//! measured launches. Nothing of it goes into a metric.

use tacho_run_folder::{
    Cell, Diagnosis, DiagnosisData, LaunchOutcome, MemoryDiagnosis, MemorySplit, RunData,
};

/// The parts add up to the resident set when they miss it by no more.
const ADDS_UP_WITHIN: f64 = 0.05;
/// Classes, places and the like that are kept of each list; diagnosis.json has more.
const MOST: usize = 20;

/// The diagnosis launch of a cell; `None` when there was none. `measured` is where the memory of
/// its measured launches was.
#[must_use]
pub fn of_cell(
    run: &RunData,
    cell: &Cell,
    measured: Option<&MemorySplit>,
) -> Option<MemoryDiagnosis> {
    let launch = run.diagnoses.iter().find(|d| d.record.cell == cell.id)?;
    let said = launch.diagnosis.clone().map(shortened);
    let resident = said.as_ref().and_then(|d| d.resident.as_ref());
    let known = resident.filter(|r| r.rss_bytes > 0.0);
    let missed_by = known.map(|r| r.sum_bytes / r.rss_bytes - 1.0);
    let unexplained = known.map(|r| {
        let parts = r.parts.iter().filter(|part| part.name == "unexplained");
        parts.map(|part| part.bytes).sum::<f64>() / r.rss_bytes
    });
    let against = measured
        .filter(|split| split.rss_bytes > 0.0)
        .zip(resident)
        .map(|(split, r)| r.rss_bytes / split.rss_bytes);
    Some(MemoryDiagnosis {
        launch: launch.record.number,
        failure: failure(launch),
        missed_by,
        adds_up: missed_by.map(|missed| missed.abs() <= ADDS_UP_WITHIN),
        unexplained_share: unexplained,
        against_measured: against,
        said,
    })
}

fn failure(launch: &DiagnosisData) -> Option<String> {
    match &launch.record.outcome {
        LaunchOutcome::Completed | LaunchOutcome::Spoiled { .. } => None,
        LaunchOutcome::Invalid { reason } => Some(reason.clone()),
        LaunchOutcome::Failed { message, .. } => Some(message.clone()),
        LaunchOutcome::Running | LaunchOutcome::Interrupted => {
            Some("the run was ended before it was over".to_owned())
        }
    }
}

fn shortened(mut said: Diagnosis) -> Diagnosis {
    if let Some(live) = &mut said.live {
        live.classes.truncate(MOST);
    }
    if let Some(recording) = &mut said.recording {
        recording.old_objects.truncate(MOST);
        if let Some(allocation) = &mut recording.allocation {
            allocation.classes.truncate(MOST);
            allocation.sites.truncate(MOST);
        }
    }
    said
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testkit::{Profile, Synthetic};
    use tacho_run_folder::{LiveClass, LiveSet, MemoryPart, ResidentMemory};

    fn part(name: &str, bytes: f64) -> MemoryPart {
        MemoryPart {
            name: name.to_owned(),
            bytes,
            meaning: String::new(),
        }
    }

    fn run(rss_bytes: f64) -> RunData {
        let mut run = Synthetic::new(3).variant(Profile::named("jar")).run();
        let record = tacho_run_folder::LaunchRecord {
            number: 4,
            ..run.launches[0].record.clone()
        };
        run.diagnoses.push(DiagnosisData {
            record,
            diagnosis: Some(Diagnosis {
                resident: Some(ResidentMemory {
                    rss_bytes,
                    sum_bytes: 100.0,
                    parts: vec![part("live heap", 80.0), part("unexplained", 20.0)],
                }),
                live: Some(LiveSet {
                    classes: vec![LiveClass::default(); 50],
                    ..LiveSet::default()
                }),
                ..Diagnosis::default()
            }),
        });
        run
    }

    #[test]
    fn parts_that_miss_the_resident_set_by_more_than_a_twentieth_do_not_add_up() {
        let measured = MemorySplit {
            rss_bytes: 80.0,
            ..MemorySplit::default()
        };
        let of = |rss| {
            let run = run(rss);
            of_cell(&run, &run.plan.cells[0], Some(&measured)).unwrap()
        };
        let near = of(104.0);
        assert_eq!((near.launch, near.adds_up), (4, Some(true)));
        assert_eq!(near.against_measured, Some(1.3));
        assert!((near.unexplained_share.unwrap() - 20.0 / 104.0).abs() < 1e-12);
        assert_eq!(of(106.0).adds_up, Some(false));
        let live = near.said.unwrap().live.unwrap();
        assert_eq!(live.classes.len(), MOST);
    }

    #[test]
    fn a_diagnosis_launch_changes_no_result_but_its_own() {
        let without = Synthetic::new(3).variant(Profile::named("jar")).run();
        let mut before = crate::analyse(&without);
        let mut after = crate::analyse(&run(100.0));
        let of = |results: &mut tacho_run_folder::Results| {
            let memory = results.cells[0].memory.take();
            memory.and_then(|memory| memory.diagnosis)
        };
        assert_eq!(of(&mut before), None);
        assert_eq!(of(&mut after).map(|d| d.launch), Some(4));
        assert_eq!(before, after);
    }

    #[test]
    fn a_launch_that_failed_says_why() {
        let mut run = run(100.0);
        run.diagnoses[0].diagnosis = None;
        run.diagnoses[0].record.outcome = LaunchOutcome::Failed {
            cause: tacho_run_folder::FailureCause::OutOfMemory,
            message: "killed for memory".to_owned(),
            last_log_lines: Vec::new(),
        };
        let said = of_cell(&run, &run.plan.cells[0], None).unwrap();
        assert_eq!(said.failure.as_deref(), Some("killed for memory"));
        assert_eq!((said.adds_up, said.said), (None, None));
    }
}
