//! For people: the answer first, then each limit that was tried, then what to paste.

use crate::bisection::End;
use crate::fit::{Fit, Search};
use crate::trial::Trial;
use std::fmt::Write;
use tacho_figures::{bytes, factor, ms, percent};
use tacho_run_folder::Interval;

/// What a search is about.
#[derive(Debug, Clone, Copy)]
struct Kind {
    name: &'static str,
    amount: fn(u64) -> String,
}

const MEMORY: Kind = Kind {
    name: "memory",
    amount: |limit| bytes(limit as f64),
};
const CPU: Kind = Kind {
    name: "CPU",
    amount: |limit| format!("{limit}m"),
};

/// Of a trial without a launch that counts.
const TOLD_NOTHING: &str = "each launch was disturbed, or its generator late";

/// The whole answer, ending in a newline. Plain text.
#[must_use]
pub fn render(fit: &Fit) -> String {
    let mut text = format!("{}\n", sentence(fit));
    let searches = [(MEMORY, &fit.memory), (CPU, &fit.cpu)];
    for (kind, search) in searches {
        if let Some(search) = search {
            text.push('\n');
            table(&mut text, kind, search, &fit.reference);
        }
    }
    let _ = writeln!(
        text,
        "\nA limit holds when every launch at it was completed and met {}.",
        listed(&fit.checks)
    );
    if let Some(phase) = &fit.phase {
        let _ = writeln!(
            text,
            "p99, in the table and in a check that names no phase, is that of phase `{phase}`."
        );
    }
    if !fit.reference.held && fit.reference.launches > 0 {
        let Trial {
            launches, survived, ..
        } = fit.reference;
        let _ = writeln!(
            text,
            "Caution: without a memory limit only {survived} of {launches} launches did, so that the objective is near its edge whatever the limit."
        );
    }
    if is_above_its_limit(fit) {
        text.push_str(
            "Peak RSS may be above the limit under which it was seen: it counts pages of files (the JVM, its archive, jars) that were in the page cache before, which are charged to whoever read them first.\n",
        );
    }
    if let Some(paste) = &fit.paste {
        let _ = writeln!(
            text,
            "\nTo paste, without any margin for what this load did not show:\n\n{}",
            paste.kubernetes
        );
    }
    text
}

/// A memory limit held, and the resident set was larger.
fn is_above_its_limit(fit: &Fit) -> bool {
    let trials = fit.memory.iter().flat_map(|search| &search.trials);
    trials.filter(|trial| trial.held).any(|trial| {
        let peak = trial.peak_rss_bytes.map(|peak| peak.value);
        trial
            .limit
            .zip(peak)
            .is_some_and(|(limit, peak)| peak > limit as f64)
    })
}

/// One sentence for the whole search.
#[must_use]
pub fn sentence(fit: &Fit) -> String {
    let mut parts = Vec::new();
    for (kind, search) in [(MEMORY, &fit.memory), (CPU, &fit.cpu)] {
        if let Some(search) = search {
            parts.push(answer(kind, search));
        }
    }
    if parts.is_empty() {
        parts.push("no limit has been tried yet".to_owned());
    }
    let ended = if fit.interrupted {
        " (ended early)"
    } else {
        ""
    };
    format!("`{}`{ended}: {}.", fit.variant, parts.join("; "))
}

fn answer(kind: Kind, search: &Search) -> String {
    let Kind { name, amount } = kind;
    let Some(limit) = search.limit else {
        return match search.end {
            End::NothingHolds => format!(
                "no {name} limit that was tried is enough{}",
                because(search)
            ),
            _ => format!("no {name} limit was found"),
        };
    };
    let shown = amount(limit);
    match search.end {
        End::Found => format!(
            "{shown} of {name} is enough, one step less is not{}",
            because(search)
        ),
        End::LowestHolds => format!("{shown} of {name}, the least that was tried, is enough"),
        End::NothingHolds | End::Unfinished => {
            format!("{shown} of {name} is enough; less was not tried to the end")
        }
    }
}

