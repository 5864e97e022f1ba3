//! Sentences.

use crate::changes;
use crate::document::DiagnosisReport;
use crate::stored;
use crate::trace::{TraceFigures, TraceRow, TraceRowKind};
use std::collections::BTreeSet;
use tacho_diagnosis::{Clock, Conclusion, Differs, Finding, Findings, MovedCount, Pair, Support};
use tacho_figures as figures;
use tacho_run_folder::Verdict;

/// The conclusion, for a manager.
#[must_use]
pub fn conclusion(report: &DiagnosisReport) -> String {
    told(report) + &fails_more(report)
}

/// Says that the candidate fails more requests: whatever else it does better, or worse, it does
/// with other answers.
fn fails_more(report: &DiagnosisReport) -> String {
    let rows = report.measured.iter();
    let more = rows.filter(|row| row.is_of_failures() && row.verdict == Some(Verdict::Worse));
    let most = more.max_by(|a, b| a.candidate.value.total_cmp(&b.candidate.value));
    most.map_or_else(String::new, |row| {
        format!(
            " But {} fails more requests, {} (before: {}); throughput and CPU time are of failed answers, too.",
            report.candidate,
            figures::percent(row.candidate.value),
            figures::percent(row.baseline.map_or(0.0, |before| before.value))
        )
    })
}

fn told(report: &DiagnosisReport) -> String {
    let findings = report.findings.as_ref().map_or(&[][..], |f| &f.findings);
    if let Some(cause) = cause(report) {
        return cause;
    }
    match (report.conclusion, findings.first()) {
        (Conclusion::NotTold, _) if stored::is_elsewhere(report) => {
            stored::elsewhere(report) + &counted_more(report)
        }
        (Conclusion::NotExplained, _) if stored::is_not_looked_into(report) => {
            stored::not_looked_into(report) + &counted_more(report)
        }
        (Conclusion::Interrupted, _) => "Ended before anything could be concluded.".to_owned(),
        (Conclusion::Failed, _) if report.baseline.is_none() => not_seen(report),
        (Conclusion::Failed, _) => {
            "Nothing can be compared: a build has no launch that came to its end.".to_owned()
        }
        (Conclusion::NoDifference, _) => alike(report) + &counted_more(report),
        (Conclusion::NotTold, _) => not_told(report) + &counted_more(report),
        (Conclusion::Explained, Some(first)) => format!(
            "{}{} of why {} is slower lies in {}: {}",
            much_unexplained(report),
            figures::percent(first.explains),
            report.candidate,
            place(first),
            after_its_place(first)
        ),
        (Conclusion::Single, Some(first)) => format!(
            "{} of a request's time, {}, is spent for {}: {}",
            match first.explains > 0.5 {
                true => "Most",
                false => "The largest part",
            },
            figures::percent(first.explains),
            place(first),
            after_its_place(first)
        ),
        (Conclusion::Single, None) => {
            "No code of the application stands out in a request's time.".to_owned()
        }
        (Conclusion::NotExplained | Conclusion::Explained, _) => format!(
            "{} is slower, and no code of the application explains it; below is what was examined and what could not be.",
            report.candidate
        ),
    }
}

/// Says that the one build could not be looked into, and what to do.
fn not_seen(report: &DiagnosisReport) -> String {
    let (build, folder) = (&report.candidate, &report.folder);
    if report.measured.is_empty() {
        return format!(
            "Nothing is told of {build}: it has no launch that came to its end. Remedy what is said below, and diagnose it again."
        );
    }
    format!(
        "Where the time of {build} goes is not told: the launch with instruments did not come so far. Its output is in {folder}/diagnosis; remedy what ended it, and diagnose {build} again. The figures are of launches without instruments."
    )
}

