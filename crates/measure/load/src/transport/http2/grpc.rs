//! Whether a call of gRPC succeeded. The HTTP status is 200 either way: the code of the call comes
//! after its messages, in trailers, or with the head when there are no messages at all ("Responses"
//! of the gRPC over HTTP/2 protocol).

use crate::transport::fault::Fault;
use crate::transport::grpc_code::GrpcCode;
use crate::transport::reason::Reason;
use http::{HeaderMap, HeaderValue, header};
use std::borrow::Cow;

const STATUS: &str = "grpc-status";
const MESSAGE: &str = "grpc-message";
/// A message is for people; longer ones are cut.
const LONGEST_MESSAGE: usize = 200;
/// The same of a content type; characters.
const LONGEST_KIND: usize = 60;

/// What is known from the head of an answer to a call of gRPC.
#[derive(Debug, Clone, Copy)]
pub struct Call {
    /// The code came with the head.
    trailers_only: Option<Result<(), Fault>>,
}

/// Whether a request or an answer is one of gRPC, by its content type.
pub fn is_of_grpc(head: &HeaderMap) -> bool {
    let kind = head.get(header::CONTENT_TYPE).map(HeaderValue::as_bytes);
    let rest = kind.and_then(|kind| kind.strip_prefix(b"application/grpc"));
    rest.is_some_and(|rest| matches!(rest.first(), None | Some(b'+' | b';' | b' ')))
}

/// Why a call failed that was answered by something else: a page, or a redirect to a login. A
/// status of 400 or above says it by itself.
pub fn no_call_answers(request: &HeaderMap, status: u16, head: &HeaderMap) -> Option<Fault> {
    let is_answered = status >= 400 || (status == 200 && is_of_grpc(head));
    (is_of_grpc(request) && !is_answered).then(|| {
        let kind = head.get(header::CONTENT_TYPE).map(HeaderValue::as_bytes);
        let kind = kind.map_or("none".into(), String::from_utf8_lossy);
        let kind: String = kind.chars().take(LONGEST_KIND).collect();
        Fault::Grpc(
            GrpcCode::UNKNOWN,
            Reason::of(format_args!(
                "the answer is none of gRPC (status {status}, content type {kind})"
            )),
        )
    })
}

impl Call {
    /// `None` when the answer is none of gRPC, by its content type.
    pub fn of(head: &HeaderMap) -> Option<Self> {
        is_of_grpc(head).then(|| Self {
            trailers_only: head.contains_key(STATUS).then(|| result(head)),
        })
    }

    /// How the call ended, once its answer is complete.
    ///
    /// # Errors
    /// The code that is no success. A server has to send one.
    pub fn end(self, trailers: Option<&HeaderMap>) -> Result<(), Fault> {
        match (self.trailers_only, trailers) {
            (Some(told), _) => told,
            (None, Some(trailers)) => result(trailers),
            (None, None) => Err(no_status()),
        }
    }
}

fn result(fields: &HeaderMap) -> Result<(), Fault> {
    let Some(status) = fields.get(STATUS) else {
        return Err(no_status());
    };
    let code = status.to_str().ok().and_then(|text| text.parse().ok());
    match code.map(GrpcCode::of) {
        Some(None) => Ok(()),
        Some(Some(code)) => Err(Fault::Grpc(code, reason(fields.get(MESSAGE)))),
        None => Err(Fault::Grpc(
            GrpcCode::UNKNOWN,
            Reason::of("its grpc-status is no number"),
        )),
    }
}

fn no_status() -> Fault {
    Fault::Grpc(
        GrpcCode::UNKNOWN,
        Reason::of("the answer ended without a grpc-status"),
    )
}

fn reason(message: Option<&HeaderValue>) -> Reason {
    let message = message.map_or(&[][..], HeaderValue::as_bytes);
    if message.is_empty() {
        return Reason::of("no grpc-message");
    }
    let text = percent_decoded(&message[..message.len().min(LONGEST_MESSAGE)]);
    Reason::of(String::from_utf8_lossy(&text))
}

