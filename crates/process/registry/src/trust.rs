//! Which authorities may have issued a registry's certificate, beside those of the machine: the
//! files that Docker and Podman read
//! (<https://docs.docker.com/engine/security/certificates/>, containers-certs.d(5)).

use crate::error::RegistryError;
use oci_client::client::{Certificate, CertificateEncoding};
use std::env;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use tacho_files::input::{Bound, read};

/// Folders with a folder for each registry. The first that has one counts, as with Podman.
fn folders() -> Vec<PathBuf> {
    let home = env::var_os("HOME").map(PathBuf::from);
    let own = [".config/containers/certs.d", ".config/docker/certs.d"];
    let own = own
        .iter()
        .filter_map(|folder| Some(home.as_ref()?.join(folder)));
    let all = ["/etc/containers/certs.d", "/etc/docker/certs.d"];
    own.chain(all.iter().map(PathBuf::from)).collect()
}

/// Many authorities in one file have a few hundred kilobytes.
const LARGEST: Bound = Bound::mib(1);
/// Files that are read of a folder.
const MOST: usize = 64;

/// The authorities that were named for this registry (`registry:5000`); none where none were.
pub fn authorities(registry: &str) -> Result<Vec<Certificate>, RegistryError> {
    authorities_in(&folders(), registry)
}

fn authorities_in(folders: &[PathBuf], registry: &str) -> Result<Vec<Certificate>, RegistryError> {
    // A folder's name has no part that leads elsewhere: `Name` takes none with a slash.
    let mut own = folders.iter().map(|folder| folder.join(registry));
    let Some(folder) = own.find(|folder| folder.is_dir()) else {
        return Ok(Vec::new());
    };
    let unread = |path: &Path, source| RegistryError::Authority {
        path: path.to_owned(),
        source,
    };
    let files = authority_files(&folder).map_err(|error| unread(&folder, error))?;
    files
        .iter()
        .map(|path| {
            let data = read(path, LARGEST).map_err(|error| unread(path, error))?;
            let is_pem = data.windows(BEGIN.len()).any(|part| part == BEGIN);
            let not_one = || unread(path, io::Error::other("it is no certificate (PEM)"));
            let encoding = is_pem.then_some(CertificateEncoding::Pem);
            Ok(Certificate {
                encoding: encoding.ok_or_else(not_one)?,
                data,
            })
        })
        .collect()
}

/// How a certificate begins (RFC 7468).
const BEGIN: &[u8] = b"-----BEGIN CERTIFICATE-----";

/// Files that end in `.crt` are authorities. A `.cert` with its `.key` is a client's own.
fn authority_files(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut files: Vec<PathBuf> = fs::read_dir(folder)?
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|it| it == "crt"))
        .take(MOST)
        .collect();
    files.sort();
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_folder_that_a_registry_has_counts_and_its_authorities_alone() {
        let (own, all) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let folders = [own.path().to_owned(), all.path().to_owned()];
        let none = authorities_in(&folders, "r.example:5000").unwrap();
        assert!(none.is_empty());

        let of_all = all.path().join("r.example:5000");
        fs::create_dir(&of_all).unwrap();
        let pem = "-----BEGIN CERTIFICATE-----\nAA==\n-----END CERTIFICATE-----\n";
        fs::write(of_all.join("ca.crt"), pem).unwrap();
        fs::write(of_all.join("client.cert"), "a client's own").unwrap();
        let one = authorities_in(&folders, "r.example:5000").unwrap();
        assert_eq!(one.len(), 1);
        assert_eq!(one[0].data, pem.as_bytes());
        assert!(authorities_in(&folders, "r.example").unwrap().is_empty());

        let of_own = own.path().join("r.example:5000");
        fs::create_dir(&of_own).unwrap();
        assert!(
            authorities_in(&folders, "r.example:5000")
                .unwrap()
                .is_empty()
        );
        fs::write(of_own.join("ca.crt"), "no certificate").unwrap();
        let error = authorities_in(&folders, "r.example:5000").unwrap_err();
        assert!(error.to_string().contains("ca.crt"), "{error}");
    }
}
