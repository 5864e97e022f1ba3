//! `launch.json`: what happened in one launch.

use crate::{
    Collector, CompanionRecord, ErrorKind, PhaseTag, PodRecord, PortChoice, SearchRecord,
    WarmUpRecord, Word,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// One process execution of a variant: the unit of replication.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct LaunchRecord {
    /// From 1, in the order of execution.
    pub number: u32,
    /// Cell that was launched, by its `id` in the plan.
    pub cell: String,
    /// From 1: which launch of this cell.
    pub replicate: u32,
    /// Wall clock of `exec`, RFC 3339 UTC with microseconds.
    pub started_at: String,
    /// The command as it was executed, observation flags included.
    pub command: Vec<String>,
    /// How it ended.
    pub outcome: LaunchOutcome,
    /// From `exec` to ready.
    pub time_line: TimeLine,
    /// What the limits did; absent when none were asked for.
    pub limits: Option<LimitsSeen>,
    /// What the JVM made of its surroundings; absent for other subjects.
    pub jvm: Option<JvmSeen>,
    /// The file in the launch's folder that holds the log of its collections; absent when there is
    /// none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gc_log: Option<String>,
    /// Evidence that the optimisation was active; absent for variants that claim none.
    pub proof: Option<Proof>,
    /// What came of warming it; absent where no warm-up was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub warm_up: Option<WarmUpRecord>,
    /// The phases that were begun, in order.
    pub phases: Vec<PhaseRecord>,
    /// Memory, CPU and threads over the launch.
    pub resources: ResourceSummary,
    /// Beside which launch it ran, and where; absent when it had the machine for itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub duet: Option<DuetSeen>,
    /// Further processes, to which the requests went in turn; all else in this record is of the
    /// first one, but for its phases.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pods: Vec<PodRecord>,
    /// What was told of it where it was a pod on a cluster.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pod: Option<PodLife>,
    /// What the experiment started beside it, because the subject needs it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub companions: Vec<CompanionRecord>,
    /// What a reader of the other files has to know.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

impl LaunchRecord {
    /// Launches with the same number are compared: those of the same block, or in a duet the two
    /// that ran at the same time.
    #[must_use]
    pub fn block(&self) -> u32 {
        let pair = self.duet.as_ref().map(|duet| duet.beside.min(self.number));
        pair.unwrap_or(self.replicate)
    }
}

/// The life of a pod around its process. Instants are milliseconds from `exec`, those before it
/// negative.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PodLife {
    /// Its name.
    pub name: String,
    /// The node that it was on.
    pub node: Option<String>,
    /// The image that ran, by digest, as the node says it.
    pub image: Option<String>,
    /// The API had taken it.
    pub created_ms: f64,
    /// It had a node, as the API told it.
    pub scheduled_ms: Option<f64>,
    /// Its sandbox was there, with its network, as the API told it.
    pub sandbox_ms: Option<f64>,
    /// Its sandbox was there, as it was seen from the node. From then to `exec` the node fetches
    /// the image, where it does not have it, and makes the container. Absent in older records.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sandbox_seen_ms: Option<f64>,
    /// `exec` was seen at most so much after it had been.
    pub exec_within_ms: f64,
    /// The API told that its container runs.
    pub running_told_ms: Option<f64>,
    /// The API told that it is ready.
    pub ready_told_ms: Option<f64>,
    /// The API told that the endpoints of its Service name it; absent where users do not come
    /// through one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub endpoint_told_ms: Option<f64>,
    /// A request through its Service was answered, the first; absent where users do not come
    /// through one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reached_ms: Option<f64>,
    /// And may have been answered at most so much earlier.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reached_within_ms: Option<f64>,
    /// The longest time in which the API told nothing because it was away, or had to be asked anew;
    /// absent when there was none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub missed_ms: Option<f64>,
    /// Nobody saw it from its node: `exec` is what the API says, in whole seconds, and what its
    /// limits did, what it held and spent is not known.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_unseen: bool,
}

/// One of two launches that ran at the same time.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DuetSeen {
    /// The number of the other launch.
    pub beside: u32,
    /// Processors that it was given.
    pub processors: Vec<u32>,
    /// Threads of the subject that might have run elsewhere, at the end of its phases; absent when
    /// it did not come so far.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub strayed: Option<u32>,
}

