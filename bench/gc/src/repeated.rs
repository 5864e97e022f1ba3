//! A log of any length out of a short one: its collections again and again, with instants and
//! numbers that go on.

use crate::{BenchError, io};
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

/// Writes at least this many bytes, and says how many it wrote. The lines before the first
/// collection stand once, those after the last not at all.
pub fn write(log: &[u8], bytes: u64, path: &Path) -> Result<u64, BenchError> {
    let text = String::from_utf8_lossy(log);
    let lines: Vec<Line<'_>> = text.lines().filter_map(Line::parse).collect();
    let begin = lines.iter().position(|line| line.number.is_some());
    let end = lines.iter().rposition(|line| line.number.is_some());
    let (Some(begin), Some(end)) = (begin, end) else {
        return Err(BenchError::Unexpected(
            "the recorded log has no collection".to_owned(),
        ));
    };
    let collections = &lines[begin..=end];
    let numbers = 1 + collections
        .iter()
        .filter_map(|line| line.number)
        .max()
        .unwrap_or(0);
    let span = 0.001 + lines[end].at - lines[begin].at;
    let what = path.display().to_string();
    let file = File::create(path).map_err(io(&what))?;
    let mut out = Counted {
        out: BufWriter::new(file),
        bytes: 0,
    };
    for line in &lines[..begin] {
        line.write(&mut out, 0.0, 0).map_err(io(&what))?;
    }
    let mut turn = 0;
    while out.bytes < bytes {
        for line in collections {
            line.write(&mut out, span * turn as f64, numbers * turn)
                .map_err(io(&what))?;
        }
        turn += 1;
    }
    out.flush().map_err(io(&what))?;
    Ok(out.bytes)
}

/// The same of a log of JDK 8, whose instants stand before each record and inside it:
/// `12.221: [GC 12.221: [ParNew: ...`. The lines before the first instant stand once.
pub fn write_preunified(log: &[u8], bytes: u64, path: &Path) -> Result<u64, BenchError> {
    let text = String::from_utf8_lossy(log);
    let lines: Vec<Vec<Piece<'_>>> = text.lines().map(pieces).collect();
    let instants = || {
        let pieces = lines.iter().flatten();
        pieces.filter_map(|piece| match piece {
            Piece::Instant(at) => Some(*at),
            Piece::Text(_) => None,
        })
    };
    let (Some(first), Some(last)) = (instants().next(), instants().next_back()) else {
        return Err(BenchError::Unexpected("the log has no instant".to_owned()));
    };
    let has_instant = |line: &Vec<Piece<'_>>| line.iter().any(|p| matches!(p, Piece::Instant(_)));
    let begin = lines.iter().position(has_instant).unwrap_or(0);
    let what = path.display().to_string();
    let file = File::create(path).map_err(io(&what))?;
    let mut out = Counted {
        out: BufWriter::new(file),
        bytes: 0,
    };
    write_lines(&mut out, &lines[..begin], 0.0).map_err(io(&what))?;
    let mut turn = 0.0;
    while out.bytes < bytes {
        write_lines(&mut out, &lines[begin..], turn * (last - first + 1.0)).map_err(io(&what))?;
        turn += 1.0;
    }
    out.flush().map_err(io(&what))?;
    Ok(out.bytes)
}

/// Of a line of JDK 8.
enum Piece<'a> {
    Text(&'a str),
    /// `12.221: `
    Instant(f64),
}

fn pieces(line: &str) -> Vec<Piece<'_>> {
    let mut found = Vec::new();
    let mut from = 0;
    for (colon, _) in line.match_indices(": ") {
        let before = &line[from..colon];
        let digits = before
            .rfind(|c: char| !c.is_ascii_digit() && c != '.')
            .map_or(0, |at| at + 1);
        let number = &before[digits..];
        let is_instant = number
            .split_once('.')
            .is_some_and(|(_, decimals)| decimals.len() == 3);
        if let (true, Ok(at)) = (is_instant, number.parse()) {
            found.push(Piece::Text(&before[..digits]));
            found.push(Piece::Instant(at));
            from = colon + 2;
        }
    }
    found.push(Piece::Text(&line[from..]));
    found
}

