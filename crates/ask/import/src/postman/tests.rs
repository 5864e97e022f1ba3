use super::*;
use serde_json::{Value, json};
use tacho_workload::{Body, Check, Step};

fn read_with(collection: &Value, options: &PostmanOptions) -> Result<Imported, ImportError> {
    let text = collection.to_string();
    read_postman(text.as_bytes(), Path::new("/nowhere"), options)
}

fn read(collection: &Value) -> Imported {
    read_with(collection, &PostmanOptions::default()).unwrap()
}

fn request(name: &str, request: Value) -> Value {
    json!({"name": name, "request": request})
}

fn items(items: &[Value]) -> Value {
    json!({"info": {"name": "Shop"}, "item": items})
}

fn steps(imported: &Imported) -> &[Step] {
    &imported.workload.scenarios[0].steps
}

fn sent(imported: &Imported) -> Vec<String> {
    let steps = steps(imported).iter();
    steps
        .map(|step| format!("{} {}", step.method, step.path))
        .collect()
}

fn told(imported: &Imported) -> String {
    let notes: Vec<String> = imported.notes.iter().map(ToString::to_string).collect();
    notes.join("\n")
}

#[test]
fn folders_are_sent_in_their_order_under_their_names() {
    let imported = read(&items(&[
        json!({"name": "Orders", "item": [
            request("List", json!("http://a.example/orders")),
            {"name": "Admin", "item": [request("Purge", json!({
                "method": "delete", "url": "http://a.example/orders"}))]},
        ]}),
        request("Ping", json!({"url": "http://a.example/ping"})),
        json!({"name": "Empty", "item": []}),
    ]));
    assert_eq!(
        sent(&imported),
        ["GET /orders", "DELETE /orders", "GET /ping"]
    );
    let names: Vec<&str> = steps(&imported).iter().map(|s| s.name.as_str()).collect();
    assert_eq!(names, ["Orders / List", "Orders / Admin / Purge", "Ping"]);
    assert_eq!(imported.workload.scenarios[0].name, "Shop");
    assert_eq!(
        imported.origin.as_ref().unwrap().to_string(),
        "http://a.example"
    );
    assert_eq!(imported.notes, []);
}

#[test]
fn cookies_and_redirects_are_kept_and_followed_unless_said_otherwise() {
    let imported = read(&items(&[request("a", json!("http://a.example/"))]));
    assert!(imported.workload.cookies && !imported.connection.insecure);
    assert_eq!(imported.workload.redirects, 10);
    let mut collection = items(&[request("a", json!("http://a.example/"))]);
    collection["protocolProfileBehavior"] =
        json!({"followRedirects": false, "disableCookies": true, "strictSSL": false});
    let imported = read(&collection);
    assert!(!imported.workload.cookies && imported.connection.insecure);
    assert_eq!(imported.workload.redirects, 0);
    let mut follows = request("b", json!("http://a.example/"));
    follows["protocolProfileBehavior"] = json!({"followRedirects": true});
    collection["item"].as_array_mut().unwrap().push(follows);
    let imported = read(&collection);
    assert_eq!(imported.workload.redirects, 10);
    assert!(told(&imported).contains("some requests follow redirects and some do not"));
}

#[test]
fn authorization_is_inherited_and_its_secrets_are_known() {
    let bearer = |token: &str| json!({"type": "bearer", "bearer": {"token": token}});
    let mut collection = items(&[
        request(
            "inherits",
            json!({"url": "http://a.example/1", "auth": null}),
        ),
        json!({"name": "Open", "auth": {"type": "noauth"}, "item": [
            request("none", json!("http://a.example/2")),
            request("own", json!({"url": "http://a.example/3", "auth": bearer("own-token")})),
        ]}),
        request(
            "typed",
            json!({"url": "http://a.example/4",
            "header": [{"key": "Authorization", "value": "typed"}]}),
        ),
    ]);
    collection["auth"] = bearer("{{token}}");
    collection["variable"] = json!([{"key": "token", "value": "of-all"}]);
    let imported = read(&collection);
    let headers: Vec<Option<&str>> = steps(&imported)
        .iter()
        .map(|step| step.headers.first().map(|(_, value)| value.as_str()))
        .collect();
    let all = Some("Bearer of-all");
    assert_eq!(headers, [all, None, Some("Bearer own-token"), all]);
    assert!(told(&imported).contains("typed: a header that was typed by hand"));
    for secret in ["of-all", "own-token"] {
        assert!(imported.secrets.iter().any(|s| s == secret), "{secret}");
    }
    assert!(!told(&imported).contains("of-all"));
}

