//! A step that is ready to be sent and judged.

use super::messages::{self, Piece};
use crate::answer::Keep;
use crate::capture::Capture;
use crate::chance::Stream;
use crate::check::{Check, Seen};
use crate::message::Message;
use crate::spec::Think;
use crate::template::{Bound, RenderFault, Scope};
use bytes::Bytes;
use std::num::NonZeroU32;
use std::sync::Arc;
use std::time::Duration;

/// One request and what is expected of its answer.
#[derive(Debug)]
pub(super) struct Step {
    pub method: Arc<str>,
    pub path: Bound,
    pub headers: Box<[(String, Bound)]>,
    pub body: Body,
    pub events: Option<NonZeroU32>,
    pub checks: Box<[Check]>,
    pub captures: Box<[Capture]>,
    pub think: Option<Think>,
}

/// What is sent with it.
#[derive(Debug)]
pub(super) enum Body {
    /// The same in each request.
    Fixed(Bytes),
    Template(Bound),
    /// Of protobuf, with something to fill in.
    Messages(Box<[Piece]>),
}

impl Step {
    pub(super) fn render(&self, scope: &mut Scope<'_>) -> Result<Message, RenderFault> {
        let path = self.path.render(scope)?;
        let mut headers = Vec::with_capacity(self.headers.len() + 1);
        for (name, value) in &self.headers {
            headers.push((name.clone(), value.render(scope)?));
        }
        let body = match &self.body {
            Body::Fixed(bytes) => bytes.clone(),
            Body::Template(text) => text.render(scope)?.into(),
            Body::Messages(pieces) => messages::render(pieces, scope)?.into(),
        };
        Ok(Message {
            method: Arc::clone(&self.method),
            path,
            headers,
            body,
        })
    }

    /// The message, when it is the same each time.
    pub(super) fn as_fixed(&self) -> Option<Message> {
        let headers: Option<Vec<_>> = self
            .headers
            .iter()
            .map(|(name, value)| Some((name.clone(), value.as_text()?.to_owned())))
            .collect();
        let body = match &self.body {
            Body::Fixed(bytes) => bytes.clone(),
            Body::Template(text) => Bytes::copy_from_slice(text.as_text()?.as_bytes()),
            Body::Messages(_) => return None,
        };
        Some(Message {
            method: Arc::clone(&self.method),
            path: self.path.as_text()?.to_owned(),
            headers: headers?,
            body,
        })
    }

    /// What checks and captures need.
    pub(super) fn needs(&self) -> Keep {
        let checks = self.checks.iter().map(Check::needs);
        let captures = self.captures.iter().map(Capture::needs);
        checks.chain(captures).max().unwrap_or(Keep::Nothing)
    }

    /// Whether the status is judged by a check of its own instead of the usual rule.
    pub(super) fn checks_status(&self) -> bool {
        self.checks.iter().any(Check::is_of_status)
    }

    /// The first check that fails.
    pub(super) fn failed_check(&self, seen: &Seen<'_>) -> Option<String> {
        self.checks.iter().find_map(|check| check.failure(seen))
    }
}

/// A wait, drawn.
pub(super) fn drawn(think: Think, stream: &mut Stream) -> Duration {
    let nanos = |duration: Duration| u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX);
    match think {
        Think::Constant(wait) => wait,
        Think::Uniform(low, high) => {
            let span = nanos(high).saturating_sub(nanos(low));
            Duration::from_nanos(nanos(low).saturating_add(stream.up_to(span)))
        }
        // Inverse transform; the unit is below 1, so the logarithm is finite.
        Think::Exponential(mean) => {
            let factor = -(-stream.unit()).ln_1p();
            Duration::try_from_secs_f64(mean.as_secs_f64() * factor).unwrap_or(Duration::MAX)
        }
    }
}
