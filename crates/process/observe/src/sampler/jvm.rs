//! `jvm.csv`: what the JVM counts of itself, ten times a second.

use super::file::SeriesFile;
use super::probe::{Probe, Reading};
use crate::budget::Budget;
use crate::collector_threads::CollectorThreads;
use crate::hsperfdata::{Gauge, PerfData};
use std::path::PathBuf;
use tacho_clock as clock;
use tacho_run_folder::FolderError;

/// Share of one processor for looking whether one of the processes is a JVM: its mappings have to
/// be read for it.
const LOOK_SHARE: f64 = 0.002;

/// The series; its file is made with the first line.
pub(super) struct JvmSeries {
    path: PathBuf,
    header: &'static str,
    file: Option<SeriesFile>,
    jvm: Option<Jvm>,
    looks: Budget,
}

/// The JVM that is read.
struct Jvm {
    pid: u32,
    gauge: Gauge,
    collector: CollectorThreads,
}

impl JvmSeries {
    pub(super) fn new(path: PathBuf, header: &'static str) -> Self {
        Self {
            path,
            header,
            file: None,
            jvm: None,
            looks: Budget::new(LOOK_SHARE),
        }
    }

    pub(super) fn append(
        &mut self,
        probe: &Probe,
        reading: &Reading,
        last: bool,
    ) -> Result<(), FolderError> {
        // The file of a JVM that has ended would show its last values for ever.
        self.jvm.take_if(|jvm| !probe.holds(jvm.pid));
        if self.jvm.is_none() {
            self.look(probe);
        }
        let Some(jvm) = &mut self.jvm else {
            return Ok(());
        };
        let Some(mut sample) = jvm.gauge.read(reading.point.at_ms) else {
            return Ok(());
        };
        sample.collector_cpu_s = jvm.collector.read(last);
        let file = match &mut self.file {
            Some(file) => file,
            None => self
                .file
                .insert(SeriesFile::create(&self.path, self.header)?),
        };
        file.append(|to| sample.write(to))
    }

    fn look(&mut self, probe: &Probe) {
        let now = clock::monotonic_ns();
        if !self.looks.allows(now) {
            return;
        }
        let before = clock::thread_cpu_s();
        self.jvm = probe.members().find_map(|pid| {
            Some(Jvm {
                pid,
                gauge: Gauge::new(PerfData::open(pid).ok()?),
                collector: CollectorThreads::new(pid),
            })
        });
        self.looks.charge(now, clock::thread_cpu_s() - before);
    }

    pub(super) fn flush(&mut self) -> Result<(), FolderError> {
        self.file.as_mut().map_or(Ok(()), SeriesFile::flush)
    }
}
