//! What requests spend, event by event, for the ledgers.

use crate::event::Event;
use crate::first_samples::FirstSamples;
use crate::names;
use crate::reader::{JfrError, Lines, Reading, read_lines};
use tacho_run_folder::LedgerKind;

/// Settings of a recording of everything but processor time, each event with its reason.
pub const EVENTS: &str = include_str!("../../../../jvm/jfr-reader/diagnose.jfc");
/// Settings of a recording of processor time.
pub const PROCESSOR: &str = include_str!("../../../../jvm/jfr-reader/processor.jfc");

/// Frames that are kept: the owner is often far below what frameworks put on top.
const FRAMES: u32 = 256;

/// Something that happened once, or a sample.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WorkEvent {
    /// Which ledger it belongs to.
    pub kind: LedgerKind,
    /// Distinguishes it from others at the same place; see [`LedgerKind`].
    pub key: String,
    /// `package.Class.method:line`, innermost first.
    pub frames: Vec<String>,
    /// Nanoseconds or bytes; `None` for a sample whose weight the sampler's period gives.
    pub cost: Option<u64>,
    /// How many samples were alike and written as one event.
    pub samples: u64,
    /// Name of the thread; absent where the event has none.
    pub thread: Option<String>,
}

/// What a thread has allocated since its last sample.
const SAMPLED: &str = "jdk.ObjectAllocationSample";

type Read = fn(&Event) -> Option<WorkEvent>;

/// The kinds that are understood, those of both settings.
const KINDS: &[(&str, Read)] = &[
    (SAMPLED, |e| {
        let class = names::class(e.text("objectClass")?);
        Some(work(e, LedgerKind::Allocation, class, e.number("weight")?))
    }),
    ("jdk.OldObjectSample", |e| {
        let class = names::class(e.text("object.type")?);
        Some(work(e, LedgerKind::Survivors, class, 0))
    }),
    ("jdk.JavaMonitorEnter", |e| {
        let class = e.text("monitorClass").map(names::class);
        wait(e, LedgerKind::LockWaits, class.unwrap_or_default())
    }),
    ("jdk.ThreadPark", |e| {
        let class = e.text("parkedClass").map(names::class);
        wait(e, LedgerKind::Parks, class.unwrap_or_default())
    }),
    ("jdk.ThreadSleep", |e| {
        wait(e, LedgerKind::Sleeps, String::new())
    }),
    ("jdk.SocketRead", socket),
    ("jdk.ThreadStart", |e| {
        // Pools number their threads. Without numbers, they do not each get a row.
        let name = unnumbered(e.text("thread").unwrap_or_default());
        Some(work(e, LedgerKind::ThreadStarts, name, 0))
    }),
    ("jdk.TLSHandshake", |e| {
        let peer = e.text("peerHost").unwrap_or("?");
        let key = format!("{peer}:{}", e.number("peerPort")?);
        Some(work(e, LedgerKind::TlsHandshakes, key, 0))
    }),
    ("jdk.VirtualThreadPinned", |e| {
        wait(e, LedgerKind::Pinned, String::new())
    }),
    ("jdk.FileRead", file),
    ("jdk.FileWrite", file),
    ("jdk.FileForce", file),
    ("jdk.JavaExceptionThrow", |e| {
        let class = names::class(e.text("thrownClass")?);
        let key = match e.text("message") {
            Some(message) => format!("{class}: {message}"),
            None => class,
        };
        Some(work(e, LedgerKind::Exceptions, key, 0))
    }),
    ("jdk.ClassDefine", |e| {
        // Generated classes have numbers. Without numbers, they do not each get a row.
        let class = tacho_diagnosis::aligned_class(&names::class(e.text("definedClass")?));
        Some(work(e, LedgerKind::ClassDefinitions, class, 0))
    }),
    ("jdk.Deoptimization", |e| {
        let reason = e.text("reason")?;
        let key = match e.text("action") {
            Some(action) => format!("{reason}: {action}"),
            None => reason.to_owned(),
        };
        Some(work(e, LedgerKind::Deoptimisations, key, 0))
    }),
    ("jdk.Compilation", compilation),
    ("jdk.GarbageCollection", |e| {
        let (name, pauses) = (e.text("name")?.to_owned(), e.number("sumOfPauses")?);
        Some(work(e, LedgerKind::Collections, name, pauses))
    }),
    ("jdk.CPUTimeSample", |e| {
        let period = e.number("samplingPeriod")?;
        Some(work(e, LedgerKind::Processor, String::new(), period))
    }),
    // async-profiler uses this name for its samples of processor time, too.
    ("jdk.ExecutionSample", |e| {
        Some(sample(e, LedgerKind::Processor))
    }),
];