/// What the highest limit that failed ran into.
fn because(search: &Search) -> String {
    let trials = || search.trials.iter();
    // One that told nothing was made again, and another one of the same limit told.
    let told = || trials().filter(|trial| trial.launches > 0);
    let is_told = |limit: Option<u64>| told().any(|trial| trial.limit == limit);
    let failed = trials().filter(|trial| !trial.held);
    let failed = failed.filter(|trial| trial.launches > 0 || !is_told(trial.limit));
    match failed.max_by_key(|trial| trial.limit) {
        Some(trial) if trial.launches == 0 => format!(" ({TOLD_NOTHING})"),
        Some(trial) => {
            let wall = trial.walls.first();
            wall.map_or_else(String::new, |count| format!(" ({})", count.wall.explain()))
        }
        None => String::new(),
    }
}

fn table(text: &mut String, kind: Kind, search: &Search, reference: &Trial) {
    let head = [
        kind.name,
        "survived",
        "p99",
        "p99 : without",
        "peak RSS",
        "max heap",
        "",
    ];
    let mut rows: Vec<Vec<String>> = vec![head.map(str::to_owned).to_vec()];
    rows.push(row(kind, reference));
    let mut trials: Vec<&Trial> = search.trials.iter().collect();
    trials.sort_by_key(|trial| std::cmp::Reverse(trial.limit));
    rows.extend(trials.into_iter().map(|trial| row(kind, trial)));
    let widths: Vec<usize> = (0..head.len())
        .map(|column| {
            rows.iter()
                .map(|row| row[column].chars().count())
                .max()
                .unwrap_or(0)
        })
        .collect();
    for row in rows {
        let cells = row
            .iter()
            .zip(&widths)
            .map(|(cell, width)| format!("{cell:<width$}"));
        let line = cells.collect::<Vec<_>>().join("  ");
        let _ = writeln!(text, "  {}", line.trim_end());
    }
}

fn row(kind: Kind, trial: &Trial) -> Vec<String> {
    let mut walls: Vec<String> = trial
        .walls
        .iter()
        .map(|count| format!("{} x {}", count.launches, count.wall.explain()))
        .collect();
    if trial.launches == 0 {
        walls.push(TOLD_NOTHING.to_owned());
    }
    vec![
        trial
            .limit
            .map_or_else(|| "without".to_owned(), kind.amount),
        format!(
            "{} of {} (at least {})",
            trial.survived,
            trial.launches,
            percent(trial.survival.low)
        ),
        trial.p99_ms.map_or_else(dash, |p99| ms(p99.value)),
        trial.p99_price.map_or_else(dash, price),
        trial
            .peak_rss_bytes
            .map_or_else(dash, |rss| bytes(rss.value)),
        trial
            .max_heap_bytes
            .map_or_else(dash, |heap| bytes(heap as f64)),
        walls.join("; "),
    ]
}

fn price(ratio: Interval) -> String {
    let [at, low, high] = [ratio.value, ratio.low, ratio.high].map(factor);
    format!("x {at} ({low} to {high})")
}

fn dash() -> String {
    "-".to_owned()
}