fn write_lines(out: &mut impl Write, lines: &[Vec<Piece<'_>>], later: f64) -> std::io::Result<()> {
    for line in lines {
        for piece in line {
            match piece {
                Piece::Text(text) => out.write_all(text.as_bytes())?,
                Piece::Instant(at) => write!(out, "{:.3}: ", at + later)?,
            }
        }
        out.write_all(b"\n")?;
    }
    Ok(())
}

struct Counted<W> {
    out: W,
    bytes: u64,
}

impl<W: Write> Write for Counted<W> {
    fn write(&mut self, buffer: &[u8]) -> std::io::Result<usize> {
        let written = self.out.write(buffer)?;
        self.bytes += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.out.flush()
    }
}

/// `[0.611s]`, `[info][gc] `, `GC(7)`, the rest.
struct Line<'a> {
    at: f64,
    tags: &'a str,
    number: Option<u64>,
    rest: &'a str,
}

impl<'a> Line<'a> {
    fn parse(line: &'a str) -> Option<Self> {
        let (at, after) = line.strip_prefix('[')?.split_once("s]")?;
        let at = at.parse().ok()?;
        let numbered = || {
            let (tags, rest) = after.split_once("GC(")?;
            let (number, rest) = rest.split_once(')')?;
            Some((tags, number.parse().ok()?, rest))
        };
        Some(match numbered() {
            Some((tags, number, rest)) => Self {
                at,
                tags,
                number: Some(number),
                rest,
            },
            None => Self {
                at,
                tags: after,
                number: None,
                rest: "",
            },
        })
    }

    fn write(&self, out: &mut impl Write, later: f64, further: u64) -> std::io::Result<()> {
        write!(out, "[{:.3}s]{}", self.at + later, self.tags)?;
        if let Some(number) = self.number {
            write!(out, "GC({}){}", number + further, self.rest)?;
        }
        out.write_all(b"\n")
    }
}

#[cfg(test)]
mod tests {
    use super::{write, write_preunified};

    #[test]
    fn instants_of_jdk_8_go_on() {
        let log = "CommandLine flags: -XX:+UseParallelGC\n1.500: [GC (Allocation Failure) 1.500: [DefNew: 2K->1K(4K), 0.001 secs] 2K->1K(8K), 0.001 secs]\n";
        let file = tempfile::NamedTempFile::new().unwrap();
        write_preunified(log.as_bytes(), 200, file.path()).unwrap();
        let written = std::fs::read_to_string(file.path()).unwrap();
        let lines: Vec<&str> = written.lines().collect();
        assert!(lines[0].starts_with("CommandLine"));
        assert!(lines[1].starts_with("1.500: [GC (Allocation Failure) 1.500: [DefNew: 2K"));
        assert!(lines[2].starts_with("2.500: [GC (Allocation Failure) 2.500: [DefNew: 2K"));
    }

    #[test]
    fn instants_and_numbers_go_on() {
        let log = "[0.010s][info][gc] Using G1\n\
                   [0.020s][info][gc] GC(0) Pause Full (System.gc()) 2M->1M(4M) 1.000ms\n\
                   [0.030s][info][gc] GC(1) Pause Full (System.gc()) 2M->1M(4M) 1.000ms\n\
                   [0.040s][info][gc] bye\n";
        let file = tempfile::NamedTempFile::new().unwrap();
        let bytes = write(log.as_bytes(), 300, file.path()).unwrap();
        let written = std::fs::read_to_string(file.path()).unwrap();
        assert_eq!(bytes, written.len() as u64);
        let lines: Vec<&str> = written.lines().collect();
        assert_eq!(lines[0], "[0.010s][info][gc] Using G1");
        assert_eq!(
            lines[3],
            "[0.031s][info][gc] GC(2) Pause Full (System.gc()) 2M->1M(4M) 1.000ms"
        );
        assert!(lines.len() >= 5 && !written.contains("bye"));
    }
}