/// Says how large a difference can still be, for the figures that decide, if none was found.
fn alike(report: &DiagnosisReport) -> String {
    let baseline = report.baseline.as_deref().unwrap_or("the baseline");
    let deciding = || report.measured.iter().filter(|row| row.decides);
    let better: Vec<&str> = deciding()
        .filter(|row| row.verdict == Some(Verdict::Better))
        .map(|row| row.name.as_str())
        .collect();
    if !better.is_empty() {
        return format!(
            "{} is not slower than {baseline}, and better in {}.",
            report.candidate,
            better.join(", ")
        );
    }
    // Each of these was shown to be within its threshold.
    let threshold = deciding()
        .filter(|row| row.verdict == Some(Verdict::Same))
        .filter_map(|row| row.threshold)
        .fold(0.0, f64::max);
    let mut text = format!(
        "Alike: {} and {baseline} differ by less than {} in {}.",
        report.candidate,
        figures::percent(threshold),
        alike_in(report)
    );
    // Figures under more load may still be open, since fewer launches measured them.
    let open: Vec<&str> = deciding()
        .filter(|row| row.verdict == Some(Verdict::Inconclusive))
        .map(|row| row.name.as_str())
        .collect();
    if !open.is_empty() {
        text += &format!(" Not told by so few launches: {}.", open.join("; "));
    }
    text
}

/// The figures in which both builds were shown to be alike; one that was not measured, because its
/// generator was late or a process was gone, is not among them.
fn alike_in(report: &DiagnosisReport) -> String {
    let is_same = |end: &str| {
        let mut rows = report.measured.iter().filter(|row| row.decides);
        rows.any(|row| row.id.ends_with(end) && row.verdict == Some(Verdict::Same))
    };
    let names = [
        (".throughput", "throughput"),
        (".cpu_per_request_ms", "CPU time"),
        (".response_p50_ms", "response time"),
    ];
    let same = names.iter().filter(|(end, _)| is_same(end));
    let same: Vec<String> = same.map(|(_, name)| (*name).to_owned()).collect();
    figures::listed(&same)
}

/// Says what is not known, within which bounds, and how many launches would probably decide it.
fn not_told(report: &DiagnosisReport) -> String {
    let baseline = report.baseline.as_deref().unwrap_or("the baseline");
    let open: Vec<&crate::Measured> = report
        .measured
        .iter()
        .filter(|row| row.decides && row.verdict == Some(Verdict::Inconclusive))
        .collect();
    let shown = |row: &&&crate::Measured| {
        let ratio = row.ratio.as_ref()?;
        Some(format!("{} {}", row.name, figures::ratio_interval(ratio)))
    };
    let rows: Vec<String> = open.iter().take(3).filter_map(|row| shown(&row)).collect();
    let mut text = format!(
        "Not told whether {} is slower than {baseline}: {} of its figures may be alike or not (ratios, 95 %: {}).",
        report.candidate,
        open.len(),
        rows.join("; ")
    );
    // A figure that allows any loss, or that one of the builds has not, rules nothing out.
    let bounds = report.measured.iter().filter(|row| row.decides);
    let bounds: Option<Vec<f64>> = bounds.map(most_lost).collect();
    let worst = bounds.unwrap_or_default().into_iter().fold(0.0, f64::max);
    if worst > 0.0 && worst < 1.0 {
        text += &format!(
            " A loss of more than {} is ruled out.",
            figures::percent(worst)
        );
    }
    match launches_needed(&open) {
        Some(needed) if needed as f64 >= MOST_LAUNCHES => {
            text +=
                &format!(" More than {MOST_LAUNCHES} launches of each would be needed to tell.");
        }
        Some(needed) if report.stored.is_some() => {
            text += &format!(" Two runs with --launches {needed} would probably tell it.");
        }
        Some(needed) => {
            text += &format!(" With --launches {needed} it would probably be told.");
        }
        None => {}
    }
    text
}

/// The largest loss of the candidate that a figure still allows, as a share. The interval is
/// widened, because several figures decide together.
fn most_lost(row: &crate::Measured) -> Option<f64> {
    let ratio = row.ratio?;
    let is_gain = row.id.ends_with(".throughput");
    let (center, half) = (
        f64::midpoint(ratio.low.ln(), ratio.high.ln()),
        FOR_ALL * (ratio.high.ln() - ratio.low.ln()) / 2.0,
    );
    let lost = if is_gain {
        half - center
    } else {
        center + half
    };
    lost.is_finite().then(|| lost.exp_m1())
}

