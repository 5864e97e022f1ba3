//! How images get to the nodes of a cluster, where the context in the kubeconfig tells.
//!
//! Clusters on one's own machine are known by what makes them, as other tools for developers know
//! them (<https://skaffold.dev/docs/environment/local-cluster/>). For any other cluster its context
//! can say it in an extension of its own, `tacho`: a place that kubeconfig files keep for programs
//! other than kubectl. A kubeconfig already names programs that are run (`exec` of a user), so it
//! gains no power by this.

use crate::access::Access;
use crate::error::ClusterError;
use kube::config::{Context, Kubeconfig, NamedExtension};
use serde::Deserialize;

/// The extension of a context that is ours.
const OURS: &str = "tacho";
/// What minikube writes into the extensions of its contexts.
const MINIKUBE: &str = "minikube.sigs.k8s.io";

/// How images get to the nodes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ImageWay {
    /// By this command, to which the name of a file is added; the program first.
    Command(Vec<String>),
    /// By this repository of a registry, as it stands in the kubeconfig.
    Repository(String),
}

/// What a context tells.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImageWayOf {
    /// The context by its name.
    pub context: String,
    /// The way; `None` if the context does not tell.
    pub way: Option<ImageWay>,
}

/// The extension as it is written: either key.
#[derive(Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
enum Extension {
    LoadImage(Words),
    Image(String),
}

/// A command on one line, parted by blanks, or word by word.
#[derive(Deserialize)]
#[serde(untagged)]
enum Words {
    Line(String),
    Each(Vec<String>),
}

impl Access {
    /// How images get to the nodes of this cluster. Only the kubeconfig is read; the cluster is not
    /// asked.
    ///
    /// # Errors
    ///
    /// The kubeconfig cannot be read, has no such context, or its extension is not understood.
    pub fn image_way(&self) -> Result<ImageWayOf, ClusterError> {
        let kubeconfig = self.read()?;
        let context = self
            .context_in(&kubeconfig)
            .ok_or(ClusterError::NoCurrentContext)?;
        let found = named(&kubeconfig, &context).ok_or_else(|| ClusterError::NoContext {
            name: context.clone(),
            there: crate::access::contexts(&kubeconfig),
        })?;
        let extensions = found.extensions.as_deref().unwrap_or_default();
        let way = match extensions.iter().find(|one| one.name == OURS) {
            Some(ours) => Some(said(ours).ok_or_else(|| ClusterError::BadExtension {
                context: context.clone(),
                kubeconfig: self.file(),
            })?),
            None => known(&context, extensions).map(ImageWay::Command),
        };
        Ok(ImageWayOf { context, way })
    }
}

fn named<'k>(kubeconfig: &'k Kubeconfig, context: &str) -> Option<&'k Context> {
    let mut all = kubeconfig.contexts.iter();
    let found = all.find(|one| one.name == context)?;
    found.context.as_ref()
}

/// What our extension says; `None` if it is not understood.
fn said(extension: &NamedExtension) -> Option<ImageWay> {
    match Extension::deserialize(&extension.extension).ok()? {
        Extension::Image(repository) => Some(ImageWay::Repository(repository)),
        Extension::LoadImage(words) => {
            let words = match words {
                Words::Line(line) => line.split_whitespace().map(str::to_owned).collect(),
                Words::Each(words) => words,
            };
            let begins = words.first().is_some_and(|program| !program.is_empty());
            begins.then_some(ImageWay::Command(words))
        }
    }
}

/// The command of the program that made this cluster on one's own machine.
fn known(context: &str, extensions: &[NamedExtension]) -> Option<Vec<String>> {
    let command = |words: &[&str], name: String| {
        let words = words.iter().map(|word| (*word).to_owned());
        Some(words.chain([name]).collect())
    };
    if let Some(name) = context.strip_prefix("kind-") {
        // https://kind.sigs.k8s.io/docs/user/quick-start/#loading-an-image-into-your-cluster
        return command(&["kind", "load", "image-archive"], format!("--name={name}"));
    }
    if let Some(name) = context.strip_prefix("k3d-") {
        // https://k3d.io/stable/usage/commands/k3d_image_import/
        return command(&["k3d", "image", "import"], format!("--cluster={name}"));
    }
    let is_minikube = |one: &NamedExtension| {
        one.extension.get("provider").and_then(|by| by.as_str()) == Some(MINIKUBE)
    };
    if context == "minikube" || extensions.iter().any(is_minikube) {
        // Of one name are context and profile (https://minikube.sigs.k8s.io/docs/commands/image/).
        return command(
            &["minikube", "image", "load"],
            format!("--profile={context}"),
        );
    }
    None
}

#[cfg(test)]
mod tests;
