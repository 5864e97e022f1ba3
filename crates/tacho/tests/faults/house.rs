//! A house of one test: its own working folder, temporary folder and runtime folder. Whatever
//! happens in it, afterwards it has to be clean.

use crate::support::{self, Told, port};
use std::collections::BTreeSet;
use std::fs::{self, File};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// A hang, no measure of speed.
pub const PATIENCE: Duration = Duration::from_secs(180);

/// Whether this user may mount and make namespaces; says so when not.
pub fn is_root() -> bool {
    let root = rustix::process::geteuid().is_root();
    if !root {
        println!("skipped: this takes root, as CI is");
    }
    root
}

/// Waits for an event.
#[track_caller]
pub fn until(what: &str, reached: impl Fn() -> bool) {
    let begin = Instant::now();
    while !reached() {
        assert!(begin.elapsed() < PATIENCE, "waited too long until {what}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// The folders, and what was started in them.
pub struct House {
    folder: TempDir,
    name: String,
    /// Tachos that were started here.
    pids: Mutex<BTreeSet<u32>>,
    /// Processes that belong to the test, and stay.
    guests: Vec<u32>,
    ports: Vec<u16>,
}

impl House {
    pub fn new() -> Self {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let folder = TempDir::with_prefix("house-").unwrap();
        for name in ["work", "tmp", "runtime"] {
            fs::create_dir(folder.path().join(name)).unwrap();
        }
        Self {
            folder,
            name: format!("house{}x{number}", std::process::id()),
            pids: Mutex::default(),
            guests: Vec::new(),
            ports: Vec::new(),
        }
    }

    /// With an experiment whose one variant is the hostile subject, on a port of its own.
    pub fn with(life: &str, more: &str) -> Self {
        let mut house = Self::new();
        let port = house.port();
        let text = house.experiment(&[("it", port, life)], more);
        house.write("experiment.yaml", &text);
        house
    }

    /// Three requests, then two hundred; two launches. `more` is appended.
    pub fn experiment(&self, variants: &[(&str, u16, &str)], more: &str) -> String {
        let mut text = format!("tacho: 1\nname: {}\nvariants:\n", self.name);
        for (name, port, life) in variants {
            text += &format!(
                "  - {{name: {name}, kind: exec, command: '{} {port} {life}'}}\n",
                hostile_subject().display()
            );
        }
        text += "requests: [GET /ping]\nphases:\n  - cold: {requests: 3}\n  - closed: {requests: 200, connections: 4}\n";
        for (key, line) in [
            ("launches:", "launches: 2\n"),
            ("rest:", "rest: 0ms\n"),
            (
                "subject:",
                "subject: {ready: {http: /health, timeout: 60s}}\n",
            ),
            ("request-timeout:", "request-timeout: 20s\n"),
        ] {
            if !more.contains(key) {
                text += line;
            }
        }
        text + "seed: 1\n" + more
    }

    pub fn port(&mut self) -> u16 {
        let port = port();
        self.ports.push(port);
        port
    }

    /// Of experiments and of what is named after them; control groups are found by it.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The first one.
    pub fn experiment_port(&self) -> u16 {
        self.ports[0]
    }

    /// A process of the test's own; it may stay.
    pub fn welcome(&mut self, pid: u32) {
        self.guests.push(pid);
    }

    pub fn work(&self) -> PathBuf {
        self.folder.path().join("work")
    }

    pub fn tmp(&self) -> PathBuf {
        self.folder.path().join("tmp")
    }

    pub fn runtime(&self) -> PathBuf {
        self.folder.path().join("runtime")
    }

    pub fn write(&self, name: &str, text: &str) {
        fs::write(self.work().join(name), text).unwrap();
    }

    /// In this house; `arguments` are split at blanks.
    pub fn tacho(&self, arguments: &str) -> Command {
        self.in_here(support::tacho(), arguments)
    }

    /// By a shell whose `$0` is the program: for limits, pipes and namespaces. It has to `exec`
    /// what is to be signalled.
    pub fn shell(&self, script: &str) -> Command {
        let mut command = Command::new("bash");
        command.args(["-c", script]);
        command.arg(assert_cmd::cargo::cargo_bin("tacho"));
        self.in_here(command, "")
    }

    /// The same in namespaces of its own, as unshare(1) makes them.
    pub fn unshared(&self, flags: &str, script: &str) -> Command {
        let mut command = Command::new("unshare");
        command.args(flags.split(' '));
        command.args(["bash", "-c", script]);
        command.arg(assert_cmd::cargo::cargo_bin("tacho"));
        self.in_here(command, "")
    }

    /// Whoever runs the tests may ignore SIGHUP, as nohup(1) does, and children inherit that: here
    /// it is as at a terminal.
    fn in_here(&self, inner: Command, arguments: &str) -> Command {
        let mut command = Command::new("env");
        command
            .arg("--default-signal=HUP")
            .arg(inner.get_program())
            .args(inner.get_args())
            .args(arguments.split_whitespace())
            .current_dir(self.work())
            .env("NO_COLOR", "1")
            .env("TMPDIR", self.tmp())
            .env("XDG_RUNTIME_DIR", self.runtime())
            .env_remove("TACHO_LAUNCH")
            .stdin(Stdio::null());
        command
    }

    /// Starts it with its output in files: what it may leave behind holds no pipe open.
    pub fn start(&self, mut command: Command) -> Started {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let file = |what: &str| self.folder.path().join(format!("{number}.{what}"));
        let (out, err) = (file("out"), file("err"));
        let child = command
            .stdout(File::create(&out).unwrap())
            .stderr(File::create(&err).unwrap())
            .spawn()
            .unwrap();
        self.pids.lock().unwrap().insert(child.id());
        Started { child, out, err }
    }

    pub fn run(&self, command: Command) -> Told {
        self.start(command).told()
    }

    pub fn run_folders(&self) -> Vec<PathBuf> {
        let mut found = entries(&self.work().join("runs"));
        found.sort();
        found
    }

    /// The newest, if a run came so far.
    pub fn run_folder(&self) -> Option<PathBuf> {
        self.run_folders().pop()
    }

    /// Every launch.json of a run folder that is there.
    pub fn launches(run: &Path) -> Vec<serde_json::Value> {
        let mut folders = entries(&run.join("launches"));
        folders.sort();
        folders
            .iter()
            .filter_map(|folder| fs::read(folder.join("launch.json")).ok())
            .map(|bytes| serde_json::from_slice(&bytes).unwrap())
            .collect()
    }

    /// Waits until a phase of a launch is on record: from then on there is something to report.
    pub fn until_measured(&self) {
        until("a phase is measured", || {
            let runs = self.run_folders();
            let folders = runs.iter().flat_map(|run| entries(&run.join("launches")));
            folders
                .filter_map(|folder| fs::read(folder.join("launch.json")).ok())
                .filter_map(|bytes| serde_json::from_slice::<serde_json::Value>(&bytes).ok())
                .any(|launch| launch["phases"].as_array().is_some_and(|p| !p.is_empty()))
        });
    }

    /// `tacho report` of what was measured until it broke.
    #[track_caller]
    pub fn report(&self, run: &Path) -> Told {
        let mut command = self.tacho("report");
        command.arg(run);
        let told = self.run(command);
        // Whatever the numbers are worth, they were read: neither wrong usage, nor a machine that
        // lacks something, nor a panic.
        assert!(
            matches!(told.code, Some(0 | 1 | 3 | 130)) && !told.out.trim().is_empty(),
            "the folder is not readable: {told:#?}"
        );
        told
    }

    /// The next command; after it nothing may be left.
    #[track_caller]
    pub fn is_clean(&self) {
        let told = self.run(self.tacho("schema run"));
        assert_eq!(told.code, Some(0), "{told:#?}");
        let left = self.left();
        assert!(left.is_empty(), "left behind: {left:#?}\n{}", told.err);
    }

    /// Everything that should not be there.
    pub fn left(&self) -> Vec<String> {
        let mut left = self.processes();
        left.extend(self.groups());
        left.extend(self.mounts());
        left.extend(self.listening());
        left.extend(self.temporary());
        left.extend(self.half_written());
        left
    }

    fn is_ours(&self, pid: u32) -> bool {
        let read = |name: &str| fs::read(format!("/proc/{pid}/{name}")).unwrap_or_default();
        let environment = read("environ");
        let here = self.folder.path().to_str().unwrap().to_owned();
        let pids = self.pids.lock().unwrap();
        let marked = environment.split(|b| *b == 0).any(|variable| {
            let variable = String::from_utf8_lossy(variable);
            // The mark of a launch begins with the number of the Tacho that made it.
            let by = variable
                .strip_prefix("TACHO_LAUNCH=")
                .and_then(|mark| mark.split('-').next()?.parse().ok());
            by.is_some_and(|by: u32| pids.contains(&by)) || variable.contains(&here)
        });
        marked || String::from_utf8_lossy(&read("cmdline")).contains(&here)
    }

    /// Whoever carries a mark of ours, lives in our folders, or was started with their names. A
    /// zombie is dead already; who has just been killed may take an instant to be so.
    fn processes(&self) -> Vec<String> {
        let own = std::process::id();
        let alive = || -> Vec<u32> {
            entries(Path::new("/proc"))
                .iter()
                .filter_map(|path| path.file_name()?.to_str()?.parse().ok())
                .filter(|pid| *pid != own && !self.guests.contains(pid) && self.is_ours(*pid))
                .filter(|pid| {
                    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
                    let state = stat.rsplit_once(") ").map_or("X", |(_, state)| state);
                    !state.starts_with(['Z', 'X'])
                })
                .collect()
        };
        let begin = Instant::now();
        let mut found = alive();
        while !found.is_empty() && begin.elapsed() < Duration::from_secs(30) {
            std::thread::sleep(Duration::from_millis(50));
            found = alive();
        }
        found
            .iter()
            .map(|pid| {
                let line = fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
                let line = String::from_utf8_lossy(&line).replace('\0', " ");
                format!("process {pid}: {line}")
            })
            .collect()
    }

    fn groups(&self) -> Vec<String> {
        let find = Command::new("find")
            .args(["/sys/fs/cgroup", "-type", "d", "-name"])
            .arg(format!("*{}*", self.name))
            .output()
            .unwrap();
        let lines = String::from_utf8_lossy(&find.stdout).into_owned();
        lines
            .lines()
            .map(|l| format!("control group {l}"))
            .collect()
    }

    /// A namespace lives by its processes, which are looked for above, or by a mount.
    fn mounts(&self) -> Vec<String> {
        let here = self.folder.path().to_str().unwrap().to_owned();
        let mounts = fs::read_to_string("/proc/self/mountinfo").unwrap();
        let pids = self.pids.lock().unwrap();
        let ours = |line: &&str| {
            line.contains(&here)
                || line.contains("nsfs") && pids.iter().any(|pid| has_number(line, *pid))
        };
        mounts
            .lines()
            .filter(ours)
            .map(|l| format!("mount {l}"))
            .collect()
    }

    fn listening(&self) -> Vec<String> {
        let taken = |port: &&u16| TcpListener::bind(("127.0.0.1", **port)).is_err();
        self.ports
            .iter()
            .filter(taken)
            .map(|port| format!("port {port} is taken"))
            .collect()
    }

    /// In our own temporary and runtime folders nothing; in the common one nothing with the number
    /// of one of ours. A folder for leases may stay, but no folder in it, and no file.
    fn temporary(&self) -> Vec<String> {
        let mut left = Vec::new();
        for path in below(&self.tmp()) {
            left.push(format!("temporary {}", path.display()));
        }
        for path in below(&self.runtime()) {
            let depth = path
                .strip_prefix(self.runtime())
                .unwrap()
                .components()
                .count();
            if !path.is_dir() || depth > 2 {
                left.push(format!("temporary {}", path.display()));
            }
        }
        let pids = self.pids.lock().unwrap();
        for path in entries(Path::new("/tmp")) {
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            let of_ours = name.contains("tacho") && pids.iter().any(|pid| has_number(&name, *pid));
            let attach = self
                .guests
                .iter()
                .any(|pid| name == format!(".attach_pid{pid}"));
            if of_ours || attach {
                left.push(format!("temporary {}", path.display()));
            }
        }
        left
    }

    fn half_written(&self) -> Vec<String> {
        let mut left = Vec::new();
        for path in below(&self.work()) {
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            let shown = path.display();
            if [".part", ".half", ".tmp"]
                .iter()
                .any(|end| name.ends_with(end))
            {
                left.push(format!("half written {shown}"));
            } else if name.ends_with(".json") && path.is_file() {
                let text = fs::read(&path).unwrap();
                if let Err(e) = serde_json::from_slice::<serde_json::Value>(&text) {
                    left.push(format!("torn {shown}: {e}"));
                }
            }
        }
        left
    }
}

/// Whatever a test found: nothing of it stays on the machine for the next one.
impl Drop for House {
    fn drop(&mut self) {
        // With its leases, which go with the folder.
        let _ = self.tacho("schema run").output();
        for found in self.processes() {
            let pid = found.split([' ', ':']).nth(1).and_then(|n| n.parse().ok());
            if let Some(pid) = pid.and_then(rustix::process::Pid::from_raw) {
                let _ = rustix::process::kill_process(pid, rustix::process::Signal::KILL);
            }
        }
    }
}

/// Whether the number stands there alone, not as a part of another or of a random name.
pub fn has_number(text: &str, number: u32) -> bool {
    without_random_name(text)
        .split(|c: char| !c.is_ascii_digit())
        .any(|digits| digits.parse() == Ok(number))
}

/// A temporary folder of Tacho's ends in a UUID (`tacho-a33df3d0-f3b9-459e-a775-dd224a209fce`),
/// which holds any number: those of other tests would be taken for ours.
fn without_random_name(text: &str) -> &str {
    const UUID: usize = 36;
    let split = text.len().checked_sub(UUID);
    let Some((before, last)) = split.and_then(|at| text.split_at_checked(at)) else {
        return text;
    };
    let dashes = |(at, byte)| matches!(at, 8 | 13 | 18 | 23) == (byte == b'-');
    let is_hex = |byte: u8| byte == b'-' || byte.is_ascii_hexdigit();
    let is_uuid = last.bytes().all(is_hex) && last.bytes().enumerate().all(dashes);
    if is_uuid { before } else { text }
}

#[test]
fn a_number_within_a_random_name_is_no_process_of_ours() {
    let random = "tacho-a33df3d0-f3b9-459e-a775-dd224a209fce";
    for number in [33, 459, 775, 224, 209] {
        assert!(!has_number(random, number), "{number}");
    }
    assert!(has_number(&format!("tacho-profile-459-7-{random}"), 459));
    assert!(has_number("/tmp/hsperfdata_root/459", 459));
    assert!(!has_number("/tmp/.attach_pid1459", 459));
}

pub fn entries(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries.map(|entry| entry.path()).collect()
}

/// Everything, at any depth; links are not followed.
pub fn below(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for path in entries(folder) {
        if path.is_dir() && !path.is_symlink() {
            found.extend(below(&path));
        }
        found.push(path);
    }
    found
}

pub fn hostile_subject() -> PathBuf {
    let path = support::subject().with_file_name("hostile_subject");
    assert!(path.exists(), "{} is not built", path.display());
    path
}

/// A program that runs.
pub struct Started {
    pub child: Child,
    out: PathBuf,
    err: PathBuf,
}

impl Started {
    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    pub fn signal(&self, signal: rustix::process::Signal) {
        support::signal(&self.child, signal);
    }

    /// Ends it without a word, at whatever it is.
    pub fn kill(mut self) -> Told {
        let _ = self.child.kill();
        let status = self.child.wait().unwrap();
        self.read(status)
    }

    pub fn is_running(&mut self) -> bool {
        self.child.try_wait().unwrap().is_none()
    }

    /// Waits until it has ended, and returns what it printed.
    #[track_caller]
    pub fn told(mut self) -> Told {
        let begin = Instant::now();
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                return self.read(status);
            }
            if begin.elapsed() > PATIENCE {
                let _ = self.child.kill();
                let status = self.child.wait().unwrap();
                panic!("it hangs: {:#?}", self.read(status));
            }
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    fn read(&self, status: ExitStatus) -> Told {
        let read = |path: &Path| String::from_utf8_lossy(&fs::read(path).unwrap()).into_owned();
        Told {
            code: status.code(),
            out: read(&self.out),
            err: read(&self.err),
        }
    }
}

/// Says one of these, in whatever case.
#[track_caller]
pub fn says_one_of(told: &Told, words: &[&str]) {
    let text = format!("{}\n{}", told.out, told.err).to_lowercase();
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(
        words.iter().any(|word| text.contains(&word.to_lowercase())),
        "none of {words:?} is in {told:#?}"
    );
}

/// Numbers that differ, the same each time: xorshift64*.
pub struct Chance(u64);

impl Chance {
    pub fn of(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    pub fn below(&mut self, end: u64) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 16) % end
    }
}