/// More launches would take longer than anybody waits.
const MOST_LAUNCHES: f64 = 200.0;
/// Several figures are tested at once, which needs wider intervals than those shown: about half as
/// wide again for half a dozen figures.
const FOR_ALL: f64 = 1.5;

/// The number of launches of each build that would probably decide. If a figure looks different,
/// the fewest that would show the difference of one of them. Otherwise the number that would show
/// all of them alike.
fn launches_needed(open: &[&crate::Measured]) -> Option<u64> {
    let needed = |row: &&crate::Measured| {
        let (ratio, threshold) = (row.ratio?, row.threshold?.ln_1p());
        let half = FOR_ALL * (ratio.high.ln() - ratio.low.ln()) / 2.0;
        let away = ratio.value.ln().abs();
        // The width of an interval shrinks with the square root of the number of launches.
        let launches = row.launches as f64 * (half / (away - threshold)).powi(2);
        let looks_different = away > threshold;
        let most = launches
            .ceil()
            .clamp(row.launches as f64 + 1.0, MOST_LAUNCHES);
        (launches.is_finite() && ratio.low > 0.0).then_some((looks_different, most as u64))
    };
    let all: Vec<(bool, u64)> = open.iter().filter_map(needed).collect();
    let different = all.iter().filter(|(different, _)| *different);
    let fewest = different.map(|(_, launches)| *launches).min();
    fewest.or_else(|| all.iter().map(|(_, launches)| *launches).max())
}

/// Names something that a request does more often, if the times show no difference.
fn counted_more(report: &DiagnosisReport) -> String {
    // Sampled counts are noisy and do not count here.
    let is_more = |count: &&MovedCount| count.times.more() > 0.0 && !count.times.estimated;
    let more = report.counts.iter().find(is_more);
    more.map_or_else(String::new, |count| {
        let shown = counted(&count.times);
        let owner = count.owner.as_ref();
        format!(
            " But a request does more: {}, {} (before: {}){}.",
            count.what,
            shown(count.times.candidate),
            shown(count.times.baseline),
            owner.map_or_else(String::new, |owner| format!(", in {owner}"))
        )
    })
}

/// The change that is shown to be the cause: with it put back, a part of the loss was gone, and
/// that part is significantly above zero.
fn cause(report: &DiagnosisReport) -> Option<String> {
    let mut causes = report.counterfactuals.iter();
    let cause = causes.find(|cause| cause.is_cause())?;
    let (what, share) = cause.put_back.as_ref().zip(cause.gives_back.as_ref())?;
    let mut text = format!(
        "{} is slower because of {}: with that alone put back, {} of the loss is gone (95 %: {} to {}).",
        report.candidate,
        changes::change(what),
        figures::percent(share.value),
        figures::percent(share.low),
        figures::percent(share.high)
    );
    // Where the loss shows: in a finding near what differs, otherwise in the application's own
    // code.
    let findings = report.findings.as_ref().map_or(&[][..], |f| &f.findings);
    let is_near = |finding: &&Finding| {
        matches!(
            finding.differs,
            Some(Differs::Owner | Differs::Class | Differs::Stack)
        )
    };
    let own = || findings.iter().find(|finding| finding.is_own);
    if let Some(first) = findings.iter().find(is_near).or_else(own) {
        text += &format!(" It shows in {}: {}", place(first), after_its_place(first));
    }
    Some(text)
}

/// The headline says so if more than this share of the difference is unexplained.
const MUCH: f64 = 1.0 / 3.0;

/// Said first if more than a third of the difference is unexplained.
fn much_unexplained(report: &DiagnosisReport) -> String {
    let left = report
        .findings
        .as_ref()
        .map_or(0.0, |f| f.unexplained.share);
    if left <= MUCH {
        return String::new();
    }
    format!(
        "{} of the difference is not explained (a longer --sample, a larger --window, or --own may show it). ",
        figures::percent(left)
    )
}

