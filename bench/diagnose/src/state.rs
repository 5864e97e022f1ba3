//! Who traces what.

use crate::BenchError;
use crate::arthas::Console;
use crate::subject::{Loaded, Running, Subject};
use tacho_jvm_agent::{Agent, MethodPattern};

const CLASS: &str = "com.acme.Shop";
const HOT: &str = "total";
/// What `tacho trace` looks into by itself, since all of it takes more than 2 % of the hot method's
/// time.
const DEEPER: [&str; 4] = ["price", "discount", "postage", "computed"];

/// What is done to a launch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum State {
    /// The service alone, without a tracer.
    Untraced,
    /// Tacho times the hot method and the calls in it: what Arthas sees.
    Tacho,
    /// Tacho also times what those call, down to the leaf: what `tacho trace` does by itself.
    TachoDeep,
    /// Arthas with a cost filter that no call passes: times each, prints none.
    ArthasFiltered,
    /// Arthas prints every call.
    ArthasPrinting,
}

/// What was seen of a launch.
#[derive(Debug, Clone, Copy)]
pub struct Seen {
    pub calls_per_s: f64,
    pub cpu_us: f64,
    /// Of the calls, those that the tracer shows; none where it shows none.
    pub shown: Option<f64>,
}

/// A tracer that is in.
enum Tracing {
    Nobody,
    Tacho(Box<Agent>),
    Arthas { console: Console, prints: bool },
}

impl State {
    pub const ALL: [Self; 5] = [
        Self::Untraced,
        Self::Tacho,
        Self::TachoDeep,
        Self::ArthasFiltered,
        Self::ArthasPrinting,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Self::Untraced => "untraced",
            Self::Tacho => "tacho, one level",
            Self::TachoDeep => "tacho, all levels",
            Self::ArthasFiltered => "arthas, filtered",
            Self::ArthasPrinting => "arthas, printing",
        }
    }

    /// What stands for it in the report.
    pub fn what(self) -> &'static str {
        match self {
            Self::Untraced => "untraced",
            Self::Tacho => "Tacho: the hot method and its calls",
            Self::TachoDeep => "Tacho: also what those call, as `tacho trace` does by itself",
            Self::ArthasFiltered => {
                "Arthas: the hot method and its calls, with `'#cost > 1000000'`, so that nothing is printed"
            }
            Self::ArthasPrinting => "Arthas: the same, each call printed and read",
        }
    }

    /// A JVM of its own: warmed, traced, loaded a while, measured.
    pub fn measure(self, subject: &Subject<'_>) -> Result<Seen, BenchError> {
        let arguments = subject.arguments;
        let mut running = subject.launch()?;
        running.load(arguments.warm_up)?;
        let mut tracing = self.begin(subject, &running)?;
        running.load(arguments.settle)?;
        let before = tracing.reset()?;
        let loaded = running.load(arguments.measured)?;
        let shown = tracing.shown(before, loaded)?;
        tracing.end()?;
        Ok(Seen {
            calls_per_s: loaded.calls_per_s,
            cpu_us: loaded.cpu_us,
            shown,
        })
    }

    fn begin(self, subject: &Subject<'_>, running: &Running<'_>) -> Result<Tracing, BenchError> {
        let arthas = |condition: &str, prints| {
            let command = format!("trace {CLASS} {HOT} {condition} -n {}", i32::MAX);
            let console = Console::trace(subject, running, &command)?;
            Ok(Tracing::Arthas { console, prints })
        };
        match self {
            Self::Untraced => Ok(Tracing::Nobody),
            Self::Tacho | Self::TachoDeep => {
                let mut agent = Agent::attach(running.pid(), subject.folder.path())?;
                let inner = match self {
                    Self::TachoDeep => vec![MethodPattern::of(CLASS, &DEEPER)],
                    _ => Vec::new(),
                };
                agent.trace(&[MethodPattern::of(CLASS, &[HOT])], &inner)?;
                Ok(Tracing::Tacho(Box::new(agent)))
            }
            Self::ArthasFiltered => arthas("'#cost > 1000000'", false),
            Self::ArthasPrinting => arthas("", true),
        }
    }
}

impl Tracing {
    /// Counts from now on; what has been shown already.
    fn reset(&mut self) -> Result<u64, BenchError> {
        match self {
            Self::Nobody => Ok(0),
            Self::Tacho(agent) => agent.reset().map(|()| 0).map_err(BenchError::from),
            Self::Arthas { console, .. } => Ok(console.printed()),
        }
    }

    /// The share of the calls that is shown, and the proof that it traced at all.
    fn shown(&mut self, before: u64, loaded: Loaded) -> Result<Option<f64>, BenchError> {
        match self {
            Self::Nobody => Ok(None),
            Self::Tacho(agent) => {
                let snapshot = agent.snapshot()?;
                let root = snapshot
                    .traced
                    .iter()
                    .find(|method| method.parent.is_none());
                let counted = root.map_or(0, |root| root.count);
                let inside = root.map_or(0, |root| {
                    root.callees.iter().map(|callee| callee.count).sum()
                });
                if (counted, inside) == (loaded.calls, 6 * loaded.calls) {
                    return Ok(Some(1.0));
                }
                Err(BenchError::NoProof(format!(
                    "{} calls, of which Tacho counted {counted}, with {inside} calls inside",
                    loaded.calls
                )))
            }
            Self::Arthas {
                console,
                prints: true,
            } => {
                let printed = console.printed() - before;
                match printed {
                    0 => Err(BenchError::NoProof("Arthas printed nothing".to_owned())),
                    _ => Ok(Some(printed as f64 / loaded.calls.max(1) as f64)),
                }
            }
            // That it has instrumented the method it has said.
            Self::Arthas { prints: false, .. } => Ok(None),
        }
    }

    fn end(self) -> Result<(), BenchError> {
        match self {
            Self::Tacho(agent) => {
                let removed = agent.end()?;
                match removed.is_clean() {
                    true => Ok(()),
                    false => Err(BenchError::NoProof(format!(
                        "Tacho left something behind: {removed:?}"
                    ))),
                }
            }
            Self::Nobody | Self::Arthas { .. } => Ok(()),
        }
    }
}
