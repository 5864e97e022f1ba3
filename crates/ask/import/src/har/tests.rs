use super::*;
use serde_json::{Value, json};
use tacho_workload::{Body, Check};

fn entry(method: &str, url: &str) -> Value {
    json!({
        "startedDateTime": "2026-01-02T03:04:05Z",
        "request": {"method": method, "url": url, "headers": []},
        "response": {"status": 200, "headers": []},
    })
}

fn read_with(entries: &[Value], options: &HarOptions) -> Result<Imported, ImportError> {
    let file = json!({"log": {"version": "1.2", "entries": entries}});
    read_har(file.to_string().as_bytes(), Path::new("/nowhere"), options)
}

fn read(entries: &[Value]) -> Imported {
    read_with(entries, &HarOptions::default()).unwrap()
}

/// A request of which these fields are recorded.
fn posted(path: &str, request: Value) -> Value {
    let mut entry = entry("POST", &format!("http://a.example/{path}"));
    for (key, value) in request.as_object().unwrap() {
        entry["request"][key] = value.clone();
    }
    entry
}

fn length(bytes: &str) -> Value {
    json!([{"name": "content-length", "value": bytes}])
}

fn bodies(imported: &Imported) -> Vec<Body> {
    let steps = &imported.workload.scenarios[0].steps;
    steps.iter().map(|step| step.body.clone()).collect()
}

fn sent(imported: &Imported) -> Vec<String> {
    let steps = &imported.workload.scenarios[0].steps;
    steps
        .iter()
        .map(|step| format!("{} {}", step.method, step.path))
        .collect()
}

fn told(imported: &Imported) -> String {
    let notes: Vec<String> = imported.notes.iter().map(ToString::to_string).collect();
    notes.join("\n")
}

#[test]
fn requests_are_in_the_order_of_their_times_over_zones() {
    let mut late = entry("GET", "http://a.example/late");
    late["startedDateTime"] = json!("2026-01-02T03:04:06.0000001Z");
    let mut early = entry("GET", "http://a.example/early");
    early["startedDateTime"] = json!("2026-01-02T04:04:05+01:00");
    let mut timeless = entry("GET", "http://a.example/timeless");
    timeless["startedDateTime"] = json!("yesterday");
    assert_eq!(
        sent(&read(&[late, early, timeless])),
        ["GET /early", "GET /timeless", "GET /late"]
    );
}

#[test]
fn what_no_server_saw_is_left_out_with_its_reason() {
    let with = |key: &str, value: Value| {
        let mut entry = entry("GET", "http://a.example/x");
        entry[key] = value;
        entry
    };
    let mut failed = entry("GET", "http://a.example/failed");
    failed["response"] = json!({"status": 0, "_error": "net::ERR_ABORTED"});
    let imported = read(&[
        entry("GET", "http://a.example/kept"),
        with("_fromCache", json!("disk")),
        with("_fetchType", json!("Memory Cache")),
        with("_fetchType", json!("Service Worker")),
        with("_wasFulfilled", json!(true)),
        failed,
        entry("GET", "data:text/plain,hello"),
        entry("CONNECT", "https://a.example:443"),
        entry("GET", "wss://a.example/socket"),
        entry("GET", "chrome-extension://abc/x.js"),
    ]);
    assert_eq!(sent(&imported), ["GET /kept"]);
    let told = told(&imported);
    for reason in [
        "disk cache",
        "memory cache",
        "service worker",
        "by the test",
        "net::ERR_ABORTED",
        "holds the data itself",
        "tunnel",
        "socket",
        "chrome-extension",
    ] {
        assert!(told.contains(reason), "{reason}: {told}");
    }
}

#[test]
fn a_body_is_sent_whole_or_not_at_all() {
    let imported = read(&[
        posted(
            "text",
            json!({"postData": {"mimeType": "text/plain", "text": "{{no template}}"}}),
        ),
        posted("lost", json!({"headers": length("48211"), "bodySize": 0})),
        posted(
            "part",
            json!({"headers": length("48633"), "postData": {"mimeType": "multipart/form-data; boundary=b", "text": "--b\r\n"}}),
        ),
        posted("empty", json!({"headers": length("0"), "bodySize": 0})),
        posted(
            "form",
            json!({"postData": {"mimeType": "application/x-www-form-urlencoded", "params": [{"name": "a b", "value": "ü"}, {"name": "c"}]}}),
        ),
        posted(
            "binary",
            json!({"_content": {"text": "AAEC", "encoding": "base64"}}),
        ),
        posted(
            "elsewhere",
            json!({"postData": {"_file": "../../etc/passwd"}}),
        ),
        posted(
            "firefox",
            json!({"postData": {"mimeType": "multipart/form-data; boundary=b", "text": "Content-Length: 7\r\n\r\n--b--\r\n"}}),
        ),
    ]);
    assert_eq!(
        sent(&imported),
        [
            "POST /text",
            "POST /empty",
            "POST /form",
            "POST /binary",
            "POST /firefox"
        ]
    );
    let steps = &imported.workload.scenarios[0].steps;
    assert_eq!(steps[0].body, Body::Bytes(b"{{no template}}".to_vec()));
    assert_eq!(
        steps[0].headers,
        [("Content-Type".to_owned(), "text/plain".to_owned())]
    );
    assert_eq!(steps[1].body, Body::None);
    assert_eq!(steps[2].body, Body::Bytes(b"a%20b=%C3%BC&c=".to_vec()));
    assert_eq!(steps[3].body, Body::Bytes(vec![0, 1, 2]));
    assert_eq!(steps[4].body, Body::Bytes(b"--b--\r\n".to_vec()));
    let told = told(&imported);
    assert!(
        told.contains("48211 bytes is not in the recording"),
        "{told}"
    );
    assert!(told.contains("5 of the 48633 bytes"), "{told}");
    assert!(told.contains("elsewhere"), "{told}");
}

