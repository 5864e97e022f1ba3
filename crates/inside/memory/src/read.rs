//! Reading everything of a process.

use crate::heap_range::heap_range;
use crate::histogram;
use crate::nmt::{self, NativeMemory};
use crate::pages::Pages;
use crate::split::{Heap, Memory, Readings, split};
use std::ffi::OsStr;
use std::path::Path;
use tacho_attach::Jvm;
use tacho_observe::hsperfdata::{Gauge, PerfData};
use tacho_observe::process::{KnownRanges, kinds, parse_smaps, read_smaps, rollup};
use tacho_run_folder::{LiveSet, NativeReport};

/// Why nothing could be read.
#[derive(Debug, thiserror::Error)]
pub enum MemoryError {
    /// The mappings of the process cannot be read.
    #[error(
        "the mappings of process {pid} cannot be read: {source}; is it running, and yours? Root may read every process"
    )]
    Mappings {
        /// Process id that was given.
        pid: u32,
        /// Why the system could not read them.
        source: std::io::Error,
    },
}

/// What is wanted.
#[derive(Debug, Clone, Copy, Default)]
pub struct Wish {
    /// Tell what is alive from garbage: by a full collection, during which the application stands
    /// still.
    pub live: bool,
}

/// Reads a process, and asks it if it is a JVM.
///
/// # Errors
/// When there is no such process, or its mappings may not be read.
pub fn read(pid: u32, wish: Wish) -> Result<Memory, MemoryError> {
    let mut observed = Observed::of(pid)?;
    if wish.live
        && observed.memory.heap.is_some()
        && let Err(why) = observed.count_live()
    {
        observed.memory.notes.push(why);
    }
    Ok(observed.memory)
}

/// A process as it was read, and the answers of its JVM as they were given.
#[derive(Debug)]
pub struct Observed {
    /// Where its memory is.
    pub memory: Memory,
    /// Native Memory Tracking by category, where it is on, and the text that said so.
    pub native: Option<(NativeReport, String)>,
    /// Or why it cannot be asked.
    jvm: Result<Jvm, String>,
}

impl Observed {
    /// Reads a process, and asks the JVM in it if there is one.
    ///
    /// # Errors
    /// When there is no such process, or its mappings may not be read.
    pub fn of(pid: u32) -> Result<Self, MemoryError> {
        let mut notes = Vec::new();
        let counters = PerfData::open(pid)
            .ok()
            .and_then(|memory| Gauge::new(memory).read(0.0));
        let is_jvm = is_jvm(pid);
        let jvm = match is_jvm {
            true => Jvm::attach(pid).map_err(|why| why.to_string()),
            false => Err("it is no JVM".to_owned()),
        };
        if let (Err(why), true) = (&jvm, is_jvm) {
            notes.push(why.clone());
        }
        let Answers {
            native,
            report,
            known,
        } = jvm
            .as_ref()
            .map_or_else(|_| Answers::default(), |jvm| ask(jvm, &mut notes));
        // Read the mappings directly after the JVM's report. Memory that the JVM maps in between
        // would be unexplained.
        let mut text = String::new();
        read_smaps(pid, &mut text).map_err(|source| MemoryError::Mappings { pid, source })?;
        let pages = Pages::open(pid).ok();
        let mappings = parse_smaps(&text);
        let kinds = kinds(&mappings, &known);
        let rss_bytes = rollup(pid).map_or(0, |all| all.rss_bytes);
        let heap = is_jvm.then(|| Heap {
            committed_bytes: counters.and_then(|c| c.heap_capacity_bytes),
            used_bytes: counters.and_then(|c| c.heap_used_bytes),
            live_bytes: None,
            resident_bytes: 0,
        });
        let memory = split(Readings {
            pid,
            mappings: &mappings,
            kinds: &kinds,
            native: native.as_ref(),
            pages: pages.as_ref(),
            heap,
            rss_bytes,
            source: match (&native, is_jvm) {
                (Some(_), _) => "native memory tracking",
                (None, true) => "jvm",
                (None, false) => "mappings",
            },
            notes,
        });
        Ok(Self {
            memory,
            native: report,
            jvm,
        })
    }

    /// Counts live objects by a full collection. Call this last, since it changes what other
    /// questions would see.
    ///
    /// # Errors
    /// A sentence that says why the JVM did not answer.
    pub fn count_live(&mut self) -> Result<(LiveSet, String), String> {
        let text = self.ask("GC.class_histogram")?;
        let live = histogram::parse(&text)
            .ok_or("the class histogram that the JVM printed could not be read")?;
        self.memory.tell_alive(live.bytes);
        Ok((live, text))
    }

    /// Asks the JVM anything else that `jcmd` knows.
    ///
    /// # Errors
    /// A sentence that says why it did not answer.
    pub fn ask(&self, question: &str) -> Result<String, String> {
        let jvm = self.jvm.as_ref().map_err(Clone::clone)?;
        jvm.jcmd(question).map_err(|e| e.to_string())
    }
}

/// Whether a process runs a JVM: it has mapped its library.
#[must_use]
pub fn is_jvm(pid: u32) -> bool {
    tacho_observe::process::mapped_files(pid)
        .is_ok_and(|files| files.iter().any(|file| is_library(file)))
}

/// A file that was replaced while the JVM runs is shown as "libjvm.so (deleted)".
fn is_library(file: &Path) -> bool {
    let name = file.file_name().and_then(OsStr::to_str);
    name.is_some_and(|name| name.starts_with("libjvm.so"))
}

#[derive(Default)]
struct Answers {
    /// The JVM's report of Native Memory Tracking, with addresses.
    native: Option<NativeMemory>,
    report: Option<(NativeReport, String)>,
    known: KnownRanges,
}

/// Asks for Native Memory Tracking; if that is off, at least for the address of the heap.
fn ask(jvm: &Jvm, notes: &mut Vec<String>) -> Answers {
    let mut answers = Answers::default();
    let text = match jvm.jcmd("VM.native_memory detail") {
        Ok(text) => text,
        Err(why) => {
            notes.push(why.to_string());
            return answers;
        }
    };
    match nmt::parse(&text) {
        Some(native) => {
            answers.report = Some((native.report.clone(), text));
            if !native.ranges.is_empty() {
                answers.native = Some(native);
                return answers;
            }
            // `summary` tracks categories but no addresses, so ranges cannot be matched with
            // mappings.
            notes.push("the JVM tracks its native memory without addresses; -XX:NativeMemoryTracking=detail tells metaspace, collector and libc apart".to_owned());
        }
        None => notes.push("a coarse split: the JVM does not track its native memory. Start it with -XX:NativeMemoryTracking=detail (it costs 5 to 10 % of throughput by the JDK's own word, so never while measuring)".to_owned()),
    }
    answers.known.java_heap = jvm
        .jcmd("GC.heap_info")
        .ok()
        .and_then(|text| heap_range(&text));
    answers
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_jvm_whose_package_was_upgraded_is_one_still() {
        let folder = Path::new("/usr/lib/jvm/java-21/lib/server");
        assert!(is_library(&folder.join("libjvm.so")));
        assert!(is_library(&folder.join("libjvm.so (deleted)")));
        assert!(!is_library(&folder.join("libjava.so")));
        assert!(!is_library(folder));
    }
}
