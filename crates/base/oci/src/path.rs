//! Paths inside an image.

use crate::OciError;
use std::fmt;

/// The kernel's PATH_MAX and NAME_MAX: nothing longer can be unpacked.
const LONGEST: usize = 4_095;
const LONGEST_NAME: usize = 255;

/// An absolute path inside an image, without `.`, `..` and empty names. It is UTF-8, because JSON
/// and the JVM have to name it. Paths are sorted by their bytes, so a folder comes before its
/// content.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ImagePath(String);

/// Why a text is no path inside an image.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum PathProblem {
    /// It has no slash at its beginning.
    #[error("it does not begin with `/`")]
    Relative,
    /// It is the root itself, which is always there.
    #[error("it names the root, and not something in it")]
    Root,
    /// It contains `.`, `..` or an empty name.
    #[error("it has an empty name, `.` or `..` in it")]
    NotPlain,
    /// A byte that ends a text in C.
    #[error("it has a byte of value 0 in it")]
    Nul,
    /// Not UTF-8.
    #[error("its name is not UTF-8")]
    NotText,
    /// Too long for the kernel.
    #[error("it is too long: 4095 bytes, 255 for each name")]
    TooLong,
}

impl ImagePath {
    /// Reads `/app/lib`.
    ///
    /// # Errors
    /// When it is not absolute and plain.
    pub fn parse(text: &str) -> Result<Self, OciError> {
        let problem = |problem| OciError::Path {
            path: text.to_owned(),
            problem,
        };
        let below = text
            .strip_prefix('/')
            .ok_or_else(|| problem(PathProblem::Relative))?;
        if below.is_empty() {
            return Err(problem(PathProblem::Root));
        }
        if text.contains('\0') {
            return Err(problem(PathProblem::Nul));
        }
        let mut names = below.split('/');
        if names.any(|name| matches!(name, "" | "." | "..")) {
            return Err(problem(PathProblem::NotPlain));
        }
        let is_long = |name: &str| name.len() > LONGEST_NAME;
        if text.len() > LONGEST || below.split('/').any(is_long) {
            return Err(problem(PathProblem::TooLong));
        }
        Ok(Self(text.to_owned()))
    }

    /// Something in this folder.
    ///
    /// # Errors
    /// When the name is none, or the path gets too long.
    pub fn join(&self, name: &str) -> Result<Self, OciError> {
        Self::parse(&format!("{}/{name}", self.0))
    }

    /// The path with its leading slash: `/app/lib`.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The path as in the tar of a layer: `app/lib`.
    pub(crate) fn in_a_tar(&self) -> &str {
        self.0.strip_prefix('/').unwrap_or(&self.0)
    }

    /// The folders that it lies in, outermost first; the root is not among them.
    pub fn folders(&self) -> impl Iterator<Item = Self> + '_ {
        let slashes = self.0.match_indices('/').skip(1);
        slashes.map(|(at, _)| Self(self.0[..at].to_owned()))
    }
}

impl fmt::Display for ImagePath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_plain_absolute_paths_are_taken() {
        let problem = |text: &str| match ImagePath::parse(text) {
            Err(OciError::Path { problem, .. }) => problem,
            other => panic!("{text}: {other:?}"),
        };
        assert_eq!(problem("app"), PathProblem::Relative);
        assert_eq!(problem(""), PathProblem::Relative);
        assert_eq!(problem("/"), PathProblem::Root);
        for text in ["//app", "/app/", "/a//b", "/./a", "/a/../b", "/.."] {
            assert_eq!(problem(text), PathProblem::NotPlain, "{text}");
        }
        assert_eq!(problem("/a\0"), PathProblem::Nul);
        assert_eq!(
            problem(&format!("/{}", "a".repeat(256))),
            PathProblem::TooLong
        );
        assert_eq!(problem(&"/a".repeat(2048)), PathProblem::TooLong);
        assert_eq!(
            ImagePath::parse("/app/..jar").unwrap().as_str(),
            "/app/..jar"
        );
    }

    #[test]
    fn its_folders_are_told_from_the_outside_in() {
        let path = ImagePath::parse("/opt/java/bin/java").unwrap();
        let folders: Vec<String> = path.folders().map(|folder| folder.to_string()).collect();
        assert_eq!(folders, ["/opt", "/opt/java", "/opt/java/bin"]);
        assert_eq!(ImagePath::parse("/app").unwrap().folders().count(), 0);
    }
}
