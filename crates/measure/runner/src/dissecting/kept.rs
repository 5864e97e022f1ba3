//! What the heap keeps of requests that were served: the classes of which it holds more than
//! before, after a collection each time. A leak is told by it long before memory is short.

use std::collections::BTreeMap;
use tacho_memory::parse_class_histogram;
use tacho_run_folder::{Ledger, LedgerEntry, LedgerKind, LeftOut, Window};

/// Classes that are kept apart; the costliest.
const MOST_CLASSES: usize = 200;

/// Objects and bytes by class.
pub type Live = BTreeMap<String, (u64, u64)>;

/// What is alive; the JVM collects garbage for it.
pub fn live(pid: u32) -> Result<Live, String> {
    let jvm = tacho_attach::Jvm::attach(pid).map_err(|e| e.to_string())?;
    let text = jvm.jcmd("GC.class_histogram").map_err(|e| e.to_string())?;
    let live = parse_class_histogram(&text)
        .ok_or("the class histogram that the JVM printed could not be read")?;
    let classes = live.classes.into_iter();
    Ok(classes
        .map(|class| (class.name, (class.instances, class.bytes)))
        .collect())
}

/// What came to the heap in a window and stayed.
pub fn ledger(first: &Live, then: &Live, window: &Window) -> Ledger {
    let more = |(class, (count, bytes)): (&String, &(u64, u64))| {
        let (count_before, bytes_before) = first.get(class).copied().unwrap_or_default();
        let count = count.saturating_sub(count_before);
        (count > 0).then(|| LedgerEntry {
            key: class.clone(),
            count,
            cost: bytes.saturating_sub(bytes_before) as f64,
            ..LedgerEntry::default()
        })
    };
    let mut entries: Vec<LedgerEntry> = then.iter().filter_map(more).collect();
    entries.sort_by(|a, b| b.cost.total_cmp(&a.cost).then_with(|| a.key.cmp(&b.key)));
    entries.truncate(MOST_CLASSES);
    Ledger {
        kind: LedgerKind::Kept,
        window: window.name.clone(),
        requests: window.requests,
        exact: true,
        entries,
        threads: BTreeMap::new(),
        left_out: LeftOut::default(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_stayed_is_told_and_what_was_there_or_went_is_not() {
        let live = |rows: &[(&str, u64, u64)]| -> Live {
            let rows = rows.iter();
            rows.map(|(name, count, bytes)| ((*name).to_owned(), (*count, *bytes)))
                .collect()
        };
        let first = live(&[
            ("shop.Order", 10, 400),
            ("byte[]", 50, 5_000),
            ("shop.Gone", 9, 90),
        ]);
        let then = live(&[
            ("shop.Order", 1_010, 40_400),
            ("byte[]", 50, 9_000),
            ("shop.New", 5, 80),
        ]);
        let window = Window {
            requests: 1_000,
            ..Window::default()
        };
        let ledger = ledger(&first, &then, &window);
        let told: Vec<_> = ledger
            .entries
            .iter()
            .map(|entry| (entry.key.as_str(), entry.count, entry.cost))
            .collect();
        assert_eq!(
            told,
            [("shop.Order", 1_000, 40_000.0), ("shop.New", 5, 80.0)]
        );
    }
}