/// Further events that async-profiler writes. Of these, a profile asks the JVM's own recorder only
/// for `jdk.ObjectAllocationInNewTLAB` and `jdk.ObjectAllocationOutsideTLAB`, and only before JDK
/// 16.
const OF_PROFILER: &[(&str, Read)] = &[
    // Samples of allocation, each with the bytes that it stands for.
    ("jdk.ObjectAllocationInNewTLAB", |e| {
        allocated(e, "tlabSize")
    }),
    ("jdk.ObjectAllocationOutsideTLAB", |e| {
        allocated(e, "allocationSize")
    }),
    // If a thread stands still, one event stands for many samples.
    ("profiler.WallClockSample", |e| {
        Some(WorkEvent {
            samples: e.number("samples").unwrap_or(1),
            ..sample(e, LedgerKind::Wall)
        })
    }),
];

fn kinds() -> impl Iterator<Item = &'static (&'static str, Read)> {
    KINDS.iter().chain(OF_PROFILER)
}

fn allocated(e: &Event, size: &str) -> Option<WorkEvent> {
    let class = names::class(e.text("objectClass")?);
    Some(work(e, LedgerKind::Allocation, class, e.number(size)?))
}

fn work(e: &Event, kind: LedgerKind, key: String, cost: u64) -> WorkEvent {
    WorkEvent {
        kind,
        key,
        frames: e.frames(),
        cost: Some(cost),
        samples: 1,
        thread: e.text("eventThread").map(str::to_owned),
    }
}

fn wait(e: &Event, kind: LedgerKind, key: String) -> Option<WorkEvent> {
    Some(work(e, kind, key, e.number("duration")?))
}

/// A sample of another thread. Its weight comes from the sampler's period.
fn sample(e: &Event, kind: LedgerKind) -> WorkEvent {
    WorkEvent {
        cost: None,
        thread: e.text("sampledThread").map(str::to_owned),
        ..work(e, kind, String::new(), 0)
    }
}

/// `pool-N-thread-N` of `pool-7-thread-12`.
fn unnumbered(name: &str) -> String {
    let mut text = String::with_capacity(name.len());
    for letter in name.chars() {
        match letter.is_ascii_digit() {
            false => text.push(letter),
            true if text.ends_with('N') => {}
            true => text.push('N'),
        }
    }
    text
}

fn socket(e: &Event) -> Option<WorkEvent> {
    let host = e.text("host").filter(|host| !host.is_empty());
    let host = host.or_else(|| e.text("address")).unwrap_or("?");
    let key = format!("{host}:{}", e.number("port")?);
    wait(e, LedgerKind::SocketWaits, key)
}

fn file(e: &Event) -> Option<WorkEvent> {
    let path = e.text("path").unwrap_or("?").to_owned();
    wait(e, LedgerKind::FileWaits, path)
}

/// A compiler thread has no Java stack, so the method that it compiles is used.
fn compilation(e: &Event) -> Option<WorkEvent> {
    let compiler = e.text("compiler").unwrap_or("?").to_uppercase();
    let key = match e.flag("isOsr") {
        true => format!("{compiler}, in a loop"),
        false => compiler,
    };
    Some(WorkEvent {
        frames: vec![names::frame(e.text("method")?)],
        ..wait(e, LedgerKind::Compilations, key)?
    })
}

/// Gives every event of a recording that a request may spend something in to `take`. Returns how
/// many lines were not understood.
///
/// # Errors
/// When there is no recording, or nobody who can read it.
pub fn read_work(reading: &Reading<'_>, take: &mut dyn FnMut(WorkEvent)) -> Result<u64, JfrError> {
    let mut unread = 0;
    let mut first_samples = FirstSamples::default();
    let kinds: Vec<&str> = kinds().map(|(name, _)| *name).collect();
    read_lines(
        reading,
        &Lines {
            kinds: &kinds,
            frames: FRAMES,
        },
        &mut |line| match parse(line) {
            Some((_, event)) if is_second_telling(&event) || is_recorder_at_work(&event) => {}
            Some((SAMPLED, event)) => first_samples.pass(event).into_iter().for_each(&mut *take),
            Some((_, event)) => take(event),
            None => unread += 1,
        },
    )?;
    first_samples.finish().into_iter().for_each(take);
    Ok(unread)
}

/// Constructors of both `Throwable` and `Error` are recorded, so each error occurs twice.
fn is_second_telling(event: &WorkEvent) -> bool {
    let told_by = event.frames.first().map(String::as_str);
    event.kind == LedgerKind::Exceptions
        && told_by.is_some_and(|frame| frame.starts_with("java.lang.Error.<init>"))
}

/// Work of the recorder itself: its commands, and the thread that requests periodic events.
/// (`JFR.stop` first tries to read a name as a number, which throws.)
fn is_recorder_at_work(event: &WorkEvent) -> bool {
    const OWN: [&str; 2] = [
        "jdk.jfr.internal.dcmd.",
        "jdk.jfr.internal.PlatformRecorder.",
    ];
    let mut frames = event.frames.iter();
    frames.any(|frame| OWN.iter().any(|own| frame.starts_with(own)))
}

/// Parses a line of the reader; `None` when it is none, or lacks what its kind has.
#[must_use]
pub fn parse_work(line: &str) -> Option<WorkEvent> {
    parse(line).map(|(_, event)| event)
}

