//! What describes a load, what answers it, and what passes between the two.

use std::net::SocketAddr;
use std::path::Path;
use tacho_http1::{AnswerReader, Keep, Progress, RecentHead};
use tacho_import::{Environment, Format, PostmanOptions, TargetSyntax, Targets};
use tacho_load::schedule::{Replay, Schedule, read_recording};
use tacho_run_folder::TimeUnit;
use tacho_websocket::{Messages, Upgrade};
use tacho_workload::{FeedFormat, Script};

/// What a client sends through `tacho record`, in two parts.
pub fn record_tap(bytes: &[u8]) {
    let mut tap = tacho_record::Tap::default();
    let (first, second) = bytes.split_at(bytes.len() / 2);
    let masking = tacho_masking::Masking::new();
    for seen in [tap.read(first), tap.read(second)]
        .concat()
        .iter()
        .flatten()
    {
        drop(tacho_record::Target::of(seen, &masking));
    }
}

/// The first byte says how the rest is split and how much is kept; however it is split, the same
/// comes.
pub fn websocket_messages(bytes: &[u8]) {
    let Some((&how, stream)) = bytes.split_first() else {
        return;
    };
    let read = |piece: usize| {
        let mut messages = Messages::default();
        let keep = usize::from(how >> 4);
        messages.keep(keep);
        let mut came = Vec::new();
        for part in stream.chunks(piece.max(1)) {
            let mut left = part;
            while !left.is_empty() {
                let Ok(took) = messages.read(left) else {
                    return (came, None);
                };
                assert!(took.consumed <= left.len(), "more than there was");
                assert!(took.consumed > 0, "it does not go on");
                left = &left[took.consumed..];
                came.extend(took.came);
            }
        }
        let (kept, truncated) = messages.take_kept();
        assert!(kept.len() <= keep, "more than is to be kept");
        (came, Some((kept, truncated)))
    };
    assert_eq!(read(usize::from(how & 15)), read(stream.len()));
    let (upgrade, _) = Upgrade::begin("/", "a", &[]);
    let _ = upgrade.accepted(stream);
}

/// The first byte says how the rest is split and what is kept; however it is split, as much is
/// taken.
pub fn http1_answer(bytes: &[u8]) {
    let Some((&how, stream)) = bytes.split_first() else {
        return;
    };
    let mut recent = RecentHead::default();
    let mut read = |piece: usize| {
        let mut reader = AnswerReader::default();
        let keep = if how & 1 == 0 {
            Keep::Nothing
        } else {
            Keep::HeadAndBody { limit: 100 }
        };
        reader.expect(how & 2 != 0, keep);
        let mut taken = 0;
        for part in stream.chunks(piece.max(1)) {
            match reader.read(part, &mut recent) {
                Ok(Progress::Complete { answer, consumed }) => {
                    assert!(consumed <= part.len(), "more than there was");
                    return Some((taken + consumed, answer.status));
                }
                Ok(Progress::Incomplete) => taken += part.len(),
                Err(_) => return None,
            }
        }
        let answer = reader.end_of_stream().ok()?;
        Some((taken, answer.status))
    };
    let whole = read(stream.len());
    assert_eq!(
        whole,
        read(usize::from(how >> 2)),
        "the split must not matter"
    );
    assert_eq!(
        whole,
        read(stream.len()),
        "a head known from before must not matter"
    );
}

/// Each packet has a byte for the microseconds since the one before and a byte for its length. Of
/// whatever passes, no exchange takes longer than the window.
pub fn packets(mut bytes: &[u8]) {
    let callee = SocketAddr::from(([127, 0, 0, 2], 8080));
    let mut conversations = tacho_wire::Conversations::with(vec![callee]);
    let mut packets = 0;
    let mut at = 0;
    while let [later, length, rest @ ..] = bytes {
        let (packet, others) = rest.split_at(rest.len().min(usize::from(*length)));
        at += u64::from(*later) * 1000;
        if let Some(segment) = tacho_wire::segment::segment(packet) {
            assert!(segment.data.len() <= packet.len());
            conversations.take(at, &segment);
        }
        packets += 1;
        bytes = others;
    }
    let told = conversations.end();
    assert!(told.exchanges.len() <= packets, "an answer takes a packet");
    for (_, exchange) in told.exchanges {
        assert!(exchange.total() <= at, "longer than all that passed");
    }
}

