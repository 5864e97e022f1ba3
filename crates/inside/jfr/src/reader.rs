//! Runs the reader of recordings in a JVM, and takes its lines.

use crate::confined::Confined;
use crate::event::{Event, is_end};
use crate::summary::KINDS;
use flate2::read::GzDecoder;
use std::collections::BTreeMap;
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::Duration;
use tacho_launch::{Lease, LeaseError, RunError, Spawn, run_to_end};

const JAR: &[u8] = include_bytes!(env!("TACHO_JFR_READER_JAR"));
/// Maximum number of stack frames: enough to see whether the recorder itself is among them.
const FRAMES: u32 = 32;
/// Longest line. An event with all frames and names of 64 KiB each (JVM Specification 4.4.7) would
/// be longer, but no build makes such names.
const LONGEST_LINE: usize = 4 << 20;
/// All lines together. In the time that it has, the reader writes less.
const MOST_TEXT: u64 = 128 << 30;
/// A recording has 250 MB at most unless it is told otherwise.
const LONGEST: Duration = Duration::from_secs(15 * 60);

/// What is to be read, by whom.
#[derive(Debug, Clone, Copy)]
pub struct Reading<'a> {
    /// Path of the recording.
    pub recording: &'a Path,
    /// `bin/java` of a JDK, at best of the one that made it.
    pub java: &'a Path,
    /// The user's wish to end.
    pub stop: &'a AtomicBool,
}

/// Why a recording could not be read.
#[derive(Debug, thiserror::Error)]
pub enum JfrError {
    /// There is none.
    #[error(
        "{0} is missing: the JVM writes it when the recording is stopped or when the JVM exits normally; the JVM was killed, or lacks the module jdk.jfr"
    )]
    NoRecording(PathBuf),
    /// A file of our own.
    #[error("{path}: {source}")]
    Io {
        /// Path of the file that could not be read or written.
        path: PathBuf,
        /// Why the system refused.
        source: io::Error,
    },
    /// No lease for the reader's process.
    #[error(transparent)]
    Lease(#[from] LeaseError),
    /// The reader did not come to its end.
    #[error("the reader of {recording} did not end: {source}")]
    NotRun {
        /// Path of the recording.
        recording: PathBuf,
        /// Why the reader's process did not end by itself.
        source: RunError,
    },
    /// The reader could not do its work.
    #[error(
        "{java} could not read {recording} ({how}): {tail}\nIt takes a JVM, 17 or newer, with the module `jdk.jfr`"
    )]
    Failed {
        /// The `java` that was asked.
        java: PathBuf,
        /// Path of the recording.
        recording: PathBuf,
        /// Exit code or signal.
        how: String,
        /// The end of what it printed.
        tail: String,
    },
    /// The stream of events has no end.
    #[error("the output of {java} for {recording} is cut off; is the disk full?")]
    CutOff {
        /// The `java` that was asked.
        java: PathBuf,
        /// Path of the recording.
        recording: PathBuf,
    },
}

/// Passes every event of the kinds that a summary knows to `take`, in the order in which they
/// ended. Passes `None` for a line that is not an event.
///
/// # Errors
/// When there is no recording, or nobody who can read it.
pub fn read(reading: &Reading<'_>, take: &mut dyn FnMut(Option<&Event>)) -> Result<(), JfrError> {
    let kinds: Vec<&str> = KINDS.iter().map(|(name, _)| *name).collect();
    let lines = Lines {
        kinds: &kinds,
        frames: FRAMES,
    };
    read_lines(reading, &lines, &mut |line| {
        take(Event::parse(line).as_ref());
    })
}

/// What the reader is to write.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Lines<'a> {
    /// Names of events.
    pub kinds: &'a [&'a str],
    /// Most frames of a stack trace.
    pub frames: u32,
}

/// Gives every line of the reader but the last to `take`.
pub(crate) fn read_lines(
    reading: &Reading<'_>,
    wanted: &Lines<'_>,
    take: &mut dyn FnMut(&str),
) -> Result<(), JfrError> {
    if !reading.recording.exists() {
        return Err(JfrError::NoRecording(reading.recording.to_owned()));
    }
    let confined = Confined::make(JAR, reading.recording)?;
    let finished = run_to_end(
        Spawn {
            command: command(reading.java, wanted, &confined),
            directory: confined.folder().to_owned(),
            environment: BTreeMap::new(),
            log: confined.log(),
            join: Vec::new(),
            user: confined.reader(),
            lease: Lease::take(&[])?,
        },
        reading.stop,
        LONGEST,
    )
    .map_err(|source| JfrError::NotRun {
        recording: reading.recording.to_owned(),
        source,
    })?;
    if !finished.exit.success() {
        return Err(JfrError::Failed {
            java: reading.java.to_owned(),
            recording: reading.recording.to_owned(),
            how: finished.exit.to_string(),
            tail: finished.tail.join("\n"),
        });
    }
    let lines = confined.lines();
    let file = confined.written().map_err(|e| io_error(&lines, e))?;
    if take_compressed(file, take).map_err(|e| io_error(&lines, e))? {
        return Ok(());
    }
    Err(JfrError::CutOff {
        java: reading.java.to_owned(),
        recording: reading.recording.to_owned(),
    })
}

