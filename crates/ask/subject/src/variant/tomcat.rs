//! Apache Tomcat: which version runs a WAR, where it comes from, and whether it is the released
//! one.

mod pinned;

use super::java::text;
use super::layout::{empty, must_exist};
use super::maker::Maker;
use super::{PrepareError, Unavailable};
use crate::{Host, ServletLevel};
use std::fs;
use std::path::{Path, PathBuf};

/// One release line of Tomcat.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tomcat {
    /// The servlet API that it has.
    pub level: ServletLevel,
    /// The version that Tacho takes.
    pub version: &'static str,
    /// The Java release that it needs.
    pub java_release: u32,
    /// SHA-256 of the archive on Maven Central.
    archive_sha256: &'static str,
    /// SHA-256 of what it holds, as `pinned::of_folder` has it.
    files_sha256: &'static str,
}

/// The newest version of each line on Maven Central. A new version is entered only here, with the
/// sums of what Maven fetched, after the sum of the archive was compared with that of the release.
/// <https://tomcat.apache.org/whichversion.html>
pub const TOMCATS: [Tomcat; 3] = [
    Tomcat {
        level: ServletLevel::Javax,
        version: "9.0.117",
        java_release: 8,
        archive_sha256: "f74a0b061e2b0068ec2a17a5e01c250851f6f30f362c8127209a2a6ef7952b29",
        files_sha256: "5375db1f20e4310ff457fd35995917bbca1b01ea49f30a913911fe60340c8456",
    },
    Tomcat {
        level: ServletLevel::Jakarta60,
        version: "10.1.59",
        java_release: 11,
        archive_sha256: "15e435e8ecafd30e500dec7cd30fc289aed4cd8743db14d55024896be77d9241",
        files_sha256: "723b916d8cc0b06b1a372ccc75cf545e03ac26d03e8890ac6ad6996dcf6ab95b",
    },
    Tomcat {
        level: ServletLevel::Jakarta61,
        version: "11.0.24",
        java_release: 17,
        archive_sha256: "10efed90bf330114af66279e43dcf211ecfcf7b88e618757954ac88329600cba",
        files_sha256: "03e79d82e3ba7df20391404b1a5df94e496b62c7e301c2ea6636f143bc4a8c84",
    },
];

/// Pinned, so that what is downloaded does not depend on the Maven that is installed.
const DEPENDENCY_PLUGIN: &str = "org.apache.maven.plugins:maven-dependency-plugin:3.8.1";

impl Tomcat {
    /// The Tomcat for a servlet level.
    #[must_use]
    pub fn for_level(level: ServletLevel) -> Self {
        let [oldest, ..] = TOMCATS;
        TOMCATS
            .into_iter()
            .find(|t| t.level == level)
            .unwrap_or(oldest)
    }

    /// Where it lies once it was got.
    #[must_use]
    pub fn home(&self, host: &Host) -> PathBuf {
        host.cache.join(format!("tomcat-{}", self.version))
    }

    fn in_local_repository(&self, host: &Host) -> PathBuf {
        let version = self.version;
        host.home.join(format!(
            ".m2/repository/org/apache/tomcat/tomcat/{version}/{}",
            self.file_name()
        ))
    }

    fn file_name(&self) -> String {
        format!("tomcat-{}.tar.gz", self.version)
    }

    /// It is there, or there is a way to get it.
    pub(super) fn can_be_got(&self, host: &Host) -> Result<(), Unavailable> {
        let there = is_whole(&self.home(host)) || self.in_local_repository(host).is_file();
        if there || host.program("mvn").is_some() {
            return Ok(());
        }
        Err(Unavailable::NoTomcat {
            version: self.version,
            cache: host.cache.clone(),
        })
    }

    /// Gets it, if it is not there: from Maven's local repository, else from Maven Central. All its
    /// files are checked each time, because it is run from a folder of the user.
    pub(super) fn get(&self, host: &Host, maker: &mut Maker<'_>) -> Result<PathBuf, PrepareError> {
        let home = self.home(host);
        if self.is_there(&home)? {
            return Ok(home);
        }
        fs::create_dir_all(&host.cache).map_err(|e| PrepareError::io(&host.cache, e))?;
        let archive = self.archive(host, maker)?;
        self.must_be(
            "Apache Tomcat's archive",
            &archive,
            self.archive_sha256,
            pinned::of_file(&archive)?,
        )?;
        self.unpack(&archive, &home, maker)?;
        self.must_be(
            "Apache Tomcat",
            &home,
            self.files_sha256,
            pinned::of_folder(&home)?,
        )?;
        Ok(home)
    }

