//! What an image is called in a registry.

use crate::error::RegistryError;
use oci_client::Reference;
use std::fmt;
use std::net::IpAddr;
use std::str::FromStr;

/// `registry/repository`, with or without a tag.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Name {
    reference: Reference,
    has_tag: bool,
}

impl FromStr for Name {
    type Err = RegistryError;

    fn from_str(text: &str) -> Result<Self, RegistryError> {
        let bad = || RegistryError::BadName(text.to_owned());
        let reference: Reference = text.parse().map_err(|_| bad())?;
        // An image that is still to be made has no known digest, so it cannot be pushed by one.
        if reference.digest().is_some() || !text.contains('/') {
            return Err(bad());
        }
        let last = text.rsplit('/').next().unwrap_or(text);
        Ok(Self {
            reference,
            has_tag: last.contains(':'),
        })
    }
}

impl Name {
    /// The same repository with another tag.
    #[must_use]
    pub fn tagged(&self, tag: &str) -> Self {
        let (registry, repository) = (self.reference.registry(), self.reference.repository());
        Self {
            reference: Reference::with_tag(
                registry.to_owned(),
                repository.to_owned(),
                tag.to_owned(),
            ),
            has_tag: true,
        }
    }

    /// It says which tag.
    #[must_use]
    pub fn has_tag(&self) -> bool {
        self.has_tag
    }

    /// This very image, by its digest, so that a node cannot pull another one.
    #[must_use]
    pub fn by_digest(&self, digest: &str) -> String {
        let (registry, repository) = (self.reference.registry(), self.reference.repository());
        format!("{registry}/{repository}@{digest}")
    }

    pub(crate) fn reference(&self) -> &Reference {
        &self.reference
    }

    /// Whether the registry runs on this machine. It is asked without TLS then, as Docker does.
    pub(crate) fn is_of_this_machine(&self) -> bool {
        let host = host(self.reference.registry());
        let address = host.parse::<IpAddr>();
        host == "localhost" || address.is_ok_and(|address| address.is_loopback())
    }
}

/// Without its port.
fn host(registry: &str) -> &str {
    match registry.strip_prefix('[') {
        Some(rest) => rest.split(']').next().unwrap_or(rest),
        None => registry.split(':').next().unwrap_or(registry),
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.reference.fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_or_refused() {
        let name: Name = "registry.example:5000/team/app".parse().unwrap();
        assert!(!name.has_tag());
        assert_eq!(
            name.tagged("v1").to_string(),
            "registry.example:5000/team/app:v1"
        );
        assert!("registry.example/app:1".parse::<Name>().unwrap().has_tag());
        let digest = format!("registry.example/app@sha256:{}", "0".repeat(64));
        for wrong in [
            "",
            "app",
            "registry.example/App",
            "registry.example/",
            &digest,
        ] {
            let error = wrong.parse::<Name>().unwrap_err();
            assert!(error.to_string().contains("registry/repository"), "{error}");
        }
    }

    #[test]
    fn a_node_pulls_what_was_pushed_and_nothing_else() {
        let name: Name = "registry.example/app:1".parse().unwrap();
        assert_eq!(
            name.by_digest("sha256:ab"),
            "registry.example/app@sha256:ab"
        );
    }

    #[test]
    fn only_a_registry_of_this_machine_is_asked_without_tls() {
        for (text, is_here) in [
            ("localhost:5000/app", true),
            ("127.0.0.1:5000/app", true),
            ("registry.example/app", false),
            ("10.231.0.2:5000/app", false),
        ] {
            let name: Name = text.parse().unwrap();
            assert_eq!(name.is_of_this_machine(), is_here, "{text}");
        }
    }
}