fn command(java: &Path, wanted: &Lines<'_>, confined: &Confined) -> Vec<String> {
    let mut command = vec![
        java.display().to_string(),
        // The reader lives for seconds, and the C2 compiler would only take time from C1.
        "-XX:TieredStopAtLevel=1".to_owned(),
        "-Xmx512m".to_owned(),
        // Otherwise the reader would create a performance memory file in /tmp.
        "-XX:-UsePerfData".to_owned(),
        "-jar".to_owned(),
        confined.jar().display().to_string(),
        confined.recording().display().to_string(),
        "--frames".to_owned(),
        wanted.frames.to_string(),
        "--to".to_owned(),
        confined.lines().display().to_string(),
    ];
    command.extend(wanted.kinds.iter().map(|name| (*name).to_owned()));
    command
}

/// Takes the lines of a gzip file, and tells whether the last one was there. A few bytes of a file
/// can stand for a text without end, so the text has a bound.
fn take_compressed(file: impl Read, take: &mut dyn FnMut(&str)) -> io::Result<bool> {
    let text = GzDecoder::new(file).take(MOST_TEXT);
    match take_lines(BufReader::new(text), take) {
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Ok(false),
        taken => taken,
    }
}

/// Whether the last line was there. A line that is too long is passed on as one that cannot be
/// parsed.
fn take_lines(mut lines: impl BufRead, take: &mut dyn FnMut(&str)) -> io::Result<bool> {
    let mut line = Vec::new();
    let mut whole = false;
    loop {
        line.clear();
        let most = LONGEST_LINE as u64;
        if Read::by_ref(&mut lines)
            .take(most)
            .read_until(b'\n', &mut line)?
            == 0
        {
            return Ok(whole);
        }
        if line.last() != Some(&b'\n') && line.len() == LONGEST_LINE {
            pass_over_line(&mut lines)?;
            take("");
            continue;
        }
        let line = String::from_utf8_lossy(&line);
        if is_end(&line) {
            whole = true;
        } else {
            take(&line);
        }
    }
}

fn pass_over_line(lines: &mut impl BufRead) -> io::Result<()> {
    loop {
        let piece = lines.fill_buf()?;
        let end = memchr::memchr(b'\n', piece);
        let length = end.map_or(piece.len(), |end| end + 1);
        lines.consume(length);
        if end.is_some() || length == 0 {
            return Ok(());
        }
    }
}

pub(crate) fn io_error(path: &Path, source: io::Error) -> JfrError {
    JfrError::Io {
        path: path.to_owned(),
        source,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::Compression;
    use flate2::write::GzEncoder;
    use std::io::Write;

    /// Half a gigabyte without the end of a line, and then a good one.
    #[test]
    fn a_line_without_an_end_is_not_kept() {
        let endless = io::repeat(b'a').take(512 << 20);
        let text = BufReader::new(endless.chain(&b"\nnoise\n{\"end\":{\"events\":1}}\n"[..]));
        let mut lengths = Vec::new();
        assert!(take_lines(text, &mut |line| lengths.push(line.len())).unwrap());
        assert_eq!(lengths, [0, 6]);
    }

    #[test]
    fn a_stream_that_was_cut_off_is_not_whole() {
        let text = "{\"event\":\"jdk.CPULoad\",\"fields\":{\"startTime\":1,\"jvmUser\":0.25,\"jvmSystem\":0.0}}\nnoise\n{\"end\":{\"events\":1}}\n";
        let mut lines = Vec::new();
        assert!(take_lines(text.as_bytes(), &mut |line| lines.push(line.to_owned())).unwrap());
        assert_eq!(lines[1..], ["noise\n"]);
        let cut = &text[..text.len() - 30];
        assert!(!take_lines(cut.as_bytes(), &mut |_| {}).unwrap());
    }

    #[test]
    fn compressed_lines_are_whole_or_cut_off() {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
        encoder
            .write_all(b"noise\n{\"end\":{\"events\":1}}\n")
            .unwrap();
        let file = encoder.finish().unwrap();
        let mut lines = Vec::new();
        assert!(take_compressed(&file[..], &mut |line| lines.push(line.to_owned())).unwrap());
        assert_eq!(lines, ["noise\n"]);
        for length in [0, 5, file.len() / 2, file.len() - 1] {
            let is_whole = take_compressed(&file[..length], &mut |_| {}).unwrap();
            assert!(!is_whole, "{length}");
        }
    }
}
