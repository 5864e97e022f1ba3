//! Commands that write something to be used later: images, experiments, targets, a builder.

use super::variables::truth;
use clap::{Args, Subcommand};
use std::net::SocketAddr;
use std::path::PathBuf;
use tacho_registry::Name;

pub(super) const IMAGE_EXAMPLES: &str = "Examples:
  tacho image target/app.jar -o app.tar                        the jar with its JDK
  tacho image target/app.jar --variant jlink -o app.tar        with a runtime of the modules it needs
  tacho image target/app.jar --variant native -o app.tar       a native image, and nothing else
  tacho image app.jar --variant extracted --base base.tar --name registry/app:1 -o app.tar
  tacho image target/app.jar --push registry.example/team/app:1   to a registry: blobs that it has are not sent again

The file is an OCI layout: `podman load -i`, `ctr images import`, `skopeo copy oci-archive:`, and
`docker load -i` from version 25 on read it. The same files give the same bytes.";

/// `tacho image`.
#[derive(Debug, Args)]
pub struct Image {
    /// An experiment file (.yaml), or a jar, WAR, directory or executable
    pub subject: PathBuf,
    /// Variant, by name or kind [default: the plain one]
    #[arg(long, value_name = "NAME")]
    pub variant: Option<String>,
    /// Tar file to write
    #[arg(short, long, value_name = "FILE", required_unless_present = "push")]
    pub output: Option<PathBuf>,
    /// Push it to a registry, by this name: registry/team/app:1. Credentials are those of `docker
    /// login` or `podman login`
    #[arg(long, value_name = "NAME")]
    pub push: Option<Name>,
    /// Use HTTP for that registry (one on this machine always uses it)
    #[arg(long, requires = "push")]
    pub plain_http: bool,
    /// Base image: an OCI layout, as a folder or a tar [default: none]
    #[arg(long, value_name = "LAYOUT")]
    pub base: Option<PathBuf>,
    /// Name of the image once it is loaded: registry/app:1
    #[arg(long, value_name = "NAME")]
    pub name: Option<String>,
    /// Port on which the service listens [default: that of the experiment]
    #[arg(long)]
    pub port: Option<u16>,
    /// JDK by release (25) or path; else the newest that suits
    #[arg(long, env = "TACHO_JDK", hide_env_values = true)]
    pub jdk: Option<String>,
    /// Timestamp of all its files, in seconds since 1970 [default: 1]
    #[arg(
        long,
        value_name = "SECONDS",
        env = "SOURCE_DATE_EPOCH",
        hide_env_values = true
    )]
    pub source_date: Option<u64>,
    /// Also write the sizes as JSON (- for standard output)
    #[arg(long, value_name = "FILE", env = "TACHO_JSON", hide_env_values = true)]
    pub json: Option<PathBuf>,
    /// Hide progress
    #[arg(short, long, env = "TACHO_QUIET", hide_env_values = true, value_parser = truth)]
    pub quiet: bool,
}

pub(super) const NATIVE_KIT_EXAMPLES: &str = "Examples:
  tacho native-kit install                                into your own data folder, where `tacho run` finds it
  tacho native-kit install --to /opt/native-kit           for all users; then set GRAALVM_HOME to it
  tacho native-kit install --from ~/graalvm-jdk-25        use a GraalVM or Mandrel that you have unpacked
  tacho native-kit which                                  the builder that `native` variants are made with

It needs a JDK 25, gcc and Maven; the builder's jars come through your own Maven (mirrors, proxies
and an offline repository work as they do for your builds). Nothing is fetched when images are
built.";

/// `tacho native-kit`.
#[derive(Debug, Subcommand)]
pub enum NativeKit {
    /// Create a GRAALVM_HOME with a working bin/native-image
    Install(NativeKitInstall),
    /// Show which builder is used for `native` variants
    Which,
}

/// `tacho native-kit install`.
#[derive(Debug, Args)]
pub struct NativeKitInstall {
    /// Where to install; else below $XDG_DATA_HOME/tacho/native-kit
    /// (~/.local/share/tacho/native-kit)
    #[arg(long, value_name = "DIR")]
    pub to: Option<PathBuf>,
    /// JDK 25 to build with [default: JAVA_HOME, else one that is found]
    #[arg(long, value_name = "HOME")]
    pub jdk: Option<PathBuf>,
    /// Use this unpacked GraalVM or Mandrel instead of making one
    #[arg(long, value_name = "PATH")]
    pub from: Option<PathBuf>,
    /// Rebuild it even if it exists
    #[arg(long)]
    pub force: bool,
}

/// `tacho init`.
#[derive(Debug, Args)]
pub struct Init {
    /// A jar, WAR, directory or executable
    pub subject: PathBuf,
    /// File to write
    #[arg(short, long, default_value = "experiment.yaml")]
    pub output: PathBuf,
    /// Overwrite the file when it exists
    #[arg(long)]
    pub force: bool,
    /// JDK by release (25) or path; else the newest that suits
    #[arg(long, env = "TACHO_JDK", hide_env_values = true)]
    pub jdk: Option<String>,
}

pub(super) const RECORD_EXAMPLES: &str = "Examples:
  tacho record http://localhost:8080                      then let clients use http://127.0.0.1:9090
  tacho record http://localhost:8080 -n 1000 -o shop.jsonl --times shop.csv
  tacho load -t shop.jsonl --replay shop.csv http://localhost:8081   the same again, to a copy

Traffic is forwarded unchanged. Secret headers (Authorization, Cookie) are left out, and named at
the end; secrets in addresses and bodies are masked by their names (--mask adds more names).";

/// `tacho record`.
#[derive(Debug, Args)]
pub struct Record {
    /// The service, such as http://localhost:8080
    pub service: String,
    /// Address for clients to connect to; must be loopback
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:9090")]
    pub listen: SocketAddr,
    /// Targets file to write, one JSON object per line
    #[arg(short, long, value_name = "FILE", default_value = "targets.jsonl")]
    pub output: PathBuf,
    /// Also write when each request came, in seconds since the first, for `tacho load --replay`
    #[arg(long, value_name = "FILE")]
    pub times: Option<PathBuf>,
    /// Overwrite files that exist
    #[arg(long)]
    pub force: bool,
    /// Stop after this many requests [default: at Ctrl-C]
    #[arg(short = 'n', long, value_name = "N")]
    pub requests: Option<u64>,
    /// Do not print the address
    #[arg(short, long, env = "TACHO_QUIET", hide_env_values = true, value_parser = truth)]
    pub quiet: bool,
}
