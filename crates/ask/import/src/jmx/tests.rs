use super::*;
use std::time::Duration;
use tacho_workload::{Body, Check, FeedFormat, FeedOrder, Source, Think};

/// A plan with these elements in one thread group.
fn plan(elements: &str) -> String {
    format!(
        "<jmeterTestPlan><hashTree><TestPlan testname='P'/><hashTree>\
         <ThreadGroup testname='G'/><hashTree>{elements}</hashTree></hashTree></hashTree></jmeterTestPlan>"
    )
}

/// A request with these properties, and these elements below it.
fn request(name: &str, properties: &str, below: &str) -> String {
    format!(
        "<HTTPSamplerProxy testname='{name}'><stringProp name='HTTPSampler.path'>/{name}</stringProp>{properties}\
         </HTTPSamplerProxy><hashTree>{below}</hashTree>"
    )
}

fn properties(pairs: &[(&str, &str)]) -> String {
    let properties = pairs
        .iter()
        .map(|(name, value)| format!("<stringProp name='{name}'>{value}</stringProp>"));
    properties.collect()
}

fn element(kind: &str, name: &str, pairs: &[(&str, &str)]) -> String {
    format!(
        "<{kind} testname='{name}'>{}</{kind}><hashTree/>",
        properties(pairs)
    )
}

fn assertion(field: &str, bits: u32, ignore: bool, pattern: &str) -> String {
    format!(
        "<ResponseAssertion><collectionProp name='Asserion.test_strings'><stringProp name='1'>{pattern}</stringProp>\
         </collectionProp>{}</ResponseAssertion><hashTree/>",
        properties(&[
            ("Assertion.test_field", &format!("Assertion.{field}")),
            ("Assertion.test_type", &bits.to_string()),
            (
                "Assertion.assume_success",
                if ignore { "true" } else { "false" }
            ),
        ])
    )
}

fn import(elements: &str) -> Imported {
    read(plan(elements).as_bytes(), Path::new("/base")).unwrap()
}

fn notes(imported: &Imported) -> Vec<String> {
    imported.notes.iter().map(ToString::to_string).collect()
}

#[test]
fn a_wait_before_a_request_comes_after_the_one_before() {
    let pause = element(
        "TestAction",
        "Pause",
        &[
            ("ActionProcessor.action", "1"),
            ("ActionProcessor.duration", "2000"),
        ],
    );
    let timer = element("ConstantTimer", "T", &[("ConstantTimer.delay", "500")]);
    let imported = import(&[request("a", "", &timer), pause, request("b", "", "")].concat());
    let steps = &imported.workload.scenarios[0].steps;
    assert_eq!(
        steps[0].think,
        Some(Think::Constant(Duration::from_secs(2)))
    );
    assert_eq!(
        steps[1].think,
        Some(Think::Constant(Duration::from_millis(500)))
    );
    assert_eq!(
        notes(&imported),
        ["P > G: the wait before the first request comes after the last one of each round instead"]
    );
}

#[test]
fn assertions_on_the_status_become_ranges() {
    let checks = |below: &str| {
        import(&request("a", "", below)).workload.scenarios[0].steps[0]
            .checks
            .clone()
    };
    for (bits, ignore, pattern, ranges) in [
        (8, false, "200", vec![(200, 200)]),
        (
            16,
            false,
            "20",
            vec![(120, 120), (200, 209), (220, 220), (320, 320)],
        ),
        (2, false, "^2..", vec![(200, 299)]),
        (1, false, "2\\d\\d|304", vec![(200, 299), (304, 304)]),
        (12, false, "200", vec![(100, 199), (201, 399)]),
        (8, true, "404", vec![(404, 404)]),
        (8, false, "404", vec![(404, 404)]),
    ] {
        assert_eq!(
            checks(&assertion("response_code", bits, ignore, pattern)),
            [Check::Status(ranges)],
            "{bits} {pattern}"
        );
    }
    assert_eq!(checks(""), []);
    let both =
        assertion("response_code", 2, false, "^2") + &assertion("response_code", 2, false, "1$");
    assert!(matches!(&checks(&both)[..], [Check::Status(ranges)] if ranges.len() == 10));
}

