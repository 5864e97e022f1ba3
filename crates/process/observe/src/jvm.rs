//! Which limits the JVM believes to have, from its performance memory and its GC log.

use crate::gc_init::GcInit;
use crate::hsperfdata::{self, Counters};
use std::path::Path;
use tacho_run_folder::{Collector, JvmSeen, Word};

/// Classes that a JVM has loaded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ClassCounts {
    /// All of them.
    pub loaded: u64,
    /// Of them, those served from a CDS or AOT archive.
    pub shared: u64,
}

impl ClassCounts {
    /// HotSpot counts a class either in `loadedClasses`, when it was parsed, or in
    /// `sharedLoadedClasses` (`ClassLoadingService::notify_class_loaded`).
    #[must_use]
    pub fn of(counters: &Counters) -> Option<Self> {
        let parsed = counters.count("java.cls.loadedClasses")?;
        let shared = counters.count("java.cls.sharedLoadedClasses")?;
        Some(Self {
            loaded: parsed.saturating_add(shared),
            shared,
        })
    }

    /// Share of classes served from an archive, 0 to 1.
    #[must_use]
    pub fn shared_share(&self) -> f64 {
        if self.loaded == 0 {
            0.0
        } else {
            self.shared as f64 / self.loaded as f64
        }
    }
}

/// The collector in use.
#[must_use]
pub fn collector(counters: &Counters) -> Option<Collector> {
    let name = (0..3).find_map(|i| counters.text(&format!("sun.gc.collector.{i}.name")));
    let named = match name {
        Some(name) => name.split(' ').next(),
        None => counters.text("sun.gc.generation.1.name"),
    };
    let policy = counters.text("sun.gc.policy.name");
    [policy, named]
        .into_iter()
        .flatten()
        .find_map(Collector::in_counters)
}

/// Everything that can be seen of a running JVM: from its performance memory and, where there is
/// one, its `gc+init` log. `None` when neither tells that it is a JVM.
#[must_use]
pub fn seen(pid: u32, gc_init_log: Option<&Path>) -> Option<JvmSeen> {
    let counters = hsperfdata::read(pid).ok();
    let log = gc_init_log.and_then(|path| GcInit::read(path).ok());
    if counters.is_none() && log.as_ref().is_none_or(|log| *log == GcInit::default()) {
        return None;
    }
    let mut seen = JvmSeen::default();
    if let Some(counters) = &counters {
        enter_counters(counters, &mut seen);
    }
    if let Some(log) = log {
        log.fill(&mut seen);
    }
    Some(seen)
}

fn enter_counters(counters: &Counters, seen: &mut JvmSeen) {
    let classes = ClassCounts::of(counters);
    seen.version = counters
        .text("java.property.java.vm.version")
        .map(str::to_owned);
    seen.collector = collector(counters).map(Word::from);
    seen.classes_loaded = classes.map(|c| c.loaded);
    seen.classes_shared = classes.map(|c| c.shared);
}
