//! One launch of the service: limited to a processor, loaded in a closed loop.

use crate::{Arguments, BenchError, io};
use std::collections::BTreeMap;
use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};
use tacho_cgroup::{Group, GroupLimits, Hierarchy};
use tacho_launch::{Child, Lease, Spawn, spawn};

/// Calls of the hot method for a request.
pub const CALLS: u32 = 10;
/// What a second is to see of them when nobody traces.
pub const CALLS_PER_S: f64 = 10_000.0;
/// Rounds of computing that the calibration compares.
const FEW: u32 = 2_000;
const MANY: u32 = 20_000;
const STARTING: Duration = Duration::from_secs(30);

/// The service, compiled.
pub struct Subject<'a> {
    pub arguments: &'a Arguments,
    pub folder: tempfile::TempDir,
    hierarchy: Hierarchy,
    /// Rounds of computing in each method that the hot one calls.
    work: u32,
    /// What `java -version` calls itself.
    pub version: String,
}

/// What a stretch of load gave.
#[derive(Debug, Clone, Copy)]
pub struct Loaded {
    /// Calls of the hot method, exactly.
    pub calls: u64,
    pub calls_per_s: f64,
    /// Processor time of the group for each of them, in microseconds.
    pub cpu_us: f64,
}

impl<'a> Subject<'a> {
    pub fn compile(arguments: &'a Arguments) -> Result<Self, BenchError> {
        let folder = tempfile::tempdir().map_err(io("a temporary folder"))?;
        let source = folder.path().join("Shop.java");
        std::fs::write(&source, include_str!("../Shop.java")).map_err(io("Shop.java"))?;
        let javac = match arguments.java.parent() {
            Some(bin) if !bin.as_os_str().is_empty() => bin.join("javac"),
            _ => PathBuf::from("javac"),
        };
        let made = output(
            Command::new(&javac)
                .arg("-d")
                .arg(folder.path())
                .arg(&source),
        )?;
        if !made.status.success() {
            return Err(BenchError::Subject(format!(
                "it does not compile: {}",
                String::from_utf8_lossy(&made.stderr)
            )));
        }
        let said = output(Command::new(&arguments.java).arg("-version"))?;
        let version = String::from_utf8_lossy(&said.stderr);
        Ok(Self {
            arguments,
            folder,
            hierarchy: Hierarchy::detect()?,
            work: FEW,
            version: version.lines().next().unwrap_or("java").replace('"', ""),
        })
    }

    /// Chooses the work so that the hot method is called as often as it is to be. A call costs
    /// something and then so much for each round of computing.
    pub fn calibrate(&mut self) -> Result<(), BenchError> {
        let mut cost = |work| {
            self.work = work;
            let mut running = self.launch()?;
            running.load(self.arguments.warm_up)?;
            Ok::<f64, BenchError>(1.0 / running.load(self.arguments.settle)?.calls_per_s)
        };
        let (few, many) = (cost(FEW)?, cost(MANY)?);
        let of_a_round = (many - few) / f64::from(MANY - FEW);
        let work = f64::from(FEW) + (1.0 / CALLS_PER_S - few) / of_a_round;
        eprintln!(
            "{work:.0} rounds of computing in each of the six methods that the hot one calls"
        );
        // Also false when it is no number.
        if !(1.0..=1e7).contains(&work) {
            return Err(BenchError::Subject(format!(
                "this machine does not call anything {CALLS_PER_S} times a second: {} us with {FEW} rounds of work, {} us with {MANY}",
                few * 1e6,
                many * 1e6
            )));
        }
        self.work = work as u32;
        Ok(())
    }

    /// Starts the service on a JVM of its own.
    pub fn launch(&self) -> Result<Running<'_>, BenchError> {
        let name = format!("bench-diagnose-{}", std::process::id());
        let lease = Lease::take(&self.hierarchy.directories_of(&name))?;
        let limits = GroupLimits {
            cpu: Some(1.0),
            memory_bytes: Some(768 << 20),
        };
        let group = self.hierarchy.create(&name, &limits)?;
        let folder = self.folder.path().display().to_string();
        let log = self.folder.path().join("log.txt");
        let _ = std::fs::remove_file(&log);
        let mut command = vec![self.arguments.java.display().to_string()];
        command.extend(["-Xmx256m", "-Dsun.net.httpserver.nodelay=true", "-cp"].map(str::to_owned));
        // Arthas writes its logs there.
        command.insert(1, format!("-Duser.home={folder}"));
        command.extend([folder, "com.acme.Shop".to_owned()]);
        command.extend([self.work.to_string(), CALLS.to_string()]);
        let child = spawn(Spawn {
            command,
            directory: self.folder.path().to_owned(),
            environment: BTreeMap::new(),
            log: log.clone(),
            join: group.join_files(),
            user: None,
            lease,
        })?;
        let mut running = Running {
            child,
            group,
            port: 0,
            arguments: self.arguments,
        };
        running.port = running.port(&log)?;
        Ok(running)
    }
}

