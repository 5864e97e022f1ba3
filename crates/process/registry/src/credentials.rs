//! Credentials for a registry, as `docker login` and `podman login` have stored them.

use crate::error::RegistryError;
use docker_credential::{
    CredentialRetrievalError, DockerCredential, get_credential, get_credential_from_reader,
};
use oci_client::secrets::RegistryAuth;
use std::env;
use std::path::{Path, PathBuf};
use tacho_files::input::{Bound, read};

/// Docker's own registry has another name in the files that `docker login` writes. Podman keeps its
/// name.
const DOCKER: (&str, &str) = ("docker.io", "https://index.docker.io/v1/");
/// Hundreds of registries have some hundred kilobytes.
const LARGEST: Bound = Bound::mib(1);
/// What a helper says of a registry to which nobody is logged in, with an exit code of 1
/// (<https://github.com/docker/docker-credential-helpers>, `credentials/error.go`).
const NOBODY: &str = "credentials not found";

/// The credentials for a registry; anonymous where the user has not logged in.
pub fn of(registry: &str) -> Result<RegistryAuth, RegistryError> {
    let server = match registry == DOCKER.0 {
        true => DOCKER.1,
        false => registry,
    };
    // Also where there is no file, the library reports that it cannot be read.
    let found = match is_kept(&docker_file()) {
        true => get_credential(server),
        false => Err(CredentialRetrievalError::ConfigNotFound),
    };
    let found = match found {
        Err(error) if is_absent(&error) => by_podman(registry),
        found => found,
    };
    let unusable = |why| RegistryError::Credentials {
        registry: registry.to_owned(),
        why,
    };
    match found {
        Ok(DockerCredential::UsernamePassword(name, password)) => {
            Ok(RegistryAuth::Basic(name, password))
        }
        Ok(DockerCredential::IdentityToken(_)) => Err(unusable(
            "it is an identity token; log in by a name and a token",
        )),
        Err(error) if is_absent(&error) => Ok(RegistryAuth::Anonymous),
        Err(error) => Err(unusable(why(&error))),
    }
}

/// Looks into the file that an environment variable names, or into podman's own
/// (containers-auth.json(5)).
fn by_podman(registry: &str) -> Result<DockerCredential, CredentialRetrievalError> {
    let named = |variable: &str| env::var_os(variable).filter(|value| !value.is_empty());
    if let Some(file) = named("REGISTRY_AUTH_FILE") {
        return in_file(Path::new(&file), registry);
    }
    let of_user = rustix::process::getuid().as_raw();
    let [runtime, config, home] =
        ["XDG_RUNTIME_DIR", "XDG_CONFIG_HOME", "HOME"].map(|name| named(name).map(PathBuf::from));
    in_first(&podman_files(runtime, config, home, of_user), registry)
}

/// Where podman keeps them until the user logs out of the machine, and where they may stay.
fn podman_files(
    runtime: Option<PathBuf>,
    config: Option<PathBuf>,
    home: Option<PathBuf>,
    user: u32,
) -> Vec<PathBuf> {
    const FILE: &str = "containers/auth.json";
    let runtime = match runtime {
        Some(folder) => folder.join(FILE),
        None => PathBuf::from(format!("/run/containers/{user}/auth.json")),
    };
    let config = config.or_else(|| Some(home?.join(".config")));
    let config = config.map(|folder| folder.join(FILE));
    [runtime].into_iter().chain(config).collect()
}

/// From the first of these files that has them.
fn in_first(
    files: &[PathBuf],
    registry: &str,
) -> Result<DockerCredential, CredentialRetrievalError> {
    for file in files.iter().filter(|file| file.exists()) {
        match in_file(file, registry) {
            Err(error) if is_absent(&error) => {}
            found => return found,
        }
    }
    Err(CredentialRetrievalError::NoCredentialConfigured)
}

fn in_file(file: &Path, registry: &str) -> Result<DockerCredential, CredentialRetrievalError> {
    let text = read(file, LARGEST).map_err(|_| CredentialRetrievalError::ConfigReadError)?;
    get_credential_from_reader(&text[..], registry)
}

fn docker_file() -> Option<PathBuf> {
    let home = || Some(PathBuf::from(env::var_os("HOME")?).join(".docker"));
    let folder = env::var_os("DOCKER_CONFIG").map(PathBuf::from);
    Some(folder.or_else(home)?.join("config.json"))
}

