//! Findings: owners that cost more, each with its reason, ranked by what they explain.

use crate::collecting::{COLLECTOR, COMPILER, threads_ms};
use crate::comparison::{Comparison, Item, Pair, Suspect, WAITS, is_time};
use crate::frame::{Frame, aligned_class, of_member, of_shown, shown};
use crate::pattern::oversize_allocation::least_ms;
use crate::pattern::{Match, PATTERNS, Pattern, Rank};
use crate::spent_below::{SpentBelow, spent_below};
use crate::support::{Said, Support};
use crate::symptom::causes_first;
use crate::turn::waiting_for_a_turn;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use tacho_run_folder::{BuildChanges, Dissection, NotObserved};

/// An owner that explains less of the difference than this is not told.
pub const LEAST_SHARE: f64 = 0.05;
/// A rule that accounts for less than this share of its owner's difference is not its reason.
const LEAST_OF_OWNER: f64 = 0.2;
/// Of two rules that account for as much, within this share, the special one is told.
const AS_MUCH: f64 = 0.85;

/// What was found.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
pub struct Findings {
    /// Whether there was a build to compare with.
    pub compared: bool,
    /// Processor time of the whole process for a request, without instruments, in milliseconds.
    pub processor_ms: Pair,
    /// Waiting in the application's own code for a request, in milliseconds.
    pub waits_ms: Pair,
    /// Mean service time without instruments, in milliseconds.
    pub service_ms: Pair,
    /// Processor time of collecting garbage for a request, in milliseconds, where it was seen.
    pub collector_ms: Pair,
    /// Processor time of compiling for a request, in milliseconds, where it was seen. Its
    /// difference is no part of what is to be explained, since compiling ends, but for
    /// `recompiling_ms`.
    pub compiler_ms: Pair,
    /// The part of `compiler_ms` of the candidate, in milliseconds per request, that goes to code
    /// which is thrown away and compiled again and again, and so does not end. Absent where there
    /// is none.
    #[serde(default, skip_serializing_if = "is_nothing")]
    pub recompiling_ms: f64,
    /// The most important first.
    pub findings: Vec<Finding>,
    /// The part of the difference that no finding explains.
    pub unexplained: Unexplained,
    /// What could not be observed in one of the builds.
    pub missing: Vec<NotObserved>,
    /// Rules that could not look, because what they need was not observed in every build.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub not_looked: Vec<NotLooked>,
}

/// A rule that could not look: that it did not fire says nothing.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct NotLooked {
    /// Id of the rule.
    pub pattern: String,
    /// What it looks for, for people.
    pub name: String,
    /// What it needs, and the build in which that was not observed.
    pub why: String,
}

/// What no finding explains.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
pub struct Unexplained {
    /// Time per request, in milliseconds.
    pub ms: f64,
    /// Share of the difference, 0 to 1; of the whole where there is no baseline.
    pub share: f64,
}

/// One cause of a cost.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Finding {
    /// The rule that fired.
    pub pattern: String,
    /// What it is and where, in one sentence.
    pub sentence: String,
    /// Method that the cost is attributed to, as `package.Class.method`.
    pub owner: String,
    /// The owner's line in the candidate.
    pub line: Option<u32>,
    /// It is the application's code, not a library's.
    pub is_own: bool,
    /// Processor time and waiting of the owner for a request, in milliseconds, with its part of
    /// collecting garbage, and of compiling what is thrown away again and again.
    pub time_ms: Pair,
    /// Whether `time_ms` is processor time, waiting, or both. (Traces are wall-clock time; findings
    /// are not.)
    #[serde(default)]
    pub clock: Clock,
    /// Of the difference between the builds, 0 to 1; of the whole where there is no baseline.
    pub explains: f64,
    /// Standard error of that share.
    pub explains_error: f64,
    /// Instruments that support the claim. One alone explains two thirds of a difference at most.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub supported_by: Vec<Support>,
    /// Instruments that looked and did not see it. The finding then explains at most a third of the
    /// difference.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub contradicted_by: Vec<Support>,
    /// How often what, for a request.
    pub counts: Vec<Count>,
    /// What to do.
    pub fix: String,
    /// The method below the owner in which most of its processor time goes; absent where none
    /// holds half of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub spent_below: Option<SpentBelow>,
    /// The costliest stack in the candidate, innermost first.
    pub stack: Vec<String>,
    /// Other rules that fired for the same owner: their costs are parts of the same time.
    pub also: Vec<Also>,
    /// What of it differs between the builds by their files; absent where they were not compared.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub differs: Option<Differs>,
}

