//! What a diagnosis launch of a made-up variant says.

use tacho_run_folder::{
    AllocatedClass, Allocation, AllocationSite, Diagnosis, DirectBuffers, FlightRecording,
    LiveClass, LiveSet, MemoryDiagnosis, MemoryPart, NativeCategory, NativeReport, NotObserved,
    RecordedClasses, RecordedCollections, RecordedTime, ResidentMemory,
};

const MIB: f64 = 1_048_576.0;

pub fn diagnosis() -> MemoryDiagnosis {
    let resident = resident();
    MemoryDiagnosis {
        launch: 36,
        failure: None,
        missed_by: Some(resident.sum_bytes / resident.rss_bytes - 1.0),
        adds_up: Some(true),
        unexplained_share: Some(4.0 * MIB / resident.rss_bytes),
        against_measured: Some(resident.rss_bytes / (243.0 * MIB)),
        said: Some(Diagnosis {
            at_ms: 41_234.5,
            resident: Some(resident),
            native: Some(native()),
            live: Some(live()),
            recording: Some(recording()),
            missing: vec![NotObserved {
                what: "old objects".into(),
                why: "the launch was too short for one to be sampled".into(),
            }],
        }),
    }
}

fn resident() -> ResidentMemory {
    let part = |name: &str, mib: f64, meaning: &str| MemoryPart {
        name: name.into(),
        bytes: mib * MIB,
        meaning: meaning.into(),
    };
    let parts = vec![
        part("metaspace", 48.0, "classes' metadata"),
        part("live heap", 34.0, "objects that a full collection leaves"),
        part(
            "garbage slack",
            33.0,
            "used heap that the next full collection frees",
        ),
        part(
            "direct buffers",
            32.0,
            "`ByteBuffer.allocateDirect` and `Unsafe.allocateMemory`",
        ),
        part("code cache", 22.0, "compiled code"),
        part(
            "instruments",
            18.0,
            "what native memory tracking and the flight recorder hold themselves",
        ),
        part(
            "collector",
            16.0,
            "card tables, mark bitmaps, remembered sets, task queues",
        ),
        part("jvm's own", 14.0, "symbols, modules, internal tables"),
        part(
            "libc",
            9.0,
            "freed and kept by malloc, or allocated by native libraries",
        ),
        part(
            "unexplained",
            4.0,
            "anonymous memory that neither the JVM nor libc's shape accounts for",
        ),
    ];
    ResidentMemory {
        rss_bytes: 231.0 * MIB,
        sum_bytes: parts.iter().map(|p| p.bytes).sum(),
        parts,
    }
}

fn native() -> NativeReport {
    let category = |name: &str, reserved: u64, committed: u64| NativeCategory {
        name: name.into(),
        reserved_bytes: reserved << 20,
        committed_bytes: committed << 20,
    };
    NativeReport {
        reserved_bytes: 1_630 << 20,
        committed_bytes: 291 << 20,
        categories: vec![
            category("Java Heap", 256, 128),
            category("Metaspace", 64, 47),
            category("Other", 32, 32),
            category("Code", 246, 24),
            category("GC", 40, 40),
        ],
    }
}

fn live() -> LiveSet {
    let class = |name: &str, instances: u64, bytes: u64| LiveClass {
        name: name.into(),
        module: None,
        instances,
        bytes,
    };
    LiveSet {
        instances: 412_345,
        bytes: 34 << 20,
        classes: vec![
            class("byte[]", 101_234, 14_000_000),
            class("java.lang.String", 100_012, 2_400_288),
            class("com.example.Order", 50_000, 1_600_000),
        ],
    }
}

fn recording() -> FlightRecording {
    let site = |frames: &[&str], class: &str, share: f64| AllocationSite {
        frames: frames.iter().map(|f| (*f).to_owned()).collect(),
        class: class.into(),
        share,
    };
    FlightRecording {
        duration_s: 41.0,
        collections: vec![RecordedCollections {
            name: "G1New".into(),
            count: 57,
            pause_s: 0.213,
            longest_pause_s: 0.019,
        }],
        highest_heap_bytes: Some(128 << 20),
        allocation: Some(Allocation {
            samples: 4_711,
            bytes: 9 << 30,
            recorder_bytes: 12 << 20,
            classes: vec![AllocatedClass {
                name: "byte[]".into(),
                share: 0.71,
            }],
            sites: vec![
                site(
                    &[
                        "java.util.Arrays.copyOf:3537",
                        "java.io.ByteArrayOutputStream.write:163",
                        "com.example.OrderController.list:48",
                    ],
                    "byte[]",
                    0.52,
                ),
                site(&["com.example.Order.<init>:12"], "com.example.Order", 0.093),
            ],
        }),
        direct_buffers: Some(DirectBuffers {
            count: 12,
            used_bytes: 32 << 20,
            highest_bytes: 40 << 20,
            limit_bytes: 256 << 20,
        }),
        classes: Some(RecordedClasses {
            loaded: 14_321,
            unloaded: 12,
            ..RecordedClasses::default()
        }),
        exceptions: Some(1_234),
        monitor_waits: RecordedTime {
            count: 31,
            total_s: 0.9,
        },
        native_peaks: vec![NativeCategory {
            name: "Code".into(),
            reserved_bytes: 246 << 20,
            committed_bytes: 26 << 20,
        }],
        ..FlightRecording::default()
    }
}
