//! From an experiment to the order of its launches.

use crate::model::{Diagnose, Experiment};
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use tacho_run_folder::{Cell, Plan, PlannedLaunch};

/// Plans the launches: a randomised complete block design. Each block holds every cell once in an
/// order of its own, so that whatever drifts on the machine (heat, neighbours, caches) meets all
/// cells alike. (Montgomery, Design and Analysis of Experiments, chapter 4.)
#[must_use]
pub fn plan(experiment: &Experiment, notes: Vec<String>) -> Plan {
    let cells = cells(experiment);
    let mut random = ChaCha8Rng::seed_from_u64(experiment.seed);
    let mut launches = Vec::new();
    let turned = u32::from(experiment.duet && random.random_bool(0.5));
    for replicate in 1..=experiment.launches.most() {
        let mut block: Vec<&Cell> = cells.iter().collect();
        match experiment.duet {
            true => block = pairs(&cells, (replicate + turned) % 2 == 0, &mut random),
            false => block.shuffle(&mut random),
        }
        for cell in block {
            launches.push(PlannedLaunch {
                number: u32::try_from(launches.len() + 1).unwrap_or(u32::MAX),
                cell: cell.id.clone(),
                replicate,
                again: None,
            });
        }
    }
    let diagnosis = diagnosis(experiment, &cells, launches.len());
    Plan {
        seed: experiment.seed,
        launches_per_cell: experiment.launches.most(),
        looks: experiment.launches.looks(),
        rest_s: experiment.rest.as_secs_f64(),
        baseline: experiment.baseline.clone(),
        aa: experiment.aa.clone(),
        duet: None,
        threshold: experiment.threshold,
        cells,
        pods: experiment.pods,
        warm_up: experiment.warm_up,
        phases: experiment.phases.clone(),
        requests: None,
        apart: false,
        launches,
        diagnosis,
        checks: experiment.checks.clone(),
        notes: notes
            .into_iter()
            .chain(experiment.companions.iter().map(ToString::to_string))
            .collect(),
    }
}

/// The cells of a block of a duet, in pairs of the same limits. The order of the pairs is drawn at
/// random. Which cell of a pair gets the first half of the machine alternates from block to block.
fn pairs<'c>(cells: &'c [Cell], is_turned: bool, random: &mut ChaCha8Rng) -> Vec<&'c Cell> {
    let mut pairs: Vec<Vec<&Cell>> = cells.chunks(2).map(|pair| pair.iter().collect()).collect();
    pairs.shuffle(random);
    if is_turned {
        pairs.iter_mut().for_each(|pair| pair.reverse());
    }
    pairs.concat()
}

/// One launch with instruments for each cell that is a JVM started by Tacho. They come after all
/// others, so that the cost of instruments does not affect what is measured.
fn diagnosis(experiment: &Experiment, cells: &[Cell], measured: usize) -> Vec<PlannedLaunch> {
    let is_jvm = |cell: &&Cell| {
        let mut variants = experiment.variants.iter();
        variants.any(|v| v.name == cell.variant && v.kind.is_hotspot())
    };
    if experiment.diagnose == Diagnose::Off {
        return Vec::new();
    }
    cells
        .iter()
        .filter(is_jvm)
        .enumerate()
        .map(|(index, cell)| PlannedLaunch {
            number: u32::try_from(measured + index + 1).unwrap_or(u32::MAX),
            cell: cell.id.clone(),
            replicate: 1,
            again: None,
        })
        .collect()
}

