//! Why nothing is recorded, and what to do about it.

use std::net::SocketAddr;
use std::path::PathBuf;

/// Why nothing is recorded.
#[derive(Debug, thiserror::Error)]
pub enum RecordError {
    /// Not an address of a service.
    #[error("`{0}` is no address of a service: give it as http://localhost:8080")]
    BadService(String),
    /// An address with a path.
    #[error(
        "{0} has a path, and what clients send is carried as it is: give host and port alone, such as http://localhost:8080, and let clients send the path"
    )]
    PathOfService(String),
    /// TLS would have to be ended here.
    #[error(
        "{0} uses TLS, so Tacho would see only encrypted data: name the service's port without TLS (http://), behind the proxy that ends TLS"
    )]
    Tls(String),
    /// The service is not there.
    #[error("nothing takes connections at {service}: {source}; start the service first")]
    NoService {
        /// As it was given.
        service: String,
        /// What the kernel said.
        source: std::io::Error,
    },
    /// The address to listen at is not on the loopback: others could reach the service through it.
    #[error(
        "{0} is not an address of this machine's loopback: whoever can reach it would see the service; listen at 127.0.0.1"
    )]
    NotLoopback(SocketAddr),
    /// The address cannot be listened at.
    #[error("cannot listen on {address}: {source}; name another place with --listen")]
    Listen {
        /// Where it was to.
        address: SocketAddr,
        /// What the kernel said.
        source: std::io::Error,
    },
    /// A file holds something that would be gone.
    #[error(
        "{path} exists already: choose another name with {option}, or overwrite it with --force",
        path = path.display()
    )]
    Exists {
        /// The file.
        path: PathBuf,
        /// The option that names another one.
        option: &'static str,
    },
    /// Targets and instants in one file can be read as neither.
    #[error(
        "-o and --times both name {path}: give each a file of its own",
        path = .0.display()
    )]
    OneFile(PathBuf),
    /// A file cannot be written.
    #[error("{path} cannot be written: {source}", path = path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
}
