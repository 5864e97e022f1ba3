use super::*;
use crate::feed::row::RowProblem;
use proptest::prelude::*;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

fn row(n: u64) -> Row {
    Row::new([n.to_string().as_str()])
}

fn number(row: &Row) -> u64 {
    row.get(0).unwrap().parse().unwrap()
}

/// Gives out 0, 1, 2, ... for ever.
fn endless() -> impl FnMut() -> Next + Send + 'static {
    let mut n = 0;
    move || {
        n += 1;
        Next::Row(row(n - 1))
    }
}

/// Gives out what it is told.
fn scripted(script: Vec<Next>) -> impl FnMut() -> Next + Send + 'static {
    let mut script = script.into_iter();
    move || script.next().unwrap_or(Next::End)
}

fn broken() -> Next {
    Next::Broken(BrokenRow {
        line: 3,
        problem: RowProblem::NotUtf8,
    })
}

#[test]
fn what_happens_in_the_thread_is_told_to_the_one_who_takes() {
    let script = vec![
        Next::Row(row(0)),
        broken(),
        Next::Rewound,
        Next::Row(row(1)),
        broken(),
        Next::End,
    ];
    let mut ahead = Ahead::start(scripted(script), Depth::USUAL).unwrap();
    let mut tally = Tally::default();
    assert_eq!(ahead.take(&mut tally).unwrap(), row(0));
    assert_eq!(ahead.take(&mut tally).unwrap(), row(1));
    // It stays at its end.
    assert_eq!(ahead.take(&mut tally), Err(Dry::End));
    assert_eq!(ahead.take(&mut tally), Err(Dry::End));
    assert_eq!((tally.rows, tally.rewinds, tally.broken.count), (2, 1, 2));
    assert_eq!(tally.broken.example.unwrap().line, 3);
}

#[test]
fn a_failure_comes_after_the_rows_before_it() {
    let script = vec![Next::Row(row(0)), Next::Failed("gone".to_owned())];
    let mut ahead = Ahead::start(scripted(script), Depth::USUAL).unwrap();
    let mut tally = Tally::default();
    assert!(ahead.take(&mut tally).is_ok());
    assert_eq!(ahead.take(&mut tally), Err(Dry::Failed("gone".to_owned())));
    assert_eq!(ahead.take(&mut tally), Err(Dry::Failed("gone".to_owned())));
}

#[test]
fn no_more_is_read_than_is_kept_ready() {
    let asked = Arc::new(AtomicU64::new(0));
    let mut source = endless();
    let counted = Arc::clone(&asked);
    let depth = Depth {
        rows: 4,
        bytes: usize::MAX,
        batches: 2,
    };
    let mut ahead = Ahead::start(
        move || {
            counted.fetch_add(1, Ordering::SeqCst);
            source()
        },
        depth,
    )
    .unwrap();
    let mut tally = Tally::default();
    for taken in 1..=1_000u64 {
        assert_eq!(number(&ahead.take(&mut tally).unwrap()), taken - 1);
        // Two batches wait, one is in the hand of the reader and one in that of the taker.
        let ready = asked.load(Ordering::SeqCst) - taken;
        assert!(ready <= 4 * 4, "{ready} rows ready after {taken}");
    }
}

#[test]
fn large_rows_are_handed_over_earlier() {
    let depth = Depth {
        rows: 1_000,
        bytes: 100,
        batches: 1,
    };
    let asked = Arc::new(AtomicU64::new(0));
    let counted = Arc::clone(&asked);
    let mut ahead = Ahead::start(
        move || {
            counted.fetch_add(1, Ordering::SeqCst);
            Next::Row(Row::new(["x".repeat(60).as_str()]))
        },
        depth,
    )
    .unwrap();
    let mut tally = Tally::default();
    for taken in 1..=100u64 {
        ahead.take(&mut tally).unwrap();
        // Two rows of 76 bytes fill a batch.
        assert!(asked.load(Ordering::SeqCst) - taken <= 2 * 3);
    }
}

#[test]
fn the_thread_ends_when_nobody_listens() {
    // An endless source: without an end of the thread, the drop would not come back.
    drop(Ahead::start(endless(), Depth::USUAL).unwrap());
    // Also when there is nothing to hand over but broken rows.
    drop(Ahead::start(broken, Depth::USUAL).unwrap());
}

#[test]
fn a_thread_that_died_is_no_end_of_the_rows() {
    let mut ahead = Ahead::start(|| panic!("on purpose"), Depth::USUAL).unwrap();
    assert_eq!(
        ahead.take(&mut Tally::default()),
        Err(Dry::Failed("the thread that reads it has ended".to_owned()))
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn each_row_comes_once_and_in_order_whatever_the_threads_do(
        rows in 0u64..60,
        batch in 1usize..9,
        batches in 0usize..4,
        yields: Vec<bool>,
    ) {
        let mut n = 0;
        let mut pauses = yields.clone().into_iter().cycle();
        let source = move || {
            if pauses.next() == Some(true) {
                std::thread::yield_now();
            }
            n += 1;
            if n > rows { Next::End } else { Next::Row(row(n - 1)) }
        };
        let depth = Depth { rows: batch, bytes: usize::MAX, batches };
        let mut ahead = Ahead::start(source, depth).unwrap();
        let mut tally = Tally::default();
        let mut taken = Vec::new();
        let mut pauses = yields.into_iter().rev().cycle();
        while let Ok(row) = ahead.take(&mut tally) {
            if pauses.next() == Some(true) {
                std::thread::yield_now();
            }
            taken.push(number(&row));
        }
        prop_assert_eq!(taken, (0..rows).collect::<Vec<_>>());
        prop_assert_eq!(tally.rows, rows);
    }
}
