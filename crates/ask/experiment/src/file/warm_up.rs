//! Warming: `warm-up` of a variant, and the section that asks which warm-up is worth its price.

use super::checked_name;
use crate::model::{Recipe, Sweep, VariantSpec, WarmUp};
use crate::sweep::{NamedWarmUp, bursts, settled, usual};
use std::collections::BTreeSet;
use tacho_fields::{Fields, Place, Problems, items};
use tacho_fields::{Node, Value};
use tacho_quantity::{Count, Cpus};

/// A word such as `none`, `1000` or `settled`, or a mapping.
pub(super) fn read(node: Node, problems: &Problems) -> Option<NamedWarmUp> {
    let place = node.place;
    if let Value::Text(word) = &node.value {
        let named = NamedWarmUp::parse(word);
        if named.is_none() {
            problems.add(
                place,
                format!(
                    "a warm-up is `none`, a number of requests, `each:200`, `bursts:1000`, `settled`, `boost:2`, or a mapping such as {{bursts: 1000, size: 50, rest: 200ms}}, not `{word}`"
                ),
            );
        }
        return named;
    }
    let mut fields = Fields::of(node, "a warm-up", problems)?;
    let recipe = read_recipe(&mut fields);
    let connections = fields.count("connections");
    let boost_cpu = fields.quantity::<Cpus>("boost-cpu").map(|cpus| cpus.0);
    let name = fields.text("name");
    let name = name.map(|name| checked_name("name", name, problems));
    fields.finish();
    if recipe.is_none() && boost_cpu.is_none() {
        problems.add(
            place,
            "a warm-up says what is sent: `requests`, `each`, `bursts` or `settled`; or `boost-cpu` alone",
        );
        return None;
    }
    let mut named = NamedWarmUp::of(recipe.unwrap_or(Recipe::None));
    if let Some(cpu) = boost_cpu {
        named = named.boosted(cpu);
    }
    if let Some(connections) = connections {
        named.warm_up.connections = connections;
    }
    named.suffix = name.or(named.suffix);
    Some(named)
}

/// The warm-up of one variant, and what follows the variant's name where the file names it.
pub(super) fn read_own(node: Node, problems: &Problems) -> Option<(WarmUp, Option<String>)> {
    let is_named = match &node.value {
        Value::Map(entries) => entries.iter().any(|(key, _)| key.name == "name"),
        _ => false,
    };
    let named = read(node, problems)?;
    Some((named.warm_up, named.suffix.filter(|_| is_named)))
}

/// Reports variants whose names are the same once those of the recipes follow them.
pub(super) fn names_differ(variants: &[VariantSpec], place: Place, problems: &Problems) {
    let mut seen = BTreeSet::new();
    for name in variants.iter().map(|variant| &variant.name) {
        if !seen.insert(name) {
            problems.add(
                place,
                format!(
                    "with the name of its warm-up, a second variant is called `{name}`; give one of them another `name`"
                ),
            );
        }
    }
}

fn read_recipe(fields: &mut Fields<'_>) -> Option<Recipe> {
    let place = fields.place;
    let mut found: Vec<Recipe> = Vec::new();
    if let Some(Count(requests)) = fields.quantity("requests") {
        found.push(Recipe::Requests { requests });
    }
    if let Some(Count(requests)) = fields.quantity("each") {
        found.push(Recipe::Each { requests });
    }
    if let Some(Count(requests)) = fields.quantity("bursts") {
        let size = fields.quantity::<Count>("size").map(|size| size.0);
        let rest = fields.duration("rest");
        if rest.is_some_and(|rest| rest.is_zero()) {
            fields.problems.add(
                place,
                "bursts of a warm-up need a rest between them; write `rest` above 0, or `requests` for one after another",
            );
        }
        found.push(bursts(requests, size, rest));
    }
    if let Some(node) = fields.take("settled") {
        found.push(read_settled(node, fields.problems));
    }
    if found.len() > 1 {
        fields.problems.add(
            place,
            "a warm-up takes one of `requests`, `each`, `bursts` and `settled`",
        );
    }
    found.into_iter().next()
}

/// `true`, or a mapping with limits.
fn read_settled(node: Node, problems: &Problems) -> Recipe {
    if matches!(&node.value, Value::Text(word) if word == "true") {
        return settled(None, None, None);
    }
    let Some(mut fields) = Fields::of(node, "`settled`", problems) else {
        return settled(None, None, None);
    };
    let at_least = fields.quantity::<Count>("at-least").map(|count| count.0);
    let at_most = fields.quantity::<Count>("at-most").map(|count| count.0);
    let within = fields.duration("within");
    fields.finish();
    settled(at_least, at_most, within)
}

/// `warm-up: [none, 1000]`, or a mapping with `recipes` and `objective`.
pub(super) fn read_section(node: Node, problems: &Problems) -> Option<(Vec<NamedWarmUp>, Sweep)> {
    if let Value::List(items) = node.value {
        return Some((read_all(items, problems), Sweep::default()));
    }
    let mut fields = Fields::of(node, "`warm-up`", problems)?;
    let objective = fields.duration("objective");
    let recipes = fields.take("recipes").map_or_else(usual, |node| {
        let items = items(node, "recipes", "[none, 100, 1000, settled]", problems);
        read_all(items.unwrap_or_default(), problems)
    });
    fields.finish();
    let sweep = Sweep {
        objective_ms: objective.map(|objective| objective.as_secs_f64() * 1e3),
    };
    Some((recipes, sweep))
}

fn read_all(items: Vec<Node>, problems: &Problems) -> Vec<NamedWarmUp> {
    let mut all: Vec<NamedWarmUp> = Vec::new();
    for item in items {
        let place = item.place;
        let Some(named) = read(item, problems) else {
            continue;
        };
        if all.iter().any(|other| other.suffix == named.suffix) {
            problems.add(
                place,
                "this warm-up stands here a second time; give it a `name` of its own",
            );
        }
        all.push(named);
    }
    all
}
