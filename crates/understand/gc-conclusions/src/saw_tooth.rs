//! The saw-tooth of a native image: incremental collections free the young generation alone, and
//! what died in the old one stays until a complete collection (the policy `BySpaceAndTime`).

use crate::by_space_and_time::rule;
use crate::{Conclusion, Name, figure};
use tacho_figures as figures;
use tacho_gc_log::{Course, GcSummary};
use tacho_run_folder::{Collection, CollectionKind, Collector};
use tacho_statistics::bootstrap::median;

/// Incremental collections between two complete ones; with fewer there is no slope.
const FEWEST_STEPS: usize = 3;
/// One may be the program's own doing.
const FEWEST_TEETH: usize = 2;
/// A single tooth is enough when it climbs for this many collections and nearly all of the climb
/// was garbage. The log of a slow service may hold only one.
const LONG: usize = 20;
const NEARLY_ALL: f64 = 0.8;
/// Of the steps of a tooth so many go up.
const MOSTLY_UP: f64 = 0.7;
/// Less is not worth a word: a share of the peak, and bytes.
const LEAST_SHARE: f64 = 0.3;
const LEAST_BYTES: f64 = 8.0 * 1_048_576.0;

/// Looks for it.
pub fn look(summary: &GcSummary, course: &Course, found: &mut Vec<Conclusion>) {
    if summary.settings.collector != Some(Collector::SerialOfImage) {
        return;
    }
    // It collects completely early and often; its small teeth cost nobody memory, and there is no
    // other policy to advise.
    let policy = summary.settings.policy.as_deref().unwrap_or_default();
    if policy.eq_ignore_ascii_case("adaptive") {
        return;
    }
    let teeth = teeth(&course.log.collections);
    if teeth.len() < FEWEST_TEETH && !teeth.iter().any(|tooth| tooth.is_plain) {
        return;
    }
    let of = |figure: fn(&Tooth) -> f64| median(&teeth.iter().map(figure).collect::<Vec<_>>());
    let (Some(low), Some(high), Some(lasts_s)) = (of(|t| t.low), of(|t| t.high), of(|t| t.lasts_s))
    else {
        return;
    };
    found.push(Conclusion {
        name: Name::SawTooth,
        summary: format!(
            "What incremental collections leave climbs from {} to {}, and falls at the next complete one: a saw-tooth, {}. Incremental collections free the young generation alone; what died in the old one stays.{}",
            figures::bytes(low),
            figures::bytes(high),
            match teeth.len() {
                1 => format!("once, in {}", figures::seconds(lasts_s)),
                n => format!("{n} times, every {}", figures::seconds(lasts_s)),
            },
            rule(&summary.settings, &course.log.collections),
        ),
        advice: Some("a smaller minimum (-Xms) or the adaptive policy, which collects all of it sooner, holds less memory for more collections: `tacho run` compares images".to_owned()),
        figures: vec![
            figure("teeth", teeth.len() as f64),
            figure("low_bytes", low),
            figure("high_bytes", high),
            figure("lasts_s", lasts_s),
        ],
    });
}

/// From one complete collection to the next.
#[derive(Debug)]
struct Tooth {
    /// What the first incremental collection has left.
    low: f64,
    /// What the last one has.
    high: f64,
    lasts_s: f64,
    /// It needs no second one to be believed.
    is_plain: bool,
}

fn teeth(collections: &[Collection]) -> Vec<Tooth> {
    let parts = collections.split_inclusive(|one| one.kind == CollectionKind::Full);
    // What comes after the last complete collection has no end. What comes before the first is how
    // the program begins, unless it is as plain as a tooth can be.
    let whole = parts.enumerate().filter_map(|(place, part)| {
        let (last, steps) = part.split_last()?;
        let tooth = tooth(steps, last).filter(|tooth| place > 0 || tooth.is_plain)?;
        (last.kind == CollectionKind::Full).then_some(tooth)
    });
    whole.collect()
}

fn tooth(steps: &[Collection], last: &Collection) -> Option<Tooth> {
    let (first, end) = (steps.first()?, steps.last()?);
    let rise = end.after_bytes - first.after_bytes;
    let up = steps
        .windows(2)
        .filter(|two| two[1].after_bytes > two[0].after_bytes)
        .count();
    let is_slope = steps.len() >= FEWEST_STEPS
        && up as f64 >= MOSTLY_UP * (steps.len() - 1) as f64
        && rise >= LEAST_BYTES
        && rise >= LEAST_SHARE * end.after_bytes;
    // It was garbage: at least half of the climb goes at once.
    let falls = end.after_bytes - last.after_bytes;
    (is_slope && falls >= rise / 2.0).then_some(Tooth {
        low: first.after_bytes,
        high: end.after_bytes,
        lasts_s: last.at_s - first.at_s,
        is_plain: steps.len() >= LONG && falls >= NEARLY_ALL * rise,
    })
}

