//! The claims on the terminal, row by row.

use crate::{OfArticle, Report, words};
use tacho_claims::{Judged, Outcome};
use tacho_report::terminal::Style;
use tacho_report::terminal::style::{BOLD, DIM, GREEN, PLAIN, RED, YELLOW};
use tacho_report::terminal::text::Text;

/// Everything, ending in a newline.
#[must_use]
pub fn render(report: &Report, style: &Style) -> String {
    let mut text = style.text();
    for article in &report.articles {
        of_article(&mut text, article);
    }
    text.blank();
    text.paragraph("", BOLD, &words::counts(&report.counts()));
    text.finish(style.colour)
}

fn of_article(text: &mut Text, of: &OfArticle) {
    let article = &of.article;
    text.blank();
    text.paragraph("", BOLD, &article.cited());
    text.paragraph("", PLAIN, &article.question);
    for claim in &of.claims {
        row(text, claim);
    }
}

fn row(text: &mut Text, claim: &Judged) {
    let colour = match (&claim.outcome, claim.is_contradiction) {
        (_, true) => RED,
        (Outcome::Same, _) => GREEN,
        (Outcome::Differs, _) => YELLOW,
        (Outcome::NotTold | Outcome::NotMeasured(_), _) => DIM,
    };
    text.blank();
    text.line(&[
        (PLAIN, "  "),
        (colour, words::outcome(&claim.outcome)),
        (
            RED,
            if claim.is_contradiction {
                "  otherwise than the file expects"
            } else {
                ""
            },
        ),
    ]);
    text.paragraph("    ", PLAIN, &format!("claimed: {}", claim.says));
    text.paragraph("    ", PLAIN, &format!("seen: {}", words::seen(claim)));
    text.paragraph("    ", DIM, &format!("counts as the same: {}", claim.same));
    if !claim.why.is_empty() {
        text.paragraph("    ", DIM, &format!("why: {}", claim.why));
    }
}
