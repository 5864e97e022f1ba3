//! Why a request is not sent.

use super::filling::Missing;
use crate::error::ImportError;
use crate::file::NotBelow;

/// Why a request of a collection is left out. The texts hold no values: they may be secret.
#[derive(Debug, thiserror::Error)]
pub(super) enum LeftOut {
    #[error("is neither a request nor a folder")]
    NoRequest,
    #[error("has no address")]
    NoAddress,
    #[error("{0}")]
    Address(String),
    #[error("`{0}` is no address of HTTP, and no other is spoken")]
    Scheme(String),
    #[error("`{0}` is no method")]
    Method(String),
    #[error("its host is generated for each request, but a run has only one")]
    MadeHost,
    #[error("the path variable `{0}` has no value; give it one beside the address")]
    PathVariable(String),
    #[error("{}", list(.0))]
    Missing(Vec<Missing>),
    #[error("its authorization ({kind}) {why}")]
    Authorization {
        /// As Postman calls it.
        kind: String,
        /// Why it cannot be sent.
        why: &'static str,
    },
    #[error(
        "there is no access token in the file{0}; fetch one, and write it as `accessToken` into the collection"
    )]
    NoToken(String),
    #[error("a login of Basic cannot be made anew for each request")]
    MadeLogin,
    #[error("its body is of the kind `{0}`, which is not known")]
    BodyKind(String),
    #[error("its GraphQL variables are no JSON")]
    GraphQlVariables,
    #[error("its body has a file, but which one is not in the collection")]
    NoFileNamed,
    #[error("its file `{0}` has a name that is made anew for each request")]
    MadeFile(String),
    #[error("its file `{name}` {why}")]
    File {
        /// As the collection names it.
        name: String,
        /// What is wrong with it.
        why: NotBelow,
    },
    #[error("its file `{0}` cannot be read: {1}")]
    Unreadable(String, String),
    #[error("its file `{0}` cannot be combined with values that are generated for each request")]
    FileBesideMade(String),
}

fn list(missing: &[Missing]) -> String {
    let all: Vec<String> = missing.iter().map(ToString::to_string).collect();
    all.join("; ")
}

/// Why a request does not become a step.
#[derive(Debug, thiserror::Error)]
pub(super) enum Stop {
    /// This one is left out.
    #[error(transparent)]
    LeftOut(#[from] LeftOut),
    /// The whole collection is of no use.
    #[error(transparent)]
    Import(#[from] ImportError),
}
