//! The builder of native images that is used here.

use crate::host::is_executable;
use crate::{Host, Jdk};
use std::fs;
use std::path::{Path, PathBuf};

/// A `native-image` program with the folder that it belongs to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImageBuilder {
    program: PathBuf,
    /// Links followed: the folder of the GraalVM, the Mandrel or the kit.
    home: Option<PathBuf>,
    title: String,
}

impl ImageBuilder {
    /// The builder of `GRAALVM_HOME`, else of the `PATH`, else of the newest native kit below the
    /// user's data folder.
    #[must_use]
    pub fn find(host: &Host) -> Option<Self> {
        let in_home = |home: &PathBuf| home.join("bin/native-image");
        host.graalvm_home
            .as_ref()
            .map(in_home)
            .filter(|program| is_executable(program))
            .or_else(|| host.program("native-image"))
            .or_else(|| newest_kit(&host.native_kits).map(|home| in_home(&home)))
            .map(Self::of)
    }

    fn of(program: PathBuf) -> Self {
        // <home>/bin/native-image, or <home>/lib/svm/bin/native-image through a link.
        let real = program.canonicalize().unwrap_or_else(|_| program.clone());
        let jdk = real
            .ancestors()
            .skip(2)
            .take(3)
            .find_map(|folder| Some((folder.to_owned(), Jdk::in_folder(folder)?)));
        let title = match &jdk {
            Some((home, jdk)) => title_of(home, jdk),
            None => "a native-image whose maker is unknown".to_owned(),
        };
        Self {
            program,
            home: jdk.map(|(home, _)| home),
            title,
        }
    }

    /// The `native-image` program.
    #[must_use]
    pub fn program(&self) -> &Path {
        &self.program
    }

    /// What `GRAALVM_HOME` has to be for a build tool to use this one.
    #[must_use]
    pub fn home(&self) -> Option<&Path> {
        self.home.as_deref()
    }

    /// For people: `GraalVM Community 25.0.1`, `GraalVM 25.0.2 assembled by Tacho native kit on
    /// Temurin 25.0.3+9`.
    #[must_use]
    pub fn title(&self) -> &str {
        &self.title
    }

    /// It is the one in this folder.
    #[must_use]
    pub fn is_in(&self, home: &Path) -> bool {
        let real = home.canonicalize().unwrap_or_else(|_| home.to_owned());
        self.home.as_ref() == Some(&real)
    }
}

/// The file `release` tells what a folder is; the kit's also who assembled it.
fn title_of(home: &Path, jdk: &Jdk) -> String {
    let release = fs::read_to_string(home.join("release")).unwrap_or_default();
    let value = |key: &str| {
        release.lines().find_map(|line| {
            let (name, value) = line.split_once('=')?;
            (name.trim() == key).then(|| value.trim().trim_matches('"').to_owned())
        })
    };
    match (value("GRAALVM_VERSION"), value("NATIVE_IMAGE_ASSEMBLED_BY")) {
        (Some(version), Some(assembler)) => format!(
            "GraalVM {version} assembled by {assembler} on {} {}",
            jdk.vendor, jdk.version
        ),
        _ => format!("{} {}", jdk.vendor, jdk.version),
    }
}

/// Kits are installed side by side, in folders named by their version.
fn newest_kit(kits: &Path) -> Option<PathBuf> {
    let folders = fs::read_dir(kits).ok()?.flatten().map(|entry| entry.path());
    folders
        .filter(|home| is_executable(&home.join("bin/native-image")))
        .filter_map(|home| Some((version_of(&home)?, home)))
        .max()
        .map(|(_, home)| home)
}

/// `25.0.2` as numbers; hidden folders are what an installer is working on.
fn version_of(home: &Path) -> Option<Vec<u64>> {
    let name = home.file_name()?.to_str()?;
    let numbers = name.split('.').map(str::parse).collect::<Result<_, _>>();
    numbers.ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    fn builder(home: &Path, release: &str) -> PathBuf {
        fs::create_dir_all(home.join("bin")).unwrap();
        for program in ["native-image", "java"] {
            let path = home.join("bin").join(program);
            fs::write(&path, "#!/bin/sh\n").unwrap();
            fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        }
        fs::write(home.join("release"), release).unwrap();
        home.join("bin/native-image")
    }

    const GRAALVM: &str =
        "IMPLEMENTOR=\"GraalVM Community\"\nJAVA_VERSION=\"25.0.1\"\nGRAALVM_VERSION=\"25.0.1\"\n";
    const KIT: &str = "IMPLEMENTOR_VERSION=\"Temurin-25.0.3+9\"\nJAVA_VERSION=\"25.0.3\"\nGRAALVM_VERSION=\"25.0.2\"\nNATIVE_IMAGE_ASSEMBLED_BY=\"Tacho native kit\"\n";

    #[test]
    fn a_graalvm_goes_before_the_kit_and_the_newest_kit_before_older_ones() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        let mut host = Host {
            native_kits: path("kits"),
            ..Host::default()
        };
        assert_eq!(ImageBuilder::find(&host), None);
        for version in ["25.0.2", "25.0.10", ".25.0.11.making-7"] {
            builder(&path("kits").join(version), KIT);
        }
        let newest = ImageBuilder::find(&host).unwrap();
        assert!(newest.is_in(&path("kits/25.0.10")), "{newest:?}");
        assert_eq!(
            newest.title(),
            "GraalVM 25.0.2 assembled by Tacho native kit on Temurin 25.0.3"
        );
        builder(&path("on-path"), GRAALVM);
        host.path = vec![path("on-path/bin")];
        let on_path = ImageBuilder::find(&host).unwrap();
        assert_eq!(on_path.title(), "GraalVM Community 25.0.1");
        assert_eq!(
            on_path.home(),
            Some(path("on-path").canonicalize().unwrap().as_path())
        );
        builder(&path("graalvm"), GRAALVM);
        host.graalvm_home = Some(path("graalvm"));
        assert!(ImageBuilder::find(&host).unwrap().is_in(&path("graalvm")));
    }

    #[test]
    fn through_a_link_the_home_is_the_real_one() {
        let folder = tempfile::tempdir().unwrap();
        let home = folder.path().join("graalvm");
        let program = builder(&home, GRAALVM);
        let link = folder.path().join("bin/native-image");
        fs::create_dir_all(link.parent().unwrap()).unwrap();
        std::os::unix::fs::symlink(program, &link).unwrap();
        let found = ImageBuilder::of(link.clone());
        assert_eq!(found.program(), link);
        assert!(found.is_in(&home));
    }
}
