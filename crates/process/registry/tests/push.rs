//! A push to a registry that keeps what it is sent, and can refuse it.

#![allow(clippy::unwrap_used)]

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use tacho_oci::{Image, ImagePath, Layer, Platform, Process, SourceDate, Tree};
use tacho_registry::{Name, Pushed, RegistryError};

/// What was sent, by path, in its order.
#[derive(Default)]
struct Kept {
    parts: BTreeMap<String, Vec<u8>>,
    order: Vec<String>,
    rule: Rule,
}

/// Who may do anything.
#[derive(Default, Clone, Copy, PartialEq)]
enum Rule {
    #[default]
    Everybody,
    Nobody,
    /// Whoever says name and password each time (RFC 7617).
    Basic,
    /// Whoever has fetched a token by them, as the registries of clouds have it.
    Bearer,
    /// Nobody at the moment: no tokens are given.
    Overloaded,
    /// Nobody knows: it does not answer.
    Silent,
}

/// `tacho:open sesame`, as it stands in a header and in the file of `docker login`.
const LOGIN: &str = "dGFjaG86b3BlbiBzZXNhbWU=";
const TOKEN: &str = "a-token-of-this-registry";

/// The few requests that pushing needs (OCI Distribution Specification 1.1, "Push").
struct Registry {
    address: String,
    kept: Arc<Mutex<Kept>>,
}

impl Registry {
    fn begin(rule: Rule) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap().to_string();
        let kept = Arc::new(Mutex::new(Kept {
            rule,
            ..Kept::default()
        }));
        let (to, own) = (Arc::clone(&kept), address.clone());
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (to, own) = (Arc::clone(&to), own.clone());
                std::thread::spawn(move || serve(&stream, &own, &to));
            }
        });
        Self { address, kept }
    }

    fn name(&self) -> Name {
        format!("{}/team/app:1", self.address).parse().unwrap()
    }
}

fn serve(stream: &TcpStream, own: &str, kept: &Mutex<Kept>) {
    let mut from = BufReader::new(stream);
    let mut to = stream;
    loop {
        let mut line = String::new();
        if from.read_line(&mut line).unwrap_or(0) == 0 {
            return;
        }
        let mut words = line.split_whitespace().map(str::to_owned);
        let (method, path) = (words.next().unwrap(), words.next().unwrap());
        let mut length = 0;
        let mut right = String::new();
        loop {
            let mut header = String::new();
            from.read_line(&mut header).unwrap();
            let (name, value) = header.split_once(':').unwrap_or(("", ""));
            match name.to_ascii_lowercase().as_str() {
                "content-length" => length = value.trim().parse().unwrap(),
                "transfer-encoding" => panic!("a part is sent with its length"),
                "authorization" => right = value.trim().to_owned(),
                "" => break,
                _ => {}
            }
        }
        let mut body = vec![0; length];
        from.read_exact(&mut body).unwrap();
        while kept.lock().unwrap().rule == Rule::Silent {
            std::thread::park();
        }
        let mut kept = kept.lock().unwrap();
        let answer = match refusal(&path, &right, own, kept.rule) {
            Some(refusal) => refusal,
            None => answer(&method, &path, body, &mut kept),
        };
        to.write_all(answer.as_bytes()).unwrap();
    }
}

/// What is answered to who may not; the token as well, which is no request of pushing.
fn refusal(path: &str, right: &str, own: &str, rule: Rule) -> Option<String> {
    let refused = |challenge: &str| {
        format!(
            "HTTP/1.1 401 Unauthorized\r\nwww-authenticate: {challenge}\r\ncontent-length: 0\r\n\r\n"
        )
    };
    match rule {
        Rule::Everybody | Rule::Silent => None,
        Rule::Nobody if path == "/v2/" => None,
        Rule::Nobody => Some("HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\n\r\n".to_owned()),
        Rule::Basic if right == format!("Basic {LOGIN}") => None,
        Rule::Basic => Some(refused("Basic realm=\"registry\"")),
        Rule::Bearer if path.starts_with("/token") && right == format!("Basic {LOGIN}") => {
            let body = format!("{{\"token\":\"{TOKEN}\"}}");
            Some(format!(
                "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
                body.len()
            ))
        }
        Rule::Overloaded if path.starts_with("/token") => {
            let body = "<h1>503 Service Unavailable</h1>";
            Some(format!(
                "HTTP/1.1 503 Service Unavailable\r\ncontent-length: {}\r\n\r\n{body}",
                body.len()
            ))
        }
        Rule::Bearer if right == format!("Bearer {TOKEN}") => None,
        Rule::Bearer | Rule::Overloaded => Some(refused(&format!(
            "Bearer realm=\"http://{own}/token\",service=\"registry\",scope=\"repository:team/app:pull,push\""
        ))),
    }
}

