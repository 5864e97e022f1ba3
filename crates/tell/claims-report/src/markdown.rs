//! The claims as a table for a README.

use crate::{Report, words};

/// A table for each article, ending in a newline.
#[must_use]
pub fn render(report: &Report) -> String {
    let mut text = String::new();
    for of in &report.articles {
        let article = &of.article;
        if !text.is_empty() {
            text.push('\n');
        }
        text += &format!(
            "{}. {}\n\n| claimed | seen here | same? | why |\n|---|---|---|---|\n",
            cell(&article.cited()),
            cell(&article.question)
        );
        for claim in &of.claims {
            text += &format!(
                "| {} | {} | {} | {} |\n",
                cell(&claim.says),
                cell(&words::seen(claim)),
                words::outcome(&claim.outcome),
                cell(&claim.why)
            );
        }
    }
    text
}

/// Escapes text so that it cannot end its cell or its row.
fn cell(text: &str) -> String {
    let one_line: Vec<&str> = text.split_whitespace().collect();
    one_line.join(" ").replace('|', "\\|")
}
