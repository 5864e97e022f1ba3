//! A workshop that really runs things, and a small service to make variants of.
#![allow(dead_code, clippy::unwrap_used, clippy::expect_used)]

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, ErrorKind, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use tacho_experiment::{SubjectSpec, VariantKind, VariantSpec};
use tacho_run_folder::PreparedVariant;
use tacho_subject::*;

/// Runs steps as they are; trains by three requests.
pub struct RealWorkshop {
    pub directory: PathBuf,
}

impl Workshop for RealWorkshop {
    fn run(&mut self, step: Step) -> Result<StepOutput, StepError> {
        let mut command = Command::new(&step.command[0]);
        command
            .args(&step.command[1..])
            .current_dir(&step.directory)
            .envs(&step.environment);
        let output = unless_busy(|| command.output()).map_err(|source| StepError::NotStarted {
            program: step.command[0].clone(),
            source,
        })?;
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let (stdout, stderr) = (text(&output.stdout), text(&output.stderr));
        if !output.status.success() {
            return Err(StepError::Failed {
                command: step.command.join(" "),
                how: output.status.to_string(),
                last_lines: format!("{stdout}{stderr}"),
            });
        }
        Ok(StepOutput { stdout, stderr })
    }

    fn train(&mut self, launch: Launchable) -> Result<(), StepError> {
        let running = Running::start(&launch.command, &launch.directory, &launch.environment);
        for _ in 0..3 {
            running.get("/");
        }
        running.stop();
        Ok(())
    }

    fn directory(&self) -> &Path {
        &self.directory
    }
}

/// Begins again while the program is still open for writing ("Text file busy"): what another
/// thread of the tests has just forked holds the script that this one has written, until it
/// executes its own program.
fn unless_busy<T>(mut start: impl FnMut() -> std::io::Result<T>) -> std::io::Result<T> {
    for _ in 0..60_000 {
        match start() {
            Err(error) if error.kind() == ErrorKind::ExecutableFileBusy => {
                std::thread::sleep(Duration::from_millis(1));
            }
            started => return started,
        }
    }
    start()
}

/// A service that says where it listens.
pub struct Running {
    child: Child,
    port: u16,
}

