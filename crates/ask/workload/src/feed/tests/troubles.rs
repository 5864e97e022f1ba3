//! Files and rows that cannot be used.

use super::*;
use crate::template::{Insert, Unknown};

#[test]
fn what_is_wrong_is_said_when_it_is_opened() {
    let json = FeedFormat::JsonLines;
    for (content, format, columns, expected) in [
        ("", CSV, &["a"][..], "feed `users`: DIR/rows has no rows"),
        ("a,b\n", CSV, &["a"], "feed `users`: DIR/rows has no rows"),
        (
            "a,b\n1,2\n3\n",
            CSV,
            &["a"],
            "feed `users`: DIR/rows, line 3: 1 columns instead of 2; quote values that hold the delimiter",
        ),
        (
            "a,b,a\n1,2,3\n",
            CSV,
            &["a"],
            "feed `users`: two columns are named `a`; rename one of them, or give `columns`",
        ),
        (
            "\n\n",
            json.clone(),
            &["a"],
            "feed `users`: DIR/rows has no rows",
        ),
        (
            "{\"a\":1}\n[1]\n",
            json.clone(),
            &["a"],
            "feed `users`: DIR/rows, line 2: no JSON object: invalid type: sequence, expected a JSON object at line 1 column 0",
        ),
        (
            "{\"a\":1}\n{\"a\":",
            json.clone(),
            &["a"],
            "feed `users`: DIR/rows, line 2: no JSON object: EOF while parsing a value at line 1 column 5",
        ),
        (
            "{\"a\":1} x",
            json.clone(),
            &["a"],
            "feed `users`: DIR/rows, line 1: no JSON object: trailing characters at line 1 column 9",
        ),
        (
            "{\"a\":1,\"b\":1}\n{\"b\":2}\n",
            json,
            &["a"],
            "feed `users`: DIR/rows, line 2: `a` is missing",
        ),
    ] {
        assert_eq!(
            Folder::with(content).error(format, columns),
            expected,
            "{content:?}"
        );
    }
    assert_eq!(
        Folder::with(b"a\n\xff\n").error(CSV, &["a"]),
        "feed `users`: DIR/rows, line 2: not UTF-8; convert the file"
    );
    assert_eq!(
        Folder::with(b"{\"a\":\"\xff\"}").error(FeedFormat::JsonLines, &["a"]),
        "feed `users`: DIR/rows, line 1: not UTF-8; convert the file"
    );
}

#[test]
fn a_broken_row_is_told_by_the_line_on_which_it_begins() {
    let columns = ["a".to_owned()];
    for text in [
        "a,b\n1,2\n\n3\n4,5\n",
        "a,b\r\n1,2\r\n\r\n3\r\n4,5\r\n",
        "a,b\n\"1\n\",2\n3\n4,5",
    ] {
        let (rows, broken) = read_rows(text.as_bytes(), &CSV, &columns);
        assert_eq!((rows.len(), broken.len()), (2, 1), "{text:?}");
        assert_eq!(broken[0].line, 4, "{text:?}");
    }
    let lines = "{\"a\":1}\r\n\r\n\r\nx\r\n{\"a\":2}";
    let (rows, broken) = read_rows(lines.as_bytes(), &FeedFormat::JsonLines, &columns);
    assert_eq!((rows.len(), broken[0].line), (2, 4));
}

#[test]
fn what_cannot_be_a_feed_is_refused() {
    let folder = Folder::with("a\n1\n");
    let error = |feed: spec::Feed| {
        let error = Opened::new(&feed, folder.path()).unwrap_err().to_string();
        error.replace(folder.path().to_str().unwrap(), "DIR")
    };
    let good = || feed("users", CSV, FeedOrder::Cycle);
    assert_eq!(
        error(spec::Feed {
            path: "none".into(),
            ..good()
        }),
        "feed `users`: DIR/none cannot be opened: No such file or directory (os error 2)"
    );
    assert_eq!(
        error(spec::Feed {
            path: ".".into(),
            ..good()
        }),
        "feed `users`: DIR/. is no regular file; rows are read more than once, so write them to a file first"
    );
    for name in ["", "a.b", "counter", "a b", "raw"] {
        assert!(
            error(feed(name, CSV, FeedOrder::Cycle)).starts_with("a feed is named"),
            "{name}"
        );
    }
    let quote = FeedFormat::Csv {
        delimiter: b'"',
        columns: None,
    };
    assert_eq!(
        error(feed("users", quote, FeedOrder::Cycle)),
        "feed `users`: a quote or a line end cannot be the delimiter; use `,`, `;` or a tab"
    );
}

