//! Where the results of a command go: into files, and to standard output.

use crate::error::Error;
use crate::print;
use rustix::fs::FileType;
use rustix::io::Errno;
use std::fmt::Display;
use std::io::{IsTerminal, Write};
use std::path::Path;
use tacho_report::terminal::Style;

/// Width if the terminal does not tell its columns.
const WIDTH: usize = 100;

/// How a summary is printed on standard output.
pub fn style() -> Style {
    let stdout = std::io::stdout();
    let width = stdout
        .is_terminal()
        .then(|| rustix::termios::tcgetwinsize(&stdout).ok())
        .flatten()
        .map(|size| usize::from(size.ws_col))
        .filter(|columns| *columns > 0);
    Style {
        colour: has_colours(&stdout),
        width: width.unwrap_or(WIDTH),
    }
}

/// Whether `--color`, the environment and the stream itself let it have colours.
pub fn has_colours(stream: &impl anstream::stream::RawStream) -> bool {
    anstream::AutoStream::choice(stream) != anstream::ColorChoice::Never
}

/// `-` is standard output.
pub fn is_stdout(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// Writes a file. In text files, known secrets are masked.
pub fn write(path: &Path, content: impl AsRef<[u8]>) -> Result<(), Error> {
    let content = content.as_ref();
    let masked = std::str::from_utf8(content).map(|text| tacho_masking::current().known(text));
    write_as_it_is(
        path,
        masked.as_ref().map_or(content, |text| text.as_bytes()),
    )
}

/// Writes a file unchanged: a page, whose data is masked already and whose policy contains the hash
/// of its script, or a file for another tool.
pub fn write_as_it_is(path: &Path, content: &[u8]) -> Result<(), Error> {
    tacho_files::write_where_asked(path, content).map_err(|source| Error::Write {
        path: path.to_owned(),
        source,
    })
}

/// Writes JSON to the given file and prints the summary. If the file is standard output, prints
/// only JSON.
pub fn json_or_summary<E>(
    json: Option<&Path>,
    render: impl FnOnce() -> Result<String, E>,
    summary: impl FnOnce() -> String,
) -> Result<(), Error>
where
    Error: From<E>,
{
    if let Some(path) = json {
        let text = render()?;
        if is_stdout(path) {
            return print(&text);
        }
        let written = write(path, text);
        print(&summary())?;
        return written;
    }
    print(&summary())
}

/// Errors of files that could not be written while the others were. They are reported after
/// everything else has been printed.
#[derive(Default)]
pub struct Unwritten(Vec<Error>);

impl Unwritten {
    /// The value, or `None`, in which case the error is kept.
    pub fn take<T, E: Into<Error>>(&mut self, result: Result<T, E>) -> Option<T> {
        result.map_err(|error| self.0.push(error.into())).ok()
    }

    /// The value, unless something could not be written.
    pub fn or<T>(mut self, value: T) -> Result<T, Error> {
        let last = self.0.pop();
        for error in &self.0 {
            crate::print_error(error);
        }
        last.map_or(Ok(value), Err)
    }
}

/// Any value as JSON for people, ending in a newline.
pub fn pretty(value: &impl serde::Serialize) -> Result<String, Error> {
    let bytes = tacho_masking::current()
        .json(value)
        .map_err(tacho_report::ReportError::from)?;
    // serde_json writes nothing but UTF-8.
    Ok(String::from_utf8_lossy(&bytes).into_owned() + "\n")
}

/// Prints a line on standard error. It may contain text from elsewhere, so control sequences other
/// than colours are made visible.
pub fn say(line: &str) {
    draw(format_args!(
        "{}\n",
        tacho_foreign::visible_with_colours(line)
    ));
}

/// Writes to standard error. If nobody can read it (a closed pipe, a lost terminal, a full disk),
/// the work goes on: the measurement is worth more than the messages about it.
pub fn draw(text: impl Display) {
    let _ = write!(anstream::stderr(), "{text}");
}

/// Whether writing to standard output failed because its reader is gone. That is a closed pipe, or
/// a closed terminal, which fails with EIO (tty_ioctl(4), vhangup(2)). EIO on a regular file means
/// a broken disk.
pub fn is_nobody_left(error: &std::io::Error) -> bool {
    let is_file = || {
        rustix::fs::fstat(std::io::stdout())
            .is_ok_and(|stat| FileType::from_raw_mode(stat.st_mode) == FileType::RegularFile)
    };
    error.kind() == std::io::ErrorKind::BrokenPipe
        || (Errno::from_io_error(error) == Some(Errno::IO) && !is_file())
}