impl Running {
    pub fn start(
        command: &[String],
        directory: &Path,
        environment: &BTreeMap<String, String>,
    ) -> Self {
        let mut launch = Command::new(&command[0]);
        launch
            .args(&command[1..])
            .current_dir(directory)
            .envs(environment)
            .stdout(Stdio::piped());
        let mut child = unless_busy(|| launch.spawn()).unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap())
            .lines()
            .map_while(Result::ok);
        let port = lines.find_map(|line| line.strip_prefix("listening on ")?.parse().ok());
        // A pipe that nobody reads fills up, and one that is closed disturbs the JVM.
        std::thread::spawn(move || lines.for_each(drop));
        let Some(port) = port else {
            let _ = child.kill();
            panic!("{command:?} never listened: {:?}", child.wait());
        };
        Self { child, port }
    }

    /// A service whose port is known.
    fn on(child: Child, port: u16) -> Self {
        Self { child, port }
    }

    /// The body of the answer.
    pub fn get(&self, path: &str) -> String {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        write!(stream, "GET {path} HTTP/1.0\r\nHost: localhost\r\n\r\n").unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        answer.split_once("\r\n\r\n").unwrap().1.to_owned()
    }

    /// Where its executable lies.
    pub fn executable(&self) -> PathBuf {
        std::fs::read_link(format!("/proc/{}/exe", self.child.id())).unwrap()
    }

    /// Names of the files that it has mapped.
    pub fn maps(&self) -> String {
        std::fs::read_to_string(format!("/proc/{}/maps", self.child.id())).unwrap()
    }

    /// SIGTERM, and wait.
    pub fn stop(mut self) {
        let pid = rustix::process::Pid::from_child(&self.child);
        rustix::process::kill_process(pid, rustix::process::Signal::TERM).unwrap();
        self.child.wait().unwrap();
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A scratch folder with `app.jar` in it, and this machine.
pub struct Bench {
    pub scratch: tempfile::TempDir,
    pub host: Host,
    pub jdks: Jdks,
}

impl Bench {
    pub fn new() -> Self {
        let scratch = tempfile::tempdir().unwrap();
        let mut host = Host::here();
        // What was built for tests is nobody's image; the cache of tools that are fetched stays.
        host.images = scratch.path().join("images");
        host.native_kits = scratch.path().join("kits");
        host.native_image_options = None;
        Self {
            scratch,
            jdks: Jdks::discover(&host),
            host,
        }
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.scratch.path().join(name)
    }

    /// Compiles the service for Java 17 and packs it.
    pub fn build_app(&self) -> PathBuf {
        let jdk = self.jdks.newest_that_suits(Some(17)).unwrap();
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/app/App.java");
        let classes = self.path("classes");
        let jar = self.path("app.jar");
        let text = |p: &Path| p.display().to_string();
        let (from, to, packed) = (text(&source), text(&classes), text(&jar));
        must(&jdk.tool("javac"), &["--release", "17", "-d", &to, &from]);
        must(
            &jdk.tool("jar"),
            &[
                "--create",
                "--file",
                &packed,
                "--main-class",
                "App",
                "-C",
                &to,
                ".",
            ],
        );
        jar
    }

    pub fn workshop(&self, name: &str) -> RealWorkshop {
        let directory = self.path(name);
        std::fs::create_dir_all(&directory).unwrap();
        RealWorkshop { directory }
    }

    /// Makes a variant for real.
    pub fn prepare(&self, kind: VariantKind, subject: &SubjectSpec) -> Prepared {
        let spec = spec(kind);
        let context = self.context(&spec, subject);
        variant(kind).available(&context).unwrap();
        let mut workshop = self.workshop(kind.name());
        variant(kind).prepare(&context, &mut workshop).unwrap()
    }

    pub fn context<'a>(&'a self, spec: &'a VariantSpec, subject: &SubjectSpec) -> Context<'a> {
        Context::new(subject, spec, self.scratch.path(), &self.jdks, &self.host).unwrap()
    }

    /// Launches a prepared variant with one more flag right after the program.
    pub fn launch(&self, prepared: &Prepared, flag: Option<String>) -> Running {
        let mut command = prepared.record.command.clone();
        command.splice(1..1, flag);
        let directory = Path::new(&prepared.record.directory);
        Running::start(&command, directory, &prepared.record.environment)
    }
}

/// A variant without settings of its own.
pub fn spec(kind: VariantKind) -> VariantSpec {
    VariantSpec {
        warm_up: None,
        training: tacho_experiment::Training::default(),
        name: kind.name().to_owned(),
        kind,
        overrides: SubjectSpec::default(),
        own_ready: false,
        command: Vec::new(),
        only_if: None,
    }
}

/// A subject with one argument and a small heap.
pub fn subject(artifact: PathBuf) -> SubjectSpec {
    SubjectSpec {
        artifact: Some(artifact),
        arguments: vec!["world".to_owned()],
        jvm_flags: vec!["-Xmx64m".to_owned()],
        ..SubjectSpec::default()
    }
}

/// Runs a tool that has to do its work.
pub fn must(program: &Path, arguments: &[&str]) {
    let output = Command::new(program).args(arguments).output().unwrap();
    assert!(
        output.status.success(),
        "{program:?} {arguments:?}: {}{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
}

/// Launches a prepared variant and waits for its port.
pub fn wait_until_listening(record: &PreparedVariant, port: u16) -> Running {
    let child = Command::new(&record.command[0])
        .args(&record.command[1..])
        .current_dir(&record.directory)
        .envs(&record.environment)
        .spawn()
        .unwrap();
    let mut running = Running::on(child, port);
    let end = Instant::now() + Duration::from_secs(120);
    while TcpStream::connect(("127.0.0.1", port)).is_err() {
        assert!(Instant::now() < end, "{record:?} never listened");
        let ended = running.child.try_wait().unwrap();
        assert!(ended.is_none(), "{record:?} ended: {ended:?}");
        std::thread::sleep(Duration::from_millis(50));
    }
    running
}
