//! `report.html`: one file that opens offline, years later, without any other.
//!
//! Tables are written here, so that they can be read without JavaScript; the charts are drawn
//! by the bundle of `web/` from one block of JSON. The page forbids itself every request by
//! its Content-Security-Policy.

mod diagnosis;
mod limits;
mod memory;
mod page;
mod variants;
mod warm_up;

use crate::ReportError;
use crate::overview::overview;
use crate::series::{ChartData, chart_data, load_seconds};
use minijinja::value::Serde;
use minijinja::{AutoEscape, Environment, context};
use std::path::PathBuf;
use tacho_run_folder::{Results, RunData, RunFolder};

const TEMPLATE: &str = include_str!("../../templates/report.html.jinja");
/// The charts, as a script without an import.
pub const SCRIPT: &str = include_str!(env!("TACHO_REPORT_JS"));
/// The look of every page.
pub const STYLE: &str = include_str!(env!("TACHO_REPORT_CSS"));

/// Writes `report.html` from what the run folder holds, and returns its path.
///
/// # Errors
/// When the folder cannot be read or written, or holds no results yet.
pub fn write(folder: &RunFolder) -> Result<PathBuf, ReportError> {
    let results = folder
        .results()?
        .ok_or_else(|| ReportError::NoResults(folder.path().to_owned()))?;
    let mut run = tacho_gc_log::load(folder)?;
    load_seconds(folder, &mut run)?;
    let page = render(folder, &run, &results)?;
    Ok(folder.write_page("report.html", &page)?)
}

/// The page. The folder is needed for the histograms alone.
///
/// # Errors
/// When a histogram log is there but cannot be read.
pub fn render(folder: &RunFolder, run: &RunData, results: &Results) -> Result<String, ReportError> {
    let charts = chart_data(folder, run, &overview(run, results))?;
    page(run, results, &charts)
}

fn page(run: &RunData, results: &Results, charts: &ChartData) -> Result<String, ReportError> {
    let mut templates = Environment::new();
    templates.set_auto_escape_callback(|_| AutoEscape::Html);
    templates.add_template("report.html", TEMPLATE)?;
    let view = page::view(run, results, charts.unreadable_lines);
    Ok(templates.get_template("report.html")?.render(context! {
        page => Serde(view),
        charts => embedded(&serde_json::to_string(charts)?),
        script => SCRIPT,
        style => STYLE,
    })?)
}

/// JSON inside a `<script>` element: nothing in it can end the element or open a comment.
#[must_use]
pub fn embedded(json: &str) -> String {
    json.replace('<', "\\u003c")
}

#[cfg(test)]
mod tests {
    use super::embedded;

    #[test]
    fn a_name_cannot_end_the_element() {
        let name = "</script><!--";
        let text = embedded(&serde_json::to_string(name).unwrap());
        assert!(!text.contains('<'));
        assert_eq!(serde_json::from_str::<String>(&text).unwrap(), name);
    }
}
