//! What is sent, rendered to bytes before the clock starts.

use std::net::SocketAddr;
use std::sync::Arc;

/// Where the requests go: HTTP/1.1 over plain TCP.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Endpoint {
    /// Address and port.
    pub address: SocketAddr,
    /// Value of the `Host` header unless a request brings its own.
    pub host: String,
}

impl Endpoint {
    /// An endpoint whose host is its address.
    #[must_use]
    pub fn new(address: SocketAddr) -> Self {
        Self {
            address,
            host: address.to_string(),
        }
    }
}

/// One request of a mix.
#[derive(Debug, Clone, PartialEq)]
pub struct Request {
    /// For people.
    pub name: String,
    /// `GET`, `POST`, ...
    pub method: String,
    /// Path with query, beginning with `/`.
    pub path: String,
    /// In order; `Host`, `User-Agent` and `Content-Length` are added unless given.
    pub headers: Vec<(String, String)>,
    /// Empty when there is none.
    pub body: Vec<u8>,
    /// Relative frequency, above 0.
    pub weight: f64,
}

impl Request {
    /// `GET` of a path, with weight 1.
    #[must_use]
    pub fn get(path: &str) -> Self {
        Self {
            name: format!("GET {path}"),
            method: "GET".to_owned(),
            path: path.to_owned(),
            headers: Vec::new(),
            body: Vec::new(),
            weight: 1.0,
        }
    }
}

/// A request that cannot be sent as it is.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum RequestError {
    /// An empty mix.
    #[error("there is nothing to send; give at least one request")]
    None,
    /// Not a token, or CONNECT.
    #[error(
        "request `{request}`: `{method}` is no method that can be sent; use GET, POST or the like"
    )]
    Method {
        /// Name of the request.
        request: String,
        /// As it was given.
        method: String,
    },
    /// Does not begin with `/`, or holds white space or control characters.
    #[error(
        "request `{request}`: the path `{}` must begin with `/` and hold no spaces or control characters; write a space as %20",
        path.escape_debug()
    )]
    Path {
        /// Name of the request.
        request: String,
        /// As it was given.
        path: String,
    },
    /// A line break in a header would be a header of its own.
    #[error(
        "request `{request}`: the header `{}` holds a character that ends or breaks a header line; remove it",
        header.escape_debug()
    )]
    Header {
        /// Name of the request.
        request: String,
        /// Its name.
        header: String,
    },
    /// The peer would wait for bytes that never come.
    #[error(
        "request `{request}`: Content-Length is given as `{given}`, but the body has {actual} bytes; leave it out, it is added"
    )]
    ContentLength {
        /// Name of the request.
        request: String,
        /// As it was given.
        given: String,
        /// Bytes of the body.
        actual: usize,
    },
    /// Not above 0.
    #[error("request `{request}`: a weight of {weight} means nothing; give a number above 0")]
    Weight {
        /// Name of the request.
        request: String,
        /// As it was given.
        weight: f64,
    },
}

/// A request as the bytes that go over the wire.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rendered {
    /// For people.
    pub name: String,
    /// Head and body.
    pub bytes: Box<[u8]>,
    /// Its answer has no body.
    pub is_head: bool,
    /// May be sent again on a fresh connection when an idle one turns out to be closed
    /// (RFC 9110, 9.2.2).
    pub is_idempotent: bool,
}

/// A weighted choice of requests. Which one is the `n`-th of a phase is a pure function of seed,
/// phase and `n`: it does not depend on the order in which answers happen to come.
#[derive(Debug, Clone)]
pub struct Mix {
    requests: Arc<[Rendered]>,
    /// Sum of the weights up to and including each request, divided by the sum of all.
    cumulative: Box<[f64]>,
    seed: u64,
}

impl Mix {
    /// Renders the requests for an endpoint.
    ///
    /// # Errors
    /// When there is none, or one cannot be sent as it is: a header with a line break, a path
    /// with a space, a weight of 0.
    pub fn new(requests: &[Request], endpoint: &Endpoint, seed: u64) -> Result<Self, RequestError> {
        if requests.is_empty() {
            return Err(RequestError::None);
        }
        let rendered: Result<Arc<[Rendered]>, _> =
            requests.iter().map(|r| render(r, endpoint)).collect();
        let total: f64 = requests.iter().map(|r| r.weight).sum();
        let mut sum = 0.0;
        let cumulative = requests
            .iter()
            .map(|r| {
                sum += r.weight;
                sum / total
            })
            .collect();
        Ok(Self {
            requests: rendered?,
            cumulative,
            // Scattered, so that neighbouring seeds have nothing in common.
            seed: scatter(seed),
        })
    }

