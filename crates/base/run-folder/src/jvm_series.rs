//! `jvm.csv`: what the JVM counts of itself.

use crate::table::table;

table! {
    /// One line of `jvm.csv`: ten a second. A cell is empty where this JVM or this collector has no
    /// such counter.
    #[derive(Copy)]
    pub struct JvmSample {
        /// Since `exec`, in milliseconds.
        at_ms: f64 [3],
        /// Occupied heap, garbage included. G1 counts whole regions; ZGC and Shenandoah write it at
        /// their collections, ZGC before the garbage is gone.
        heap_used_bytes: Option<u64>,
        /// Committed heap: what may be used without asking the kernel again.
        heap_capacity_bytes: Option<u64>,
        /// Occupied young generation.
        young_used_bytes: Option<u64>,
        /// Committed young generation.
        young_capacity_bytes: Option<u64>,
        /// Occupied old generation.
        old_used_bytes: Option<u64>,
        /// Committed old generation.
        old_capacity_bytes: Option<u64>,
        /// Occupied metaspace, class space included.
        metaspace_used_bytes: Option<u64>,
        /// Committed metaspace, class space included.
        metaspace_capacity_bytes: Option<u64>,
        /// Occupied compressed class space.
        class_space_used_bytes: Option<u64>,
        /// Committed compressed class space.
        class_space_capacity_bytes: Option<u64>,
        /// Collections of the young generation so far.
        young_collections: Option<u64>,
        /// Time that the application stood still for them.
        young_s: Option<f64>,
        /// Full collections so far.
        full_collections: Option<u64>,
        /// Time that the application stood still for them.
        full_s: Option<f64>,
        /// Pauses of mostly concurrent collections so far. Shenandoah has no true counter of them:
        /// `safepoint_s` holds its pauses, too.
        concurrent_pauses: Option<u64>,
        /// Time that the application stood still for them.
        concurrent_pause_s: Option<f64>,
        /// 1 while a collection is under way, by the JVM's own word.
        collecting: Option<u64>,
        /// Classes loaded so far, those from an archive included.
        classes_loaded: Option<u64>,
        /// Of them, those from a CDS or AOT archive.
        classes_shared: Option<u64>,
        /// Classes unloaded so far.
        classes_unloaded: Option<u64>,
        /// Methods compiled so far.
        compilations: Option<u64>,
        /// Compilations that were given up.
        compilations_failed: Option<u64>,
        /// Compiled methods that were thrown away.
        invalidations: Option<u64>,
        /// Time that compilations took so far, all compiler threads added up.
        compile_s: Option<f64>,
        /// Compiled code so far.
        compiled_bytes: Option<u64>,
        /// Safepoints so far.
        safepoints: Option<u64>,
        /// Time in safepoints so far.
        safepoint_s: Option<f64>,
        /// Time until all threads had stopped, so far.
        safepoint_sync_s: Option<f64>,
        /// Java threads alive at that instant, daemons included.
        threads: Option<u64>,
        /// Processor time of the collector's threads and of the VM thread, which carries out
        /// pauses, so far; once a second.
        collector_cpu_s: Option<f64>,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_columns_are_an_interface() {
        assert_eq!(
            JvmSample::HEADER,
            "at_ms,heap_used_bytes,heap_capacity_bytes,young_used_bytes,young_capacity_bytes,old_used_bytes,old_capacity_bytes,\
             metaspace_used_bytes,metaspace_capacity_bytes,class_space_used_bytes,class_space_capacity_bytes,\
             young_collections,young_s,full_collections,full_s,concurrent_pauses,concurrent_pause_s,collecting,\
             classes_loaded,classes_shared,classes_unloaded,compilations,compilations_failed,invalidations,compile_s,compiled_bytes,\
             safepoints,safepoint_s,safepoint_sync_s,threads,collector_cpu_s"
        );
    }

    #[test]
    fn seconds_keep_microseconds() {
        let sample = JvmSample {
            at_ms: 5.0,
            young_s: Some(0.000_344),
            young_collections: Some(42),
            ..JvmSample::default()
        };
        let mut file = format!("{}\n", JvmSample::HEADER).into_bytes();
        sample.write(&mut file).unwrap();
        assert_eq!(JvmSample::read(&file[..]).unwrap(), [sample]);
    }
}
