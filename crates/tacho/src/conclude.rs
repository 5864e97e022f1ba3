//! From a run folder to results, reports and exit code.

use crate::error::Error;
use crate::exit::Exit;
use crate::exports::{Exports, OfRun};
use crate::output::Unwritten;
use crate::{Done, output};
use std::path::{Path, PathBuf};
use tacho_report::{Analysed, html, terminal};
use tacho_run_folder::{Conclusion, RunFolder};

/// The exit code.
pub fn exit(of: &Analysed) -> Exit {
    Conclusion::of(&of.run, &of.results).into()
}

/// The same for a run that is over. If JSON goes to standard output, only files that were asked for
/// are written.
pub fn conclude_again(folder: &RunFolder, checks: &[String], exports: &Exports<OfRun>) -> Done {
    let is_written = !exports.takes_stdout();
    conclude(folder, checks, exports, is_written).map(|of| exit(&of))
}

/// Analyses the run, writes the reports and prints the summary. If something cannot be written, the
/// rest is still printed, and the error is reported at the end.
pub fn conclude(
    folder: &RunFolder,
    checks: &[String],
    exports: &Exports<OfRun>,
    is_written: bool,
) -> Result<Analysed, Error> {
    let mut run = tacho_run::load(folder)?;
    run.plan.checks.extend_from_slice(checks);
    let results = tacho_analysis::analyse(&run);
    let of = Analysed { run, results };
    let mut unwritten = Unwritten::default();
    let page = is_written.then(|| write(folder, &of));
    let page = page.and_then(|page| unwritten.take(page));
    exports.write(&of, &mut unwritten);
    if !exports.takes_stdout() {
        let Analysed { run, results } = &of;
        let summary = terminal::render(run, results, page.as_deref(), &output::style());
        unwritten.take(crate::print(&summary));
    }
    unwritten.or(of)
}

/// The same, but prints nothing.
pub fn conclude_silently(folder: &RunFolder, exports: &Exports<OfRun>) -> Result<Analysed, Error> {
    let run = tacho_run::load(folder)?;
    let results = tacho_analysis::analyse(&run);
    let of = Analysed { run, results };
    write(folder, &of)?;
    let mut unwritten = Unwritten::default();
    // The command writes its own JSON document.
    exports.without("json").write(&of, &mut unwritten);
    unwritten.or(of)
}

/// Writes results and page into the run folder; returns the path of the page, as it is shown.
fn write(folder: &RunFolder, of: &Analysed) -> Result<PathBuf, Error> {
    folder.write_results(&of.results)?;
    Ok(shown(&html::write_page(folder, &of.run, &of.results)?))
}

/// Relative to the current directory, if the path is below it.
pub fn shown(path: &Path) -> PathBuf {
    let here = std::env::current_dir().unwrap_or_default();
    path.strip_prefix(&here).unwrap_or(path).to_owned()
}
