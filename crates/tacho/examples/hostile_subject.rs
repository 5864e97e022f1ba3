//! A service that misbehaves in one way, for the fault tests. `/health` is answered rightly by all
//! that listen, unless it is said otherwise: the fault is met under load.
//!
//! ```text
//! hostile_subject PORT LIFE [NUMBER]
//!   well                 answers everything
//!   exits-at-start       with code 7, before it listens
//!   exits-when-ready     with code 8, as soon as it has answered /health
//!   exits-under-load     with code 9, at request NUMBER
//!   hangs-under-load     answers nothing from request NUMBER on
//!   eats-under-load      allocates without end from request NUMBER on
//!   forks-and-dies       leaves a copy of itself that serves, in its own session; exits with 0
//!   late                 listens after NUMBER ms
//!   other-port           listens on PORT + 1
//!   none                 listens on no port, and lives
//!   garbage              bytes that are no HTTP
//!   endless-head         header lines without end
//!   endless-body         a chunked body without end
//!   trickle              right answers, one byte each NUMBER ms
//!   ignores-term         answers everything, and goes on after SIGTERM
//!   logs                 NUMBER MiB of log, in numbered lines, before it listens and answers all
//! ```
#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::io::{BufWriter, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::os::unix::process::CommandExt;
use std::process::{Command, Stdio, exit};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

const GOOD: &[u8] = b"HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\npong";

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let port: u16 = arguments[1].parse().expect("a port");
    let life = arguments[2].clone();
    let number: u64 = arguments.get(3).map_or(0, |n| n.parse().expect("a number"));
    println!("hostile subject begins: {life}");
    let mut port_of_life = port;
    match life.as_str() {
        "exits-at-start" => {
            println!("nothing to do, good bye");
            exit(7);
        }
        "forks-and-dies" => {
            let mut copy = Command::new(std::env::current_exe().expect("itself"));
            copy.args([&arguments[1], "well"]).stdin(Stdio::null());
            // A daemon of the old kind: of no process group that its parent's end would reach.
            copy.process_group(0).spawn().expect("a copy of itself");
            exit(0);
        }
        "none" => sleep_for_ever(),
        "late" => std::thread::sleep(Duration::from_millis(number)),
        "other-port" => port_of_life += 1,
        "ignores-term" => {
            let flag = Arc::new(AtomicBool::new(false));
            signal_hook::flag::register(signal_hook::consts::SIGTERM, flag).expect("a handler");
        }
        "logs" => log(number),
        _ => {}
    }
    let listener = TcpListener::bind(("127.0.0.1", port_of_life)).expect("the port to be free");
    println!("listening on {port_of_life}");
    let asked = Arc::new(AtomicU64::new(0));
    for stream in listener.incoming() {
        let (life, asked) = (life.clone(), Arc::clone(&asked));
        let stream = stream.expect("a connection");
        std::thread::spawn(move || serve(stream, &life, number, &asked));
    }
}

fn sleep_for_ever() -> ! {
    loop {
        std::thread::sleep(Duration::from_secs(3600));
    }
}

/// Lines of 128 bytes.
fn log(mib: u64) {
    let mut out = BufWriter::with_capacity(1 << 20, std::io::stdout().lock());
    let filling = "x".repeat(128 - 17);
    for line in 0..mib << 13 {
        writeln!(out, "line {line:010} {filling}").expect("a log");
    }
    writeln!(out, "the last line of many").expect("a log");
    out.flush().expect("a log");
}

fn serve(mut stream: TcpStream, life: &str, number: u64, asked: &AtomicU64) {
    let _ = stream.set_nodelay(true);
    let mut seen = Vec::new();
    let mut buffer = [0u8; 4096];
    loop {
        match stream.read(&mut buffer) {
            Ok(0) | Err(_) => return,
            Ok(read) => seen.extend_from_slice(&buffer[..read]),
        }
        while let Some(end) = seen.windows(4).position(|w| w == b"\r\n\r\n") {
            let health = seen.starts_with(b"GET /health ");
            seen.drain(..end + 4);
            let answered = if health {
                stream.write_all(GOOD)
            } else {
                let request = asked.fetch_add(1, Ordering::SeqCst) + 1;
                answer(&mut stream, life, number, request)
            };
            if answered.is_err() {
                return;
            }
            if health && life == "exits-when-ready" {
                println!("ready is enough");
                exit(8);
            }
        }
    }
}

fn answer(stream: &mut TcpStream, life: &str, number: u64, request: u64) -> std::io::Result<()> {
    let reached = request >= number;
    match life {
        "exits-under-load" if reached => {
            println!("that is enough");
            exit(9);
        }
        "hangs-under-load" if reached => sleep_for_ever(),
        "eats-under-load" if reached => {
            let mut eaten = Vec::new();
            loop {
                eaten.push(vec![1u8; 1 << 20]);
                std::hint::black_box(&eaten);
            }
        }
        "garbage" => stream.write_all(b"\x00\xffthis is not HTTP\r\n\r\n"),
        "endless-head" => {
            stream.write_all(b"HTTP/1.1 200 OK\r\n")?;
            endless(
                stream,
                b"X-Filling: 0123456789012345678901234567890123456789\r\n",
            )
        }
        "endless-body" => {
            stream.write_all(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")?;
            endless(stream, b"20\r\n01234567890123456789012345678901\r\n")
        }
        "trickle" => GOOD.iter().try_for_each(|byte| {
            std::thread::sleep(Duration::from_millis(number));
            stream.write_all(&[*byte])
        }),
        _ => stream.write_all(GOOD),
    }
}

/// Until the other side has had enough.
fn endless(stream: &mut TcpStream, piece: &[u8]) -> std::io::Result<()> {
    let many = piece.repeat(1000);
    loop {
        stream.write_all(&many)?;
    }
}
