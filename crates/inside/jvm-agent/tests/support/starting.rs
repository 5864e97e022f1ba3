//! A service that is watched from its first instant on.

use super::PATIENCE;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Ipv4Addr, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};
use tacho_test_jdks::oldest;

/// The service, compiled once.
fn classes() -> &'static Path {
    static CLASSES: OnceLock<tempfile::TempDir> = OnceLock::new();
    CLASSES
        .get_or_init(|| {
            let folder = tempfile::tempdir().unwrap();
            compile("Starting.java", folder.path());
            folder
        })
        .path()
}

/// For every JVM that counts: the newer ones run what is compiled for the oldest.
pub fn compile(source: &str, to: &Path) {
    let source = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests")
        .join(source);
    let mut javac = oldest().tool("javac");
    // Not `--release`, which hides com.sun.net.httpserver.
    let status = javac
        .args(["-source", "11", "-target", "11", "-nowarn", "-g"])
        .args(["-Xlint:-options", "-d"])
        .arg(to)
        .arg(source)
        .status();
    assert!(status.unwrap().success());
}

/// A JVM whose service answers, or soon will.
pub struct Starting {
    child: Child,
    folder: tempfile::TempDir,
    /// What it says on its standard output, line by line.
    lines: Receiver<String>,
    said: Vec<String>,
    port: Option<u16>,
}

impl Starting {
    /// Starts it, and waits for nothing.
    pub fn launch(jvm: &Path, flags: &[&str]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let log = std::fs::File::create(folder.path().join("log")).unwrap();
        let mut child = Command::new(jvm.join("bin/java"))
            .args(["-Xmx128m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"])
            .args(flags)
            .arg("-cp")
            .arg(classes())
            .arg("com.acme.Starting")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(log)
            .spawn()
            .unwrap();
        let from = child.stdout.take().unwrap();
        let (to, lines) = channel();
        std::thread::spawn(move || {
            for line in BufReader::new(from).lines().map_while(Result::ok) {
                if to.send(line).is_err() {
                    return;
                }
            }
        });
        Self {
            child,
            folder,
            lines,
            said: Vec::new(),
            port: None,
        }
    }

    /// Starts it, and waits until it listens.
    pub fn listening(jvm: &Path, flags: &[&str]) -> Self {
        let mut service = Self::launch(jvm, flags);
        service.port();
        service
    }

    /// Where it listens; waits until it does.
    pub fn port(&mut self) -> u16 {
        while self.port.is_none() {
            match self.lines.recv_timeout(PATIENCE) {
                Ok(line) => self.take(line),
                Err(e) => panic!("it does not listen ({e}): {}", self.log()),
            }
        }
        self.port.unwrap()
    }

    fn take(&mut self, line: String) {
        if let Some(port) = line.strip_prefix("port ") {
            self.port = Some(port.parse().unwrap());
        }
        self.said.push(line);
    }

    /// Lines of its standard output, until a glance sees no more.
    pub fn said(&mut self) -> &[String] {
        loop {
            match self.lines.recv_timeout(Duration::from_millis(100)) {
                Ok(line) => self.take(line),
                Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => {
                    return &self.said;
                }
            }
        }
    }

    /// Every line of its standard output. It is killed for that: whoever might still say something
    /// would be waited for otherwise.
    pub fn all_that_it_said(&mut self) -> &[String] {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
        while let Ok(line) = self.lines.recv() {
            self.take(line);
        }
        &self.said
    }

    /// It answers 200 to a request of each kind.
    pub fn answers(&mut self, when: &str) {
        let port = self.port();
        for path in ["/a,b/12", "/fail", "/c"] {
            let answer = get(port, path);
            assert!(
                answer.starts_with("HTTP/1.1 200"),
                "{when}, {path}: {answer:?}\n{}",
                self.log()
            );
        }
    }

    /// Nothing in its log is the work of an instrument.
    pub fn is_unharmed(&mut self, when: &str) {
        let log = self.log();
        let told = self.said().join("\n");
        for harm in ["Circularity", "NoClassDefFound", "LinkageError", "Error"] {
            let found = log.contains(harm) || told.contains(harm);
            assert!(!found, "{when}: {log}\n{told}");
        }
        assert!(self.child.try_wait().unwrap().is_none(), "{when}: {log}");
    }

    pub fn log(&self) -> String {
        std::fs::read_to_string(self.folder.path().join("log")).unwrap_or_default()
    }

    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    /// For the sessions of the agent.
    pub fn folder(&self) -> PathBuf {
        self.folder.path().to_owned()
    }
}

impl Drop for Starting {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The whole answer, or why there is none.
pub fn get(port: u16, path: &str) -> String {
    let ask = || -> std::io::Result<String> {
        let mut connection = TcpStream::connect((Ipv4Addr::LOCALHOST, port))?;
        connection.set_read_timeout(Some(PATIENCE))?;
        write!(
            connection,
            "GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
        )?;
        let mut answer = String::new();
        connection.read_to_string(&mut answer)?;
        Ok(answer)
    };
    ask().unwrap_or_else(|e| format!("no answer: {e}"))
}

/// Tries until it holds; only a hang takes longer than there is time.
pub fn until<T>(what: &str, mut holds: impl FnMut() -> Option<T>) -> T {
    let begin = Instant::now();
    loop {
        if let Some(found) = holds() {
            return found;
        }
        assert!(begin.elapsed() < PATIENCE, "{what} does not come");
        std::thread::sleep(Duration::from_millis(5));
    }
}
