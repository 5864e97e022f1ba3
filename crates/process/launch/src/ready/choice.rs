//! Which of several ports was chosen, and why, for the record of the launch.

use std::collections::BTreeSet;
use tacho_run_folder::{PortChoice, PortReason};

/// What is known when a port has been chosen.
#[derive(Debug, Clone)]
pub(super) struct Seen<'a> {
    /// The one that was chosen.
    pub(super) port: u16,
    /// The experiment asks for it.
    pub(super) is_given: bool,
    /// The experiment's own request, or the path that makes ready, where it was used to choose
    /// between ports.
    pub(super) request_path: Option<&'a str>,
    /// Whether the port answered that request with 2xx; `None` where it was not asked.
    pub(super) answers_own: Option<bool>,
    /// It answered something with 2xx.
    pub(super) is_sure: bool,
    /// It answered HTTP.
    pub(super) speaks_http: bool,
    /// All that listened, itself included; a number may come several times (IPv4 and IPv6).
    pub(super) listening: Vec<u16>,
}

/// `None` where there was nothing to choose.
pub(super) fn choice(seen: &Seen<'_>) -> Option<PortChoice> {
    let others = seen.listening.iter().filter(|port| **port != seen.port);
    let others: BTreeSet<u16> = others.copied().collect();
    if others.is_empty() {
        return None;
    }
    let by = match seen.request_path {
        _ if seen.is_given => PortReason::Given,
        Some(_) if seen.answers_own == Some(true) => PortReason::OwnRequest,
        Some(_) if seen.is_sure => PortReason::OtherRequest,
        _ if seen.speaks_http => PortReason::AnsweredHttp,
        _ => PortReason::TookConnections,
    };
    Some(PortChoice {
        by,
        request_path: seen.request_path.map(str::to_owned),
        others: others.into_iter().collect(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALONE: Seen<'_> = Seen {
        port: 8080,
        is_given: false,
        request_path: Some("/quotes"),
        answers_own: None,
        is_sure: true,
        speaks_http: true,
        listening: Vec::new(),
    };

    #[test]
    fn one_port_is_no_choice_however_many_sockets_it_has() {
        let seen = Seen {
            listening: vec![8080, 8080],
            ..ALONE
        };
        assert_eq!(choice(&seen), None);
    }

    #[test]
    fn the_best_that_is_known_of_the_port_is_the_reason() {
        let several = Seen {
            listening: vec![9090, 8080, 8081, 8081],
            ..ALONE
        };
        let own = |answers| Seen {
            answers_own: answers,
            ..several.clone()
        };
        let unsure = |speaks_http| Seen {
            is_sure: false,
            speaks_http,
            ..own(Some(false))
        };
        let unasked = Seen {
            request_path: None,
            ..several.clone()
        };
        let given = Seen {
            is_given: true,
            ..unasked.clone()
        };
        for (seen, by) in [
            (own(Some(true)), PortReason::OwnRequest),
            (own(Some(false)), PortReason::OtherRequest),
            (unsure(true), PortReason::AnsweredHttp),
            (unsure(false), PortReason::TookConnections),
            (unasked, PortReason::AnsweredHttp),
            (given, PortReason::Given),
        ] {
            let chosen = choice(&seen).unwrap();
            assert_eq!(
                (chosen.by, chosen.others),
                (by, vec![8081, 9090]),
                "{seen:?}"
            );
        }
    }
}
