//! A container by hand: unshare(1), a root of tmpfs with the machine's programs bound into it and
//! changed to by pivot_root(2), a `/proc` of its own, and a JVM as user 1000 that is number 1.

use crate::support::{Told, tacho};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;
use std::fs;
use std::io::{BufRead, BufReader};
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};
use tacho_test_jdks::{Jdk, oldest};

/// Throws, formats, and rests a little.
const SERVICE: &str = r#"
package com.acme;

public class Contained {
    static int kept;

    public static void main(String[] arguments) throws Exception {
        for (int i = 0; i < 1000; i++) {
            kept += work().length();
        }
        System.out.println("up");
        for (int i = 0; ; i++) {
            kept += work().length();
            if (i % 100 == 0) {
                Thread.sleep(1);
            }
        }
    }

    static String work() {
        try {
            kept += Integer.parseInt("none");
        } catch (NumberFormatException e) {
            kept++;
        }
        return String.format("%40d", kept);
    }
}
"#;

const IN_THERE: &str = r#"
cd "$ROOT"
mount -t tmpfs -o mode=755 tmpfs .
cd "$ROOT"
for d in usr bin sbin lib lib64 etc; do
    if [ -L /$d ]; then cp -P /$d $d; elif [ -d /$d ]; then mkdir $d; mount --rbind /$d $d; fi
done
mkdir app jdk proc dev tmp old
mount --rbind "$CLASSES" app
mount --rbind "$JDK" jdk
mount --rbind /dev dev
mount -t proc proc proc
[ "$TMPFS" = none ] || mount -t tmpfs -o "mode=1777,$TMPFS" tmpfs tmp
mount -o remount,ro,mode=755 tmpfs .
pivot_root . old
umount -l old
exec setpriv --reuid 1000 --regid 1000 --clear-groups /jdk/bin/java -Xmx64m -cp /app "$MAIN"
"#;

/// The rights to look into processes of other users. On newer kernels two others include the one
/// to read mappings.
pub const LOOKING: &str = "sys_ptrace,-perfmon,-sys_admin";
/// What user 0 of a user namespace is on the node.
const FIRST: u32 = 100_000;

/// What is different about one.
#[derive(Debug, Clone, Copy)]
pub struct Kind {
    /// Options of the file system at `/tmp`; without one it is part of the root, which is
    /// read-only.
    pub tmp: Option<&'static str>,
    /// Whether it has a user namespace, in which 0 is 100000 of the node.
    pub own_users: bool,
}

impl Default for Kind {
    fn default() -> Self {
        Self {
            tmp: Some("size=256m"),
            own_users: false,
        }
    }
}

/// Says so when not: the only reason for which these tests are skipped.
pub fn containers_can_be_made() -> bool {
    let unshared = Command::new("unshare")
        .args(["--mount", "--pid", "--fork", "mount", "-t", "tmpfs", "none"])
        .arg("/mnt")
        .output();
    let can = unshared.is_ok_and(|output| output.status.success());
    if !can {
        println!("skipped: unshare(1) may not make namespaces here; run it as root");
    }
    can
}

/// One that runs; it goes with this.
pub struct Container {
    unshare: Child,
    pid: u32,
    main: String,
    said: Arc<Mutex<String>>,
    folder: tempfile::TempDir,
}

