//! A launch in the unpacked layers of an image: the same files at the same paths as in a container,
//! so that an archive of classes that is made there is of use in one.

use crate::error::RunError;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;
use std::{fs, io};
use tacho_image::ImageError;
use tacho_oci::{Layer, OciError, Process};
use tacho_subject::{ArchiveStep, ClassArchive, Launchable, Step, StepError, Workshop};

/// Mounts what a container has beside its image, in a name space of the mounts' own: they are gone
/// when the process ends. Then the root is changed, and the process becomes the command.
const ENTER: &str = "root=$1; folder=$2; shift 2
mkdir -p \"$root/proc\" \"$root/dev\"
mount --rbind /proc \"$root/proc\" && mount --rbind /dev \"$root/dev\" &&
  exec unshare --root=\"$root\" --wd=\"$folder\" -- \"$@\"";
/// By what a process finds others, `localhost` among them. No layer has it: in a container its
/// runtime provides it.
const NAMES: [&str; 2] = ["/etc/hosts", "/etc/resolv.conf"];
/// As for a launch on this machine: a JVM writes its archive when it ends.
const GRACE: Duration = Duration::from_secs(5 * 60);
const TIMEOUT: Duration = Duration::from_secs(30 * 60);
/// Where a JVM in there writes which class comes from where.
const CLASSES: &str = "/tmp/tacho-class-load.log";

/// Layers, one over the other.
pub(super) struct Root(PathBuf);

impl Root {
    pub fn of(layers: &[Layer], folder: PathBuf) -> Result<Self, RunError> {
        for layer in layers {
            layer.unpack(&folder).map_err(ImageError::from)?;
        }
        let root = Self(folder);
        for name in NAMES.map(Path::new) {
            let path = root.path(name);
            put(name, &path)
                .map_err(|source| ImageError::from(OciError::Write { path, source }))?;
        }
        Ok(root)
    }

    /// Where a path of the image is on this machine.
    pub fn path(&self, inside: &Path) -> PathBuf {
        self.0.join(inside.strip_prefix("/").unwrap_or(inside))
    }

    fn entering(&self, process: &Process, command: &[String]) -> Vec<String> {
        let folder = process.directory.as_deref().unwrap_or("/");
        let mut words = vec!["unshare", "--mount"];
        if !rustix::process::geteuid().is_root() {
            words.push("--map-root-user");
        }
        words.extend(["sh", "-c", ENTER, "sh"]);
        let words = words.into_iter().map(str::to_owned);
        words
            .chain([self.0.display().to_string(), folder.to_owned()])
            .chain(command.iter().cloned())
            .collect()
    }
}

/// Puts a file of this machine into a root, in the place of what a layer may have there: a link
/// that leads out of it. The root is thrown away after the training, so the file comes into no
/// layer.
fn put(file: &Path, at: &Path) -> io::Result<()> {
    let Some(folder) = at.parent() else {
        return Ok(());
    };
    let is_link = fs::symlink_metadata(folder).is_ok_and(|found| found.is_symlink());
    if is_link || !file.exists() {
        return Ok(());
    }
    fs::create_dir_all(folder)?;
    match fs::remove_file(at) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    fs::copy(file, at).map(drop)
}

/// An archive that was made in there, and what it is worth.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Trained {
    /// On this machine.
    pub file: PathBuf,
    /// In the image.
    pub inside: PathBuf,
    /// Of the classes that a launch with it has loaded, the share that came from an archive; 0 to
    /// 1.
    pub shared: f64,
}

/// Trains an archive in the layers, starts with it there, and sees whether it is of use.
pub(super) fn train(
    kind: ClassArchive,
    release: u32,
    root: &Root,
    process: &Process,
    workshop: &mut dyn Workshop,
) -> Result<Trained, RunError> {
    let inside = Path::new("/app").join(kind.file());
    let failed = |error: StepError| match error {
        StepError::Interrupted => RunError::Stopped,
        other => ImageError::Archive(other).into(),
    };
    for step in kind.steps(release, &inside) {
        carry_out(&step, root, process, workshop).map_err(failed)?;
        let (what, file) = &step.makes;
        if !root.path(file).exists() {
            return Err(ImageError::NotTrained { what }.into());
        }
    }
    let mut proving = kind.replay(&inside);
    proving.push(format!("-Xlog:class+load:file={CLASSES}:none"));
    let launch = Launchable {
        purpose: "starting with the archive, in the layers".to_owned(),
        command: root.entering(process, &with_flags(&process.command, &proving)),
        directory: PathBuf::from("/"),
        environment: environment(process),
        asked: false,
        grace: GRACE,
    };
    workshop.train(launch).map_err(failed)?;
    let classes = std::fs::read_to_string(root.path(Path::new(CLASSES))).unwrap_or_default();
    let shared = shared(&classes);
    if shared < kind.at_least() {
        return Err(ImageError::NotUsed {
            claim: kind.claim(),
            percent: shared * 100.0,
        }
        .into());
    }
    Ok(Trained {
        file: root.path(&inside),
        inside,
        shared,
    })
}

