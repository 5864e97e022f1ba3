//! What is kept of an answer, as the transport hands it over.

/// Bytes of a body that are kept for checks and captures; the rest is read and thrown away.
pub const MAX_BODY_KEPT: usize = 1 << 20;

/// What a step needs of its answer. The status is always known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Keep {
    /// Neither head nor body: nothing is copied.
    Nothing,
    /// The head: status line and header fields, without the body.
    Head,
    /// The head, and the body up to [`MAX_BODY_KEPT`] bytes.
    HeadAndBody,
}

/// An answer, or the part of it that was kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Answer<'a> {
    /// 100 to 599.
    pub status: u16,
    /// Its header fields as lines of `name: value`, each ended by CR LF or LF. A status line or an
    /// empty line among them is skipped, so the head of an HTTP/1.1 answer can be passed as it
    /// came. Empty when it was not kept.
    pub head: &'a [u8],
    /// Its body without any transfer coding, from the front. Empty when it was not kept.
    pub body: &'a [u8],
    /// [`Answer::body`] is the whole body.
    pub is_whole: bool,
}

impl<'a> Answer<'a> {
    /// An answer of which nothing else was kept.
    #[must_use]
    pub fn status(status: u16) -> Self {
        Self {
            status,
            head: &[],
            body: &[],
            is_whole: true,
        }
    }

    /// Name and value of each field. Values are as they came, without white space around them.
    pub fn fields(&self) -> impl Iterator<Item = (&'a str, &'a [u8])> + use<'a> {
        self.head
            .split(|&byte| byte == b'\n')
            .filter_map(|line| field(line.strip_suffix(b"\r").unwrap_or(line)))
    }

    /// The values of all fields of this name, whatever the case.
    pub fn values<'n>(&self, name: &'n str) -> impl Iterator<Item = &'a [u8]> + use<'a, 'n> {
        self.fields()
            .filter(move |(n, _)| n.eq_ignore_ascii_case(name))
            .map(|(_, value)| value)
    }
}

/// A status line has a space in what would be its name, and an HTTP/2 pseudo field no name at all.
fn field(line: &[u8]) -> Option<(&str, &[u8])> {
    let colon = line.iter().position(|&byte| byte == b':')?;
    let name = str::from_utf8(&line[..colon]).ok()?;
    crate::rules::is_token(name).then(|| (name, line[colon + 1..].trim_ascii()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn answer(head: &[u8]) -> Answer<'_> {
        Answer {
            head,
            ..Answer::status(200)
        }
    }

    #[test]
    fn fields_are_found_in_the_head_as_it_came() {
        let head = b"HTTP/1.1 200 OK: fine\r\nContent-Type:  text/plain \r\nx-a:1\nX-A: 2\r\n:status: 200\r\nempty:\r\n\r\n";
        let fields: Vec<_> = answer(head).fields().collect();
        assert_eq!(
            fields,
            [
                ("Content-Type", &b"text/plain"[..]),
                ("x-a", b"1"),
                ("X-A", b"2"),
                ("empty", b""),
            ]
        );
        let values: Vec<_> = answer(head).values("X-a").collect();
        assert_eq!(values, [b"1", b"2"]);
        assert_eq!(answer(b"").fields().count(), 0);
    }

    proptest! {
        #[test]
        fn no_head_is_too_strange(head: Vec<u8>) {
            for (name, value) in answer(&head).fields() {
                prop_assert!(!name.is_empty());
                prop_assert!(!value.contains(&b'\n'));
            }
        }
    }
}
