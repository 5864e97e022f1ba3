//! Where a redirect leads (RFC 9110, 15.4), as long as it stays within the origin.

use crate::message::Message;
use crate::origin::Origin;
use crate::rules::{breaks_path, excerpt};
use bytes::Bytes;
use std::sync::Arc;
use url::{Position, Url};

/// A redirect that is not followed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// It leads to another scheme, host or port than the run's.
    #[error(
        "the redirect leads to {target}, which is not {origin}; all requests of a run go to one origin"
    )]
    OtherOrigin {
        /// Where it leads.
        target: String,
        /// Where requests go.
        origin: String,
    },
    /// More of them than allowed.
    #[error("more than {limit} redirects one after another; the last one leads to `{location}`")]
    TooMany {
        /// How many are allowed.
        limit: u32,
        /// Where it leads.
        location: String,
    },
    /// Not a reference to anything.
    #[error("the redirect leads to `{location}`, which is no URL: {reason}")]
    Malformed {
        /// As it was given.
        location: String,
        /// What is wrong with it.
        reason: String,
    },
}

/// Whether the status says that the answer is at another place.
pub(crate) fn is_redirect(status: u16) -> bool {
    matches!(status, 301 | 302 | 303 | 307 | 308)
}

/// The origin of a run, as a URL that others are resolved against.
#[derive(Debug, Clone)]
pub struct Base {
    origin: Origin,
    url: Url,
}

impl Base {
    /// Understands an origin.
    ///
    /// # Errors
    /// What is wrong with its authority.
    pub fn new(origin: &Origin) -> Result<Self, String> {
        let url = Url::parse(&origin.to_string()).map_err(|error| error.to_string())?;
        let is_bare = url.path() == "/" && url.query().is_none() && url.fragment().is_none();
        if !is_bare || !url.username().is_empty() || url.password().is_some() {
            return Err("only host and port belong there".to_owned());
        }
        Ok(Self {
            origin: origin.clone(),
            url,
        })
    }

    pub(crate) fn origin(&self) -> &Origin {
        &self.origin
    }

    /// Where `location` leads from `path`: a path with query. Whatever the bytes are, it does
    /// not panic.
    ///
    /// # Errors
    /// When it is no URL, or leaves the origin.
    pub fn resolve(&self, path: &str, location: &[u8]) -> Result<String, Refusal> {
        let malformed = |reason: &str| Refusal::Malformed {
            location: excerpt(location, 80),
            reason: reason.to_owned(),
        };
        let reference = str::from_utf8(location).map_err(|_| malformed("not UTF-8"))?;
        // A path is joined as a reference of its own, so `//x` must not be taken for a host.
        let mut here = self.url.clone();
        let (path, query) = match path.split_once('?') {
            Some((path, query)) => (path, Some(query)),
            None => (path, None),
        };
        here.set_path(path);
        here.set_query(query);
        let target = here
            .join(reference)
            .map_err(|error| malformed(&error.to_string()))?;
        if target.origin() != self.url.origin() {
            return Err(Refusal::OtherOrigin {
                target: excerpt(target.origin().ascii_serialization().as_bytes(), 80),
                origin: self.origin.to_string(),
            });
        }
        let path = &target[Position::BeforePath..Position::AfterQuery];
        if !path.starts_with('/') || path.contains(breaks_path) {
            return Err(malformed("its path cannot be sent"));
        }
        Ok(path.to_owned())
    }
}

/// The request that follows an answer with this status.
pub(crate) fn follow(message: &Message, status: u16, path: String) -> Message {
    let method = &*message.method;
    // 303 asks for the result by GET. After 301 and 302 a POST becomes a GET, as all clients do
    // (RFC 9110, 15.4.2 and 15.4.3); 307 and 308 repeat the request as it was.
    let becomes_get = match status {
        303 => !matches!(method, "GET" | "HEAD"),
        301 | 302 => method == "POST",
        _ => false,
    };
    if !becomes_get {
        return Message {
            path,
            ..message.clone()
        };
    }
    // Fields about a body go with the body (15.4).
    let is_about_body = |name: &str| {
        let name = name.to_ascii_lowercase();
        name.starts_with("content-") || matches!(&*name, "transfer-encoding" | "trailer" | "expect")
    };
    Message {
        method: Arc::from("GET"),
        path,
        headers: message
            .headers
            .iter()
            .filter(|(name, _)| !is_about_body(name))
            .cloned()
            .collect(),
        body: Bytes::new(),
    }
}

#[cfg(test)]
mod tests;
