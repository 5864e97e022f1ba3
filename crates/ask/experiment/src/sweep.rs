//! A sweep over warm-ups: every variant with every recipe.

use crate::model::{Experiment, Recipe, Sweep, VariantSpec, WarmUp};
use std::time::Duration;
use tacho_quantity::{Count, Cpus};

/// Number of requests after which a warm-up with an end of its own ends in any case.
pub const AT_MOST: u64 = 20_000;
/// Time after which such a warm-up ends in any case.
pub const WITHIN: Duration = Duration::from_secs(60);
/// The fewest answers of such a warm-up for a HotSpot JVM: twice the number of calls after which it
/// compiles a method for the last time (`Tier4InvocationThreshold`, 5,000). Response times may be
/// flat earlier, while code from the first compiler (C1) runs.
pub const HOTSPOT_AT_LEAST: u64 = 10_000;
/// Requests in each burst.
pub const BURST: u64 = 50;
/// Between two bursts.
pub const REST: Duration = Duration::from_millis(200);
/// The counts that people usually try.
const COUNTS: [u64; 3] = [100, 1_000, 10_000];

/// One way to warm, and how variants with it are named.
#[derive(Debug, Clone, PartialEq)]
pub struct NamedWarmUp {
    /// Appended to the names of variants: `1000` makes `jar-1000`. Absent when the name stays.
    pub suffix: Option<String>,
    /// What is sent to warm the subject, and when the warm-up ends.
    pub warm_up: WarmUp,
}

impl NamedWarmUp {
    /// Over one connection (bursts over as many connections as a burst has requests), within the
    /// limits.
    #[must_use]
    pub fn of(recipe: Recipe) -> Self {
        let suffix = match &recipe {
            Recipe::None => None,
            Recipe::Requests { requests } => Some(requests.to_string()),
            Recipe::Each { requests } => Some(format!("each-{requests}")),
            Recipe::Bursts { requests, .. } => Some(format!("bursts-{requests}")),
            Recipe::Settled { .. } => Some("settled".to_owned()),
        };
        let connections = match recipe {
            Recipe::Bursts { size, .. } => u32::try_from(size).unwrap_or(u32::MAX),
            _ => 1,
        };
        Self {
            suffix,
            warm_up: WarmUp {
                recipe,
                connections,
                boost_cpu: None,
            },
        }
    }

    /// The same, but with this many processors until the subject is warm.
    #[must_use]
    pub fn boosted(mut self, cpu: f64) -> Self {
        let words: Vec<String> = self
            .suffix
            .into_iter()
            .chain([format!("boost-{cpu}")])
            .collect();
        self.suffix = Some(words.join("-"));
        self.warm_up.boost_cpu = Some(cpu);
        self
    }

    /// `none`, `1000`, `each:200`, `bursts:1000`, `settled` or `boost:2`.
    #[must_use]
    pub fn parse(word: &str) -> Option<Self> {
        let count = |text: &str| text.parse().ok().map(|Count(n)| n);
        Some(match word.split_once(':') {
            None if word == "none" || word == "0" => Self::of(Recipe::None),
            None if word == "settled" => Self::of(settled(None, None, None)),
            None => Self::of(Recipe::Requests {
                requests: count(word)?,
            }),
            Some(("each", text)) => Self::of(Recipe::Each {
                requests: count(text)?,
            }),
            Some(("bursts", text)) => Self::of(bursts(count(text)?, None, None)),
            Some(("boost", text)) => Self::of(Recipe::None).boosted(text.parse::<Cpus>().ok()?.0),
            Some(_) => return None,
        })
    }
}

/// A warm-up until response times settle, within the usual limits unless others are given. Who asks
/// for more answers than usual is not stopped before.
#[must_use]
pub fn settled(at_least: Option<u64>, at_most: Option<u64>, within: Option<Duration>) -> Recipe {
    Recipe::Settled {
        at_least,
        at_most: at_most.unwrap_or_else(|| AT_MOST.max(at_least.unwrap_or(0))),
        within_s: within.unwrap_or(WITHIN).as_secs_f64(),
    }
}

/// Bursts, of the usual size and with the usual rest unless said.
#[must_use]
pub fn bursts(requests: u64, size: Option<u64>, rest: Option<Duration>) -> Recipe {
    Recipe::Bursts {
        requests,
        size: size.unwrap_or(BURST),
        rest_s: rest.unwrap_or(REST).as_secs_f64(),
    }
}

/// Nothing, 100, 1,000 and 10,000 requests, and as many as it takes.
#[must_use]
pub fn usual() -> Vec<NamedWarmUp> {
    let counts = COUNTS.map(|requests| Recipe::Requests { requests });
    std::iter::once(Recipe::None)
        .chain(counts)
        .chain([settled(None, None, None)])
        .map(NamedWarmUp::of)
        .collect()
}

