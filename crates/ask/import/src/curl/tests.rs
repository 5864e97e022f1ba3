use super::*;
use crate::imported::HttpVersion;
use std::time::Duration;
use tacho_workload::{Body, Step};

fn import(script: &str) -> Imported {
    read(script.as_bytes(), Path::new("/base")).unwrap()
}

fn step(script: &str) -> Step {
    let mut imported = import(script);
    assert_eq!(imported.workload.scenarios.len(), 1, "{script}");
    imported.workload.scenarios.remove(0).steps.remove(0)
}

fn header<'a>(step: &'a Step, name: &str) -> Option<&'a str> {
    let mut found = step
        .headers
        .iter()
        .filter(|(n, _)| n.eq_ignore_ascii_case(name));
    let value = found.next().map(|(_, value)| value.as_str());
    assert!(found.next().is_none(), "{name} stands twice");
    value
}

fn body(step: &Step) -> &str {
    match &step.body {
        Body::Bytes(bytes) => std::str::from_utf8(bytes).unwrap(),
        other => panic!("{other:?}"),
    }
}

#[test]
fn the_method_follows_from_the_options() {
    for (arguments, method) in [
        ("", "GET"),
        ("-I", "HEAD"),
        ("-d a=1", "POST"),
        ("-F a=1", "POST"),
        ("--json '{}'", "POST"),
        ("-G -d a=1", "GET"),
        ("-T file", "PUT"),
        ("-X PATCH -d a=1", "PATCH"),
        ("-XDELETE", "DELETE"),
        ("-sSLXDELETE", "DELETE"),
        ("--request OPTIONS", "OPTIONS"),
    ] {
        assert_eq!(
            step(&format!("curl {arguments} http://a/b")).method,
            method,
            "{arguments}"
        );
    }
}

#[test]
fn data_is_joined_like_a_form() {
    let step = step(
        "curl http://a -d x=1 --data-raw '@y' --data-urlencode 'z=a b&c' --data-urlencode '=d e'",
    );
    assert_eq!(body(&step), "x=1&@y&z=a+b%26c&d+e");
    assert_eq!(header(&step, "content-type"), Some(crate::form::URLENCODED));
}

#[test]
fn json_is_joined_as_it_is_and_says_so() {
    let step = step("curl http://a --json '{\"a\":' --json '1}'");
    assert_eq!(body(&step), "{\"a\":1}");
    assert_eq!(header(&step, "content-type"), Some("application/json"));
    assert_eq!(header(&step, "accept"), Some("application/json"));
}

#[test]
fn data_goes_into_the_query_with_g() {
    let step = step("curl -G 'http://a/b?c=1' -d 'd=e f' --url-query 'g=h i' --url-query +j=k");
    assert_eq!(step.path, "/b?c=1&g=h+i&j=k&d=e%20f");
    assert_eq!(step.body, Body::None);
}

#[test]
fn files_are_read_as_curl_reads_them() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("f"), "a\r\nb\n").unwrap();
    let steps = |script: &str| {
        let imported = read(script.as_bytes(), folder.path()).unwrap();
        imported.workload.scenarios[0].steps[0].clone()
    };
    assert_eq!(body(&steps("curl http://a -d @f")), "ab");
    assert_eq!(
        body(&steps("curl http://a -d x=1 --data-binary @f")),
        "x=1&a\r\nb\n"
    );
    assert_eq!(
        body(&steps("curl http://a --data-urlencode n@f")),
        "n=a%0D%0Ab%0A"
    );
    assert_eq!(
        steps("curl http://a --data-binary @f").body,
        Body::File(folder.path().join("f"))
    );
    let upload = steps("curl -T f http://a/folder/");
    assert_eq!(
        (upload.path.as_str(), &upload.body),
        ("/folder/f", &Body::File(folder.path().join("f")))
    );
    let form = steps("curl http://a -F 'up=@f;type=text/x;filename=\"g\"' -F 'in=<f'");
    assert!(
        body(&form)
            .contains("name=\"up\"; filename=\"g\"\r\nContent-Type: text/x\r\n\r\na\r\nb\n\r\n")
    );
    assert!(body(&form).contains("name=\"in\"\r\n\r\na\r\nb\n\r\n"));
}