/// Chrome and Safari write each byte of a body that is no text as a character.
#[test]
fn a_body_that_is_no_text_is_sent_byte_for_byte_or_not_at_all() {
    let of_length = |path: &str, bytes: &str, data: Value| {
        posted(path, json!({"headers": length(bytes), "postData": data}))
    };
    let form = "application/x-www-form-urlencoded";
    let imported = read(&[
        of_length("bytes", "4", json!({"text": "\0\u{80}\u{ff}a"})),
        of_length("text", "3", json!({"text": "üa"})),
        of_length("replaced", "2", json!({"text": "\u{fffd}a"})),
        of_length("changed", "3", json!({"text": "abcd"})),
        // Spelled otherwise: `a=b+c`.
        of_length(
            "form",
            "5",
            json!({"mimeType": form, "params": [{"name": "a", "value": "b c"}]}),
        ),
    ]);
    assert_eq!(sent(&imported), ["POST /bytes", "POST /text", "POST /form"]);
    assert_eq!(
        bodies(&imported),
        [
            Body::Bytes(vec![0, 0x80, 0xff, b'a']),
            Body::Bytes("üa".into()),
            Body::Bytes(b"a=b%20c".to_vec()),
        ]
    );
    let told = told(&imported);
    for reason in [
        "its body has 4 bytes, and content-length says 2",
        "its body has 4 bytes, and content-length says 3",
    ] {
        assert!(told.contains(reason), "{reason}: {told}");
    }
}

#[test]
fn a_form_that_is_only_listed_is_left_out() {
    let parts = json!({
        "mimeType": "multipart/form-data; boundary=b",
        "params": [{"name": "title", "value": "a"}, {"name": "photo", "fileName": "a.jpg"}],
    });
    let imported = read(&[
        posted("listed", json!({"postData": parts})),
        posted("unknown", json!({"bodySize": -1, "postData": parts})),
        posted(
            "empty",
            json!({"headers": length("0"), "postData": {"mimeType": "", "params": []}}),
        ),
        posted(
            "nothing",
            json!({"postData": {"mimeType": "", "params": []}}),
        ),
    ]);
    assert_eq!(sent(&imported), ["POST /empty", "POST /nothing"]);
    let told = told(&imported);
    let listed = told.matches("only lists the fields of its form (2)");
    assert_eq!(listed.count(), 2, "{told}");
}

/// Firefox writes them before the text of a form.
#[test]
fn headers_before_a_form_are_no_part_of_it() {
    let form = |text: &str| {
        let kind = "application/x-www-form-urlencoded";
        posted("x", json!({"postData": {"mimeType": kind, "text": text}}))
    };
    let imported = read(&[
        form("Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 7\r\n\r\na=1&b=2"),
        form("Content-Length: 3\r\n\r\nc=3"),
        // Any other lines are what was sent.
        form("note: a\r\n\r\nb"),
    ]);
    assert_eq!(
        bodies(&imported),
        [
            Body::Bytes(b"a=1&b=2".to_vec()),
            Body::Bytes(b"c=3".to_vec()),
            Body::Bytes(b"note: a\r\n\r\nb".to_vec()),
        ]
    );
}

#[test]
fn headers_of_a_connection_and_tickets_are_not_copied() {
    let mut one = entry("GET", "http://a.example/one");
    one["request"]["headers"] = json!([
        {"name": ":authority", "value": "a.example"},
        {"name": "Host", "value": "a.example"},
        {"name": "Connection", "value": "keep-alive"},
        {"name": "Proxy-Authorization", "value": "Basic x"},
        {"name": "Accept", "value": "*/*"},
        {"name": "Authorization", "value": "Bearer token"},
    ]);
    let mut two = entry("GET", "http://a.example/two");
    two["request"]["headers"] = json!([{"name": "Authorization", "value": "Negotiate YII"}]);
    let imported = read(&[one, two]);
    let steps = &imported.workload.scenarios[0].steps;
    assert_eq!(steps.len(), 1);
    let names: Vec<&str> = steps[0]
        .headers
        .iter()
        .map(|(name, _)| name.as_str())
        .collect();
    assert_eq!(names, ["Accept", "Authorization"]);
    let told = told(&imported);
    assert!(
        told.contains("Negotiate") && !told.contains("YII"),
        "{told}"
    );
}

