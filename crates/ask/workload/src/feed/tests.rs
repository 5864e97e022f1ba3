//! Feeds from their files to their rows.

mod troubles;

use super::*;
use crate::spec::{self, FeedFormat};
use proptest::prelude::*;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

const CSV: FeedFormat = FeedFormat::Csv {
    delimiter: b',',
    columns: None,
};

/// A folder with one file.
struct Folder(TempDir);

impl Folder {
    fn with(content: impl AsRef<[u8]>) -> Self {
        let folder = Self(TempDir::new().unwrap());
        folder.write(content);
        folder
    }

    fn write(&self, content: impl AsRef<[u8]>) {
        std::fs::write(self.0.path().join("rows"), content).unwrap();
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    fn open(&self, format: FeedFormat, order: FeedOrder) -> Result<Opened, FeedError> {
        Opened::new(&feed("users", format, order), self.path())
    }

    /// A feed of which a template wants `columns`, started for phase 0.
    fn feed(
        &self,
        format: FeedFormat,
        order: FeedOrder,
        columns: &[&str],
    ) -> Result<Feed, FeedError> {
        let mut opened = self.open(format, order)?;
        for column in columns {
            opened.want(0, column).unwrap();
        }
        opened.survey()?;
        let feed = Feed::new(opened, 0, Seed::new(7));
        feed.start(0)?;
        Ok(feed)
    }

    fn error(&self, format: FeedFormat, columns: &[&str]) -> String {
        let error = self
            .feed(format, FeedOrder::Cycle, columns)
            .err()
            .expect("an error");
        error
            .to_string()
            .replace(self.path().to_str().unwrap(), "DIR")
    }
}

fn feed(name: &str, format: FeedFormat, order: FeedOrder) -> spec::Feed {
    spec::Feed {
        name: name.to_owned(),
        path: PathBuf::from("rows"),
        format,
        order,
    }
}

fn take(feed: &Feed, count: usize) -> Vec<String> {
    let row = |_| match feed.take() {
        Ok(row) => row.get(0).unwrap().to_owned(),
        Err(Dry::End) => "END".to_owned(),
        Err(Dry::Failed(reason)) => reason,
    };
    (0..count).map(row).collect()
}

#[test]
fn a_csv_file_is_read_in_its_order() {
    let folder =
        Folder::with("\u{feff}id,name\r\n1,\"Ann, \"\"A\"\"\"\r\n\r\n2,\"two\nlines\"\r\n3,Ünal");
    let once = folder.feed(CSV, FeedOrder::Once, &["name"]).unwrap();
    assert_eq!(
        take(&once, 5),
        ["Ann, \"A\"", "two\nlines", "Ünal", "END", "END"]
    );
    let cycle = folder.feed(CSV, FeedOrder::Cycle, &["id"]).unwrap();
    assert_eq!(take(&cycle, 7), ["1", "2", "3", "1", "2", "3", "1"]);
    let report = cycle.report();
    assert_eq!(
        (report.name.as_str(), report.rows, report.broken),
        ("users", 7, 0)
    );
}

#[test]
fn names_may_be_given_where_the_file_has_none() {
    let folder = Folder::with("1;Ann\n2;Bob\n");
    let format = FeedFormat::Csv {
        delimiter: b';',
        columns: Some(vec!["id".into(), "name".into()]),
    };
    let feed = folder.feed(format, FeedOrder::Once, &["name"]).unwrap();
    assert_eq!(take(&feed, 3), ["Ann", "Bob", "END"]);
}

#[test]
fn a_json_line_gives_its_values_as_they_are_written() {
    let folder = Folder::with(
        "\u{feff}{\"v\":\"a\\\"b\",\"w\":1}\n\n{\"w\":2,\"v\":12345678901234567890.10}\n{\"v\":{\"a\": [1]},\"w\":null}\r\n{\"v\":true}",
    );
    let feed = folder
        .feed(FeedFormat::JsonLines, FeedOrder::Once, &["v"])
        .unwrap();
    assert_eq!(
        take(&feed, 5),
        [
            "a\"b",
            "12345678901234567890.10",
            "{\"a\": [1]}",
            "true",
            "END"
        ]
    );
}

#[test]
fn a_random_order_is_that_of_the_seed_and_the_phase() {
    let lines: String = (0..10).map(|n| format!("{{\"v\":{n}}}\n")).collect();
    let folder = Folder::with(lines);
    let feed = folder
        .feed(FeedFormat::JsonLines, FeedOrder::Random, &["v"])
        .unwrap();
    let first = take(&feed, 2_000);
    let mut counts = HashMap::new();
    for value in &first {
        *counts.entry(value.clone()).or_insert(0u32) += 1;
    }
    assert_eq!(counts.len(), 10);
    // Five standard deviations of a binomial with 2,000 draws and p = 0.1 are 67.
    assert!(
        counts.values().all(|count| count.abs_diff(200) < 67),
        "{counts:?}"
    );
    feed.start(0).unwrap();
    assert_eq!(take(&feed, 2_000), first);
    feed.start(1).unwrap();
    assert_ne!(take(&feed, 2_000), first);
}

#[test]
fn a_random_order_finds_csv_rows_again_line_ends_within_them_included() {
    let folder = Folder::with("a,b\n1,\"x\ny\"\n\n2,\"\"\"q\"\"\"\n3,z");
    let feed = folder.feed(CSV, FeedOrder::Random, &["b"]).unwrap();
    let mut seen = take(&feed, 200);
    seen.sort();
    seen.dedup();
    assert_eq!(seen, ["\"q\"", "x\ny", "z"]);
    assert_eq!(feed.report().broken, 0);
}

#[test]
fn a_phase_begins_from_the_front() {
    let folder = Folder::with("id\n1\n2\n3\n");
    let feed = folder.feed(CSV, FeedOrder::Once, &["id"]).unwrap();
    // Nothing was taken yet: the thread that reads ahead goes on.
    feed.start(0).unwrap();
    assert_eq!(take(&feed, 2), ["1", "2"]);
    feed.start(1).unwrap();
    assert_eq!(take(&feed, 4), ["1", "2", "3", "END"]);
}

#[test]
fn each_row_comes_once_a_cycle_when_several_threads_take() {
    let content: String = (0..500).map(|n| format!("{{\"v\":{n}}}\n")).collect();
    let folder = Folder::with(content);
    let feed = folder
        .feed(FeedFormat::JsonLines, FeedOrder::Cycle, &["v"])
        .unwrap();
    let mut all: Vec<String> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..4).map(|_| scope.spawn(|| take(&feed, 375))).collect();
        threads
            .into_iter()
            .flat_map(|thread| thread.join().unwrap())
            .collect()
    });
    all.sort();
    let mut expected: Vec<String> = (0..500).flat_map(|n| vec![n.to_string(); 3]).collect();
    expected.sort();
    assert_eq!(all, expected);
}

