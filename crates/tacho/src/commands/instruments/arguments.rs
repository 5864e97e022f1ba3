//! The flags of `tacho profile`, `trace`, `watch`, `exceptions` and `classes`.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};
use std::path::PathBuf;
use std::time::Duration;
use tacho_diagnosis_report::export::Format;
use tacho_jvm_agent::MethodPattern;
use tacho_quantity::flags::{count, count_to, duration, share};
use tacho_run_folder::LedgerKind;

/// What all of them know.
#[derive(Debug, Args)]
pub struct Common {
    /// The JVM (HotSpot of JDK 8 to 25): its PID, or a name (of its jar, its main class or its
    /// working directory)
    #[arg(value_name = "PID|NAME", value_parser = crate::jvms::of)]
    pub pid: u32,
    /// How long to observe; Ctrl-C stops sooner and shows what was seen until then
    #[arg(short, long, value_name = "TIME", default_value = "10s", value_parser = duration)]
    pub duration: Duration,
    /// The application's own packages, such as com.acme [default: those of the main jar]
    #[arg(long, value_name = "PACKAGE", value_delimiter = ',')]
    pub own: Vec<String>,
    /// Also write the result as JSON (- for standard output, which then holds nothing else)
    #[arg(
        long,
        value_name = "FILE",
        env = "TACHO_JSON",
        hide_env_values = true,
        help_heading = "Output"
    )]
    pub json: Option<PathBuf>,
}

/// What the tables of counts know.
#[derive(Debug, Args)]
pub struct Counts {
    #[command(flatten)]
    pub common: Common,
    /// Requests that the service answers in that time, if known: counts are then also given per
    /// request
    #[arg(long, value_name = "N", value_parser = count)]
    pub requests: Option<u64>,
    /// Number of rows
    #[arg(long, value_name = "N", default_value_t = 20, help_heading = "Output")]
    pub top: usize,
    /// Show whole stacks, from the call to the application's own code
    #[arg(long, help_heading = "Output")]
    pub stacks: bool,
}

/// `tacho exceptions`.
#[derive(Debug, Args)]
pub struct Exceptions {
    #[command(flatten)]
    pub counts: Counts,
}

/// Examples of `tacho exceptions`.
pub const EXCEPTIONS_EXAMPLES: &str = "Examples:
  tacho exceptions 4711                                   every exception of ten seconds, by class, message and owner
  tacho exceptions 4711 -d 1m --stacks                    and the application's stacks that led to it
  tacho exceptions 4711 --requests 5000 --json - | jq     while 5,000 requests are sent: how many each of them costs

Every Throwable that is constructed is counted exactly, also those that are caught and ignored.
The owner is the nearest line of the application's own packages. Instruments are removed at the
end, and the removal is checked.
Exit codes: 0 done; 2 wrong usage; 4 the JVM cannot be inspected, and why; 130 interrupted.";

/// `tacho classes`.
#[derive(Debug, Args)]
pub struct ClassLookUps {
    #[command(flatten)]
    pub counts: Counts,
    /// Show only those that were not found
    #[arg(long)]
    pub failed: bool,
    /// Also count resources, such as META-INF/services
    #[arg(long)]
    pub resources: bool,
}

/// Examples of `tacho classes`.
pub const CLASSES_EXAMPLES: &str = "Examples:
  tacho classes 4711                                      every class that is looked for by name, found or not
  tacho classes 4711 --failed --stacks                    absent ones, and who asks for them
  tacho classes 4711 --resources --requests 5000          and resources (service loaders), per request

A warmed-up service should look for none: a look-up that fails searches every jar, and its result
is never cached. Counts are exact; a loader that asks its parent counts once, at the loader that
was asked first.
Exit codes: 0 done; 2 wrong usage; 4 the JVM cannot be inspected, and why; 130 interrupted.";

/// `tacho trace`.
#[derive(Debug, Args)]
pub struct Trace {
    #[command(flatten)]
    pub common: Common,
    /// Methods to start from: com.acme.Shop.render, com.acme.Shop::find*, 'com.acme.*::<init>'
    #[arg(required = true, value_name = "METHOD", value_parser = method)]
    pub methods: Vec<MethodPattern>,
    /// Also in classes that extend or implement the class
    #[arg(long)]
    pub subtypes: bool,
    /// If no loaded class has such a method, wait until one is loaded or the time is over; without
    /// this, the command fails at once and lists the nearest names
    #[arg(long)]
    pub wait: bool,
    /// Show calls one by one as they end, only those that took at least this long
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub slower_than: Option<Duration>,
    /// Show calls one by one, and stop after this many [default: 10 with --slower-than]
    #[arg(short = 'n', long, value_name = "N", value_parser = count_to::<100>)]
    pub calls: Option<u32>,
    /// Levels below the method to trace as well, where the time is spent
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u8).range(0..=10))]
    pub levels: u8,
    /// Do not follow or show calls with a smaller share of the method's time
    #[arg(long, value_name = "SHARE", default_value = "2%", value_parser = share)]
    pub at_least: f64,
    /// Follow calls into the JDK as well
    #[arg(long)]
    pub jdk: bool,
}

