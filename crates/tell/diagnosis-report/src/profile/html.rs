//! `profile.html`: one page that opens offline: flame graphs and the short tables.

use super::{ProfileReport, Row};
use crate::flame::flames_of_profile;
use serde::Serialize;
use tacho_figures as figures;
use tacho_report::RenderError;
use tacho_report::html::of_template;
use tacho_run_folder::Ledger;

/// Its name in the folder of a profile.
pub const FILE: &str = "profile.html";

const TEMPLATE: &str = include_str!("../../templates/profile.html.jinja");

#[derive(Debug, Serialize)]
struct Page<'a> {
    report: &'a ProfileReport,
    elapsed: String,
    requests: Option<String>,
    parts: Vec<Part>,
    files: Vec<String>,
}

#[derive(Debug, Serialize)]
struct Part {
    title: &'static str,
    summed: String,
    lines_title: &'static str,
    lines: Vec<Shown>,
    methods: Vec<Shown>,
}

#[derive(Debug, Serialize)]
struct Shown {
    name: String,
    own: bool,
    of_self: String,
    of_total: String,
}

/// The page. The ledgers are those that the report was made of, with as many requests as the user
/// said, or one.
///
/// # Errors
/// When the template or its data fail, which is a fault of Tacho.
pub fn render(report: &ProfileReport, ledgers: &[Ledger]) -> Result<String, RenderError> {
    let flames = flames_of_profile(ledgers, &report.own, report.requests.is_some());
    let drawn = Some(flames).filter(|flames| !flames.graphs.is_empty());
    let parts: Vec<Part> = report
        .costs
        .iter()
        .map(|cost| Part {
            title: cost.title(),
            summed: cost.summed(report),
            lines_title: cost.top.lines_title(),
            lines: cost.top.lines.iter().map(shown).collect(),
            methods: cost.top.methods.iter().map(shown).collect(),
        })
        .collect();
    let files: Vec<String> = report
        .files
        .iter()
        .filter(|file| *file != FILE)
        .cloned()
        .collect();
    let page = Page {
        report,
        elapsed: figures::seconds(report.elapsed_s),
        requests: report.requests.map(figures::count),
        parts,
        files,
    };
    of_template(TEMPLATE, &page, drawn.as_ref())
}

fn shown(row: &Row) -> Shown {
    Shown {
        name: row.name.clone(),
        own: row.own,
        of_self: figures::percent(row.self_share),
        of_total: figures::percent(row.total_share),
    }
}
