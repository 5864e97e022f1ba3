//! `jvm.csv`: what the JVM counts of itself, ten times a second.

use super::file::SeriesFile;
use super::probe::{Probe, Reading};
use crate::budget::Budget;
use crate::clock;
use crate::hsperfdata::{Gauge, PerfData};
use std::path::PathBuf;
use tacho_run_folder::FolderError;

/// Share of one processor for looking whether one of the processes is a JVM: its mappings have to be read for it.
const LOOK_SHARE: f64 = 0.002;

/// The series; its file is made with the first line.
pub(super) struct JvmSeries {
    path: PathBuf,
    header: &'static str,
    file: Option<SeriesFile>,
    gauge: Option<(u32, Gauge)>,
    looks: Budget,
}

impl JvmSeries {
    pub(super) fn new(path: PathBuf, header: &'static str) -> Self {
        Self {
            path,
            header,
            file: None,
            gauge: None,
            looks: Budget::new(LOOK_SHARE),
        }
    }

    pub(super) fn append(&mut self, probe: &Probe, reading: &Reading) -> Result<(), FolderError> {
        // The file of a JVM that has ended says for ever what it said last.
        self.gauge.take_if(|(pid, _)| !probe.holds(*pid));
        if self.gauge.is_none() {
            self.look(probe);
        }
        let Some(sample) = self
            .gauge
            .as_mut()
            .and_then(|(_, gauge)| gauge.read(reading.point.at_ms))
        else {
            return Ok(());
        };
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
        self.gauge = probe
            .members()
            .find_map(|pid| Some((pid, Gauge::new(PerfData::open(pid).ok()?))));
        self.looks.charge(now, clock::thread_cpu_s() - before);
    }

    pub(super) fn flush(&mut self) -> Result<(), FolderError> {
        self.file.as_mut().map_or(Ok(()), SeriesFile::flush)
    }
}
