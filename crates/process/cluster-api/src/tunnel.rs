//! A connection to a port of a pod through the API. Whoever can reach the API can reach the pod,
//! and nothing in the pod or its network has to be opened.

use crate::access::Access;
use crate::error::{ClusterError, Doing};
use crate::thread::Errand;
use futures_util::future::{Either, select};
use k8s_openapi::api::core::v1::Pod;
use kube::api::Api;
use std::io;
use std::os::unix::net::UnixStream;
use std::pin::pin;
use std::sync::mpsc::{SyncSender, sync_channel};
use tokio::io::copy_bidirectional;

/// An end of such a connection. Dropping it ends the connection.
#[derive(Debug)]
pub struct Tunnel {
    /// Bytes written here arrive in the pod, and bytes that the pod sends are read here.
    pub socket: UnixStream,
    /// The task that carries the bytes.
    pub carrier: Carrier,
}

/// Carries bytes for as long as it is there.
#[derive(Debug)]
pub struct Carrier {
    _errand: Errand,
}

impl Tunnel {
    /// Opens a connection to a port of a pod. It opens even when nothing listens on the port; then
    /// it ends at once.
    pub(crate) fn begin(access: Access, pod: String, port: u16) -> Result<Self, ClusterError> {
        let (socket, inner) = UnixStream::pair().map_err(ClusterError::NoThread)?;
        inner
            .set_nonblocking(true)
            .map_err(ClusterError::NoThread)?;
        let (to_us, is_open) = sync_channel(1);
        let errand = Errand::begin("tunnel", move || async move {
            carry(&access, &pod, port, inner, &to_us).await;
        })?;
        // The sender ends with the thread, which reports something first.
        is_open
            .recv()
            .map_err(|_| ClusterError::NoThread(io::ErrorKind::BrokenPipe.into()))??;
        Ok(Self {
            socket,
            carrier: Carrier { _errand: errand },
        })
    }
}

async fn carry(
    access: &Access,
    pod: &str,
    port: u16,
    inner: UnixStream,
    to_them: &SyncSender<Result<(), ClusterError>>,
) {
    let opened = async {
        let (client, reached) = access.client().await?;
        let pods: Api<Pod> = Api::namespaced(client, reached.namespace.as_ref());
        let ports = [port];
        let forwarding = pods.portforward(pod, &ports);
        let forwarder = crate::answer(Doing::ReachPod, &reached, forwarding).await?;
        let inner = tokio::net::UnixStream::from_std(inner).map_err(ClusterError::NoThread)?;
        Ok((forwarder, inner))
    };
    match opened.await {
        Ok((mut forwarder, mut inner)) => {
            let _ = to_them.send(Ok(()));
            let Some(mut stream) = forwarder.take_stream(port) else {
                return;
            };
            let carried = pin!(copy_bidirectional(&mut inner, &mut stream));
            match forwarder.take_error(port) {
                // This is reported when nothing listens there, and the stream stays open.
                Some(error) => {
                    let failed = pin!(async {
                        if error.await.is_none() {
                            std::future::pending::<()>().await;
                        }
                    });
                    let _: Either<_, _> = select(carried, failed).await;
                }
                None => drop(carried.await),
            }
            forwarder.abort();
        }
        Err(error) => {
            let _ = to_them.send(Err(error));
        }
    }
}