#[test]
fn assertions_on_body_and_headers_become_checks() {
    for (field, bits, pattern, check) in [
        (
            "response_data",
            16,
            "a.b",
            Some(Check::BodyContains("a.b".to_owned())),
        ),
        (
            "response_data",
            20,
            "a.b",
            Some(Check::BodyLacks("a.b".to_owned())),
        ),
        (
            "response_data",
            2,
            "a.b",
            Some(Check::BodyMatches("a.b".to_owned())),
        ),
        (
            "response_data",
            1,
            "a.b",
            Some(Check::BodyMatches(r"\A(?:a.b)\z".to_owned())),
        ),
        (
            "response_data",
            8,
            "a.b",
            Some(Check::BodyMatches(r"\Aa\.b\z".to_owned())),
        ),
        ("response_data", 2, "(?=a)", None),
        ("response_data", 6, "a", None),
        (
            "response_headers",
            16,
            "X-A: b",
            Some(Check::Header("X-A".to_owned(), "b".to_owned())),
        ),
        ("response_message", 16, "OK", None),
    ] {
        let imported = import(&request("a", "", &assertion(field, bits, false, pattern)));
        let step = &imported.workload.scenarios[0].steps[0];
        assert_eq!(
            step.checks.first(),
            check.as_ref(),
            "{field} {bits} {pattern}"
        );
        assert_eq!(imported.notes.len(), usize::from(check.is_none()));
    }
}

#[test]
fn extractors_become_captures_that_later_requests_use() {
    let regex = element(
        "RegexExtractor",
        "R",
        &[
            ("RegexExtractor.refname", "my.id"),
            ("RegexExtractor.regex", "id=(\\d+)"),
            ("RegexExtractor.template", "$1$"),
        ],
    );
    let header = element(
        "RegexExtractor",
        "H",
        &[
            ("RegexExtractor.refname", "next"),
            ("RegexExtractor.useHeaders", "true"),
            ("RegexExtractor.regex", "Location: (.+)"),
        ],
    );
    let boundary = element(
        "BoundaryExtractor",
        "B",
        &[
            ("BoundaryExtractor.refname", "b"),
            ("BoundaryExtractor.lboundary", "["),
            ("BoundaryExtractor.rboundary", "]"),
        ],
    );
    let imported = import(
        &[
            request("early${my.id}", "", ""),
            request("a", "", &(regex + &header + &boundary)),
            request("b${my.id}", "", ""),
        ]
        .concat(),
    );
    let steps = &imported.workload.scenarios[0].steps;
    let sources: Vec<(&str, &Source)> = steps[1]
        .captures
        .iter()
        .map(|capture| (capture.name.as_str(), &capture.source))
        .collect();
    assert_eq!(
        sources,
        [
            ("my_id", &Source::Regex("id=(\\d+)".to_owned())),
            ("next", &Source::Header("Location".to_owned())),
            ("b", &Source::Regex("(?s)\\[(.*?)\\]".to_owned())),
        ]
    );
    assert_eq!(steps[0].path, "/early${my.id}");
    assert_eq!(steps[2].path, "/b{{raw my_id}}");
    assert_eq!(imported.notes.len(), 1);
}