/// Examples of `tacho trace`.
pub const TRACE_EXAMPLES: &str = "Examples:
  tacho trace 4711 com.acme.OrderController.list          where its time goes, three levels down
  tacho trace 4711 com.acme.OrderService::find --subtypes --levels 6 -d 30s
  tacho trace 4711 'feign.codec.Decoder::decode' --subtypes --jdk
  tacho trace 4711 com.acme.OrderService::find --slower-than 200ms -n 3   the next three slow calls, each with its tree
  tacho trace 4711 com.acme.Rare.path --wait -d 5m        a class that is loaded when it is first needed

Every call in the method is timed, by line, with exact counts and the exceptions that ended calls;
callees with a large enough share of the time are then traced, level by level. Times are wall time.
With --slower-than or -n the levels are found first, and then calls are shown as they end; each is
then timed, whatever that costs the service. Instruments are removed at the end, and the removal
is checked.
Exit codes: 0 done; 2 wrong usage, or no such method; 4 the JVM cannot be inspected, and why;
130 interrupted.";

/// `tacho watch`.
#[derive(Debug, Args)]
pub struct Watch {
    #[command(flatten)]
    pub common: Common,
    /// The method: com.acme.Shop.render, com.acme.Shop::find*,
    /// 'com.acme.Shop::find(Ljava/lang/String;)*'
    #[arg(value_name = "METHOD", value_parser = method)]
    pub method: MethodPattern,
    /// Also in classes that extend or implement the class
    #[arg(long)]
    pub subtypes: bool,
    /// If no loaded class has such a method, wait until one is loaded or the time is over; without
    /// this, the command fails at once and lists the nearest names
    #[arg(long)]
    pub wait: bool,
    /// Stop after this many calls
    #[arg(short = 'n', long, value_name = "N", default_value_t = 10, value_parser = count_to::<10_000>)]
    pub calls: u32,
    /// Show only calls that took at least this long
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub slower_than: Option<Duration>,
    /// Show only calls that ended with an exception
    #[arg(long, visible_alias = "thrown")]
    pub failed: bool,
    /// How deep to show fields, elements and entries
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u8).range(0..=8))]
    pub depth: u8,
    /// Longest text of one argument or result
    #[arg(long, value_name = "CHARACTERS", default_value_t = 200)]
    pub length: u32,
    /// Call toString of the application's own objects, instead of reading their fields
    #[arg(long)]
    pub to_string: bool,
}

/// Examples of `tacho watch`.
pub const WATCH_EXAMPLES: &str = "Examples:
  tacho watch 4711 com.acme.OrderService.find             the next ten calls: arguments, result or exception, time
  tacho watch 4711 com.acme.OrderService::find --failed -n 3 -d 5m
  tacho watch 4711 com.acme.OrderService::find --slower-than 100ms --depth 2

Arguments are shown as they were when the call began. Fields are read; no method of the
application is called unless --to-string asks for it. Instruments are removed at the end, and the
removal is checked.
Exit codes: 0 done; 2 wrong usage, or no such method; 4 the JVM cannot be inspected, and why;
130 interrupted.";

/// `tacho profile`.
#[derive(Debug, Args)]
pub struct Profile {
    #[command(flatten)]
    pub common: Common,
    /// What to sample, separated by commas
    #[arg(
        short,
        long,
        value_name = "EVENTS",
        value_delimiter = ',',
        default_value = "cpu",
        value_parser = event()
    )]
    pub events: Vec<LedgerKind>,
    /// Time between samples: CPU time of the thread (10ms), or elapsed time if only the wall clock
    /// is sampled (50ms)
    #[arg(short, long, value_name = "TIME", value_parser = interval)]
    pub interval: Option<Duration>,
    /// Requests that the service answers in that time, if known: graphs are then per request
    #[arg(long, value_name = "N", value_parser = count)]
    pub requests: Option<u64>,
    /// Sample with the JVM's own flight recorder, even if async-profiler is installed
    #[arg(long)]
    pub recorder: bool,
    /// Number of rows
    #[arg(long, value_name = "N", default_value_t = 8, help_heading = "Output")]
    pub top: usize,
    /// Folder for the page and the exports [default: profiles/PID-TIME]
    #[arg(short, long, value_name = "DIR", help_heading = "Output")]
    pub out: Option<PathBuf>,
    /// Files to write, separated by commas
    #[arg(
        long,
        value_name = "FORMATS",
        value_delimiter = ',',
        default_value = "html,collapsed,jfr,pprof,speedscope",
        help_heading = "Output"
    )]
    pub formats: Vec<ProfileFormat>,
}

