//! Which part of an answer is kept for the caller.

/// Which part of an answer the caller gets when the request ends. It is chosen for each request, so
/// that a request that needs nothing costs nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Keep {
    /// The status only.
    #[default]
    Nothing,
    /// Status and header fields.
    Head,
    /// All of it.
    HeadAndBody {
        /// Keep at most this many bytes of the body. The rest is counted and thrown away.
        limit: usize,
    },
}

/// An answer that was asked for.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct KeptAnswer {
    /// 200 to 599.
    pub status: u16,
    /// The header fields in order, with names as they came (in HTTP/2 in lower case). Fields of
    /// interim answers are left out.
    pub headers: Vec<(String, Vec<u8>)>,
    /// The trailer fields after the body, in order (HTTP/2 only).
    pub trailers: Vec<(String, Vec<u8>)>,
    /// The body without its transfer coding; empty unless it was asked for.
    pub body: Vec<u8>,
    /// The body was longer than the limit.
    pub truncated: bool,
}

/// Collects the part of an answer to keep, as its bytes come; for HTTP/2, too.
#[derive(Debug)]
pub struct Keeper {
    answer: Box<KeptAnswer>,
    limit: Option<usize>,
}

impl Keeper {
    /// `None` when nothing is to be kept: no allocation, no copy.
    #[inline]
    #[must_use]
    pub fn of(keep: Keep) -> Option<Self> {
        let limit = match keep {
            Keep::Nothing => return None,
            Keep::Head => None,
            Keep::HeadAndBody { limit } => Some(limit),
        };
        Some(Self {
            answer: Box::default(),
            limit,
        })
    }

    /// Replaces the head of an interim answer, if there was one.
    pub fn head<'a>(&mut self, status: u16, fields: impl Iterator<Item = (&'a str, &'a [u8])>) {
        self.answer.status = status;
        self.answer.headers.clear();
        self.answer
            .headers
            .extend(fields.map(|(name, value)| (name.to_owned(), value.to_vec())));
    }

    /// Adds what comes after the body.
    pub fn trailers<'a>(&mut self, fields: impl Iterator<Item = (&'a str, &'a [u8])>) {
        self.answer
            .trailers
            .extend(fields.map(|(name, value)| (name.to_owned(), value.to_vec())));
    }

    /// Takes more of the body.
    pub fn body(&mut self, data: &[u8]) {
        let Some(limit) = self.limit else { return };
        let room = limit - self.answer.body.len();
        self.answer
            .body
            .extend_from_slice(&data[..data.len().min(room)]);
        self.answer.truncated |= data.len() > room;
    }

    /// What was kept.
    #[must_use]
    pub fn into_answer(self) -> Box<KeptAnswer> {
        self.answer
    }
}
