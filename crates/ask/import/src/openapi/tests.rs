use super::*;
use serde_json::json;
use tacho_workload::{Body, Step};

fn import(document: &Value) -> Imported {
    read_openapi(document.to_string().as_bytes(), &OpenApiOptions::default()).unwrap()
}

fn step(operation: Value) -> (Step, Vec<String>) {
    let mut imported =
        import(&json!({"openapi": "3.1.0", "paths": {"/a/{b}": {"get": operation}}}));
    let notes = imported.notes.iter().map(ToString::to_string).collect();
    (imported.workload.scenarios.remove(0).steps.remove(0), notes)
}

#[test]
fn parameters_fill_path_query_headers_and_cookies() {
    let (step, notes) = step(json!({"parameters": [
        {"name": "b", "in": "path", "example": "c/d"},
        {"name": "q", "in": "query", "example": "e f"},
        {"name": "X-H", "in": "header", "example": 1},
        {"name": "Accept", "in": "header", "example": "text/html"},
        {"name": "s", "in": "cookie", "example": "t"},
    ]}));
    assert_eq!(step.path, "/a/c%2Fd?q=e%20f");
    assert_eq!(
        step.headers,
        [
            ("X-H".to_owned(), "1".to_owned()),
            ("Cookie".to_owned(), "s=t".to_owned())
        ]
    );
    assert_eq!(notes, [] as [String; 0]);
}

#[test]
fn what_is_made_up_or_left_out_is_noted() {
    let (step, notes) = step(json!({
        "parameters": [
            {"name": "q", "in": "query", "schema": {"type": "string"}},
            {"name": "h", "in": "header", "required": true, "schema": {"type": "string", "pattern": "x+"}},
            {"$ref": "#/nowhere"},
            {"in": "query"},
        ],
        "requestBody": {"content": {"application/json": {"schema": {"type": "integer"}}}},
    }));
    assert_eq!(step.path, "/a/1");
    assert_eq!(step.body, Body::Bytes(b"1".to_vec()));
    assert_eq!(
        notes,
        [
            "GET /a/{b}: the value of `h` is made up from its schema: `text`",
            "GET /a/{b}: `h`: a text that matches `x+` is not made up; give an example",
            "GET /a/{b}: a parameter is left out: the reference `#/nowhere` leads to nothing in this document",
            "GET /a/{b}: a parameter without a name is left out",
            "GET /a/{b}: optional parameters without an example are left out: q",
            "GET /a/{b}: the body is made up from its schema, since no example gives all of it",
            "GET /a/{b}: `b` in the path is not described; it is sent as 1",
        ]
    );
}

#[test]
fn the_operation_says_which_server() {
    let mut document = json!({
        "openapi": "3.0.0",
        "servers": [{"url": "http://a.test/v1"}],
        "paths": {"/b": {"get": {}}, "/c": {"get": {"servers": [{"url": "http://a.test/v2"}]}}},
    });
    let imported = import(&document);
    let paths: Vec<&str> = imported
        .workload
        .scenarios
        .iter()
        .map(|s| s.steps[0].path.as_str())
        .collect();
    assert_eq!(paths, ["/v1/b", "/v2/c"]);
    assert_eq!(imported.origin.unwrap().to_string(), "http://a.test");

    document["paths"]["/c"]["get"]["servers"][0]["url"] = json!("http://b.test");
    let error = read_openapi(document.to_string().as_bytes(), &OpenApiOptions::default());
    assert!(
        error
            .unwrap_err()
            .to_string()
            .contains("http://a.test, http://b.test")
    );
}

#[test]
fn security_schemes_say_where_the_secret_goes() {
    for (scheme, way) in [
        (
            json!({"type": "apiKey", "in": "header", "name": "X-K"}),
            "the header `X-K: ...`",
        ),
        (
            json!({"type": "apiKey", "in": "query", "name": "k"}),
            "`k=...`",
        ),
        (
            json!({"type": "http", "scheme": "Basic"}),
            "`Authorization: Basic ...`",
        ),
        (
            json!({"type": "http", "scheme": "bearer"}),
            "`Authorization: Bearer ...`",
        ),
        (json!({"type": "oauth2"}), "`Authorization: Bearer ...`"),
        (json!({"type": "mutualTLS"}), "client certificate"),
    ] {
        let notes = import(&json!({
            "openapi": "3.1.0",
            "paths": {"/a": {"get": {"security": [{"s": []}]}, "head": {"security": [{"s": []}, {}]}}},
            "components": {"securitySchemes": {"s": scheme}},
        }))
        .notes;
        assert_eq!(notes.len(), 1);
        let note = notes[0].to_string();
        assert!(
            note.starts_with("security scheme s: 1 operations need it") && note.contains(way),
            "{note}"
        );
    }
}

#[test]
fn what_is_no_openapi_3_is_refused() {
    for (text, start) in [
        ("", "line 1: this cannot be read as an OpenAPI document"),
        ("[]", "line 1: this cannot be read as an OpenAPI document"),
        (
            "swagger: '2.0'",
            "this is a document of Swagger 2.0; convert it",
        ),
        (
            "openapi: 2.0.0",
            "this is no version of OpenAPI that is read",
        ),
        (
            "openapi: 3.0.0",
            "there is nothing to send in it: an operation under `paths`",
        ),
        (
            "openapi: 3.0.0\npaths:\n  /a:\n    get: {]",
            "line 4: this cannot be read as YAML",
        ),
    ] {
        let error = read_openapi(text.as_bytes(), &OpenApiOptions::default())
            .unwrap_err()
            .to_string();
        assert!(error.starts_with(start), "{text}: {error}");
    }
}

#[test]
fn many_operations_with_one_large_example_are_refused() {
    let large = "x".repeat(1 << 20);
    let operations: serde_json::Map<String, Value> = (0..300)
        .map(|n| {
            (
                format!("/{n}"),
                json!({"post": {"requestBody": {"$ref": "#/body"}}}),
            )
        })
        .collect();
    let document = json!({
        "openapi": "3.0.0",
        "paths": operations,
        "body": {"content": {"text/plain": {"example": large}}},
    });
    let error = read_openapi(document.to_string().as_bytes(), &OpenApiOptions::default());
    assert!(matches!(error, Err(ImportError::TooMuch { .. })));
}
