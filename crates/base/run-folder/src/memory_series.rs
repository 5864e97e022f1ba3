//! `memory.csv`: what the memory of a launch is.

use crate::table::table;

table! {
    /// One line of `memory.csv`: once a second. The kinds add up to `rss_bytes`.
    #[derive(Copy)]
    pub struct MemorySample {
        /// Since `exec`, in milliseconds.
        at_ms: f64 [3],
        /// Resident set of the process tree, added up from its mappings.
        rss_bytes: Option<u64>,
        /// Proportional set of the process tree: of shared pages its share.
        pss_bytes: Option<u64>,
        /// Pages that nobody else has mapped.
        private_bytes: Option<u64>,
        /// What of it is swapped out.
        swap_bytes: Option<u64>,
        /// Resident of the Java heap; absent when it is not known where it lies.
        java_heap_bytes: Option<u64>,
        /// Resident of the compressed class space, a part of metaspace; absent when it is not known
        /// where it lies.
        class_space_bytes: Option<u64>,
        /// Resident of CDS and AOT archives.
        class_archive_bytes: Option<u64>,
        /// Resident of anonymous memory that may be executed: what a JIT compiler wrote.
        code_cache_bytes: Option<u64>,
        /// Resident of executables and libraries.
        program_bytes: Option<u64>,
        /// Resident of other files.
        mapped_file_bytes: Option<u64>,
        /// Resident of thread stacks, told by their shape.
        stack_bytes: Option<u64>,
        /// Resident of libc's heap and arenas; what it maps piece by piece counts as other.
        libc_bytes: Option<u64>,
        /// Resident of shared memory without a file.
        shared_bytes: Option<u64>,
        /// Resident of all other anonymous memory. The Java heap is in it where its place is not
        /// known.
        other_bytes: Option<u64>,
        /// Page faults so far that needed no disk.
        minor_faults: Option<u64>,
        /// Page faults so far that had to read from a disk.
        major_faults: Option<u64>,
        /// Usage of the control group.
        cgroup_bytes: Option<u64>,
        /// Usage less inactive file pages: what Kubernetes counts.
        working_set_bytes: Option<u64>,
        /// Of the usage, memory of processes.
        cgroup_anonymous_bytes: Option<u64>,
        /// Of the usage, page cache.
        cgroup_file_bytes: Option<u64>,
        /// Of the page cache, what counts into the working set.
        cgroup_active_file_bytes: Option<u64>,
        /// Of the usage, the kernel's.
        cgroup_kernel_bytes: Option<u64>,
        /// How often usage ran into the limit so far.
        limit_hits: Option<u64>,
        /// How often the soft limit was passed so far.
        high_events: Option<u64>,
        /// How often reclaiming memory was in vain so far.
        oom_events: Option<u64>,
        /// Processes killed for memory so far.
        oom_kills: Option<u64>,
        /// 1 while processes stand still for want of memory (v1).
        under_oom: Option<u64>,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_columns_are_an_interface() {
        assert_eq!(
            MemorySample::HEADER,
            "at_ms,rss_bytes,pss_bytes,private_bytes,swap_bytes,java_heap_bytes,class_space_bytes,class_archive_bytes,\
             code_cache_bytes,program_bytes,mapped_file_bytes,stack_bytes,libc_bytes,shared_bytes,other_bytes,\
             minor_faults,major_faults,cgroup_bytes,working_set_bytes,cgroup_anonymous_bytes,cgroup_file_bytes,\
             cgroup_active_file_bytes,cgroup_kernel_bytes,limit_hits,high_events,oom_events,oom_kills,under_oom"
        );
    }

    #[test]
    fn what_is_written_is_read_and_a_column_that_is_missing_is_absent() {
        let sample = MemorySample {
            at_ms: 1000.125,
            rss_bytes: Some(7),
            oom_kills: Some(0),
            ..MemorySample::default()
        };
        let mut file = format!("{}\n", MemorySample::HEADER).into_bytes();
        sample.write(&mut file).unwrap();
        file.extend(b"2000.0,12");
        assert_eq!(MemorySample::read(&file[..]).unwrap(), [sample]);

        let newer = b"at_ms,rss_bytes,of_tomorrow\n1,5,x\n";
        let read = MemorySample::read(&newer[..]).unwrap();
        assert_eq!((read[0].rss_bytes, read[0].swap_bytes), (Some(5), None));
        let error = MemorySample::read(&b"at_ms,rss_bytes\n1,x\n"[..]).unwrap_err();
        assert!(error.to_string().contains("line 2: `rss_bytes`"), "{error}");
    }
}