#[test]
fn a_broken_row_in_the_middle_is_counted_and_passed_over() {
    // Beyond the rows that are looked at when the feed is opened.
    let mut content = "a,b\n".to_owned();
    for n in 0..3_000 {
        content += &if n == 2_000 {
            "broken\n".to_owned()
        } else {
            format!("{n},x\n")
        };
    }
    let folder = Folder::with(content);
    let feed = folder.feed(CSV, FeedOrder::Cycle, &["a"]).unwrap();
    let rows = take(&feed, 2 * 2_999);
    let expected: Vec<String> = (0..3_000)
        .filter(|n| *n != 2_000)
        .map(|n| n.to_string())
        .collect();
    assert_eq!(rows[..2_999], expected);
    assert_eq!(rows[2_999..], expected);
    let report = feed.report();
    assert_eq!(report.broken, 2);
    assert_eq!(
        report.example.unwrap().to_string(),
        "line 2002: 1 columns instead of 2; quote values that hold the delimiter"
    );
    // A random order reads the whole file before the clock starts.
    let error = folder.feed(CSV, FeedOrder::Random, &["a"]).err().unwrap();
    assert!(error.to_string().contains("line 2002"), "{error}");
}

#[test]
fn a_file_that_is_changed_under_way_is_read_as_it_is_then() {
    let folder = Folder::with("a\n1\n");
    let feed = folder.feed(CSV, FeedOrder::Random, &["a"]).unwrap();
    folder.write("");
    // Rows that were read ahead come first; then the feed says what is wrong.
    let end = (0..100_000).find_map(|_| feed.take().err());
    assert_eq!(
        end,
        Some(Dry::Failed(
            "its rows are no longer where they were; was it changed?".to_owned()
        ))
    );
    let folder = Folder::with("a\n1\n");
    let feed = folder.feed(CSV, FeedOrder::Cycle, &["a"]).unwrap();
    folder.write("a\n");
    let end = (0..100_000).find_map(|_| feed.take().err());
    assert_eq!(
        end,
        Some(Dry::Failed(
            "not one of its rows can be used any more".to_owned()
        ))
    );
}

#[test]
fn a_row_without_an_end_does_not_fill_our_memory() {
    let huge = "x".repeat(3 * MAX_ROW_BYTES);
    let columns = ["a".to_owned()];
    let (rows, broken) = read_rows(format!("a\n1\n\"{huge}\n2\n").as_bytes(), &CSV, &columns);
    assert_eq!((rows.len(), broken.len()), (1, 1));
    assert_eq!(broken[0].problem, RowProblem::TooLong);
    // A line of JSON has its end, so what follows is read.
    let lines = format!("{{\"a\":1}}\n{{\"a\":\"{huge}\"}}\n{{\"a\":2}}\n");
    let (rows, broken) = read_rows(lines.as_bytes(), &FeedFormat::JsonLines, &columns);
    assert_eq!((rows.len(), broken.len()), (2, 1));
    assert_eq!(
        (broken[0].line, &broken[0].problem),
        (2, &RowProblem::TooLong)
    );
}

#[test]
fn a_column_that_is_not_there_is_told_with_those_that_are() {
    let folder = Folder::with("id,email\n1,a@b\n");
    let mut opened = folder.open(CSV, FeedOrder::Cycle).unwrap();
    assert_eq!(
        opened.want(3, "email").unwrap(),
        Insert::Column { feed: 3, column: 0 }
    );
    assert_eq!(
        opened.want(3, "id").unwrap(),
        Insert::Column { feed: 3, column: 1 }
    );
    assert_eq!(
        opened.want(3, "email").unwrap(),
        Insert::Column { feed: 3, column: 0 }
    );
    assert_eq!(
        opened.want(3, "emial").unwrap_err(),
        Unknown::Column {
            feed: "users".into(),
            columns: vec!["id".into(), "email".into()],
            nearest: Some("email".into()),
        }
    );
}