/// A finding's sentence where its owner has just been named.
fn after_its_place(finding: &Finding) -> String {
    let sentence = with_it_for(&finding.sentence, &finding.owner);
    let mut letters = sentence.chars();
    letters.next().map_or_else(String::new, |first| {
        first.to_lowercase().chain(letters).collect()
    })
}

/// The sentence with `it` where the owner is named, and not where a longer name begins with its
/// name: `shop.Orders.totalOf` is not `shop.Orders.total`.
fn with_it_for(sentence: &str, owner: &str) -> String {
    let mut parts = sentence.split(owner);
    let first = parts.next().unwrap_or_default().to_owned();
    let is_of_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$');
    parts.fold(first, |text, part| {
        let goes_on = part.starts_with(is_of_name) || part.starts_with(" (a lambda");
        let named = if goes_on { owner } else { "it" };
        text + named + part
    })
}

/// How near it is to what differs.
pub fn differs(finding: &Finding) -> Option<&'static str> {
    Some(match finding.differs? {
        Differs::Owner => "Its code differs between the builds.",
        Differs::Class => "Its class differs between the builds, in another member.",
        Differs::Stack => "A class on its stack differs between the builds.",
        Differs::Nothing => {
            "No class on its stack differs; what these classes are given does: a setting or a library."
        }
    })
}

/// Which clock a finding's time is from. The trace beside it uses the wall clock.
pub fn clock(clock: Clock) -> &'static str {
    match clock {
        Clock::Processor => "processor time",
        Clock::Waiting => "waiting",
        Clock::Both => "processor time and waiting",
    }
}

/// `Of its processor time 63 % goes in org.lib.Loader.definePackage and below it.`
pub fn spent_below(finding: &Finding) -> Option<String> {
    let below = finding.spent_below.as_ref()?;
    Some(format!(
        "Of its processor time {} goes in {} and below it.",
        figures::percent(below.share),
        below.method
    ))
}

/// Who says so: `Seen by samples of processor time and by the trace.`
pub fn supports(finding: &Finding) -> Option<String> {
    let named = |all: &[Support]| -> String {
        let names: Vec<&str> = all.iter().map(instrument).collect();
        match names.as_slice() {
            [] => String::new(),
            [one] => (*one).to_owned(),
            [first @ .., last] => format!("{} and {last}", first.join(", ")),
        }
    };
    let by = named(&finding.supported_by);
    let against = named(&finding.contradicted_by);
    match (finding.supported_by.len(), against.is_empty()) {
        (0, true) => None,
        (_, false) => Some(format!(
            "Shown by {by}, but not confirmed by {against}: counted for a third at most."
        )),
        (1, true) => Some(format!(
            "Said by {by} alone: counted for two thirds at most."
        )),
        (_, true) => Some(format!("Said by {by}.")),
    }
}

fn instrument(support: &Support) -> &'static str {
    match support {
        Support::Samples => "samples of processor time",
        Support::Allocation => "bytes allocated",
        Support::Waits => "recorded waits",
        Support::Counts => "exact counts",
        Support::Trace => "the trace",
        Support::Difference => "what differs between the builds",
    }
}

/// The owner with its line, where that is known: `shop.Orders.total:17`.
pub fn place(finding: &Finding) -> String {
    match finding.line {
        Some(line) => format!("{}:{line}", finding.owner),
        None => finding.owner.clone(),
    }
}

/// Rules that could not look; nothing where all could.
pub fn not_looked(findings: &Findings) -> Option<String> {
    let names = findings.not_looked.iter().map(|not| not.name.as_str());
    let names: Vec<&str> = names.collect();
    let whys: BTreeSet<&str> = findings.not_looked.iter().map(|not| &*not.why).collect();
    let whys: Vec<&str> = whys.into_iter().collect();
    (!names.is_empty()).then(|| {
        format!(
            "Not looked for: {} ({}).",
            names.join(", "),
            whys.join("; ")
        )
    })
}

