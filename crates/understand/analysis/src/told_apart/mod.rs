//! Which differences are told apart, over all that a run compares.
//!
//! A run compares dozens of metrics. Each at its own 95 % would say something false in every third
//! run of identical variants, so all that is said rests on one family of questions: "do these two
//! differ in this by more than the threshold?" A question is answered by a t test
//! ([`difference`]), and Holm's procedure ([`holm`]) holds the chance of even one false answer in
//! the whole run at [`ERROR_RATE`].
//!
//! | questions | share of the error |
//! |---|---|
//! | what the advice and the break-evens rest on: its criteria between any two cells of the same limits, and their total costs | [`OF_ADVICE`] |
//! | every other metric against the baseline | the rest |
//!
//! So the table, which is long, does not blunt the advice. A run that looks several times whether
//! it is enough has its part of the error for each look.

mod difference;

use crate::advice::Criteria;
use crate::cell::{Measured, yardstick};
use crate::cost::CellCost;
use difference::{ByBlock, Difference};
use std::cmp::Ordering;
use std::collections::BTreeMap;
use tacho_figures::LARGEST_EFFECT;
use tacho_run_folder::{CostKind, Plan};
use tacho_statistics::holm::{self, Question};

pub use difference::{FEWEST_BLOCKS, Pairing};

/// The chance that a run of identical variants says anything false.
pub const ERROR_RATE: f64 = 0.05;
/// The part of it that questions of the advice get.
const OF_ADVICE: f64 = 0.8;
/// Costs below it count as it, in seconds: a clock tick.
const LEAST_COST_S: f64 = 0.01;

/// What two cells are compared in.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Quantity {
    /// A metric, by its id.
    Metric(String),
    /// The total cost of an instance that serves so many requests.
    Cost(CostKind, Lifetime),
}

/// Lifetimes of an instance whose total costs are compared: the shortest one, and all that was
/// measured. Both are set before anything is known, so that looking for the best place to find a
/// difference does not find one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Lifetime {
    /// A single request.
    Shortest,
    /// As many requests as every launch served.
    Measured,
}

/// What was found of two cells in one quantity.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Told {
    /// Whether the first lies below or above the second by more than the threshold; `Equal` where
    /// that was not told.
    pub order: Ordering,
    /// It was shown that they differ by less than the threshold.
    pub is_within: bool,
    /// Smallest difference that would have been told in 8 of 10 such runs, as a fraction.
    pub smallest_detectable: f64,
    /// Launches of each that would answer it; `None` of more than 100.
    pub launches_needed: Option<u32>,
}

impl Told {
    /// The result for two cells with too few launches in common.
    pub const NOTHING: Self = Self {
        order: Ordering::Equal,
        is_within: false,
        smallest_detectable: LARGEST_EFFECT,
        launches_needed: None,
    };

    fn reversed(self) -> Self {
        Self {
            order: self.order.reverse(),
            ..self
        }
    }
}

/// Every question of a run, answered.
#[derive(Debug, Clone, Default)]
pub struct ToldApart {
    /// By quantity and two cells, the later of the plan first.
    found: BTreeMap<(Quantity, String, String), Told>,
}

impl ToldApart {
    /// What was found of the first cell against the second.
    #[must_use]
    pub fn of(&self, quantity: &Quantity, cell: &str, other: &str) -> Told {
        self.found(quantity, cell, other).unwrap_or(Told::NOTHING)
    }

    /// `None` where that was not asked.
    fn found(&self, quantity: &Quantity, cell: &str, other: &str) -> Option<Told> {
        let found = |a: &str, b: &str| {
            let key = (quantity.clone(), a.to_owned(), b.to_owned());
            self.found.get(&key).copied()
        };
        let turned = || found(other, cell).map(Told::reversed);
        found(cell, other).or_else(turned)
    }

    /// Whether two cells have enough launches in common to be compared in a metric, by its id.
    #[must_use]
    pub fn is_asked(&self, id: &str, cell: &str, other: &str) -> bool {
        let quantity = Quantity::Metric(id.to_owned());
        self.found(&quantity, cell, other).is_some()
    }

    /// As [`Self::of`], of a metric by its id.
    #[must_use]
    pub fn of_metric(&self, id: &str, cell: &str, other: &str) -> Told {
        self.of(&Quantity::Metric(id.to_owned()), cell, other)
    }
}

/// The interval of the median of a quantity, with this chance of error, by the logarithms of its
/// launches. `None` for fewer than three values, or where one is not above 0.
#[must_use]
pub fn interval_of(values: &[f64], error_rate: f64) -> Option<(f64, f64)> {
    interval_of_ratio(values, &vec![1.0; values.len()], error_rate)
}

/// The same of the ratio of two quantities, of launches that have nothing in common.
#[must_use]
pub fn interval_of_ratio(of: &[f64], to: &[f64], error_rate: f64) -> Option<(f64, f64)> {
    let is_positive = |values: &[f64]| values.iter().all(|value| *value > 0.0);
    if !is_positive(of) || !is_positive(to) {
        return None;
    }
    let numbered = |values: &[f64]| -> ByBlock { (0..).zip(values.iter().copied()).collect() };
    let difference = Difference::of(&numbered(of), &numbered(to), 0.0, Pairing::Apart)?;
    Some(difference.interval(error_rate))
}

