//! Real JVMs, the oldest and the newest there are (`tacho-test-jdks`). As root, since one of them
//! runs as another user and one in namespaces of its own.

#![allow(clippy::unwrap_used, clippy::expect_used)]

use rustix::process::{Pid, Signal, kill_process};
use rustix::thread::set_thread_res_uid;
use std::io::{BufRead, BufReader};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;
use std::time::Duration;
use tacho_attach::{AttachError, Jvm, Program};
use tacho_test_jdks::{Jdk, extremes, newest, oldest};

const NOBODY: u32 = 65_534;

/// A program that waits for the end of its input, and an agent in it that writes its arguments to a
/// file, or fails.
const PROGRAM: &str = r#"
import java.nio.file.Files;
import java.nio.file.Paths;

public class Waits {
    public static void main(String[] arguments) throws Exception {
        System.setProperty("with=odd", "väl\nue");
        System.out.println("up");
        System.in.read();
    }

    public static void agentmain(String arguments) throws Exception {
        if (arguments.equals("fail")) {
            throw new IllegalStateException("as it was told");
        }
        Files.write(Paths.get(arguments), "loaded".getBytes());
    }
}
"#;

/// The program as a jar that is also an agent; everybody may read it.
fn jar() -> &'static Path {
    static JAR: OnceLock<(tempfile::TempDir, PathBuf)> = OnceLock::new();
    let (_, jar) = JAR.get_or_init(|| {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text);
        write("Waits.java", PROGRAM).unwrap();
        write("manifest", "Main-Class: Waits\nAgent-Class: Waits\n").unwrap();
        let run = |tool: &str, arguments: &str| {
            let mut command = oldest().tool(tool);
            command.current_dir(&folder).args(arguments.split(' '));
            assert!(command.status().unwrap().success());
        };
        run(
            "javac",
            "-encoding UTF-8 --release 8 -Xlint:-options -d classes Waits.java",
        );
        run("jar", "cfm waits.jar manifest -C classes .");
        Command::new("chmod")
            .args(["-R", "a+rX"])
            .arg(folder.path())
            .status()
            .unwrap();
        let jar = folder.path().join("waits.jar");
        (folder, jar)
    });
    jar
}

struct Waits(Child);

impl Waits {
    fn start(java: &Jdk, flags: &[&str]) -> Self {
        let mut command = java.tool("java");
        command.args(flags).arg("-jar").arg(jar());
        Self::of(&mut command)
    }

    fn of(command: &mut Command) -> Self {
        let child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .current_dir("/")
            .spawn()
            .unwrap();
        let mut waits = Self(child);
        let stdout = waits.0.stdout.take().unwrap();
        let mut lines = BufReader::new(stdout).lines();
        assert!(lines.any(|line| line.unwrap() == "up"), "the JVM is not up");
        // Whatever else it prints has somewhere to go.
        std::thread::spawn(move || lines.for_each(drop));
        waits
    }

    fn pid(&self) -> u32 {
        self.0.id()
    }

    fn runs(&mut self) -> bool {
        self.0.try_wait().unwrap().is_none()
    }

    fn signal(&self, signal: Signal) {
        kill_process(Pid::from_child(&self.0), signal).unwrap();
    }

    /// Stops it, and waits until every thread of it stands still.
    fn stop(&self) {
        self.signal(Signal::STOP);
        let stands = |task: std::fs::DirEntry| {
            let stat = std::fs::read_to_string(task.path().join("stat")).unwrap_or_default();
            stat.rsplit(')')
                .next()
                .is_some_and(|rest| rest.trim_start().starts_with('T'))
        };
        let tasks = || {
            std::fs::read_dir(format!("/proc/{}/task", self.pid()))
                .unwrap()
                .flatten()
        };
        while !tasks().all(stands) {
            std::thread::sleep(Duration::from_millis(5));
        }
    }
}