impl Container {
    /// Waits until its service is up.
    pub fn start(jdk: &Jdk, kind: Kind) -> Self {
        let folder = tempfile::tempdir().unwrap();
        fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).unwrap();
        let (classes, main) = compiled(folder.path());
        let root = folder.path().join("root");
        fs::create_dir(&root).unwrap();
        let users = kind.own_users.then(Users::make);
        let mut command = Command::new("unshare");
        if let Some(users) = &users {
            command = Command::new("nsenter");
            command.arg(format!("--user=/proc/{}/ns/user", users.0.id()));
            command.args(["--setuid", "0", "--setgid", "0", "unshare"]);
            let theirs = Some(FIRST);
            std::os::unix::fs::chown(&root, theirs, theirs).unwrap();
        }
        let mut unshare = command
            .args(["--mount", "--pid", "--fork"])
            .args(["sh", "-ec", IN_THERE])
            .env("ROOT", &root)
            .env("CLASSES", classes)
            .env("JDK", &jdk.home)
            .env("TMPFS", kind.tmp.unwrap_or("none"))
            .env("MAIN", &main)
            .env("HOSTNAME", host_of(&main))
            .stdout(Stdio::piped())
            .stderr(Stdio::inherit())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(unshare.stdout.take().unwrap()).lines();
        let is_up = lines.any(|line| line.unwrap() == "up");
        assert!(is_up, "the JVM is not up: {kind:?}");
        let said = Arc::new(Mutex::new(String::new()));
        let log = Arc::clone(&said);
        std::thread::spawn(move || {
            for line in lines.map_while(Result::ok) {
                *log.lock().unwrap() += &format!("{line}\n");
            }
        });
        let pid = only_child_of(unshare.id());
        Self {
            unshare,
            pid,
            main,
            said,
            folder,
        }
    }

    /// Of the JVM, on the node.
    pub fn pid(&self) -> u32 {
        self.pid
    }

    /// The name of its main class is its own.
    pub fn main_class(&self) -> String {
        self.main.clone()
    }

    /// The name of the host in there is its own as well.
    pub fn host(&self) -> String {
        host_of(&self.main)
    }

    /// What the service has written since it is up.
    pub fn said(&self) -> String {
        self.said.lock().unwrap().clone()
    }

    /// Of the JVM, in there.
    pub fn inner_pid(&self) -> u32 {
        let status = fs::read_to_string(format!("/proc/{}/status", self.pid)).unwrap();
        let line = status.lines().find_map(|line| line.strip_prefix("NSpid:"));
        let last = line.unwrap().split_whitespace().next_back().unwrap();
        last.parse().unwrap()
    }

    pub fn user_on_node(&self) -> u32 {
        fs::metadata(format!("/proc/{}", self.pid)).unwrap().uid()
    }

    pub fn runs(&self) -> bool {
        fs::read_to_string(format!("/proc/{}/stat", self.pid))
            .is_ok_and(|stat| !stat.contains(") Z "))
    }

    /// What lies in its `/tmp`, but for what HotSpot keeps there by itself.
    pub fn tmp(&self) -> Vec<String> {
        let folder = format!("/proc/{}/root/tmp", self.pid);
        let mut names: Vec<String> = fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
            .filter(|name| name != ".java_pid1" && !name.starts_with("hsperfdata_"))
            .collect();
        names.sort();
        names
    }

    /// Writes a file of so many bytes into its `/tmp`, as the service might.
    pub fn fill_tmp(&self, bytes: usize) {
        let file = format!("/proc/{}/root/tmp/filled", self.pid);
        fs::write(file, vec![1; bytes]).unwrap();
    }

    /// Files with this in their name that the JVM has mapped as programs, by their numbers.
    pub fn mapped(&self, name: &str) -> std::collections::BTreeSet<String> {
        let maps = fs::read_to_string(format!("/proc/{}/maps", self.pid)).unwrap();
        let of_file = maps.lines().filter(|line| line.contains(name));
        of_file
            .map(|line| {
                let words: Vec<&str> = line.split_whitespace().collect();
                format!("{} {}", words[3], words[4])
            })
            .collect()
    }

    /// A file with this in its path that the JVM has open.
    pub fn opened(&self, name: &str) -> Option<PathBuf> {
        let open = fs::read_dir(format!("/proc/{}/fd", self.pid)).ok()?;
        open.flatten()
            .filter_map(|entry| fs::read_link(entry.path()).ok())
            .find(|path| path.to_string_lossy().contains(name))
    }

    /// `tacho COMMAND PID MORE...`
    pub fn told(&self, command: &str, more: &[&str]) -> Told {
        Told::of(&self.command(command, more).output().unwrap())
    }

    pub fn json(&self, command: &str, more: &[&str]) -> Value {
        self.told(command, more).json()
    }

    /// The same by a root that lacks capabilities.
    pub fn told_without(&self, rights: &str, command: &str, more: &[&str]) -> Told {
        Told::of(
            &lacking(rights, &self.command(command, more))
                .output()
                .unwrap(),
        )
    }

    /// The same by root of a container that has the JVM's process numbers and no right to trace.
    pub fn told_beside(&self, command: &str, more: &[&str]) -> Told {
        let mut tacho = tacho();
        tacho.args([command, "1"]).args(more);
        let lacking = lacking(LOOKING, &tacho);
        let mut beside = Command::new("nsenter");
        beside
            .arg(format!("--pid=/proc/{}/ns/pid", self.pid))
            .args(["unshare", "--mount", "sh", "-ec"])
            .arg("mount -t proc proc /proc; exec \"$0\" \"$@\"")
            .arg(lacking.get_program())
            .args(lacking.get_args())
            .current_dir(self.folder.path());
        for (name, value) in lacking.get_envs() {
            beside.env(name, value.unwrap_or_default());
        }
        Told::of(&beside.output().unwrap())
    }

    /// `tacho ARGUMENTS...`
    pub fn tacho(&self, arguments: &[&str]) -> Told {
        let mut command = tacho();
        command.args(arguments).current_dir(self.folder.path());
        Told::of(&command.output().unwrap())
    }

    pub fn command(&self, command: &str, more: &[&str]) -> Command {
        let mut tacho = tacho();
        tacho
            .arg(command)
            .arg(self.pid.to_string())
            .args(more)
            .current_dir(self.folder.path());
        tacho
    }
}

