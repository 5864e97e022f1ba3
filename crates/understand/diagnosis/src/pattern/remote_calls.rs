//! Many calls to another service where one would do.

use super::{Match, Need, Pattern, SPECIAL, before, is_in, names, repeated_work, times, total};
use crate::comparison::{Pair, Suspect};
use crate::finding::Count;
use std::collections::BTreeSet;
use tacho_run_folder::LedgerKind;

pub const PATTERN: Pattern = Pattern {
    id: "remote-calls-per-item",
    name: "calls to another service for each item",
    needs: &[
        Need::Ledger(LedgerKind::RemoteCalls),
        Need::Ledger(LedgerKind::SocketWaits),
    ],
    outranks: &["recreated-objects"],
    look,
    ..SPECIAL
};

const FIX: &str = "Ask for all items in one call, or ask at the same time instead of one after another, or keep answers that do not change.";

fn look(suspect: &Suspect<'_, '_>) -> Option<Match> {
    by_client(suspect).or_else(|| by_connection(suspect))
}

/// Calls of clients that are known.
fn by_client(suspect: &Suspect<'_, '_>) -> Option<Match> {
    let rows = suspect.counts(LedgerKind::RemoteCalls, |_| true);
    let sentence = |counts: &[Count], all: Pair| {
        format!(
            "For each request {{owner}} calls another service {}{}: {}.",
            times(all.candidate),
            before(suspect, all),
            names(counts, 2)
        )
    };
    let found = repeated_work(suspect, rows, is_remote, sentence, FIX)?;
    (total(&found.counts).more() >= 0.5).then_some(found)
}

/// For any other client: its reads from peers that the service connected to. An answer takes one or
/// a few reads.
fn by_connection(suspect: &Suspect<'_, '_>) -> Option<Match> {
    let peers: BTreeSet<String> = suspect
        .comparison
        .sides()
        .flat_map(|(_, side)| &side.evidence.windows)
        .flat_map(|window| window.sent.keys())
        .filter_map(|peer| port(peer).map(str::to_owned))
        .collect();
    let is_answer = |key: &str| port(key).is_some_and(|port| peers.contains(port));
    let rows = suspect.counts(LedgerKind::SocketWaits, |entry| is_answer(&entry.key));
    let all = rows
        .iter()
        .fold(Pair::default(), |sum, (_, times)| sum.plus(*times));
    if all.more() < MORE_ANSWERS || all.candidate < MANY_MORE * all.baseline {
        return None;
    }
    let items = suspect.comparison.candidate.items.iter();
    let callers: BTreeSet<&str> = items
        .filter(|item| {
            let is_read = item.kind == LedgerKind::SocketWaits && is_answer(&item.entry.key);
            suspect.is_mine(item) && is_read
        })
        .filter_map(|item| item.below.iter().rev().nth(1))
        .map(String::as_str)
        .collect();
    let sentence = |counts: &[Count], all: Pair| {
        format!(
            "For each request {{owner}} reads answers of other services {}{}: {}.",
            times(all.candidate),
            before(suspect, all),
            names(counts, 2)
        )
    };
    repeated_work(
        suspect,
        rows,
        |frame| callers.contains(frame),
        sentence,
        FIX,
    )
}

/// An answer may come in two pieces where it came in one.
const MORE_ANSWERS: f64 = 1.0;
const MANY_MORE: f64 = 1.5;

/// `9000` of `localhost:9000`.
fn port(peer: &str) -> Option<&str> {
    peer.rsplit_once(':').map(|(_, port)| port)
}

fn is_remote(frame: &str) -> bool {
    is_in(
        frame,
        &[
            "java.net.http.",
            "jdk.internal.net.http.",
            "sun.net.www.",
            "java.net.Socket",
            "java.net.URL",
            "java.net.HttpURLConnection",
            "feign.",
            "okhttp3.",
            "org.apache.http",
            "org.apache.hc.",
        ],
    )
}

#[cfg(test)]
mod tests {
    use crate::finding::find;
    use crate::testkit::Build;
    use tacho_run_folder::LedgerKind::{RemoteCalls, SocketWaits};
    use tacho_run_folder::{Dissection, SentTo};

    const WORK: &str = "shop.Web.get:5 lib.Server.run:1";

    /// The service has connected to a peer.
    fn connected(build: Build) -> Dissection {
        let mut seen = build.evidence();
        for window in &mut seen.windows {
            window.sent = [("10.0.0.7:9000".to_owned(), SentTo::default())].into();
        }
        seen
    }

    #[test]
    fn a_client_that_nobody_knows_is_seen_at_its_connection() {
        let read = "java.net.Socket.read:1 org.acme.Client.get:9 shop.Rates.all:17 shop.Web.get:5";
        let build = |times: f64, ms: f64| {
            let build = Build::of(1.0).works(WORK, 1.0);
            let peer = "rates.internal:9000";
            // The generator, which it answers.
            let served = "java.net.Socket.read:1 shop.Rates.all:3 shop.Web.get:5";
            connected(
                build
                    .counts(SocketWaits, peer, None, read, times, ms)
                    .counts(
                        SocketWaits,
                        "127.0.0.1:40100",
                        None,
                        served,
                        9.0 * times,
                        0.1,
                    ),
            )
        };
        let found = find(Some(&build(1.0, 1.0)), &build(21.0, 20.0), None);
        let first = &found.findings[0];
        assert_eq!(first.pattern, "remote-calls-per-item", "{found:#?}");
        assert!(
            first.sentence.contains(
                "reads answers of other services 21 times (before: once): rates.internal:9000"
            ),
            "{}",
            first.sentence
        );
        // As many that take longer are a wait.
        let found = find(Some(&build(1.0, 1.0)), &build(1.0, 20.0), None);
        assert_eq!(found.findings[0].pattern, "waiting");
    }

    #[test]
    fn what_is_made_for_a_call_is_told_beside_the_calls() {
        let call = "org.acme.http.Client.send:9 shop.Rates.all:17 shop.Web.get:5";
        let making = "org.acme.http.Client.<init>:3 shop.Rates.all:17 shop.Web.get:5";
        let in_jdk = "jdk.internal.net.http.Send.run:2 shop.Rates.all:18 shop.Web.get:5";
        let candidate = Build::of(4.0)
            .works(WORK, 1.0)
            .works(making, 2.0)
            .works(in_jdk, 1.0)
            .traced("shop.Rates.all", "org.acme.http.Client.<init>", 20.0, 2.0)
            .counts(
                RemoteCalls,
                "java.net.http.HttpClient",
                None,
                call,
                20.0,
                1.0,
            );
        let baseline = Build::of(1.0).works(WORK, 1.0);
        let found = find(Some(&connected(baseline)), &connected(candidate), None);
        let first = &found.findings[0];
        assert_eq!(first.pattern, "remote-calls-per-item", "{found:#?}");
        assert!(
            first
                .also
                .iter()
                .any(|also| also.pattern == "recreated-objects")
        );
    }
}
