//! The files of one made-up launch.

use super::model::{End, Model};
use super::phases::{Phase, phase_record, phases, write_histograms};
use std::error::Error;
use std::fs::File;
use std::io::{BufWriter, Write};
use tacho_run_folder::{
    Collector, FailureCause, FrameworkClaim, JvmSeen, LaunchDir, LaunchOutcome, LaunchRecord,
    LimitsSeen, PlannedLaunch, Proof, RequestRow, ResourcePoint, ResourceSummary, RunFolder,
    Sample, TimeLine,
};

pub fn write(
    folder: &RunFolder,
    planned: &PlannedLaunch,
    model: &Model,
) -> Result<(), Box<dyn Error>> {
    let mut model = model.clone();
    let dir = folder.create_launch(planned)?;
    let phases = if model.end == End::OutOfMemory {
        Vec::new()
    } else {
        let rows = first_requests(&mut model);
        write_rows(&dir, &rows)?;
        let phases = phases(&mut model, &rows);
        write_histograms(&dir, &phases)?;
        phases
    };
    let end_s = phases.last().map_or(3.0, |phase| {
        phase.started_ms / 1e3 + phase.seconds.iter().map(|s| s.length_s).sum::<f64>()
    });
    let samples = samples(&mut model, end_s, &dir)?;
    std::fs::write(dir.log(), "Started ColdStart in a made-up time\n")?;
    dir.write_record(&record(planned, &mut model, &phases, &samples))?;
    Ok(())
}

fn first_requests(model: &mut Model) -> Vec<RequestRow> {
    let mut at = (model.ready_ms + 4.0) * 1e6;
    (1..=1_000usize)
        .map(|n| {
            // After the first hundred, a thousand connections stand in a queue.
            let cold = n <= 100;
            let ms = if cold {
                model.request_ms(n)
            } else {
                let rate = model.rate_at((n - 100) as f64 / 3_000.0);
                1_000.0 / rate * 1e3 * model.noise.with_tail(0.1)
            };
            let row = RequestRow {
                phase: u32::from(!cold),
                request: 0,
                intended_ns: at as u64,
                dispatched_ns: at as u64 + 4_000,
                sent_ns: at as u64 + 11_000,
                first_byte_ns: (at + ms * 0.97e6) as u64,
                end_ns: (at + ms * 1e6) as u64,
                outcome: if n == 171 && model.number.is_multiple_of(4) {
                    "reset".into()
                } else {
                    "200".into()
                },
                ..RequestRow::default()
            };
            at += if cold { ms * 1e6 + 1e5 } else { 1e5 };
            row
        })
        .collect()
}

fn write_rows(dir: &LaunchDir, rows: &[RequestRow]) -> Result<(), Box<dyn Error>> {
    let mut file = BufWriter::new(File::create(dir.requests_path())?);
    writeln!(file, "{}", RequestRow::HEADER)?;
    for row in rows {
        row.write(&mut file)?;
    }
    Ok(file.flush()?)
}

fn samples(model: &mut Model, end_s: f64, dir: &LaunchDir) -> Result<Vec<Sample>, Box<dyn Error>> {
    let mut file = BufWriter::new(File::create(dir.samples_path())?);
    writeln!(file, "{}", Sample::HEADER)?;
    let mut samples = Vec::new();
    for i in 0..(end_s * 10.0) as u32 {
        let at_s = f64::from(i) / 10.0;
        let rss = model.rss_at(at_s);
        let sample = Sample {
            at_ms: at_s * 1e3,
            rss_bytes: rss as u64,
            pss_bytes: (i % 10 == 0).then_some((rss * 0.97) as u64),
            cgroup_bytes: Some((rss * 1.06) as u64),
            working_set_bytes: Some((rss * 1.01) as u64),
            cpu_s: at_s * model.limits.cpu.unwrap_or(1.0) * 0.9,
            threads: 21,
            requests: 0,
            throttled_s: Some(at_s * 0.02),
        };
        sample.write(&mut file)?;
        samples.push(sample);
    }
    file.flush()?;
    Ok(samples)
}

