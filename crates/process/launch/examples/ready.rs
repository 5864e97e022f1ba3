//! Starts a command, watches it until it is ready, prints what was seen, and ends it.
//!
//! ```text
//! cargo run -p tacho-launch --example ready -- java -jar app.jar
//! ```

use std::sync::atomic::AtomicBool;
use std::time::Duration;
use tacho_launch::ready::{Condition, Watch, until_ready};
use tacho_launch::{Lease, Spawn, claims, spawn, sweep};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    print!("{}", sweep());
    let log = std::env::temp_dir().join(format!("tacho-ready-{}.log", std::process::id()));
    let mut child = spawn(Spawn {
        command: std::env::args().skip(1).collect(),
        directory: ".".into(),
        environment: Default::default(),
        log: log.clone(),
        join: Vec::new(),
        user: None,
        lease: Lease::take(&[])?,
    })?;
    println!(
        "exec at {}, log in {}",
        child.anchor().rfc3339(),
        log.display()
    );
    let stop = AtomicBool::new(false);
    let watch = Watch {
        port: None,
        condition: Condition::Auto { request_path: None },
        preferred_paths: Vec::new(),
        timeout: Duration::from_secs(60),
        stop: &stop,
        processes: None,
    };
    match until_ready(&mut child, &watch) {
        Ok(ready) => println!("{:#?}\n{:.1} ms of CPU", ready.time_line, ready.cpu_s * 1e3),
        Err(not_ready) => println!("{not_ready}"),
    }
    std::thread::sleep(Duration::from_millis(300));
    for claim in claims::in_log(&log, child.log_start())? {
        println!(
            "{}: {} ms, {:?} ms",
            claim.framework, claim.startup_ms, claim.process_ms
        );
    }
    println!("it {}", child.terminate(Duration::from_secs(5))?);
    Ok(())
}
