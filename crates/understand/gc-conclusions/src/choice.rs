//! The collector that a JVM takes when nobody names one.

use crate::{Conclusion, Name, figure};
use tacho_figures as figures;
use tacho_gc_log::GcSummary;
use tacho_run_folder::Collector;

/// HotSpot's `os::is_server_class_machine`: with less it takes the serial collector. 2 GB, less
/// 256 MB that firmware and graphics may keep.
const SERVER_CPUS: u64 = 2;
const SERVER_MEMORY: u64 = 1792 << 20;

/// Looks at what the JVM said of its machine.
pub fn look(summary: &GcSummary, found: &mut Vec<Conclusion>) {
    let settings = &summary.settings;
    if settings.collector != Some(Collector::Serial) {
        return;
    }
    let cpus = settings.cpus.filter(|cpus| *cpus < SERVER_CPUS);
    let memory = settings.memory_bytes.filter(|bytes| *bytes < SERVER_MEMORY);
    let has = match (cpus, memory) {
        (None, None) => return,
        (Some(_), None) => "one processor".to_owned(),
        (None, Some(bytes)) => format!("{} of memory", figures::bytes(bytes as f64)),
        (Some(_), Some(bytes)) => {
            let memory = figures::bytes(bytes as f64);
            format!("one processor and {memory} of memory")
        }
    };
    let figures = [
        cpus.map(|cpus| figure("processors", cpus as f64)),
        memory.map(|bytes| figure("memory_bytes", bytes as f64)),
    ];
    found.push(Conclusion {
        name: Name::SerialByDefault,
        summary: format!(
            "The JVM saw {has}. With fewer than two processors, or less than 1,792 MB, it takes the serial collector unless one is named."
        ),
        advice: None,
        figures: figures.into_iter().flatten().collect(),
    });
}

#[cfg(test)]
mod tests {
    use super::look;
    use tacho_gc_log::{GcSummary, Reader, Summary};

    fn said(collector: &str, cpus: u32, megabytes: u32) -> Vec<String> {
        let log = format!(
            "[0.006s][info][gc] Using {collector}\n\
             [0.006s][info][gc,init] CPUs: {cpus} total, {cpus} available\n\
             [0.006s][info][gc,init] Memory: {megabytes}M\n\
             [1.000s][info][gc] GC(0) Pause Young (Allocation Failure) 9M->1M(64M) 1.000ms\n"
        );
        let mut found = Vec::new();
        look(&summary(&log), &mut found);
        found.into_iter().map(|one| one.summary).collect()
    }

    fn summary(log: &str) -> GcSummary {
        let mut reader = Reader::default();
        let mut summary = Summary::default();
        reader.feed(log.as_bytes(), &mut |event| summary.take(event));
        let lines = reader.end(&mut |event| summary.take(event));
        summary.finish(Vec::new(), lines)
    }

    #[test]
    fn too_little_of_either_gives_the_serial_collector() {
        assert!(said("Serial", 1, 4096)[0].starts_with("The JVM saw one processor. With"));
        assert!(said("Serial", 2, 1024)[0].contains(" of memory. With"));
        assert!(said("Serial", 1, 512)[0].contains("one processor and 512 MiB of memory"));
    }

    #[test]
    fn on_a_larger_machine_somebody_named_it() {
        assert!(said("Serial", 2, 1792).is_empty());
    }

    #[test]
    fn of_other_collectors_nothing_is_said() {
        assert!(said("G1", 1, 512).is_empty());
    }
}
