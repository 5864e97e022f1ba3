//! Every format of one made-up run.

#![allow(clippy::unwrap_used, clippy::expect_used)]

#[path = "../examples/synthetic/run/mod.rs"]
mod synthetic;

mod policy;

use std::path::Path;
use std::sync::OnceLock;
use tacho_report::{Analysed, FORMATS, csv, html, hyperfine, jmh, json, junit, markdown, terminal};
use tacho_run_folder::{CertificateState, Evidence, Results, RunData};

struct Run {
    data: RunData,
    results: Results,
}

fn run() -> &'static Run {
    static RUN: OnceLock<Run> = OnceLock::new();
    RUN.get_or_init(|| {
        // Of the build, not of the system: what is static is never dropped, so nobody would tidy
        // up.
        let root = Path::new(env!("CARGO_TARGET_TMPDIR")).join("synthetic-run");
        let _ = std::fs::remove_dir_all(&root);
        let folder = synthetic::write(&root).unwrap();
        Run {
            data: tacho_run::load(&folder).unwrap(),
            results: folder.results().unwrap().unwrap(),
        }
    })
}

fn page() -> &'static str {
    static PAGE: OnceLock<String> = OnceLock::new();
    PAGE.get_or_init(|| {
        let run = run();
        html::render(&run.data, &run.results).unwrap()
    })
}

fn summary(colour: bool, width: usize) -> String {
    let page = Path::new("runs/20261121-211327-cold-start/report.html");
    let style = terminal::Style { colour, width };
    terminal::render(&run().data, &run().results, Some(page), &style)
}

/// Text without its escape sequences.
fn visible(text: &str) -> String {
    let mut plain = String::new();
    let mut rest = text;
    while let Some((before, sequence)) = rest.split_once('\u{1b}') {
        plain.push_str(before);
        rest = sequence.split_once('m').unwrap().1;
    }
    plain.push_str(rest);
    plain
}

#[test]
fn the_page_runs_no_script_but_its_own() {
    policy::holds(page());
    let hostile = policy::HOSTILE;
    let mut data = run().data.clone();
    let mut results = run().results.clone();
    data.header.name = hostile.to_owned();
    data.plan.notes.push(hostile.to_owned());
    for variant in &mut data.variants {
        variant.command.push(hostile.to_owned());
        variant.notes.push(hostile.to_owned());
        variant
            .environment
            .insert(hostile.to_owned(), hostile.to_owned());
    }
    for launch in &mut data.launches {
        launch.record.outcome = tacho_run_folder::LaunchOutcome::Invalid {
            reason: hostile.to_owned(),
        };
    }
    for cell in &mut results.cells {
        for metric in &mut cell.metrics {
            metric.name.push_str(hostile);
        }
    }
    policy::holds(&html::render(&data, &results).unwrap());
}

#[test]
fn the_terminal_summary() {
    insta::assert_snapshot!(summary(false, 100));
}

#[test]
fn the_terminal_summary_in_a_narrow_window() {
    insta::assert_snapshot!(summary(false, 72));
}

#[test]
fn the_terminal_summary_in_colour() {
    let coloured = summary(true, 100);
    assert!(coloured.contains('\u{1b}'));
    assert_eq!(
        visible(&coloured),
        summary(false, 100),
        "only colours differ"
    );
    insta::assert_snapshot!(coloured.escape_debug().to_string().replace("\\n", "\n"));
}

#[test]
fn no_line_passes_the_width() {
    for width in [20, 60, 72, 80, 99, 100, 250] {
        for line in summary(false, width).lines() {
            let length = line.chars().count();
            let allowed = width.clamp(60, 100);
            assert!(length <= allowed, "{length} of {allowed}: {line}");
        }
    }
}

#[test]
fn the_last_line_is_the_advice() {
    let text = summary(false, 100);
    let last: Vec<&str> = text
        .trim_end()
        .rsplit("\n\n")
        .next()
        .unwrap()
        .lines()
        .collect();
    assert_eq!(last.join(" "), run().results.advice.sentence);
}

