use super::*;
use crate::origin::Scheme;
use proptest::prelude::*;

fn base(authority: &str) -> Base {
    Base::new(&Origin {
        scheme: Scheme::Http,
        authority: authority.to_owned(),
    })
    .unwrap()
}

#[test]
fn a_reference_is_resolved_against_the_path() {
    let base = base("shop.test:8080");
    for (path, location, expected) in [
        ("/a/b?q=1", "/c", "/c"),
        ("/a/b?q=1", "c", "/a/c"),
        ("/a/b?q=1", "../c?x=1#part", "/c?x=1"),
        ("/a/b?q=1", "?x=2", "/a/b?x=2"),
        ("/a/b?q=1", "", "/a/b?q=1"),
        ("/a/b", "http://shop.test:8080/d?e", "/d?e"),
        ("/a/b", "//SHOP.test:8080/d", "/d"),
        ("/a/b", "http://shop.test:8080", "/"),
        ("/a/b", "/with space/ü", "/with%20space/%C3%BC"),
        ("//double/b", "c", "//double/c"),
    ] {
        assert_eq!(
            base.resolve(path, location.as_bytes()).unwrap(),
            expected,
            "{path} {location}"
        );
    }
    // The usual port may be left out.
    let usual = super::tests::base("shop.test");
    assert_eq!(usual.resolve("/", b"http://shop.test:80/x").unwrap(), "/x");
}

#[test]
fn a_redirect_that_leaves_the_origin_is_refused() {
    let base = base("shop.test:8080");
    for location in [
        "http://shop.test/x",
        "https://shop.test:8080/x",
        "http://other.test:8080/x",
        "//other.test/x",
        "mailto:a@b",
        "javascript:alert(1)",
    ] {
        assert!(
            matches!(
                base.resolve("/", location.as_bytes()),
                Err(Refusal::OtherOrigin { .. })
            ),
            "{location}"
        );
    }
    assert_eq!(
        base.resolve("/", b"https://login.test/x")
            .unwrap_err()
            .to_string(),
        "the redirect leads to https://login.test, which is not http://shop.test:8080; all requests of a run go to one origin"
    );
    for location in [&b"http://"[..], b"http://a b/", b"\xff", b"http://[::/"] {
        assert!(
            matches!(base.resolve("/", location), Err(Refusal::Malformed { .. })),
            "{location:?}"
        );
    }
}

#[test]
fn an_origin_is_host_and_port() {
    for authority in ["", "a b", "a/b", "user@host", "a?b", "a:port"] {
        let origin = Origin {
            scheme: Scheme::Http,
            authority: authority.to_owned(),
        };
        assert!(Base::new(&origin).is_err(), "{authority:?}");
    }
    for authority in ["localhost", "127.0.0.1:80", "[::1]:8443"] {
        base(authority);
    }
}

#[test]
fn the_method_changes_as_the_standard_says() {
    for (method, status, expected) in [
        ("POST", 301, "GET"),
        ("POST", 302, "GET"),
        ("POST", 303, "GET"),
        ("POST", 307, "POST"),
        ("POST", 308, "POST"),
        ("PUT", 301, "PUT"),
        ("PUT", 303, "GET"),
        ("DELETE", 302, "DELETE"),
        ("GET", 301, "GET"),
        ("HEAD", 303, "HEAD"),
        ("HEAD", 302, "HEAD"),
    ] {
        let message = Message {
            method: Arc::from(method),
            path: "/a".to_owned(),
            headers: [
                ("Content-Type", "text/plain"),
                ("Authorization", "x"),
                ("content-encoding", "gzip"),
            ]
            .map(|(name, value)| (name.to_owned(), value.to_owned()))
            .to_vec(),
            body: Bytes::from_static(b"body"),
        };
        let next = follow(&message, status, "/b".to_owned());
        assert_eq!(
            (&*next.method, next.path.as_str()),
            (expected, "/b"),
            "{method} {status}"
        );
        let has_body = expected == method;
        assert_eq!(next.body.len(), if has_body { 4 } else { 0 });
        assert_eq!(next.header("content-type").is_some(), has_body);
        assert_eq!(next.header("content-encoding").is_some(), has_body);
        assert_eq!(next.header("authorization"), Some("x"));
    }
}

proptest! {
    #[test]
    fn no_location_is_too_strange(
        path in "/[a-c/?#. ]{0,8}",
        text in "(http|https|//|:|h.test|8080|/|\\.\\.|\\?|#|@|\\[|\\]|%|\\PC){0,8}",
        bytes: Vec<u8>,
    ) {
        let base = base("h.test:8080");
        for location in [text.as_bytes(), &bytes] {
            if let Ok(path) = base.resolve(&path, location) {
                prop_assert!(path.starts_with('/'));
                prop_assert!(!path.contains(breaks_path));
            }
        }
    }
}