fn carry_out(
    step: &ArchiveStep,
    root: &Root,
    process: &Process,
    workshop: &mut dyn Workshop,
) -> Result<(), StepError> {
    let command = root.entering(process, &with_flags(&process.command, &step.flags));
    let purpose = format!("{}, in the layers", step.purpose);
    let (directory, environment) = (PathBuf::from("/"), environment(process));
    if step.is_training {
        return workshop.train(Launchable {
            purpose,
            command,
            directory,
            environment,
            asked: true,
            grace: GRACE,
        });
    }
    let timeout = TIMEOUT;
    workshop
        .run(Step {
            purpose,
            command,
            directory,
            environment,
            timeout,
        })
        .map(|_| ())
}

fn environment(process: &Process) -> BTreeMap<String, String> {
    process.environment.clone()
}

/// Inserts the flags right after the program.
pub(super) fn with_flags(command: &[String], flags: &[String]) -> Vec<String> {
    let (program, rest) = command.split_at(command.len().min(1));
    [program, flags, rest].concat()
}

/// Of the classes in a log of `-Xlog:class+load`, the share that came from an archive:
/// `java.lang.Object source: shared objects file`.
fn shared(log: &str) -> f64 {
    let sources = || log.lines().filter_map(|line| line.split_once(" source: "));
    let all = sources().count();
    let from_archive = sources().filter(|(_, source)| source.starts_with("shared objects file"));
    from_archive.count() as f64 / all.max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    #[test]
    fn a_root_knows_the_names_of_this_machine_and_nothing_outside_of_it_is_written() {
        let lab = tempfile::tempdir().unwrap();
        let (root, outside) = (lab.path().join("root"), lab.path().join("outside"));
        fs::create_dir_all(root.join("etc")).unwrap();
        fs::write(&outside, "kept").unwrap();
        // As in images of systems that run systemd.
        symlink(&outside, root.join("etc/resolv.conf")).unwrap();
        Root::of(&[], root.clone()).unwrap();
        for name in NAMES {
            let inside = fs::read_to_string(root.join(name.trim_start_matches('/')));
            let here = fs::read_to_string(name);
            assert_eq!(here.ok(), inside.ok().filter(|text| text != "kept"));
        }
        assert_eq!(fs::read_to_string(&outside).unwrap(), "kept");

        let there = root.join("etc/hosts");
        put(&lab.path().join("nowhere"), &there).unwrap();
        put(&outside, &there).unwrap();
        assert_eq!(fs::read_to_string(&there).unwrap(), "kept");
        let etc = lab.path().join("etc");
        fs::create_dir(&etc).unwrap();
        fs::rename(root.join("etc"), root.join("before")).unwrap();
        symlink(&etc, root.join("etc")).unwrap();
        put(&outside, &there).unwrap();
        assert_eq!(fs::read_dir(&etc).unwrap().count(), 0);
    }

    #[test]
    fn classes_from_an_archive_are_told_from_the_others() {
        let log = "java.lang.Object source: shared objects file
shop.Main source: shared objects file (top)
shop.Main$$Lambda/0x1 source: shop.Main
java.util.X source: jrt:/java.base
[warning] something else
";
        assert_eq!(shared(log), 0.5);
        assert_eq!(shared(""), 0.0);
    }

    #[test]
    fn flags_stand_before_what_is_started() {
        let words = |text: &str| -> Vec<String> { text.split(' ').map(str::to_owned).collect() };
        let command = with_flags(
            &words("/opt/java/bin/java -jar /app/a.jar --x"),
            &words("-Xa -Xb"),
        );
        assert_eq!(
            command,
            words("/opt/java/bin/java -Xa -Xb -jar /app/a.jar --x")
        );
    }
}