/// What is sampled, by its ledger.
fn event() -> impl TypedValueParser<Value = LedgerKind> {
    let events = [
        PossibleValue::new("cpu").help("Processor time"),
        PossibleValue::new("wall").help("Time of all threads, whether they run or wait"),
        PossibleValue::new("alloc").help("Memory that is allocated"),
        PossibleValue::new("lock").help("Waiting for locks"),
    ];
    PossibleValuesParser::new(events).map(|name| match name.as_str() {
        "wall" => LedgerKind::Wall,
        "alloc" => LedgerKind::Allocation,
        "lock" => LedgerKind::LockWaits,
        _ => LedgerKind::Processor,
    })
}

/// A file of a profile.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ProfileFormat {
    /// A page with flame graphs that opens offline
    Html,
    /// Collapsed stacks, for flamegraph.pl
    Collapsed,
    /// The recording, for JDK Mission Control
    Jfr,
    /// For `go tool pprof`
    Pprof,
    /// For speedscope.app
    Speedscope,
}

impl ProfileFormat {
    /// Of those that are made of a ledger.
    pub fn export(self) -> Option<Format> {
        match self {
            Self::Collapsed => Some(Format::Collapsed),
            Self::Pprof => Some(Format::Pprof),
            Self::Speedscope => Some(Format::Speedscope),
            Self::Html | Self::Jfr => None,
        }
    }
}

/// Examples of `tacho profile`.
pub const PROFILE_EXAMPLES: &str = "Examples:
  tacho profile 4711                                      ten seconds of processor time, by line and method; a page, exports
  tacho profile 4711 -d 1m -e cpu,alloc,lock              and where memory is allocated, and who waits for locks
  tacho profile 4711 -e wall --own com.acme               where threads spend time, running or waiting
  tacho profile 4711 --formats pprof -o out && go tool pprof -http : out/processor.pb.gz

async-profiler samples where it is installed (`tacho profiler install`), by perf events where the
kernel allows them and by timers otherwise; if it is not installed, or the JVM refuses agents, the
JVM's own flight recorder samples. Either stops by itself when Tacho is killed.
Exit codes: 0 done; 2 wrong usage; 4 the JVM cannot be inspected, and why; 130 interrupted.";

/// A sampler that asks more often sees itself.
fn interval(text: &str) -> Result<Duration, String> {
    let interval = duration(text)?;
    match interval >= Duration::from_micros(100) && interval <= Duration::from_secs(10) {
        true => Ok(interval),
        false => Err("expected a time from 0.1ms to 10s, such as 5ms".to_owned()),
    }
}

/// `com.acme.Shop.render`, or with `::` or `#` before the method; perhaps with a descriptor.
fn method(text: &str) -> Result<MethodPattern, String> {
    let (head, descriptor) = text.split_at(text.find('(').unwrap_or(text.len()));
    let parts = head
        .rsplit_once("::")
        .or_else(|| head.rsplit_once('#'))
        .or_else(|| head.rsplit_once('.'));
    match parts {
        Some((class, method)) if !class.is_empty() && !method.is_empty() => {
            let method = format!("{method}{descriptor}");
            Ok(MethodPattern::of(class, &[&method]))
        }
        _ => Err("expected a class with its package and a method, such as com.acme.Shop.render or com.acme.Shop::find*".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_method_is_named_as_java_and_as_others_do() {
        let named = |text: &str| {
            let pattern = method(text).unwrap();
            (pattern.class, pattern.methods.concat())
        };
        let shop = || ("com.acme.Shop".to_owned(), "find*".to_owned());
        assert_eq!(named("com.acme.Shop.find*"), shop());
        assert_eq!(named("com.acme.Shop::find*"), shop());
        assert_eq!(named("com.acme.Shop#find*"), shop());
        assert_eq!(
            named("com.acme.*::<init>"),
            ("com.acme.*".to_owned(), "<init>".to_owned())
        );
        let one = named("com.acme.Shop.find(Ljava/lang/String;)V");
        assert_eq!(
            one,
            (
                "com.acme.Shop".to_owned(),
                "find(Ljava/lang/String;)V".to_owned()
            )
        );
        assert!(method("render").is_err() && method("a.").is_err() && method("").is_err());
    }
}