/// A question that is not answered yet. Where too few launches can be compared there is none: it
/// could not be answered falsely, and takes no part of the error.
struct Asked {
    key: (Quantity, String, String),
    for_advice: bool,
    difference: Difference,
}

/// Asks and answers all that a run is asked. The advice rests on the `criteria`.
#[must_use]
pub fn told_apart(measured: &Measured<'_>, costs: &[CellCost], criteria: &Criteria) -> ToldApart {
    let mut asked = of_metrics(measured, criteria);
    asked.extend(of_costs(costs, measured.plan()));
    let plan = measured.plan();
    // A run that looks several times states its result at only one look, but could do so at each.
    // So each look gets its share of the error.
    let error_rate = ERROR_RATE / plan.looks.len().max(1) as f64;
    answer(&asked, plan.threshold.max(0.0), error_rate)
}

fn of_metrics(measured: &Measured<'_>, criteria: &Criteria) -> Vec<Asked> {
    let plan = measured.plan();
    let cells = &plan.cells;
    let mut asked = Vec::new();
    for metric in measured.metrics() {
        let yardstick = yardstick(metric, plan.threshold);
        if yardstick.fact {
            continue;
        }
        let for_advice = criteria
            .in_order()
            .chain(&criteria.beside)
            .any(|id| id == &metric.id);
        for (i, cell) in cells.iter().enumerate() {
            for other in &cells[..i] {
                let both = [cell.variant.as_str(), &other.variant];
                let has_baseline = both.contains(&plan.baseline.as_str());
                let is_asked = match is_beside_a_copy(plan, both) {
                    true => false,
                    false => for_advice || has_baseline,
                };
                let is_asked = is_asked && measured.is_comparable(metric, cell, other);
                if cell.limits.name != other.limits.name || !is_asked {
                    continue;
                }
                let at = |cell| measured.by_block(metric, cell);
                let pairing = Pairing::of(plan);
                let difference = Difference::of(&at(cell), &at(other), yardstick.floor, pairing);
                let quantity = Quantity::Metric(metric.id.clone());
                asked.extend(difference.map(|difference| Asked {
                    key: (quantity, cell.id.clone(), other.id.clone()),
                    for_advice,
                    difference,
                }));
            }
        }
    }
    asked
}

/// A copy of the baseline is compared with the baseline only: comparing it with other variants
/// would show nothing new.
fn is_beside_a_copy(plan: &Plan, variants: [&str; 2]) -> bool {
    variants.iter().any(|variant| plan.is_copy(variant))
        && !variants.contains(&plan.baseline.as_str())
}

fn of_costs(costs: &[CellCost], plan: &Plan) -> Vec<Asked> {
    let mut asked = Vec::new();
    for (i, cell) in costs.iter().enumerate() {
        let alike = |other: &&CellCost| other.limits == cell.limits;
        let ends = costs.iter().filter(alike).map(CellCost::measured);
        let measured = ends.filter(|end| *end > 0.0).fold(f64::INFINITY, f64::min);
        let lifetimes = [(Lifetime::Shortest, 1.0), (Lifetime::Measured, measured)];
        for other in costs[..i].iter().filter(alike) {
            if is_beside_a_copy(plan, [&cell.variant, &other.variant]) {
                continue;
            }
            for kind in [CostKind::Cpu, CostKind::Waiting] {
                for (lifetime, requests) in lifetimes {
                    let at = |cost: &CellCost| -> ByBlock { cost.by_block(kind, requests) };
                    let pairing = Pairing::of(plan);
                    let difference = Difference::of(&at(cell), &at(other), LEAST_COST_S, pairing);
                    let quantity = Quantity::Cost(kind, lifetime);
                    asked.extend(difference.map(|difference| Asked {
                        key: (quantity, cell.cell.clone(), other.cell.clone()),
                        for_advice: true,
                        difference,
                    }));
                }
            }
        }
    }
    asked
}

fn answer(asked: &[Asked], threshold: f64, error_rate: f64) -> ToldApart {
    let count = |for_advice: bool| asked.iter().filter(|a| a.for_advice == for_advice).count();
    let weights = [
        (1.0 - OF_ADVICE) / count(false) as f64,
        OF_ADVICE / count(true) as f64,
    ];
    let questions: Vec<Question> = asked
        .iter()
        .map(|asked| Question {
            weight: weights[usize::from(asked.for_advice)],
            chance: asked.difference.chance(threshold),
        })
        .collect();
    let all: f64 = questions.iter().map(|q| q.weight).sum();
    let answered = holm::answered(&questions, error_rate);
    let told = |(asked, (question, is_told)): (&Asked, (&Question, bool))| {
        let difference = &asked.difference;
        // What a question gets before any other is answered.
        let level = error_rate * question.weight / all;
        let smallest = difference.smallest_detectable(threshold, level);
        let told = Told {
            order: match (is_told, difference.is_above()) {
                (false, _) => Ordering::Equal,
                (true, true) => Ordering::Greater,
                (true, false) => Ordering::Less,
            },
            is_within: difference.is_within(threshold, error_rate),
            smallest_detectable: smallest.min(LARGEST_EFFECT),
            launches_needed: difference.launches_needed(threshold, level),
        };
        (asked.key.clone(), told)
    };
    let answers = questions.iter().zip(answered);
    ToldApart {
        found: asked.iter().zip(answers).map(told).collect(),
    }
}