/// What a sweep over warm-ups found is its advice, and stands once in each format: at the end on a
/// terminal, at the top elsewhere.
#[test]
fn the_sentence_of_a_warm_up_stands_once() {
    let data = &run().data;
    let mut results = run().results.clone();
    let sweep = results.warm_up.as_mut().unwrap();
    assert!(sweep.choices.len() > 1);
    for (number, choice) in (1..).zip(&mut sweep.choices) {
        choice.sentence = format!("warm{number} is enough.");
    }
    let own: Vec<String> = sweep.choices.iter().map(|c| c.sentence.clone()).collect();
    let each = sweep.choices.iter();
    let each = each.map(|c| format!("At {}: {}", c.limits, c.sentence));
    results.advice.sentence = each.collect::<Vec<_>>().join(" ");
    for (advice, own) in results.advice.by_limits.iter_mut().zip(&own) {
        advice.sentence.clone_from(own);
    }
    let style = terminal::Style {
        colour: false,
        width: 100,
    };
    let text = terminal::render(data, &results, None, &style);
    let page = html::render(data, &results).unwrap();
    let comment = markdown::render(data, &results);
    for own in &own {
        for (format, told) in [("terminal", &text), ("page", &page), ("comment", &comment)] {
            assert_eq!(told.matches(own).count(), 1, "{own} on the {format}");
        }
    }
    assert!(text.trim_end().ends_with(own.last().unwrap()), "{text}");
    // Where something else is advised, the sweep says its own beside its table.
    let doubt = "Do not use these numbers.";
    results.advice.sentence = doubt.to_owned();
    for advice in &mut results.advice.by_limits {
        advice.sentence = doubt.to_owned();
    }
    let page = html::render(data, &results).unwrap();
    assert!(own.iter().all(|own| page.contains(own)));
}

/// Where the numbers are not to be used, that is so under each set of limits.
#[test]
fn what_is_advised_of_the_run_is_not_said_again_of_its_limits() {
    let data = &run().data;
    let mut results = run().results.clone();
    assert!(results.advice.by_limits.len() > 1);
    results.warm_up = None;
    let doubt = "Do not use these numbers: each of them was late.";
    results.advice.sentence = doubt.to_owned();
    for advice in &mut results.advice.by_limits {
        advice.sentence = doubt.to_owned();
    }
    let page = html::render(data, &results).unwrap();
    let comment = markdown::render(data, &results);
    for told in [page, comment] {
        assert_eq!(told.matches(doubt).count(), 1, "{told}");
    }
}

/// Which port was measured is no doubt, and still to be known.
#[test]
fn what_the_numbers_are_of_is_said_by_every_format() {
    let run = run();
    let mut results = run.results.clone();
    let mut add = |rule: &str, statement: &str| {
        results.certificate.evidence.push(Evidence {
            rule: rule.to_owned(),
            state: CertificateState::Valid,
            statement: statement.to_owned(),
            launches: vec![1],
        });
    };
    add("port", "measured on port 8080");
    add("limits", "none of the limits was left");
    let style = terminal::Style {
        colour: false,
        width: 100,
    };
    let texts = [
        terminal::render(&run.data, &results, None, &style),
        markdown::render(&run.data, &results),
    ];
    for text in texts {
        assert!(text.contains("(valid): measured on port 8080"), "{text}");
        assert!(!text.contains("none of the limits was left"), "{text}");
    }
    let page = html::render(&run.data, &results).unwrap();
    assert!(page.contains("measured on port 8080") && page.contains("none of the limits was left"));
}

/// Ids are for scripts.
#[test]
fn rules_are_called_by_their_words_in_every_format() {
    let mut results = run().results.clone();
    results.certificate.evidence.push(Evidence {
        rule: "observer-cpu".to_owned(),
        state: CertificateState::Degraded,
        statement: "looking cost 9 %".to_owned(),
        launches: vec![1],
    });
    let style = terminal::Style {
        colour: false,
        width: 100,
    };
    for text in [
        terminal::render(&run().data, &results, None, &style),
        markdown::render(&run().data, &results),
        junit::render(&run().data, &results),
        skeleton(&html::render(&run().data, &results).unwrap()),
    ] {
        for (id, words) in [
            ("observer-cpu", "observer CPU"),
            ("failed-launches", "failed launches"),
        ] {
            assert!(text.contains(words), "no {words}: {text}");
            assert!(!text.contains(id), "{id}: {text}");
        }
    }
    let json = json::render(&results).unwrap();
    assert!(json.contains("\"observer-cpu\"") && json.contains("\"failed-launches\""));
}

#[test]
fn markdown_for_a_pull_request() {
    insta::assert_snapshot!(markdown::render(&run().data, &run().results));
}

#[test]
fn junit_for_a_ci_server() {
    insta::assert_snapshot!(junit::render(&run().data, &run().results));
}

