//! A client, or a connection, is made for each request: connections are opened, threads started and
//! handshakes carried out that one client would need once.

use super::{Match, Need, Pattern, SPECIAL, before, names, repeated_work, times};
use crate::comparison::{Pair, Suspect};
use crate::finding::Count;
use std::collections::BTreeSet;
use tacho_run_folder::LedgerKind;

pub const PATTERN: Pattern = Pattern {
    id: "client-per-request",
    name: "a client or connection for each request",
    needs: &[
        Need::Ledger(LedgerKind::Connections),
        Need::Ledger(LedgerKind::ThreadStarts),
        Need::Ledger(LedgerKind::TlsHandshakes),
    ],
    outranks: &["recreated-objects"],
    look,
    ..SPECIAL
};

/// A pool opens one now and then.
const EACH: f64 = 0.5;

/// What is made, and what it is called.
const MADE: [(LedgerKind, &str); 3] = [
    (LedgerKind::Connections, "connection to"),
    (LedgerKind::TlsHandshakes, "TLS handshake with"),
    (LedgerKind::ThreadStarts, "thread"),
];

fn look(suspect: &Suspect<'_, '_>) -> Option<Match> {
    let rows: Vec<(String, Pair)> = MADE
        .iter()
        .flat_map(|(kind, what)| {
            let of_kind = suspect.counts(*kind, |_| true).into_iter();
            of_kind.map(move |(key, times)| (format!("{what} {key}"), times))
        })
        .filter(|(_, times)| times.more() > 0.0)
        .collect();
    let most = rows.iter().map(|(_, times)| times.more());
    if most.fold(0.0, f64::max) < EACH {
        return None;
    }
    // The libraries that make them, as called by the owner. Their time also covers what the client
    // has to set up first.
    let makers: BTreeSet<&str> = suspect
        .comparison
        .candidate
        .items
        .iter()
        .filter(|item| suspect.is_mine(item) && MADE.iter().any(|(kind, _)| *kind == item.kind))
        .filter_map(|item| item.below.iter().rev().nth(1))
        .map(|frame| maker(frame))
        .collect();
    let is_maker = |frame: &str| makers.iter().any(|maker| frame.starts_with(maker));
    let sentence = |counts: &[Count], _: Pair| {
        let first = counts.first().map_or(Pair::default(), |count| count.times);
        format!(
            "For each request {{owner}} makes {} what one client would make once and keep{}: {}.",
            times(first.candidate),
            before(suspect, first),
            names(counts, 3)
        )
    };
    let fix = "Make one client and keep it, with a pool of connections that stay open; let the other side keep them alive.";
    repeated_work(suspect, rows, is_maker, sentence, fix)
}

/// The library that a frame belongs to. For a frame of the JDK, the method itself.
fn maker(frame: &str) -> &str {
    match super::is_in(frame, &["java.", "jdk.", "sun."]) {
        true => frame,
        false => super::family(frame),
    }
}

#[cfg(test)]
mod tests {
    use crate::finding::find;
    use crate::testkit::Build;
    use tacho_run_folder::LedgerKind::{Connections, ThreadStarts};

    #[test]
    fn a_client_that_is_made_for_each_request_is_told_with_what_it_opens() {
        let work = "shop.Web.get:5 lib.Server.run:1";
        let making = "org.acme.http.Client.build:3 shop.Rates.fetch:17 shop.Web.get:5";
        let connect = "java.net.Socket.connect:1 org.acme.http.Client.send:9 shop.Rates.fetch:18 shop.Web.get:5";
        let start = "java.lang.Thread.start:1 org.acme.http.Client.build:4 shop.Rates.fetch:17 shop.Web.get:5";
        let baseline = Build::of(1.0).works(work, 1.0);
        let candidate = Build::of(3.0)
            .works(work, 1.0)
            .works(making, 2.0)
            .counts(Connections, "rates/10.0.0.7:80", None, connect, 1.0, 0.1)
            .counts(ThreadStarts, "client-", None, start, 2.0, 0.0);
        let found = find(Some(&baseline.evidence()), &candidate.evidence(), None);
        let first = &found.findings[0];
        assert_eq!(first.pattern, "client-per-request", "{found:#?}");
        assert_eq!(first.owner, "shop.Rates.fetch");
        assert_eq!(first.counts.len(), 2);
        assert!(
            first.sentence.contains("connection to rates/10.0.0.7:80"),
            "{}",
            first.sentence
        );
    }

    #[test]
    fn a_pool_that_grows_now_and_then_is_none() {
        let connect = "java.net.Socket.connect:1 org.acme.http.Client.send:9 shop.Rates.fetch:18";
        let build = |times: f64, ms: f64| {
            Build::of(1.0 + ms)
                .works("org.acme.http.Client.send:9 shop.Rates.fetch:18", 1.0 + ms)
                .counts(Connections, "rates:80", None, connect, times, 0.1)
        };
        let found = find(
            Some(&build(0.01, 0.0).evidence()),
            &build(0.05, 2.0).evidence(),
            None,
        );
        assert_ne!(found.findings[0].pattern, "client-per-request");
    }
}
