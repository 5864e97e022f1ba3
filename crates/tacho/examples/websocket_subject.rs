//! A service of WebSockets, for the end-to-end tests: it greets, and says back what it is told.
//! Whoever wishes no WebSocket is told so (RFC 9110, 15.5.22).
//!
//! ```text
//! websocket_subject --port 9000
//! ```
#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::io::Write;
use std::net::{TcpListener, TcpStream};
use tungstenite::{HandshakeError, Message, WebSocket};

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let at = arguments.iter().position(|word| word == "--port");
    let port: u16 = arguments[at.expect("--port") + 1].parse().expect("a port");
    let listener = TcpListener::bind(("127.0.0.1", port)).expect("the port to be free");
    for stream in listener.incoming() {
        let stream = stream.expect("a connection");
        std::thread::spawn(|| serve(stream));
    }
}

/// Who only looks whether the port is open says nothing, and gets nothing.
fn serve(stream: TcpStream) {
    let mut plain = stream.try_clone().expect("a second handle");
    match tungstenite::accept(stream) {
        // Who went away has no answer.
        Ok(peer) => drop(talk(peer)),
        Err(HandshakeError::Failure(_)) => {
            let answer = b"HTTP/1.1 426 Upgrade Required\r\nUpgrade: websocket\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";
            let _ = plain.write_all(answer);
        }
        Err(HandshakeError::Interrupted(_)) => {}
    }
}

fn talk(mut peer: WebSocket<TcpStream>) -> tungstenite::Result<()> {
    peer.send(Message::text("welcome"))?;
    loop {
        let message = peer.read()?;
        if message.is_text() {
            peer.send(message)?;
        }
    }
}
