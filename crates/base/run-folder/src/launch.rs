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
    /// What the JVM saw of the machine and chose by it: processors, memory, heap, collector. Absent
    /// for other subjects.
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
    /// The launch that ran at the same time, and the processors that this one had; absent when it
    /// ran alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub duet: Option<DuetSeen>,
    /// The other processes of this launch, where there are several; requests went to them in turn.
    /// All else in this record is about the first process, except `phases`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pods: Vec<PodRecord>,
    /// The life of the pod, where the launch ran on a cluster.
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
    /// When the API accepted the pod.
    pub created_ms: f64,
    /// When the API reported that the pod has a node, or its sandbox was seen there before that.
    pub scheduled_ms: Option<f64>,
    /// When the API reported that the pod's sandbox is there, with its network.
    pub sandbox_ms: Option<f64>,
    /// When the sandbox was seen on the node. From then to `exec` the node fetches the image, where
    /// it does not have it, and makes the container. Absent in older records.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sandbox_seen_ms: Option<f64>,
    /// When the container was seen on the node, before its process was executed: by then its image
    /// was fetched and unpacked. 0 where it was first seen with its process. Absent where the pod
    /// has other containers, and in older records.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub container_seen_ms: Option<f64>,
    /// `exec` was seen at most this many milliseconds after it happened.
    pub exec_within_ms: f64,
    /// When the API reported that the container runs.
    pub running_told_ms: Option<f64>,
    /// When the API reported that the pod is ready.
    pub ready_told_ms: Option<f64>,
    /// When the API reported that the endpoints of the Service include the pod; absent where users
    /// do not come through a Service.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub endpoint_told_ms: Option<f64>,
    /// When the first request through the Service was answered; absent where users do not come
    /// through a Service.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reached_ms: Option<f64>,
    /// How much earlier than `reached_ms` the Service may have answered, in milliseconds at most.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reached_within_ms: Option<f64>,
    /// Longest time without news from the API, in milliseconds, because it was away or had to be
    /// asked again; absent when there was none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub missed_ms: Option<f64>,
    /// The launch was not observed from its node. `exec` is then what the API says, in whole
    /// seconds, and the effect of the limits, memory and processor time are not known.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_unseen: bool,
}

/// One of two launches that ran at the same time.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DuetSeen {
    /// The number of the other launch.
    pub beside: u32,
    /// Numbers of the processors that it was given.
    pub processors: Vec<u32>,
    /// Number of the subject's threads that were allowed to run on other processors, at the end of
    /// the phases; absent when the launch did not get that far.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub strayed: Option<u32>,
}

/// How a launch ended.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "state", rename_all = "kebab-case")]
pub enum LaunchOutcome {
    /// Still running, or Tacho was killed during it.
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
        /// What the machine was busy with, and which launch repeats this one, in one sentence.
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
    /// On a cluster: the node could not fetch the image.
    ImageNotPulled,
    /// On a cluster: the quota of the namespace leaves no room.
    QuotaReached,
    /// On a cluster: no node accepted the pod.
    NotScheduled,
    /// On a cluster: the pod was evicted, because its node was drained or needed the room.
    Evicted,
    /// On a cluster: its node is gone.
    NodeLost,
    /// On a cluster: the API was away for too long.
    ApiLost,
    /// A change of the Deployment did not finish while the load ran.
    NotChanged,
}

/// Instants in milliseconds since `exec`, measured from outside the process; null where one was not
/// reached.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
pub struct TimeLine {
    /// When a socket of the process tree first listened.
    pub listening_ms: Option<f64>,
    /// When the kernel first accepted a connection for it.
    pub first_connection_ms: Option<f64>,
    /// When the last byte of the first HTTP answer came, whatever its status.
    pub first_response_ms: Option<f64>,
    /// When the last byte of the first answer with a 2xx status came.
    pub first_2xx_ms: Option<f64>,
    /// When the readiness condition was met.
    pub ready_ms: Option<f64>,
    /// Largest error of the instants above, in milliseconds: none is later than the truth by more
    /// than this.
    pub resolution_ms: f64,
    /// Readiness probes sent.
    pub probes: u32,
    /// Port that was found or given.
    pub port: Option<u16>,
    /// Why this port was measured, where the subject listened on several; absent where it listened
    /// on one.
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
    /// Start-up time as the framework counts it, in milliseconds.
    pub startup_ms: f64,
    /// Time since the process began, in milliseconds; null where the framework does not print it.
    pub process_ms: Option<f64>,
    /// The line of the log that says so.
    pub line: String,
}