    /// The requests, as rendered.
    #[must_use]
    pub fn requests(&self) -> &Arc<[Rendered]> {
        &self.requests
    }

    /// Index of the `n`-th request of a phase.
    #[inline]
    #[must_use]
    pub fn pick(&self, phase: u32, n: u64) -> u32 {
        let last = self.cumulative.len() - 1;
        if last == 0 {
            return 0;
        }
        let point = to_unit(scatter(
            self.seed ^ (u64::from(phase) << 48).wrapping_add(n),
        ));
        self.cumulative.partition_point(|&c| c <= point).min(last) as u32
    }
}

/// SplitMix64 (Steele, Lea, Flood 2014): a bijection that scatters consecutive numbers evenly.
fn scatter(n: u64) -> u64 {
    let mut z = n.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// The upper 53 bits fill the mantissa of a double in [0, 1).
fn to_unit(n: u64) -> f64 {
    (n >> 11) as f64 / (1u64 << 53) as f64
}

fn render(request: &Request, endpoint: &Endpoint) -> Result<Rendered, RequestError> {
    check(request)?;
    let given = |name: &str| {
        request
            .headers
            .iter()
            .find(|(n, _)| n.eq_ignore_ascii_case(name))
    };
    let mut head = format!("{} {} HTTP/1.1\r\n", request.method, request.path);
    let mut line = |name: &str, value: &str| {
        if name.contains(|c| !is_token(c)) || name.is_empty() || value.contains(is_line_breaking) {
            return Err(RequestError::Header {
                request: request.name.clone(),
                header: name.to_owned(),
            });
        }
        head.push_str(name);
        head.push_str(": ");
        head.push_str(value);
        head.push_str("\r\n");
        Ok(())
    };
    if given("host").is_none() {
        line("Host", &endpoint.host)?;
    }
    if given("user-agent").is_none() {
        line("User-Agent", concat!("tacho/", env!("CARGO_PKG_VERSION")))?;
    }
    for (name, value) in &request.headers {
        line(name, value)?;
    }
    let length = request.body.len();
    match given("content-length") {
        Some((_, given)) if given.trim().parse() != Ok(length) => {
            return Err(RequestError::ContentLength {
                request: request.name.clone(),
                given: given.clone(),
                actual: length,
            });
        }
        Some(_) => {}
        None if given("transfer-encoding").is_some() => {}
        // An empty body is announced where one is to be expected (RFC 9110, 8.6).
        None if length > 0 || matches!(request.method.as_str(), "POST" | "PUT" | "PATCH") => {
            line("Content-Length", &length.to_string())?;
        }
        None => {}
    }
    head.push_str("\r\n");
    let mut bytes = head.into_bytes();
    bytes.extend_from_slice(&request.body);
    Ok(Rendered {
        name: request.name.clone(),
        bytes: bytes.into(),
        is_head: request.method == "HEAD",
        is_idempotent: matches!(
            request.method.as_str(),
            "GET" | "HEAD" | "OPTIONS" | "TRACE" | "PUT" | "DELETE"
        ),
    })
}

fn check(request: &Request) -> Result<(), RequestError> {
    let name = || request.name.clone();
    let method = &request.method;
    if method.is_empty() || method.contains(|c| !is_token(c)) || method == "CONNECT" {
        return Err(RequestError::Method {
            request: name(),
            method: method.clone(),
        });
    }
    let path = &request.path;
    let asterisk = method == "OPTIONS" && path == "*";
    if !(path.starts_with('/') || asterisk)
        || path.contains(|c: char| c.is_control() || c.is_whitespace())
    {
        return Err(RequestError::Path {
            request: name(),
            path: path.clone(),
        });
    }
    if !(request.weight.is_finite() && request.weight > 0.0) {
        return Err(RequestError::Weight {
            request: name(),
            weight: request.weight,
        });
    }
    Ok(())
}

/// `tchar` of RFC 9110, 5.6.2.
fn is_token(c: char) -> bool {
    c.is_ascii_alphanumeric() || "!#$%&'*+-.^_`|~".contains(c)
}

fn is_line_breaking(c: char) -> bool {
    c.is_control() && c != '\t'
}

#[cfg(test)]
mod tests;
