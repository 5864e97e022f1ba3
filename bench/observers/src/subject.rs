//! One launch of the service, loaded and perhaps observed.

use crate::{Arguments, BenchError};
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use tacho_cgroup::{Group, GroupLimits, Hierarchy};
use tacho_clock as clock;
use tacho_observe::{Sampler, SamplerSpec};
use tacho_run_folder::{JvmSample, MemorySample};

/// The service, compiled.
pub struct Subject<'a> {
    arguments: &'a Arguments,
    folder: tempfile::TempDir,
    hierarchy: Hierarchy,
    /// What `java -version` calls itself.
    pub version: String,
}

/// What a launch gave.
#[derive(Debug, Clone, Copy)]
pub struct Launched {
    /// Answers a second.
    pub rate: f64,
    /// Processor time of the subject for each answer, in microseconds: what others on the machine
    /// do moves it less than the rate.
    pub cpu_us: f64,
    /// Processor time of the observers in seconds.
    pub observer_cpu_s: f64,
    /// For how long they observed.
    pub observed_s: f64,
    /// Lines of memory.csv with the mappings read, and of jvm.csv.
    pub lines: (usize, usize),
}

impl<'a> Subject<'a> {
    pub fn compile(arguments: &'a Arguments) -> Result<Self, BenchError> {
        let folder = tempfile::tempdir()
            .map_err(|e| BenchError::Program("a temporary folder".to_owned(), e))?;
        std::fs::write(
            folder.path().join("Service.java"),
            include_str!("../Service.java"),
        )
        .map_err(|e| BenchError::Program("Service.java".to_owned(), e))?;
        let javac = match arguments.java.parent() {
            Some(bin) if !bin.as_os_str().is_empty() => bin.join("javac"),
            _ => PathBuf::from("javac"),
        };
        let made = command(&javac)
            .arg("Service.java")
            .current_dir(&folder)
            .status();
        match made {
            Ok(status) if status.success() => {}
            Ok(status) => return Err(BenchError::Subject(format!("javac: {status}"))),
            Err(e) => return Err(BenchError::Program(javac.display().to_string(), e)),
        }
        let said = command(&arguments.java)
            .arg("-version")
            .stderr(Stdio::piped())
            .output();
        let said =
            said.map_err(|e| BenchError::Program(arguments.java.display().to_string(), e))?;
        let version = String::from_utf8_lossy(&said.stderr)
            .lines()
            .next()
            .unwrap_or("java")
            .replace('"', "");
        Ok(Self {
            arguments,
            folder,
            hierarchy: Hierarchy::detect()?,
            version,
        })
    }

    /// Starts it, warms it up, measures it and ends it.
    pub fn launch(&self, observed: bool) -> Result<Launched, BenchError> {
        let limits = GroupLimits {
            cpu: Some(1.0),
            memory_bytes: Some(512 << 20),
        };
        let name = format!("bench-observers-{}", std::process::id());
        let group = Arc::new(self.hierarchy.create(&name, &limits)?);
        let log = self.folder.path().join("gc.log");
        let exec_ns = clock::monotonic_ns();
        let mut running = self.start(&group, observed.then_some(&log))?;
        let path = |name: &str| self.folder.path().join(name);
        let sampler = match observed {
            true => Some(Sampler::start(SamplerSpec {
                pid: running.child.id(),
                group: Some(Arc::clone(&group)),
                exec_ns,
                path: path("samples.csv"),
                memory_path: Some(path("memory.csv")),
                jvm_path: Some(path("jvm.csv")),
                gc_log: Some(log),
                requests: Arc::new(AtomicU64::new(0)),
            })?),
            false => None,
        };
        let port = running.port()?;
        self.load(port, self.arguments.warm_up)?;
        let before = group.cpu()?.usage_s;
        let (rate, answers) = self.load(port, self.arguments.measured)?;
        let cpu_us = (group.cpu()?.usage_s - before) * 1e6 / answers.max(1.0);
        let observer_cpu_s = match sampler {
            Some(sampler) => sampler.stop()?.observer_cpu_s,
            None => 0.0,
        };
        let observed_s = (clock::monotonic_ns() - exec_ns) as f64 / 1e9;
        drop(running);
        group.kill_all()?;
        group.remove()?;
        Ok(Launched {
            rate,
            cpu_us,
            observer_cpu_s,
            observed_s,
            lines: if observed {
                lines(&path("memory.csv"), &path("jvm.csv"))
            } else {
                (0, 0)
            },
        })
    }

