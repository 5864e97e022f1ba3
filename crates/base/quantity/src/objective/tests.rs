use super::*;
use proptest::prelude::*;

fn read(text: &str) -> Objective {
    text.parse().unwrap_or_else(|e| panic!("{e}"))
}

/// cells | phase | metric | request, and what follows.
fn shown(text: &str) -> String {
    let o = read(text);
    let part = |part: Option<Part<'_>>| part.map_or("-".to_owned(), |p| p.text().to_owned());
    let window = o.window.map_or(0, |window| window.as_secs());
    format!(
        "{}|{}|{:?}|{}|{}|{}|{}|{window}",
        part(o.cells()),
        part(o.phase()),
        o.metric,
        part(o.request()),
        o.operator,
        o.number,
        o.unit_as_written()
    )
}

/// Everything that one of the three grammars before this one read: of `run`, `fit` and `report`
/// (r), of `load` (l), of searches (s).
#[test]
fn what_was_accepted_anywhere_is_accepted() {
    for (text, is_read_as) in [
        // r, l, s
        ("p99<50ms", "-|-|Time(Response, Quantile(0.99))|-|<|50|ms|0"),
        (
            " p99.9 <= .2 s",
            "-|-|Time(Response, Quantile(0.999))|-|<=|0.2|s|0",
        ),
        ("max<=900us", "-|-|Time(Response, Max)|-|<=|900|us|0"),
        ("errors<1%", "-|-|Errors|-|<|1|%|0"),
        // r, l
        (
            "p99<5000µs",
            "-|-|Time(Response, Quantile(0.99))|-|<|5000|µs|0",
        ),
        (
            "open.p50>=2ms",
            "-|open|Time(Response, Quantile(0.5))|-|>=|2|ms|0",
        ),
        ("throughput>1000/s", "-|-|Rate|-|>|1000|/s|0"),
        (
            "v1.2.p99.9<1s",
            "-|v1.2|Time(Response, Quantile(0.999))|-|<|1|s|0",
        ),
        // r
        ("ready<2s", "-|-|Word(\"ready\")|-|<|2|s|0"),
        (
            "first_5_requests<80ms",
            "-|-|Word(\"first_5_requests\")|-|<|80|ms|0",
        ),
        ("peak_rss<=256MiB", "-|-|Word(\"peak_rss\")|-|<=|256|MiB|0"),
        ("errors<0.01", "-|-|Errors|-|<|0.01||0"),
        (
            "jar: closed.p99<1s",
            "jar|closed|Time(Response, Quantile(0.99))|-|<|1|s|0",
        ),
        (
            "ready<1s @ aot@2cpu",
            "aot@2cpu|-|Word(\"ready\")|-|<|1|s|0",
        ),
        ("aot@2cpu: ready<1s", "aot@2cpu|-|Word(\"ready\")|-|<|1|s|0"),
        (
            "service_p50<3ms",
            "-|-|Time(Service, Quantile(0.5))|-|<|3|ms|0",
        ),
        // l
        (
            "service-p99.95<3ms",
            "-|-|Time(Service, Quantile(0.9995))|-|<|3|ms|0",
        ),
        ("lag-mean<1ms", "-|-|Time(Lag, Mean)|-|<|1|ms|0"),
        ("dispatch_min<1ms", "-|-|Time(Dispatch, Min)|-|<|1|ms|0"),
        ("rate >= 1900 /s", "-|-|Rate|-|>=|1900|/s|0"),
        ("errors<=3", "-|-|Errors|-|<=|3||0"),
        (
            "ramp.p99.9 of GET /a?b=1,2:3 < 50ms over every 10s",
            "-|ramp|Time(Response, Quantile(0.999))|GET /a?b=1,2:3|<|50|ms|10",
        ),
        ("rate>5/s over any 2 min", "-|-|Rate|-|>|5|/s|120"),
        ("rate>5/s over\u{a0}any\u{a0} 2min", "-|-|Rate|-|>|5|/s|120"),
        ("errors<1% over each 60s", "-|-|Errors|-|<|1|%|60"),
        // Quantities as flags and files have them.
        ("rate>1_900rps", "-|-|Rate|-|>|1900|rps|0"),
        ("rate>10,000", "-|-|Rate|-|>|10000||0"),
        ("ready<1.5min", "-|-|Word(\"ready\")|-|<|1.5|min|0"),
        ("peak_rss<512Mi", "-|-|Word(\"peak_rss\")|-|<|512|Mi|0"),
    ] {
        assert_eq!(shown(text), is_read_as, "{text}");
    }
}

