//! The run folder: what is written while running, and read by everything after.
//!
//! ```text
//! runs/20261121-211327-cold-start/
//!   run.json                     who, when, on which machine, which experiment   (RunHeader)
//!   experiment.yaml              the file as it was given, or as it was inferred
//!   plan.json                    cells, phases, the launches in their order      (Plan)
//!   variants/<variant>.json      how each variant was made                       (PreparedVariant)
//!   launches/001-jar@1cpu/
//!     launch.json                what happened, rewritten after every step       (LaunchRecord)
//!     log.txt                    what the subject printed, both streams
//!     samples.csv                resources over time                             (Sample)
//!     memory.csv                 what that memory is, once a second              (MemorySample)
//!     jvm.csv                    what the JVM counts of itself, ten a second     (JvmSample)
//!     gc.log                     the JVM's own log of its collections
//!     requests.csv               the first 10,000 requests one by one            (RequestRow)
//!     slowest.csv                the slowest requests of each phase              (RequestRow)
//!     phases.hlog                one HdrHistogram a second, tagged by phase, request and instant
//!     warm-up/                   requests.csv, slowest.csv and phases.hlog of what warmed it
//!     pod-2/                     log, series and warm-up of a further process of the launch
//!     companion-db.txt           what a companion printed that was started for this launch alone
//!   companions/db.txt            what a companion printed that was there for all launches
//!   diagnosis/017-jar@1cpu/      as a launch, with instruments; counts in no figure
//!     diagnosis.json             what they said                                  (Diagnosis)
//!     native-memory.txt, class-histogram.txt, recording.jfr                      as the JVM gave them
//!   results.json                 the analysis                                    (Results)
//!   report.html                  the report
//! ```
//!
//! Nothing here knows how the numbers came about; analysis and report need nothing else.
//! Units stand in the names: `_ms` milliseconds, `_s` seconds, `_bytes` bytes, `_cpu_s`
//! seconds of processor time. Instants of a launch count from its `exec`.

#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used))]

mod changes;
mod collections;
mod collector;
mod companion;
mod conclusion;
mod data;
mod diagnosis;
mod dissection;
mod duet;
mod error_kind;

mod folder;
mod inside;
mod jvm_series;
mod lateness;
mod launch;
mod memory_pattern;
mod memory_result;
mod memory_series;
mod objective;
mod plan;
mod port_choice;
mod quantile;
mod results;
mod rows;
mod rule;
mod run;
mod search;
mod table;
mod variant;
mod warm_up;
mod warm_up_result;
mod word;
mod words;

pub use changes::*;
pub use collections::{Collection, CollectionKind, CollectionLog, HumongousRegions, PauseTotals};
pub use collector::{Collector, CountedPauses};
pub use companion::CompanionRecord;
pub use conclusion::Conclusion;
pub use data::{DamagedLaunch, DiagnosisData, LaunchData, PhaseTimes, RunData, Second};
pub use diagnosis::*;
pub use dissection::*;
pub use duet::*;
pub use error_kind::ErrorKind;

pub use folder::{FolderError, LaunchDir, RunFolder, log_of, read_document};
pub use jvm_series::JvmSample;
pub use lateness::{
    LATE_SHARE, LateShare, Lateness, is_late, late_shares, late_shares_of, lateness_of,
};
pub use launch::*;
pub use memory_pattern::MemoryPattern;
pub use memory_result::{
    CellMemory, EvidenceSeries, MemoryDiagnosis, MemoryFigure, MemoryFinding, MemoryPart,
    MemorySplit, NotTold,
};
pub use memory_series::MemorySample;
pub use objective::{Objective, ObjectiveError};
pub use plan::*;
pub use port_choice::{PortChoice, PortReason};
pub use quantile::Quantile;
pub use results::*;
pub use rows::{RequestRow, RowOutcome, Sample};
pub use rule::rule_in_words;
pub use run::*;
pub use search::{SearchEnd, SearchRecord, TrialKind, TrialOutcome, TrialRecord};
pub use table::RowError;
pub use variant::*;
pub use warm_up::{PodRecord, Recipe, Sweep, WarmUp, WarmUpEnd, WarmUpRecord, WarmingEnd};
pub use warm_up_result::{
    CellWarmUp, LaunchCourse, ResponseTimes, WarmUpChoice, WarmUpResult, WarmingCause,
};
pub use word::Word;

/// Version of everything in the folder. A reader refuses a newer major number; fields may be
/// added without changing it, never renamed or removed.
pub const FORMAT: u32 = 1;
