//! What an error of TLS means, in words that say what to look at.

use crate::transport::fault::Fault;
use crate::transport::reason::Reason;
use rustls::{AlertDescription, CertificateError, Error};

/// The handshake ended before it was done.
pub fn cut_off(how: &str) -> Fault {
    Fault::Tls(Reason::of(format_args!(
        "the subject {how} during the handshake; its log may say why"
    )))
}

/// The stream ended without a word, which somebody on the way could have done.
pub fn truncated() -> Fault {
    Fault::Tls(Reason::of(
        "the answer ends with the connection, and the connection without close_notify: it may have \
         been cut off on the way",
    ))
}

/// What an error of a session means.
pub fn of_error(error: &Error) -> Fault {
    Fault::Tls(match error {
        Error::InvalidCertificate(problem) => of_certificate(problem),
        Error::AlertReceived(alert) => of_alert(*alert),
        Error::InvalidMessage(_) => Reason::of(format_args!(
            "the subject does not answer with TLS ({error}); does it speak plain HTTP at this port?"
        )),
        other => Reason::of(other),
    })
}

fn of_certificate(problem: &CertificateError) -> Reason {
    use CertificateError as E;
    let what = match problem {
        E::Expired | E::ExpiredContext { .. } => "has expired",
        E::NotValidYet | E::NotValidYetContext { .. } => "is not valid yet",
        E::UnknownIssuer => "is of an authority that is not known here; name its CA file",
        E::Revoked => "was revoked",
        E::BadSignature => "has a wrong signature",
        E::NotValidForName | E::NotValidForNameContext { .. } => "is for another name",
        _ => "is not accepted",
    };
    Reason::of(format_args!("the subject's certificate {what} ({problem})"))
}

fn of_alert(alert: AlertDescription) -> Reason {
    use AlertDescription as A;
    let what = match alert {
        A::CertificateRequired => "it wants a client certificate",
        A::UnknownCA | A::BadCertificate | A::CertificateUnknown | A::AccessDenied => {
            "it does not accept our certificate"
        }
        A::CertificateExpired => "our certificate has expired",
        A::HandshakeFailure | A::ProtocolVersion => "no version or cipher in common",
        A::UnrecognisedName => "it does not know the name that it was asked for (SNI)",
        A::NoApplicationProtocol => "it does not speak the protocol that it was asked for (ALPN)",
        _ => "it broke the handshake off",
    };
    let name = alert.as_str().unwrap_or("an alert without a name");
    Reason::of(format_args!("the subject says {name}: {what}"))
}