fn parse(line: &str) -> Option<(&'static str, WorkEvent)> {
    let event = Event::parse(line)?;
    let (name, read) = kinds().find(|(name, _)| *name == event.kind)?;
    Some((*name, read(&event)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_of_a_pool_have_one_name() {
        assert_eq!(unnumbered("pool-7-thread-12"), "pool-N-thread-N");
        assert_eq!(unnumbered("main"), "main");
    }

    #[test]
    fn every_event_that_is_recorded_is_read_and_the_other_way_round() {
        let recorded: Vec<&str> = [EVENTS, PROCESSOR]
            .iter()
            .flat_map(|settings| settings.split("<event name=\"").skip(1))
            .map(|rest| rest.split('"').next().unwrap())
            .collect();
        let read: Vec<&str> = KINDS.iter().map(|(name, _)| *name).collect();
        assert_eq!(recorded, read);
    }

    #[test]
    fn each_error_is_told_once_and_the_recorder_does_not_tell_of_itself() {
        let is_left_out = |frames: &str| {
            let line = format!(
                r#"{{"event":"jdk.JavaExceptionThrow","fields":{{"startTime":1,"eventThread":"x","message":"no","thrownClass":"java.lang.AssertionError","stackTrace":[{frames}]}}}}"#
            );
            let event = parse_work(&line).unwrap();
            is_second_telling(&event) || is_recorder_at_work(&event)
        };
        assert!(!is_left_out(
            r#""java.lang.Throwable.<init>:286","java.lang.Error.<init>:72","shop.A.b:7""#
        ));
        assert!(is_left_out(
            r#""java.lang.Error.<init>:74","java.lang.AssertionError.<init>:9","shop.A.b:7""#
        ));
        assert!(is_left_out(
            r#""java.lang.Throwable.<init>:286","jdk.jfr.internal.dcmd.AbstractDCmd.findRecording:156""#
        ));
        assert!(is_left_out(
            r#""java.lang.Throwable.<init>:286","jdk.jfr.internal.PlatformRecorder.periodicTask:502""#
        ));
        assert!(!is_left_out(""));
    }

    #[test]
    fn events_carry_their_key_cost_and_owner() {
        let line = r#"{"event":"jdk.JavaExceptionThrow","fields":{"startTime":1,"eventThread":"http-1","message":"no","thrownClass":"java.lang.IllegalStateException","stackTrace":["java.lang.Throwable.<init>:1","shop.A.b:7"]}}"#;
        let event = parse_work(line).unwrap();
        assert_eq!(event.key, "java.lang.IllegalStateException: no");
        assert_eq!(event.frames[1], "shop.A.b:7");
        assert_eq!(event.thread.as_deref(), Some("http-1"));
        let line = r#"{"event":"jdk.SocketRead","fields":{"startTime":1,"duration":900,"eventThread":"x","host":"","address":"127.0.0.1","port":8080,"stackTrace":null}}"#;
        let event = parse_work(line).unwrap();
        assert_eq!(
            (event.key.as_str(), event.cost),
            ("127.0.0.1:8080", Some(900))
        );
        let line = r#"{"event":"jdk.ExecutionSample","fields":{"startTime":1,"sampledThread":"w-1","stackTrace":[]}}"#;
        assert_eq!(parse_work(line).unwrap().cost, None);
        let line = r#"{"event":"profiler.WallClockSample","fields":{"startTime":1,"sampledThread":"w-1","stackTrace":["a.A.b:1"],"state":"STATE_SLEEPING","samples":40}}"#;
        let event = parse_work(line).unwrap();
        assert_eq!(
            (event.kind, event.samples, event.cost),
            (LedgerKind::Wall, 40, None)
        );
        let line = r#"{"event":"jdk.ObjectAllocationInNewTLAB","fields":{"startTime":1,"eventThread":"w-1","stackTrace":["a.A.b:1"],"objectClass":"[B","allocationSize":24,"tlabSize":524288}}"#;
        let event = parse_work(line).unwrap();
        assert_eq!((event.key.as_str(), event.cost), ("byte[]", Some(524_288)));
        let line = r#"{"event":"jdk.Deoptimization","fields":{"startTime":1,"eventThread":"w-1","stackTrace":["a.A.b:7"],"method":"a.A.b","lineNumber":7,"reason":"range_check","action":"none"}}"#;
        assert_eq!(parse_work(line).unwrap().key, "range_check: none");
        let compiled = |is_osr: bool| {
            let line = format!(
                r#"{{"event":"jdk.Compilation","fields":{{"startTime":1,"duration":700,"eventThread":"C2 CompilerThread0","compiler":"c2","method":"a.Rule.0x00007f0123abcdef.price","compileLevel":4,"isOsr":{is_osr}}}}}"#
            );
            parse_work(&line).unwrap()
        };
        let event = compiled(false);
        assert_eq!((event.key.as_str(), event.cost), ("C2", Some(700)));
        assert_eq!(event.frames, ["a.Rule.price"]);
        assert_eq!(compiled(true).key, "C2, in a loop");
        assert_eq!(parse_work("{}"), None);
        assert_eq!(parse_work(r#"{"end":{"events":1}}"#), None);
    }
}