#[test]
fn a_request_without_its_values_is_left_out_with_all_their_names() {
    let script = |listen: &str, line: &str| json!([{"listen": listen, "script": {"exec": [line]}}]);
    let mut login = request(
        "Log in",
        json!({"method": "POST", "url": "http://a.example/login"}),
    );
    login["event"] = script(
        "test",
        "pm.environment.set(\"token\", pm.response.json().t);",
    );
    let mut signed = request(
        "Pay",
        json!({"url": "http://a.example/pay/{{id}}",
            "header": [{"key": "X-Token", "value": "{{token}}"}, {"key": "X", "value": "{{around}}"}],
            "body": {"mode": "graphql", "graphql": {"variables": "{{$randomCity}} {{$randomIntt}}"}},
            "method": "POST"}),
    );
    signed["event"] = script(
        "prerequest",
        "sign(); pm.execution.setNextRequest(\"Log in\");",
    );
    let mut collection = items(&[login, signed]);
    collection["item"]
        .as_array_mut()
        .unwrap()
        .push(json!({"name": "Reset",
        "event": script("test", "pm.globals.set('page', 2)"),
        "request": {"method": "PUT", "url": "http://a.example/pages/{{page}}?color=#fff"}}));
    collection["variable"] = json!({"id": "", "around": "{{around}}", "page": 1});
    let imported = read(&collection);
    assert_eq!(sent(&imported), ["POST /login", "PUT /pages/1?color="]);
    let told = told(&imported);
    for reason in [
        "Pay: its script before the request is not run",
        "`id` is empty",
        "`token` has no value: the script of `Log in` sets it, and scripts are not run",
        "`around` refers to itself",
        "`$randomCity` is made by Postman only",
        "`$randomIntt` is no variable that Postman makes",
        "the collection: `page` has the value that is given, and not the one that the script of `Reset`",
        "Reset: what follows the `#`",
        "the collection: a script says which request is the next one",
        "the collection: scripts after answers (tests) are not run",
        "the collection: a value that is missing (Postman exports none",
    ] {
        assert!(told.contains(reason), "{reason}: {told}");
    }
    let left_out = imported
        .notes
        .iter()
        .filter(|n| n.text.starts_with("left out"));
    assert_eq!(left_out.count(), 1);
}

#[test]
fn where_nothing_can_be_sent_the_error_says_what_is_missing() {
    let collection = items(&[
        request("first", json!("{{baseUrl}}/a")),
        request("second", json!("{{baseUrl}}/b")),
    ]);
    let error = read_with(&collection, &PostmanOptions::default());
    let error = error.unwrap_err().to_string();
    assert!(
        error.starts_with("2 of the requests go to `{{baseUrl}}`"),
        "{error}"
    );
    assert!(error.contains("--environment"), "{error}");
    let collection = items(&[
        request("first", json!("http://a.example/{{id}}")),
        request("second", json!("http://a.example/{{b}}")),
    ]);
    let error = read_with(&collection, &PostmanOptions::default());
    let error = error.unwrap_err().to_string();
    assert!(error.contains("none of the 2 requests"), "{error}");
    assert!(error.contains("first: `id` has no value"), "{error}");
    assert!(error.contains("--environment"), "{error}");
    let empty = read_with(&items(&[]), &PostmanOptions::default());
    assert!(empty.unwrap_err().to_string().contains("nothing to send"));
    let empty = read_postman(b"", Path::new("/nowhere"), &PostmanOptions::default());
    let empty = empty.unwrap_err().to_string();
    assert!(
        empty.starts_with("the Postman collection is empty; export it again"),
        "{empty}"
    );
    let nothing = read_with(&items(&[json!({"name": "x"})]), &PostmanOptions::default());
    let nothing = nothing.unwrap_err().to_string();
    assert!(
        nothing.contains("neither a request nor a folder"),
        "{nothing}"
    );
}