#[test]
fn cookies_of_answers_are_left_to_the_jar_and_none_go_to_another_host() {
    let mut login = entry("POST", "http://a.example/login");
    login["request"]["headers"] = json!([{"name": "cookie", "value": "consent=yes"}]);
    login["response"]["headers"] = json!([{"name": "set-cookie", "value": "sid=1; Path=/"}]);
    let mut home = entry("GET", "http://a.example/home");
    home["request"]["headers"] = json!([{"name": "cookie", "value": "consent=yes; sid=1"}]);
    let entries = [login, home];
    let imported = read(&entries);
    assert!(imported.workload.cookies);
    for step in &imported.workload.scenarios[0].steps {
        assert_eq!(
            step.headers,
            [("Cookie".to_owned(), "consent=yes".to_owned())]
        );
    }
    let base = Some("http://127.0.0.1:8080".parse().unwrap());
    let imported = read_with(&entries, &HarOptions { base }).unwrap();
    assert_eq!(
        imported.origin.as_ref().unwrap().to_string(),
        "http://127.0.0.1:8080"
    );
    for step in &imported.workload.scenarios[0].steps {
        assert_eq!(step.headers, []);
    }
    assert!(told(&imported).contains("are not sent to another host"));
}

#[test]
fn cookies_of_answers_to_what_is_not_sent_are_sent_as_recorded() {
    let setting = |url: &str, cookie: &str| {
        let mut entry = entry("GET", url);
        entry["response"]["headers"] = json!([{"name": "Set-Cookie", "value": cookie}]);
        entry
    };
    let mut cached = setting("http://a.example/cached", "theme=dark");
    cached["_fromCache"] = json!("disk");
    let mut home = setting("http://a.example/home", "seen=1");
    home["request"]["headers"] = json!([{"name": "Cookie", "value": "sid=1; theme=dark"}]);
    let mut again = entry("GET", "http://a.example/again");
    again["request"]["headers"] = json!([{"name": "Cookie", "value": "sid=1; theme=dark; seen=1"}]);
    let other = setting("https://login.example/", "sid=1; Domain=example");
    let imported = read(&[other.clone(), cached.clone(), home, again]);
    assert_eq!(sent(&imported), ["GET /home", "GET /again"]);
    for step in &imported.workload.scenarios[0].steps {
        let cookies = ("Cookie".to_owned(), "sid=1; theme=dark".to_owned());
        assert_eq!(step.headers, [cookies]);
    }
    assert!(imported.workload.cookies);
    let plain = |path: &str| entry("GET", &format!("http://a.example/{path}"));
    let imported = read(&[other, cached, plain("1"), plain("2")]);
    assert!(!imported.workload.cookies);
}

#[test]
fn one_host_is_asked_and_others_are_named() {
    let entries = [
        entry("GET", "https://ads.example/pixel"),
        entry("GET", "http://a.example/1"),
        entry("GET", "http://a.example/2"),
    ];
    let imported = read(&entries);
    assert_eq!(sent(&imported), ["GET /1", "GET /2"]);
    assert!(told(&imported).contains("https://ads.example is another host"));
    let nothing = read_with(&[], &HarOptions::default())
        .unwrap_err()
        .to_string();
    assert!(nothing.contains("nothing to send"), "{nothing}");
    let empty = read_har(b"\n", Path::new("/nowhere"), &HarOptions::default());
    let empty = empty.unwrap_err().to_string();
    assert!(
        empty.starts_with("the HAR file is empty; export the recording again"),
        "{empty}"
    );
}

#[test]
fn a_refusal_that_was_recorded_is_no_failure() {
    let mut refused = entry("GET", "http://a.example/missing");
    refused["response"]["status"] = json!(404);
    let imported = read(&[refused, entry("GET", "http://a.example/")]);
    let steps = &imported.workload.scenarios[0].steps;
    assert_eq!(
        steps[0].checks,
        [Check::Status(vec![(100, 399), (404, 404)])]
    );
    assert_eq!(steps[1].checks, []);
}

/// Answers are not read: they may hold what is no text, such as half of a character.
#[test]
fn an_answer_that_is_no_text_is_passed_over() {
    let text = r#"{"log": {"entries": [{
        "request": {"method": "GET", "url": "http://a.example/", "headers": []},
        "response": {"status": 200, "content": {"text": "\udc89"}}}]}}"#;
    let read = read_har(text.as_bytes(), Path::new("/"), &HarOptions::default());
    assert_eq!(sent(&read.unwrap()), ["GET /"]);
}
