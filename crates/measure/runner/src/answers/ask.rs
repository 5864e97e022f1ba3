//! One request over a connection of its own, with its whole answer.

use crate::requests::{self, Question};
use std::io::{self, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;
use tacho_http1::{AnswerReader, Keep, KeptAnswer, Progress, RecentHead};
use tacho_load::RequestError;

/// More than a cold service needs.
const PATIENCE: Duration = Duration::from_secs(30);

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

/// Sends the question and returns the answer. A missing answer, or one that is not HTTP, is
/// returned as [`Answer::Broken`]. For a stream of events, the answer ends with the last event that
/// is waited for.
///
/// # Errors
/// When the request cannot be sent as it is given.
pub fn ask(question: &Question, address: SocketAddr) -> Result<Answer, RequestError> {
    let bytes = requests::bytes(question, address)?;
    let mut reader = AnswerReader::default();
    let is_head = &*question.message.method == "HEAD";
    reader.expect(is_head, Keep::HeadAndBody { limit: BODY_BYTES });
    if let Some(events) = question.events {
        reader.expect_events(events);
    }
    Ok(match exchange(&bytes, reader, address) {
        Ok(answer) => Answer::Whole(answer),
        Err(error) => Answer::Broken(error.to_string()),
    })
}

fn exchange(
    request: &[u8],
    mut reader: AnswerReader,
    address: SocketAddr,
) -> io::Result<Box<KeptAnswer>> {
    let mut stream = TcpStream::connect_timeout(&address, PATIENCE)?;
    stream.set_read_timeout(Some(PATIENCE))?;
    stream.set_write_timeout(Some(PATIENCE))?;
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
