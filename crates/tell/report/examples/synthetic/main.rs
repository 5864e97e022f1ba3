//! Writes a run folder with made-up numbers and its report, so that anybody can look at one:
//!
//! ```text
//! cargo run -p tacho-report --example synthetic -- /tmp/synthetic-run
//! ```

use std::error::Error;
use std::path::PathBuf;
use tacho_report::{html, junit, markdown, terminal};

mod run;

fn main() -> Result<(), Box<dyn Error>> {
    let Some(root) = std::env::args_os().nth(1).map(PathBuf::from) else {
        return Err("usage: synthetic FOLDER".into());
    };
    let folder = run::write(&root)?;
    let (data, results) = (
        tacho_run::load(&folder)?,
        folder.results()?.ok_or("no results were written")?,
    );
    let report = html::write_page(&folder, &data, &results)?;
    folder.write_page("report.md", &markdown::render(&data, &results))?;
    folder.write_page("junit.xml", &junit::render(&data, &results))?;
    let style = terminal::Style {
        colour: std::env::var_os("NO_COLOR").is_none(),
        ..terminal::Style::default()
    };
    print!(
        "{}",
        terminal::render(&data, &results, Some(&report), &style)
    );
    Ok(())
}