fn answer(method: &str, path: &str, body: Vec<u8>, kept: &mut Kept) -> String {
    let plain = |status: &str| format!("HTTP/1.1 {status}\r\ncontent-length: 0\r\n\r\n");
    let at = |status: &str, at: &str| {
        format!("HTTP/1.1 {status}\r\nlocation: {at}\r\ncontent-length: 0\r\n\r\n")
    };
    let keep = |key: &str, body: Vec<u8>, kept: &mut Kept| {
        kept.order.push(key.to_owned());
        kept.parts.insert(key.to_owned(), body);
    };
    match method {
        "GET" => plain("200 OK"),
        "HEAD" => {
            let digest = path.rsplit('/').next().unwrap();
            match kept.parts.contains_key(digest) {
                true => plain("200 OK"),
                false => plain("404 Not Found"),
            }
        }
        "POST" => at("202 Accepted", "/v2/team/app/blobs/uploads/1?state=x"),
        "PUT" if path.contains("/manifests/") => {
            keep("manifest", body, kept);
            at("201 Created", "/v2/team/app/manifests/1")
        }
        "PUT" => {
            let digest = path.split("digest=").nth(1).unwrap().replace("%3A", ":");
            keep(&digest, body, kept);
            at("201 Created", "/v2/team/app/blobs/1")
        }
        other => panic!("{other} {path}"),
    }
}

/// Nobody interrupts it.
fn push(name: &Name, image: &Image, plain_http: bool) -> Result<Pushed, RegistryError> {
    tacho_registry::push(name, image, plain_http, &AtomicBool::new(false))
}

/// Of two megabytes that do not compress: several pieces.
fn image(folder: &std::path::Path) -> Image {
    let program = folder.join("program");
    let mut state = 1_u64;
    let noise = std::iter::repeat_with(|| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (state >> 56) as u8
    });
    std::fs::write(&program, noise.take(2_500_000).collect::<Vec<u8>>()).unwrap();
    let mut tree = Tree::default();
    let at = ImagePath::parse("/app/program").unwrap();
    tree.put_copy(&at, &program, tacho_oci::Links::OutsideFollowed)
        .unwrap();
    let layer = Layer::write("application", &tree, SourceDate::default(), folder).unwrap();
    let process = Process {
        command: vec!["/app/program".to_owned()],
        user: "65532".to_owned(),
        ..Process::default()
    };
    Image::of(Platform::here(), None, vec![layer], &process).unwrap()
}

#[test]
fn each_part_is_sent_once_and_the_manifest_last() {
    let folder = tempfile::tempdir().unwrap();
    let image = image(folder.path());
    let registry = Registry::begin(Rule::Everybody);
    let pushed = push(&registry.name(), &image, false).unwrap();
    assert_eq!(pushed.digest, image.digest().to_string());
    assert_eq!(pushed.there_bytes, 0);
    assert_eq!(pushed.sent_bytes, image.compressed_bytes());
    {
        let kept = registry.kept.lock().unwrap();
        assert_eq!(kept.order.last().unwrap(), "manifest");
        for blob in image.parts() {
            let mut bytes = Vec::new();
            blob.copy_to(&mut bytes).unwrap();
            assert!(
                bytes == kept.parts[&blob.digest.to_string()],
                "{}",
                blob.digest
            );
        }
        let manifest: Vec<u8> = kept.parts["manifest"].clone();
        let mut bytes = Vec::new();
        image.manifest().copy_to(&mut bytes).unwrap();
        assert_eq!(bytes, manifest);
    }
    let again = push(&registry.name(), &image, false).unwrap();
    assert_eq!(again.sent_bytes, image.manifest().bytes);
    assert_eq!(
        again.there_bytes + again.sent_bytes,
        image.compressed_bytes()
    );
}

