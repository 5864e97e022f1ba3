//! Ends what a killed Tacho left behind.

use super::place::LeaseFolder;
use super::record::{Content, Standing};
use super::{Ended, end, locked_and_in_place, remove_folders};

use std::fmt;
use std::fs::{self, File};
use std::io::{self, Read, Seek};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use tacho_observe::process::stat;

/// What a sweep found and did.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Swept {
    /// Leases of processes that are no more, now deleted.
    pub leases: usize,
    /// Processes that were ended: number and command.
    pub processes: Vec<String>,
    /// Control groups that were removed.
    pub groups: Vec<PathBuf>,
    /// Temporary folders that were removed.
    pub folders: Vec<PathBuf>,
    /// What could not be ended or read; it is tried again by the next command.
    pub left: Vec<String>,
    /// Where leases are kept instead of the usual place, and why.
    pub moved: Option<String>,
}

impl Swept {
    /// Nothing was found.
    #[must_use]
    pub fn is_clean(&self) -> bool {
        *self == Self::default()
    }

    fn add(&mut self, ended: Ended) {
        self.processes.extend(ended.processes);
        self.groups.extend(ended.groups);
        self.folders.extend(ended.folders);
        self.left.extend(ended.left);
    }
}

/// One sentence for the user; empty when there was nothing to do.
impl fmt::Display for Swept {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut done = Vec::new();
        match &self.processes[..] {
            [] => {}
            [one] => done.push(format!("ended process {one}")),
            more => done.push(format!("ended processes {}", more.join(", "))),
        }
        match &self.groups[..] {
            [] => {}
            [one] => done.push(format!("removed control group {}", one.display())),
            more => done.push(format!("removed {} control groups", more.len())),
        }
        match &self.folders[..] {
            [] => {}
            [one] => done.push(format!("removed temporary folder {}", one.display())),
            more => done.push(format!("removed {} temporary folders", more.len())),
        }
        if !done.is_empty() {
            write!(f, "An earlier Tacho was killed: {}.", done.join(" and "))?;
        }
        if !self.left.is_empty() {
            let gap = if done.is_empty() { "" } else { " " };
            write!(f, "{gap}Still left of it: {}.", self.left.join("; "))?;
        }
        if let Some(moved) = &self.moved {
            let gap = if done.is_empty() && self.left.is_empty() {
                ""
            } else {
                "\n"
            };
            write!(f, "{gap}{moved}")?;
        }
        Ok(())
    }
}

/// Ends what earlier Tachos left behind, in all usual folders. Called at the start of every
/// command; it takes a few milliseconds when there is nothing to do.
#[must_use]
pub fn sweep() -> Swept {
    let mut swept = Swept::default();
    for folder in LeaseFolder::all() {
        // What somebody else put there is not ours, and none of our leases is in it.
        match folder.is_foreign() {
            true => swept.moved = moved().or(swept.moved),
            false => sweep_into(&folder, &mut swept),
        }
    }
    swept
}

/// `/tmp/tacho-0 belongs to another user...: leases are kept in /run/tacho/leases instead`; `None`
/// where the usual place is used.
fn moved() -> Option<String> {
    let taken = LeaseFolder::take().ok()?;
    let refused = taken.refused?;
    Some(format!(
        "note: {}; leases are kept in {} instead.",
        refused.reason(),
        taken.folder.path().display()
    ))
}

/// Ends what the leftover leases of one folder name.
#[must_use]
pub fn sweep_folder(folder: &LeaseFolder) -> Swept {
    let mut swept = Swept::default();
    sweep_into(folder, &mut swept);
    swept
}

fn sweep_into(folder: &LeaseFolder, swept: &mut Swept) {
    if !folder.path().exists() {
        return;
    }
    if let Err(e) = folder.check() {
        swept.left.push(e.to_string());
        return;
    }
    match folder.leases() {
        Ok(leases) => leases.iter().for_each(|path| sweep_lease(path, swept)),
        Err(e) => swept.left.push(format!("{}: {e}", folder.path().display())),
    }
}

/// How long to wait for a child of a Tacho that was killed between fork and exec. Until the child
/// executes its program, it holds the same descriptors (fork(2)), and so the lock (flock(2)). On a
/// busy machine that takes seconds: the child moves itself to its control group, and in version 1
/// that waits for all processors.
const DYING: Duration = Duration::from_secs(30);

