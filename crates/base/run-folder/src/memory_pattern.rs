//! What the course of memory over time may show.

use serde::{Deserialize, Serialize};
use std::fmt;

/// A pattern of memory over time, by its name in `results.json`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum MemoryPattern {
    /// Only full collections clear what grows.
    SawTooth,
    /// What survives the collection of old garbage grows.
    GrowthWithoutEnd,
    /// The collector works most of the time and frees little.
    Thrashing,
    /// The heap is much larger than what is alive in it.
    OversizedHeap,
    /// The allocation rate has spikes under an even load.
    AllocationSpikes,
    /// Objects of half a region of G1 or more.
    HumongousAllocations,
    /// Classes are loaded and never unloaded.
    MetaspaceGrowth,
    /// Code is compiled without end.
    CodeCacheGrowth,
    /// Resident memory that is not the heap grows.
    GrowthOutsideTheHeap,
    /// The control group is full of pages of files.
    LimitHitByPageCache,
}

/// The name.
impl fmt::Display for MemoryPattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.serialize(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_is_printed_as_files_name_it() {
        let pattern = MemoryPattern::GrowthOutsideTheHeap;
        assert_eq!(pattern.to_string(), "growth-outside-the-heap");
        assert_eq!(serde_json::json!(pattern), pattern.to_string());
    }
}