#[test]
fn a_data_set_becomes_a_feed() {
    let set = element(
        "CSVDataSet",
        "D",
        &[
            ("filename", "rows.csv"),
            ("delimiter", "\\t"),
            ("variableNames", "a,b"),
            ("recycle", "false"),
            ("stopThread", "true"),
        ],
    );
    let imported = import(&(request("${b}", "", "") + &set));
    let feed = &imported.workload.feeds[0];
    assert_eq!(
        (feed.name.as_str(), feed.path.to_str()),
        ("rows", Some("/base/rows.csv"))
    );
    assert_eq!(
        feed.format,
        FeedFormat::Csv {
            delimiter: b'\t',
            columns: Some(vec!["a".to_owned(), "b".to_owned()])
        }
    );
    assert_eq!(feed.order, FeedOrder::Once);
    assert_eq!(
        imported.workload.scenarios[0].steps[0].path,
        "/{{raw rows.b}}"
    );
    assert_eq!(imported.notes, []);
}

#[test]
fn loops_repeat_their_steps() {
    let controller = format!(
        "<LoopController testname='L'><intProp name='LoopController.loops'>3</intProp></LoopController><hashTree>{}</hashTree>",
        request("a", "", "")
    );
    assert_eq!(import(&controller).workload.scenarios[0].steps.len(), 3);
    let nested = (0..12).fold(request("a", "", ""), |inner, _| {
        format!(
            "<LoopController><intProp name='LoopController.loops'>1000</intProp></LoopController><hashTree>{inner}</hashTree>"
        )
    });
    let error = read(plan(&nested).as_bytes(), Path::new("/base")).unwrap_err();
    assert!(matches!(error, ImportError::TooMuch { .. }), "{error}");
}

#[test]
fn forms_and_bodies_are_sent_as_jmeter_does() {
    let argument = |name: &str, value: &str, encode: bool| {
        format!(
            "<elementProp name='{name}' elementType='HTTPArgument'>{}<boolProp name='HTTPArgument.always_encode'>{encode}</boolProp></elementProp>",
            properties(&[("Argument.name", name), ("Argument.value", value)])
        )
    };
    let with = |method: &str, more: &str, arguments: &str| {
        let properties = format!(
            "{}{more}<elementProp name='HTTPsampler.Arguments'><collectionProp name='Arguments.arguments'>{arguments}</collectionProp></elementProp>",
            properties(&[("HTTPSampler.method", method)])
        );
        import(&request("a", &properties, "")).workload.scenarios[0].steps[0].clone()
    };
    let two = argument("b", "c d", true) + &argument("e", "f%20g", false);
    let get = with("GET", "", &two);
    assert_eq!(
        (get.path.as_str(), &get.body),
        (
            "/a?b=c%20d&amp;e=f%20g".replace("&amp;", "&").as_str(),
            &Body::None
        )
    );
    let post = with("POST", "", &two);
    assert_eq!(post.body, Body::Bytes(b"b=c%20d&e=f%20g".to_vec()));
    assert_eq!(
        post.headers,
        [(
            "Content-Type".to_owned(),
            crate::form::URLENCODED.to_owned()
        )]
    );
    let templated = with("POST", "", &argument("b", "${__UUID}", true));
    assert_eq!(templated.body, Body::Template("b={{uuid}}".to_owned()));
    let raw = with(
        "POST",
        "<boolProp name='HTTPSampler.postBodyRaw'>true</boolProp>",
        &argument("", "{{x}}", false),
    );
    assert_eq!(raw.body, Body::Bytes(b"{{x}}".to_vec()));
    let raw = with(
        "PUT",
        "<boolProp name='HTTPSampler.postBodyRaw'>true</boolProp>",
        &argument("", "{{x${__UUID}", false),
    );
    assert_eq!(
        raw.body,
        Body::Template("{{\"{{\"}}x{{raw uuid}}".to_owned())
    );
    let multipart = with(
        "POST",
        "<boolProp name='HTTPSampler.DO_MULTIPART_POST'>true</boolProp>",
        &argument("b", "${__UUID}", false),
    );
    assert!(
        matches!(&multipart.body, Body::Template(text) if text.contains("name=\"b\"\r\n\r\n{{raw uuid}}\r\n"))
    );
}

