//! Root looks into processes of `nobody` that want to become root. Each of these was possible once.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod support;

use std::fs;
use std::io::{BufRead, BufReader};
use std::os::unix::fs::{PermissionsExt, chown, symlink};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use support::{Told, tacho};

const NOBODY: u32 = 65534;

/// Does the same all the time; what `main` is given is a `java.home` that it claims to have.
const SERVICE: &str = r#"
public class Quiet {
    static int kept;

    public static void main(String[] arguments) throws Exception {
        for (int i = 0; i < 1000; i++) {
            kept += work().length();
        }
        // The JVM has read by now what it needs from its real home.
        if (arguments.length > 0) {
            System.setProperty("java.home", arguments[0]);
        }
        System.out.println("up");
        while (true) {
            kept += work().length();
        }
    }

    static String work() {
        return String.format("%40d", kept);
    }
}
"#;

/// Only root has anything to lose here.
fn is_root() -> bool {
    let is_root = rustix::process::geteuid().is_root();
    if !is_root {
        println!("skipped: these tests want root, and a user `nobody`");
    }
    is_root
}

/// A folder of nobody's with the service in it, and what root would have to lose.
struct House {
    folder: tempfile::TempDir,
}

impl House {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).unwrap();
        let house = Self { folder };
        fs::write(house.path("Quiet.java"), SERVICE).unwrap();
        let compiled = tacho_test_jdks::oldest()
            .tool("javac")
            .args(["--release", "17", "-d", "classes", "Quiet.java"])
            .current_dir(&house.folder)
            .status();
        assert!(compiled.unwrap().success());
        let theirs = house.path("theirs");
        fs::create_dir(&theirs).unwrap();
        chown(&theirs, Some(NOBODY), Some(NOBODY)).unwrap();
        house
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// A script of nobody's that leaves a file which says who ran it.
    fn trap(&self, name: &str) -> PathBuf {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        let script = format!("#!/bin/sh\nid -u >> {}\n", self.caught().display());
        fs::write(&path, script).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        chown(&path, Some(NOBODY), Some(NOBODY)).unwrap();
        path
    }

    fn caught(&self) -> PathBuf {
        self.path("theirs/caught")
    }

    /// Nothing of nobody's was executed by Tacho, as whoever.
    fn assert_nothing_was_caught(&self) {
        let who = fs::read_to_string(self.caught()).unwrap_or_default();
        assert_eq!(who, "", "a script of the process was run, by user {who}");
    }

    fn tacho(&self, arguments: &[&str], pid: u32) -> Told {
        let mut command = tacho();
        command
            .arg(arguments[0])
            .arg(pid.to_string())
            .args(&arguments[1..])
            .current_dir(&self.folder);
        Told::of(&command.output().unwrap())
    }
}

/// A process of nobody's that is ended with the test.
struct Theirs(Child);

impl Theirs {
    /// Waits until it is up.
    fn start(command: &mut Command) -> Self {
        let mut child = command
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        assert_eq!(lines.next().unwrap().unwrap(), "up");
        std::thread::spawn(move || lines.for_each(drop));
        Self(child)
    }

    /// The service in a JVM of nobody's.
    fn jvm(house: &House, arguments: &[&str]) -> Self {
        let mut command = tacho_test_jdks::newest().tool("java");
        command
            .args(["-Xmx64m", "-cp", "classes", "Quiet"])
            .args(arguments)
            .current_dir(&house.folder)
            .uid(NOBODY)
            .gid(NOBODY);
        Self::start(&mut command)
    }

    fn pid(&self) -> u32 {
        self.0.id()
    }
}