#[test]
fn a_list_is_taken_apart_at_its_commas_and_at_no_other() {
    let of = |list| objectives(list).collect::<Vec<_>>();
    assert_eq!(of("p99<50ms, errors<0.1%"), ["p99<50ms", "errors<0.1%"]);
    assert_eq!(of("rate>10,000/s,max<1s"), ["rate>10,000/s", "max<1s"]);
    assert_eq!(of("p99 of a,b<1s, p50<1s"), ["p99 of a,b<1s", "p50<1s"]);
    assert_eq!(of("p99<1s,"), ["p99<1s", ""]);
    assert_eq!(of("fast"), ["fast"]);
    assert_eq!(of(""), [""]);
}

#[test]
fn mistakes_are_shown_with_their_place_and_the_way_out() {
    let all = [
        "p99",
        "<50ms",
        "p99<",
        "p99<ms",
        "p99<1.2.3s",
        "rate>1,5/s",
        "p99<50s over 10s",
        "p99<50ms over every 500ms",
        "p99<50ms over every ten seconds",
        "p99<50ms over every 0s",
        "p101<50ms",
        "ramp.p100<50ms",
        "p99 of <1ms",
        ".p99<1s",
        ": p99<1s",
        "jar: p99<1s@",
        "",
    ]
    .map(|text| text.parse::<Objective>().unwrap_err().to_string())
    .join("\n\n");
    insta::assert_snapshot!(all);
}

#[test]
fn a_bound_has_a_unit_of_its_dimension() {
    let bound = |text: &str, dimension| read(text).bound(dimension);
    let ready = bound("ready<1.5min", Dimension::Duration).unwrap();
    assert_eq!((ready.unit.name, ready.value()), ("min", 90.0));
    let all = [
        bound("p99<50", Dimension::Duration),
        bound("p99<50mz", Dimension::Duration),
        bound("peak_rss<1MIB", Dimension::Size),
        bound("ready<5%", Dimension::Duration),
        bound("throughput>5ms", Dimension::Rate),
        bound("errors<1ms", Dimension::Share),
        bound("peak_threads<5ms", Dimension::Count),
    ]
    .map(|bound| bound.unwrap_err().to_string())
    .join("\n\n");
    insta::assert_snapshot!(all);
}

proptest! {
    #[test]
    fn no_text_makes_the_reader_panic(text in "\\PC{0,40}") {
        let read: Vec<_> = objectives(&text).map(str::parse::<Objective>).collect();
        for error in read.into_iter().filter_map(Result::err) {
            prop_assert!(!error.to_string().is_empty());
        }
    }

    #[test]
    fn what_is_printed_is_read_as_the_same(
        cells in "((jar|aot@1cpu): ?)?", phase in "([a-z]\\. ?|v1\\.2\\.)?",
        metric in "(p[0-9.]{1,4}|rate|errors|service-p99|9{1,2}|[a-z_]{1,9})", of in "( of [a-zé/,: ]{1,6})?",
        op in "[<>]=?", number in "[0-9.,_e]{1,6}", unit in "(ms|s|%|/s|KiB|)",
        over in "( over (every|any) [1-9][0-9]?(s|min|h))?", after in "(@[a-z]{1,3}( of [a-z:]{1,3})?)?",
    ) {
        if let Ok(objective) = format!("{cells}{phase}{metric}{of}{op}{number}{unit}{over}{after}").parse::<Objective>() {
            let printed = objective.to_string();
            let again: Result<Objective, _> = printed.parse();
            prop_assert_eq!(again.as_ref(), Ok(&objective), "{}", printed);
        }
    }
}
