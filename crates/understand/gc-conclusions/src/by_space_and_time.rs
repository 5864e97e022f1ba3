//! Why the policy `BySpaceAndTime` of native images collects completely, read off the log: by space
//! when the next incremental collection could pass the maximum heap, or the minimum heap is passed;
//! by time when so much of the collection time went to incremental collections as
//! `-XX:PercentTimeInIncrementalCollection` wants.

use tacho_figures as figures;
use tacho_gc_log::Settings;
use tacho_run_folder::{Collection, CollectionKind};
use tacho_statistics::bootstrap::median;

/// The log rounds, and chunks are half a MiB or more.
const ROUNDED: f64 = 0.02;

/// What a complete collection came by.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Cause {
    /// One more young generation would not fit below the maximum heap.
    Maximum,
    /// The first collection that found more than the minimum heap.
    Minimum,
    /// Incremental ones had found more than the minimum before. They had this share of all
    /// collection time by then.
    Time(f64),
}

/// Sizes of the heap, in bytes.
struct Sizes {
    min: f64,
    max: Option<f64>,
    young: f64,
}

impl Sizes {
    fn cause(&self, found: f64, found_before: f64, incremental: f64) -> Option<Cause> {
        let fills_the_heap = self
            .max
            .is_some_and(|max| found + self.young >= max * (1.0 - ROUNDED));
        if fills_the_heap {
            return Some(Cause::Maximum);
        }
        if found < self.min * (1.0 - ROUNDED) {
            return None;
        }
        let has_waited = found_before > self.min * (1.0 + ROUNDED);
        Some(match has_waited {
            true => Cause::Time(incremental),
            false => Cause::Minimum,
        })
    }
}

/// One sentence, with a space before it; none where the log does not tell. It has the parameters
/// only when it begins with the program, so the shares of the time are those of all of it.
pub fn rule(settings: &Settings, collections: &[Collection]) -> String {
    let (Some(min), Some(young)) = (settings.min_heap_bytes, settings.max_young_bytes) else {
        return String::new();
    };
    let sizes = Sizes {
        min: min as f64,
        max: settings.max_heap_bytes.map(|bytes| bytes as f64),
        young: young as f64,
    };
    let causes = causes(&sizes, collections);
    if causes.is_empty() {
        return String::new();
    }
    let shares: Vec<f64> = causes.iter().filter_map(share).collect();
    let count = |cause| causes.iter().filter(|&&one| one == cause).count();
    let (at_maximum, at_minimum) = (count(Cause::Maximum), count(Cause::Minimum));
    let when = if at_maximum > shares.len() + at_minimum {
        format!(
            "when the next incremental collection could pass the maximum heap of {}",
            figures::bytes(sizes.max.unwrap_or_default())
        )
    } else if shares.is_empty() {
        // Incremental collections had enough of the time long before.
        format!(
            "when the heap has grown to its minimum of {}{}",
            figures::bytes(sizes.min),
            maximum(settings)
        )
    } else {
        format!(
            "when the heap has grown beyond its minimum of {}{}, and enough of the collection time went to incremental collections: {} here (-XX:PercentTimeInIncrementalCollection)",
            figures::bytes(sizes.min),
            maximum(settings),
            figures::percent(median(&shares).unwrap_or_default())
        )
    };
    let policy = match settings.policy.as_deref().unwrap_or_default() {
        "" => "The policy".to_owned(),
        policy => format!("The policy, {policy},"),
    };
    format!(" {policy} collects completely {when}.")
}

fn share(cause: &Cause) -> Option<f64> {
    match cause {
        Cause::Time(share) => Some(*share),
        Cause::Maximum | Cause::Minimum => None,
    }
}

fn maximum(settings: &Settings) -> String {
    match (settings.max_heap_bytes, settings.memory_bytes) {
        (Some(max), Some(memory)) if memory > 0 => format!(
            " (its maximum is {}, {} of the memory)",
            figures::bytes(max as f64),
            figures::percent(max as f64 / memory as f64)
        ),
        _ => String::new(),
    }
}

fn causes(sizes: &Sizes, collections: &[Collection]) -> Vec<Cause> {
    let (mut incremental_s, mut all_s, mut found_before) = (0.0, 0.0, 0.0_f64);
    let mut causes = Vec::new();
    for collection in collections {
        if collection.kind == CollectionKind::Full {
            let share = if all_s > 0.0 {
                incremental_s / all_s
            } else {
                0.0
            };
            causes.extend(sizes.cause(collection.before_bytes, found_before, share));
            found_before = 0.0;
        } else {
            incremental_s += collection.pause_s;
            found_before = found_before.max(collection.before_bytes);
        }
        all_s += collection.pause_s;
    }
    causes
}

#[cfg(test)]
mod tests {
    use super::*;

    const MIB: u64 = 1_048_576;

    fn settings(min: u64, max: u64, young: u64) -> Settings {
        Settings {
            policy: Some("by space and time".to_owned()),
            min_heap_bytes: Some(min * MIB),
            max_heap_bytes: Some(max * MIB),
            max_young_bytes: Some(young * MIB),
            memory_bytes: Some(4_096 * MIB),
            ..Settings::default()
        }
    }

    fn collection(kind: CollectionKind, before: u64, after: u64, pause_ms: f64) -> Collection {
        Collection {
            at_s: 0.0,
            kind,
            before_bytes: (before * MIB) as f64,
            after_bytes: (after * MIB) as f64,
            capacity_bytes: None,
            pause_s: pause_ms / 1e3,
        }
    }

    /// Incremental collections, each of which finds one MiB more, up to what a complete one finds.
    fn climb(from: u64, to: u64, complete_ms: f64) -> Vec<Collection> {
        let climb = (from..to).map(|at| collection(CollectionKind::Young, at, at - 25, 5.0));
        let full = collection(CollectionKind::Full, to, 55, complete_ms);
        climb.chain([full]).collect()
    }

    #[test]
    fn the_minimum_turns_it() {
        let log = [climb(300, 513, 90.0), climb(300, 515, 90.0)].concat();
        let said = rule(&settings(512, 4_096, 256), &log);
        assert_eq!(
            said,
            " The policy, by space and time, collects completely when the heap has grown to its minimum of 512 MiB (its maximum is 4 GiB, 100 % of the memory)."
        );
    }

    /// A heap of 1 GiB whose minimum is its maximum: the log of labs/native-gc/policy.yaml.
    #[test]
    fn the_maximum_turns_it_where_the_minimum_does_not_come_first() {
        let said = rule(&settings(1_024, 1_024, 102), &climb(157, 922, 150.0));
        assert!(
            said.contains(
                "when the next incremental collection could pass the maximum heap of 1 GiB"
            ),
            "{said}"
        );
    }

    /// 140 of 175 ms at the second complete collection, 240 of 375 at the third: 80 and 64 %.
    #[test]
    fn the_time_of_incremental_collections_turns_it() {
        let log = [
            climb(40, 53, 35.0),
            climb(80, 95, 100.0),
            climb(80, 100, 100.0),
        ]
        .concat();
        let said = rule(&settings(51, 256, 25), &log);
        assert!(
            said.contains("beyond its minimum of 51 MiB")
                && said.contains(
                    "enough of the collection time went to incremental collections: 72 % here"
                ),
            "{said}"
        );
    }

    #[test]
    fn a_complete_collection_below_the_minimum_is_not_the_policys_by_what_it_says() {
        assert_eq!(rule(&settings(512, 4_096, 256), &climb(300, 400, 9.0)), "");
        assert_eq!(rule(&Settings::default(), &climb(300, 513, 9.0)), "");
    }
}