/// Takes the lock. When the process that took the lease is dead, it waits for the lock, no longer
/// than this.
fn take_lock(file: &File, path: &Path, patience: Duration) -> bool {
    let begin = Instant::now();
    loop {
        if locked_and_in_place(file).unwrap_or(false) {
            return true;
        }
        // Another command that started at the same time has swept it.
        let is_gone = file.metadata().is_ok_and(|facts| facts.nlink() == 0);
        if is_gone || begin.elapsed() > patience || !is_of_the_dead(file, path) {
            return false;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// Whether the process that took the lease is dead. The file name begins with its process id.
fn is_of_the_dead(file: &File, path: &Path) -> bool {
    let name = path.file_name().and_then(|name| name.to_str());
    let pid = name.and_then(|name| name.split('-').next()?.parse().ok());
    let content = content(file).ok().flatten();
    // In another PID namespace the id means another process.
    content.is_some_and(|content| content.standing == Standing::Here)
        && pid.is_some_and(|pid| !stat(pid).is_some_and(|stat| stat.is_alive()))
}

/// The content of a lease; `None` when it was not written to its end.
fn content(mut file: &File) -> io::Result<Option<Content>> {
    let mut text = Vec::new();
    file.rewind()?;
    file.read_to_end(&mut text)?;
    Ok(Content::parse(&text))
}

/// Sweeps one lease. The lock is held until the file is deleted, so that two sweeps do not work on
/// the same lease.
fn sweep_lease(path: &Path, swept: &mut Swept) {
    let Ok(file) = tacho_files::open(path) else {
        return;
    };
    // Somebody who can write to a folder above (`sudo -E` keeps the caller's HOME) may have
    // replaced the folder since it was checked.
    let us = rustix::process::geteuid().as_raw();
    if !file.metadata().is_ok_and(|facts| facts.uid() == us) {
        return;
    }
    if !take_lock(&file, path, DYING) {
        return;
    }
    let content = match content(&file) {
        Ok(content) => content.unwrap_or_default(),
        Err(e) => {
            swept.left.push(format!("{}: {e}", path.display()));
            return;
        }
    };
    let ended = match content.standing {
        Standing::Elsewhere => return,
        // Folders survive a reboot.
        Standing::EarlierBoot => {
            let mut ended = Ended::default();
            remove_folders(&content, false, &mut ended);
            ended
        }
        // An empty mark is that of a lease without a first line: nothing had been started.
        Standing::Here if content.id.is_empty() => Ended::default(),
        Standing::Here => end(&content),
    };
    if ended.left.is_empty() && fs::remove_file(path).is_ok() {
        swept.leases += 1;
    }
    swept.add(ended);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lease::Lease;

    #[test]
    fn a_lease_that_is_held_is_left_alone() {
        let scratch = tempfile::tempdir().unwrap();
        let folder = LeaseFolder::at(&scratch.path().join("leases"));
        let lease = Lease::take_in(&folder, &[]).unwrap();
        assert!(sweep_folder(&folder).is_clean());
        assert!(lease.path().exists());
        drop(lease);
        assert!(folder.leases().unwrap().is_empty());
    }

    /// As a child does between fork and exec.
    #[test]
    fn a_lock_that_outlives_its_owner_for_a_moment_is_waited_for() {
        let scratch = tempfile::tempdir().unwrap();
        let folder = LeaseFolder::at(&scratch.path().join("leases"));
        let lease = Lease::take_in(&folder, &[]).unwrap();
        let mut child = std::process::Command::new("true").spawn().unwrap();
        child.wait().unwrap();
        let dead = folder.path().join(format!("{}-0-0.lease", child.id()));
        fs::copy(lease.path(), &dead).unwrap();
        let held = File::open(&dead).unwrap();
        assert!(locked_and_in_place(&held).unwrap());
        let file = File::open(&dead).unwrap();
        // The living one is not waited for; of the dead one only as long as was said.
        let living = File::open(lease.path()).unwrap();
        let long = Duration::from_secs(600);
        assert!(!take_lock(&living, lease.path(), long));
        assert!(!take_lock(&file, &dead, Duration::ZERO));
        let waits = std::thread::spawn(move || take_lock(&file, &dead, long));
        drop(held);
        assert!(waits.join().unwrap());
    }

    #[test]
    fn what_another_command_has_swept_is_not_waited_for() {
        let scratch = tempfile::tempdir().unwrap();
        let folder = LeaseFolder::at(&scratch.path().join("leases"));
        let lease = Lease::take_in(&folder, &[]).unwrap();
        let mut child = std::process::Command::new("true").spawn().unwrap();
        child.wait().unwrap();
        let dead = folder.path().join(format!("{}-0-0.lease", child.id()));
        fs::copy(lease.path(), &dead).unwrap();
        let file = File::open(&dead).unwrap();
        fs::remove_file(&dead).unwrap();
        // The test ends, or does not.
        assert!(!take_lock(&file, &dead, Duration::from_secs(24 * 60 * 60)));
    }

    #[test]
    fn a_leftover_without_content_is_deleted() {
        let scratch = tempfile::tempdir().unwrap();
        let folder = LeaseFolder::at(&scratch.path().join("leases"));
        folder.make().unwrap();
        fs::write(folder.path().join("1-0-0.lease"), "{\"lea").unwrap();
        let swept = sweep_folder(&folder);
        assert_eq!((swept.leases, swept.to_string()), (1, String::new()));
        assert!(folder.leases().unwrap().is_empty());
    }

    #[test]
    fn the_sentence_names_what_was_done_and_what_is_left() {
        let swept = Swept {
            leases: 1,
            processes: vec!["7 (java -jar a.jar)".into()],
            groups: vec![
                "/sys/fs/cgroup/cpu/a".into(),
                "/sys/fs/cgroup/memory/a".into(),
            ],
            folders: Vec::new(),

            left: vec!["process 9".into()],
            moved: None,
        };

        assert_eq!(
            swept.to_string(),
            "An earlier Tacho was killed: ended process 7 (java -jar a.jar) and removed 2 control groups. Still left of it: process 9."
        );
    }
}
