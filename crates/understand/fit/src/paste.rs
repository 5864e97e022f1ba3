//! What to paste: Kubernetes resources and the JVM's flags that pin what was measured.

use crate::fit::{Fit, Search};
use crate::trial::Trial;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tacho_kubernetes::yaml::Mapping;
use tacho_kubernetes::{Amounts, environment};
use tacho_run_folder::{Collector, Word};

const MIB: u64 = 1 << 20;

/// What to paste at the limits that were found. There is no margin in it for what the load did not
/// show.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Paste {
    /// YAML: the fragment of a container in a Deployment, with the flags as its environment.
    pub kubernetes: String,
    /// The JVM's flags alone, for `JAVA_TOOL_OPTIONS`; absent for what is no JVM.
    pub jvm_flags: Option<String>,
}

impl Paste {
    /// `None` when nothing was found.
    #[must_use]
    pub fn of(fit: &Fit) -> Option<Self> {
        Some(Self {
            kubernetes: kubernetes(fit)?,
            jvm_flags: flags(fit),
        })
    }
}

fn kubernetes(fit: &Fit) -> Option<String> {
    let limit = |search: &Option<Search>| search.as_ref().and_then(|search| search.limit);
    let amounts = Amounts {
        memory_bytes: limit(&fit.memory),
        cpu_millis: limit(&fit.cpu),
    };
    let flags = flags(fit).map(|flags| ("JAVA_TOOL_OPTIONS".to_owned(), flags));
    let container = Mapping::new()
        .with("resources", amounts.resources()?)
        .with_some("env", environment(flags.as_slice()));
    Some(container.document())
}

/// Heap and collector as the JVM had them at the limits that were found: with other limits it would
/// choose others. A heap that was chosen without a memory limit is that of this machine, and larger
/// than many a container: it is not pinned. `None` for what is no JVM.
fn flags(fit: &Fit) -> Option<String> {
    let is_limited = fit
        .memory
        .as_ref()
        .is_some_and(|memory| memory.limit.is_some());
    let of = |trial: &Trial| {
        let heap = trial
            .max_heap_bytes
            .filter(|_| is_limited)
            .map(|bytes| format!("-Xmx{}m", bytes / MIB));
        let collector = trial.collector.as_ref().and_then(Word::known);
        let collector = collector.and_then(Collector::flag);
        let flags: Vec<String> = [heap, collector.map(str::to_owned)]
            .into_iter()
            .flatten()
            .collect();
        (!flags.is_empty()).then(|| flags.join(" "))
    };
    let found = [fit.cpu.as_ref(), fit.memory.as_ref()];
    found
        .into_iter()
        .flatten()
        .find_map(|search| search.at_limit())
        .and_then(of)
}