/// How a launch ended.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "state", rename_all = "kebab-case")]
pub enum LaunchOutcome {
    /// Still going on (or Tacho was killed in it).
    Running,
    /// All phases done.
    Completed,
    /// All phases done, but it is not what it claims to be: a proof is missing.
    Invalid {
        /// What is missing, in one sentence.
        reason: String,
    },
    /// All phases done, but the machine was busy with something else; it was run again.
    Spoiled {
        /// With what, and as which launch, in one sentence.
        reason: String,
    },
    /// Ended before its last phase.
    Failed {
        /// What went wrong, by name.
        cause: FailureCause,
        /// One sentence, with the way out.
        message: String,
        /// The end of its log.
        last_log_lines: Vec<String>,
    },
    /// The user ended the run.
    Interrupted,
}

/// Why a launch failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum FailureCause {
    /// The process could not be started at all.
    NotStarted,
    /// It ended by itself with an exit code.
    Exited,
    /// It was ended by a signal.
    Killed,
    /// The kernel killed it for memory.
    OutOfMemory,
    /// It did not become ready in time.
    NeverReady,
    /// Another process listens on its port.
    PortTaken,
    /// The subject was not inside its control group.
    LimitsNotApplied,
    /// Every request of a phase failed.
    NoResponses,
    /// On a cluster: the node does not get its image.
    ImageNotPulled,
    /// On a cluster: the quota of the namespace leaves no room.
    QuotaReached,
    /// On a cluster: no node takes it.
    NotScheduled,
    /// On a cluster: the node wanted its room.
    Evicted,
    /// On a cluster: its node is gone.
    NodeLost,
    /// On a cluster: the API was away for too long.
    ApiLost,
    /// A change of the Deployment did not come to its end while its users came.
    NotChanged,
}

/// Instants since `exec`, measured from outside.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
pub struct TimeLine {
    /// A socket of the process tree listens.
    pub listening_ms: Option<f64>,
    /// A connection was accepted by the kernel on its behalf.
    pub first_connection_ms: Option<f64>,
    /// The last byte of the first HTTP answer, whatever its status.
    pub first_response_ms: Option<f64>,
    /// The last byte of the first answer with a 2xx status.
    pub first_2xx_ms: Option<f64>,
    /// The readiness condition held.
    pub ready_ms: Option<f64>,
    /// No instant above is later than the truth by more than this.
    pub resolution_ms: f64,
    /// Readiness probes sent.
    pub probes: u32,
    /// Port that was found or given.
    pub port: Option<u16>,
    /// Why that port, where others of the subject listened, too; absent where it was the only one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub port_choice: Option<PortChoice>,
    /// The condition that was met, for people: `GET /actuator/health answered 200`.
    pub ready_by: Option<String>,
    /// What the framework itself says in its log.
    pub claims: Vec<FrameworkClaim>,
}

/// A start-up time that the framework printed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct FrameworkClaim {
    /// `Spring Boot`, `Quarkus`, ...
    pub framework: String,
    /// Start-up as it counts it.
    pub startup_ms: f64,
    /// Since the process began, where it says so.
    pub process_ms: Option<f64>,
    /// The line of the log that says so.
    pub line: String,
}

/// What the control group did to the subject.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
pub struct LimitsSeen {
    /// The subject's process was found inside.
    pub inside: bool,
    /// Path of the group.
    pub path: String,
    /// Processors as read back from the kernel.
    pub cpu: Option<f64>,
    /// Memory as read back from the kernel.
    pub memory_bytes: Option<u64>,
    /// Enforcement periods that passed while it wanted to run.
    pub periods: u64,
    /// Of them, those in which it was stopped.
    pub throttled_periods: u64,
    /// Time that it was stopped.
    pub throttled_s: f64,
    /// Processes killed for memory.
    pub oom_kills: u64,
}

/// What the JVM made of its limits.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
pub struct JvmSeen {
    /// Version as it names itself.
    pub version: Option<String>,
    /// Processors available to it.
    pub processors: Option<u32>,
    /// Memory that it believes to have.
    pub memory_bytes: Option<u64>,
    /// Largest heap that it allows itself, in bytes.
    pub max_heap_bytes: Option<u64>,
    /// Collector in use: `Serial`, `G1`, ...
    #[schemars(with = "Option<String>")]
    pub collector: Option<Word<Collector>>,
    /// Classes loaded when it was ready, shared ones included.
    pub classes_loaded: Option<u64>,
    /// Of them, those served from a CDS or AOT archive.
    pub classes_shared: Option<u64>,
}

