//! Other users of the same machine.

use crate::support::{Lab, Told, tacho};
use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::{DirBuilderExt, PermissionsExt, chown};
use std::process::{Child, Command};

#[test]
fn the_mark_of_a_launch_cannot_be_guessed() {
    let command = "sh -c 'echo mark=$TACHO_LAUNCH; exit 1'";
    let lab = Lab::new(&format!(
        "tacho: 1\nname: marks\nvariants:\n  - {{name: a, kind: exec, command: \"{command}\"}}\nrequests: [GET /]\nphases:\n  - cold: {{requests: 1}}\nlaunches: 3\nrest: 0ms\n"
    ));
    lab.run(&[]).exits(3);
    let launches = fs::read_dir(lab.run_folder().join("launches")).unwrap();
    let marks: Vec<String> = launches
        .map(|launch| fs::read_to_string(launch.unwrap().path().join("log.txt")).unwrap())
        .filter_map(|log| Some(log.split_once("mark=")?.1.lines().next()?.to_owned()))
        .collect();
    assert_eq!(marks.len(), 3, "{marks:?}");
    // Process number and count are known to all; what comes after them is not the time.
    let secrets: BTreeSet<&str> = marks
        .iter()
        .filter_map(|mark| mark.splitn(3, '-').nth(2))
        .collect();
    assert_eq!(secrets.len(), 3, "{marks:?}");
    for secret in secrets {
        let digits = secret.chars().filter(char::is_ascii_hexdigit).count();
        assert!(digits >= 32, "{marks:?}");
    }
}

/// Ends with the test, if nobody ended it before.
struct Service(Child);

impl Service {
    fn start() -> Self {
        Self(Command::new("sleep").arg("600").spawn().unwrap())
    }

    /// The lines of a lease that names it as left behind.
    fn lease(&self) -> String {
        let pid = self.0.id();
        let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap();
        let fields = stat.rsplit_once(')').unwrap().1;
        let start: u64 = fields.split_whitespace().nth(19).unwrap().parse().unwrap();
        let boot = fs::read_to_string("/proc/sys/kernel/random/boot_id").unwrap();
        let namespace = fs::read_link("/proc/self/ns/pid").unwrap();
        let head = serde_json::json!({"lease": {
            "id": "1-0-0", "boot": boot.trim(), "pid_namespace": namespace.to_str().unwrap()
        }});
        let leader = serde_json::json!({"leader": {"pid": pid, "start_time": start}});
        format!("{head}\n{leader}\n")
    }

    fn is_alive(&mut self) -> bool {
        self.0.try_wait().unwrap().is_none()
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
fn a_lease_of_another_user_ends_nothing() {
    if !rustix::process::geteuid().is_root() {
        println!("skipped: wants root, and a user `nobody`");
        return;
    }
    let runtime = tempfile::tempdir().unwrap();
    let leases = runtime.path().join("tacho/leases");
    fs::DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(&leases)
        .unwrap();
    let look = || {
        let doctor = tacho()
            .arg("schema")
            .arg("run")
            .env("XDG_RUNTIME_DIR", runtime.path())
            .output();
        Told::of(&doctor.unwrap())
    };
    let mut service = Service::start();
    let file = leases.join("1-0-0.lease");
    fs::write(&file, service.lease()).unwrap();
    fs::set_permissions(&file, fs::Permissions::from_mode(0o600)).unwrap();
    chown(&file, Some(65534), Some(65534)).unwrap();
    let told = look();
    assert!(service.is_alive(), "{told:#?}");
    // The same of one's own is obeyed, or this would prove nothing.
    chown(&file, Some(0), Some(0)).unwrap();
    let told = look();
    assert!(!service.is_alive(), "{told:#?}");
}
