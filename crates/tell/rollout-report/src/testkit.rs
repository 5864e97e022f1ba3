//! A report that was made up.

use crate::{About, Report, Seen, origin_ns};
use tacho_rollout::{Lags, Life, Phase, Request, Window, course, felt, lost, slow, young};

const S: u64 = 1_000_000_000;

/// One pod takes over from another; one request may be lost at its end.
pub fn report(is_lost: bool) -> Report {
    let windows = [("before", 0, 10), ("restart 1", 10, 40)].map(|(name, from, to)| Window {
        name: name.to_owned(),
        from_ns: from * S,
        to_ns: to * S,
        is_change: name != "before",
    });
    let requests: Vec<Request> = (0..400)
        .map(|n| {
            let at = n * S / 10;
            let is_bad = is_lost && n == 221;
            Request {
                intended_ns: at,
                sent_ns: Some(at),
                // The first one of the new pod.
                end_ns: at + if n == 222 { 400_000_000 } else { 3_000_000 },
                is_good: !is_bad,
                outcome: (if is_bad { "connection-reset" } else { "200" }).to_owned(),
                connected_ns: Some(S),
                never_connected: false,
                to: Some([10, 244, 0, if n < 222 { 7 } else { 8 }].into()),
            }
        })
        .collect();
    let life = |pod: &str, last: u8, phases: &[(Phase, u64)]| Life {
        pod: pod.to_owned(),
        phases: phases.iter().map(|(phase, at)| (*phase, at * S)).collect(),
        ip: Some([10, 244, 0, last].into()),
        node: Some("node-1".to_owned()),
        ..Life::default()
    };
    let lives = [
        life(
            "users-old",
            7,
            &[
                (Phase::Made, 1),
                (Phase::Scheduled, 1),
                (Phase::Running, 1),
                (Phase::Ready, 1),
                (Phase::TakesTraffic, 1),
                (Phase::Ending, 21),
                (Phase::TakesNoMore, 22),
                (Phase::Gone, 30),
            ],
        ),
        life(
            "users-new",
            8,
            &[
                (Phase::Made, 10),
                (Phase::Scheduled, 10),
                (Phase::Running, 12),
                (Phase::Ready, 20),
                (Phase::TakesTraffic, 20),
            ],
        ),
    ];
    let about = About {
        deployment: "users".to_owned(),
        namespace: "shop".to_owned(),
        replicas: 1,
        url: "http://10.96.0.7/".to_owned(),
        rate: 10.0,
        has_readiness_probe: true,
        has_pre_stop: false,
        pre_stop_s: None,
        sees_pods: true,
        generator_lag_p99_ms: Some(0.1),
        is_cut_short: false,
    };
    let felt = felt(&requests, &windows);
    let seen = Seen {
        course: course(&requests, &windows, origin_ns(&felt)),
        youth: young(&requests, &lives, &windows),
        lost: lost(&requests, &lives, &windows, true),
        slow: slow(&requests, &lives, &windows, true),
        felt,
        lives: &lives,
        lags: Lags {
            to_take_traffic_s: Some(0.02),
            to_take_no_more_s: Some(1.0),
            still_led: None,
        },
        tried: None,
        is_part: false,
        notes: Vec::new(),
    };
    Report::new(about, seen)
}
