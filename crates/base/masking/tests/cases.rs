//! What is masked and what is not, case by case.
#![allow(clippy::unwrap_used)]

use proptest::prelude::*;
use serde_json::json;
use tacho_masking::Masking;

#[test]
fn names_that_say_that_their_value_is_secret() {
    let masking = Masking::new();
    for name in [
        "PASSWORD",
        "DB_PASSWORD",
        "PGPASSWORD",
        "spring.datasource.password",
        "javax.net.ssl.keyStorePassword",
        "key-store-password",
        "passwd",
        "MYSQL_PASSWD",
        "SECRET",
        "client-secret",
        "clientSecret",
        "AWS_SECRET_ACCESS_KEY",
        "TOKEN",
        "GITHUB_TOKEN",
        "X-Auth-Token",
        "accessToken",
        "access_tokens",
        "CREDENTIALS",
        "aws.credential",
        "KEY",
        "API_KEY",
        "api-key",
        "api.key",
        "apiKey",
        "APIKey",
        "apikey",
        "x-api-key",
        "ACCESS_KEY",
        "AWS_ACCESS_KEY_ID",
        "private_key",
        "privateKeys",
        "signingKey",
        "Authorization",
        "authorization",
        "PROXY-AUTHORIZATION",
        "Proxy_Authorization",
        "X-Forwarded-Authorization",
        "Cookie",
        "cookie",
        "Set-Cookie",
        "set_cookie",
        "DB_PASS",
        "db.pwd",
        "SSH_PASSPHRASE",
        "TOKENIZER_TOKEN",
    ] {
        assert!(masking.names().is_secret(name), "{name}");
    }
}

#[test]
fn innocent_names() {
    let masking = Masking::new();
    for name in [
        "monkey",
        "MONKEY",
        "keystore-type",
        "keystore",
        "key-store",
        "javax.net.ssl.keyStore",
        "javax.net.ssl.keyStoreType",
        "keep-alive",
        "Keep-Alive",
        "keyboard",
        "keycloak.url",
        "turkey.size",
        "donkeys",
        "PATH",
        "PWD",
        "OLDPWD",
        "HOME",
        "bypass",
        "compass",
        "passenger",
        "pass",
        "author",
        "server.servlet.session.cookie.name",
        "cookies",
        "authorizations-url",
        "tokenizer",
        "TOKENIZER_THREADS",
        "name",
        "command",
        "environment",
        "hotkey_",
        "",
        "-",
        "JAVA_TOOL_OPTIONS",
    ] {
        assert!(!masking.names().is_secret(name), "{name}");
    }
}

#[test]
fn added_names_hold_however_they_are_written_and_inside_longer_ones() {
    let mut masking = Masking::new();
    masking.add_names(["licence", "X-Tenant"]);
    for name in [
        "LICENCE",
        "ACME_LICENCE",
        "acme.licence.text",
        "x_tenant",
        "xTenant",
        "XTENANT",
    ] {
        assert!(masking.names().is_secret(name), "{name}");
    }
    for name in ["licenced", "tenant", "x-tenants"] {
        assert!(!masking.names().is_secret(name), "{name}");
    }
}

