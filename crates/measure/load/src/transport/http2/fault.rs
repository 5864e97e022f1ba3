//! What an error of h2 means.

use crate::transport::fault::Fault;
use crate::transport::reason::Reason;

/// What an error means to a request of whose answer so much had come. `end` is how the connection
/// ended, if it did: h2 does not pass that on.
pub fn of_error(error: &h2::Error, end: Option<Fault>, received: u64) -> Fault {
    let reason = || match error.reason() {
        Some(reason) => Reason::of(format_args!("{} ({reason})", name_of(reason))),
        None => Reason::of("no reason given"),
    };
    if error.is_io() {
        return match end {
            Some(Fault::Closed { .. }) | None => Fault::Closed { received },
            Some(fault) => fault,
        };
    }
    if error.is_remote() && error.is_go_away() {
        return Fault::GoAway(reason());
    }
    if error.is_remote() && error.is_reset() {
        return Fault::StreamReset(reason());
    }
    // What is left was found here: the peer does what HTTP/2 forbids.
    Fault::Protocol(Reason::of(format_args!(
        "the subject's HTTP/2 is broken: {}",
        broken_rule(error)
    )))
}

/// Which rule was broken. What h2 says besides is for those who work on it.
fn broken_rule(error: &h2::Error) -> String {
    error
        .reason()
        .map_or_else(|| "it sent what is forbidden".to_owned(), name_of)
}

/// As RFC 9113, section 7, calls it; h2 has these names, and no other.
fn name_of(reason: h2::Reason) -> String {
    match u32::from(reason) {
        0..14 => format!("{reason:?}"),
        code => format!("error {code:#x}"),
    }
}

/// What an error means while the greetings are exchanged.
pub fn of_greeting(error: &h2::Error, end: Option<Fault>) -> Fault {
    let reason = error.reason();
    match of_error(error, end, 0) {
        // `HTTP` is the length of a frame that is too large.
        Fault::Protocol(_) if reason == Some(h2::Reason::FRAME_SIZE_ERROR) => {
            Fault::Protocol(Reason::of(
                "the subject does not answer with HTTP/2 (FRAME_SIZE_ERROR); does it speak HTTP/1.1 at \
                 this port?",
            ))
        }
        // No rule was broken.
        Fault::Protocol(_) if matches!(reason, None | Some(h2::Reason::NO_ERROR)) => hung_up(),
        // A close is a reset when something that we sent was still unread: which of the two it is
        // says nothing of the subject.
        Fault::Closed { .. } | Fault::Reset => hung_up(),
        other => other,
    }
}

fn hung_up() -> Fault {
    Fault::Protocol(Reason::of(
        "the subject closed the connection before the greetings of HTTP/2 were over; does it speak \
         HTTP/1.1 at this port?",
    ))
}

/// The subject has certainly not begun with the request, so that any request may be sent again (RFC
/// 9113, 8.7). Servers end connections in this way after a number of requests (nginx: 1,000), and
/// every client goes on with another one.
pub fn is_unprocessed(error: &h2::Error) -> bool {
    let reason = error.reason();
    error.is_remote()
        && (error.is_go_away() && reason == Some(h2::Reason::NO_ERROR)
            || error.is_reset() && reason == Some(h2::Reason::REFUSED_STREAM))
}