/// What the shares of findings are shares of.
pub fn of(compared: bool) -> &'static str {
    match compared {
        true => "the difference",
        false => "a request's time",
    }
}

/// `new against old`.
pub fn title(report: &DiagnosisReport) -> String {
    match &report.baseline {
        Some(baseline) => format!("{} against {baseline}", report.candidate),
        None => report.candidate.clone(),
    }
}

/// What is left.
pub fn unexplained(findings: &Findings) -> String {
    let of = of(findings.compared);
    format!(
        "{} of {of} is explained by nothing above ({}).",
        figures::percent(findings.unexplained.share),
        figures::ms(findings.unexplained.ms)
    )
}

/// How much of the loss a change recovered.
pub fn recovered(counterfactual: &crate::Counterfactual) -> String {
    let changed = match &counterfactual.put_back {
        Some(what) => format!("Putting back {}", changes::change(what)),
        None => counterfactual.changed.clone(),
    };
    match &counterfactual.gives_back {
        None => {
            format!("{changed}: these launches show no loss, so that there is nothing to recover.")
        }
        Some(share) => format!(
            "{changed} recovers {} of the loss (95 %: {} to {}; {}).",
            figures::percent(share.value),
            figures::percent(share.low),
            figures::percent(share.high),
            counterfactual.figure
        ),
    }
}

/// Note below a trace that has estimated figures.
pub const ESTIMATED: &str = "≈: to time each call would have cost too much; one in N was timed, chosen at random, and stands for all.";

/// Any figure of a row is not counted but estimated.
pub fn is_estimated(row: &TraceRow) -> bool {
    let builds = row.baseline.iter().chain(&row.candidate);
    builds.into_iter().any(|figures| figures.time_is_estimated)
}

/// The name of a row's method. With `short`, rows below the root have no package.
pub fn trace_name(row: &TraceRow, short: bool) -> String {
    let method = match short && row.depth > 0 {
        true => without_package(&row.method),
        false => row.method.clone(),
    };
    match row.kind {
        TraceRowKind::Root | TraceRowKind::Call => method,
        TraceRowKind::Ran => format!("which is {method}"),
        TraceRowKind::Rest => "its own code, and calls that are not timed".to_owned(),
    }
}

/// `Class.method` of `package.Class.method`, where a package begins with a small letter.
fn without_package(method: &str) -> String {
    let is_package = |part: &&str| part.starts_with(|c: char| c.is_lowercase());
    let parts: Vec<&str> = method.split('.').collect();
    let packages = parts.iter().take_while(|part| is_package(part)).count();
    parts[packages.min(parts.len().saturating_sub(2))..].join(".")
}

/// Calls per request: `–` if it was not seen, empty for the rest of a method.
pub fn trace_calls(row: &TraceRow, figures: Option<&TraceFigures>) -> String {
    match figures {
        _ if row.kind == TraceRowKind::Rest => String::new(),
        Some(seen) => about(seen.calls_are_estimated, &figures::often(seen.calls)),
        None => "–".to_owned(),
    }
}

/// Time a request.
pub fn trace_time(figures: Option<&TraceFigures>) -> String {
    figures.map_or_else(
        || "–".to_owned(),
        |seen| about(seen.time_is_estimated, &figures::ms(seen.ms)),
    )
}

/// Formats the numbers of a count.
pub fn counted(pair: &Pair) -> impl Fn(f64) -> String + use<> {
    let is_estimated = pair.estimated;
    move |value| {
        // Sampled counts are good for three digits.
        let figure = match is_estimated && value >= 100.0 {
            true => figures::requests(value),
            false => figures::often(value),
        };
        about(is_estimated, &figure)
    }
}

fn about(is_estimated: bool, figure: &str) -> String {
    format!("{}{figure}", if is_estimated { "≈ " } else { "" })
}

#[cfg(test)]
mod tests;
