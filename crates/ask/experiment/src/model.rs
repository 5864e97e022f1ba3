//! The content of an experiment after parsing: every value is in range, every path is absolute.

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
    /// The ways to ship it; at least one, with unique names.
    pub variants: Vec<VariantSpec>,
    /// Name of the variant that the others are compared with.
    pub baseline: String,
    /// Name of a second copy of the baseline, which is measured like any other variant: every
    /// difference between both is chance. Set by [`Self::copy_baseline`].
    pub aa: Option<String>,
    /// Both launches of a block run at the same time, each on half of the processors.
    pub duet: bool,
    /// At least one entry; [`Limits::default`] with the name `none` when none were asked for.
    pub limits: Vec<Limits>,
    /// The requests, each a scenario of one step; at least one. `None` when Tacho has to find a
    /// request itself.
    pub requests: Option<Vec<Scenario>>,
    /// Processes of each launch, at least 1.
    pub pods: u32,
    /// Settings of the comparison of warm-ups, where there is one.
    pub warm_up: Option<Sweep>,
    /// What happens in every launch.
    pub phases: Vec<PhasePlan>,
    /// Launches of each cell.
    pub launches: Launches,
    /// Seed for the order of the launches.
    pub seed: u64,
    /// Pause between two launches.
    pub rest: Duration,
    /// Practical threshold as a fraction.
    pub threshold: f64,
    /// The longest time from sent to end. A request that takes longer has failed.
    pub request_timeout: Duration,
    /// Which subjects log their collections.
    pub gc_log: GcLog,
    /// Whether each JVM is launched once more, with instruments that slow it down.
    pub diagnose: Diagnose,
    /// The fewest connections over which `tacho diagnose` examines a build. Without named phases,
    /// also the connections of its phase with few connections. At least 1.
    pub connections: Option<u32>,
    /// Objectives as text. The analysis parses them later, because it owns their grammar.
    pub checks: Vec<String>,
    /// Names whose values are masked in all that is written, beside the usual ones (`DB_PASSWORD`,
    /// `Authorization`).
    pub mask: Vec<String>,
    /// Programs that are started beside the launches because the subject needs them, in this order.
    /// The processor time that they use is not foreign load.
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

/// Which subjects log their garbage collections, each into the folder of its launch.
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
    /// Shows what uses the memory: Native Memory Tracking, a flight recording, the live set.
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
    /// Release (`25`) or path of a JDK; otherwise the newest suitable one is used.
    pub jdk: Option<String>,
    /// Working directory; else the experiment's folder.
    pub directory: Option<PathBuf>,
    /// The application's own packages, such as `com.acme`; otherwise they are found in the
    /// artifact. Only the subject has them, because all its variants are one application.
    pub own: Vec<String>,
}

/// When a subject counts as ready.
#[derive(Debug, Clone, PartialEq)]
pub struct ReadySpec {
    /// What has to be seen before the subject counts as ready.
    pub condition: ReadyCondition,
    /// The launch has failed when it is not ready after this time.
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

/// One way to ship and run the subject. `None` and empty values mean that the subject's own
/// settings hold.
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
    /// What the training launch does from which its archive or cache is made.
    pub training: Training,
    /// The variant is left out with a note where this condition does not hold. With `None` the run
    /// fails when the variant cannot be made.
    pub only_if: Option<OnlyIf>,
}

/// What has to hold for a variant to take part.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OnlyIf {
    /// It can be made here, however long that takes.
    Possible,
    /// It is available at once: everything that takes minutes to make was made before.
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
    /// A variant with all defaults of its kind.
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
