//! Certificates of authorities, for an image that has none of a base.

use crate::ImageError;
use std::path::Path;
use tacho_oci::{ImagePath, Links, Node, Tree};

/// Where systems keep the certificates of the authorities that they trust: Debian and Alpine,
/// Fedora, openSUSE, others.
pub const AUTHORITIES: [&str; 4] = [
    "/etc/ssl/certs/ca-certificates.crt",
    "/etc/pki/tls/certs/ca-bundle.crt",
    "/etc/ssl/ca-bundle.pem",
    "/etc/ssl/cert.pem",
];

/// What to say of an image without them. A JVM has its own.
pub(crate) const NONE: &str = "the image has no certificates of authorities, since this machine has none: a service that connects by TLS trusts nobody, unless it has its own. Install the package ca-certificates, and make the image again";

/// Puts the first of these files there that this machine has. It lies where most programs look for
/// it, and its place on this machine leads there: programs that were built here may look there.
/// Returns whether there is one.
pub(crate) fn put_authorities(tree: &mut Tree, files: &[&str]) -> Result<bool, ImageError> {
    let [usual, ..] = AUTHORITIES;
    let Some(file) = files.iter().find(|file| Path::new(file).is_file()) else {
        return Ok(false);
    };
    let at = ImagePath::parse(usual)?;
    tree.put_copy(&at, Path::new(file), Links::OutsideFollowed)?;
    if *file != usual {
        let target = usual.to_owned();
        tree.put(ImagePath::parse(file)?, Node::Link { target })?;
    }
    Ok(true)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn authorities_are_where_programs_look_and_where_this_machine_has_them() {
        let lab = tempfile::tempdir().unwrap();
        let file = lab.path().join("ca-bundle.crt").display().to_string();
        let mut tree = Tree::default();
        let nowhere = format!("{file}.not");
        assert!(!put_authorities(&mut tree, &[nowhere.as_str()]).unwrap());
        assert!(tree.is_empty());
        std::fs::write(&file, "certificates").unwrap();
        assert!(put_authorities(&mut tree, &[nowhere.as_str(), file.as_str()]).unwrap());
        let node = |path: &str| {
            let mut nodes = tree.nodes();
            nodes.find(|(at, _)| at.as_str() == path).unwrap().1
        };
        let usual = "/etc/ssl/certs/ca-certificates.crt";
        assert!(matches!(node(usual), Node::File { .. }));
        let target = usual.to_owned();
        assert_eq!(*node(&file), Node::Link { target });
    }
}
