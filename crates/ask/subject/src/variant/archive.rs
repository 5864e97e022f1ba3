//! Class archives: how they are trained, and how a JVM is started with them. This is the same for a
//! launch on this machine and for one in the layers of an image.

use super::maker::Maker;
use super::prepared::Finished;
use super::{Context, PrepareError, ProofNeeded, java, layout};
use crate::Jdk;
use std::path::{Path, PathBuf};
use tacho_experiment::VariantKind;

/// Share of classes that proves that an archive is used. Measured on JDK 17 and 25: with an archive
/// of its own, a Spring Boot 4 service and a bare HTTP server had 96 to 99 % of their classes from
/// an archive. With only the JDK's default archive, or when the JVM refused their own, it was 16 to
/// 19 % and 78 to 84 %.
const SHARED_AT_LEAST: f64 = 0.9;
/// JEP 514: the JVM creates the cache itself when the training launch ends.
pub(super) const AOT_IN_ONE_STEP_SINCE: u32 = 25;

/// An archive of classes that a training launch makes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ClassArchive {
    /// AppCDS, dynamic (JEP 350).
    Cds,
    /// An AOT cache (JEP 483, 514, 515).
    Aot,
}

/// One step on the way to an archive.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ArchiveStep {
    /// For progress: `training launch for the AOT cache`.
    pub purpose: &'static str,
    /// Given to the JVM beside the flags of the launch.
    pub flags: Vec<String>,
    /// Whether the service is started for it, and asked; else the JVM ends by itself.
    pub is_training: bool,
    /// What it makes, for messages, and the file that has to be there afterwards.
    pub makes: (&'static str, PathBuf),
}

impl ClassArchive {
    /// That of a kind of variant; `None` where there is none.
    #[must_use]
    pub fn of(kind: VariantKind) -> Option<Self> {
        match kind {
            VariantKind::Cds => Some(Self::Cds),
            VariantKind::Aot => Some(Self::Aot),
            _ => None,
        }
    }

    /// Its file.
    #[must_use]
    pub fn file(self) -> &'static str {
        match self {
            Self::Cds => "application.jsa",
            Self::Aot => "application.aot",
        }
    }

    /// What a launch with it claims.
    #[must_use]
    pub fn claim(self) -> &'static str {
        match self {
            Self::Cds => "classes are served from the CDS archive",
            Self::Aot => "classes are served from the AOT cache",
        }
    }

    /// Share of the loaded classes that come from it, at least; 0 to 1.
    #[must_use]
    pub fn at_least(self) -> f64 {
        SHARED_AT_LEAST
    }

    /// The flag that names it to a JVM. It takes two archives as well, one above the other; the
    /// flag for a cache sets the other one.
    fn flag(self) -> &'static str {
        match self {
            Self::Cds => "-XX:SharedArchiveFile",
            Self::Aot => "-XX:AOTCache",
        }
    }

    /// How it is made by a JVM of this release.
    #[must_use]
    pub fn steps(self, release: u32, archive: &Path) -> Vec<ArchiveStep> {
        let name = archive.display();
        match self {
            Self::Cds => vec![ArchiveStep {
                purpose: "training launch for the CDS archive",
                flags: vec![format!("-XX:ArchiveClassesAtExit={name}")],
                is_training: true,
                makes: ("the CDS archive", archive.to_owned()),
            }],
            Self::Aot if release >= AOT_IN_ONE_STEP_SINCE => vec![ArchiveStep {
                purpose: "training launch for the AOT cache",
                flags: vec![format!("-XX:AOTCacheOutput={name}")],
                is_training: true,
                makes: ("the AOT cache", archive.to_owned()),
            }],
            Self::Aot => {
                let recorded = archive.with_extension("aotconf");
                let configuration = format!("-XX:AOTConfiguration={}", recorded.display());
                vec![
                    ArchiveStep {
                        purpose: "training launch for the AOT cache",
                        flags: vec!["-XX:AOTMode=record".to_owned(), configuration.clone()],
                        is_training: true,
                        makes: ("the AOT configuration", recorded),
                    },
                    ArchiveStep {
                        purpose: "creating the AOT cache",
                        flags: vec![
                            "-XX:AOTMode=create".to_owned(),
                            configuration,
                            format!("-XX:AOTCache={name}"),
                        ],
                        is_training: false,
                        makes: ("the AOT cache", archive.to_owned()),
                    },
                ]
            }
        }
    }

    /// Flags that start a JVM with it. `auto` is what people ship: a JVM that cannot use the
    /// archive goes on without it. The proof of the launch notices that.
    #[must_use]
    pub fn replay(self, archive: &Path) -> Vec<String> {
        let name = archive.display();
        match self {
            Self::Cds => vec![
                format!("-XX:SharedArchiveFile={name}"),
                "-Xshare:auto".to_owned(),
            ],
            Self::Aot => vec![format!("-XX:AOTCache={name}")],
        }
    }
}

/// Why a JVM may not have written what it should have.
const ITS_LOG_SAYS_WHY: &str =
    "The JVM writes it when the training launch ends in order; its log says why it did not";

/// Trains an archive on this machine, and starts with it.
pub(super) fn with_archive(
    kind: ClassArchive,
    context: &Context,
    jdk: Jdk,
    maker: &mut Maker<'_>,
) -> Result<Finished, PrepareError> {
    let java = jdk.tool("java");
    let archive = maker.directory().join(kind.file());
    PrepareError::unless_one_path(&archive, kind.flag())?;
    let mut layout = layout::extracted_if_nested(context, &jdk, maker)?;
    for step in kind.steps(jdk.feature, &archive) {
        let command = java::command(context, &java, &step.flags, &layout.target);
        if step.is_training {
            maker.train(step.purpose, context, &command)?;
        } else {
            // A JVM may take flags from there, and they have to be those of the launch.
            let environment = context.settings.environment.clone();
            maker.run_with(step.purpose, &context.directory(), &command, environment)?;
        }
        let (what, file) = step.makes;
        layout::must_exist(what, &file, ITS_LOG_SAYS_WHY)?;
    }
    layout.files.push(archive.clone());
    Ok(Finished {
        command: java::command(context, &java, &kind.replay(&archive), &layout.target),
        runtimes: vec![jdk.home.clone()],
        jdk: Some(jdk),
        proof: ProofNeeded::SharedClasses {
            claim: kind.claim().into(),
            archive,
            at_least: kind.at_least(),
        },
        application: layout.files,
        ..Finished::default()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn jdk_24_takes_two_steps_and_jdk_25_one() {
        let archive = Path::new("/app/application.aot");
        let steps = ClassArchive::Aot.steps(24, archive);
        let training: Vec<bool> = steps.iter().map(|step| step.is_training).collect();
        assert_eq!(training, [true, false]);
        assert_eq!(steps[0].makes.1, Path::new("/app/application.aotconf"));
        assert_eq!(steps[1].makes.1, archive);
        let steps = ClassArchive::Aot.steps(25, archive);
        assert_eq!(steps.len(), 1);
        assert_eq!(steps[0].flags, ["-XX:AOTCacheOutput=/app/application.aot"]);
    }
}
