use super::*;
use proptest::prelude::*;

const SECOND: u64 = 1_000_000_000;
/// 2026-11-22T10:11:12Z
const NOW: u64 = 1_795_342_272 * SECOND;

fn jar(set: &[(&str, &str)]) -> Jar {
    let mut jar = Jar::default();
    for (target, field) in set {
        if let Some(cookie) = SetCookie::parse(field.as_bytes()) {
            jar.take(&cookie, "shop.example.org", target, NOW);
        }
    }
    jar
}

fn sent(jar: &Jar, target: &str) -> String {
    jar.field(Scheme::Http, target, NOW).unwrap_or_default()
}

#[test]
fn a_cookie_comes_back_as_it_was_set() {
    let jar = jar(&[("/", "sid=\"31d4d96e\"; HttpOnly; SameSite=Lax; Unknown=x")]);
    assert_eq!(sent(&jar, "/any?x=1"), "sid=\"31d4d96e\"");
}

#[test]
fn the_path_decides_where_it_is_sent() {
    // RFC 6265, 5.1.4: what matches /docs, and the default path of a request.
    let jar = jar(&[
        ("/", "a=1; Path=/docs"),
        ("/shop/cart/add?x=/y/z", "b=2"),
        ("/top", "c=3"),
        ("/shop/x", "d=4; Path=nonsense"),
    ]);
    for (target, expected) in [
        ("/docs", "a=1; c=3"),
        ("/docs/", "a=1; c=3"),
        ("/docs/web?q", "a=1; c=3"),
        ("/docsets", "c=3"),
        ("/shop/cart", "b=2; d=4; c=3"),
        ("/shop/cart/pay", "b=2; d=4; c=3"),
        ("/shop/carts", "d=4; c=3"),
        ("/", "c=3"),
    ] {
        assert_eq!(sent(&jar, target), expected, "{target}");
    }
}

#[test]
fn a_cookie_lives_as_long_as_it_says() {
    let after = |field: &str, seconds: u64| {
        jar(&[("/", field)]).field(Scheme::Http, "/", NOW + seconds * SECOND)
    };
    assert!(after("a=1", 1_000_000).is_some());
    assert!(after("a=1; Max-Age=10", 9).is_some());
    assert!(after("a=1; Max-Age=10", 10).is_none());
    assert!(after("a=1; Expires=Sun, 22 Nov 2026 10:11:22 GMT", 9).is_some());
    assert!(after("a=1; Expires=Sun, 22 Nov 2026 10:11:22 GMT", 10).is_none());
    assert!(after("a=1; Expires=Sunday, 22-Nov-26 10:11:22 GMT", 10).is_none());
    // Max-Age comes first; what cannot be read counts for nothing.
    assert!(after("a=1; Expires=Thu, 01 Jan 1970 00:00:00 GMT; Max-Age=10", 9).is_some());
    assert!(after("a=1; Expires=soon", 1_000_000).is_some());
    assert!(after("a=1; Max-Age=99999999999999999999", 1_000_000).is_some());
}

#[test]
fn a_cookie_is_replaced_or_taken_away_by_its_name_and_path() {
    let replaced = jar(&[("/", "a=1"), ("/", "b=2"), ("/", "a=3")]);
    assert_eq!(sent(&replaced, "/"), "a=3; b=2");
    for end in [
        "Max-Age=0",
        "Max-Age=-1",
        "Expires=Thu, 01 Jan 1970 00:00:00 GMT",
    ] {
        let gone = jar(&[("/", "a=1"), ("/", "b=2"), ("/", &format!("a=; {end}"))]);
        assert_eq!(sent(&gone, "/"), "b=2", "{end}");
    }
    let other_path = jar(&[("/", "a=1"), ("/", "a=2; Path=/x")]);
    assert_eq!(sent(&other_path, "/x"), "a=2; a=1");
}

#[test]
fn a_secure_cookie_is_sent_over_tls_alone() {
    let jar = jar(&[("/", "a=1; Secure")]);
    assert_eq!(sent(&jar, "/"), "");
    assert_eq!(jar.field(Scheme::Https, "/", NOW).unwrap(), "a=1");
}

#[test]
fn a_cookie_for_another_host_is_not_taken() {
    for (domain, expected) in [
        ("shop.example.org", "a=1"),
        (".example.org", "a=1"),
        ("EXAMPLE.org", "a=1"),
        ("op.example.org", ""),
        ("www.shop.example.org", ""),
        ("example.com", ""),
    ] {
        let jar = jar(&[("/", &format!("a=1; Domain={domain}"))]);
        assert_eq!(sent(&jar, "/"), expected, "{domain}");
    }
    // An address has no parts.
    let cookie = SetCookie::parse(b"a=1; Domain=0.0.1").unwrap();
    assert!(!cookie.is_for("127.0.0.1"));
}

#[test]
fn the_host_is_what_stands_before_the_port() {
    for (authority, host) in [
        ("shop.test", "shop.test"),
        ("shop.test:80", "shop.test"),
        ("[::1]", "[::1]"),
        ("[::1]:80", "[::1]"),
    ] {
        assert_eq!(host_of(authority), host);
    }
}

#[test]
fn a_jar_is_bounded() {
    let mut jar = Jar::default();
    for n in 0..60 {
        let field = format!("c{n}=x");
        let cookie = SetCookie::parse(field.as_bytes()).unwrap();
        jar.take(&cookie, "h", "/", NOW);
    }
    assert_eq!(jar.cookies.len(), MAX_COOKIES);
    // The oldest were given up.
    assert!(sent(&jar, "/").starts_with("c10=x; c11=x"));
    assert!(SetCookie::parse(format!("a={}", "x".repeat(4096)).as_bytes()).is_none());
}

#[test]
fn what_could_not_be_sent_back_is_no_cookie() {
    for field in [
        &b""[..],
        b"=x",
        b"novalue",
        b"a=\x01",
        b"a=\xff",
        b"a=b\r\nc: d",
    ] {
        assert!(SetCookie::parse(field).is_none(), "{field:?}");
    }
}

proptest! {
    #[test]
    fn no_field_is_too_strange(
        field in "([a-c]=|; |Path=|Expires=|Max-Age=|Domain=|Secure|[0-9]{1,22}|-|/|\\PC){0,12}",
        bytes: Vec<u8>,
        target in "/[a-c/?]{0,8}",
        now: u64,
    ) {
        for field in [field.as_bytes(), &bytes] {
            if let Some(cookie) = SetCookie::parse(field) {
                let mut jar = Jar::default();
                jar.take(&cookie, "h", &target, now);
                if let Some(field) = jar.field(Scheme::Https, &target, now) {
                    prop_assert!(!field.contains(char::is_control));
                }
            }
        }
    }
}
