//! A service with a scripted life, for the end-to-end tests: it becomes ready, answers, fails, eats
//! memory or dies when it is told to.
//!
//! ```text
//! scripted_subject --port 9000 [--delay-ms 100] [--answer ok|garbage|500|none|interim|events]
//!                  [--exit-ms 50]
//!                  [--exit-after REQUESTS] [--eat-mib 200] [--ignore-term]
//!                  [--cold REQUESTS --cold-ms 40]   how long the first take, but those to /health
//!                  [--work 100]   thousands of steps of arithmetic for each answer
//!                  [--calls 9001]   asks the service on that port for each answer, and fails without it
//!                  [--opens-first 9002]   another port, before its own, that answers 404 to everything
//!                  [--collections 8]   prints the log of that many, as a native image with -Xlog:gc
//! ```
#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

fn value(name: &str) -> Option<String> {
    let arguments: Vec<String> = std::env::args().collect();
    let at = arguments.iter().position(|a| a == name)?;
    arguments.get(at + 1).cloned()
}

fn number(name: &str) -> Option<u64> {
    value(name).map(|text| text.parse().expect("a number"))
}

fn main() {
    println!("scripted subject begins");
    if let Some(ms) = number("--exit-ms") {
        std::thread::sleep(Duration::from_millis(ms));
        println!("nothing to do, good bye");
        std::process::exit(7);
    }
    let mut eaten = Vec::new();
    for _ in 0..number("--eat-mib").unwrap_or(0) {
        eaten.push(vec![1u8; 1 << 20]);
        std::hint::black_box(&eaten);
    }
    if std::env::args().any(|a| a == "--ignore-term") {
        // A shell in between would be simpler, but then the shell would be what ignores it.
        let flag = Arc::new(std::sync::atomic::AtomicBool::new(false));
        signal_hook::flag::register(signal_hook::consts::SIGTERM, flag).expect("a handler");
    }
    std::thread::sleep(Duration::from_millis(number("--delay-ms").unwrap_or(20)));
    for number in 0..number("--collections").unwrap_or(0) {
        let at = 0.1 + number as f64 / 1e3;
        println!(
            "[{at:.3}s] GC({number}) Pause Full GC (Collect on allocation) 9.00M->2.00M 1.500ms"
        );
    }
    if let Some(other) = number("--opens-first") {
        knows_nothing(other);
    }
    let port = u16::try_from(number("--port").expect("--port")).expect("a port");
    let listener = TcpListener::bind(("127.0.0.1", port)).expect("the port to be free");
    println!("listening on {port}");
    let answered = Arc::new(AtomicU64::new(0));
    let warmed = Arc::new(AtomicU64::new(0));
    let exit_after = number("--exit-after").unwrap_or(u64::MAX);
    for stream in listener.incoming() {
        let (answered, warmed) = (Arc::clone(&answered), Arc::clone(&warmed));
        std::thread::spawn(move || {
            serve(
                stream.expect("a connection"),
                &answered,
                &warmed,
                exit_after,
            );
        });
    }
}

fn serve(mut stream: TcpStream, answered: &AtomicU64, warmed: &AtomicU64, exit_after: u64) {
    stream.set_nodelay(true).expect("a socket");
    let answer = value("--answer").unwrap_or_else(|| "ok".to_owned());
    let cold = number("--cold").unwrap_or(0);
    let cold_ms = number("--cold-ms").unwrap_or(0);
    let warm_ms = number("--warm-ms").unwrap_or(0);
    // From the cold time to nothing.
    let work = number("--work").unwrap_or(0) * 1_000;
    let falls = std::env::args().any(|a| a == "--falls");
    let mut seen = Vec::new();
    let mut buffer = [0u8; 4096];
    loop {
        let Ok(read) = stream.read(&mut buffer) else {
            return;
        };
        if read == 0 {
            return;
        }
        seen.extend_from_slice(&buffer[..read]);
        while let Some(end) = seen.windows(4).position(|w| w == b"\r\n\r\n") {
            let health = seen.starts_with(b"GET /health ");
            seen.drain(..end + 4);
            if answered.fetch_add(1, Ordering::SeqCst) >= exit_after {
                println!("that is enough");
                std::process::exit(3);
            }
            if !health {
                let number = warmed.fetch_add(1, Ordering::SeqCst);
                let time = Duration::from_millis(match number < cold {
                    true => cold_ms,
                    false => warm_ms,
                });
                std::thread::sleep(match falls {
                    true => time.mul_f64(1.0 - number.min(cold) as f64 / cold as f64),
                    false => time,
                });
            }
            let is_alone = !health && number("--calls").is_some_and(|port| !is_answered(port));
            std::hint::black_box((0..work).fold(1u64, |sum, step| {
                std::hint::black_box(sum.rotate_left(5) ^ step)
            }));
            if answer == "interim" {
                // As long as somebody reads it.
                let flood = b"HTTP/1.1 103 Early Hints\r\n\r\n".repeat(2_000);
                while stream.write_all(&flood).is_ok() {}
                return;
            }
            if answer == "events" && !health {
                let head = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n";
                let mut is_heard = stream.write_all(head).is_ok();
                while is_heard {
                    std::thread::sleep(Duration::from_millis(5));
                    is_heard = stream.write_all(b"data: tick\n\n").is_ok();
                }
                return;
            }
            let bytes: &[u8] = match answer.as_str() {
                "none" => continue,
                "garbage" if !health => b"\x00\xffthis is not HTTP\r\n\r\n",
                _ if is_alone => b"HTTP/1.1 502 No\r\nContent-Length: 2\r\n\r\nno",
                "500" if !health => b"HTTP/1.1 500 No\r\nContent-Length: 2\r\n\r\nno",
                _ => b"HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\npong",
            };
            if stream.write_all(bytes).is_err() {
                return;
            }
        }
    }
}

/// Whether somebody answers on this port.
fn is_answered(port: u64) -> bool {
    let ask = || {
        let mut stream = TcpStream::connect(("127.0.0.1", u16::try_from(port).ok()?)).ok()?;
        stream
            .write_all(b"GET / HTTP/1.1\r\nHost: stub\r\n\r\n")
            .ok()?;
        stream.read(&mut [0u8; 64]).ok().filter(|read| *read > 0)
    };
    ask().is_some()
}

/// Listens when this returns.
fn knows_nothing(port: u64) {
    let port = u16::try_from(port).expect("a port");
    let listener = TcpListener::bind(("127.0.0.1", port)).expect("the port to be free");
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.expect("a connection");
            std::thread::spawn(move || {
                while stream.read(&mut [0u8; 4096]).is_ok_and(|read| read > 0) {
                    let answer = b"HTTP/1.1 404 No\r\nContent-Length: 2\r\n\r\nno";
                    if stream.write_all(answer).is_err() {
                        return;
                    }
                }
            });
        }
    });
}