impl Drop for Theirs {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// It says `java.home` itself, and a recording was read with the `java` below that.
#[test]
fn a_jvm_that_lies_about_its_home_has_nothing_executed() {
    if !is_root() {
        return;
    }
    let house = House::new();
    let home = house.path("jdk");
    for tool in ["java", "javac", "jcmd"] {
        house.trap(&format!("jdk/bin/{tool}"));
    }
    fs::write(home.join("release"), "JAVA_VERSION=\"25.0.3\"\n").unwrap();
    let theirs = Theirs::jvm(&house, &[home.to_str().unwrap()]);
    let told = house.tacho(&["profile", "--recorder", "-d", "5s"], theirs.pid());
    house.assert_nothing_was_caught();
    assert_eq!(told.code, Some(0), "{told:#?}");
    assert!(told.out.contains("Quiet.work"), "{told:#?}");
}

/// A mapped file called `libjvm.so` was enough to have the `jcmd` beside the program run.
#[test]
fn a_process_that_only_looks_like_a_jvm_has_no_jcmd_run() {
    if !is_root() {
        return;
    }
    let house = House::new();
    house.trap("fake/jcmd");
    let program = house.path("fake/tail");
    fs::copy("/usr/bin/tail", &program).unwrap();
    let library = fs::read_to_string("/proc/self/maps")
        .unwrap()
        .lines()
        .find_map(|line| {
            line.split_whitespace()
                .nth(5)
                .filter(|f| f.contains("/libc.so"))
        })
        .map(PathBuf::from)
        .unwrap();
    let fake = house.path("fake/libjvm.so");
    fs::copy(library, &fake).unwrap();
    let mut child = Command::new(&program)
        .args(["-f", "/dev/null"])
        .env("LD_PRELOAD", &fake)
        .uid(NOBODY)
        .gid(NOBODY)
        .spawn()
        .unwrap();
    let maps = PathBuf::from(format!("/proc/{}/maps", child.id()));
    while !fs::read_to_string(&maps).unwrap().contains("libjvm.so") {
        assert_eq!(child.try_wait().unwrap(), None, "it has ended");
        std::thread::yield_now();
    }
    let told = house.tacho(&["memory", "--live"], child.id());
    child.kill().unwrap();
    child.wait().unwrap();
    house.assert_nothing_was_caught();
    assert_eq!(told.code, Some(0), "{told:#?}");
}

/// Names that Tacho would use, in a folder of nobody's, are links to what is root's. The folder in
/// /tmp is there for all tests: what this one plants, it removes.
#[test]
fn links_that_were_planted_under_our_names_are_not_followed() {
    if !is_root() {
        return;
    }
    let house = House::new();
    let theirs = Theirs::jvm(&house, &[]);
    let first = house.tacho(&["exceptions", "-d", "100ms"], theirs.pid());
    assert_eq!(first.code, Some(0), "{first:#?}");

    let victim = house.path("victim");
    fs::write(&victim, "root's").unwrap();
    fs::set_permissions(&victim, fs::Permissions::from_mode(0o600)).unwrap();
    let shared = PathBuf::from(format!("/tmp/.tacho-agent-{NOBODY}"));
    let jar = fs::read_dir(&shared)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .find(|path| path.extension().is_some_and(|e| e == "jar"))
        .unwrap();
    fs::remove_file(&jar).unwrap();
    // The name of what was half written ended in the number of Tacho's process: the next ones.
    let load = fs::read_to_string("/proc/loadavg").unwrap();
    let last: u32 = load.trim_end().rsplit(' ').next().unwrap().parse().unwrap();
    let planted: Vec<PathBuf> = (last..last + 6_000)
        .map(|pid| PathBuf::from(format!("{}.{pid}", jar.display())))
        .collect();
    for link in &planted {
        symlink(&victim, link).unwrap();
    }
    let told = house.tacho(&["exceptions", "-d", "100ms"], theirs.pid());
    for link in &planted {
        let _ = fs::remove_file(link);
    }
    assert_eq!(
        fs::read_to_string(&victim).unwrap(),
        "root's",
        "overwritten"
    );
    let owner = std::os::unix::fs::MetadataExt::uid(&fs::metadata(&victim).unwrap());
    assert_eq!(owner, 0, "given to nobody");
    assert_eq!(told.code, Some(0), "{told:#?}");
}

/// In its own root, /tmp is a link: inside it leads to a folder of its own, and from outside to one
/// of root's.
#[test]
fn a_container_whose_tmp_is_a_link_does_not_lead_out_of_it() {
    if !is_root() {
        return;
    }
    let house = House::new();
    // Not below /tmp, which is a link in there.
    let roots_own = tempfile::tempdir_in("/var/tmp").unwrap();
    let victim = roots_own.path().to_owned();
    fs::set_permissions(&victim, fs::Permissions::from_mode(0o700)).unwrap();
    let root = house.path("root");
    let inside = root.join(victim.strip_prefix("/").unwrap());
    fs::create_dir_all(&inside).unwrap();
    fs::set_permissions(&inside, fs::Permissions::from_mode(0o1777)).unwrap();
    symlink(&victim, root.join("tmp")).unwrap();
    let jdk = &tacho_test_jdks::newest().home;
    let script = format!(
        "set -e; cd {root}; for d in usr lib lib64 proc etc; do [ -e /$d ] || continue; mkdir -p $d; mount --rbind /$d $d; done
         mkdir -p app; mount --bind {classes} app
         exec chroot --userspec={NOBODY}:{NOBODY} {root} {jdk}/bin/java -Xmx64m -cp /app Quiet",
        root = root.display(),
        classes = house.path("classes").display(),
        jdk = jdk.display(),
    );
    let theirs = Theirs::start(Command::new("unshare").args([
        "--mount",
        "--propagation",
        "private",
        "sh",
        "-c",
        &script,
    ]));
    for command in ["exceptions", "profile"] {
        let told = house.tacho(&[command, "-d", "100ms"], theirs.pid());
        assert_eq!(names(&victim), Vec::<String>::new(), "{command}: outside");
        assert_eq!(told.code, Some(0), "{told:#?}");
    }
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let name = |entry: std::io::Result<fs::DirEntry>| entry.unwrap().file_name();
    entries
        .map(|entry| name(entry).to_string_lossy().into_owned())
        .collect()
}