pub fn import(format: Format, bytes: &[u8]) {
    // A folder in which nothing is found.
    let nowhere = Path::new("/nonexistent");
    if let Ok(imported) = tacho_import::read(format, bytes, nowhere) {
        for scenario in &imported.workload.scenarios {
            assert!(!scenario.steps.is_empty(), "a scenario without steps");
        }
    }
}

/// As a collection, and as values for one; with the URL of a load, too.
pub fn postman(bytes: &[u8]) {
    import(Format::Postman, bytes);
    let environments = Environment::read(bytes).into_iter();
    let options = PostmanOptions {
        base: "http://127.0.0.1:8080".parse().ok(),
        environments: environments.collect(),
    };
    for collection in [bytes, POSTMAN_COLLECTION] {
        let nowhere = Path::new("/nonexistent");
        let read = tacho_import::read_postman(collection, nowhere, &options);
        let scenarios = read
            .into_iter()
            .flat_map(|imported| imported.workload.scenarios);
        for step in scenarios.flat_map(|scenario| scenario.steps) {
            if let Err(error) = Script::of_step(&step) {
                panic!("a request that cannot be sent: {error}");
            }
        }
    }
}

/// Asks for all that an environment may hold under these names.
const POSTMAN_COLLECTION: &[u8] = br#"{"item": [{"request": {
    "url": {"raw": "{{baseUrl}}/{{a}}/:b?{{c}}", "variable": {"b": "{{b}}"}},
    "method": "{{method}}", "header": "{{a}}: {{token}}",
    "auth": {"type": "bearer", "bearer": {"token": "{{token}}"}},
    "body": {"mode": "raw", "raw": "{{a}}{{b}}{{c}}"}}}]}"#;

pub fn vegeta_stream(bytes: &[u8]) {
    for syntax in [TargetSyntax::Text, TargetSyntax::Json] {
        let targets = Targets::new(bytes, syntax, Path::new("/nonexistent"));
        // Each target takes a byte at least, and reading ends.
        assert!(targets.count() <= bytes.len() + 1);
    }
}

pub fn csv(bytes: &[u8]) {
    let format = FeedFormat::Csv {
        delimiter: b',',
        columns: None,
    };
    drop(tacho_workload::read_rows(bytes, &format, &["a".to_owned()]));
}

pub fn json_lines(bytes: &[u8]) {
    drop(tacho_workload::read_rows(
        bytes,
        &FeedFormat::JsonLines,
        &["a".to_owned()],
    ));
}

/// The first byte says which column and unit are asked for; what is read can be replayed from its
/// first to its last instant.
pub fn recording(bytes: &[u8]) {
    let Some((&how, text)) = bytes.split_first() else {
        return;
    };
    let units = [TimeUnit::S, TimeUnit::Ms, TimeUnit::Us, TimeUnit::Ns];
    let unit = units.get(usize::from(how & 7)).copied();
    let column = (how & 8 != 0).then_some("at_ms");
    let Ok(instants) = read_recording(text, column, unit) else {
        return;
    };
    assert!(!instants.is_empty(), "an empty recording is an error");
    assert!(
        instants.len() <= text.len(),
        "each instant takes a byte at least"
    );
    let speed = if how & 16 == 0 { 1.0 } else { 3.0 };
    let Ok(replay) = Replay::new(instants.clone(), speed) else {
        return;
    };
    let replayed: Vec<u64> = (0..).map_while(|n| replay.intended(n)).collect();
    assert_eq!(replayed.len(), instants.len(), "none is lost");
    assert_eq!(replayed[0], 0);
    assert!(replayed.is_sorted());
    assert!(replayed.iter().all(|&instant| instant < replay.duration()));
}
