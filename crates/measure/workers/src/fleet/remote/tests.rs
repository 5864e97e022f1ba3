use super::*;
use crate::delegate::message::Told;
use std::sync::mpsc::Receiver;
use tacho_run_folder::PhasePlan;

/// A delegate by script, with the messages that it got.
struct Scripted {
    from: BufReader<UnixStream>,
    to: UnixStream,
}

impl Scripted {
    fn next(&mut self) -> Option<Wish> {
        message::read(&mut self.from).unwrap()
    }

    fn tell(&mut self, told: &Told) {
        message::write(told, &mut self.to).unwrap();
    }

    /// Answers questions for the time with a clock that is so far ahead, until an order comes.
    fn order(&mut self, ahead_ns: u64) -> Option<Order> {
        loop {
            match self.next()? {
                Wish::Time => self.tell(&Told::Time {
                    monotonic_ns: monotonic_ns() + ahead_ns,
                }),
                Wish::Order(order) => return Some(order),
                other => panic!("{other:?}"),
            }
        }
    }
}

/// Joins such a delegate; what it does then is told by `script`.
fn joined(
    given: &Given,
    folder: &Path,
    script: impl FnOnce(Scripted) + Send + 'static,
) -> (Result<Member, FleetError>, Receiver<(usize, Heard)>) {
    let (ours, theirs) = UnixStream::pair().unwrap();
    std::thread::spawn(move || {
        script(Scripted {
            from: BufReader::new(theirs.try_clone().unwrap()),
            to: theirs,
        });
    });
    let (to_fleet, heard) = channel();
    let way = Way::over(ours, ()).unwrap();
    let why: Why = Box::new(|| Some("its pod was evicted".to_owned()));
    (join(1, way, folder, given, why, &to_fleet), heard)
}

fn begun(delegate: &mut Scripted) {
    assert!(matches!(delegate.next(), Some(Wish::Begin { .. })));
    delegate.tell(&Told::Begun {
        clock: "another machine".to_owned(),
    });
}

const AHEAD_NS: u64 = 3_000_000_000;

#[test]
fn a_clock_that_is_three_seconds_ahead_makes_no_difference() {
    let folder = tempfile::tempdir().unwrap();
    let (to_test, orders) = channel();
    let (member, heard) = joined(&Given::default(), folder.path(), move |mut delegate| {
        begun(&mut delegate);
        to_test.send(delegate.order(AHEAD_NS).unwrap()).unwrap();
        to_test.send(delegate.order(AHEAD_NS).unwrap()).unwrap();
        delegate.tell(&Told::Report(Report::Second(crate::LiveSecond {
            began_ns: 5 * AHEAD_NS,
            ended_ns: 6 * AHEAD_NS,
            failed: 0,
            errors: Vec::new(),
            response: String::new(),
            bins: Vec::new(),
        })));
        while !matches!(delegate.next(), None | Some(Wish::Over)) {}
    });
    let (mut link, _) = member.unwrap().into_parts();
    link.send(&Order::Begin {
        version: 1,
        monotonic_ns: 1_000_000_000,
        realtime_ns: 9,
    })
    .unwrap();
    let within_ns = link.clock_within_ns();
    assert!(within_ns > 0);
    let Order::Begin { monotonic_ns, .. } = orders.recv().unwrap() else {
        panic!("another order");
    };
    let apart_ns = monotonic_ns - 1_000_000_000;
    assert!(apart_ns.abs_diff(AHEAD_NS) <= within_ns + 1, "{apart_ns}");
    link.send(&Order::Start { at_ns: 7 }).unwrap();
    assert_eq!(
        orders.recv().unwrap(),
        Order::Start {
            at_ns: 7 + apart_ns
        }
    );
    let (0, Heard::Report(Report::Second(second))) = heard.recv().unwrap() else {
        panic!("another report");
    };
    assert_eq!(second.began_ns, 5 * AHEAD_NS - apart_ns);
}

