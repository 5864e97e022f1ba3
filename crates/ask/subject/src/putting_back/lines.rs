//! The parts of a text file that differ between two builds. Each can be put back alone.

use similar::{Algorithm, DiffOp, capture_diff_slices};
use std::ops::Range;

/// Lines of the newer build that replace lines of the older one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Hunk {
    /// Lines of the newer build; empty where the older one has additional lines.
    pub newer: Range<usize>,
    /// What stands there in the older build, with its line ends.
    pub older: String,
}

/// The unit in which texts are compared and put back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Unit {
    Line,
    /// Of a script, whose flags stand on one line.
    Word,
}

/// Where two texts differ. Lines that were replaced by the same number of lines make one hunk each,
/// so each key of a file of settings is a hunk of its own.
pub(super) fn hunks(older: &str, newer: &str, unit: Unit) -> Vec<Hunk> {
    let (was, is) = (unit.split(older), unit.split(newer));
    let mut hunks = Vec::new();
    let mut put = |before: &[&str], newer: Range<usize>| {
        hunks.push(Hunk {
            newer,
            older: before.concat(),
        });
    };
    // How much of the newer text is behind us. `similar` may give a deletion an earlier position.
    let mut passed = 0;
    for op in capture_diff_slices(Algorithm::Myers, &was, &is) {
        let here = match op {
            DiffOp::Delete { .. } => passed..passed,
            op => op.new_range(),
        };
        passed = here.end;
        match op {
            DiffOp::Equal { .. } => {}
            DiffOp::Replace {
                old_index,
                old_len,
                new_index,
                new_len,
            } if old_len == new_len => {
                for place in 0..old_len {
                    let line = &was[old_index + place..=old_index + place];
                    put(line, new_index + place..new_index + place + 1);
                }
            }
            op if unit == Unit::Word => {
                for place in here {
                    put(&[], place..place + 1);
                }
                for place in op.old_range() {
                    put(&was[place..=place], passed..passed);
                }
            }
            op => put(&was[op.old_range()], here),
        }
    }
    hunks
}

/// The newer text with these put back.
pub(super) fn with(newer: &str, put_back: &[&Hunk], unit: Unit) -> String {
    let lines = unit.split(newer);
    let mut hunks = put_back.to_vec();
    hunks.sort_by_key(|hunk| hunk.newer.start);
    let (mut text, mut next) = (String::with_capacity(newer.len()), 0);
    for hunk in hunks {
        let (start, end) = (hunk.newer.start.max(next), hunk.newer.end.max(next));
        text.push_str(&lines[next..start].concat());
        text.push_str(&hunk.older);
        next = end;
    }
    text.push_str(&lines[next..].concat());
    text
}

impl Unit {
    /// Pieces that make up the text, with what stands between them.
    pub fn split(self, text: &str) -> Vec<&str> {
        match self {
            Self::Line => text.split_inclusive('\n').collect(),
            Self::Word => text.split_inclusive(char::is_whitespace).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_line_that_was_replaced_can_be_put_back_alone() {
        let (older, newer) = ("a=1\nb=2\nc=3\n", "a=9\nb=8\nc=3\nd=4\n");
        let hunks = hunks(older, newer, Unit::Line);
        assert_eq!(hunks.len(), 3);
        assert_eq!(
            with(newer, &[&hunks[0]], Unit::Line),
            "a=1\nb=8\nc=3\nd=4\n"
        );
        assert_eq!(
            with(newer, &[&hunks[1]], Unit::Line),
            "a=9\nb=2\nc=3\nd=4\n"
        );
        assert_eq!(with(newer, &[&hunks[2]], Unit::Line), "a=9\nb=8\nc=3\n");
    }

    #[test]
    fn all_put_back_is_the_older_text() {
        for (older, newer) in [
            ("", "x\n"),
            ("x\ny\n", ""),
            ("a\nb\nc", "a\nX\nY\nc\n"),
            ("one\n", "zero\none\ntwo\n"),
        ] {
            let hunks = hunks(older, newer, Unit::Line);
            let all: Vec<&Hunk> = hunks.iter().rev().collect();
            assert_eq!(with(newer, &all, Unit::Line), older);
        }
    }

    /// Found by the fuzzer: when `similar` moves an equal word, it does not update the position of
    /// a deletion that follows.
    #[test]
    fn words_that_have_no_place_in_the_newer_script_are_put_back_in_their_order() {
        let older = "#!/bin/sh\ncd \"$(dirna~";
        let newer =
            " \"$0\")\"\nexec jav\u{fffd} ra #\"!/bin/sh$@\"\n\0#!/bin/sh\ncd \u{fffd}\ncd ";
        let hunks = hunks(older, newer, Unit::Word);
        let all: Vec<&Hunk> = hunks.iter().collect();
        assert_eq!(with(newer, &all, Unit::Word), older);
    }

    #[test]
    fn each_word_of_a_script_can_be_put_back_alone() {
        let (older, newer) = ("java -Xmx1g -jar a.jar\n", "java -Xint -Xmx2g -jar a.jar\n");
        let hunks = hunks(older, newer, Unit::Word);
        let one = |hunk: &Hunk| with(newer, &[hunk], Unit::Word);
        let texts: Vec<String> = hunks.iter().map(one).collect();
        assert!(
            texts.contains(&"java -Xmx2g -jar a.jar\n".to_owned()),
            "{texts:?}"
        );
        let all: Vec<&Hunk> = hunks.iter().collect();
        assert_eq!(with(newer, &all, Unit::Word), older);
    }
}