/// Combines every variant with every recipe. Variants with a warm-up of their own stay as they are.
#[must_use]
pub fn expand(variants: Vec<VariantSpec>, recipes: &[NamedWarmUp]) -> Vec<VariantSpec> {
    let with = |variant: &VariantSpec, named: &NamedWarmUp| {
        let base = &variant.name;
        let name = named
            .suffix
            .as_ref()
            .map_or_else(|| base.clone(), |suffix| format!("{base}-{suffix}"));
        VariantSpec {
            name,
            warm_up: Some(named.warm_up.clone()),
            ..variant.clone()
        }
    };
    variants
        .into_iter()
        .flat_map(|variant| match variant.warm_up {
            Some(_) => vec![variant],
            None => recipes
                .iter()
                .map(|recipe| with(&variant, recipe))
                .collect(),
        })
        .map(floored)
        .collect()
}

/// The same variant. Where no minimum of answers was given for a warm-up until settled, the kind of
/// its process decides.
#[must_use]
pub fn floored(mut variant: VariantSpec) -> VariantSpec {
    let hotspot = variant.kind.is_hotspot();
    if let Some(WarmUp {
        recipe: Recipe::Settled {
            at_least, at_most, ..
        },
        ..
    }) = &mut variant.warm_up
    {
        let floor = if hotspot { HOTSPOT_AT_LEAST } else { 0 };
        at_least.get_or_insert(floor.min(*at_most));
    }
    variant
}

impl Experiment {
    /// With these warm-ups and this objective; without any, with its own, or else the usual ones.
    #[must_use]
    pub fn swept_by(mut self, recipes: &[NamedWarmUp], objective_ms: Option<f64>) -> Self {
        let before = self.warm_up;
        let sweep = Sweep {
            objective_ms: objective_ms.or(before.and_then(|sweep| sweep.objective_ms)),
        };
        match (recipes, before) {
            ([], Some(_)) => {
                self.warm_up = Some(sweep);
                self
            }
            ([], None) => self.swept(&usual(), sweep),
            (given, _) => self.swept(given, sweep),
        }
    }

    /// The same as a sweep over warm-ups; the baseline is what it was, with the first recipe.
    #[must_use]
    pub fn swept(mut self, recipes: &[NamedWarmUp], sweep: Sweep) -> Self {
        let of_baseline: Vec<VariantSpec> = self
            .variants
            .iter()
            .filter(|variant| variant.name == self.baseline)
            .cloned()
            .collect();
        if let Some(first) = expand(of_baseline, recipes).into_iter().next() {
            self.baseline = first.name;
        }
        self.variants = expand(self.variants, recipes);
        self.warm_up = Some(sweep);
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::VariantKind;

    #[test]
    fn recipes_are_named_by_what_they_send() {
        let suffix = |word: &str| NamedWarmUp::parse(word).map(|named| named.suffix);
        assert_eq!(suffix("none"), Some(None));
        assert_eq!(suffix("0"), Some(None));
        assert_eq!(suffix("10k"), Some(Some("10000".to_owned())));
        assert_eq!(suffix("each:200"), Some(Some("each-200".to_owned())));
        assert_eq!(suffix("bursts:1000"), Some(Some("bursts-1000".to_owned())));
        assert_eq!(suffix("settled"), Some(Some("settled".to_owned())));
        assert_eq!(suffix("boost:2"), Some(Some("boost-2".to_owned())));
        for wrong in [
            "",
            "warm",
            "each:",
            "each:-1",
            "boost:none",
            "-5",
            "settled:1",
        ] {
            assert_eq!(suffix(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn until_settled_is_not_before_a_jvm_has_compiled_for_the_last_time() {
        let at_least = |kind: VariantKind, recipe: Recipe| {
            let variants = expand(vec![VariantSpec::of(kind)], &[NamedWarmUp::of(recipe)]);
            match &variants[0].warm_up.as_ref().unwrap().recipe {
                Recipe::Settled { at_least, .. } => *at_least,
                other => panic!("{other:?}"),
            }
        };
        let unsaid = || settled(None, None, None);
        assert_eq!(at_least(VariantKind::Aot, unsaid()), Some(10_000));
        assert_eq!(at_least(VariantKind::Native, unsaid()), Some(0));
        assert_eq!(at_least(VariantKind::Exec, unsaid()), Some(0));
        let said = settled(Some(300), None, None);
        assert_eq!(at_least(VariantKind::Jar, said), Some(300));
        let many = settled(Some(50_000), None, None);
        assert!(matches!(
            many,
            Recipe::Settled {
                at_most: 50_000,
                ..
            }
        ));
        let small = settled(None, Some(500), None);
        assert_eq!(at_least(VariantKind::Jar, small), Some(500));
    }

    #[test]
    fn every_variant_meets_every_recipe_unless_it_has_its_own() {
        let starter = VariantSpec {
            name: "starter".to_owned(),
            warm_up: Some(NamedWarmUp::of(Recipe::None).warm_up),
            ..VariantSpec::of(VariantKind::Jar)
        };
        let names: Vec<String> = expand(vec![VariantSpec::of(VariantKind::Jar), starter], &usual())
            .into_iter()
            .map(|variant| variant.name)
            .collect();
        assert_eq!(
            names,
            [
                "jar",
                "jar-100",
                "jar-1000",
                "jar-10000",
                "jar-settled",
                "starter"
            ]
        );
    }
}
