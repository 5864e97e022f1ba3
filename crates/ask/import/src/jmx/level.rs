//! Elements without an order, which apply to all samplers beside and below them: defaults,
//! headers, timers, assertions, extractors.

use super::assertion::{self, Expectation};
use super::codes::Codes;
use super::context::Context;
use super::element::Node;
use super::extractor::{self, Extracted};
use super::timer::timer;
use super::wait::Wait;
use super::xml::Element;
use crate::error::ImportError;
use std::collections::{HashMap, HashSet};
use tacho_workload::Check;

/// What applies within one `hashTree` and those around it.
#[derive(Debug, Default)]
pub(super) struct Level<'a> {
    outer: Option<&'a Level<'a>>,
    /// Properties of the HTTP request defaults. Where several have the same name, the first counts.
    defaults: HashMap<&'a str, &'a str>,
    default_arguments: Vec<&'a Element>,
    headers: Vec<(&'a str, &'a str)>,
    wait: Wait,
    /// What all assertions on the status together accept.
    codes: Option<Codes>,
    ignores_status: bool,
    checks: Vec<Check>,
    extracted: Vec<Extracted>,
}

impl<'a> Level<'a> {
    /// Gathers what applies among the elements of one `hashTree`.
    pub fn read(
        nodes: &'a [Node<'a>],
        outer: Option<&'a Level<'a>>,
        context: &mut Context<'_>,
    ) -> Result<Self, ImportError> {
        let mut level = Self {
            outer,
            ..Self::default()
        };
        context.look_at_each(nodes, |node, context| match is_scoped(node.kind()) {
            true => level.take(node, context),
            false => Ok(()),
        })?;
        Ok(level)
    }

    fn take(&mut self, node: &'a Node<'a>, context: &mut Context<'_>) -> Result<(), ImportError> {
        context.scoped += 1;
        if context.scoped > MOST_SCOPED {
            return Err(context
                .too_much("20,000 configuration elements, timers, assertions and extractors"));
        }
        let element = node.element;
        match node.kind() {
            "ConfigTestElement" => self.take_defaults(element),
            "HeaderManager" => self.headers.extend(headers(element)),
            "CookieManager" => {
                context.keeps_cookies = true;
                if !element.collection("CookieManager.cookies").is_empty() {
                    context.note(
                        "cookies that the plan itself defines are not sent; give them as a `Cookie` header",
                    );
                }
            }
            kind @ ("ConstantTimer"
            | "UniformRandomTimer"
            | "GaussianRandomTimer"
            | "PoissonRandomTimer") => {
                self.wait = self.wait.plus(timer(kind, element, context)?);
            }
            "ResponseAssertion" => {
                let patterns = patterns(element, context)?;
                let found = assertion::response(node, &patterns, context);
                found.into_iter().for_each(|found| self.expect(found));
            }
            "JSONPathAssertion" => {
                let path = static_text(element, "JSON_PATH", context)?;
                let value = static_text(element, "EXPECTED_VALUE", context)?;
                if let (Some(path), Some(value)) = (path, value) {
                    let found = assertion::json_path(node, &path, &value, context);
                    found.into_iter().for_each(|found| self.expect(found));
                }
            }
            "JSONPostProcessor" => self.extracted.extend(extractor::json(node, context)),
            "RegexExtractor" => self.extracted.extend(extractor::regex(node, context)),
            "BoundaryExtractor" => {
                self.extracted.extend(extractor::boundary(node, context));
            }
            _ => {}
        }
        Ok(())
    }

    fn take_defaults(&mut self, element: &'a Element) {
        for (name, value) in element.filled_properties() {
            self.defaults.entry(name).or_insert(value);
        }
        if let Some(arguments) = element.inner("HTTPsampler.Arguments") {
            let arguments = arguments.collection("Arguments.arguments");
            self.default_arguments.extend(arguments);
        }
    }

    fn expect(&mut self, expectation: Expectation) {
        match expectation {
            Expectation::Codes(codes) => {
                self.codes = Some(match &self.codes {
                    Some(others) => others.and(&codes),
                    None => codes,
                });
            }
            Expectation::IgnoreStatus => self.ignores_status = true,
            Expectation::Check(check) => self.checks.push(check),
        }
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
            .find_map(|level| level.defaults.get(name).copied())
    }

    /// The arguments of the HTTP request defaults, those of the nearest first.
    pub fn default_arguments(&self) -> impl Iterator<Item = &'a Element> {
        self.chain()
            .flat_map(|level| level.default_arguments.iter().copied())
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
    pub fn wait(&self, context: &mut Context<'_>) -> Wait {
        let mut waits = self.chain().map(|level| level.wait);
        let mut random = 0;
        let sum = waits.by_ref().fold(Wait::default(), |sum, wait| {
            random += usize::from(wait.is_random());
            sum.plus(wait)
        });
        if random > 1 {
            context
                .note("several random timers apply; their sum is drawn evenly between its bounds");
        }
        sum
    }

    /// All checks; the assertions on the status as one.
    pub fn checks(&self, context: &mut Context<'_>) -> Vec<Check> {
        let ignores_status = self.chain().any(|level| level.ignores_status);
        let asked = self
            .chain()
            .filter_map(|level| level.codes.clone())
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
                        "JMeter fails a status of 400 or more unless `Ignore Status` is set; here the assertion alone decides",
                    );
                }
                if codes.is_empty() {
                    context.note("no status passes all assertions; they are left out");
                } else {
                    checks.push(Check::Status(accepted.ranges()));
                }
            }
        }
        checks.extend(self.chain().flat_map(|level| level.checks.iter().cloned()));
        checks
    }

    pub fn extracted(&self) -> impl Iterator<Item = &Extracted> {
        self.chain().flat_map(|level| &level.extracted)
    }
}

/// More than any plan that people make or record.
const MOST_SCOPED: usize = 20_000;

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
fn patterns(assertion: &Element, context: &mut Context<'_>) -> Result<Vec<String>, ImportError> {
    let mut patterns = Vec::new();
    for pattern in assertion.collection("Asserion.test_strings") {
        match context.text(&pattern.text)? {
            Some(text) => patterns.push(text),
            None => context.note(
                "a pattern with values of the run is left out: checks are the same for all requests",
            ),
        }
    }
    Ok(patterns)
}

fn static_text(
    element: &Element,
    name: &str,
    context: &mut Context<'_>,
) -> Result<Option<String>, ImportError> {
    let text = context.text(element.property(name).unwrap_or_default())?;
    if text.is_none() {
        context
            .note("left out: it holds values of the run, and checks are the same for all requests");
    }
    Ok(text)
}