#[test]
fn a_file_that_is_missing_is_named() {
    let error = read(b"curl http://a \\\n-d @missing", Path::new("/base")).unwrap_err();
    assert!(
        error
            .to_string()
            .starts_with("line 2: the file `/base/missing` cannot be used: ")
    );
}

#[test]
fn a_form_has_its_parts_and_boundary() {
    let plain = step(
        "curl http://a -F 'a=\"b;c\"' -F 'd=e;type=text/html; charset=UTF-8' --form-string 'f=@g;type=h'",
    );
    assert_eq!(
        header(&plain, "content-type"),
        Some("multipart/form-data; boundary=tacho-boundary-0")
    );
    assert!(body(&plain).contains("name=\"a\"\r\n\r\nb;c\r\n"));
    assert!(
        body(&plain).contains("name=\"d\"\r\nContent-Type: text/html; charset=UTF-8\r\n\r\ne\r\n")
    );
    assert!(body(&plain).contains("name=\"f\"\r\n\r\n@g;type=h\r\n"));
    let own = step("curl http://a -F a=b -H 'Content-Type: multipart/mixed'");
    assert_eq!(
        header(&own, "content-type"),
        Some("multipart/mixed; boundary=tacho-boundary-0")
    );
}

#[test]
fn headers_are_added_emptied_and_removed() {
    let step = step(
        "curl http://a -H 'X-A:  b ' -H 'X-Empty;' -H 'Accept:' -H ':authority: a' -d x -H 'Content-Type:'",
    );
    assert_eq!(
        step.headers,
        [
            ("X-A".to_owned(), "b".to_owned()),
            ("X-Empty".to_owned(), String::new())
        ]
    );
}

#[test]
fn options_that_stand_for_headers() {
    let step = step(
        "curl http://ann:x@a -u bob:pw -A me -e 'http://r;auto' -r 0-9 -b a=1 -b b=2 --compressed",
    );
    assert_eq!(header(&step, "authorization").unwrap(), basic(b"bob:pw"));
    assert_eq!(header(&step, "user-agent"), Some("me"));
    assert_eq!(header(&step, "referer"), Some("http://r"));
    assert_eq!(header(&step, "range"), Some("bytes=0-9"));
    assert_eq!(header(&step, "cookie"), Some("a=1; b=2"));
    assert_eq!(
        header(&step, "accept-encoding"),
        Some("deflate, gzip, br, zstd")
    );
    assert_eq!(header(&step, "accept"), Some("*/*"));
}

fn basic(text: &[u8]) -> String {
    crate::basic::authorization(text)
}

#[test]
fn authorization_comes_from_the_url_or_a_token() {
    let from_url = step("curl http://ann:x@a");
    assert_eq!(header(&from_url, "authorization").unwrap(), basic(b"ann:x"));
    let token = step("curl http://a --oauth2-bearer t");
    assert_eq!(header(&token, "authorization"), Some("Bearer t"));
    let own = step("curl http://a -u a:b -H 'authorization: c'");
    assert_eq!(header(&own, "authorization"), Some("c"));
}

#[test]
fn the_connection_is_as_asked_for() {
    let imported = import(
        "curl -k --cacert ca.pem --cert c.pem --key k.pem --http2 -m 2.5 --connect-timeout 1 --unix-socket /s http://a",
    );
    assert_eq!(
        imported.connection,
        Connection {
            insecure: true,
            ca: Some("/base/ca.pem".into()),
            certificate: Some("/base/c.pem".into()),
            key: Some("/base/k.pem".into()),
            unix_socket: Some("/s".into()),
            http_version: Some(HttpVersion::Http2),
            connect_timeout: Some(Duration::from_secs(1)),
            timeout: Some(Duration::from_millis(2500)),
        }
    );
    assert_eq!(imported.notes.len(), 1);
    assert!(imported.notes[0].text.contains("--insecure"));
}

#[test]
fn redirects_and_cookies_are_followed_when_asked() {
    assert_eq!(import("curl http://a").workload.redirects, 0);
    assert_eq!(import("curl -L http://a").workload.redirects, 50);
    assert_eq!(
        import("curl -L --max-redirs 3 http://a").workload.redirects,
        3
    );
    assert!(!import("curl -b a=1 http://a").workload.cookies);
    assert!(import("curl -c jar http://a").workload.cookies);
    assert!(import("curl -b '' http://a").workload.cookies);
}

