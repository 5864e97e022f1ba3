//! What an experiment says, after parsing: every value is in range, every path absolute.

use crate::companion::CompanionSpec;
use crate::kind::VariantKind;
use crate::launches::Launches;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;
pub use tacho_run_folder::{
    Limits, Objective, PhaseKind, PhasePlan, RateStep, Recipe, ScheduleSpec, SearchSpec, Sweep,
    ThinkSpec, TimeUnit, WarmUp,
};
use tacho_workload::Scenario;

/// A whole experiment.
#[derive(Debug, Clone, PartialEq)]
pub struct Experiment {
    /// For titles and folder names.
    pub name: String,
    /// The service under test.
    pub subject: SubjectSpec,
    /// How to ship it; at least one, names unique.
    pub variants: Vec<VariantSpec>,
    /// Name of the variant that the others are compared with.
    pub baseline: String,
    /// Name of a second copy of it, which is measured as if it were another variant: what is said
    /// of it is chance. Set by [`Self::copy_baseline`].
    pub aa: Option<String>,
    /// Both launches of a block run at the same time, each on half of the processors.
    pub duet: bool,
    /// At least one entry; [`Limits::default`] with the name `none` when none were asked for.
    pub limits: Vec<Limits>,
    /// What is sent, of one step each; at least one, unless it is to be found out (`None`).
    pub requests: Option<Vec<Scenario>>,
    /// Processes of each launch, at least 1.
    pub pods: u32,
    /// What is asked of warm-ups.
    pub warm_up: Option<Sweep>,
    /// What happens in every launch.
    pub phases: Vec<PhasePlan>,
    /// Launches of each cell.
    pub launches: Launches,
    /// Order of the launches.
    pub seed: u64,
    /// Pause between two launches.
    pub rest: Duration,
    /// Practical threshold as a fraction.
    pub threshold: f64,
    /// From sent to end; what takes longer has failed.
    pub request_timeout: Duration,
    /// Which subjects log their collections.
    pub gc_log: GcLog,
    /// Whether each JVM is launched once more, with instruments that cost something.
    pub diagnose: Diagnose,
    /// Connections over which `tacho diagnose` looks into a build at least; also those of its phase
    /// with few, where no phases are named. At least 1.
    pub connections: Option<u32>,
    /// Objectives, parsed later by the analysis, which owns their grammar.
    pub checks: Vec<String>,
    /// Names whose values are masked in all that is written, beside the usual ones (`DB_PASSWORD`,
    /// `Authorization`).
    pub mask: Vec<String>,
    /// What is started beside the launches because the subject needs it, in this order: what it
    /// uses is not foreign load.
    pub companions: Vec<CompanionSpec>,
    /// Companions that run already, by their process numbers. From the command line alone: a file
    /// cannot know a process number.
    pub running_companions: Vec<u32>,
}

impl Experiment {
    /// Adds a second copy of the baseline as a variant of its own (A/A beside A/B).
    pub fn copy_baseline(&mut self) {
        let mut variants = self.variants.iter();
        let Some(baseline) = variants.find(|variant| variant.name == self.baseline) else {
            return;
        };
        let mut name = format!("{}-aa", self.baseline);
        while self.variants.iter().any(|variant| variant.name == name) {
            name.push('-');
        }
        let copy = VariantSpec {
            name: name.clone(),
            ..baseline.clone()
        };
        self.variants.push(copy);
        self.aa = Some(name);
    }
}

/// Which subjects log their collections, each to its launch's folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum GcLog {
    /// Every JVM: the default.
    #[default]
    Jvm,
    /// Native images, too: they print them among their output.
    All,
    /// No launch: collections are not logged.
    Off,
}

/// Diagnosis launches: one more of each cell whose variant is a JVM, after the measured ones. They
/// count in no figure.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Diagnose {
    /// No diagnosis launches: the default.
    #[default]
    Off,
    /// Where the memory is: Native Memory Tracking, a flight recording, the live set.
    Memory,
}

