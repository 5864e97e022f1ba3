//! Handles an answer: keeps cookies, follows redirects, makes checks, captures values.

use super::step::Step;
use super::{Script, User};
use crate::answer::Answer;
use crate::check::Seen;
use crate::cookies::{SetCookie, host_of};
use crate::message::Message;
use crate::redirect::{Refusal, follow, is_redirect};

/// What an answer means.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Judgement {
    /// It is as it should be.
    Ok,
    /// It is not, for this reason.
    Failed(FailureKind, String),
    /// The given request is to be sent instead, as part of the same step.
    Redirect(Message),
}

/// Why a request that was answered has failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FailureKind {
    /// A status from 400 to 499 where nothing else was asked for.
    Status4xx,
    /// A status of 500 or more where nothing else was asked for.
    Status5xx,
    /// A check does not hold.
    Check,
    /// A value is not there to be captured.
    Capture,
    /// A redirect leaves the origin, or is one too many.
    Redirect,
}

impl FailureKind {
    /// The name under which it is counted.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Status4xx => "status-4xx",
            Self::Status5xx => "status-5xx",
            Self::Check => "check",
            Self::Capture => "capture",
            Self::Redirect => "redirect",
        }
    }
}

impl Script {
    /// Takes in the answer to the last request of a step. Checks and captures look at the answer
    /// after the last redirect; cookies are kept from each.
    pub fn take_in(&self, user: &mut User, kind: u32, answer: &Answer<'_>) -> Judgement {
        if self.cookies {
            self.take_cookies(user, kind, answer);
        }
        if self.redirects > 0
            && is_redirect(answer.status)
            && let Some(location) = answer.values("location").next()
        {
            return match self.redirected(user, kind, answer.status, location) {
                Ok(message) => Judgement::Redirect(self.as_sent(user, message)),
                Err(refusal) => {
                    user.forget_sent();
                    Judgement::Failed(FailureKind::Redirect, refusal.to_string())
                }
            };
        }
        user.forget_sent();
        judge(self.step(kind), user, answer)
    }

    /// Keeps what a redirect will need, and adds the cookies of the jar.
    pub(super) fn as_sent(&self, user: &mut User, mut message: Message) -> Message {
        if self.cookies || self.redirects > 0 {
            user.sent = Some(message.clone());
        }
        if self.cookies {
            let scheme = self.base.origin().scheme;
            if let Some(field) = user.jar.field(scheme, &message.path, user.now) {
                add_cookies(&mut message, field);
            }
        }
        message
    }

    fn take_cookies(&self, user: &mut User, kind: u32, answer: &Answer<'_>) {
        let User { jar, sent, now, .. } = user;
        let Some(sent) = sent.as_ref().or_else(|| self.fixed(kind)) else {
            return;
        };
        let host = host_of(&self.base.origin().authority);
        for cookie in answer.values("set-cookie").filter_map(SetCookie::parse) {
            jar.take(&cookie, host, &sent.path, *now);
        }
    }

    fn redirected(
        &self,
        user: &mut User,
        kind: u32,
        status: u16,
        location: &[u8],
    ) -> Result<Message, Refusal> {
        if user.redirects >= self.redirects {
            return Err(Refusal::TooMany {
                limit: self.redirects,
                location: crate::check::shown(location),
            });
        }
        // A step that is the same each time was not rendered for this user.
        let Some(sent) = user.sent.as_ref().or_else(|| self.fixed(kind)) else {
            return Err(Refusal::Malformed {
                location: crate::check::shown(location),
                reason: "it answers no request of this user".to_owned(),
            });
        };
        let path = self.base.resolve(&sent.path, location)?;
        let message = follow(sent, status, path);
        user.redirects += 1;
        Ok(message)
    }
}

impl User {
    fn forget_sent(&mut self) {
        self.sent = None;
        self.redirects = 0;
    }
}

/// There is one `Cookie` field in a request (RFC 6265, 5.4); cookies that the step itself sends
/// come first.
fn add_cookies(message: &mut Message, field: String) {
    let given = message
        .headers
        .iter_mut()
        .find(|(name, _)| name.eq_ignore_ascii_case("cookie"));
    match given {
        Some((_, value)) if !value.is_empty() => {
            value.push_str("; ");
            value.push_str(&field);
        }
        Some((_, value)) => *value = field,
        None => message.headers.push(("Cookie".to_owned(), field)),
    }
}

fn judge(step: &Step, user: &mut User, answer: &Answer<'_>) -> Judgement {
    if answer.status >= 400 && !step.checks_status() {
        let kind = match answer.status {
            ..500 => FailureKind::Status4xx,
            _ => FailureKind::Status5xx,
        };
        return Judgement::Failed(kind, format!("status {}", answer.status));
    }
    let seen = Seen::new(*answer);
    if let Some(text) = step.failed_check(&seen) {
        return Judgement::Failed(FailureKind::Check, text);
    }
    for capture in &step.captures {
        match capture.take(&seen) {
            Ok(value) => {
                if let Some(slot) = user.captured.get_mut(capture.slot) {
                    *slot = Some(value);
                }
            }
            Err(text) => return Judgement::Failed(FailureKind::Capture, text),
        }
    }
    Judgement::Ok
}