#[test]
fn several_commands_and_urls_are_several_requests() {
    let imported = import(
        "#!/bin/sh\nset -e\n$ curl http://a/1 http://a/2 --next -d x http://a/3 | jq .\nA=1 time /usr/bin/curl -s a/4\n",
    );
    let names: Vec<&str> = imported
        .workload
        .scenarios
        .iter()
        .map(|scenario| scenario.name.as_str())
        .collect();
    assert_eq!(names, ["GET /1", "GET /2", "POST /3", "GET /4"]);
    let notes: Vec<String> = imported.notes.iter().map(ToString::to_string).collect();
    assert_eq!(
        notes,
        [
            "line 2: `set` is not curl; left out",
            "line 3: `jq` is not curl; left out"
        ]
    );
}

#[test]
fn what_is_not_carried_out_is_noted() {
    for (arguments, part) in [
        ("-x http://proxy:3128", "`-x` is not used: no proxy"),
        ("--resolve a:80:127.0.0.1", "`--resolve` is not used"),
        ("--digest", "only Basic and Bearer"),
        ("--from-the-future", "`--from-the-future` is not known"),
        ("-!", "`-!` is not known"),
        (
            "-b cookies.txt",
            "the cookies in the file `cookies.txt` are not sent",
        ),
        ("-H @headers", "headers in a file"),
        ("-d @-", "standard input is not read"),
        ("-H \"X: $TOKEN\"", "a shell would replace"),
        ("--cert c.pem:secret", "pass phrase"),
        ("http://a/[1-3]", "braces or brackets"),
        ("http://a/b/../c", "dots in the path"),
        ("--max-redirs -1", "usual bound"),
        ("-F 'a=b;c'", "more than its type and file name"),
    ] {
        let notes = import(&format!("curl {arguments} http://a")).notes;
        assert!(
            notes.iter().any(|note| note.text.contains(part)),
            "{arguments}: {notes:?}"
        );
    }
}

#[test]
fn harmless_options_are_silent() {
    let imported = import(
        "curl -sSvfiN# -o /dev/null -w '%{http_code}' -D - --no-progress-meter --globoff --path-as-is http://a/{b}/../c 2>&1",
    );
    assert_eq!(imported.notes, []);
}

#[test]
fn what_cannot_be_used_is_refused() {
    for (script, start) in [
        ("", "there is nothing to send"),
        ("wget http://a", "there is nothing to send"),
        ("curl", "there is nothing to send"),
        ("curl ftp://a", "line 1: `ftp://a`"),
        (
            "curl http://a http://b",
            "the input sends to several origins: http://a, http://b;",
        ),
        (
            "curl http://a -H",
            "line 1: this cannot be read as a curl command line: `-H` needs a value",
        ),
        (
            "curl http://a -H 'a b'",
            "line 1: this cannot be read as a curl command line: `a b` is no header",
        ),
        (
            "curl http://a -H $'a: b\\nc: d'",
            "line 1: this cannot be read as a curl command line",
        ),
        (
            "curl http://a -X 'G T'",
            "line 1: this cannot be read as a curl command line: `G T` is no method",
        ),
        (
            "curl http://a -m soon",
            "line 1: this cannot be read as a curl command line: `soon` is no number",
        ),
        (
            "curl http://a -F x",
            "line 1: this cannot be read as a curl command line: a form part",
        ),
        (
            "curl ^\"http://a^\" ^",
            "this is a command line for the Windows command prompt",
        ),
    ] {
        let error = read(script.as_bytes(), Path::new("/base"))
            .unwrap_err()
            .to_string();
        assert!(error.starts_with(start), "{script}: {error}");
    }
}

#[test]
fn braces_are_no_placeholders() {
    let step = step("curl -g 'http://a/{{b}}' -H 'X: {{c}}' -d '{{d}}'");
    assert_eq!(step.path, "/{{\"{{\"}}b}}");
    assert_eq!(header(&step, "x"), Some("{{\"{{\"}}c}}"));
    assert_eq!(body(&step), "{{d}}");
}

#[test]
fn many_urls_with_one_large_body_are_refused() {
    let script = format!("curl -d {} {}", "x".repeat(1 << 20), "a ".repeat(300));
    let error = read(script.as_bytes(), Path::new("/base")).unwrap_err();
    assert!(matches!(error, ImportError::TooMuch { .. }));
}