fn cells(experiment: &Experiment) -> Vec<Cell> {
    let several = experiment.limits.len() > 1;
    experiment
        .limits
        .iter()
        .flat_map(|limits| {
            experiment.variants.iter().map(move |variant| Cell {
                id: if several {
                    format!("{}@{}", variant.name, limits.name)
                } else {
                    variant.name.clone()
                },
                variant: variant.name.clone(),
                limits: limits.clone(),
            })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{SubjectSpec, VariantSpec};
    use crate::{Launches, VariantKind, defaults, limits};
    use proptest::prelude::*;
    use std::time::Duration;
    use tacho_run_folder::Limits;

    fn experiment(variants: usize, launches: u32, seed: u64) -> Experiment {
        let variants: Vec<VariantSpec> = VariantKind::ALL[..variants]
            .iter()
            .map(|kind| VariantSpec::of(*kind))
            .collect();
        Experiment {
            name: "test".into(),
            subject: SubjectSpec::default(),
            baseline: variants[0].name.clone(),
            aa: None,
            duet: false,
            variants,
            limits: vec![limits::none()],
            requests: None,
            pods: 1,
            warm_up: None,
            phases: defaults::phases(),
            launches: Launches::Fixed(launches),
            seed,
            rest: Duration::ZERO,
            threshold: 0.05,
            request_timeout: defaults::REQUEST_TIMEOUT,
            gc_log: crate::GcLog::default(),
            diagnose: Diagnose::default(),
            connections: None,
            checks: Vec::new(),
            mask: Vec::new(),
            companions: Vec::new(),
            running_companions: Vec::new(),
        }
    }

    proptest! {
        #[test]
        fn every_block_holds_every_cell_once(variants in 1usize..8, launches in 1u32..9, seed in any::<u64>()) {
            let plan = plan(&experiment(variants, launches, seed), vec![]);
            prop_assert_eq!(plan.launches.len(), variants * launches as usize);
            for (index, block) in plan.launches.chunks(variants).enumerate() {
                let mut cells: Vec<&str> = block.iter().map(|l| l.cell.as_str()).collect();
                cells.sort_unstable();
                cells.dedup();
                prop_assert_eq!(cells.len(), variants);
                prop_assert!(block.iter().all(|l| l.replicate as usize == index + 1));
            }
        }
    }

    #[test]
    fn a_copy_of_the_baseline_is_planned_as_any_other_variant() {
        let mut experiment = experiment(2, 3, 1);
        let own = experiment.variants[0].clone();
        experiment.copy_baseline();
        let copy = experiment.variants.last().unwrap();
        assert_eq!(copy.name, format!("{}-aa", own.name));
        assert_eq!(copy.kind, own.kind);
        let plan = plan(&experiment, vec![]);
        assert_eq!(plan.aa.as_deref(), Some(copy.name.as_str()));
        let launches = plan.launches.iter();
        assert_eq!(launches.filter(|l| l.cell == copy.name).count(), 3);
    }

    /// With two sets of limits, of which either may come first.
    #[test]
    fn the_two_of_a_duet_stand_together_and_change_places_from_block_to_block() {
        for seed in 0..20 {
            let mut experiment = experiment(2, 6, seed);
            experiment.duet = true;
            experiment.limits = vec![
                limits::none(),
                Limits {
                    name: "1cpu".into(),
                    ..limits::none()
                },
            ];
            let plan = plan(&experiment, vec![]);
            let limits_of = |id: &str| {
                let mut cells = plan.cells.iter();
                cells
                    .find(|cell| cell.id == id)
                    .unwrap()
                    .limits
                    .name
                    .clone()
            };
            let pairs: Vec<_> = plan.launches.chunks(2).collect();
            for pair in &pairs {
                assert_ne!(pair[0].cell, pair[1].cell);
                assert_eq!(limits_of(&pair[0].cell), limits_of(&pair[1].cell));
                assert_eq!(pair[0].replicate, pair[1].replicate);
            }
            let is_first = |launch: &&PlannedLaunch| launch.number % 2 == 1;
            let first = plan.launches.iter().filter(is_first);
            for cell in &plan.cells {
                assert_eq!(first.clone().filter(|l| l.cell == cell.id).count(), 3);
            }
            let same_limits = pairs
                .iter()
                .filter(|pair| limits_of(&pair[0].cell) == "none");
            let firsts: Vec<_> = same_limits.map(|pair| &pair[0].cell).collect();
            assert!(firsts.windows(2).all(|two| two[0] != two[1]), "{firsts:?}");
        }
    }

    #[test]
    fn every_jvm_is_diagnosed_once_when_that_is_asked_for_and_after_all_that_is_measured() {
        let kinds = VariantKind::ALL;
        let mut experiment = experiment(kinds.len(), 2, 1);
        assert_eq!(plan(&experiment, vec![]).diagnosis, []);
        experiment.diagnose = Diagnose::Memory;
        let plan = plan(&experiment, vec![]);
        let planned: Vec<(u32, &str)> = plan
            .diagnosis
            .iter()
            .map(|l| (l.number, l.cell.as_str()))
            .collect();
        let jvms = kinds.iter().filter(|kind| kind.is_hotspot());
        let first = u32::try_from(2 * kinds.len() + 1).unwrap();
        let expected: Vec<(u32, &str)> = (first..).zip(jvms.map(|kind| kind.name())).collect();
        assert!(expected.len() < kinds.len());
        assert_eq!(planned, expected);
        assert_eq!(plan.launches.len(), 2 * kinds.len());
    }

    #[test]
    fn the_same_seed_gives_the_same_order_and_another_seed_another() {
        let of = |seed| plan(&experiment(6, 5, seed), vec![]).launches;
        assert_eq!(of(7), of(7));
        assert_ne!(of(7), of(8));
    }
}
