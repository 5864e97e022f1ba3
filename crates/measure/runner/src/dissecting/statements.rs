//! Names for prepared statements. The call that executes one has no SQL text: the text was given
//! when the statement was prepared, mostly a few lines above.

use std::collections::BTreeMap;
use tacho_diagnosis::Own;
use tacho_run_folder::LedgerEntry;

/// Where nothing better is known.
pub const UNNAMED: &str = "a prepared statement";

/// Gives executions without a text the text that the same method of the application prepared: where
/// that is one, or where as many were prepared as executed, so that each was executed once.
pub fn name(executed: &mut Vec<LedgerEntry>, prepared: &[LedgerEntry], own: &Own) {
    let mut texts: BTreeMap<String, BTreeMap<&str, u64>> = BTreeMap::new();
    for entry in prepared {
        let by_text = texts.entry(owner(entry, own)).or_default();
        *by_text.entry(&entry.key).or_default() += entry.count;
    }
    let mut unnamed: BTreeMap<String, u64> = BTreeMap::new();
    for entry in executed.iter().filter(|entry| entry.key == UNNAMED) {
        *unnamed.entry(owner(entry, own)).or_default() += entry.count;
    }
    let mut named = Vec::new();
    for mut entry in std::mem::take(executed) {
        let owner = owner(&entry, own);
        let all = unnamed.get(&owner).copied().unwrap_or_default();
        match texts.get(&owner) {
            Some(by_text) if entry.key == UNNAMED && by_text.len() == 1 => {
                entry.key = by_text.keys().map(|text| (*text).to_owned()).collect();
                named.push(entry);
            }
            // It is not known which execution had which text: the cost is shared in proportion to
            // the counts. Of several places it is not known which executed what, so this is done
            // only where all executions have one stack: then the counts are exact.
            Some(by_text)
                if entry.key == UNNAMED
                    && by_text.values().sum::<u64>() == all
                    && entry.count == all =>
            {
                named.extend(by_text.iter().map(|(text, count)| LedgerEntry {
                    key: (*text).to_owned(),
                    count: *count,
                    cost: entry.cost * *count as f64 / all as f64,
                    ..entry.clone()
                }));
            }
            _ => named.push(entry),
        }
    }
    *executed = named;
}

/// The method without its line.
fn owner(entry: &LedgerEntry, own: &Own) -> String {
    let place = own.nearest(&entry.frames);
    let frame = place.map_or(entry.frames.last(), |place| entry.frames.get(place));
    let frame = frame.map_or("", String::as_str);
    frame
        .rsplit_once(':')
        .map_or(frame, |(method, _)| method)
        .to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(key: &str, frame: &str, count: u64) -> LedgerEntry {
        LedgerEntry {
            key: key.to_owned(),
            frames: vec!["org.h2.Statement.x:1".to_owned(), frame.to_owned()],
            count,
            cost: count as f64,
            ..LedgerEntry::default()
        }
    }

    fn named(mut executed: Vec<LedgerEntry>, prepared: &[LedgerEntry]) -> Vec<(String, u64)> {
        name(&mut executed, prepared, &Own::of(&["shop.".to_owned()]));
        executed
            .into_iter()
            .map(|entry| (entry.key, entry.count))
            .collect()
    }

    #[test]
    fn the_method_that_prepared_gives_the_text() {
        let executed = vec![
            entry(UNNAMED, "shop.Orders.open:21", 40),
            entry("select 1", "shop.Health.check:3", 2),
        ];
        let prepared = [
            entry("select x", "shop.Orders.open:20", 2),
            entry("select y", "shop.Other.all:9", 9),
        ];
        let names = named(executed, &prepared);
        assert_eq!(
            names,
            [("select x".to_owned(), 40), ("select 1".to_owned(), 2)]
        );
    }

    #[test]
    fn of_several_texts_each_has_its_own_executions_or_none_has() {
        let prepared = [
            entry("select x", "shop.Orders.open:20", 2),
            entry("select y", "shop.Orders.open:30", 3),
        ];
        let names = named(vec![entry(UNNAMED, "shop.Orders.open:21", 5)], &prepared);
        assert_eq!(
            names,
            [("select x".to_owned(), 2), ("select y".to_owned(), 3)]
        );
        let names = named(vec![entry(UNNAMED, "shop.Orders.open:21", 50)], &prepared);
        assert_eq!(names, [(UNNAMED.to_owned(), 50)]);
    }
}