#[test]
fn a_base_takes_the_place_of_the_first_host_or_of_a_variable() {
    let base = PostmanOptions {
        base: Some("http://127.0.0.1:8080".parse().unwrap()),
        ..PostmanOptions::default()
    };
    let collection = items(&[
        request("first", json!("{{baseUrl}}/a")),
        request("elsewhere", json!("https://b.example/b")),
        request("again", json!("{{baseUrl}}/c?d={{$timestamp}}")),
    ]);
    let imported = read_with(&collection, &base).unwrap();
    assert_eq!(sent(&imported), ["GET /a", "GET /c?d={{now s}}"]);
    assert_eq!(
        imported.origin.as_ref().unwrap().to_string(),
        "http://127.0.0.1:8080"
    );
    let told_of = told(&imported);
    assert!(
        told_of.contains("takes the place of `{{baseUrl}}`"),
        "{told_of}"
    );
    assert!(
        told_of.contains("elsewhere: left out: https://b.example"),
        "{told_of}"
    );
    let known = items(&[request("first", json!("https://b.example/v1/b"))]);
    let imported = read_with(&known, &base).unwrap();
    assert_eq!(sent(&imported), ["GET /v1/b"]);
    assert_eq!(imported.notes, []);
}

#[test]
fn without_a_base_most_of_the_requests_decide() {
    let imported = read(&items(&[
        request("a", json!("http://b.example/1")),
        request("b", json!("http://a.example/2")),
        request("c", json!("http://a.example/3")),
    ]));
    assert_eq!(sent(&imported), ["GET /2", "GET /3"]);
    assert!(told(&imported).contains("a: left out: http://b.example is another host"));
    let hostless = items(&[
        request("a", json!("{{baseUrl}}/1")),
        request("b", json!("http://a.example/2")),
    ]);
    let error = read_with(&hostless, &PostmanOptions::default()).unwrap_err();
    assert!(
        matches!(error, ImportError::NoHost { requests: 1, .. }),
        "{error}"
    );
    let first = read(&items(&[
        request("a", json!("http://b.example/1")),
        request("b", json!("http://a.example/2")),
    ]));
    assert_eq!(sent(&first), ["GET /1"]);
}

#[test]
fn headers_that_are_switched_off_or_of_a_connection_are_not_sent() {
    let lines = "A: 1\n//B: 2\r\n Host: b.example\nPostman-Token: x\n: none\nC: {{$guid}}";
    let imported = read(&items(&[
        request(
            "lines",
            json!({"url": "http://a.example/", "header": lines}),
        ),
        request(
            "list",
            json!({"url": "http://a.example/", "header": [
            {"key": "D", "value": 1}, {"key": "D", "value": null},
            {"key": "E", "value": "x", "disabled": true}, {"key": "Content-Length", "value": "7"},
            {"key": "bad name", "value": "x"}, {"key": "F", "value": "x\ny"}, {"key": ""}]}),
        ),
    ]));
    let headers = |at: usize| -> Vec<String> {
        let headers = steps(&imported)[at].headers.iter();
        headers
            .map(|(name, value)| format!("{name}: {value}"))
            .collect()
    };
    assert_eq!(headers(0), ["A: 1", "C: {{uuid}}"]);
    assert_eq!(headers(1), ["D: 1", "D: "]);
    let told = told(&imported);
    assert!(told.contains("`host` is the client's own"), "{told}");
    assert!(
        told.contains("list: a header that HTTP does not allow"),
        "{told}"
    );
}