impl Drop for Waits {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Only a hang is longer.
fn attach(pid: u32) -> Jvm {
    Jvm::attach_within(pid, Duration::from_secs(120)).unwrap()
}

/// On the oldest and the newest JVM.
fn each(test: impl Fn(&Jdk)) {
    extremes().for_each(test);
}

#[test]
fn a_jvm_tells_its_version_and_its_properties_and_says_what_it_does_not_know() {
    each(|java| {
        let waits = Waits::start(java, &[]);
        for _ in 0..2 {
            let jvm = attach(waits.pid());
            let version = jvm.jcmd("VM.version").unwrap();
            assert!(
                version.contains(&format!("JDK {}", java.release)),
                "{version}"
            );
            let properties = jvm.properties().unwrap();
            let is = |key: &str| properties.get(key).map(String::as_str);
            assert_eq!(is("with=odd"), Some("väl\nue"));
            assert_eq!(is("java.home"), java.home.to_str());
        }
        let jvm = attach(waits.pid());
        let refused = jvm.jcmd("VM.nothing").unwrap_err();
        assert!(matches!(refused, AttachError::Refused { .. }), "{refused}");
        assert!(
            refused.to_string().contains("Unknown diagnostic command"),
            "{refused}"
        );
        assert!(jvm.jcmd("Thread.print").unwrap().contains("\"main\""));
    });
}

#[test]
fn agents_are_loaded_and_what_they_say_when_they_fail_is_passed_on() {
    each(|java| {
        let waits = Waits::start(java, &[]);
        let jvm = attach(waits.pid());
        let folder = tempfile::tempdir().unwrap();
        let loaded = |name: &str| folder.path().join(name);

        jvm.load_java_agent(jar(), loaded("java").to_str().unwrap())
            .unwrap();
        assert_eq!(std::fs::read(loaded("java")).unwrap(), b"loaded");
        // The library that carries Java agents is a native agent itself.
        let library = java.home.join("lib/libinstrument.so");
        let options = format!("{}={}", jar().display(), loaded("native").display());
        jvm.load_native_agent(&library, &options).unwrap();
        assert_eq!(std::fs::read(loaded("native")).unwrap(), b"loaded");

        let failed = |result: Result<(), AttachError>, said: &str| {
            let error = result.unwrap_err();
            assert!(matches!(error, AttachError::AgentFailed { .. }), "{error}");
            assert!(error.to_string().contains(said), "{error}");
        };
        failed(jvm.load_java_agent(jar(), "fail"), "its agentmain failed");
        failed(
            jvm.load_java_agent(&loaded("none.jar"), ""),
            "the jar cannot be read",
        );
        failed(
            jvm.load_native_agent(&loaded("none.so"), ""),
            "No such file",
        );
        std::fs::write(loaded("text.so"), "no library").unwrap();
        failed(
            jvm.load_native_agent(&loaded("text.so"), ""),
            "file too short",
        );
        let long = jvm.load_java_agent(jar(), &"x".repeat(2000)).unwrap_err();
        assert!(matches!(long, AttachError::TooLong { .. }), "{long}");
    });
}

#[test]
fn a_jvm_that_refuses_says_why_and_lives_on() {
    each(|java| {
        for flags in [
            &["-XX:+DisableAttachMechanism"][..],
            &["-XX:+DisableAttachMechanism", "-XX:-UsePerfData"],
        ] {
            let mut disabled = Waits::start(java, flags);
            let error = Jvm::attach(disabled.pid()).unwrap_err();
            assert!(matches!(error, AttachError::Disabled { .. }), "{error}");
            assert!(disabled.runs());
        }
        // With -Xrs a JVM does not catch SIGQUIT, and opens its socket at once. Without that
        // socket, the signal would end it.
        let mut deaf = Waits::start(java, &["-Xrs"]);
        assert!(Jvm::attach(deaf.pid()).is_ok());
        std::fs::remove_file(format!("/tmp/.java_pid{}", deaf.pid())).unwrap();
        let error = Jvm::attach(deaf.pid()).unwrap_err();
        assert!(matches!(error, AttachError::Deaf { .. }), "{error}");
        assert!(deaf.runs());
    });
}

#[test]
fn agents_that_are_forbidden_are_told_from_agents_that_fail() {
    let newest = newest();
    let flags: &[&str] = match newest.release {
        21.. => &["-XX:-EnableDynamicAgentLoading"],
        _ => &[
            "-XX:+UnlockDiagnosticVMOptions",
            "-XX:-EnableDynamicAgentLoading",
        ],
    };
    let waits = Waits::start(newest, flags);
    let jvm = attach(waits.pid());
    assert!(jvm.jcmd("VM.version").is_ok());
    let error = jvm.load_java_agent(jar(), "fail").unwrap_err();
    assert!(
        matches!(error, AttachError::AgentsForbidden { .. }),
        "{error}"
    );
}

#[test]
fn a_jvm_that_stands_still_is_told_from_one_that_has_died() {
    let mut waits = Waits::start(oldest(), &[]);
    waits.stop();
    let little = Duration::from_millis(400);
    let error = Jvm::attach_within(waits.pid(), little).unwrap_err();
    assert!(matches!(error, AttachError::NoAnswer { .. }), "{error}");
    waits.signal(Signal::CONT);
    let jvm = attach(waits.pid());
    waits.stop();
    let error = jvm
        .clone()
        .with_patience(little)
        .jcmd("VM.version")
        .unwrap_err();
    assert!(matches!(error, AttachError::NoAnswer { .. }), "{error}");
    let asking = std::thread::spawn({
        let jvm = jvm.clone();
        move || jvm.jcmd("VM.version")
    });
    std::thread::sleep(little);
    waits.signal(Signal::KILL);
    waits.0.wait().unwrap();
    let error = asking.join().unwrap().unwrap_err();
    assert!(matches!(error, AttachError::Died { .. }), "{error}");
    assert!(!jvm.is_alive());
    let error = jvm.jcmd("VM.version").unwrap_err();
    assert!(matches!(error, AttachError::Died { .. }), "{error}");
    let error = Jvm::attach(waits.pid()).unwrap_err();
    assert!(matches!(error, AttachError::NoProcess { .. }), "{error}");
}

#[test]
fn a_file_that_a_dead_jvm_left_does_not_pass_for_a_socket() {
    let waits = Waits::start(oldest(), &[]);
    let socket = free_name(waits.pid());
    drop(std::os::unix::net::UnixListener::bind(&socket).unwrap());
    let jvm = attach(waits.pid());
    assert!(jvm.jcmd("VM.version").is_ok());
}

fn nobodys() -> Waits {
    let mut command = oldest().tool("java");
    Waits::of(command.arg("-jar").arg(jar()).uid(NOBODY).gid(NOBODY))
}

/// Root's JVM had the same number, and was killed: the next JVM of that number cannot put its
/// socket in that place when it is another user's.
#[test]
fn a_socket_that_another_users_dead_jvm_left_is_out_of_the_way() {
    let waits = nobodys();
    let socket = free_name(waits.pid());
    drop(std::os::unix::net::UnixListener::bind(&socket).unwrap());
    let jvm = attach(waits.pid());
    assert!(jvm.jcmd("VM.version").is_ok());
}

/// Where a JVM listens. One that was killed leaves its socket, and its number is given again.
fn free_name(pid: u32) -> PathBuf {
    let socket = PathBuf::from(format!("/tmp/.java_pid{pid}"));
    let _ = std::fs::remove_file(&socket);
    socket
}

/// What listens is in use, whoever it is.
#[test]
fn a_socket_of_another_user_that_is_in_use_stays_and_is_named() {
    let waits = nobodys();
    let socket = free_name(waits.pid());
    let _listener = std::os::unix::net::UnixListener::bind(&socket).unwrap();
    let error = Jvm::attach_within(waits.pid(), Duration::from_millis(400)).unwrap_err();
    assert!(socket.exists(), "it was removed");
    std::fs::remove_file(&socket).unwrap();
    assert!(matches!(error, AttachError::NameTaken { .. }), "{error}");
    assert!(
        error.to_string().contains(socket.to_str().unwrap()),
        "{error}"
    );
}

#[test]
fn root_is_let_in_as_the_user_and_another_user_is_not() {
    let nobodys = nobodys();
    let jvm = attach(nobodys.pid());
    assert_eq!(
        (jvm.identity().user, jvm.identity().group),
        (NOBODY, NOBODY)
    );
    assert!(jvm.jcmd("VM.version").is_ok());
    assert!(jvm.shares_files());

    let roots = Waits::start(oldest(), &[]);
    let pid = roots.pid();
    let as_nobody = std::thread::spawn(move || {
        let nobody = Some(rustix::process::Uid::from_raw(NOBODY));
        set_thread_res_uid(nobody, nobody, nobody).unwrap();
        Jvm::attach(pid).unwrap_err()
    });
    let error = as_nobody.join().unwrap();
    assert!(
        matches!(error, AttachError::OtherUser { owner, .. } if owner.user == 0),
        "{error}"
    );
}

#[test]
fn a_jvm_in_namespaces_of_its_own_is_reached_by_its_number_in_there() {
    let script = "mount -t tmpfs tmpfs /mnt && mkdir /mnt/tmp /mnt/jar && cp \"$1\" /mnt/jar/waits.jar && mount --bind /mnt/tmp /tmp && mount -t proc proc /proc && exec \"$0\" -jar /mnt/jar/waits.jar";
    let mut command = Command::new("unshare");
    command.args([
        "--mount",
        "--pid",
        "--fork",
        "--kill-child",
        "sh",
        "-c",
        script,
    ]);
    command.arg(oldest().path("java")).arg(jar());
    let contained = Waits::of(&mut command);
    // The JVM is the child of `unshare`, and number 1 in there.
    let children = format!("/proc/{0}/task/{0}/children", contained.pid());
    let pid = std::fs::read_to_string(&children)
        .ok()
        .and_then(|text| text.trim().parse().ok());
    let pid: u32 = pid.unwrap_or_else(|| child_of(contained.pid()));
    let jvm = attach(pid);
    assert!(!jvm.shares_files());
    assert!(jvm.jcmd("VM.version").unwrap().contains("JDK"));
    jvm.load_java_agent("/mnt/jar/waits.jar".as_ref(), "/tmp/loaded")
        .unwrap();
    let loaded = jvm.root().open_regular("/tmp/loaded".as_ref()).unwrap();
    assert_eq!(std::io::read_to_string(loaded).unwrap(), "loaded");
    assert!(!Path::new("/tmp/loaded").exists());
}

fn child_of(parent: u32) -> u32 {
    let children = std::fs::read_dir("/proc")
        .unwrap()
        .flatten()
        .filter_map(|entry| {
            let pid = entry.file_name().to_str()?.parse::<u32>().ok()?;
            let stat = tacho_observe::process::stat(pid)?;
            (stat.parent == parent).then_some(pid)
        });
    children.into_iter().next().expect("unshare has a child")
}

#[test]
fn what_is_no_jvm_is_named() {
    let mut sleep = Command::new("sleep").arg("60").spawn().unwrap();
    let error = Jvm::attach(sleep.id()).unwrap_err();
    sleep.kill().unwrap();
    sleep.wait().unwrap();
    let AttachError::NotHotSpot { program, .. } = error else {
        panic!("{error}");
    };
    assert_eq!(program, Program::Other);

    let folder = tempfile::tempdir().unwrap();
    std::fs::write(
        folder.path().join("main.go"),
        "package main\nimport \"time\"\nfunc main() { time.Sleep(time.Minute) }\n",
    )
    .unwrap();
    let built = Command::new("go")
        .args(["build", "-o", "waits", "main.go"])
        .current_dir(&folder)
        .env("GOFLAGS", "-mod=mod")
        .status()
        .unwrap();
    assert!(built.success());
    let mut go = Command::new(folder.path().join("waits")).spawn().unwrap();
    let error = Jvm::attach(go.id()).unwrap_err();
    go.kill().unwrap();
    go.wait().unwrap();
    assert!(error.to_string().contains("is a Go program"), "{error}");
}
