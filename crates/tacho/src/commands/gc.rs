//! `tacho gc`.

use crate::arguments::Gc;
use crate::error::Error;
use crate::exit::Exit;
use crate::output::Unwritten;
use crate::{Done, output};
use std::path::{Path, PathBuf};
use tacho_gc_conclusions::{Reading, side_by_side};
use tacho_gc_log::{
    Axis, Collections, Course, Event, GcLogError, GcSummary, LineOrder, Log, parts,
};
use tacho_gc_report::two::Two;
use tacho_gc_report::{html, json, text};

/// The largest share of lines with figures that may be not understood. Above it, the numbers do not
/// describe the log.
const MOST_UNKNOWN: f64 = 0.1;

/// Reads garbage collection logs and says what they add up to; two logs are compared.
pub fn gc(arguments: &Gc) -> Done {
    match arguments.logs.as_slice() {
        [old, new] if are_two(arguments, old, new) => compare(arguments, old, new),
        logs => {
            if arguments.compare {
                return Err(Error::TwoLogs(logs.len()));
            }
            one(arguments, logs)
        }
    }
}

fn one(arguments: &Gc, logs: &[PathBuf]) -> Done {
    let (reading, course) = read(logs, arguments)?;
    let mut unwritten = Unwritten::default();
    if let Some(path) = &arguments.html {
        let page = html::render(&reading, &course)?;
        unwritten.take(output::write_as_it_is(path, page.as_bytes()));
    }
    unwritten.take(output::json_or_summary(
        arguments.json.as_deref(),
        || json::render(&reading),
        || text::render(&reading, &output::style()),
    ));
    unwritten.or(match is_readable(&reading.summary) {
        true => Exit::Done,
        false => Exit::Invalid,
    })
}

fn compare(arguments: &Gc, old: &Path, new: &Path) -> Done {
    let (old, old_course) = read(&[old.to_owned()], arguments)?;
    let (new, new_course) = read(&[new.to_owned()], arguments)?;
    let rows = side_by_side::compare(&old_course, &new_course);
    let two = Two::new(&old, &new, &rows);
    let mut unwritten = Unwritten::default();
    if let Some(path) = &arguments.html {
        let page = html::render_two(&two, &old_course, &new_course)?;
        unwritten.take(output::write_as_it_is(path, page.as_bytes()));
    }
    unwritten.take(output::json_or_summary(
        arguments.json.as_deref(),
        || two.json(),
        || two.text(&output::style()),
    ));
    let readable = is_readable(&old.summary) && is_readable(&new.summary);
    unwritten.or(match readable {
        true => Exit::Done,
        false => Exit::Invalid,
    })
}

/// Whether two files are two logs. The user may say so; otherwise the names decide. Files of a
/// rotation are in one directory and differ only in their numbers.
fn are_two(arguments: &Gc, old: &Path, new: &Path) -> bool {
    let is_stdin = |path: &Path| path.as_os_str() == "-";
    if arguments.together || is_stdin(old) || is_stdin(new) {
        return false;
    }
    let is_one_log = old.parent() == new.parent() && stem(old) == stem(new);
    arguments.compare || !is_one_log
}

/// A file's name without numbers, `.current` and `.gz`.
fn stem(path: &Path) -> String {
    let name = path
        .file_name()
        .map(|name| name.to_string_lossy().into_owned())
        .unwrap_or_default();
    let name = name.strip_suffix(".gz").unwrap_or(&name);
    let name = name.strip_suffix(".current").unwrap_or(name);
    let letters: String = name.chars().filter(|c| !c.is_ascii_digit()).collect();
    letters.trim_end_matches(['.', '-', '_']).to_owned()
}

fn is_readable(summary: &GcSummary) -> bool {
    let lines = &summary.lines;
    lines.events > 0 && !summary.is_something_else() && lines.unknown_share() <= MOST_UNKNOWN
}

fn read(logs: &[PathBuf], arguments: &Gc) -> Result<(Reading, Course), Error> {
    let mut log = Log::default();
    let mut collections = Collections::on(Axis::Log);
    let mut take = |event: &Event<'_>| collections.take(event);
    let (inputs, files): (Vec<_>, Vec<_>) = logs
        .iter()
        .cloned()
        .partition(|path| path.as_os_str() == "-");
    let mut names = Vec::new();
    for part in parts(&files)? {
        log.read_part(&part, &mut take)?;
        names.push(part.name());
    }
    if let Some(path) = inputs.into_iter().next() {
        names.push(path.display().to_string());
        log.read(std::io::stdin().lock(), &mut take)
            .map_err(|source| GcLogError::Read { path, source })?;
    }
    let lines = log.end(&mut take);
    let (mut summary, mut course) = collections.finish(names, lines);
    if let Some((turned, its_course)) = turned_round(&summary, logs)? {
        (summary, course) = (turned, its_course);
    }
    let reading = Reading::of(summary, &course, arguments.objective.as_secs_f64() * 1e3);
    Ok((reading, course))
}

/// The same of a file whose newest line comes first, read from its end; `None` of any other.
fn turned_round(
    summary: &GcSummary,
    logs: &[PathBuf],
) -> Result<Option<(GcSummary, Course)>, Error> {
    let is_backward = |summary: &GcSummary| {
        let time = summary.time.as_ref();
        time.is_some_and(|time| time.order == LineOrder::Backward)
    };
    let is_stdin = |path: &PathBuf| path.as_os_str() == "-";
    if !is_backward(summary) || logs.iter().any(is_stdin) {
        return Ok(None);
    }
    let [part] = &parts(logs)?[..] else {
        return Ok(None);
    };
    let mut log = Log::default();
    let mut collections = Collections::on(Axis::Log);
    let mut take = |event: &Event<'_>| collections.take(event);
    if !log.read_part_backward(part, &mut take)? {
        return Ok(None);
    }
    let lines = log.end(&mut take);
    let (mut turned, course) = collections.finish(vec![part.name()], lines);
    if is_backward(&turned) {
        return Ok(None);
    }
    let note = "The newest line came first; the lines were turned round.";
    turned.notes.insert(0, note.to_owned());
    Ok(Some((turned, course)))
}

#[cfg(test)]
mod tests {
    use super::{Gc, Path, are_two, stem};

    #[test]
    fn files_of_a_rotation_have_one_stem() {
        for name in [
            "gc.log",
            "gc.log.0",
            "gc.log.12.gz",
            "gc.log.3.current",
            "gc.log.gz",
        ] {
            assert_eq!(stem(Path::new(name)), "gc.log", "{name}");
        }
        let day = |day: &str| stem(&Path::new("logs").join(format!("gc-2026-11-{day}.log")));
        assert_eq!(day("25"), day("26"));
        assert_ne!(stem(Path::new("old.log")), stem(Path::new("new.log")));
    }

    #[test]
    fn one_name_in_two_directories_is_two_logs() {
        let arguments = Gc {
            logs: Vec::new(),
            objective: std::time::Duration::from_millis(200),
            compare: false,
            together: false,
            json: None,
            html: None,
        };
        let are_two = |old: &str, new: &str| are_two(&arguments, Path::new(old), Path::new(new));
        assert!(are_two("old/gc.log", "new/gc.log"));
        assert!(!are_two("logs/gc.log.0", "logs/gc.log.1"));
    }
}
