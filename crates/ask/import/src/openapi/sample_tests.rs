use super::document::Document;
use super::sample::{MOST_VALUES, sample, size};
use serde_json::{Map, Value, json};

fn made(schema: Value) -> Value {
    sample(&Document { root: json!({}) }, &schema).value
}

#[test]
fn scalars_fit_their_schema() {
    for (schema, value) in [
        (json!({"type": "integer"}), json!(1)),
        (
            json!({"type": "integer", "minimum": 5, "multipleOf": 4}),
            json!(8),
        ),
        (
            json!({"type": "integer", "minimum": 5, "exclusiveMinimum": true}),
            json!(6),
        ),
        (json!({"type": "integer", "exclusiveMinimum": 5}), json!(6)),
        (json!({"type": "integer", "maximum": -2}), json!(-3)),
        (json!({"type": "number", "minimum": 0.5}), json!(0.5)),
        (
            json!({"type": "number", "exclusiveMinimum": 0, "maximum": 1}),
            json!(0.5),
        ),
        (json!({"type": "boolean"}), json!(true)),
        (json!({"type": "string"}), json!("text")),
        (json!({"type": "string", "minLength": 6}), json!("textte")),
        (json!({"type": "string", "maxLength": 2}), json!("te")),
        (
            json!({"type": "string", "format": "date"}),
            json!("2026-01-01"),
        ),
        (json!({"type": ["null", "boolean"]}), json!(true)),
        (json!({"enum": ["b", "a"]}), json!("b")),
        (json!({"const": 7}), json!(7)),
        (json!({"type": "string", "default": "d"}), json!("d")),
        (
            json!({"type": "string", "example": "e", "default": "d"}),
            json!("e"),
        ),
        (json!({"examples": ["f"]}), json!("f")),
        (json!({}), json!("text")),
    ] {
        assert_eq!(made(schema.clone()), value, "{schema}");
    }
}

#[test]
fn objects_and_lists_are_made_of_their_parts() {
    assert_eq!(
        made(json!({
            "properties": {
                "id": {"type": "integer", "readOnly": true},
                "name": {"type": "string", "example": "Rex"},
                "tags": {"type": "array", "items": {"type": "string"}, "minItems": 2},
                "none": {"type": "array", "maxItems": 0, "items": {}},
            },
            "allOf": [{"type": "object", "properties": {"a": {"const": 1}}}],
        })),
        json!({"a": 1, "name": "Rex", "tags": ["text", "text"], "none": []})
    );
    assert_eq!(
        made(json!({"anyOf": [{"type": "null"}, {"type": "boolean"}]})),
        json!(true)
    );
}

#[test]
fn only_what_no_example_gives_is_made_up() {
    let document = Document { root: json!({}) };
    let of = |schema: Value| sample(&document, &schema).is_made_up;
    assert!(of(json!({"type": "string"})));
    assert!(!of(json!({"type": "string", "example": "a"})));
    assert!(!of(json!({"properties": {"a": {"enum": ["b"]}}})));
}

#[test]
fn a_schema_that_contains_itself_ends() {
    let root = json!({
        "tree": {
            "type": "object",
            "required": ["parent"],
            "properties": {
                "children": {"type": "array", "items": {"$ref": "#/tree"}},
                "parent": {"$ref": "#/tree"},
            }
        }
    });
    let document = Document { root };
    let sample = sample(&document, &json!({"$ref": "#/tree"}));
    assert_eq!(sample.value, json!({"children": []}));
    assert_eq!(
        sample.gaps,
        ["no value could be made for the required property `parent`"]
    );
}

#[test]
fn a_schema_that_multiplies_is_bounded() {
    let mut root = Map::new();
    for level in 0..10 {
        let below = json!({"$ref": format!("#/{}", level + 1)});
        let properties: Map<String, Value> =
            (0..50).map(|n| (n.to_string(), below.clone())).collect();
        root.insert(level.to_string(), json!({"properties": properties}));
    }
    root.insert("10".to_owned(), json!({"type": "string"}));
    let document = Document { root: root.into() };
    let sample = sample(&document, &json!({"$ref": "#/0"}));
    assert!(size(&sample.value) <= MOST_VALUES + 1);
    assert!(sample.gaps.iter().any(|gap| gap.contains("too large")));
}