#[test]
fn json_is_what_the_run_folder_holds() {
    let text = json::render(&run().results).unwrap();
    let read: Results = serde_json::from_str(&text).unwrap();
    assert_eq!(read, run().results);
}

/// The page without script, style and data.
fn skeleton(page: &str) -> String {
    let mut skeleton = String::new();
    let mut rest = page;
    for element in ["style", "script", "script"] {
        let (before, inside) = rest.split_once(&format!("<{element}")).unwrap();
        let (_, after) = inside.split_once(&format!("</{element}>")).unwrap();
        skeleton.push_str(before);
        skeleton.push_str(&format!("<{element}>…</{element}>"));
        rest = after;
    }
    skeleton.push_str(rest);
    // The sum of a script that is built anew; `policy` looks at it.
    let (before, sum) = skeleton.split_once("'sha256-").unwrap();
    let skeleton = format!("{before}'sha256-…'{}", sum.split_once('\'').unwrap().1);
    let lines = skeleton
        .lines()
        .map(str::trim_end)
        .filter(|l| !l.is_empty());
    lines.collect::<Vec<_>>().join("\n")
}

#[test]
fn the_page() {
    insta::assert_snapshot!(skeleton(page()));
}

/// In notes as well as in sentences.
#[test]
fn names_stand_in_no_backticks_on_the_page() {
    let mut data = run().data.clone();
    let mut results = run().results.clone();
    data.plan.notes.push("`plan` was noted".to_owned());
    data.variants[0].notes.push("`made` was noted".to_owned());
    let memory = results.cells[0].memory.as_mut().unwrap();
    memory.notes.push("`memory` was noted".to_owned());
    let page = skeleton(&html::render(&data, &results).unwrap());
    for name in ["plan", "made", "memory"] {
        let told = format!("<code>{name}</code> was noted");
        assert_eq!(page.matches(&told).count(), 1, "{name}");
    }
    let plain: Vec<&str> = page.lines().filter(|line| line.contains('`')).collect();
    assert!(plain.is_empty(), "{plain:#?}");
}

#[test]
fn the_page_asks_for_nothing() {
    let skeleton = skeleton(page());
    for asking in ["src=", "@import", "url(", "http://", "https://", "//cdn"] {
        assert!(!skeleton.contains(asking), "{asking}");
    }
    let links = skeleton.matches("href=").count();
    let harmless =
        skeleton.matches("href=\"#").count() + skeleton.matches("href=\"data:,\"").count();
    assert_eq!(links, harmless);
    assert!(page().contains("default-src 'none'"));
}

#[test]
fn the_page_is_bounded() {
    assert!(page().len() < 2_000_000, "{} bytes", page().len());
    let data = page()
        .split_once("id=\"chart-data\">")
        .and_then(|(_, rest)| rest.split_once("</script>"))
        .unwrap()
        .0;
    assert!(data.len() < 600_000, "{} bytes of data", data.len());
    let charts: serde_json::Value = serde_json::from_str(data).unwrap();
    assert_eq!(charts["sections"].as_array().unwrap().len(), 2);
    assert_eq!(charts["unreadable_lines"], 0);
}

#[test]
fn the_curve_of_latency_is_that_of_the_recorded_histograms() {
    let run = run();
    let page: serde_json::Value = page()
        .split_once("id=\"chart-data\">")
        .and_then(|(_, rest)| rest.split_once("</script>"))
        .map(|(data, _)| serde_json::from_str(data).unwrap())
        .unwrap();
    let cell = &page["sections"][0]["cells"][0];
    let launches: Vec<_> = run
        .data
        .launches
        .iter()
        .filter(|l| l.record.cell == run.data.plan.cells[0].id)
        .collect();
    for curve in cell["latency"].as_array().unwrap() {
        let phases: Vec<_> = launches
            .iter()
            .flat_map(|l| &l.record.phases)
            .filter(|p| p.label == curve["phase"])
            .collect();
        let answers: u64 = phases.iter().map(|p| p.succeeded).sum();
        assert_eq!(curve["count"], answers);
        let longest = phases
            .iter()
            .map(|p| p.response_time_ms.unwrap().max)
            .fold(0.0, f64::max);
        let drawn = curve["response"].as_array().unwrap().last().unwrap()[1]
            .as_f64()
            .unwrap();
        assert!(
            (drawn - longest).abs() / longest < 2e-3,
            "{drawn} {longest}"
        );
    }
}

