//! One request over a connection of its own, with its whole answer.

use crate::requests::{self, Question};
use std::io::{self, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;
use tacho_http1::{AnswerReader, Keep, KeptAnswer, Progress, RecentHead};
use tacho_load::RequestError;

/// A body beyond this is compared as far as it goes.
const BODY_BYTES: usize = 4 << 20;

/// What came back.
#[derive(Debug, Clone, PartialEq)]
pub enum Answer {
    /// A whole answer.
    Whole(Box<KeptAnswer>),
    /// None, and why.
    Broken(String),
}

/// Sends the question and returns the answer. A missing answer, one that is not HTTP, and one of
/// which nothing came for longer than `patience`, is returned as [`Answer::Broken`]. For a stream
/// of events, the answer ends with the last event that is waited for.
///
/// # Errors
/// When the request cannot be sent as it is given.
pub fn ask(
    question: &Question,
    address: SocketAddr,
    patience: Duration,
) -> Result<Answer, RequestError> {
    let bytes = requests::bytes(question, address)?;
    let mut reader = AnswerReader::default();
    let is_head = &*question.message.method == "HEAD";
    reader.expect(is_head, Keep::HeadAndBody { limit: BODY_BYTES });
    if let Some(events) = question.events {
        reader.expect_events(events);
    }
    Ok(match exchange(&bytes, reader, address, patience) {
        Ok(answer) => Answer::Whole(answer),
        Err(error) => Answer::Broken(said(&error, patience)),
    })
}

/// The kernel calls a timeout of a socket "Resource temporarily unavailable".
fn said(error: &io::Error, patience: Duration) -> String {
    match error.kind() {
        io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut => format!(
            "it takes longer than {} s, the `request-timeout`",
            patience.as_secs_f64()
        ),
        _ => error.to_string(),
    }
}

fn exchange(
    request: &[u8],
    mut reader: AnswerReader,
    address: SocketAddr,
    patience: Duration,
) -> io::Result<Box<KeptAnswer>> {
    // Sockets refuse no time at all.
    let patience = patience.max(Duration::from_millis(1));
    let mut stream = TcpStream::connect_timeout(&address, patience)?;
    stream.set_read_timeout(Some(patience))?;
    stream.set_write_timeout(Some(patience))?;
    stream.write_all(request)?;
    let mut recent = RecentHead::default();
    let mut buffer = vec![0; 64 * 1024];
    loop {
        let count = stream.read(&mut buffer)?;
        if count == 0 {
            reader.end_of_stream().map_err(io::Error::other)?;
            break;
        }
        let progress = reader
            .read(&buffer[..count], &mut recent)
            .map_err(io::Error::other)?;
        if matches!(progress, Progress::Complete { .. }) {
            break;
        }
    }
    Ok(reader.take_kept().unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;
    use tacho_workload::Step;

    #[test]
    fn an_answer_that_takes_too_long_is_said_to() {
        // Takes connections, and answers none.
        let silent = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let address = silent.local_addr().unwrap();
        let asked = requests::questions([Step::get("/")].iter()).unwrap();
        let answer = ask(&asked[0], address, Duration::from_millis(50)).unwrap();
        let why = "it takes longer than 0.05 s, the `request-timeout`";
        assert_eq!(answer, Answer::Broken(why.to_owned()));
    }
}
