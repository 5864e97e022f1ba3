//! The section of a Markdown file that is written by this program.

use crate::error::BenchError;
use std::path::Path;

const BEGIN: &str = "<!-- bench-load -->";
const END: &str = "<!-- /bench-load -->";

/// Replaces what is between the markers of a file; where there are none, they are added at its end.
pub fn write_section(path: &Path, section: &str) -> Result<(), BenchError> {
    let failed = |source| BenchError::File {
        path: path.to_owned(),
        source,
    };
    let document = std::fs::read_to_string(path).map_err(failed)?;
    std::fs::write(path, with_section(&document, section)).map_err(failed)
}

fn with_section(document: &str, section: &str) -> String {
    let section = section.trim_end();
    let marked = format!("{BEGIN}\n{section}\n{END}");
    let begin = document.find(BEGIN);
    let end = begin.and_then(|begin| {
        document[begin..]
            .find(END)
            .map(|length| begin + length + END.len())
    });
    match begin.zip(end) {
        Some((begin, end)) => format!("{}{marked}{}", &document[..begin], &document[end..]),
        None => format!("{}\n\n{marked}\n", document.trim_end()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn what_is_between_the_markers_is_replaced() {
        let document = format!("# A\n\n{BEGIN}\nold\n{END}\n\n# B\n");
        assert_eq!(
            with_section(&document, "new\nlines\n"),
            format!("# A\n\n{BEGIN}\nnew\nlines\n{END}\n\n# B\n")
        );
    }

    #[test]
    fn markers_are_added_where_there_are_none() {
        assert_eq!(
            with_section("# A\n", "new"),
            format!("# A\n\n{BEGIN}\nnew\n{END}\n")
        );
    }

    proptest! {
        #[test]
        fn writing_twice_is_writing_once(document in "[a-z# \n]{0,80}", section in "[a-z| \n]{1,40}") {
            let once = with_section(&document, &section);
            prop_assert_eq!(with_section(&once, &section), once);
        }
    }
}