/// Evidence that an optimisation was active.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Proof {
    /// What had to be shown: `classes are served from the AOT cache`.
    pub claim: String,
    /// It was shown.
    pub holds: bool,
    /// Share of classes served from an archive, 0 to 1.
    pub shared_classes: Option<f64>,
    /// What was seen, or what was missing and what to do.
    pub evidence: String,
}

/// One phase as it went.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PhaseRecord {
    /// Label of the phase, as in the plan.
    pub label: String,
    /// `cold`, `settle`, `closed`, `open`, `scheduled`, `search` or `rest`.
    #[schemars(with = "String")]
    pub kind: PhaseTag,
    /// When it began, in milliseconds since `exec`.
    pub started_ms: f64,
    /// From its first intended instant to its last end.
    pub duration_s: f64,
    /// Requests whose intended instant came.
    pub requests: u64,
    /// Answered with a status below 400.
    pub succeeded: u64,
    /// By kind: `status-4xx`, `status-5xx`, `refused`, `reset`, `timeout`, `closed`,
    /// `malformed`, ...
    #[schemars(with = "BTreeMap<String, ErrorCount>")]
    pub errors: BTreeMap<Word<ErrorKind>, ErrorCount>,
    /// Complete answers by class of status: `2xx`, `5xx`, ... Empty in records that are older.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub by_status: BTreeMap<String, u64>,
    /// Requests a second that the schedule asked for; open phases only.
    pub intended_rate: Option<f64>,
    /// Answers a second.
    pub throughput: f64,
    /// end - intended.
    pub response_time_ms: Option<Quantiles>,
    /// end - sent.
    pub service_time_ms: Option<Quantiles>,
    /// sent - intended, waiting for a free connection included.
    pub dispatch_delay_ms: Option<Quantiles>,
    /// dispatched - intended: how late the generator itself was.
    pub generator_lag_ms: Option<Quantiles>,
    /// end - dispatched: what response times would have been, had the generator never been late.
    /// Absent in records that are older.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub on_time_response_ms: Option<Quantiles>,
    /// Connections that had to be opened inside the clock.
    pub reconnects: u64,
    /// Processor time of the generator.
    pub generator_cpu_s: f64,
    /// How the generator kept time. Absent in records that are older, and where nothing was sent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time_keeping: Option<TimeKeeping>,
    /// Processor time of the subject's process tree.
    pub subject_cpu_s: f64,
    /// Processor time that the hypervisor gave to others, over all processors.
    pub steal_s: f64,
    /// Who used the machine's processors meanwhile. Absent in records that are older, and where it
    /// was not all known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub processors: Option<ProcessorUse>,
    /// The phase was cut short.
    pub interrupted: bool,
    /// It was ended before all its requests were sent: for a minute nobody had answered.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub unanswered: bool,
    /// What went wrong until its end with where the requests come from, or with what counts as
    /// their answers: messages of a WebSocket that nobody waited for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub trouble: Vec<String>,
    /// Of a settle phase: whether throughput was steady within its time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub settled: Option<bool>,
    /// Of a search all of its trials: the phase's other values are those of the one that decided.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub search: Option<SearchRecord>,
    /// Of a load that several workers shared, what each of them did; all other values are of all of
    /// them together. Absent where there was one generator.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub workers: Vec<WorkerPart>,
}

/// What one of several workers did of a phase.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct WorkerPart {
    /// Its number, from 1.
    pub worker: u32,
    /// How long after the instant that was named to all of them its loop was entered.
    pub began_late_ms: f64,
    /// Requests whose intended instant came.
    pub requests: u64,
    /// Answered with a status below 400.
    pub succeeded: u64,
    /// Processor time of its generator.
    pub generator_cpu_s: f64,
    /// dispatched - intended: how late it was.
    pub generator_lag_ms: Option<Quantiles>,
    /// end - intended, of its own requests. Absent in records that are older.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub response_time_ms: Option<Quantiles>,
    /// end - dispatched: what these would have been, had it never been late. Absent in records that
    /// are older.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub on_time_response_ms: Option<Quantiles>,
    /// Why it did not come to the end of the phase; then its requests are in no figure.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lost: Option<String>,
}

/// Who used the machine's processors from just before a phase to just after it. Of a search that is
/// all of its trials.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ProcessorUse {
    /// From reading to reading.
    pub span_s: f64,
    /// Processor time of all processes together, kernel threads too, over all processors.
    pub busy_cpu_s: f64,
    /// Of it the subject's, with all of its processes.
    pub subject_cpu_s: f64,
    /// Of it Tacho's own: the generator, the observers, the display.
    pub tacho_cpu_s: f64,
    /// Of it the companions': processes that the subject needs, such as a database, and that the
    /// experiment starts or the user has named.
    #[serde(default)]
    pub companions_cpu_s: f64,
    /// Of one side of a duet: all of the above is of this number of processors, which are its own.
    /// Absent when it is of the whole machine.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub processors: Option<u32>,
}

