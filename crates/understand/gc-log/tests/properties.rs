//! What holds for every log, however it comes and wherever it ends.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod support;

use proptest::prelude::*;
use support::{events, in_pieces};

const LOGS: [&[u8]; 5] = [
    include_bytes!("logs/hotspot-25-g1.log"),
    include_bytes!("logs/hotspot-25-zgc.log"),
    include_bytes!("logs/hotspot-17-serial.log"),
    include_bytes!("logs/hotspot-25-serial-no-decorations.log"),
    include_bytes!("logs/native-25-verbose.log"),
];

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_pieces_in_which_it_comes_do_not_matter(
        log in 0..LOGS.len(),
        pieces in prop::collection::vec(0_usize..300, 0..200),
    ) {
        let whole = in_pieces(LOGS[log], []);
        prop_assert_eq!(in_pieces(LOGS[log], pieces), whole);
    }

    #[test]
    fn cut_anywhere_it_gives_what_was_there_and_says_so(log in 0..LOGS.len(), at in any::<prop::sample::Index>()) {
        let whole = LOGS[log];
        let at = at.index(whole.len());
        let (told, lines) = in_pieces(&whole[..at], []);
        let all = events(whole);
        // A full pause is told when the next line shows that it is not within another one. So at
        // the end of a log it may stand before the processor time that follows it.
        let is_held = |event: &&String| event.contains("kind: Full") && all.contains(event);
        let in_order = told.len() - usize::from(told.last().filter(is_held).is_some());
        prop_assert_eq!(&told[..in_order], &all[..in_order]);
        // A line that ends in a unit or a bracket may be whole though nothing ends it.
        let last = whole[..at].trim_ascii_end().last();
        let may_be_whole = matches!(last, Some(b's' | b')' | b']' | b'}'));
        let ends_a_line = at == 0 || whole[at - 1] == b'\n';
        prop_assert_eq!(lines.cut_off, u64::from(!ends_a_line && !may_be_whole));
        // No line before the cut is lost.
        let complete = whole[..at].iter().rposition(|b| *b == b'\n').map_or(0, |end| end + 1);
        prop_assert!(told.len() >= events(&whole[..complete]).len());
    }

    #[test]
    fn any_bytes_are_counted_line_by_line(bytes in prop::collection::vec(any::<u8>(), 0..2000)) {
        let (told, lines) = in_pieces(&bytes, []);
        prop_assert_eq!(lines.bytes, bytes.len() as u64);
        prop_assert_eq!(lines.events, told.len() as u64);
        prop_assert_eq!(lines.all, lines.events + lines.details + lines.unknown + lines.other_tags + lines.no_log);
    }

    #[test]
    fn the_collections_of_a_log_that_is_cut_off_are_finite_and_in_order(
        log in 0..LOGS.len(),
        from in any::<prop::sample::Index>(),
        to in any::<prop::sample::Index>(),
    ) {
        let whole = LOGS[log];
        let (from, to) = (from.index(whole.len()), to.index(whole.len()));
        let found = tacho_gc_log::launch::read(&whole[from.min(to)..from.max(to)], "gc.log").unwrap();
        for collection in &found.collections {
            prop_assert!(collection.at_s.is_finite() && collection.pause_s >= 0.0);
            prop_assert!(collection.before_bytes >= 0.0 && collection.after_bytes >= 0.0);
        }
        prop_assert!(found.collections.is_sorted_by(|a, b| a.at_s <= b.at_s + 0.01));
    }
}

#[test]
fn cut_at_every_byte_of_its_last_lines() {
    for log in LOGS {
        let all = events(log);
        for at in log.len().saturating_sub(700)..log.len() {
            let told = events(&log[..at]);
            assert_eq!(told, all[..told.len()], "cut at {at}");
        }
    }
}
