//! A service of gRPC, for the end-to-end tests: to each call it answers the call's own messages.
//!
//! ```text
//! grpc_subject --port 9000
//! ```
#![allow(clippy::unwrap_used, clippy::expect_used)]

use bytes::{Bytes, BytesMut};
use h2::RecvStream;
use h2::server::SendResponse;
use http::{HeaderMap, HeaderName, HeaderValue, Response};
use tokio::net::{TcpListener, TcpStream};

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let at = arguments.iter().position(|word| word == "--port");
    let port: u16 = arguments[at.expect("--port") + 1].parse().expect("a port");
    let listener = TcpListener::bind(("127.0.0.1", port))
        .await
        .expect("the port to be free");
    loop {
        let (stream, _) = listener.accept().await.expect("a connection");
        tokio::spawn(serve(stream));
    }
}

/// Who only looks whether the port is open says nothing, and gets nothing.
async fn serve(stream: TcpStream) {
    let Ok(mut connection) = h2::server::handshake(stream).await else {
        return;
    };
    while let Some(Ok((request, respond))) = connection.accept().await {
        tokio::spawn(async {
            // Who went away has no answer.
            let _ = answer(request.into_body(), respond).await;
        });
    }
}

async fn answer(mut body: RecvStream, mut respond: SendResponse<Bytes>) -> Result<(), h2::Error> {
    let mut messages = BytesMut::new();
    while let Some(data) = body.data().await {
        let data = data?;
        body.flow_control().release_capacity(data.len())?;
        messages.extend_from_slice(&data);
    }
    let head = Response::builder().header("content-type", "application/grpc");
    let mut stream = respond.send_response(head.body(()).expect("a head"), false)?;
    stream.send_data(messages.freeze(), false)?;
    let status = HeaderName::from_static("grpc-status");
    let success = HeaderValue::from_static("0");
    stream.send_trailers([(status, success)].into_iter().collect::<HeaderMap>())
}