#[test]
fn the_body_brings_its_type_unless_one_was_typed() {
    let body = json!({"mode": "raw", "raw": "{}", "options": {"raw": {"language": "json"}}});
    let with = |method: &str, typed: Value, body: &Value| json!({"method": method, "url": "http://a.example/", "header": typed, "body": body});
    let own = json!([{"key": "content-type", "value": "text/x"}]);
    let parts = json!({"mode": "formdata", "formdata": [{"key": "a", "value": "b"}]});
    let multipart = json!([{"key": "Content-Type", "value": "multipart/form-data"}]);
    let mut none = request("none", with("POST", json!([]), &body));
    none["protocolProfileBehavior"] = json!({"disabledSystemHeaders": {"content-type": true}});
    let mut asked = request("asked", with("GET", json!([]), &body));
    asked["protocolProfileBehavior"] = json!({"disableBodyPruning": true});
    let imported = read(&items(&[
        request("implied", with("POST", json!([]), &body)),
        request("own", with("POST", own, &body)),
        none,
        request("parts", with("PUT", multipart, &parts)),
        request("pruned", with("GET", json!([]), &body)),
        asked,
    ]));
    let of = |at: usize| {
        let step = &steps(&imported)[at];
        let kinds: Vec<&str> = step
            .headers
            .iter()
            .map(|(_, value)| value.as_str())
            .collect();
        (kinds.join("|"), step.body != Body::None)
    };
    assert_eq!(of(0), ("application/json".to_owned(), true));
    assert_eq!(of(1), ("text/x".to_owned(), true));
    assert_eq!(of(2), (String::new(), true));
    assert!(
        of(3).0.starts_with("multipart/form-data; boundary="),
        "{:?}",
        of(3)
    );
    assert_eq!(of(4), (String::new(), false));
    assert_eq!(of(5), ("application/json".to_owned(), true));
    assert!(told(&imported).contains("pruned: its body is not sent: Postman sends none with GET"));
}

#[test]
fn the_status_that_a_test_expects_is_expected() {
    let mut missing = request("missing", json!("http://a.example/none"));
    missing["event"] = json!([{"listen": "test",
        "script": {"exec": ["pm.response.to.have.status(404);"]}}]);
    let imported = read(&items(&[missing, request("b", json!("http://a.example/"))]));
    assert_eq!(
        steps(&imported)[0].checks,
        [Check::Status(vec![(404, 404)])]
    );
    assert_eq!(steps(&imported)[1].checks, []);
}

#[test]
fn values_are_looked_for_from_the_inner_folder_to_the_outer() {
    let mut inner = request("inner", json!("http://a.example/{{x}}{{y}}{{z}}"));
    inner["variable"] = json!([{"key": "x", "value": "request"}]);
    let mut collection = items(&[
        json!({"name": "f", "variable": {"x": "folder", "y": "folder"}, "item": [inner]}),
        request("outer", json!("http://a.example/{{x}}")),
    ]);
    collection["variable"] = json!({"x": "all", "y": "all", "z": "all"});
    let imported = read(&collection);
    assert_eq!(sent(&imported), ["GET /requestfolderall", "GET /all"]);
}

/// Answers are not read: they may hold what is no text, such as half of a character.
#[test]
fn saved_answers_are_passed_over() {
    let text = r#"{"item": [{"name": "a", "request": "http://a.example/", "response": [
        {"originalRequest": {"url": "http://a.example/no"}, "body": "\udc89"}]}]}"#;
    let read = read_postman(text.as_bytes(), Path::new("/"), &PostmanOptions::default());
    assert_eq!(sent(&read.unwrap()), ["GET /"]);
}

#[test]
fn no_collection_is_followed_without_bound() {
    let deep = format!("{}{}", "{\"item\":[".repeat(60), "]}".repeat(60));
    let refused = read_postman(deep.as_bytes(), Path::new("/"), &PostmanOptions::default());
    let refused = refused.unwrap_err().to_string();
    assert!(refused.contains("nested more than 100 deep"), "{refused}");
}
