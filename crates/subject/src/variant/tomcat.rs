//! Apache Tomcat: which version runs a WAR, and where it comes from.

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
}

/// The newest version of each line on Maven Central. A new one is entered here and nowhere else.
/// <https://tomcat.apache.org/whichversion.html>
pub const TOMCATS: [Tomcat; 3] = [
    Tomcat {
        level: ServletLevel::Javax,
        version: "9.0.117",
        java_release: 8,
    },
    Tomcat {
        level: ServletLevel::Jakarta60,
        version: "10.1.59",
        java_release: 11,
    },
    Tomcat {
        level: ServletLevel::Jakarta61,
        version: "11.0.24",
        java_release: 17,
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

    /// Gets it, if it is not there: from Maven's local repository, else from Maven Central. Maven
    /// checks the sum of what it downloads.
    pub(super) fn get(&self, host: &Host, maker: &mut Maker<'_>) -> Result<PathBuf, PrepareError> {
        let home = self.home(host);
        if is_whole(&home) {
            return Ok(home);
        }
        fs::create_dir_all(&host.cache).map_err(|e| PrepareError::io(&host.cache, e))?;
        let archive = self.archive(host, maker)?;
        self.unpack(&archive, &home, maker)?;
        Ok(home)
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