    fn start(&self, group: &Group, gc_log: Option<&PathBuf>) -> Result<Running, BenchError> {
        // Each file of the group is joined before Java begins.
        let join = "n=$1; shift; while [ $n -gt 0 ]; do echo 0 > \"$1\" || exit 9; shift; n=$((n-1)); done; exec \"$@\"";
        let files = group.join_files();
        let mut command = command(Path::new("sh"));
        command.args(["-c", join, "join", &files.len().to_string()]);
        command.args(files).arg(&self.arguments.java);
        if let Some(log) = gc_log {
            command.arg(format!(
                "-Xlog:gc*,gc+heap+coops=debug:file=\"{}\":uptime,level,tags:filecount=0",
                log.display()
            ));
        }
        command.args(["-Xmx256m", "-Dsun.net.httpserver.nodelay=true", "-cp"]);
        command.arg(self.folder.path()).arg("Service");
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let child = command
            .spawn()
            .map_err(|e| BenchError::Program("sh".to_owned(), e))?;
        Ok(Running { child })
    }

    /// Answers a second under a closed loop, and how many.
    fn load(&self, port: u16, seconds: u32) -> Result<(f64, f64), BenchError> {
        let output = command(&self.arguments.tacho)
            .args([
                "load",
                "--quiet",
                "--closed",
                "--connections",
                "16",
                "--json",
                "-",
                "--duration",
            ])
            .arg(format!("{seconds}s"))
            .arg(format!("http://127.0.0.1:{port}/"))
            .stdout(Stdio::piped())
            .output()
            .map_err(|e| BenchError::Program(self.arguments.tacho.display().to_string(), e))?;
        let said: serde_json::Value = serde_json::from_slice(&output.stdout)
            .map_err(|e| BenchError::Generator(e.to_string()))?;
        let answers = said["requests"].as_f64();
        if answers.is_none() || said["outcomes"]["2xx"]["count"].as_f64() != answers {
            return Err(BenchError::Generator(
                "not every request succeeded".to_owned(),
            ));
        }
        said["rate"]
            .as_f64()
            .zip(answers)
            .ok_or_else(|| BenchError::Generator("no rate".to_owned()))
    }
}

fn command(program: &Path) -> Command {
    let mut command = Command::new(program);
    command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    command
}

fn lines(memory: &Path, jvm: &Path) -> (usize, usize) {
    let open = |path: &Path| std::fs::File::open(path).map(BufReader::new);
    let memory = open(memory)
        .ok()
        .and_then(|file| MemorySample::read(file).ok())
        .unwrap_or_default();
    let jvm = open(jvm)
        .ok()
        .and_then(|file| JvmSample::read(file).ok())
        .unwrap_or_default();
    (
        memory.iter().filter(|m| m.rss_bytes.is_some()).count(),
        jvm.len(),
    )
}

/// Ended when it is dropped.
struct Running {
    child: Child,
}

impl Running {
    fn port(&mut self) -> Result<u16, BenchError> {
        let mut line = String::new();
        if let Some(stdout) = self.child.stdout.take() {
            let _ = BufReader::new(stdout).read_line(&mut line);
        }
        line.trim().parse().map_err(|_| {
            BenchError::Subject(format!("it said `{}` instead of its port", line.trim()))
        })
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
