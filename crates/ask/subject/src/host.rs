//! What decides which variants can be made: folders and variables of this machine. It is a value,
//! so that tests can make their own.

use crate::Jdks;
use std::env;
use std::path::{Path, PathBuf};

/// Folders and variables of a machine and its user.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Host {
    /// The variable `JAVA_HOME`; absent when it is not set.
    pub java_home: Option<PathBuf>,
    /// The variable `GRAALVM_HOME`; absent when it is not set.
    pub graalvm_home: Option<PathBuf>,
    /// `NATIVE_IMAGE_OPTIONS`: what every `native-image` reads before its command line.
    pub native_image_options: Option<String>,
    /// The user's folder.
    pub home: PathBuf,
    /// SDKMAN's folder: `SDKMAN_DIR`, else `~/.sdkman`.
    pub sdkman: PathBuf,
    /// Tacho's own cache: `$XDG_CACHE_HOME/tacho`, else `~/.cache/tacho`.
    pub cache: PathBuf,
    /// Native images that were built before; in the cache.
    pub images: PathBuf,
    /// Where native kits are installed: `$XDG_DATA_HOME/tacho/native-kit`, else below
    /// `~/.local/share`.
    pub native_kits: PathBuf,
    /// Folders of the variable `PATH`, in their order.
    pub path: Vec<PathBuf>,
    /// Folders whose subfolders may be JDKs.
    pub jdk_folders: Vec<PathBuf>,
}

/// The machine as far as variants are concerned.
pub struct Surroundings {
    /// Its folders and variables.
    pub host: Host,
    /// JDKs that were found on it.
    pub jdks: Jdks,
}

impl Surroundings {
    /// Looks at this machine, and for its JDKs.
    #[must_use]
    pub fn here() -> Self {
        let host = Host::here();
        let jdks = Jdks::discover(&host);
        Self { host, jdks }
    }
}

impl Host {
    /// This machine, as the environment of this process shows it.
    #[must_use]
    pub fn here() -> Self {
        let variable = |name| env::var_os(name).filter(|v| !v.is_empty());
        let folder = |name| variable(name).map(PathBuf::from);
        let home = folder("HOME").unwrap_or_else(|| PathBuf::from("/"));
        let cache = folder("XDG_CACHE_HOME")
            .unwrap_or_else(|| home.join(".cache"))
            .join("tacho");
        Self {
            java_home: folder("JAVA_HOME"),
            graalvm_home: folder("GRAALVM_HOME"),
            native_image_options: variable("NATIVE_IMAGE_OPTIONS")
                .map(|options| options.to_string_lossy().into_owned()),
            sdkman: folder("SDKMAN_DIR").unwrap_or_else(|| home.join(".sdkman")),
            images: cache.join("images"),
            cache,
            native_kits: folder("XDG_DATA_HOME")
                .unwrap_or_else(|| home.join(".local/share"))
                .join("tacho/native-kit"),
            path: variable("PATH")
                .map(|p| env::split_paths(&p).collect())
                .unwrap_or_default(),
            jdk_folders: ["/usr/lib/jvm", "/opt", "/usr/java", "/usr/local"]
                .map(PathBuf::from)
                .to_vec(),
            home,
        }
    }

    /// The program of this name on the `PATH`.
    #[must_use]
    pub fn program(&self, name: &str) -> Option<PathBuf> {
        let candidates = self.path.iter().map(|folder| folder.join(name));
        candidates.into_iter().find(|p| is_executable(p))
    }
}

/// A file that may be executed.
pub(crate) fn is_executable(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    path.metadata()
        .is_ok_and(|m| m.is_file() && m.permissions().mode() & 0o111 != 0)
}
