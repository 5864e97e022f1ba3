//! What is told of a rollout.

use super::changes::lags_of;
use super::users::Ran;
use tacho_cluster::{Step, WITH_PRE_STOP};
use tacho_figures::count;
use tacho_rollout::{Lags, course, felt, lives, lost, slow, tried, young};
use tacho_rollout_report::{About, Report, Seen, origin_ns};

pub(super) fn report(about: About, ran: &Ran) -> Report {
    let lives = lives(&ran.told);
    let mut notes: Vec<String> = ran.sent_by.iter().cloned().collect();
    notes.push(seen_pods(ran));
    let lags = lags_of(&ran.told, &ran.requests, &ran.windows);
    if ran.pre_stop_s.is_none() && ran.wants_pre_stop && ran.ended.is_none() {
        notes.push(untried(&about, &lags));
    }
    if ran.is_part {
        notes.push(
            "There were more requests than are kept one by one: of the last ones nothing is told, and changes that came after them are not compared. Send fewer (`--rate`, `--times`)."
                .to_owned(),
        );
    }
    let lost = lost(
        &ran.requests,
        &lives,
        &ran.windows,
        about.has_readiness_probe,
    );
    let slow = slow(
        &ran.requests,
        &lives,
        &ran.windows,
        about.has_readiness_probe,
    );
    let felt = felt(&ran.requests, &ran.windows);
    let is_without = |name: &str| name.starts_with(&format!("{} ", Step::Restart));
    let is_with = |name: &str| name.starts_with(WITH_PRE_STOP);
    let seen = Seen {
        course: course(&ran.requests, &ran.windows, origin_ns(&felt)),
        youth: young(&ran.requests, &lives, &ran.windows),
        tried: ran
            .pre_stop_s
            .map(|seconds| tried(&felt, kept_until_ns(ran), seconds, is_without, is_with)),
        felt,
        lives: &lives,
        lags,
        lost,
        slow,
        is_part: ran.is_part,
        notes,
    };
    Report::new(about, seen)
}

/// Why no preStop was tried where nobody said which.
fn untried(about: &About, lags: &Lags) -> String {
    let is_known = lags.to_take_no_more_s.is_some();
    let why = match about.pre_stop_s.filter(|_| is_known) {
        Some(there_s) => format!(
            "the endpoints and proxies were seen to need no more than the {there_s} s of the one that is there"
        ),
        None => "no pod was seen to end".to_owned(),
    };
    format!("No preStop was tried: {why}. Say how long by `--try-pre-stop=SECONDS`.")
}

/// The instant at which the last request that was kept was wanted, if not all were kept.
fn kept_until_ns(ran: &Ran) -> Option<u64> {
    let last = ran.requests.iter().map(|one| one.intended_ns).max();
    ran.is_part.then(|| last.unwrap_or_default())
}

/// For how many requests the pod is known, and how.
fn seen_pods(ran: &Ran) -> String {
    let all = ran.requests.len();
    let known = ran.requests.iter().filter(|one| one.to.is_some()).count();
    let told = "What pods did is told by the API alone.";
    match known {
        0 => format!(
            "Which pod a connection led to is not seen from here: what was going on is told by time. {told}"
        ),
        _ => format!(
            "Which pod a connection led to is known of {} of {} requests, by the kernel's table of connections (/proc/net/nf_conntrack); of the others what was going on is told by time. {told}",
            count(known as u64),
            count(all as u64)
        ),
    }
}
