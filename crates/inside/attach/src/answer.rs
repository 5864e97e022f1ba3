//! The answer to a command: a status in decimal digits, a line feed, and text until the JVM closes
//! the connection.

/// What a JVM says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// 0 when the command was understood; 101 when the version of the protocol was not.
    pub status: i32,
    /// What it says; JVMs write UTF-8, or their platform's encoding.
    pub text: String,
}

/// It is no answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum AnswerError {
    /// The JVM closed the connection at once: it ended, or rejected the caller.
    #[error("nothing at all")]
    Empty,
    /// It does not begin with a number in a line of its own.
    #[error("no status")]
    NoStatus,
}

/// Reads all that a JVM has sent.
///
/// # Errors
/// When it does not begin with a status.
pub fn read_answer(bytes: &[u8]) -> Result<Answer, AnswerError> {
    if bytes.is_empty() {
        return Err(AnswerError::Empty);
    }
    let end = bytes.iter().position(|byte| *byte == b'\n');
    // A JVM that ended while it answered may send the status alone, without a line feed.
    let (head, rest) = bytes.split_at(end.ok_or(AnswerError::NoStatus)?);
    let head = std::str::from_utf8(head).map_err(|_| AnswerError::NoStatus)?;
    let status = head.trim().parse().map_err(|_| AnswerError::NoStatus)?;
    Ok(Answer {
        status,
        text: String::from_utf8_lossy(&rest[1..]).into_owned(),
    })
}

impl Answer {
    /// The return code of an agent that was loaded: `return code: 0` since JDK 9, the number alone
    /// before.
    pub(crate) fn agent_code(&self) -> Option<i32> {
        let line = self.text.lines().next()?.trim();
        line.strip_prefix("return code:")
            .unwrap_or(line)
            .trim()
            .parse()
            .ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn an_answer_is_a_status_and_text() {
        let answer = read_answer(b"0\n4711:\nJFR started\n").unwrap();
        assert_eq!(
            (answer.status, answer.text.as_str()),
            (0, "4711:\nJFR started\n")
        );
        assert_eq!(read_answer(b"101\n").unwrap().status, 101);
        assert_eq!(read_answer(b"-1\nno").unwrap().status, -1);
        assert_eq!(read_answer(b""), Err(AnswerError::Empty));
        assert_eq!(read_answer(b"0"), Err(AnswerError::NoStatus));
        assert_eq!(read_answer(b"HTTP/1.1 400\r\n"), Err(AnswerError::NoStatus));
    }

    #[test]
    fn an_agents_return_code_is_read_as_old_and_new_jvms_write_it() {
        let code = |text: &str| {
            let text = text.to_owned();
            Answer { status: 0, text }.agent_code()
        };
        assert_eq!(code("return code: 0\n"), Some(0));
        assert_eq!(code("return code: 102\n"), Some(102));
        assert_eq!(code("0\n"), Some(0));
        assert_eq!(code("Agent JAR not found\n"), None);
        assert_eq!(code(""), None);
    }

    proptest! {
        #[test]
        fn no_bytes_make_the_reader_panic(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
            let _ = read_answer(&bytes).map(|answer| answer.agent_code());
        }

        #[test]
        fn what_a_jvm_writes_is_read_back(status: i32, text in "\\PC{0,80}") {
            let read = read_answer(format!("{status}\n{text}").as_bytes()).unwrap();
            prop_assert_eq!((read.status, read.text), (status, text));
        }
    }
}