#[test]
fn files_go_there_and_come_back() {
    let folder = tempfile::tempdir().unwrap();
    let feed = folder.path().join("users.csv");
    std::fs::write(&feed, "name\nann\n").unwrap();
    let given = Given {
        arguments: vec!["--rate=1".to_owned()],
        files: vec![("feed-0/users.csv".to_owned(), feed)],
    };
    let (member, heard) = joined(&given, folder.path(), |mut delegate| {
        let Some(Wish::Begin {
            arguments, files, ..
        }) = delegate.next()
        else {
            panic!("another wish");
        };
        assert_eq!(arguments, ["--rate=1"]);
        let mut content = vec![0; files[0].bytes as usize];
        delegate.from.read_exact(&mut content).unwrap();
        assert_eq!(content, b"name\nann\n");
        delegate.tell(&Told::Begun {
            clock: clock::identity(),
        });
        for piece in [&b"one\n"[..], b"two\n"] {
            delegate.tell(&Told::Piece {
                of: RecordFile::Slowest,
                bytes: piece.len() as u64,
            });
            delegate.to.write_all(piece).unwrap();
        }
        delegate.tell(&Told::Ended {
            how: "it ended (exit status: 0)".to_owned(),
        });
    });
    let (mut link, files) = member.unwrap().into_parts();
    assert!(matches!(heard.recv().unwrap(), (0, Heard::Nothing)));
    assert_eq!(link.ended(), "it ended (exit status: 0)");
    assert_eq!(std::fs::read(files.slowest).unwrap(), b"one\ntwo\n");
    assert_eq!(link.clock_within_ns(), 0);
}

#[test]
fn who_goes_without_a_word_is_explained_by_whoever_knows() {
    let folder = tempfile::tempdir().unwrap();
    let (member, heard) = joined(&Given::default(), folder.path(), |mut delegate| {
        begun(&mut delegate);
    });
    let (mut link, _) = member.unwrap().into_parts();
    assert!(matches!(heard.recv().unwrap(), (0, Heard::Nothing)));
    assert_eq!(link.ended(), "its pod was evicted");
}

#[test]
fn who_does_not_say_what_its_clock_shows_is_left_out_with_that_reason() {
    let folder = tempfile::tempdir().unwrap();
    let (member, heard) = joined(&Given::default(), folder.path(), |mut delegate| {
        begun(&mut delegate);
        while !matches!(delegate.next(), None | Some(Wish::Over)) {}
    });
    let (mut link, _) = member.unwrap().into_parts();
    let begin = Order::Begin {
        version: 1,
        monotonic_ns: 1_000_000_000,
        realtime_ns: 9,
    };
    let refused = link.send(&begin).unwrap_err();
    assert_eq!(refused.kind(), io::ErrorKind::TimedOut);
    assert!(matches!(heard.recv().unwrap(), (0, Heard::Nothing)));
    assert_eq!(link.ended(), refused.to_string());
}

#[test]
fn who_said_it_once_and_then_is_slow_stays() {
    let folder = tempfile::tempdir().unwrap();
    let (to_test, orders) = channel();
    let (member, _heard) = joined(&Given::default(), folder.path(), move |mut delegate| {
        begun(&mut delegate);
        to_test.send(delegate.order(AHEAD_NS).unwrap()).unwrap();
        // Questions come again, and none is answered.
        loop {
            match delegate.next() {
                Some(Wish::Order(order)) => to_test.send(order).unwrap(),
                Some(Wish::Over) | None => break,
                Some(_) => {}
            }
        }
    });
    let (mut link, _) = member.unwrap().into_parts();
    let begin = Order::Begin {
        version: 1,
        monotonic_ns: 1_000_000_000,
        realtime_ns: 9,
    };
    link.send(&begin).unwrap();
    link.send(&begin).unwrap();
    assert_eq!(orders.recv().unwrap(), orders.recv().unwrap());
}

#[test]
fn who_never_answers_may_be_tried_again_and_who_refuses_may_not() {
    let folder = tempfile::tempdir().unwrap();
    let (member, _) = joined(&Given::default(), folder.path(), drop);
    assert!(matches!(member, Err(FleetError::Start { worker: 1, .. })));
    let (member, _) = joined(&Given::default(), folder.path(), |mut delegate| {
        delegate.next();
        delegate.tell(&Told::Refused {
            message: "use the same Tacho for both".to_owned(),
        });
    });
    let Err(FleetError::NotReady { message, .. }) = member else {
        panic!("{member:?}");
    };
    assert_eq!(message, "use the same Tacho for both");
}

#[test]
fn a_recorded_schedule_has_the_path_that_it_has_there() {
    let phase = |file: &str| PhasePlan {
        label: "replay".to_owned(),
        kind: PhaseKind::Scheduled {
            schedule: ScheduleSpec::Replay {
                file: file.to_owned(),
                speed: 1.0,
                column: None,
                unit: None,
            },
            connections: 4,
        },
    };
    let run = |file: &str| Order::Run {
        index: 0,
        phase: phase(file),
        nth: 0,
        of: 2,
    };
    let names = BTreeMap::from([("/here/a.csv".to_owned(), "replay-0/a.csv".to_owned())]);
    let mut order = run("/here/a.csv");
    rename(&mut order, &names);
    assert_eq!(order, run("replay-0/a.csv"));
}
