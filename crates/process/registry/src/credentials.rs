//! Credentials for a registry, as `docker login` and `podman login` have stored them.

use crate::error::RegistryError;
use docker_credential::{
    CredentialRetrievalError, DockerCredential, get_credential, get_podman_credential,
};
use oci_client::secrets::RegistryAuth;
use std::env;
use std::path::PathBuf;

/// Docker's own registry has another name in the files that `docker login` writes.
const DOCKER: (&str, &str) = ("docker.io", "https://index.docker.io/v1/");

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
        Err(error) if is_absent(&error) => by_podman(server),
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

/// Looks into the file that an environment variable names, or into podman's own where it exists.
fn by_podman(server: &str) -> Result<DockerCredential, CredentialRetrievalError> {
    let is_named = env::var_os("REGISTRY_AUTH_FILE").is_some();
    match get_podman_credential(server) {
        Err(CredentialRetrievalError::ConfigReadError) if !is_named => {
            Err(CredentialRetrievalError::ConfigNotFound)
        }
        found => found,
    }
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

fn is_absent(error: &CredentialRetrievalError) -> bool {
    matches!(
        error,
        CredentialRetrievalError::ConfigNotFound | CredentialRetrievalError::NoCredentialConfigured
    )
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
    fn what_a_helper_says_is_not_shown() {
        let failed = CredentialRetrievalError::HelperFailure {
            helper: "store".to_owned(),
            stdout: "hunter2".to_owned(),
            stderr: String::new(),
        };
        assert!(!why(&failed).contains("hunter2"));
    }
}