#[test]
fn a_hostile_name_stays_text() {
    let run = run();
    let mut data = run.data.clone();
    let hostile = "</script><script>alert(1)</script><img src=x onerror=alert(2)>";
    data.header.name = hostile.into();
    data.variants[0].notes = vec![hostile.into()];
    for cell in &mut data.plan.cells {
        cell.variant = cell.variant.replace("jar", hostile);
    }
    let mut results = run.results.clone();
    results.advice.sentence = hostile.into();
    let page = html::render(&data, &results).unwrap();
    assert!(!page.contains("<script>alert"));
    assert!(!page.contains("<img"));
    let xml = junit::render(&data, &results);
    assert!(!xml.contains("<script>") && !xml.contains("<img"));
    assert!(!markdown::render(&data, &results).contains("<script>"));
}

#[test]
fn a_run_that_was_cut_short_is_shown() {
    let mut data = run().data.clone();
    data.launches.truncate(1);
    data.header.interrupted = true;
    data.header.finished_at = None;
    let mut results = run().results.clone();
    for cell in &mut results.cells {
        cell.metrics.clear();
        cell.cost.clear();
        cell.valid = 0;
        cell.invalid = 0;
        cell.failed = 0;
    }
    results.break_evens.clear();
    let text = terminal::render(&data, &results, None, &terminal::Style::default());
    assert!(text.contains("no launches") && text.contains("ended before its last launch"));
    let page = html::render(&data, &results).unwrap();
    assert!(page.contains("ended before its last launch"));
    assert!(page.contains("not finished"));
}

fn analysed() -> Analysed {
    Analysed {
        run: run().data.clone(),
        results: run().results.clone(),
    }
}

/// What is written, as JSON.
fn exported(format: &tacho_report::Format, of: &Analysed) -> serde_json::Value {
    serde_json::from_slice(&(format.export)(of).unwrap()).unwrap()
}

#[test]
fn hyperfine_has_the_starts_of_each_cell_in_seconds() {
    let written = exported(&hyperfine::HYPERFINE, &analysed());
    let results = written["results"].as_array().unwrap();
    assert_eq!(results.len(), run().results.cells.len());
    insta::assert_snapshot!(
        "hyperfine",
        serde_json::to_string_pretty(&serde_json::json!([results[0], written["tacho"]])).unwrap()
    );
    // One launch has no spread, and no launch no result.
    let mut of = analysed();
    of.results.cells.truncate(2);
    for (left, cell) in of.results.cells.iter_mut().enumerate() {
        for metric in &mut cell.metrics {
            metric.values.truncate(left);
        }
    }
    let written = exported(&hyperfine::HYPERFINE, &of);
    let results = written["results"].as_array().unwrap();
    assert_eq!(results.len(), 1);
    assert_eq!(results[0].get("stddev"), None);
}

#[test]
fn jmh_has_every_metric_with_a_fork_for_each_launch() {
    let written = exported(&jmh::JMH, &analysed());
    let written = written.as_array().unwrap();
    let metrics = run().results.cells.iter().map(|cell| cell.metrics.len());
    assert_eq!(written.len(), metrics.sum::<usize>());
    let of = |ending: &str| {
        let is_it = |one: &&serde_json::Value| one["benchmark"].as_str().unwrap().ends_with(ending);
        written.iter().find(is_it).unwrap()
    };
    let some = [of("ready_ms"), of(".throughput"), of("peak_rss_bytes")];
    insta::assert_snapshot!("jmh", serde_json::to_string_pretty(&some).unwrap());
}

#[test]
fn csv_has_a_row_for_each_metric_of_each_cell() {
    let run = run();
    let of = analysed();
    let text = String::from_utf8((csv::CSV.export)(&of).unwrap()).unwrap();
    let metrics = run.results.cells.iter().map(|cell| cell.metrics.len());
    assert_eq!(text.lines().count(), 1 + metrics.sum::<usize>());
    let beginning: Vec<&str> = text.lines().take(12).collect();
    insta::assert_snapshot!("csv", beginning.join("\n"));
    let none = Analysed {
        results: Results {
            cells: Vec::new(),
            ..of.results
        },
        run: of.run,
    };
    let alone = String::from_utf8((csv::CSV.export)(&none).unwrap()).unwrap();
    assert_eq!(alone.trim_end(), text.lines().next().unwrap());
}

#[test]
fn each_format_has_an_option_of_its_own() {
    let mut options: Vec<&str> = FORMATS.iter().map(|format| format.option).collect();
    options.sort_unstable();
    assert_eq!(
        options,
        ["csv", "hyperfine", "jmh", "json", "junit", "markdown"]
    );
}
