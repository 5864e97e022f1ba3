//! A variant that is ready to be launched.

use super::maker::Maker;
use super::{Context, PrepareError};
use crate::artifact::Artifact;
use crate::{Jdk, bytes_of};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::path::{Path, PathBuf};
use tacho_experiment::{GcLog, VariantKind};
use tacho_run_folder::PreparedVariant;

/// A variant that is ready to be launched.
#[derive(Debug, Clone, PartialEq)]
pub struct Prepared {
    /// What is recorded of it; `command`, `directory` and `environment` start it.
    pub record: PreparedVariant,
    /// What a launch has to show before it counts.
    pub proof: ProofNeeded,
    /// Files and folders that must stay until the run ends.
    pub keep: Vec<PathBuf>,
    /// Release of the JVM; absent when the command is not a JVM that Tacho chose.
    pub jvm_release: Option<u32>,
    /// The folder into which the JVM writes its log, for a JVM that cannot see the launch's folder
    /// because it runs in a container.
    pub log_folder: Option<PathBuf>,
    /// The JDK that it was made with: it has the tools that a runtime of its own lacks.
    pub jdk_home: Option<PathBuf>,
    /// Its files, for whoever ships it.
    pub parts: Parts,
}

/// What a variant consists of, for whoever ships it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Parts {
    /// Homes of what runs it: a JDK or a trimmed runtime, then a servlet container.
    pub runtimes: Vec<PathBuf>,
    /// Files and folders of the application, as they lie to each other.
    pub application: Vec<PathBuf>,
    /// The folder in which a servlet container finds its settings and the unpacked application; it
    /// stands for [`Self::application`].
    pub laid_out: Option<PathBuf>,
}

/// Evidence that an optimisation was active, because JVMs fall back silently.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(tag = "needed", rename_all = "kebab-case")]
pub enum ProofNeeded {
    /// It claims nothing.
    #[default]
    None,
    /// Classes are served from an archive. Both conditions have to hold.
    SharedClasses {
        /// What is claimed: `classes are served from the AOT cache`.
        claim: Cow<'static, str>,
        /// The archive. The process must have it mapped. That alone proves nothing, because JDK 25
        /// keeps a CDS archive mapped even when it has refused it.
        archive: PathBuf,
        /// Share of the loaded classes that come from an archive, at least; 0 to 1.
        at_least: f64,
    },
    /// It runs on a runtime of its own.
    Runtime {
        /// What is claimed.
        claim: Cow<'static, str>,
        /// The process's executable lies below this folder.
        exe_under: PathBuf,
    },
}

/// From JDK 17 on the collectors log at start-up, in one group of lines, how many processors and
/// how much memory they see (JDK-8244603 and related). Older JDKs log this elsewhere or not at all.
const GC_INIT_SINCE: u32 = 17;

const GC_LOG: &str = "gc.log";

impl Parts {
    /// Places in which a class is looked for where the application's libraries are packed with it:
    /// see [`Artifact::packed_places`].
    #[must_use]
    pub fn packed_places(&self) -> Option<usize> {
        let files = self.application.iter().filter(|path| path.is_file());
        files
            .filter_map(|file| Artifact::read(file).ok()?.packed_places())
            .max()
    }
}

impl Prepared {
    /// The command to execute. For a JVM of JDK 17 or newer, one flag is added: the JVM then logs
    /// its collections, and the limits that it sees, to [`Self::jvm_log`]. A native image prints
    /// its collections, if that is asked for.
    #[must_use]
    pub fn observed_command(&self, launch_dir: &Path, gc_log: GcLog) -> Vec<String> {
        let mut command = self.record.command.clone();
        if let Some(log) = self.log_as_written(launch_dir, gc_log) {
            let what = match gc_log {
                // Where the heap lies is said at the level of debugging, once.
                GcLog::Jvm | GcLog::All => "gc*,gc+heap+coops=debug",
                GcLog::Off => "gc+init,gc+heap+coops=debug",
            };
            // A colon would begin the decorators, so the name is quoted. Without rotation the log
            // is whole.
            let flag = format!(
                "-Xlog:{what}:file=\"{}\":uptime,level,tags:filecount=0",
                log.display()
            );
            command.insert(1, flag);
        } else if self.prints_collections(gc_log) {
            command.insert(1, "-XX:+PrintGC".to_owned());
        }
        command
    }