/// What a time consists of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Clock {
    /// Time in which a processor worked on it.
    Processor,
    /// Time in which a request waited and no processor worked on it.
    Waiting,
    /// Both of these. Also assumed for older documents, which do not say it.
    #[default]
    Both,
}

impl Clock {
    /// Of what these parts add up to. What is nothing in both builds is no part.
    fn of(processor: Pair, waiting: Pair) -> Self {
        let is_there = |part: Pair| part.baseline > 0.0 || part.candidate > 0.0;
        match (is_there(processor), is_there(waiting)) {
            (true, false) => Self::Processor,
            (false, true) => Self::Waiting,
            _ => Self::Both,
        }
    }
}

/// How near a finding is to what differs between the builds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Differs {
    /// The code of its owner.
    Owner,
    /// The class of its owner, in another member.
    Class,
    /// The class of another frame of its stack.
    Stack,
    /// No class on its stack differs. The cause is then what these classes are given: a setting or
    /// a library.
    Nothing,
}

/// How often something happens for a request.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Count {
    /// What happens, for people.
    pub what: String,
    /// In both builds.
    pub times: Pair,
}

/// Another rule that fired.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Also {
    /// Id of the rule.
    pub pattern: String,
    /// What it is, in one sentence.
    pub sentence: String,
    /// Time of a request that it accounts for, in milliseconds.
    pub time_ms: Pair,
    /// How often what, for a request.
    pub counts: Vec<Count>,
}

/// Finds the reasons of a difference; without a baseline, what a request spends. What differs
/// between the builds by their files is evidence of its own, where it is known.
#[must_use]
pub fn find(
    baseline: Option<&Dissection>,
    candidate: &Dissection,
    changes: Option<&BuildChanges>,
) -> Findings {
    let comparison = Comparison::of(baseline, candidate);
    let collector_ms = threads_ms(&comparison, COLLECTOR);
    let (processor_ms, waits_ms, service_ms) = (
        comparison.processor_ms(),
        comparison.waits_ms(),
        comparison.service_ms(),
    );
    let compiler_ms = threads_ms(&comparison, COMPILER);
    // What the compilers still do belongs to no request: it ends. What is compiled again and again
    // does not.
    let recompiling_ms = comparison.storm.compiling_ms;
    let difference = comparison.whole_ms().more() - compiler_ms.more() + recompiling_ms;
    let mut findings: Vec<Finding> = comparison
        .suspects()
        .iter()
        .filter_map(|suspect| {
            of_suspect(
                suspect,
                &Terms {
                    difference,
                    least: LEAST_SHARE,
                    without: &[],
                    is_counted: is_time,
                },
            )
        })
        .collect();
    findings.extend(waiting_for_a_turn(&comparison, difference));
    causes_first(&comparison, &mut findings, difference);
    for finding in &mut findings {
        hold(finding, changes);
    }
    findings.sort_by(|a, b| {
        b.explains
            .total_cmp(&a.explains)
            .then(a.owner.cmp(&b.owner))
    });
    let explained: f64 = findings.iter().map(|finding| finding.explains).sum();
    let share = if difference > 0.0 {
        (1.0 - explained).clamp(0.0, 1.0)
    } else {
        0.0
    };
    Findings {
        compared: baseline.is_some(),
        processor_ms,
        waits_ms,
        service_ms,
        collector_ms,
        compiler_ms,
        recompiling_ms,
        findings,
        unexplained: Unexplained {
            ms: share * difference.max(0.0),
            share,
        },
        missing: missing(baseline, candidate),
        not_looked: PATTERNS
            .iter()
            .filter_map(|pattern| {
                Some(NotLooked {
                    pattern: pattern.id.to_owned(),
                    name: pattern.name.to_owned(),
                    why: pattern.could_not_look(&comparison)?,
                })
            })
            .collect(),
    }
}