#[test]
fn the_nearest_header_and_default_win() {
    let headers = |value: &str| {
        format!(
            "<HeaderManager><collectionProp name='HeaderManager.headers'><elementProp name=''>{}</elementProp></collectionProp></HeaderManager><hashTree/>",
            properties(&[("Header.name", "X-A"), ("Header.value", value)])
        )
    };
    let defaults = element(
        "ConfigTestElement",
        "C",
        &[
            ("HTTPSampler.domain", "h.test"),
            ("HTTPSampler.protocol", "https"),
        ],
    );
    let imported = import(
        &[
            headers("outer"),
            defaults,
            request("a", "", &headers("inner")),
            request("b", "", ""),
        ]
        .concat(),
    );
    let steps = &imported.workload.scenarios[0].steps;
    assert_eq!(steps[0].headers, [("X-A".to_owned(), "inner".to_owned())]);
    assert_eq!(steps[1].headers, [("X-A".to_owned(), "outer".to_owned())]);
    assert_eq!(imported.origin.unwrap().to_string(), "https://h.test");
}

#[test]
fn a_path_may_be_a_whole_url() {
    let path = properties(&[("HTTPSampler.path", "http://h.test:81/b?c=${__UUID}#d")]);
    let elements = format!("<HTTPSamplerProxy testname='a'>{path}</HTTPSamplerProxy>");
    let imported = import(&elements);
    assert_eq!(
        imported.workload.scenarios[0].steps[0].path,
        "/b?c={{raw uuid}}"
    );
    assert_eq!(imported.origin.unwrap().to_string(), "http://h.test:81");
}

#[test]
fn several_hosts_are_refused() {
    let on = |host: &str| request("a", &properties(&[("HTTPSampler.domain", host)]), "");
    let error = read(
        plan(&(on("a.test") + &on("b.test"))).as_bytes(),
        Path::new("/base"),
    )
    .unwrap_err();
    assert!(error.to_string().contains("http://a.test, http://b.test"));
}

#[test]
fn what_is_not_understood_is_named_with_its_place() {
    let imported = import(
        &[
            request(
                "a",
                "<boolProp name='HTTPSampler.image_parser'>true</boolProp>",
                &element("JSR223PreProcessor", "Script", &[]),
            ),
            element("ResultCollector", "Tree", &[]),
            element("CacheManager", "Cache", &[]),
            format!(
                "<WhileController testname='W'/><hashTree>{}</hashTree>",
                request("b", "", "")
            ),
            format!(
                "<ModuleController testname='M'/><hashTree>{}</hashTree>",
                request("c", "", "")
            ),
            element("com.example.Strange", "", &[]),
            "<ConstantTimer enabled='false'/><hashTree/>".to_owned(),
        ]
        .concat(),
    );
    assert_eq!(
        notes(&imported),
        [
            "P > G > a > Script: the JSR223PreProcessor is left out: scripts are not run",
            "P > G > a: the images and scripts in the page are not fetched",
            "P > G > Tree: the ResultCollector is left out: Tacho writes its own results",
            "P > G > Cache: the CacheManager is left out: every request is sent, nothing is cached",
            "P > G > W: `WhileController` has no equal; what stands below it is sent each time, in its order",
            "P > G > M: `ModuleController` has no equal; it and what stands below it are left out",
            "P > G > Strange: the Strange is left out: it has no equal",
        ]
    );
}

#[test]
fn what_is_no_test_plan_is_refused() {
    for (text, start) in [
        ("", "line 1: this cannot be read as XML"),
        (
            "<html/>",
            "line 1: this cannot be read as a JMeter test plan: it begins with `<html>`",
        ),
        (
            "<jmeterTestPlan/>",
            "there is nothing to send in it: an enabled HTTP request",
        ),
    ] {
        let error = read(text.as_bytes(), Path::new("/base"))
            .unwrap_err()
            .to_string();
        assert!(error.starts_with(start), "{text}: {error}");
    }
}
