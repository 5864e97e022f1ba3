//! `profile.html`: one page that opens offline: flame graphs and the short tables.

use super::{ProfileReport, Row};
use crate::flame::flames_of_profile;
use crate::html::PageError;
use minijinja::{AutoEscape, Environment, context};
use serde::Serialize;
use tacho_figures as figures;
use tacho_report::html::{SCRIPT, STYLE, embedded, masked, policy};
use tacho_run_folder::Ledger;

/// Its name in the folder of a profile.
pub const FILE: &str = "profile.html";

const TEMPLATE: &str = include_str!("../../templates/profile.html.jinja");

#[derive(Debug, Serialize)]
struct Part {
    title: &'static str,
    summed: String,
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
pub fn render(report: &ProfileReport, ledgers: &[Ledger]) -> Result<String, PageError> {
    let flames = flames_of_profile(ledgers, &report.own, report.requests.is_some());
    let graphs = match flames.graphs.is_empty() {
        true => None,
        false => Some(embedded(&flames)?),
    };
    let parts: Vec<Part> = report
        .costs
        .iter()
        .map(|cost| Part {
            title: cost.title(),
            summed: cost.summed(report),
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
    let mut templates = Environment::new();
    templates.set_auto_escape_callback(|_| AutoEscape::Html);
    templates.add_template("profile.html", TEMPLATE)?;
    Ok(templates.get_template("profile.html")?.render(context! {
        report => masked(report)?,
        elapsed => figures::seconds(report.elapsed_s),
        requests => report.requests.map(figures::count),
        parts => masked(&parts)?,
        files => files,
        graphs,
        policy => policy(),
        script => SCRIPT,
        style => STYLE,
    })?)
}

fn shown(row: &Row) -> Shown {
    Shown {
        name: row.name.clone(),
        own: row.own,
        of_self: figures::percent(row.self_share),
        of_total: figures::percent(row.total_share),
    }
}