#[cfg(test)]
mod tests {
    use crate::{Name, Reading};
    use tacho_gc_log::{Axis, Collections, Reader};

    const HEAD: &str = "[0.100s] GC(0) Using Serial GC
[0.100s] GC(0)   Memory: 32000M
[0.100s] GC(0)   GC policy: by space and time
[0.100s] GC(0)   Maximum young generation size: 256M
[0.100s] GC(0)   Maximum heap size: 25600M
[0.100s] GC(0)   Minimum heap size: 512M
";

    /// A log of incremental collections that leave more and more behind, and complete ones.
    fn log(head: &str, teeth: usize, left_behind: usize) -> String {
        let mut text = head.to_owned();
        let mut number = 0;
        for _ in 0..teeth {
            for step in 0..16 {
                let after = 5 + step * left_behind;
                text += &format!(
                    "[{}.0s] GC({number}) Pause Incremental GC (Collect on allocation) {}.00M->{after}.00M 1.500ms\n",
                    number + 1,
                    after + 256
                );
                number += 1;
            }
            let before = 261 + 16 * left_behind;
            text += &format!(
                "[{}.0s] GC({number}) Pause Full GC (Collect on allocation) {before}.00M->5.00M 9.000ms\n",
                number + 1
            );
            number += 1;
        }
        text
    }

    fn said(log: &str) -> Option<String> {
        let mut reader = Reader::default();
        let mut collections = Collections::on(Axis::Log);
        reader.feed(log.as_bytes(), &mut |event| collections.take(event));
        let lines = reader.end(&mut |event| collections.take(event));
        assert_eq!(lines.unknown, 0, "{lines:?}");
        let (summary, course) = collections.finish(Vec::new(), lines);
        let reading = Reading::of(summary, &course, 200.0);
        let mut found = reading.conclusions.found.into_iter();
        let saw_tooth = found.find(|one| one.name == Name::SawTooth);
        saw_tooth.map(|one| one.summary)
    }

    #[test]
    fn it_is_named_with_the_rule_of_the_policy() {
        let said = said(&log(HEAD, 4, 17)).unwrap();
        assert!(
            said.contains("climbs from 5 MiB to 260 MiB")
                && said.contains("a saw-tooth, 3 times")
                && said.contains("by space and time, collects completely when the heap has grown to its minimum of 512 MiB")
                && said.contains("80 % of the memory"),
            "{said}"
        );
    }

    #[test]
    fn the_rule_is_left_out_where_the_log_does_not_tell_it() {
        let said = said(&log("[0.100s] GC(0) Using Serial GC\n", 4, 17)).unwrap();
        assert!(!said.contains("policy"), "{said}");
    }

    #[test]
    fn the_adaptive_policy_is_not_advised_to_who_has_it() {
        let adaptive = HEAD.replace("by space and time", "adaptive");
        assert_eq!(said(&log(&adaptive, 4, 17)), None);
    }

    #[test]
    fn without_a_slope_or_with_one_tooth_there_is_none() {
        // Nothing is left behind.
        assert_eq!(said(&log(HEAD, 6, 0)), None);
        // One whole tooth: the first part is how the program begins.
        assert_eq!(said(&log(HEAD, 2, 17)), None);
    }

    /// A log of five minutes under 28,000 requests a second: 141 collections, and one complete one.
    #[test]
    fn a_single_tooth_that_is_long_is_one() {
        let mut text = HEAD.to_owned();
        for step in 0..60 {
            let after = 22 + 4 * step;
            text += &format!(
                "[{}.0s] GC({step}) Pause Incremental GC (Collect on allocation) {}.00M->{after}.00M 1.500ms\n",
                step + 1,
                after + 252
            );
        }
        text += "[62.0s] GC(60) Pause Full GC (Collect on allocation) 514.00M->15.00M 9.000ms\n";
        let told = said(&text).unwrap();
        assert!(told.contains("a saw-tooth, once, in 61 s"), "{told}");
        // What is alive is no garbage.
        let alive = text.replace("514.00M->15.00M", "514.00M->200.00M");
        assert_eq!(said(&alive), None);
    }
}
