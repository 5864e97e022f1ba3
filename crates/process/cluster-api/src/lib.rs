//! A Kubernetes cluster as seen from outside: who we are there, what we may do in one namespace,
//! and what is there.
//!
//! ```text
//! kubeconfig -> access  which cluster, which namespace, by whose credentials
//!            -> rights  what Tacho needs, one verb at a time; `role` writes it as a Role
//!            -> look    version, namespace, Pod Security, nodes, rights
//!            -> error   why not, and what to do
//! ```
//! The library of the field ([kube](https://kube.rs)) speaks to the API. It is the only
//! asynchronous code of Tacho, and does not leave this crate: its runtime is one thread's own, and
//! every function here waits for its answer, for [`PATIENCE`] at the most.

#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used))]

mod access;
mod error;
mod look;
mod namespace;
mod rights;
mod role;

pub use access::{Access, Reached};
pub use error::ClusterError;
pub use look::{Look, Node, PodSecurity, Seen};
pub use namespace::{BadNamespace, Namespace};
pub use rights::{Purpose, Right, rights};
pub use role::role;

use error::Doing;
use kube::Client;
use std::fmt;
use std::future::Future;
use std::time::Duration;
use tokio::runtime::{Builder, Runtime};

/// How long an answer of the API is waited for.
pub const PATIENCE: Duration = Duration::from_secs(10);

/// A cluster, and one namespace in it.
pub struct Cluster {
    client: Client,
    reached: Reached,
    runtime: Runtime,
}

/// Without the client, which holds credentials.
impl fmt::Debug for Cluster {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Cluster").field(&self.reached).finish()
    }
}

impl Cluster {
    /// Reads the kubeconfig. Nothing is sent yet.
    ///
    /// # Errors
    /// Fails when there is none, when it is not understood, or has no such context.
    pub fn of(access: &Access) -> Result<Self, ClusterError> {
        let runtime = Builder::new_current_thread()
            .enable_all()
            .build()
            .map_err(ClusterError::NoThread)?;
        let (client, reached) = runtime.block_on(access.client())?;
        Ok(Self {
            client,
            reached,
            runtime,
        })
    }

    /// Which one it is.
    #[must_use]
    pub fn reached(&self) -> &Reached {
        &self.reached
    }

    /// Looks at all that a run there would need. Nothing is made or changed.
    ///
    /// # Errors
    /// Fails when the API does not answer, or does not know us. What it does not let us look at is
    /// no error, but said so.
    pub fn look(&self) -> Result<Look, ClusterError> {
        self.runtime
            .block_on(look::look(&self.client, &self.reached))
    }
}

/// The answer, when it comes in time.
async fn answer<T>(
    doing: Doing,
    reached: &Reached,
    question: impl Future<Output = kube::Result<T>>,
) -> Result<T, ClusterError> {
    match tokio::time::timeout(PATIENCE, question).await {
        Ok(answer) => answer.map_err(|error| ClusterError::of(error, doing, reached)),
        Err(_) => Err(ClusterError::Silent {
            server: reached.server.clone(),
        }),
    }
}
