use super::*;

fn endpoint() -> Endpoint {
    Endpoint::new("127.0.0.1:8080".parse().unwrap())
}

fn rendered(request: &Request) -> String {
    let mix = Mix::new(std::slice::from_ref(request), &endpoint(), 1).unwrap();
    String::from_utf8(mix.request(0).bytes().to_vec()).unwrap()
}

fn error(request: &Request) -> RequestError {
    Mix::new(std::slice::from_ref(request), &endpoint(), 1).unwrap_err()
}

#[test]
fn what_a_request_needs_is_added() {
    let version = env!("CARGO_PKG_VERSION");
    assert_eq!(
        rendered(&Request::get("/ping?a=b")),
        format!(
            "GET /ping?a=b HTTP/1.1\r\nHost: 127.0.0.1:8080\r\nUser-Agent: tacho/{version}\r\n\r\n"
        )
    );
    let post = Request {
        method: "POST".into(),
        body: b"{}".to_vec(),
        ..Request::get("/count")
    };
    assert!(rendered(&post).ends_with("\r\nContent-Length: 2\r\n\r\n{}"));
    let empty = Request {
        body: Vec::new(),
        ..post
    };
    assert!(rendered(&empty).ends_with("\r\nContent-Length: 0\r\n\r\n"));
}

#[test]
fn what_is_given_is_not_added() {
    let request = Request {
        method: "POST".into(),
        headers: vec![
            ("host".into(), "example.test".into()),
            ("User-Agent".into(), "mine".into()),
            ("content-length".into(), "2".into()),
        ],
        body: b"{}".to_vec(),
        ..Request::get("/")
    };
    assert_eq!(
        rendered(&request),
        "POST / HTTP/1.1\r\nhost: example.test\r\nUser-Agent: mine\r\ncontent-length: 2\r\n\r\n{}"
    );
}

#[test]
fn a_header_cannot_bring_another_one_with_it() {
    for (name, value) in [
        ("X", "a\r\nEvil: b"),
        ("X", "a\nEvil: b"),
        ("X", "a\0"),
        ("X\r\nEvil", "a"),
        ("X Y", "a"),
        ("X:", "a"),
        ("", "a"),
    ] {
        let request = Request {
            headers: vec![(name.into(), value.into())],
            ..Request::get("/")
        };
        assert!(
            matches!(error(&request), RequestError::Header { .. }),
            "{name:?} {value:?}"
        );
    }
    let endpoint = endpoint().with_authority("a\r\nEvil: b");
    assert!(Mix::new(&[Request::get("/")], &endpoint, 1).is_err());
}

#[test]
fn what_cannot_be_sent_is_refused() {
    for path in ["", "ping", "/a b", "/a\r\nEvil: b", "/\t", "*"] {
        assert!(
            matches!(error(&Request::get(path)), RequestError::Path { .. }),
            "{path:?}"
        );
    }
    for method in ["", "GET ", "CONNECT", "G\r\nT"] {
        let request = Request {
            method: method.into(),
            ..Request::get("/")
        };
        assert!(
            matches!(error(&request), RequestError::Method { .. }),
            "{method:?}"
        );
    }
    for weight in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let request = Request {
            weight,
            ..Request::get("/")
        };
        assert!(
            matches!(error(&request), RequestError::Weight { .. }),
            "{weight}"
        );
    }
    let wrong = Request {
        headers: vec![("Content-Length".into(), "3".into())],
        ..Request::get("/")
    };
    assert!(matches!(
        error(&wrong),
        RequestError::ContentLength { actual: 0, .. }
    ));
    assert_eq!(
        Mix::new(&[], &endpoint(), 1).unwrap_err(),
        RequestError::None
    );
}

#[test]
fn the_choice_follows_the_weights_and_only_the_seed() {
    let weighted = |weight| Request {
        weight,
        ..Request::get("/")
    };
    let requests = [weighted(1.0), weighted(2.0), weighted(7.0)];
    let mix = Mix::new(&requests, &endpoint(), 7).unwrap();
    let mut counts = [0u32; 3];
    for n in 0..100_000 {
        counts[mix.pick(0, n) as usize] += 1;
    }
    // Five standard deviations of a binomial with 100,000 draws are below 800.
    for (count, expected) in counts.into_iter().zip([10_000u32, 20_000, 70_000]) {
        assert!(count.abs_diff(expected) < 800, "{counts:?}");
    }
    let sequence = |mix: &Mix, phase| (0..64).map(|n| mix.pick(phase, n)).collect::<Vec<_>>();
    let again = Mix::new(&requests, &endpoint(), 7).unwrap();
    let other = Mix::new(&requests, &endpoint(), 8).unwrap();
    assert_eq!(sequence(&mix, 0), sequence(&again, 0));
    assert_ne!(sequence(&mix, 0), sequence(&mix, 1));
    assert_ne!(sequence(&mix, 0), sequence(&other, 0));
}