fn listed(checks: &[String]) -> String {
    let quoted: Vec<String> = checks.iter().map(|check| format!("`{check}`")).collect();
    quoted.join(" and ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::paste::Paste;
    use crate::survival;
    use crate::trial::WallCount;
    use crate::wall::Wall;

    fn trial(limit: Option<u64>, survived: u32, walls: Vec<WallCount>) -> Trial {
        let interval = |value: f64| Interval {
            value,
            low: value * 0.9,
            high: value * 1.1,
        };
        Trial {
            limit,
            run: "trial-01".to_owned(),
            launches: 3,
            survived,
            survival: survival(survived, 3),
            held: survived == 3,
            walls,
            p99_ms: (survived > 0).then(|| interval(12.0)),
            p99_price: limit.filter(|_| survived > 0).map(|_| interval(1.2)),
            peak_rss_bytes: Some(interval(150e6)),
            throttled_share: None,
            max_heap_bytes: Some(64 << 20),
            collector: Some(tacho_run_folder::Collector::Serial.into()),
        }
    }

    fn fit() -> Fit {
        let wall = |wall, launches| WallCount { wall, launches };
        let mut fit = Fit {
            format: 1,
            name: "orders".to_owned(),
            variant: "jar".to_owned(),
            checks: vec!["p99<50ms".to_owned(), "errors<1%".to_owned()],
            phase: Some("open".to_owned()),
            reference: trial(None, 3, Vec::new()),
            memory: Some(Search {
                limit: Some(208 << 20),
                end: End::Found,
                trials: vec![
                    trial(Some(512 << 20), 3, Vec::new()),
                    trial(Some(192 << 20), 1, vec![wall(Wall::Container, 2)]),
                    trial(
                        Some(128 << 20),
                        0,
                        vec![wall(Wall::Heap, 2), wall(Wall::NeverReady, 1)],
                    ),
                    trial(Some(208 << 20), 3, Vec::new()),
                ],
            }),
            cpu: Some(Search {
                limit: Some(500),
                end: End::LowestHolds,
                trials: vec![trial(Some(500), 3, Vec::new())],
            }),
            paste: None,
            interrupted: false,
        };
        fit.paste = Paste::of(&fit);
        fit
    }

    #[test]
    fn the_whole_answer() {
        insta::assert_snapshot!(render(&fit()));
    }

    #[test]
    fn the_heap_of_a_machine_without_a_memory_limit_is_not_pinned_in_a_container() {
        let flags = |fit: &Fit| Paste::of(fit).unwrap().jvm_flags.unwrap();
        let mut fit = fit();
        assert_eq!(flags(&fit), "-Xmx64m -XX:+UseSerialGC");
        fit.memory = None;
        assert_eq!(flags(&fit), "-XX:+UseSerialGC");
    }

    #[test]
    fn a_resident_set_above_its_limit_is_explained() {
        let explained = |fit: &Fit| render(fit).contains("whoever read them first");
        let mut fit = fit();
        assert!(!explained(&fit));
        let search = fit.memory.as_mut().unwrap();
        search.trials[3].peak_rss_bytes = Some(Interval {
            value: (209 << 20) as f64,
            low: 0.0,
            high: 0.0,
        });
        assert!(explained(&fit));
        // Of a limit that did not hold nothing is to be explained.
        fit.memory.as_mut().unwrap().trials[3].held = false;
        assert!(!explained(&fit));
    }

    #[test]
    fn a_trial_that_told_nothing_is_shown_and_no_reason() {
        let mut fit = fit();
        let told_nothing = Trial {
            launches: 0,
            ..trial(Some(512 << 20), 0, Vec::new())
        };
        fit.memory.as_mut().unwrap().trials.insert(0, told_nothing);
        let said = render(&fit);
        assert!(
            said.contains("one step less is not (killed by the kernel"),
            "{said}"
        );
        assert!(said.contains(TOLD_NOTHING), "{said}");
    }

    #[test]
    fn what_was_not_found_is_not_advised() {
        let mut fit = fit();
        fit.cpu = None;
        fit.memory = Some(Search {
            limit: None,
            end: End::NothingHolds,
            trials: vec![trial(
                Some(64 << 20),
                0,
                vec![WallCount {
                    wall: Wall::Heap,
                    launches: 3,
                }],
            )],
        });
        assert_eq!(
            sentence(&fit),
            "`jar`: no memory limit that was tried is enough (the heap was full)."
        );
        assert_eq!(Paste::of(&fit), None);
    }
}