/// A file that exists but may not be read counts as existing.
fn is_kept(file: &Option<PathBuf>) -> bool {
    let kept = file.as_ref().map(|file| file.try_exists());
    kept.is_some_and(|exists| exists.unwrap_or(true))
}

/// Nobody is logged in there.
fn is_absent(error: &CredentialRetrievalError) -> bool {
    match error {
        CredentialRetrievalError::ConfigNotFound
        | CredentialRetrievalError::NoCredentialConfigured => true,
        CredentialRetrievalError::HelperFailure { stdout, stderr, .. } => {
            stdout.contains(NOBODY) || stderr.contains(NOBODY)
        }
        _ => false,
    }
}

/// The reason, without the output of a helper, which may hold the secret.
fn why(error: &CredentialRetrievalError) -> &'static str {
    match error {
        CredentialRetrievalError::HelperCommunicationError
        | CredentialRetrievalError::MalformedHelperResponse
        | CredentialRetrievalError::HelperFailure { .. } => {
            "the program that keeps them (`credsStore`, `credHelpers`) failed"
        }
        CredentialRetrievalError::ConfigReadError => {
            "the file that `docker login` or `podman login` wrote cannot be read"
        }
        _ => "what stands in the file is no name and password",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_is_not_there_is_nobodys_fault() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("config.json");
        assert!(!is_kept(&None) && !is_kept(&Some(file.clone())));
        std::fs::write(&file, "no JSON").unwrap();
        assert!(is_kept(&Some(file)));
    }

    #[test]
    fn what_podman_keeps_is_found_where_and_by_the_name_that_it_keeps_it() {
        let folder = tempfile::tempdir().unwrap();
        let file = |name: &str| folder.path().join(name);
        let files = ["nowhere", "one", "two"].map(file);
        // `tacho:open sesame`
        let kept = |registry: &str| {
            format!("{{\"auths\":{{\"{registry}\":{{\"auth\":\"dGFjaG86b3BlbiBzZXNhbWU=\"}}}}}}")
        };
        std::fs::write(file("one"), kept("registry.example")).unwrap();
        std::fs::write(file("two"), kept("docker.io")).unwrap();
        let login = DockerCredential::UsernamePassword("tacho".into(), "open sesame".into());
        assert_eq!(in_first(&files, "docker.io"), Ok(login));
        let nobody = in_first(&files, "other.example").unwrap_err();
        assert!(is_absent(&nobody), "{nobody}");
        std::fs::write(file("one"), "no JSON").unwrap();
        let unread = in_first(&files, "docker.io").unwrap_err();
        assert!(!is_absent(&unread), "{unread}");
    }

    #[test]
    fn podman_has_other_files_where_nobody_is_logged_in_to_the_machine() {
        let files = |runtime: Option<&str>, config: Option<&str>| -> Vec<String> {
            let [runtime, config] = [runtime, config].map(|name| name.map(PathBuf::from));
            podman_files(runtime, config, Some("/home/a".into()), 1000)
                .iter()
                .map(|path| path.display().to_string())
                .collect()
        };
        assert_eq!(
            files(Some("/run/user/1000"), None),
            [
                "/run/user/1000/containers/auth.json",
                "/home/a/.config/containers/auth.json"
            ]
        );
        assert_eq!(
            files(None, Some("/c")),
            ["/run/containers/1000/auth.json", "/c/containers/auth.json"]
        );
    }

    #[test]
    fn a_helper_that_knows_nobody_has_not_failed() {
        let says = |stdout: &str| CredentialRetrievalError::HelperFailure {
            helper: "docker-credential-desktop".to_owned(),
            stdout: stdout.to_owned(),
            stderr: String::new(),
        };
        assert!(is_absent(&says(
            "credentials not found in native keychain\n"
        )));
        assert!(!is_absent(&says("the keychain is locked")));
    }

    #[test]
    fn what_a_helper_says_is_not_shown() {
        let failed = CredentialRetrievalError::HelperFailure {
            helper: "store".to_owned(),
            stdout: "hunter2".to_owned(),
            stderr: String::new(),
        };
        assert!(!why(&failed).contains("hunter2"));
    }
}