#[test]
fn texts() {
    let masking = Masking::new();
    for (text, masked) in [
        ("http://me:s3cret@host/x", "http://me:***@host/x"),
        ("http://me:p@ss@host/x", "http://me:***@host/x"),
        ("https://ghp_abc@github.test/r", "https://***@github.test/r"),
        ("postgres://:pw@h", "postgres://:***@h"),
        (
            "jdbc:postgresql://h/db?user=me&password=pw&ssl=true",
            "jdbc:postgresql://h/db?user=me&password=***&ssl=true",
        ),
        (
            "jdbc:sqlserver://h:1433;user=sa;password=pw;encrypt=true",
            "jdbc:sqlserver://h:1433;user=sa;password=***;encrypt=true",
        ),
        (
            "jdbc:oracle:thin:scott/tiger@//h:1521/s",
            "jdbc:oracle:thin:scott/***@//h:1521/s",
        ),
        (
            "GET /x?access_token=abc&page=2",
            "GET /x?access_token=***&page=2",
        ),
        (
            "java -Ddb.password=pw -jar a.jar",
            "java -Ddb.password=*** -jar a.jar",
        ),
        (
            "run --password pw --port 80",
            "run --password *** --port 80",
        ),
        (
            "run --password 'p w' --port 80",
            "run --password '***' --port 80",
        ),
        ("run --quiet --api-key=abc x", "run --quiet --api-key=*** x"),
        ("DB_PASSWORD=pw ./x", "DB_PASSWORD=*** ./x"),
        (
            "curl -H 'Authorization: Bearer abc' http://h",
            "curl -H 'Authorization: ***' http://h",
        ),
        ("curl -u me:pw http://h", "curl -u me:*** http://h"),
        ("Authorization: Bearer abc", "Authorization: ***"),
        ("cookie: a=b; c=d", "cookie: ***"),
        ("sent Bearer abcdefgh12 twice", "sent Bearer *** twice"),
        (
            r#"{"user": "me", "password": "p\"w", "n": 1}"#,
            r#"{"user": "me", "password": "***", "n": 1}"#,
        ),
        ("password=***", "password=***"),
        // Nothing to hide.
        (
            "experiment.yaml:4:1: unknown key `launchs`",
            "experiment.yaml:4:1: unknown key `launchs`",
        ),
        ("unexpected token: }", "unexpected token: }"),
        (
            "send `Authorization: Basic ...` instead",
            "send `Authorization: Basic ...` instead",
        ),
        ("http://host:8080/a@b", "http://host:8080/a@b"),
        ("mail me@host.test", "mail me@host.test"),
        (
            "java -jar monkey.jar --monkey banana",
            "java -jar monkey.jar --monkey banana",
        ),
        (
            "-Djavax.net.ssl.keyStoreType=PKCS12",
            "-Djavax.net.ssl.keyStoreType=PKCS12",
        ),
        ("Keep-Alive: timeout=5", "Keep-Alive: timeout=5"),
        (
            "12:00:01 INFO started in 3.2 s",
            "12:00:01 INFO started in 3.2 s",
        ),
        ("p99<50ms", "p99<50ms"),
    ] {
        assert_eq!(masking.text(text), masked, "{text}");
    }
}

#[test]
fn words_of_a_command() {
    let words = |line: &str| line.split(' ').map(str::to_owned).collect::<Vec<_>>();
    let masking = Masking::new();
    for (line, masked) in [
        ("a --password pw --port 80", "a --password *** --port 80"),
        ("a -password pw", "a -password ***"),
        ("a --password=p&w;x -v", "a --password=*** -v"),
        ("a -Dapi.key=x,y", "a -Dapi.key=***"),
        ("a TOKEN=x", "a TOKEN=***"),
        ("a --token --verbose", "a --token --verbose"),
        ("a --url=http://u:p@h/?x=1", "a --url=http://u:***@h/?x=1"),
        ("a --user me:pw", "a --user me:***"),
        (
            "a --monkey b -Dkeystore.type=c",
            "a --monkey b -Dkeystore.type=c",
        ),
    ] {
        assert_eq!(masking.command(&words(line)).join(" "), masked);
    }
}

#[test]
fn json_keeps_its_order_and_its_numbers() {
    let masking = Masking::new();
    #[derive(serde::Serialize)]
    struct Record {
        zebra: f64,
        command: Vec<&'static str>,
        environment: serde_json::Value,
        key: &'static str,
        headers: serde_json::Value,
        nested: serde_json::Value,
        note: &'static str,
    }
    let record = Record {
        zebra: 0.1,
        command: vec!["a", "--secret", "x", "--port", "80"],
        environment: json!({"API_KEY": "x", "KEY": "x", "MONKEY": "b"}),
        key: "java.lang.String",
        headers: json!([{"name": "Cookie", "value": "x"}, {"name": "Accept", "value": "y"}]),
        nested: json!({"passwords": ["x", {"a": "x"}], "n": 1}),
        note: "ends with \"quotes\"\n",
    };
    assert_eq!(
        masking.compact_json(&record).unwrap(),
        r#"{"zebra":0.1,"command":["a","--secret","***","--port","80"],"environment":{"API_KEY":"***","KEY":"***","MONKEY":"b"},"key":"java.lang.String","headers":[{"name":"Cookie","value":"***"},{"name":"Accept","value":"y"}],"nested":{"n":1,"passwords":["***",{"a":"***"}]},"note":"ends with \"quotes\"\n"}"#
    );
}