/// The service while it runs; ended when it is dropped.
pub struct Running<'a> {
    child: Child,
    group: Group,
    port: u16,
    arguments: &'a Arguments,
}

impl Running<'_> {
    pub fn pid(&self) -> u32 {
        self.child.pid()
    }

    fn port(&mut self, log: &Path) -> Result<u16, BenchError> {
        let since = Instant::now();
        while since.elapsed() < STARTING {
            let said = std::fs::read_to_string(log).unwrap_or_default();
            let whole = said.lines().find_map(|line| line.strip_prefix("port "));
            if let Some(port) = whole.filter(|_| said.ends_with('\n')) {
                return port.parse().map_err(|_| BenchError::Subject(said));
            }
            if self.child.try_wait().map_err(io("the service"))?.is_some() {
                return Err(BenchError::Subject(format!("it has ended: {said}")));
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        Err(BenchError::Subject("it does not start".to_owned()))
    }

    /// A closed loop for this many seconds.
    pub fn load(&mut self, seconds: u32) -> Result<Loaded, BenchError> {
        let (calls, cpu) = (self.calls()?, self.group.cpu()?.usage_s);
        let output = output(
            Command::new(&self.arguments.tacho)
                .args(["load", "--quiet", "--closed", "--connections", "16"])
                .args(["--json", "-", "--duration", &format!("{seconds}s")])
                .arg(format!("http://127.0.0.1:{}/", self.port)),
        )?;
        let cpu = self.group.cpu()?.usage_s - cpu;
        let calls = self.calls()? - calls;
        let said: serde_json::Value = serde_json::from_slice(&output.stdout)
            .map_err(|e| BenchError::Generator(e.to_string()))?;
        let answers = said["requests"].as_f64();
        if answers.is_none() || said["outcomes"]["2xx"]["count"].as_f64() != answers {
            return Err(BenchError::Generator(
                "not every request succeeded".to_owned(),
            ));
        }
        let rate = said["rate"].as_f64();
        let rate = rate.ok_or_else(|| BenchError::Generator("no rate".to_owned()))?;
        Ok(Loaded {
            calls,
            calls_per_s: rate * f64::from(CALLS),
            cpu_us: cpu * 1e6 / calls.max(1) as f64,
        })
    }

    /// How often the hot method has been called since the start; requests under way are waited for.
    pub fn calls(&self) -> Result<u64, BenchError> {
        let mut before = self.count()?;
        loop {
            std::thread::sleep(Duration::from_millis(50));
            let now = self.count()?;
            if now == before {
                return Ok(now);
            }
            before = now;
        }
    }

    fn count(&self) -> Result<u64, BenchError> {
        let failed = || io("how often the hot method was called");
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).map_err(failed())?;
        stream
            .set_read_timeout(Some(STARTING))
            .and_then(|()| stream.write_all(b"GET /calls HTTP/1.0\r\n\r\n"))
            .map_err(failed())?;
        let mut said = String::new();
        stream.read_to_string(&mut said).map_err(failed())?;
        let number = said.rsplit("\r\n").next().unwrap_or_default();
        number.trim().parse().map_err(|_| BenchError::Subject(said))
    }
}

impl Drop for Running<'_> {
    fn drop(&mut self) {
        let _ = self.child.terminate(Duration::ZERO);
        let _ = self.group.kill_all();
        let _ = self.group.remove();
    }
}

fn output(command: &mut Command) -> Result<Output, BenchError> {
    let program = command.get_program().to_string_lossy().into_owned();
    command
        .stdin(Stdio::null())
        .output()
        .map_err(|e| BenchError::Program(program, e))
}