proptest! {
    // Each case builds the tables of the CSV parser anew.
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn no_bytes_are_too_strange(bytes: Vec<u8>, text in "([a,;\"\n\r{}:\\[\\]]|\"a\"|[0-9]|\\PC){0,40}") {
        let columns = ["a".to_owned(), "b".to_owned()];
        let given = FeedFormat::Csv { delimiter: b';', columns: Some(columns.to_vec()) };
        for bytes in [&bytes[..], text.as_bytes()] {
            for format in [&CSV, &given, &FeedFormat::JsonLines] {
                let (rows, broken) = read_rows(bytes, format, &columns);
                prop_assert!(rows.len() + broken.len() <= bytes.len() + 1);
            }
        }
    }

    #[test]
    fn csv_values_come_back_as_they_were(values in prop::collection::vec("\\PC{0,8}|[\",\n ]{1,4}", 1..20)) {
        let mut writer = csv::Writer::from_writer(Vec::new());
        writer.write_record(["n", "a"]).unwrap();
        for value in &values {
            writer.write_record(["1", value]).unwrap();
        }
        let bytes = writer.into_inner().unwrap();
        let (rows, broken) = read_rows(&bytes, &CSV, &["n".to_owned(), "a".to_owned()]);
        let read: Vec<_> = rows.iter().map(|row| row.get(1).unwrap()).collect();
        prop_assert_eq!(read, values);
        prop_assert!(broken.is_empty());
    }
}