/// What the control group did to the subject.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
pub struct LimitsSeen {
    /// Whether the subject's process was found in the control group.
    pub inside: bool,
    /// Path of the group.
    pub path: String,
    /// Processors as read back from the kernel.
    pub cpu: Option<f64>,
    /// Memory as read back from the kernel.
    pub memory_bytes: Option<u64>,
    /// Enforcement periods of the processor limit in which the subject wanted to run.
    pub periods: u64,
    /// Periods among these in which the limit stopped it.
    pub throttled_periods: u64,
    /// Total time for which the limit stopped it, in seconds.
    pub throttled_s: f64,
    /// Processes in the control group that the kernel killed for lack of memory.
    pub oom_kills: u64,
}

/// What the JVM saw of its limits, and chose by them.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
pub struct JvmSeen {
    /// Version as it names itself.
    pub version: Option<String>,
    /// Processors available to it.
    pub processors: Option<u32>,
    /// Memory that it believes it has, in bytes.
    pub memory_bytes: Option<u64>,
    /// Largest heap that it allows itself, in bytes.
    pub max_heap_bytes: Option<u64>,
    /// Collector in use: `Serial`, `G1`, ...
    #[schemars(with = "Option<String>")]
    pub collector: Option<Word<Collector>>,
    /// Classes loaded when it was ready, shared ones included.
    pub classes_loaded: Option<u64>,
    /// Classes among these that came from a CDS or AOT archive.
    pub classes_shared: Option<u64>,
}

/// Evidence that an optimisation was active.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Proof {
    /// What had to be shown: `classes are served from the AOT cache`.
    pub claim: String,
    /// Whether it was shown.
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
    /// Time from the first intended send time to the end of the last request, in seconds.
    pub duration_s: f64,
    /// Requests whose intended instant came.
    pub requests: u64,
    /// Answered with a status below 400.
    pub succeeded: u64,
    /// Failed requests by kind of error: `status-4xx`, `status-5xx`, `refused`, `reset`, `timeout`,
    /// `closed`, `malformed`, ...
    #[schemars(with = "BTreeMap<String, ErrorCount>")]
    pub errors: BTreeMap<Word<ErrorKind>, ErrorCount>,
    /// Complete answers by class of status: `2xx`, `5xx`, ... Empty in records that are older.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub by_status: BTreeMap<String, u64>,
    /// Requests a second that the schedule asked for; open phases only.
    pub intended_rate: Option<f64>,
    /// Answers a second.
    pub throughput: f64,
    /// Response time: end of the request minus its intended send time.
    pub response_time_ms: Option<Quantiles>,
    /// Service time: end of the request minus the time at which it was sent.
    pub service_time_ms: Option<Quantiles>,
    /// Time at which the request was sent minus its intended send time; waiting for a free
    /// connection is included.
    pub dispatch_delay_ms: Option<Quantiles>,
    /// How late the generator itself was: time at which it began to handle the request (dispatched)
    /// minus the intended send time.
    pub generator_lag_ms: Option<Quantiles>,
    /// What response times would have been if the generator had never been late: end of the request
    /// minus the time at which the generator began to handle it. Absent in older records.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub on_time_response_ms: Option<Quantiles>,
    /// Connections that were opened while the time of a request was running.
    pub reconnects: u64,
    /// Processor time of the generator.
    pub generator_cpu_s: f64,
    /// How the generator kept time. Absent in records that are older, and where nothing was sent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time_keeping: Option<TimeKeeping>,
    /// Processor time of the subject's process tree.
    pub subject_cpu_s: f64,
    /// Processor time that the hypervisor gave to other machines (steal), over all processors, in
    /// seconds.
    pub steal_s: f64,
    /// Who used the machine's processors during the phase. Absent in older records, and where a
    /// part of it is not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub processors: Option<ProcessorUse>,
    /// The phase was cut short.
    pub interrupted: bool,
    /// The phase was ended before all its requests were sent, because nothing had been answered for
    /// a minute. Absent when false.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub unanswered: bool,
    /// Problems with the source of the requests, or with what counts as their answers, such as
    /// messages of a WebSocket that no request waited for. Absent when there were none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub trouble: Vec<String>,
    /// In a settle phase, whether throughput became steady within its time; absent in other phases.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub settled: Option<bool>,
    /// In a search phase, all of its trials; the other values of the phase are those of the trial
    /// that decided. Absent in other phases.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub search: Option<SearchRecord>,
    /// What each worker did, where several workers shared the load; all other values are of all
    /// workers together. Absent where there was one generator.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub workers: Vec<WorkerPart>,
}

