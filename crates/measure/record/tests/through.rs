//! Requests through a relay to a real server, and what was written down of them.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use tacho_import::{TargetSyntax, Targets};
use tacho_masking::Masking;
use tacho_record::{Earlier, Lost, RecordError, Recorded, Relay, Tape};
use tacho_workload::Body;

/// Answers each request with its number on its connection.
fn service() -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            std::thread::spawn(move || answer(&stream));
        }
    });
    address
}

fn answer(stream: &TcpStream) {
    let mut reader = BufReader::new(stream);
    for number in 1.. {
        let mut length = 0;
        loop {
            let mut line = String::new();
            if reader.read_line(&mut line).unwrap_or(0) == 0 {
                return;
            }
            if let Some(said) = line.to_ascii_lowercase().strip_prefix("content-length:") {
                length = said.trim().parse().unwrap();
            }
            if line.trim().is_empty() {
                break;
            }
        }
        reader.read_exact(&mut vec![0; length]).unwrap();
        let body = number.to_string();
        let mut stream = stream;
        let _ = write!(
            stream,
            "HTTP/1.1 200 OK\r\nContent-Length: {}\r\n\r\n{body}",
            body.len()
        );
    }
}

struct Recording {
    folder: tempfile::TempDir,
    address: SocketAddr,
    stop: Arc<AtomicBool>,
    thread: JoinHandle<Recorded>,
}

impl Recording {
    fn of(service: SocketAddr, at_most: Option<u64>) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let (targets, times) = (folder.path().join("t.jsonl"), folder.path().join("t.csv"));
        let relay = Relay::bind("127.0.0.1:0".parse().unwrap(), &format!("http://{service}"));
        let relay = relay.unwrap();
        let address = relay.address().unwrap();
        let stop = Arc::new(AtomicBool::new(false));
        let wish = Arc::clone(&stop);
        let tape = Tape::create(&targets, Some(&times), Earlier::Kept).unwrap();
        let thread =
            std::thread::spawn(move || relay.run(tape, Arc::new(Masking::new()), at_most, &wish));
        Self {
            folder,
            address,
            stop,
            thread,
        }
    }

    fn lines(&self, name: &str) -> Vec<String> {
        let text = std::fs::read_to_string(self.path(name)).unwrap();
        text.lines().map(str::to_owned).collect()
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn end(self) -> Recorded {
        self.stop.store(true, Ordering::Relaxed);
        self.thread.join().unwrap()
    }
}

/// What comes back for what is sent.
fn exchange(to: SocketAddr, sent: &str) -> String {
    let mut stream = TcpStream::connect(to).unwrap();
    stream.write_all(sent.as_bytes()).unwrap();
    stream.shutdown(std::net::Shutdown::Write).unwrap();
    let mut back = String::new();
    stream.read_to_string(&mut back).unwrap();
    back
}

#[test]
fn what_passes_is_carried_unchanged_and_written_down() {
    let service = service();
    let recording = Recording::of(service, None);
    let sent = "GET /a?page=1 HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer s3cr3tT0k3n\r\n\r\nPOST /b HTTP/1.1\r\nContent-Type: text/plain\r\nContent-Length: 2\r\n\r\nhi";
    assert_eq!(exchange(recording.address, sent), exchange(service, sent));
    let targets = recording.lines("t.jsonl");
    assert_eq!(targets.len(), 2, "{targets:?}");
    assert!(targets[0].contains("\"/a?page=1\""), "{targets:?}");
    assert!(!targets.concat().contains("s3cr3tT0k3n"));
    let times = recording.lines("t.csv");
    let times: Vec<f64> = times.iter().map(|time| time.parse().unwrap()).collect();
    assert!(times.len() == 2 && times.is_sorted(), "{times:?}");
    let recorded = recording.end();
    assert_eq!(recorded.requests, 2);
    assert!(recorded.left.headers.contains("Authorization"));
    assert!(recorded.lost.is_empty() && recorded.ended.is_none());
}

#[test]
fn what_is_not_understood_is_carried_and_counted() {
    let service = service();
    let recording = Recording::of(service, None);
    let sent = "GET /ws HTTP/1.1\r\nUpgrade: websocket\r\n\r\n";
    assert_eq!(exchange(recording.address, sent), exchange(service, sent));
    let recorded = recording.end();
    assert_eq!((recorded.requests, recorded.lost[&Lost::Upgraded]), (0, 1));
}

#[test]
fn it_ends_when_it_has_enough() {
    let recording = Recording::of(service(), Some(2));
    let one = "GET /x HTTP/1.1\r\n\r\n";
    exchange(recording.address, &one.repeat(3));
    let recorded = recording.thread.join().unwrap();
    assert_eq!(recorded.requests, 2);
}

#[test]
fn each_mistake_is_said_with_its_remedy() {
    let listen: SocketAddr = "127.0.0.1:0".parse().unwrap();
    let told = |listen: SocketAddr, service: &str| Relay::bind(listen, service).unwrap_err();
    assert!(matches!(
        told(listen, "localhost"),
        RecordError::BadService(_)
    ));
    assert!(matches!(
        told(listen, "https://localhost"),
        RecordError::Tls(_)
    ));
    let nobody = TcpListener::bind("127.0.0.1:0")
        .unwrap()
        .local_addr()
        .unwrap();
    let error = told(listen, &format!("http://{nobody}"));
    assert!(matches!(error, RecordError::NoService { .. }), "{error:?}");
    let open = "0.0.0.0:0".parse().unwrap();
    assert!(matches!(
        told(open, "http://localhost:1"),
        RecordError::NotLoopback(_)
    ));
}

#[test]
fn what_was_recorded_is_read_as_targets() {
    let recording = Recording::of(service(), None);
    exchange(
        recording.address,
        "PUT /a HTTP/1.1\r\nContent-Type: a/b\r\nContent-Length: 3\r\n\r\nabc",
    );
    let file = std::fs::File::open(recording.path("t.jsonl")).unwrap();
    let base = recording.folder.path();
    let mut targets = Targets::new(BufReader::new(file), TargetSyntax::Json, base);
    let target = targets.next().unwrap().unwrap();
    assert_eq!(
        (target.method.as_str(), target.path.as_str()),
        ("PUT", "/a")
    );
    assert_eq!(target.body, Body::Bytes(b"abc".to_vec()));
    assert!(targets.next().is_none());
}

#[test]
fn the_last_request_is_answered_before_it_ends() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let (answer, wanted) = std::sync::mpsc::channel::<()>();
    let service = listener.local_addr().unwrap();
    std::thread::spawn(move || {
        // The first is the relay's own look whether anybody listens.
        let mut stream = listener.incoming().flatten().nth(1).unwrap();
        let mut head = [0; 64];
        let _ = stream.read(&mut head).unwrap();
        wanted.recv().unwrap();
        let _ = stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi");
    });
    let recording = Recording::of(service, Some(1));
    let mut client = TcpStream::connect(recording.address).unwrap();
    client.write_all(b"GET /x HTTP/1.1\r\n\r\n").unwrap();
    while recording.lines("t.jsonl").is_empty() {
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    // It has what it wants, and its client has not.
    std::thread::sleep(std::time::Duration::from_millis(100));
    assert!(!recording.thread.is_finished());
    answer.send(()).unwrap();
    let mut back = [0; 40];
    client.read_exact(&mut back).unwrap();
    assert!(back.ends_with(b"hi"), "{back:?}");
    assert_eq!(recording.thread.join().unwrap().requests, 1);
}
