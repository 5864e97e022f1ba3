//! Elements without an order, which apply to all samplers beside and below them: defaults,
//! headers, timers, assertions, extractors.

use super::assertion::{self, Expectation};
use super::codes::Codes;
use super::context::Context;
use super::element::{Node, Place};
use super::extractor::{self, Extracted};
use super::wait::Wait;
use super::xml::Element;
use crate::error::ImportError;
use std::collections::HashSet;
use std::time::Duration;
use tacho_workload::Check;

/// What applies within one `hashTree`, and within those around it.
#[derive(Debug, Default)]
pub(super) struct Level<'a> {
    outer: Option<&'a Level<'a>>,
    defaults: Vec<&'a Element>,
    headers: Vec<(&'a str, &'a str)>,
    wait: Wait,
    expectations: Vec<Expectation>,
    extracted: Vec<Extracted>,
}

impl<'a> Level<'a> {
    /// Gathers what applies among the elements of one `hashTree`.
    pub fn read(
        nodes: &'a [Node<'a>],
        outer: Option<&'a Level<'a>>,
        place: &Place<'_>,
        context: &mut Context<'_>,
    ) -> Result<Self, ImportError> {
        let mut level = Self {
            outer,
            ..Self::default()
        };
        for node in nodes.iter().filter(|node| node.is_enabled()) {
            let place = place.below(node.name());
            level.take(node, &place, context)?;
        }
        Ok(level)
    }

    fn take(
        &mut self,
        node: &'a Node<'a>,
        place: &Place<'_>,
        context: &mut Context<'_>,
    ) -> Result<(), ImportError> {
        let element = node.element;
        let notes = &mut context.notes;
        match node.kind() {
            "ConfigTestElement" => self.defaults.push(element),
            "HeaderManager" => self.headers.extend(headers(element)),
            "CookieManager" => {
                context.keeps_cookies = true;
                if !element.collection("CookieManager.cookies").is_empty() {
                    notes.add(
                        place,
                        "cookies that the plan itself defines are not sent; give them as a `Cookie` header",
                    );
                }
            }
            kind @ ("ConstantTimer"
            | "UniformRandomTimer"
            | "GaussianRandomTimer"
            | "PoissonRandomTimer") => {
                self.wait = self.wait.plus(timer(kind, element, place, context)?);
            }
            "ResponseAssertion" => {
                let patterns = patterns(element, place, context)?;
                let found = assertion::response(node, &patterns, place, &mut context.notes);
                self.expectations.extend(found);
            }
            "JSONPathAssertion" => {
                let path = static_text(element, "JSON_PATH", place, context)?;
                let value = static_text(element, "EXPECTED_VALUE", place, context)?;
                if let (Some(path), Some(value)) = (path, value) {
                    let found =
                        assertion::json_path(node, &path, &value, place, &mut context.notes);
                    self.expectations.extend(found);
                }
            }
            "JSONPostProcessor" => self.extracted.extend(extractor::json(node, place, notes)),
            "RegexExtractor" => self.extracted.extend(extractor::regex(node, place, notes)),
            "BoundaryExtractor" => {
                self.extracted
                    .extend(extractor::boundary(node, place, notes));
            }
            _ => {}
        }
        Ok(())
    }

    fn chain(&self) -> impl Iterator<Item = &Level<'a>> {
        let mut next = Some(self);
        std::iter::from_fn(move || {
            let level = next?;
            next = level.outer;
            Some(level)
        })
    }

    /// A property of the nearest HTTP request defaults that have it.
    pub fn default_of(&self, name: &str) -> Option<&'a str> {
        self.chain()
            .flat_map(|level| &level.defaults)
            .find_map(|element| element.filled(name))
    }

    /// The nearest HTTP request defaults that have arguments.
    pub fn default_arguments(&self) -> Vec<&'a Element> {
        self.chain()
            .flat_map(|level| &level.defaults)
            .filter_map(|element| element.inner("HTTPsampler.Arguments"))
            .flat_map(|arguments| arguments.collection("Arguments.arguments"))
            .collect()
    }

    /// All headers; of several with one name the nearest.
    pub fn headers(&self) -> Vec<(&'a str, &'a str)> {
        let mut known = HashSet::new();
        let mut found = Vec::new();
        for level in self.chain() {
            let of_level: HashSet<String> = level
                .headers
                .iter()
                .map(|(name, _)| name.to_ascii_lowercase())
                .filter(|name| !known.contains(name))
                .collect();
            let new = level
                .headers
                .iter()
                .filter(|(name, _)| of_level.contains(&name.to_ascii_lowercase()));
            found.extend(new);
            known.extend(of_level);
        }
        found
    }

    /// All timers, one after another.
    pub fn wait(&self, place: &Place<'_>, context: &mut Context<'_>) -> Wait {
        let mut waits = self.chain().map(|level| level.wait);
        let mut random = 0;
        let sum = waits.by_ref().fold(Wait::default(), |sum, wait| {
            random += usize::from(wait.is_random());
            sum.plus(wait)
        });
        if random > 1 {
            context.note(
                place,
                "several random timers apply; their sum is drawn evenly between its bounds",
            );
        }
        sum
    }

    /// All checks; the assertions on the status as one.
    pub fn checks(&self, place: &Place<'_>, context: &mut Context<'_>) -> Vec<Check> {
        let expectations = || self.chain().flat_map(|level| &level.expectations);
        let ignores_status = expectations().any(|e| matches!(e, Expectation::IgnoreStatus));
        let asked = expectations()
            .filter_map(|expectation| match expectation {
                Expectation::Codes(codes) => Some(codes.clone()),
                _ => None,
            })
            .reduce(|all, codes| all.and(&codes));
        let mut checks = Vec::new();
        match asked {
            None if ignores_status => checks.push(Check::Status(Codes::any().ranges())),
            None => {}
            Some(codes) => {
                let usual = codes.and(&Codes::usual());
                let accepted = if ignores_status || usual.is_empty() {
                    &codes
                } else {
                    &usual
                };
                if usual.is_empty() && !ignores_status {
                    context.note(
                        place,
                        "JMeter fails a status of 400 or more unless `Ignore Status` is set; here the assertion alone decides",
                    );
                }
                if codes.is_empty() {
                    context.note(place, "no status passes all assertions; they are left out");
                } else {
                    checks.push(Check::Status(accepted.ranges()));
                }
            }
        }
        checks.extend(expectations().filter_map(|expectation| match expectation {
            Expectation::Check(check) => Some(check.clone()),
            _ => None,
        }));
        checks
    }

    pub fn extracted(&self) -> impl Iterator<Item = &Extracted> {
        self.chain().flat_map(|level| &level.extracted)
    }
}