impl Findings {
    /// A rule fired for something that costs more or less by how the classes are packed.
    #[must_use]
    pub fn depend_on_packaging(&self) -> bool {
        let fired = self.findings.iter().flat_map(|finding| {
            let also = finding.also.iter().map(|also| &also.pattern);
            also.chain([&finding.pattern])
        });
        let of_packaging = |id: &String| PATTERNS.iter().any(|p| p.of_packaging && p.id == *id);
        fired.into_iter().any(of_packaging)
    }
}

/// Holds a claim against what differs between the builds, and bounds it by how many support it.
fn hold(finding: &mut Finding, changes: Option<&BuildChanges>) {
    finding.differs = changes.map(|changes| differs(finding, changes));
    let is_near = matches!(
        finding.differs,
        Some(Differs::Owner | Differs::Class | Differs::Stack)
    );
    if is_near {
        finding.supported_by.push(Support::Difference);
    }
    let said = Said {
        by: finding.supported_by.clone(),
        against: finding.contradicted_by.clone(),
    };
    finding.explains = finding.explains.min(said.most());
}

fn differs(finding: &Finding, changes: &BuildChanges) -> Differs {
    let (class, method) = of_shown(&finding.owner);
    let mut all = changes.classes.iter();
    let of_owner = all.find(|change| aligned_class(&change.class) == class);
    let outer = |class: &str| class.split('$').next().unwrap_or_default().to_owned();
    match of_owner {
        // A class that is new or gone has no members that differ.
        Some(change) if change.members.is_empty() => return Differs::Owner,
        Some(change) => {
            let is_it = |member: &String| of_member(member) == method;
            return match change.members.iter().any(is_it) {
                true => Differs::Owner,
                false => Differs::Class,
            };
        }
        None => {}
    }
    let differing: BTreeSet<String> = changes.classes.iter().map(|c| outer(&c.class)).collect();
    let is_of = |frame: &String| differing.contains(&outer(Frame::parse(frame).class));
    match finding.stack.iter().any(is_of) {
        true => Differs::Stack,
        false => Differs::Nothing,
    }
}

/// What an owner is asked.
pub struct Terms {
    /// Between the builds, in milliseconds of a request.
    pub difference: f64,
    /// An owner of a smaller share of it is not told.
    pub least: f64,
    /// Rules that are not asked.
    pub without: &'static [&'static str],
    /// What counts as the owner's time.
    pub is_counted: fn(&Item<'_>) -> bool,
}