impl ProcessorUse {
    /// What neither the subject, its companions, nor Tacho took. The whole is counted in ticks of
    /// each process, the parts exactly, so that little can come out as less than nothing.
    #[must_use]
    pub fn others_cpu_s(&self) -> f64 {
        (self.busy_cpu_s - self.subject_cpu_s - self.tacho_cpu_s - self.companions_cpu_s).max(0.0)
    }
}

/// How often an error occurred, with one example.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
pub struct ErrorCount {
    /// Requests that ended with it.
    pub count: u64,
    /// The first of them, for people.
    pub example: String,
}

/// How the generator kept time in a phase.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TimeKeeping {
    /// What the end of a request is.
    pub ends: AnswerEnd,
    /// Whether it set its timer early and spun the rest, so as not to wake late.
    pub early_wake: EarlyWake,
    /// Processor time that it spun, a part of `generator_cpu_s`.
    pub spun_s: f64,
    /// Requests that were due within so long were sent together, because that was asked for; 0:
    /// each at its own instant.
    pub batch_ms: f64,
}

/// What the end of a request is.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum AnswerEnd {
    /// The arrival of the segment that completed the answer, by the kernel's stamp.
    KernelStamp,
    /// The same of the segment that completed the TLS record, or of one that was read with it.
    KernelStampOfRecord,
    /// The same of the last segment of the read that completed the HTTP/2 stream.
    KernelStampOfFrame,
    /// The clock, when the generator had read the answer: the kernel stamps none (a Unix socket),
    /// or the loop is closed and reads answers as they come.
    AfterRead,
}

/// Early wakes of the generator.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum EarlyWake {
    /// Its timer was set early, and the rest was spun, for at most a twentieth of one processor.
    On,
    /// The generator may use one processor only, which the subject may need.
    OffOneProcessor,
    /// Nothing was due by itself.
    NotNeeded,
}

/// A distribution of times in milliseconds, from an HdrHistogram with 3 digits.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[allow(missing_docs)]
pub struct Quantiles {
    /// Values in it.
    pub count: u64,
    pub min: f64,
    pub mean: f64,
    pub p50: f64,
    pub p90: f64,
    pub p95: f64,
    pub p99: f64,
    pub p99_9: f64,
    pub max: f64,
}

/// Memory, CPU and threads over the launch; the series is in `samples.csv`.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
pub struct ResourceSummary {
    /// Highest resident set of the process tree seen.
    pub peak_rss_bytes: Option<u64>,
    /// Highest proportional set seen.
    pub peak_pss_bytes: Option<u64>,
    /// Highest usage of the control group, by the kernel's own high-water mark where it has one.
    pub peak_cgroup_bytes: Option<u64>,
    /// Highest working set (usage less inactive file pages, as Kubernetes counts it) seen.
    pub peak_working_set_bytes: Option<u64>,
    /// Most threads seen.
    pub peak_threads: Option<u32>,
    /// When the subject was ready.
    pub at_ready: Option<ResourcePoint>,
    /// After the first request of the first phase.
    pub after_first_request: Option<ResourcePoint>,
    /// After the last phase.
    pub at_end: Option<ResourcePoint>,
    /// Processor time that the observers took in Tacho, so that they are accounted for.
    pub observer_cpu_s: f64,
    /// The part of it that was taken while nothing was measured: at ready, before the first request
    /// is sent, and when the last has been answered. Absent in older records.
    #[serde(default, skip_serializing_if = "is_nothing")]
    pub observer_cpu_at_rest_s: f64,
}

/// What the subject held at one instant.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
pub struct ResourcePoint {
    /// In milliseconds since `exec`.
    pub at_ms: f64,
    /// Resident set of the process tree.
    pub rss_bytes: u64,
    /// Proportional set: of shared pages its share. Absent where it was too costly to read.
    pub pss_bytes: Option<u64>,
    /// Usage of the control group.
    pub cgroup_bytes: Option<u64>,
    /// Working set of the control group.
    pub working_set_bytes: Option<u64>,
    /// Processor time since `exec`.
    pub cpu_s: f64,
    /// Threads of the process tree.
    pub threads: u32,
}

fn is_nothing(seconds: &f64) -> bool {
    *seconds == 0.0
}