    /// The file in the launch's folder that holds the collections; `None` when none does.
    #[must_use]
    pub fn gc_log(&self, launch_dir: &Path, gc_log: GcLog) -> Option<&'static str> {
        if self.prints_collections(gc_log) {
            return Some("log.txt");
        }
        self.jvm_log(launch_dir, gc_log)
            .filter(|_| gc_log != GcLog::Off)
            .map(|_| GC_LOG)
    }

    fn prints_collections(&self, gc_log: GcLog) -> bool {
        gc_log == GcLog::All && self.record.kind == VariantKind::Native.name()
    }

    /// The same as the JVM names it.
    fn log_as_written(&self, launch_dir: &Path, gc_log: GcLog) -> Option<PathBuf> {
        let inside = self.log_inside(launch_dir, gc_log);
        inside.or_else(|| self.jvm_log(launch_dir, gc_log))
    }

    /// Path of the log within the file system of the JVM, where that is not [`Self::jvm_log`]. The
    /// log has to be fetched from there.
    #[must_use]
    pub fn log_inside(&self, launch_dir: &Path, gc_log: GcLog) -> Option<PathBuf> {
        let log = self.jvm_log(launch_dir, gc_log)?;
        Some(self.log_folder.as_ref()?.join(log.file_name()?))
    }

    /// The JVM's log: `gc.log`, or `gc-init.log` when collections are not to be logged; `None` when
    /// it writes none. A name with `%` or `"` in it would be taken for something else by the JVM.
    #[must_use]
    pub fn jvm_log(&self, launch_dir: &Path, gc_log: GcLog) -> Option<PathBuf> {
        self.jvm_release
            .filter(|&release| release >= GC_INIT_SINCE)?;
        let log = launch_dir.join(match gc_log {
            GcLog::Jvm | GcLog::All => GC_LOG,
            GcLog::Off => "gc-init.log",
        });
        let plain = !log.to_string_lossy().contains(['%', '"', '\n']);
        plain.then_some(log)
    }
}

/// What the variants have in common when they are done.
#[derive(Debug, Default)]
pub struct Finished {
    pub command: Vec<String>,
    pub jdk: Option<Jdk>,
    /// The runtime, for people, when it is more than the JDK.
    pub runtime: Option<String>,
    pub proof: ProofNeeded,
    /// Files and folders of the application.
    pub application: Vec<PathBuf>,
    /// Files and folders of the runtime.
    pub runtimes: Vec<PathBuf>,
    pub notes: Vec<String>,
    /// As [`Parts::laid_out`].
    pub laid_out: Option<PathBuf>,
}

impl Finished {
    /// Measures the sizes and writes the record.
    pub(super) fn prepared(
        self,
        context: &Context,
        maker: Maker<'_>,
    ) -> Result<Prepared, PrepareError> {
        let application_bytes = total(&self.application)?;
        let runtime_bytes = total(&self.runtimes)?;
        let runtime = self.runtime.or_else(|| self.jdk.as_ref().map(Jdk::title));
        let keep = [&[maker.directory()][..], &self.application, &self.runtimes].concat();
        Ok(Prepared {
            record: PreparedVariant {
                warm_up: None,
                artifact: None,
                image: None,
                name: context.spec.name.clone(),
                kind: context.spec.kind.name().to_owned(),
                command: self.command,
                directory: context.directory().display().to_string(),
                environment: context.settings.environment.clone(),
                runtime,
                build_s: maker.took.as_secs_f64(),
                build_commands: maker.commands,
                application_bytes,
                runtime_bytes,
                notes: self.notes,
            },
            proof: self.proof,
            keep,
            jvm_release: self.jdk.as_ref().map(|jdk| jdk.feature),
            log_folder: None,
            jdk_home: self.jdk.map(|jdk| jdk.home),
            parts: Parts {
                runtimes: self.runtimes,
                application: self.application,
                laid_out: self.laid_out,
            },
        })
    }
}