/// Messages are percent-encoded; what is wrongly encoded stays as it is, as the protocol asks for.
fn percent_decoded(text: &[u8]) -> Cow<'_, [u8]> {
    percent_encoding::percent_decode(text).into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn fields(pairs: &[(&'static str, &'static str)]) -> HeaderMap {
        let pair = |(name, value): &(&'static str, &'static str)| {
            (
                http::HeaderName::from_static(name),
                HeaderValue::from_static(value),
            )
        };
        pairs.iter().map(pair).collect()
    }

    fn told(
        head: &[(&'static str, &'static str)],
        trailers: &[(&'static str, &'static str)],
    ) -> String {
        let call = Call::of(&fields(head)).unwrap();
        let trailers = (!trailers.is_empty()).then(|| fields(trailers));
        match call.end(trailers.as_ref()) {
            Ok(()) => "ok".to_owned(),
            Err(fault) => format!("{}: {fault}", fault.kind()),
        }
    }

    const HEAD: (&str, &str) = ("content-type", "application/grpc+proto");

    #[test]
    fn the_content_type_says_that_it_is_a_call() {
        for (kind, is_call) in [
            ("application/grpc", true),
            ("application/grpc+json", true),
            ("application/grpc;x=y", true),
            ("application/grpc-web", false),
            ("application/json", false),
        ] {
            let call = Call::of(&fields(&[("content-type", kind)]));
            assert_eq!(call.is_some(), is_call, "{kind}");
        }
        assert!(Call::of(&HeaderMap::new()).is_none());
    }

    #[test]
    fn a_call_that_a_page_or_a_redirect_answers_has_failed() {
        let page = fields(&[("content-type", "text/html")]);
        let call = fields(&[HEAD]);
        let why = |request: &HeaderMap, status, head: &HeaderMap| {
            no_call_answers(request, status, head).map(|fault| fault.to_string())
        };
        assert_eq!(
            why(&call, 200, &page).unwrap(),
            "the call failed with UNKNOWN (grpc-status 2): the answer is none of gRPC (status 200, content type text/html)"
        );
        assert!(why(&call, 302, &HeaderMap::new()).is_some());
        // Its trailers or its status say how it ended; and what is no call may be answered by a
        // page.
        assert_eq!(why(&call, 200, &call), None);
        assert_eq!(why(&call, 503, &page), None);
        assert_eq!(why(&page, 200, &page), None);
    }

    #[test]
    fn the_trailers_say_how_it_ended() {
        assert_eq!(told(&[HEAD], &[("grpc-status", "0")]), "ok");
        assert_eq!(
            told(
                &[HEAD],
                &[("grpc-status", "14"), ("grpc-message", "no%20backend 50%")]
            ),
            "grpc-unavailable: the call failed with UNAVAILABLE (grpc-status 14): no backend 50%"
        );
        assert_eq!(
            told(&[HEAD], &[("grpc-status", "99")]),
            "grpc-unknown: the call failed with UNKNOWN (grpc-status 2): no grpc-message"
        );
    }

    #[test]
    fn without_messages_the_head_says_it() {
        assert_eq!(told(&[HEAD, ("grpc-status", "0")], &[]), "ok");
        assert_eq!(
            told(&[HEAD, ("grpc-status", "12")], &[]),
            "grpc-unimplemented: the call failed with UNIMPLEMENTED (grpc-status 12): no grpc-message"
        );
    }

    #[test]
    fn no_word_of_how_it_ended_is_no_success() {
        for trailers in [
            &[][..],
            &[("grpc-message", "hm")],
            &[("grpc-status", "fine")],
        ] {
            assert!(told(&[HEAD], trailers).starts_with("grpc-unknown"));
        }
    }

    proptest! {
        #[test]
        fn no_message_makes_the_decoder_panic_or_grow(text: Vec<u8>) {
            prop_assert!(percent_decoded(&text).len() <= text.len());
        }
    }
}