fn record(
    planned: &PlannedLaunch,
    model: &mut Model,
    phases: &[Phase],
    samples: &[Sample],
) -> LaunchRecord {
    let is_java = model.variant != "native";
    let started = model.end != End::OutOfMemory;
    let ms = |share: f64| started.then_some(model.ready_ms * share);
    let point = |at_ms: f64| {
        let sample = samples.iter().rfind(|s| s.at_ms <= at_ms)?;
        Some(ResourcePoint {
            at_ms: sample.at_ms,
            rss_bytes: sample.rss_bytes,
            cpu_s: sample.cpu_s,
            threads: sample.threads,
            ..ResourcePoint::default()
        })
    };
    let shared = match (model.variant.as_str(), model.end) {
        ("aot", End::Completed) => 0.97,
        ("cds", _) => 0.94,
        _ => 0.06,
    };
    LaunchRecord {
        notes: Vec::new(),
        warm_up: None,
        duet: None,
        pods: Vec::new(),
        pod: None,
        companions: Vec::new(),
        number: planned.number,
        cell: planned.cell.clone(),
        replicate: planned.replicate,
        started_at: "2026-11-21T21:13:29.000412Z".into(),
        command: vec!["java".into(), "-jar".into(), "app.jar".into()],
        outcome: outcome(model.end),
        time_line: TimeLine {
            listening_ms: ms(0.93),
            first_connection_ms: ms(0.935),
            first_response_ms: ms(0.98),
            first_2xx_ms: ms(0.985),
            ready_ms: ms(1.0),
            resolution_ms: 0.6,
            probes: 7,
            port: started.then_some(8080),
            port_choice: None,
            ready_by: started.then(|| "GET /actuator/health answered 200".into()),
            claims: ms(0.88)
                .into_iter()
                .map(|startup_ms| FrameworkClaim {
                    framework: "Spring Boot".into(),
                    startup_ms,
                    process_ms: ms(0.95),
                    line: "Started ColdStart".into(),
                })
                .collect(),
        },
        limits: Some(LimitsSeen {
            inside: true,
            path: format!("/tacho/{}", planned.number),
            cpu: model.limits.cpu,
            memory_bytes: model.limits.memory_bytes,
            periods: 400,
            throttled_periods: 38,
            throttled_s: 1.4 / model.limits.cpu.unwrap_or(1.0),
            oom_kills: u64::from(!started),
        }),
        gc_log: None,
        jvm: is_java.then(|| JvmSeen {
            version: Some("25.0.3+9".into()),
            processors: Some(1),
            memory_bytes: model.limits.memory_bytes,
            max_heap_bytes: model.limits.memory_bytes.map(|m| m / 4),
            collector: Some(Collector::Serial.into()),
            classes_loaded: Some(11_840),
            classes_shared: Some((11_840.0 * shared) as u64),
        }),
        proof: (model.variant == "aot" || model.variant == "cds").then(|| Proof {
            claim: "classes are served from the archive".into(),
            holds: model.end == End::Completed,
            shared_classes: Some(shared),
            evidence: "counted in the JVM's own performance memory".into(),
        }),
        phases: phases.iter().map(phase_record).collect(),
        resources: ResourceSummary {
            peak_rss_bytes: samples.iter().map(|s| s.rss_bytes).max(),
            peak_working_set_bytes: samples.iter().filter_map(|s| s.working_set_bytes).max(),
            peak_threads: Some(21),
            at_ready: point(model.ready_ms),
            at_end: point(f64::INFINITY),
            observer_cpu_s: 0.21,
            ..ResourceSummary::default()
        },
    }
}

fn outcome(end: End) -> LaunchOutcome {
    match end {
        End::Completed => LaunchOutcome::Completed,
        End::WithoutProof => LaunchOutcome::Invalid {
            reason: "6 % of its classes came from an archive, an AOT cache gives more than 80 %: the JVM did not use app.aot, most likely because the class path changed after it was trained".into(),
        },
        End::OutOfMemory => LaunchOutcome::Failed {
            cause: FailureCause::OutOfMemory,
            message: "The kernel killed it at its limit of 256 MiB before it was ready; give it more memory or a smaller heap (-XX:MaxRAMPercentage).".into(),
            last_log_lines: vec![
                "  .   ____          _            __ _ _".into(),
                " :: Spring Boot ::                (v4.1.2)".into(),
                "INFO Netty started on port <unknown> & still \"starting\"".into(),
            ],
        },
    }
}