/// Kinds that a level takes (or that were taken before, for the whole plan).
pub(super) fn is_scoped(kind: &str) -> bool {
    matches!(
        kind,
        "ConfigTestElement"
            | "HeaderManager"
            | "CookieManager"
            | "ConstantTimer"
            | "UniformRandomTimer"
            | "GaussianRandomTimer"
            | "PoissonRandomTimer"
            | "ResponseAssertion"
            | "JSONPathAssertion"
            | "JSONPostProcessor"
            | "RegexExtractor"
            | "BoundaryExtractor"
            | "CSVDataSet"
            | "Arguments"
    )
}

fn headers(manager: &Element) -> impl Iterator<Item = (&str, &str)> {
    manager
        .collection("HeaderManager.headers")
        .iter()
        .filter_map(|header| {
            let name = header.filled("Header.name")?;
            Some((name, header.property("Header.value").unwrap_or_default()))
        })
}

/// The patterns of a response assertion. (The property's name is misspelt in JMeter itself.)
fn patterns(
    assertion: &Element,
    place: &Place<'_>,
    context: &mut Context<'_>,
) -> Result<Vec<String>, ImportError> {
    let mut patterns = Vec::new();
    for pattern in assertion.collection("Asserion.test_strings") {
        match context.text(&pattern.text, place)? {
            Some(text) => patterns.push(text),
            None => context.note(
                place,
                "a pattern with values of the run is left out: checks are the same for all requests",
            ),
        }
    }
    Ok(patterns)
}

fn static_text(
    element: &Element,
    name: &str,
    place: &Place<'_>,
    context: &mut Context<'_>,
) -> Result<Option<String>, ImportError> {
    let text = context.text(element.property(name).unwrap_or_default(), place)?;
    if text.is_none() {
        context.note(
            place,
            "left out: it holds values of the run, and checks are the same for all requests",
        );
    }
    Ok(text)
}

fn timer(
    kind: &str,
    element: &Element,
    place: &Place<'_>,
    context: &mut Context<'_>,
) -> Result<Wait, ImportError> {
    let delay = milliseconds(element, "ConstantTimer.delay", place, context)?;
    let range = milliseconds(element, "RandomTimer.range", place, context)?;
    Ok(match kind {
        "ConstantTimer" => Wait::constant(delay),
        "UniformRandomTimer" => Wait {
            least: delay,
            most: delay.saturating_add(range),
        },
        "GaussianRandomTimer" => {
            context.note(
                place,
                "a wait with a normal distribution is drawn evenly, between its mean and twice the deviation on either side",
            );
            Wait {
                least: delay.saturating_sub(range * 2),
                most: delay.saturating_add(range * 2),
            }
        }
        _ => {
            context.note(
                place,
                "a wait with a Poisson distribution becomes a constant one of its mean",
            );
            Wait::constant(delay.saturating_add(range))
        }
    })
}

/// A day is longer than any wait that is meant.
const LONGEST: f64 = 86_400_000.0;

pub(super) fn milliseconds(
    element: &Element,
    name: &str,
    place: &Place<'_>,
    context: &mut Context<'_>,
) -> Result<Duration, ImportError> {
    let Some(text) = element.filled(name) else {
        return Ok(Duration::ZERO);
    };
    match context.number(text, place)? {
        Some(number) if (0.0..=LONGEST).contains(&number) => {
            Ok(Duration::from_secs_f64(number / 1000.0))
        }
        _ => {
            context.note(
                place,
                format!(
                    "`{}` is no number of milliseconds that is known before the run; it is taken as 0",
                    crate::note::shorten(text, 60)
                ),
            );
            Ok(Duration::ZERO)
        }
    }
}
