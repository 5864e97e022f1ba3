use super::*;
use crate::lease::record::Line;
use crate::lease::{LeaseFolder, sweep_folder};
use std::os::unix::fs::{DirBuilderExt, PermissionsExt, chown};
use std::path::Path;
use tempfile::TempDir;

/// A folder as a session has it, in the files of this process, and the lease of a Tacho that was
/// killed.
struct Left {
    scratch: TempDir,
    shared: Shared,
}

impl Left {
    fn of(pid: u32) -> Self {
        let scratch = tempfile::tempdir().unwrap();
        std::fs::set_permissions(scratch.path(), PermissionsExt::from_mode(0o777)).unwrap();
        let own = Identity::own();
        let shared = Shared {
            pid,
            start_time: Process::read(pid).map_or(1, |process| process.start_time),
            user: own.user,
            group: own.group,
            above: scratch.path().to_owned(),
            name: "tacho-1-2-c0ffee".into(),
            same_files: true,
        };
        std::fs::DirBuilder::new()
            .mode(0o700)
            .create(shared.path())
            .unwrap();
        std::fs::write(shared.path().join("lease"), "").unwrap();
        Self { scratch, shared }
    }

    /// Whether the next command removes it and says so; the lease is gone in any case.
    fn is_swept(&self) -> bool {
        let ours = tempfile::tempdir().unwrap();
        let leases = LeaseFolder::at(&ours.path().join("leases"));
        leases.make().unwrap();
        let lines = [Line::head("7-0-ff"), Line::Shared(self.shared.clone())];
        let text: String = lines
            .iter()
            .map(|line| serde_json::to_string(line).unwrap() + "\n")
            .collect();
        std::fs::write(leases.path().join("7-0-ff.lease"), text).unwrap();
        let swept = sweep_folder(&leases);
        assert!(swept.left.is_empty() && swept.leases == 1, "{swept:?}");
        let gone = !self.shared.path().exists();
        assert_eq!(swept.folders, [self.shared.path()][..usize::from(gone)]);
        gone
    }
}

/// No process has it: it is above the greatest that the kernel gives.
const NOBODY: u32 = 4_194_305;

#[test]
fn what_a_killed_tacho_shared_with_a_process_is_removed_by_the_next_command() {
    assert!(Left::of(std::process::id()).is_swept());
}

#[test]
fn it_is_found_without_the_process_where_both_saw_the_same_files() {
    assert!(Left::of(NOBODY).is_swept());
    let mut container = Left::of(NOBODY);
    container.shared.same_files = false;
    assert!(!container.is_swept(), "it went with the container");
}

#[test]
fn a_later_process_of_that_number_is_not_looked_into() {
    let mut left = Left::of(std::process::id());
    left.shared.start_time += 1;
    left.shared.same_files = false;
    assert!(!left.is_swept());
}

#[test]
fn what_is_there_in_its_place_stays() {
    let left = Left::of(std::process::id());
    std::fs::set_permissions(left.shared.path(), PermissionsExt::from_mode(0o755)).unwrap();
    assert!(!left.is_swept(), "open to others");
    let left = Left::of(std::process::id());
    std::fs::remove_dir_all(left.shared.path()).unwrap();
    let elsewhere = left.scratch.path().join("elsewhere");
    std::fs::DirBuilder::new()
        .mode(0o700)
        .create(&elsewhere)
        .unwrap();
    std::os::unix::fs::symlink(&elsewhere, left.shared.path()).unwrap();
    assert!(!left.is_swept() && elsewhere.exists(), "a link");
}

#[test]
fn it_is_removed_as_the_user_of_the_process() {
    if Identity::own().user != 0 {
        println!("skipped: only root can act for others");
        return;
    }
    let mut left = Left::of(std::process::id());
    (left.shared.user, left.shared.group) = (65_534, 65_534);
    assert!(!left.is_swept(), "it is root's");
    let other = Left::of(std::process::id());
    let path: &Path = &other.shared.path();
    chown(path, Some(65_534), Some(65_534)).unwrap();
    let of_nobody = Shared {
        user: 65_534,
        group: 65_534,
        ..other.shared.clone()
    };
    assert!(
        Left {
            scratch: other.scratch,
            shared: of_nobody
        }
        .is_swept()
    );
}

/// Locks of fcntl(2) are those of a process, so that another one has to hold it.
#[test]
fn what_an_agent_has_taken_over_is_left_to_it() {
    let left = Left::of(std::process::id());
    let lease = left.shared.path().join("lease");
    let (mut ours, theirs) = std::os::unix::net::UnixStream::pair().unwrap();
    // What it holds is locked by the script's own descriptor, as a JVM locks it.
    let mut holder = std::process::Command::new("perl")
        .args(["-e", HOLD])
        .arg(&lease)
        .stdin(std::os::fd::OwnedFd::from(theirs.try_clone().unwrap()))
        .stdout(std::os::fd::OwnedFd::from(theirs))
        .spawn()
        .unwrap();
    let mut said = [0; 1];
    std::io::Read::read_exact(&mut ours, &mut said).unwrap();
    assert!(!left.is_swept(), "it is held");
    drop(ours);
    holder.wait().unwrap();
    assert!(left.is_swept());
}

/// struct flock of Linux on 64 bits; F_SETLK is 6, F_WRLCK 1.
const HOLD: &str = r#"
    open(my $file, "+<", $ARGV[0]) or die;
    my $lock = pack("s s x4 q q i x4", 1, 0, 0, 0, 0);
    fcntl($file, 6, $lock) or die;
    syswrite(STDOUT, "x"); sysread(STDIN, my $end, 1);
"#;
