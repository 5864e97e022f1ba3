//! `report.html`: one file that opens offline, years later, without any other.
//!
//! Tables are written here, so that they can be read without JavaScript. The charts are drawn by
//! the bundle of `web/` from one block of JSON. The page's Content-Security-Policy forbids every
//! request.

mod diagnosis;
mod dockerfile;
mod limits;
mod memory;
mod page;
mod pods;
mod variants;
mod warm_up;

use crate::ReportError;
use crate::overview::overview;
use crate::series::{ChartData, chart_data};
use crate::words;
use base64::prelude::{BASE64_STANDARD, Engine};
use flate2::read::DeflateDecoder;
use minijinja::value::Serde;
use minijinja::{AutoEscape, Environment, HtmlEscape, Value, context};
use serde::Serialize;
use sha2::{Digest, Sha256};
use std::io::Read;
use std::path::PathBuf;
use std::sync::LazyLock;
use tacho_run_folder::{Results, RunData, RunFolder};

const TEMPLATE: &str = include_str!("../../templates/report.html.jinja");
/// Approximate size of the script, for an error message.
const SCRIPT_BYTES: usize = 1 << 20;
/// The charts, as a script without an import.
static SCRIPT: LazyLock<String> = LazyLock::new(|| {
    let mut script = String::new();
    let compressed = include_bytes!(env!("TACHO_REPORT_JS")).as_slice();
    let read = DeflateDecoder::new(compressed).read_to_string(&mut script);
    // The script is part of the program, so decompression can only fail for lack of memory. Handle
    // it like any other allocation failure.
    if read.is_err() {
        std::alloc::handle_alloc_error(std::alloc::Layout::new::<[u8; SCRIPT_BYTES]>());
    }
    script
});
/// The look of every page.
const STYLE: &str = include_str!(env!("TACHO_REPORT_CSS"));

/// Writes `report.html` into the run folder, and returns its path.
///
/// # Errors
/// When the page cannot be written.
pub fn write_page(
    folder: &RunFolder,
    run: &RunData,
    results: &Results,
) -> Result<PathBuf, ReportError> {
    Ok(folder.write_page("report.html", &render(run, results)?)?)
}

/// Renders the page, complete with its scripts and styles.
///
/// # Errors
/// When its template fails, which is a fault of Tacho's.
pub fn render(run: &RunData, results: &Results) -> Result<String, ReportError> {
    page(run, results, &chart_data(run, &overview(run, results)))
}

fn page(run: &RunData, results: &Results, charts: &ChartData) -> Result<String, ReportError> {
    let view = page::view(run, results, charts.unreadable_lines);
    Ok(of_template(TEMPLATE, &view, Some(charts))?)
}

/// Why a page could not be made, or a document not be written.
#[derive(Debug, thiserror::Error)]
pub enum RenderError {
    /// A value could not be written as JSON: a fault of Tacho.
    #[error("it could not be written as JSON: {0}; please report this")]
    Json(#[from] serde_json::Error),
    /// The page's template failed: a fault of Tacho.
    #[error("the page could not be made from its template: {0}; please report this")]
    Template(#[from] minijinja::Error),
}

/// A page, complete with its scripts and styles: what its template shows, and what its charts are
/// drawn from, if it has any.
///
/// # Errors
/// When the template or its data fail, which is a fault of Tacho.
pub fn of_template<T: Serialize, D: Serialize>(
    template: &str,
    page: &T,
    drawn: Option<&D>,
) -> Result<String, RenderError> {
    let mut templates = Environment::new();
    templates.set_auto_escape_callback(|_| AutoEscape::Html);
    templates.add_filter("prose", prose);
    templates.add_template("page", template)?;
    Ok(templates.get_template("page")?.render(context! {
        page => masked(page)?,
        drawn => drawn.map(embedded).transpose()?,
        policy => policy(),
        script => SCRIPT.as_str(),
        style => STYLE,
    })?)
}

/// The page's Content-Security-Policy. Nothing may be fetched, and no script may run except the one
/// with this hash. Injected scripts would not run. Inline styles of any origin are allowed, because
/// each chart of Observable Plot brings its own `<style>` element. Without requests, styles cannot
/// leak anything.
fn policy() -> &'static str {
    static POLICY: LazyLock<String> = LazyLock::new(|| {
        let sum = BASE64_STANDARD.encode(Sha256::digest(&*SCRIPT));
        format!(
            "default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{sum}'; img-src data:; base-uri 'none'; form-action 'none'"
        )
    });
    &POLICY
}

/// Data as JSON inside a `<script>` element, with secrets masked. The data cannot end the element,
/// open a comment, or contain a character that JavaScript before 2019 took for a line break.
fn embedded<T: Serialize + ?Sized>(value: &T) -> serde_json::Result<String> {
    let json = tacho_masking::current().compact_json(value)?;
    Ok(json
        .replace('<', "\\u003c")
        .replace('>', "\\u003e")
        .replace('&', "\\u0026")
        .replace('\u{2028}', "\\u2028")
        .replace('\u{2029}', "\\u2029"))
}

/// A sentence as markup: names between backticks are code, and all else is text.
fn prose(sentence: String) -> Value {
    let markup = words::prose(&sentence).into_iter().map(|stretch| {
        let text = HtmlEscape(&stretch.text);
        match stretch.is_name {
            true => format!("<code>{text}</code>"),
            false => text.to_string(),
        }
    });
    Value::from_safe_string(markup.collect())
}

/// Data for the template of a page, secrets masked.
fn masked<T: Serialize + ?Sized>(value: &T) -> serde_json::Result<Serde<serde_json::Value>> {
    let json = tacho_masking::current().compact_json(value)?;
    serde_json::from_str(&json).map(Serde)
}

#[cfg(test)]
mod tests {
    use super::{embedded, of_template};
    use serde_json::json;

    #[test]
    fn a_name_cannot_end_the_element() {
        let name = "</script><!-- & ]]> \u{2028}\u{2029}";
        let text = embedded(name).unwrap();
        assert!(!text.contains(['<', '>', '&', '\u{2028}', '\u{2029}']));
        assert_eq!(serde_json::from_str::<String>(&text).unwrap(), name);
    }

    #[test]
    fn names_in_sentences_are_code_and_never_markup() {
        let said = "`a<b>` is no `--flag`; one ` alone & <i>";
        let page = of_template("{{ page.said|prose }}", &json!({"said": said}), None::<&()>);
        let wanted =
            "<code>a&lt;b&gt;</code> is no <code>--flag</code>; one ` alone &amp; &lt;i&gt;";
        assert_eq!(page.unwrap(), wanted);
    }
}