/// Why an owner costs more; `None` where it does not, or no rule knows.
pub fn of_suspect(suspect: &Suspect<'_, '_>, terms: &Terms) -> Option<Finding> {
    let difference = terms.difference;
    let collecting_ms = suspect.collecting().map_or(0.0, |part| part.ms);
    let compiling_ms = suspect.thrown_away().map_or(0.0, |code| code.compiling_ms);
    let mut time = suspect.weighted_ms(terms.is_counted);
    // A lower bound, for when the samples of this work were attributed to another owner.
    let least = time.baseline + least_ms(suspect);
    if time.candidate < least {
        time = Pair {
            candidate: least,
            error: 0.0,
            ..time
        };
    }
    time.candidate += collecting_ms + compiling_ms;
    let mut time_ms = suspect.with_what_moved(suspect.time_ms(terms.is_counted));
    time_ms.candidate += collecting_ms + compiling_ms;
    let clock = clock(suspect, terms.is_counted, collecting_ms + compiling_ms);
    if difference <= 0.0 || !time.is_more() || time.more() < terms.least * difference {
        return None;
    }
    let able = PATTERNS
        .iter()
        .filter(|pattern| !terms.without.contains(&pattern.id))
        .filter(|pattern| pattern.could_not_look(suspect.comparison).is_none());
    let mut matches: Vec<(&Pattern, Match)> = able
        .filter_map(|pattern| Some((pattern, (pattern.look)(suspect)?)))
        .collect();
    // The general rule accounts for everything; it is told when no special one accounts for enough.
    let most = |ranks: &[Rank]| {
        let told = matches
            .iter()
            .filter(|(pattern, found)| found.is_cause && ranks.contains(&pattern.rank));
        told.map(|(_, found)| found.time.more()).fold(0.0, f64::max)
    };
    let of_special = most(&[Rank::Special]);
    let bar = if of_special >= LEAST_OF_OWNER * time.more() {
        of_special * AS_MUCH
    } else {
        most(&[Rank::Special, Rank::General]) * AS_MUCH
    };
    let enough = LEAST_OF_OWNER * time.more();
    let outranked: BTreeSet<&str> = matches
        .iter()
        .filter(|(_, found)| found.is_cause && found.time.more() >= enough)
        .flat_map(|(pattern, _)| pattern.outranks.iter().copied())
        .collect();
    let is_first = |(pattern, found): &(&Pattern, Match)| {
        let is_above = pattern.outranks.iter().any(|other| {
            let mut others = matches.iter();
            others.any(|(pattern, other_found)| {
                pattern.id == *other && other_found.time.more() >= bar
            })
        });
        let bar = if is_above { enough } else { bar };
        found.is_cause && found.time.more() >= bar && !outranked.contains(pattern.id)
    };
    let place = matches.iter().position(is_first)?;
    let (pattern, reason) = matches.remove(place);
    let owner = shown(&suspect.owner);
    let named = |sentence: &str| sentence.replace("{owner}", &owner);
    let said = Said::of(suspect, time, &reason.counts);
    Some(Finding {
        pattern: pattern.id.to_owned(),
        sentence: named(&reason.sentence),
        line: reason.line,
        is_own: suspect.is_own,
        explains: (time.more() / difference).min(1.0),
        explains_error: time.error / difference,
        supported_by: said.by,
        contradicted_by: said.against,
        time_ms,
        clock,
        counts: reason.counts,
        fix: reason.fix,
        spent_below: spent_below(suspect),
        stack: reason.stack,
        also: matches
            .into_iter()
            .filter(|(pattern, _)| pattern.rank == Rank::Special)
            .map(|(pattern, found)| Also {
                pattern: pattern.id.to_owned(),
                sentence: named(&found.sentence),
                time_ms: found.time,
                counts: found.counts,
            })
            .collect(),
        owner,
        differs: None,
    })
}

/// The threads of the JVM that collect and compile for it work on processors, too.
fn clock(
    suspect: &Suspect<'_, '_>,
    is_counted: fn(&Item<'_>) -> bool,
    of_the_jvm_ms: f64,
) -> Clock {
    let is_wait = |item: &Item<'_>| WAITS.contains(&item.kind);
    let mut processor = suspect.time_ms(|item| is_counted(item) && !is_wait(item));
    processor.candidate += of_the_jvm_ms;
    let waiting = suspect.time_ms(|item| is_counted(item) && is_wait(item));
    Clock::of(processor, waiting)
}

fn is_nothing(ms: &f64) -> bool {
    *ms == 0.0
}

fn missing(baseline: Option<&Dissection>, candidate: &Dissection) -> Vec<NotObserved> {
    let mut seen = BTreeSet::new();
    let all = baseline.into_iter().chain([candidate]);
    all.flat_map(|evidence| {
        evidence.missing.iter().map(|missing| NotObserved {
            what: format!("{} of {}", missing.what, evidence.cell),
            why: missing.why.clone(),
        })
    })
    .filter(|missing| seen.insert((missing.what.clone(), missing.why.clone())))
    .collect()
}