#[test]
fn a_push_that_is_interrupted_waits_for_no_answer() {
    let folder = tempfile::tempdir().unwrap();
    let image = image(folder.path());
    let registry = Registry::begin(Rule::Silent);
    let stop = AtomicBool::new(false);
    let error = std::thread::scope(|scope| {
        scope.spawn(|| {
            std::thread::sleep(std::time::Duration::from_millis(300));
            stop.store(true, Ordering::SeqCst);
        });
        tacho_registry::push(&registry.name(), &image, false, &stop).unwrap_err()
    });
    assert!(matches!(error, RegistryError::Stopped), "{error}");
}

#[test]
fn who_may_not_push_is_told_so() {
    let folder = tempfile::tempdir().unwrap();
    let image = image(folder.path());
    let registry = Registry::begin(Rule::Nobody);
    let error = push(&registry.name(), &image, false).unwrap_err();
    assert!(matches!(error, RegistryError::NotAllowed { .. }), "{error}");
}

#[test]
fn a_token_server_that_gives_none_at_the_moment_is_no_reason_to_log_in() {
    let folder = tempfile::tempdir().unwrap();
    let image = image(folder.path());
    let registry = Registry::begin(Rule::Overloaded);
    let error = push(&registry.name(), &image, false).unwrap_err();
    assert!(matches!(error, RegistryError::Refused { .. }), "{error}");
    assert!(error.to_string().contains("503"), "{error}");
}

#[test]
fn a_registry_that_is_not_there_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let image = image(folder.path());
    let name: Name = "127.0.0.1:1/team/app:1".parse().unwrap();
    let error = push(&name, &image, false).unwrap_err();
    assert!(
        matches!(error, RegistryError::Unreachable { .. }),
        "{error}"
    );
    assert!(error.to_string().contains("127.0.0.1:1"), "{error}");
}

/// A part of an image that is gone meanwhile is no registry's fault, and ends the push.
#[test]
fn a_layer_that_is_gone_ends_the_push() {
    let folder = tempfile::tempdir().unwrap();
    let image = image(folder.path());
    std::fs::remove_file(image.layers[0].file().unwrap()).unwrap();
    let registry = Registry::begin(Rule::Everybody);
    let error = push(&registry.name(), &image, false).unwrap_err();
    assert!(
        !matches!(error, RegistryError::Credentials { .. }),
        "{error}"
    );
    assert!(
        !registry
            .kept
            .lock()
            .unwrap()
            .order
            .contains(&"manifest".to_owned()),
        "{error}"
    );
}

/// Where `docker login` keeps it is said by the environment, so that it takes a process of its own:
/// this test again, which then pushes.
#[test]
fn what_docker_login_keeps_is_used() {
    const PUSHES: &str = "TACHO_TEST_PUSHES_TO";
    let folder = tempfile::tempdir().unwrap();
    if let Ok(address) = std::env::var(PUSHES) {
        let name: Name = format!("{address}/team/app:1").parse().unwrap();
        let pushed = push(&name, &image(folder.path()), false);
        pushed.unwrap_or_else(|error| panic!("{error}"));
        return;
    }
    for rule in [Rule::Basic, Rule::Bearer] {
        let registry = Registry::begin(rule);
        let kept = format!(
            "{{\"auths\":{{\"{}\":{{\"auth\":\"{LOGIN}\"}}}}}}",
            registry.address
        );
        std::fs::write(folder.path().join("config.json"), kept).unwrap();
        let pushes = |login: &std::path::Path| {
            let mut command = std::process::Command::new(std::env::current_exe().unwrap());
            command.args(["--exact", "what_docker_login_keeps_is_used"]);
            command.env(PUSHES, &registry.address);
            command.env("DOCKER_CONFIG", login);
            command.env_remove("REGISTRY_AUTH_FILE");
            command.output().unwrap()
        };
        let pushed = pushes(folder.path());
        assert!(pushed.status.success(), "{pushed:?}");
        let order = registry.kept.lock().unwrap().order.clone();
        assert_eq!(order.last().map(String::as_str), Some("manifest"));
        // Whoever has not logged in is refused.
        let refused = pushes(&folder.path().join("nothing"));
        assert!(!refused.status.success(), "{refused:?}");
        let told = String::from_utf8_lossy(&refused.stdout).into_owned();
        assert!(told.contains("docker login"), "{told}");
        assert!(!told.contains("sesame") && !told.contains(LOGIN), "{told}");
    }
}