/// What one of several workers did of a phase.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct WorkerPart {
    /// Its number, from 1.
    pub worker: u32,
    /// How late the worker began, in milliseconds after the start time given to all workers.
    pub began_late_ms: f64,
    /// Requests whose intended instant came.
    pub requests: u64,
    /// Answered with a status below 400.
    pub succeeded: u64,
    /// Processor time of its generator.
    pub generator_cpu_s: f64,
    /// How late this worker's generator was: time at which it began to handle a request minus the
    /// intended send time.
    pub generator_lag_ms: Option<Quantiles>,
    /// Response times of this worker's requests: end minus intended send time. Absent in older
    /// records.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub response_time_ms: Option<Quantiles>,
    /// What its response times would have been if it had never been late: end of a request minus
    /// the time at which the worker began to handle it. Absent in older records.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub on_time_response_ms: Option<Quantiles>,
    /// Why the worker did not finish the phase; none of its requests are counted then. Absent when
    /// it did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lost: Option<String>,
}

/// Who used the machine's processors, from just before a phase to just after it. For a search this
/// covers all of its trials.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ProcessorUse {
    /// Time between the two readings, in seconds.
    pub span_s: f64,
    /// Processor time of all processes together, kernel threads too, over all processors.
    pub busy_cpu_s: f64,
    /// The part of `busy_cpu_s` used by the subject with all of its processes.
    pub subject_cpu_s: f64,
    /// The part of `busy_cpu_s` used by Tacho itself: the generator, the observers, the display.
    pub tacho_cpu_s: f64,
    /// The part of `busy_cpu_s` used by the companions: processes that the subject needs, such as a
    /// database, and that the experiment starts or the user has named.
    #[serde(default)]
    pub companions_cpu_s: f64,
    /// For one side of a duet, the number of processors that it has for itself; all values above
    /// are of these processors only. Absent when they are of the whole machine.
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
    /// The first such error, as text.
    pub example: String,
}

/// How the generator kept time in a phase.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TimeKeeping {
    /// What counts as the end of a request.
    pub ends: AnswerEnd,
    /// Whether the generator set its timer early and spun for the rest of the time, so as not to
    /// wake late.
    pub early_wake: EarlyWake,
    /// Processor time spent spinning, in seconds; a part of `generator_cpu_s`.
    pub spun_s: f64,
    /// Requests due within this many milliseconds were sent together, because the user asked for
    /// that. 0: each was sent at its own time.
    pub batch_ms: f64,
}

/// What counts as the end of a request.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum AnswerEnd {
    /// The kernel's time stamp of the segment that completed the answer.
    KernelStamp,
    /// The kernel's time stamp of the segment that completed the TLS record, or of one that was
    /// read with it.
    KernelStampOfRecord,
    /// The kernel's time stamp of the last segment of the read that completed the HTTP/2 stream.
    KernelStampOfFrame,
    /// The time at which the generator had read the answer, because the kernel gives no time stamp
    /// (a Unix socket), or because the loop is closed and reads answers as they come.
    AfterRead,
}

/// Early wakes of the generator.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum EarlyWake {
    /// The timer was set early and the generator spun for the rest of the time, using at most a
    /// twentieth of one processor.
    On,
    /// The generator may use one processor only, which the subject may need.
    OffOneProcessor,
    /// Not needed: no requests were due at times of their own.
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
    /// Processor time that Tacho's observers used, in seconds.
    pub observer_cpu_s: f64,
    /// The part of `observer_cpu_s` that was used while nothing was measured: at ready, before the
    /// first request is sent, and after the last is answered. Absent when 0, and in older records.
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
    /// Proportional set: shared pages count by the share of each process. Null where it was too
    /// costly to read.
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