fn total(paths: &[PathBuf]) -> Result<u64, PrepareError> {
    paths
        .iter()
        .map(|path| bytes_of(path).map_err(|e| PrepareError::io(path, e)))
        .sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn prepared(jvm_release: Option<u32>) -> Prepared {
        Prepared {
            record: PreparedVariant {
                warm_up: None,
                artifact: None,
                image: None,
                name: "jar".into(),
                kind: "jar".into(),
                command: ["java", "-jar", "a.jar"].map(str::to_owned).to_vec(),
                directory: "/".into(),
                environment: Default::default(),
                runtime: None,
                build_commands: Vec::new(),
                build_s: 0.0,
                application_bytes: 0,
                runtime_bytes: 0,
                notes: Vec::new(),
            },
            proof: ProofNeeded::None,
            keep: Vec::new(),
            jvm_release,
            log_folder: None,
            jdk_home: None,
            parts: Parts::default(),
        }
    }

    #[test]
    fn one_flag_is_added_for_a_jvm_that_knows_it_and_for_no_other() {
        let dir = Path::new("/runs/1/launches/001-jar@1cpu");
        let on = prepared(Some(17));
        let flag = "-Xlog:gc*,gc+heap+coops=debug:file=\"/runs/1/launches/001-jar@1cpu/gc.log\":uptime,level,tags:filecount=0";
        for asked in [GcLog::Jvm, GcLog::All] {
            let observed = on.observed_command(dir, asked);
            assert_eq!(observed, ["java", flag, "-jar", "a.jar"]);
            assert_eq!(on.gc_log(dir, asked), Some("gc.log"));
        }
        let off = on.observed_command(dir, GcLog::Off);
        assert!(
            off[1].contains("gc-init.log") && !off[1].contains("gc*"),
            "{off:?}"
        );
        assert_eq!(on.gc_log(dir, GcLog::Off), None);
        for other in [None, Some(11)] {
            let plain = prepared(other);
            assert_eq!(
                plain.observed_command(dir, GcLog::All),
                plain.record.command
            );
            assert_eq!(plain.jvm_log(dir, GcLog::All), None);
        }
        let odd = Path::new("/runs/100%p");
        let plain = prepared(Some(25));
        assert_eq!(
            plain.observed_command(odd, GcLog::Jvm),
            plain.record.command
        );
        assert_eq!(plain.gc_log(odd, GcLog::Jvm), None);
    }

    #[test]
    fn in_a_container_the_log_is_written_where_it_is_seen_and_fetched_from_there() {
        let dir = Path::new("/runs/1");
        let in_container = Prepared {
            log_folder: Some("/tmp".into()),
            ..prepared(Some(25))
        };
        let command = in_container.observed_command(dir, GcLog::Jvm);
        assert!(command[1].contains("file=\"/tmp/gc.log\""), "{command:?}");
        let log = |of: Option<PathBuf>| of.map(|path| path.display().to_string());
        let inside = in_container.log_inside(dir, GcLog::Jvm);
        assert_eq!(log(inside).as_deref(), Some("/tmp/gc.log"));
        let kept = in_container.jvm_log(dir, GcLog::Jvm);
        assert_eq!(log(kept).as_deref(), Some("/runs/1/gc.log"));
        assert_eq!(prepared(Some(25)).log_inside(dir, GcLog::Jvm), None);
    }

    #[test]
    fn a_native_image_prints_its_collections_only_when_asked() {
        let dir = Path::new("/runs/1");
        let mut image = prepared(None);
        image.record.kind = "native".into();
        image.record.command = vec!["/app".into(), "--port=0".into()];
        let asked = image.observed_command(dir, GcLog::All);
        assert_eq!(asked, ["/app", "-XX:+PrintGC", "--port=0"]);
        assert_eq!(image.gc_log(dir, GcLog::All), Some("log.txt"));
        assert_eq!(
            image.observed_command(dir, GcLog::Jvm),
            image.record.command
        );
        assert_eq!(image.gc_log(dir, GcLog::Jvm), None);
    }
}
