//! Why an image is not in a registry, and what to do about it.

use oci_client::errors::OciDistributionError;
use std::path::PathBuf;
use tacho_oci::OciError;

/// Why an image was not pushed.
#[derive(Debug, thiserror::Error)]
pub enum RegistryError {
    /// It is no name of an image.
    #[error(
        "`{0}` is no name of an image in a registry: it is like registry/repository or registry:5000/team/app:1, in small letters"
    )]
    BadName(String),
    /// Credentials could not be used.
    #[error(
        "the credentials of {registry} cannot be used ({why}): log in again (`docker login {registry}`, `podman login {registry}`)"
    )]
    Credentials {
        /// Of which registry.
        registry: String,
        /// Why, without the credentials.
        why: &'static str,
    },
    /// The certificate of its authority cannot be used.
    #[error("the authority of the registry's certificate cannot be read from {}: {source}", path.display())]
    Authority {
        /// The file, or the folder of the registry.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// Its certificate is from an authority that nobody has named.
    #[error(
        "{registry} has a certificate that is not trusted ({why}): put the certificate of its authority where Docker and Podman look for it, /etc/docker/certs.d/{registry}/ca.crt or ~/.config/containers/certs.d/{registry}/ca.crt"
    )]
    NotTrusted {
        /// The registry.
        registry: String,
        /// What TLS said.
        why: String,
    },
    /// 401 or 403.
    #[error(
        "{registry} does not let you push to {name}: log in (`docker login {registry}`, `podman login {registry}`), and see that you may write there"
    )]
    NotAllowed {
        /// The registry.
        registry: String,
        /// What was to be pushed.
        name: String,
    },
    /// There is no connection.
    #[error(
        "no connection to {registry}: {why}; check its name. Tacho uses HTTPS, except for registries on this machine; for plain HTTP, give --plain-http"
    )]
    Unreachable {
        /// The registry.
        registry: String,
        /// What the system, or TLS, said.
        why: String,
    },
    /// It takes nothing any more, and does not answer.
    #[error(
        "{registry} took nothing and answered nothing for {seconds} s: push again, which sends only the parts that are not there yet; if it is silent again, the registry or a proxy in front of it may be overloaded"
    )]
    Silent {
        /// The registry.
        registry: String,
        /// So long it was waited for.
        seconds: u64,
    },
    /// The user interrupted it.
    #[error(
        "interrupted before the image was pushed: it has no name in the registry yet. Parts that have arrived there whole are not sent again"
    )]
    Stopped,
    /// The registry does not accept it.
    #[error("{registry} does not take {name}: {why}")]
    Refused {
        /// The registry.
        registry: String,
        /// What was to be pushed.
        name: String,
        /// What it said, in one line.
        why: String,
    },
    /// The image could not be read.
    #[error(transparent)]
    Image(#[from] OciError),
    /// No threads.
    #[error("the machine has no room for another thread: {0}")]
    NoThread(std::io::Error),
}

impl RegistryError {
    pub(crate) fn of(error: &OciDistributionError, registry: &str, name: &str) -> Self {
        let (registry, name) = (registry.to_owned(), name.to_owned());
        match error {
            OciDistributionError::AuthenticationFailure(said) if is_not_now(said) => {
                let why = format!("its token server says: {}", line(said));
                Self::Refused {
                    registry,
                    name,
                    why,
                }
            }
            OciDistributionError::UnauthorizedError { .. }
            | OciDistributionError::AuthenticationFailure(_) => Self::NotAllowed { registry, name },
            OciDistributionError::ServerError {
                code: 401 | 403, ..
            } => Self::NotAllowed { registry, name },
            OciDistributionError::RequestError(error) => {
                let status = error.status().map(|status| status.as_u16());
                match status {
                    Some(401 | 403) => Self::NotAllowed { registry, name },
                    Some(code) => Self::Refused {
                        registry,
                        name,
                        why: format!("it answers {code}"),
                    },
                    None => match innermost(error) {
                        // As rustls says it.
                        why if why.contains("invalid peer certificate") => {
                            Self::NotTrusted { registry, why }
                        }
                        why => Self::Unreachable { registry, why },
                    },
                }
            }
            error => {
                let why = line(&error.to_string());
                // As the specification names them (errors, table of codes).
                match why.contains("UNAUTHORIZED") || why.contains("DENIED") {
                    true => Self::NotAllowed { registry, name },
                    false => Self::Refused {
                        registry,
                        name,
                        why,
                    },
                }
            }
        }
    }
}

/// How token servers, and proxies in front of them, say that they give no token at the moment (429
/// and 5xx).
const NOT_NOW: [&str; 6] = [
    "toomanyrequests",
    "too many requests",
    "internal server error",
    "bad gateway",
    "unavailable",
    "gateway time",
];

/// Whether a token server refused for another reason than who asks. Of its answer the client keeps
/// the text alone, and not the code.
fn is_not_now(said: &str) -> bool {
    let said = said.to_lowercase();
    NOT_NOW.iter().any(|words| said.contains(words))
}

/// The last of the causes, which is what the system or TLS said.
fn innermost(error: &dyn std::error::Error) -> String {
    let mut error = error;
    while let Some(source) = error.source() {
        error = source;
    }
    line(&error.to_string())
}

/// Characters of what a registry says that are kept.
const LINE: usize = 400;

/// What a registry says, in one line that a terminal can show.
fn line(text: &str) -> String {
    let plain = |c: char| if c.is_control() { ' ' } else { c };
    text.chars().map(plain).take(LINE).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_may_not_push_is_told_to_log_in() {
        let refused = OciDistributionError::UnauthorizedError {
            url: "https://registry.example/v2/".to_owned(),
        };
        let error = RegistryError::of(&refused, "registry.example", "registry.example/app:1");
        assert!(
            error.to_string().contains("docker login registry.example"),
            "{error}"
        );
    }

    #[test]
    fn a_token_server_that_is_overloaded_is_no_reason_to_log_in() {
        let error = |said: &str| {
            let failed = OciDistributionError::AuthenticationFailure(said.to_owned());
            RegistryError::of(&failed, "r.example", "r.example/app:1")
        };
        for said in [
            "{\"errors\":[{\"code\":\"TOOMANYREQUESTS\",\"message\":\"slow down\"}]}",
            "<title>503 Service Temporarily Unavailable</title>",
            "<h1>504 Gateway Time-out</h1>",
        ] {
            let told = error(said).to_string();
            assert!(told.contains("its token server says"), "{told}");
            assert!(!told.contains("log in"), "{told}");
        }
        for said in ["", "{\"details\":\"incorrect username or password\"}"] {
            let told = error(said).to_string();
            assert!(told.contains("log in"), "{told}");
        }
    }

    #[test]
    fn what_a_registry_says_moves_no_cursor() {
        assert_eq!(line("a\u{1b}[31m\nb"), "a [31m b");
        assert_eq!(line(&"x".repeat(1000)).len(), LINE);
    }
}
