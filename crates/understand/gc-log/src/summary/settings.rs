//! How the collector was set up.

use super::Settings;
use crate::event::Setting;

/// The settings of the JVM that was started last.
#[derive(Debug, Default)]
pub struct SettingsFold {
    found: Settings,
}

impl SettingsFold {
    pub fn take(&mut self, setting: Setting<'_>) {
        let found = &mut self.found;
        match setting {
            Setting::Collector(collector) => found.collector = Some(collector),
            Setting::Version(version) => found.version = Some(version.to_owned()),
            Setting::Cpus(cpus) => found.cpus = Some(cpus),
            Setting::Memory(bytes) => found.memory_bytes = Some(bytes),
            Setting::MinHeap(bytes) => found.min_heap_bytes = Some(bytes),
            Setting::InitialHeap(bytes) => found.initial_heap_bytes = Some(bytes),
            Setting::MaxHeap(bytes) => found.max_heap_bytes = Some(bytes),
            Setting::MaxYoung(bytes) => found.max_young_bytes = Some(bytes),
            Setting::RegionSize(bytes) => found.region_bytes = Some(bytes),
            Setting::ParallelWorkers(threads) => found.parallel_workers = Some(threads),
            Setting::ConcurrentWorkers(threads) => found.concurrent_workers = Some(threads),
            Setting::Policy(policy) => found.policy = Some(policy.to_owned()),
        }
    }

    pub fn finish(self) -> Settings {
        self.found
    }
}
