//! A server of HTTP/2 whose truth is known: h2's own server side, on a runtime in a thread of its
//! own.
#![allow(dead_code)]

use bytes::Bytes;
use h2::server::SendResponse;
use h2::{Reason, RecvStream};
use http::{Request, Response};
use rustls::ServerConfig;
use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use std::net::SocketAddr;
use std::rc::Rc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Notify, oneshot};
use tokio::task::{LocalSet, spawn_local};

/// What the server does with a request.
#[derive(Debug, Clone)]
pub enum Reply {
    /// A whole answer.
    Answer(u16, Vec<u8>),
    /// Messages of gRPC, and the trailers after them; with no messages, all in the head.
    Grpc(&'static [u8], Vec<(&'static str, &'static str)>),
    /// Messages of gRPC that are made of the body of the request, and success.
    GrpcOf(fn(&[u8]) -> Vec<u8>),
    /// A whole answer after so long.
    Late(Duration),
    /// `100 Continue` first, then the body of the request comes back.
    ContinueThenEcho,
    /// The body of the request comes back.
    Echo,
    /// A body that says to be longer than it is.
    Short,
    /// A body without end, of this again and again.
    Forever(&'static [u8]),
    /// Nothing at all.
    Silence,
    /// RST_STREAM.
    Reset(Reason),
    /// Head and half a body, then RST_STREAM.
    ResetInTheMiddle(Reason),
    /// A whole answer, and then GOAWAY: no more requests on this connection.
    LastAnswer,
    /// GOAWAY at once, with this reason.
    GoAway(Reason),
    /// The connection is dropped.
    Drop,
}

/// A request as the server saw it.
#[derive(Debug, Clone)]
pub struct Seen {
    /// Over all connections, from 0.
    pub number: u64,
    /// Number of its connection, from 0.
    pub connection: u64,
    pub method: String,
    pub uri: String,
    pub headers: Vec<(String, String)>,
}

type Script = dyn Fn(&Seen) -> Reply + Send + Sync;

#[derive(Default)]
pub struct Settings {
    pub tls: Option<Arc<ServerConfig>>,
    pub max_streams: Option<u32>,
}

struct Shared {
    script: Box<Script>,
    settings: Settings,
    connections: AtomicU64,
    requests: AtomicU64,
    most_at_a_time: AtomicU64,
    used: Mutex<BTreeSet<u64>>,
}

pub struct Http2Server {
    address: SocketAddr,
    shared: Arc<Shared>,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Http2Server {
    pub fn start(script: impl Fn(&Seen) -> Reply + Send + Sync + 'static) -> Self {
        Self::with(Settings::default(), script)
    }

    pub fn with(
        settings: Settings,
        script: impl Fn(&Seen) -> Reply + Send + Sync + 'static,
    ) -> Self {
        let any = SocketAddr::from(([127, 0, 0, 1], 0));
        Self::at(any, settings, script)
    }

    pub fn at(
        address: SocketAddr,
        settings: Settings,
        script: impl Fn(&Seen) -> Reply + Send + Sync + 'static,
    ) -> Self {
        let shared = Arc::new(Shared {
            script: Box::new(script),
            settings,
            connections: AtomicU64::new(0),
            requests: AtomicU64::new(0),
            most_at_a_time: AtomicU64::new(0),
            used: Mutex::default(),
        });
        let listener = std::net::TcpListener::bind(address).unwrap();
        listener.set_nonblocking(true).unwrap();
        let address = listener.local_addr().unwrap();
        let (stop, stopped) = oneshot::channel();
        let thread = std::thread::spawn({
            let shared = Arc::clone(&shared);
            move || run(listener, &shared, stopped)
        });
        Self {
            address,
            shared,
            stop: Some(stop),
            thread: Some(thread),
        }
    }

    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Connections accepted so far.
    pub fn connections(&self) -> u64 {
        self.shared.connections.load(Ordering::SeqCst)
    }

    /// Requests seen so far.
    pub fn requests(&self) -> u64 {
        self.shared.requests.load(Ordering::SeqCst)
    }

    /// The most requests that one connection carried at a time.
    pub fn most_at_a_time(&self) -> u64 {
        self.shared.most_at_a_time.load(Ordering::SeqCst)
    }

    /// Connections over which requests came.
    pub fn used_connections(&self) -> usize {
        self.shared.used.lock().unwrap().len()
    }
}

impl Drop for Http2Server {
    fn drop(&mut self) {
        drop(self.stop.take());
        let _ = self.thread.take().unwrap().join();
    }
}

fn run(listener: std::net::TcpListener, shared: &Arc<Shared>, stopped: oneshot::Receiver<()>) {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    let tasks = LocalSet::new();
    tasks.block_on(&runtime, async {
        let listener = TcpListener::from_std(listener).unwrap();
        let accept = async {
            loop {
                let (stream, _) = listener.accept().await.unwrap();
                let number = shared.connections.fetch_add(1, Ordering::SeqCst);
                spawn_local(serve_any(stream, number, Arc::clone(shared)));
            }
        };
        tokio::select! {
            () = accept => {}
            _ = stopped => {}
        }
    });
}

async fn serve_any(stream: TcpStream, number: u64, shared: Arc<Shared>) {
    stream.set_nodelay(true).unwrap();
    match &shared.settings.tls {
        None => serve(stream, number, shared).await,
        Some(config) => {
            let acceptor = tokio_rustls::TlsAcceptor::from(Arc::clone(config));
            if let Ok(stream) = acceptor.accept(stream).await {
                serve(stream, number, shared).await;
            }
        }
    }
}

/// What a request may do to its connection.
#[derive(Default)]
struct Orders {
    changed: Notify,
    go_away: RefCell<Option<Reason>>,
    last: Cell<bool>,
    dropped: Cell<bool>,
    active: Cell<u64>,
}

async fn serve<S: AsyncRead + AsyncWrite + Unpin>(stream: S, number: u64, shared: Arc<Shared>) {
    let mut builder = h2::server::Builder::new();
    if let Some(max) = shared.settings.max_streams {
        builder.max_concurrent_streams(max);
    }
    let Ok(mut connection) = builder.handshake::<S, Bytes>(stream).await else {
        return;
    };
    let orders = Rc::new(Orders::default());
    loop {
        tokio::select! {
            request = connection.accept() => {
                let Some(Ok((request, respond))) = request else { return };
                spawn_local(handle(request, respond, number, Arc::clone(&shared), Rc::clone(&orders)));
            }
            () = orders.changed.notified() => {
                if orders.dropped.get() {
                    return;
                }
                if let Some(reason) = orders.go_away.take() {
                    connection.abrupt_shutdown(reason);
                }
                if orders.last.replace(false) {
                    connection.graceful_shutdown();
                }
            }
        }
    }
}

async fn handle(
    request: Request<RecvStream>,
    respond: SendResponse<Bytes>,
    connection: u64,
    shared: Arc<Shared>,
    orders: Rc<Orders>,
) {
    let text = |value: &http::HeaderValue| String::from_utf8_lossy(value.as_bytes()).into_owned();
    let seen = Seen {
        number: shared.requests.fetch_add(1, Ordering::SeqCst),
        connection,
        method: request.method().to_string(),
        uri: request.uri().to_string(),
        headers: request
            .headers()
            .iter()
            .map(|(name, value)| (name.to_string(), text(value)))
            .collect(),
    };
    shared.used.lock().unwrap().insert(connection);
    orders.active.set(orders.active.get() + 1);
    shared
        .most_at_a_time
        .fetch_max(orders.active.get(), Ordering::SeqCst);
    let reply = (shared.script)(&seen);
    // The client may be gone: that is its own business.
    let _ = perform(reply, request.into_body(), respond, &orders).await;
    orders.active.set(orders.active.get() - 1);
}

async fn perform(
    reply: Reply,
    mut body: RecvStream,
    mut respond: SendResponse<Bytes>,
    orders: &Orders,
) -> Result<(), h2::Error> {
    let head = |status: u16| Response::builder().status(status).body(()).unwrap();
    match reply {
        Reply::Answer(status, body) => answer(&mut respond, head(status), body.into())?,
        Reply::Grpc(messages, trailers) => {
            let mut head = Response::builder().header("content-type", "application/grpc");
            if messages.is_empty() {
                for (name, value) in trailers {
                    head = head.header(name, value);
                }
                respond.send_response(head.body(()).unwrap(), true)?;
            } else {
                let mut stream = respond.send_response(head.body(()).unwrap(), false)?;
                stream.send_data(Bytes::from_static(messages), false)?;
                let field = |(name, value): (&'static str, &'static str)| {
                    let name = http::HeaderName::from_static(name);
                    (name, http::HeaderValue::from_static(value))
                };
                stream.send_trailers(trailers.into_iter().map(field).collect())?;
            }
        }
        Reply::GrpcOf(made) => {
            let body = read(&mut body).await?;
            let head = Response::builder().header("content-type", "application/grpc");
            let mut stream = respond.send_response(head.body(()).unwrap(), false)?;
            stream.send_data(made(&body).into(), false)?;
            let status = http::HeaderName::from_static("grpc-status");
            let success = http::HeaderValue::from_static("0");
            stream.send_trailers([(status, success)].into_iter().collect())?;
        }
        Reply::Late(wait) => {
            tokio::time::sleep(wait).await;
            answer(&mut respond, head(200), Bytes::from_static(b"late"))?;
        }
        Reply::ContinueThenEcho => {
            respond.send_informational(head(100))?;
            let body = read(&mut body).await?;
            answer(&mut respond, head(200), body.into())?;
        }
        Reply::Echo => {
            let body = read(&mut body).await?;
            answer(&mut respond, head(200), body.into())?;
        }
        Reply::Short => {
            let head = Response::builder().header("content-length", 10);
            answer(
                &mut respond,
                head.body(()).unwrap(),
                Bytes::from_static(b"pong"),
            )?;
        }
        Reply::Forever(part) => {
            let mut stream = respond.send_response(head(200), false)?;
            loop {
                stream.reserve_capacity(16_384);
                let room = std::future::poll_fn(|context| stream.poll_capacity(context)).await;
                let Some(room) = room else { return Ok(()) };
                // Small frames, as events come in.
                let times = (room? / part.len()).clamp(1, 16);
                stream.send_data(part.repeat(times).into(), false)?;
            }
        }
        Reply::Silence => std::future::pending().await,
        Reply::Reset(reason) => respond.send_reset(reason),
        Reply::ResetInTheMiddle(reason) => {
            let mut stream = respond.send_response(head(200), false)?;
            stream.send_data(Bytes::from_static(b"half"), false)?;
            // For the half to be on its way.
            tokio::time::sleep(Duration::from_millis(20)).await;
            stream.send_reset(reason);
        }
        Reply::LastAnswer => {
            answer(&mut respond, head(200), Bytes::new())?;
            orders.last.set(true);
            orders.changed.notify_one();
        }
        Reply::GoAway(reason) => {
            *orders.go_away.borrow_mut() = Some(reason);
            orders.changed.notify_one();
            std::future::pending().await
        }
        Reply::Drop => {
            orders.dropped.set(true);
            orders.changed.notify_one();
            std::future::pending().await
        }
    }
    Ok(())
}

fn answer(
    respond: &mut SendResponse<Bytes>,
    head: Response<()>,
    body: Bytes,
) -> Result<(), h2::Error> {
    let mut stream = respond.send_response(head, body.is_empty())?;
    if body.is_empty() {
        return Ok(());
    }
    stream.send_data(body, true)
}

async fn read(body: &mut RecvStream) -> Result<Vec<u8>, h2::Error> {
    let mut bytes = Vec::new();
    while let Some(data) = body.data().await {
        let data = data?;
        body.flow_control().release_capacity(data.len())?;
        bytes.extend_from_slice(&data);
    }
    Ok(bytes)
}
