//! A subject of known truth: it does what it is told and writes down its own instants.
//!
//! ```text
//! tacho-fake-subject serve [--listen ADDRESS]... [--instants FILE] [--before MS] [--not-ready MS]
//!                          [--health PATH] [--delay MS] [--as http|silent|garbage|closing|anything]
//! tacho-fake-subject exit CODE
//! tacho-fake-subject never
//! tacho-fake-subject hold-lease FOLDER LOG COMMAND...
//! ```
//!
//! Instants are lines `name microseconds` of the wall clock.

use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

type Any = Box<dyn std::error::Error>;

fn main() -> Result<(), Any> {
    let mut arguments = std::env::args().skip(1);
    let role = arguments.next().unwrap_or_default();
    let rest: Vec<String> = arguments.collect();
    match role.as_str() {
        "serve" => serve(&rest),
        "exit" => std::process::exit(rest.first().map_or(Ok(0), |code| code.parse())?),
        "never" => forever(),
        "hold-lease" => hold_lease(&rest),
        other => Err(format!("no such role: {other}").into()),
    }
}

fn forever() -> ! {
    loop {
        std::thread::sleep(Duration::from_secs(3600));
    }
}

/// What a Tacho does that is killed later.
fn hold_lease(arguments: &[String]) -> Result<(), Any> {
    let [folder, log, command @ ..] = arguments else {
        return Err("hold-lease FOLDER LOG COMMAND...".into());
    };
    let folder = tacho_launch::LeaseFolder::at(Path::new(folder));
    let child = tacho_launch::spawn(tacho_launch::Spawn {
        command: command.to_vec(),
        directory: "/".into(),
        environment: Default::default(),
        log: log.into(),
        join: Vec::new(),
        user: None,
        lease: tacho_launch::Lease::take_in(&folder, &[])?,
    })?;
    println!("{}", child.pid());
    std::io::stdout().flush()?;
    forever()
}

/// The wall clock, once for each name.
#[derive(Clone)]
struct Instants {
    file: Option<Arc<Mutex<File>>>,
    accepted: Arc<AtomicBool>,
    answered: Arc<AtomicBool>,
}

impl Instants {
    fn write(&self, name: &str, at: SystemTime) -> Result<(), Any> {
        if let Some(file) = &self.file {
            let micros = at.duration_since(UNIX_EPOCH)?.as_micros();
            let mut file = file.lock().map_err(|_| "poisoned")?;
            writeln!(file, "{name} {micros}")?;
        }
        Ok(())
    }
}

#[derive(Clone)]
struct Manner {
    health: String,
    delay: Duration,
    kind: String,
    ready_at: Instant,
    instants: Instants,
}

fn serve(arguments: &[String]) -> Result<(), Any> {
    let all = |name: &str| -> Vec<&String> {
        arguments
            .windows(2)
            .filter(|pair| pair[0] == name)
            .map(|pair| &pair[1])
            .collect()
    };
    let ms = |name: &str| -> Result<Duration, Any> {
        let text = all(name).first().map_or("0", |s| s.as_str());
        Ok(Duration::from_millis(text.parse()?))
    };
    let text = |name: &str, default: &str| {
        all(name)
            .first()
            .map_or_else(|| default.to_owned(), |s| (*s).clone())
    };
    let file = match all("--instants").first() {
        Some(path) => Some(OpenOptions::new().append(true).create(true).open(path)?),
        None => None,
    };
    let instants = Instants {
        file: file.map(|f| Arc::new(Mutex::new(f))),
        accepted: Arc::default(),
        answered: Arc::default(),
    };
    std::thread::sleep(ms("--before")?);
    let before = SystemTime::now();
    let addresses = all("--listen");
    let listeners = addresses
        .iter()
        .map(TcpListener::bind)
        .collect::<Result<Vec<_>, _>>()?;
    let after = SystemTime::now();
    // In this order: whatever comes between the two clocks, it is ready no sooner than it says.
    let flip = SystemTime::now() + ms("--not-ready")?;
    let ready_at = Instant::now() + ms("--not-ready")?;
    instants.write("before-listen", before)?;
    instants.write("after-listen", after)?;
    instants.write("flip", flip)?;
    let manner = Manner {
        health: text("--health", "/health"),
        delay: ms("--delay")?,
        kind: text("--as", "http"),
        ready_at,
        instants,
    };
    for (index, listener) in listeners.into_iter().enumerate() {
        // With several listeners only the last one speaks HTTP.
        let mut manner = manner.clone();
        if index + 1 < addresses.len() {
            manner.kind = "silent".into();
        }
        std::thread::spawn(move || accept(&listener, &manner));
    }
    println!("serving");
    forever()
}

fn accept(listener: &TcpListener, manner: &Manner) {
    for stream in listener.incoming().flatten() {
        let at = SystemTime::now();
        if !manner.instants.accepted.swap(true, Ordering::SeqCst) {
            let _ = manner.instants.write("first-accept", at);
        }
        let manner = manner.clone();
        std::thread::spawn(move || {
            let _ = answer_all(stream, &manner);
        });
    }
}

fn answer_all(mut stream: TcpStream, manner: &Manner) -> Result<(), Any> {
    match manner.kind.as_str() {
        "silent" => forever(),
        "closing" => return Ok(()),
        _ => {}
    }
    let mut reader = BufReader::new(stream.try_clone()?);
    loop {
        let mut path = String::new();
        let mut line = String::new();
        while reader.read_line(&mut line)? > 0 && !line.trim().is_empty() {
            if path.is_empty() {
                path = line.split(' ').nth(1).unwrap_or_default().to_owned();
            }
            line.clear();
        }
        if path.is_empty() {
            return Ok(());
        }
        if manner.kind == "garbage" {
            stream.write_all(b"\x00\x01 what? \r\n\r\n")?;
            continue;
        }
        std::thread::sleep(manner.delay);
        let status = if manner.kind == "anything" {
            "200 OK"
        } else if path != manner.health {
            "404 Not Found"
        } else if Instant::now() < manner.ready_at {
            "503 Service Unavailable"
        } else {
            "200 OK"
        };
        let text = format!("HTTP/1.1 {status}\r\nContent-Length: 2\r\n\r\n{{}}");
        stream.write_all(text.as_bytes())?;
        let at = SystemTime::now();
        if status.starts_with('2') && !manner.instants.answered.swap(true, Ordering::SeqCst) {
            manner.instants.write("first-2xx", at)?;
        }
    }
}
