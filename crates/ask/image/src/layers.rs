//! The layers of an image, and what goes into which.

use crate::ImageError;
use std::collections::BTreeSet;
use tacho_oci::{ImagePath, Node, Tree};

/// What a layer is for, in the order of the layers: what changes least comes first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Role {
    /// What a container without a base lacks: the C library, `/tmp`, `/etc/passwd`.
    System,
    /// A JDK, a trimmed runtime, a Tomcat.
    Runtime,
    /// Libraries of the application.
    Dependencies,
    /// The application itself.
    Application,
    /// What a training launch has made: a CDS archive, an AOT cache.
    Archive,
}

impl Role {
    /// All, lowest layer first.
    pub const ALL: [Self; 5] = [
        Self::System,
        Self::Runtime,
        Self::Dependencies,
        Self::Application,
        Self::Archive,
    ];

    /// Its name in the history of an image, and in what is printed.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::System => "system",
            Self::Runtime => "runtime",
            Self::Dependencies => "dependencies",
            Self::Application => "application",
            Self::Archive => "archive",
        }
    }
}

/// Folders in which build tools put libraries: Boot's extracted form and Helidon's `lib` and
/// `libs`, `BOOT-INF/lib`, `WEB-INF/lib`, Quarkus' `lib/main`.
const OF_LIBRARIES: [&str; 2] = ["lib", "libs"];

/// The layer of a file of the application. Files in a folder of libraries are dependencies, except
/// snapshots, which change as often as the application.
pub(crate) fn role_of(path: &ImagePath) -> Role {
    let mut names = path.as_str().split('/').rev();
    let file = names.next().unwrap_or_default();
    let is_library = names.any(|folder| OF_LIBRARIES.contains(&folder));
    if is_library && !file.contains("-SNAPSHOT") {
        return Role::Dependencies;
    }
    Role::Application
}

/// Splits a tree of an application into its dependencies and the rest. A folder goes where its
/// files go; an empty folder belongs to the application.
pub(crate) fn split(tree: &Tree) -> Result<[(Role, Tree); 2], ImageError> {
    let mut dependencies = Tree::default();
    let mut application = Tree::default();
    let with_more: BTreeSet<ImagePath> =
        tree.nodes().flat_map(|(path, _)| path.folders()).collect();
    for (path, node) in tree.nodes() {
        if matches!(node, Node::Folder) && with_more.contains(path) {
            continue;
        }
        let to = match role_of(path) {
            Role::Dependencies => &mut dependencies,
            _ => &mut application,
        };
        to.put(path.clone(), node.clone())?;
    }
    Ok([
        (Role::Dependencies, dependencies),
        (Role::Application, application),
    ])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn libraries_are_told_from_the_application_by_their_folder() {
        for (path, wanted) in [
            ("/app/lib/spring-core.jar", Role::Dependencies),
            ("/app/libs/helidon.jar", Role::Dependencies),
            ("/app/BOOT-INF/lib/jackson.jar", Role::Dependencies),
            ("/app/lib/main/io.quarkus.arc.jar", Role::Dependencies),
            ("/app/lib/own-1-SNAPSHOT.jar", Role::Application),
            ("/app/orders.jar", Role::Application),
            ("/app/lib.jar", Role::Application),
            ("/app/library/a.jar", Role::Application),
        ] {
            let path = ImagePath::parse(path).unwrap();
            assert_eq!(role_of(&path), wanted, "{path}");
        }
    }

    #[test]
    fn nothing_is_lost_or_twice_when_a_tree_is_split() {
        let mut tree = Tree::default();
        tree.put_text("/app/lib/a.jar", "a").unwrap();
        tree.put_text("/app/b.jar", "b").unwrap();
        tree.put(ImagePath::parse("/app/empty").unwrap(), Node::Folder)
            .unwrap();
        let [(_, dependencies), (_, application)] = split(&tree).unwrap();
        let paths = |tree: &Tree| -> Vec<String> {
            tree.nodes().map(|(path, _)| path.to_string()).collect()
        };
        assert_eq!(paths(&dependencies), ["/app", "/app/lib", "/app/lib/a.jar"]);
        assert_eq!(paths(&application), ["/app", "/app/b.jar", "/app/empty"]);
    }
}