    /// Whether it was unpacked, nobody else can change it, and it is what was released. One that
    /// fails these checks is made anew.
    fn is_there(&self, home: &Path) -> Result<bool, PrepareError> {
        if !is_whole(home) {
            return Ok(false);
        }
        tacho_files::trusted(&bootstrap(home))
            .map_err(|e| PrepareError::io(home, e))?
            .map_err(PrepareError::Untrusted)?;
        if pinned::of_folder(home).is_ok_and(|sum| sum == self.files_sha256) {
            return Ok(true);
        }
        empty(home)?;
        Ok(false)
    }

    fn must_be(
        &self,
        what: &'static str,
        path: &Path,
        expected: &'static str,
        found: String,
    ) -> Result<(), PrepareError> {
        if found == expected {
            return Ok(());
        }
        Err(PrepareError::WrongSum {
            what,
            version: self.version,
            path: path.into(),
            found: found.into(),
            expected,
        })
    }

    fn archive(&self, host: &Host, maker: &mut Maker<'_>) -> Result<PathBuf, PrepareError> {
        let local = self.in_local_repository(host);
        if local.is_file() {
            return Ok(local);
        }
        self.can_be_got(host)?;
        let directory = maker.directory();
        let command = [
            "mvn".to_owned(),
            "--batch-mode".to_owned(),
            "--quiet".to_owned(),
            format!("{DEPENDENCY_PLUGIN}:copy"),
            format!(
                "-Dartifact=org.apache.tomcat:tomcat:{}:tar.gz",
                self.version
            ),
            format!("-DoutputDirectory={}", directory.display()),
        ];
        maker.fetch("getting Apache Tomcat", &directory, &command)?;
        let archive = directory.join(self.file_name());
        must_exist(
            "Apache Tomcat's archive",
            &archive,
            "Look at what Maven printed",
        )?;
        Ok(archive)
    }

    /// Unpacks beside the final place and renames, so that a half unpacked Tomcat is never used,
    /// and another Tacho that does the same at the same time does no harm.
    fn unpack(
        &self,
        archive: &Path,
        home: &Path,
        maker: &mut Maker<'_>,
    ) -> Result<(), PrepareError> {
        let part = home.with_file_name(format!("tomcat-{}.{}", self.version, std::process::id()));
        empty(&part)?;
        fs::create_dir_all(&part).map_err(|e| PrepareError::io(&part, e))?;
        let command = ["tar", "-xzf", &text(archive), "--strip-components=1"];
        maker.fetch(
            "unpacking Apache Tomcat",
            &part,
            &command.map(str::to_owned),
        )?;
        let renamed = fs::rename(&part, home);
        if renamed.is_err() && !is_whole(home) {
            empty(home)?;
            fs::rename(&part, home).map_err(|e| PrepareError::io(home, e))?;
        }
        empty(&part)?;
        must_exist(
            "Apache Tomcat",
            &bootstrap(home),
            "The archive did not hold a Tomcat; remove it from Maven's local repository",
        )
    }
}

/// The jar that starts Tomcat.
pub(super) fn bootstrap(home: &Path) -> PathBuf {
    home.join("bin/bootstrap.jar")
}

fn is_whole(home: &Path) -> bool {
    bootstrap(home).is_file() && home.join("lib/catalina.jar").is_file()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::variant::{Launchable, Step, StepError, StepOutput, Workshop};

    /// Nothing of what it is asked to do happens.
    struct Idle(PathBuf);

    impl Workshop for Idle {
        fn directory(&self) -> &Path {
            &self.0
        }

        fn run(&mut self, step: Step) -> Result<StepOutput, StepError> {
            panic!("{} was run", step.purpose);
        }

        fn train(&mut self, launchable: Launchable) -> Result<(), StepError> {
            panic!("{} was run", launchable.purpose);
        }
    }

    fn planted(path: &Path, content: &str) {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }

    #[test]
    fn a_planted_archive_is_not_unpacked_and_a_planted_server_is_not_run() {
        let folder = tempfile::tempdir().unwrap();
        let host = Host {
            home: folder.path().join("home"),
            cache: folder.path().join("cache"),
            ..Host::here()
        };
        let tomcat = Tomcat::for_level(ServletLevel::Jakarta61);
        let home = tomcat.home(&host);
        planted(&bootstrap(&home), "not Tomcat's");
        planted(&home.join("lib/catalina.jar"), "");
        planted(&tomcat.in_local_repository(&host), "not Tomcat's");
        let mut idle = Idle(folder.path().to_owned());
        let error = tomcat.get(&host, &mut Maker::new(&mut idle)).unwrap_err();
        assert!(matches!(error, PrepareError::WrongSum { .. }), "{error}");
        assert!(error.to_string().contains(tomcat.archive_sha256), "{error}");
        assert!(!home.exists());
    }
}