impl Diagnose {
    /// Reads the word of files and of the command line.
    #[must_use]
    pub fn parse(word: &str) -> Option<Self> {
        match word {
            "off" | "false" => Some(Self::Off),
            "memory" => Some(Self::Memory),
            _ => None,
        }
    }
}

/// The service under test; a variant may override any of it.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct SubjectSpec {
    /// Jar, WAR, directory or executable.
    pub artifact: Option<PathBuf>,
    /// Command that makes the artifact, run once in the experiment's folder before the first
    /// launch.
    pub build: Option<Vec<String>>,
    /// Port; else found from the process tree's sockets.
    pub port: Option<u16>,
    /// When it counts as ready.
    pub ready: ReadySpec,
    /// Arguments after the jar or executable.
    pub arguments: Vec<String>,
    /// Flags of the JVM.
    pub jvm_flags: Vec<String>,
    /// Environment beside the inherited one.
    pub environment: BTreeMap<String, String>,
    /// Release (`25`) or path of a JDK; else the newest that suits.
    pub jdk: Option<String>,
    /// Working directory; else the experiment's folder.
    pub directory: Option<PathBuf>,
    /// The application's own packages, such as `com.acme`; else found in the artifact. Of the
    /// subject alone: its variants are one application.
    pub own: Vec<String>,
}

/// When a subject counts as ready.
#[derive(Debug, Clone, PartialEq)]
pub struct ReadySpec {
    /// What has to be seen before the subject counts as ready.
    pub condition: ReadyCondition,
    /// After this the launch has failed.
    pub timeout: Duration,
}

impl Default for ReadySpec {
    fn default() -> Self {
        Self {
            condition: ReadyCondition::Auto,
            timeout: Duration::from_secs(60),
        }
    }
}

/// The condition of readiness.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ReadyCondition {
    /// The health paths of the known frameworks, then the experiment's own first request, then
    /// any HTTP answer below 500.
    Auto,
    /// This path answers 2xx.
    Http(String),
    /// A line of the log matches.
    Log(String),
    /// A connection is accepted.
    Port,
}

/// One way to ship and run the subject. `None` and empty mean: as the subject says.
#[derive(Debug, Clone, PartialEq)]
pub struct VariantSpec {
    /// Unique; letters, digits, `-`, `_`, `.`.
    pub name: String,
    /// How it is made.
    pub kind: VariantKind,
    /// Overrides [`SubjectSpec`], field by field; lists and maps are appended to the subject's.
    pub overrides: SubjectSpec,
    /// True when the field was given, so that readiness is overridden as a whole.
    pub own_ready: bool,
    /// The command of an `exec` variant.
    pub command: Vec<String>,
    /// How it is warmed before it takes traffic.
    pub warm_up: Option<WarmUp>,
    /// What the launch does that its archive or cache is made from.
    pub training: Training,
    /// Left out with a note where this does not hold; `None`: a run without it is none.
    pub only_if: Option<OnlyIf>,
}

/// What has to hold for a variant to take part.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OnlyIf {
    /// It can be made here, however long that takes.
    Possible,
    /// What takes minutes to make was made before.
    Built,
}

/// What a training launch does: of a CDS archive or an AOT cache.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Training {
    /// It becomes ready and answers the experiment's requests, so that their classes (and, in an
    /// AOT cache, profiles) are in it.
    #[default]
    Requests,
    /// It becomes ready, and that is all.
    StartUp,
}

impl VariantSpec {
    /// The variant that its kind alone describes.
    #[must_use]
    pub fn of(kind: VariantKind) -> Self {
        Self {
            name: kind.name().to_owned(),
            kind,
            overrides: SubjectSpec::default(),
            own_ready: false,
            command: Vec::new(),
            warm_up: None,
            training: Training::default(),
            only_if: None,
        }
    }
}