impl Drop for Container {
    fn drop(&mut self) {
        // It is number 1 in there: with it go its namespaces and mounts, and unshare(1) ends.
        // (`--kill-child` does not do: who changes his user is no longer told of a parent's end.)
        let pid = i32::try_from(self.pid).ok().and_then(Pid::from_raw);
        let _ = kill_process(pid.unwrap(), Signal::KILL);
        let _ = self.unshare.wait();
    }
}

/// A user namespace, held by a process that rests.
struct Users(Child);

impl Users {
    fn make() -> Self {
        let rests = Command::new("unshare")
            .args(["--user", "sleep", "600"])
            .spawn()
            .unwrap();
        let users = Self(rests);
        let pid = users.0.id();
        let own = |pid: &str| fs::read_link(format!("/proc/{pid}/ns/user")).unwrap();
        while own(&pid.to_string()) == own("self") {
            std::thread::yield_now();
        }
        for map in ["uid_map", "gid_map"] {
            fs::write(format!("/proc/{pid}/{map}"), format!("0 {FIRST} 65536\n")).unwrap();
        }
        users
    }
}

impl Drop for Users {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// A command by a root that lacks capabilities.
fn lacking(rights: &str, command: &Command) -> Command {
    let mut lacking = Command::new("setpriv");
    for of in ["--bounding-set", "--inh-caps"] {
        lacking.args([of, &format!("-{rights}")]);
    }
    lacking.arg(command.get_program()).args(command.get_args());
    if let Some(folder) = command.get_current_dir() {
        lacking.current_dir(folder);
    }
    for (name, value) in command.get_envs() {
        lacking.env(name, value.unwrap_or_default());
    }
    lacking
}

fn host_of(main: &str) -> String {
    main.replace("com.acme.Own", "orders-7d9f-").to_lowercase()
}

/// The folder with its classes, and the name of the main one.
fn compiled(folder: &Path) -> (PathBuf, String) {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    let own = format!("Own{}x{number}", std::process::id());
    let main = format!(
        "package com.acme;\npublic class {own} {{\n    public static void main(String[] a) throws Exception {{\n        Contained.main(a);\n    }}\n}}\n"
    );
    fs::write(folder.join("Contained.java"), SERVICE).unwrap();
    fs::write(folder.join(format!("{own}.java")), main).unwrap();
    let compiled = oldest()
        .tool("javac")
        .args(["--release", "17", "-g", "-d", "classes", "Contained.java"])
        .arg(format!("{own}.java"))
        .current_dir(folder)
        .status();
    assert!(compiled.unwrap().success());
    let classes = folder.join("classes");
    Command::new("chmod")
        .args(["-R", "a+rX"])
        .arg(&classes)
        .status()
        .unwrap();
    (classes, format!("com.acme.{own}"))
}

fn only_child_of(parent: u32) -> u32 {
    let children = fs::read_to_string(format!("/proc/{parent}/task/{parent}/children")).unwrap();
    children.trim().parse().unwrap()
}