#[test]
fn yaml_keeps_its_layout() {
    let masking = Masking::new();
    let document = "\
a: 1 # a comment: fine
# DB_PASSWORD: old
environment:
  DB_PASSWORD:   pw   # why
  API_KEY: \"k'ey\"
  TOKEN: |
    several
    lines
  URL: 'http://u:p@h/'
  EMPTY_TOKEN:
list: [--password, pw, --port, 80]
more:
  - --token
  - abc
secrets: {a: x, b: [y]}
command: 'run --api-key abc --port 1'
";
    let masked = "\
a: 1 # a comment: fine
# DB_PASSWORD: ***
environment:
  DB_PASSWORD:   '***'   # why
  API_KEY: '***'
  TOKEN: |
    ***
  URL: 'http://u:***@h/'
  EMPTY_TOKEN:
list: [--password, '***', --port, 80]
more:
  - --token
  - '***'
secrets: {a: '***', b: ['***']}
command: 'run --api-key *** --port 1'
";
    assert_eq!(masking.yaml(document), masked);
    assert_eq!(masking.yaml(masked), masked);
}

#[test]
fn what_was_once_known_as_secret_is_masked_wherever_it_stands() {
    let mut masking = Masking::new();
    masking.learn_yaml("mask: [licence]\nsubject: {environment: {DB_PASSWORD: 'hun\"ter2<', licence: abcdef}}\nrequests: [{path: /, headers: {Authorization: Bearer tokentoken, Cookie: sid=cookiecookie}}]\n");
    masking.learn_pairs([("PORT_TOKEN", "8080"), ("A_KEY", "dev")]);
    for (text, masked) in [
        ("it printed hun\"ter2<!", "it printed ***!"),
        (r#"{"a":"hun\"ter2<"}"#, r#"{"a":"***"}"#),
        ("<td>hun&quot;ter2&lt;</td>", "<td>***</td>"),
        ("/x?q=hun%22ter2%3C", "/x?q=***"),
        ("tokentoken, abcdef, cookiecookie", "***, ***, ***"),
        ("development on 8080", "development on 8080"),
    ] {
        assert_eq!(masking.known(text), masked);
    }
}

/// Each name was once looked up as far as its line went: 64 KiB took half a minute, and 16 MiB,
/// which an experiment may have, weeks.
#[test]
fn a_line_with_many_names_is_read_once() {
    let documents = [
        "a=1 ",
        "password=x&",
        "\"password\": x\"",
        "password=`x ",
        "token: x\"",
        "--a 'b ",
        "-u a:b ",
        "a://b:c@",
        "key: \"",
    ]
    .map(|piece| piece.repeat((1 << 18) / piece.len()));
    let (done, is_done) = std::sync::mpsc::channel();
    // A thread, so that what would go on for ever ends with the test.
    std::thread::spawn(move || {
        let masking = Masking::new();
        for document in documents {
            let masked = masking.text(&document);
            let _ = done.send((document[..12].to_owned(), masked.contains("=x&")));
        }
    });
    for _ in 0..9 {
        let (document, shown) = is_done
            .recv_timeout(std::time::Duration::from_secs(60))
            .unwrap();
        assert!(!shown, "{document}");
    }
}

#[test]
fn what_is_no_yaml_is_masked_line_by_line() {
    let masking = Masking::new();
    let broken = "a: [1\nDB_PASSWORD: pw\n  b: {x --password pw2\n";
    let masked = masking.yaml(broken);
    assert!(!masked.contains("pw"), "{masked}");
}

proptest! {
    #[test]
    fn any_document_is_masked_without_a_fault(text in any::<String>(), more in "[a-z:\\-#\\n |>'\"\\[\\]{}&*!,=@/]{0,80}") {
        let masking = Masking::new();
        for text in [text, more] {
            let _ = masking.yaml(&text);
            let _ = masking.text(&text);
            let written = masking.compact_json(&text).unwrap();
            prop_assert!(serde_json::from_str::<String>(&written).is_ok());
        }
    }

    #[test]
    fn a_secret_in_yaml_is_never_left(secret in "[A-Z0-9]{12}", name in "(DB_PASSWORD|api-key|token|Authorization)") {
        let masking = Masking::new();
        for document in [
            format!("a:\n  {name}: {secret}\n"),
            format!("a: {{{name}: {secret}, b: 1}}\n"),
            format!("a: [--{name}, {secret}]\n"),
            format!("a: ['--{name}={secret}']\n"),
            format!("a:\n  {name}: >-\n    {secret}\n    {secret}\nb: 1\n"),
            format!("# {name}={secret}\na: 1"),
        ] {
            let masked = masking.yaml(&document);
            prop_assert!(!masked.contains(&secret), "{}", masked);
        }
    }
}
