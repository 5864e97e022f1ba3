//! The options of one command line, and the requests that it makes.

use super::data::Data;
use crate::allowance::Allowance;
use crate::basic;
use crate::error::ImportError;
use crate::form::{self, Part};
use crate::imported::Connection;
use crate::note::Notes;
use crate::origin::{OneOrigin, Url, append_query, path_of};
use crate::template::literal_step;
use std::path::PathBuf;
use tacho_workload::rules::{is_header_value, is_method, is_token};
use tacho_workload::{Body, Step};

/// How many redirects curl follows.
const REDIRECTS: u32 = 50;

/// A file to be sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct File {
    pub path: PathBuf,
    /// As it was written.
    pub name: String,
}

/// The options of one command, up to the next `--next`.
#[derive(Debug, Default)]
pub(super) struct Draft {
    pub line: u64,
    /// The URLs, each with its line.
    pub urls: Vec<(u64, String)>,
    pub method: Option<String>,
    headers: Vec<(String, String)>,
    /// Names of curl's own headers that were removed, in lower case.
    removed_headers: Vec<String>,
    pub data: Data,
    pub is_json: bool,
    pub parts: Vec<Part>,
    pub upload: Option<File>,
    pub queries: Vec<String>,
    pub is_get: bool,
    pub is_head: bool,
    pub user: Option<Vec<u8>>,
    pub bearer: Option<String>,
    pub cookies: Vec<String>,
    pub keeps_cookies: bool,
    pub agent: Option<String>,
    pub referer: Option<String>,
    pub range: Option<String>,
    pub is_compressed: bool,
    pub request_target: Option<String>,
    pub follows: bool,
    pub max_redirects: Option<u32>,
    pub is_globoff: bool,
    pub is_path_as_is: bool,
    pub connection: Connection,
}

impl Draft {
    pub fn new(line: u64) -> Self {
        Self {
            line,
            ..Self::default()
        }
    }

    pub fn place(&self) -> String {
        format!("line {}", self.line)
    }

    pub fn redirects(&self) -> u32 {
        if self.follows {
            self.max_redirects.unwrap_or(REDIRECTS)
        } else {
            0
        }
    }

    /// `Name: value`, `Name;` (empty), `Name:` (without curl's own). False when it is none.
    pub fn add_header(&mut self, text: &str) -> bool {
        let (name, value) = match (text.split_once(':'), text.strip_suffix(';')) {
            (Some((name, value)), _) => (name, value.trim()),
            (None, Some(name)) => (name, ""),
            (None, None) => return false,
        };
        // Browsers copy the pseudo-headers of HTTP/2 as `:authority: host`.
        if text.starts_with(':') {
            return true;
        }
        if !is_token(name) || !is_header_value(value) {
            return false;
        }
        if value.is_empty() && text.contains(':') {
            self.removed_headers.push(name.to_ascii_lowercase());
        } else {
            self.headers.push((name.to_owned(), value.to_owned()));
        }
        true
    }

    /// A step for each URL.
    pub fn into_steps(
        self,
        origins: &mut OneOrigin,
        allowance: &mut Allowance,
        notes: &mut Notes,
    ) -> Result<Vec<Step>, ImportError> {
        let place = self.place();
        if self.urls.is_empty() {
            notes.add(&place, "there is no URL in this command; left out");
            return Ok(Vec::new());
        }
        let method = self.method()?;
        let mut queries = self.queries.clone();
        let (body, content_type) = self.body(&mut queries, &place)?;
        let mut steps = Vec::new();
        for (line, text) in &self.urls {
            let url = self.url(*line, text)?;
            origins.add(url.origin.clone());
            let target = self.target(&url, &queries);
            self.note_changes(*line, &target, notes);
            let headers = self.request_headers(url.authorization, content_type.as_deref());
            let step = literal_step(method.clone(), &target, headers, body.clone());
            allowance.take_step(&step, &place)?;
            steps.push(step);
        }
        Ok(steps)
    }

    fn method(&self) -> Result<String, ImportError> {
        let has_body = !self.parts.is_empty() || (!self.data.is_empty() && !self.is_get);
        let usual = match (&self.upload, self.is_head, has_body) {
            (_, true, _) => "HEAD",
            (Some(_), ..) => "PUT",
            (None, _, true) => "POST",
            _ => "GET",
        };
        let method = self.method.as_deref().unwrap_or(usual);
        if is_method(method) {
            Ok(method.to_owned())
        } else {
            Err(ImportError::Syntax {
                line: self.line,
                format: "a curl command line",
                problem: format!(
                    "`{method}` is no method that can be sent; use GET, POST or the like"
                ),
            })
        }
    }

    /// The body and the content type that curl gives it. With `-G` the data go into the query.
    fn body(
        &self,
        queries: &mut Vec<String>,
        place: &str,
    ) -> Result<(Body, Option<String>), ImportError> {
        if let Some(file) = &self.upload {
            let is_standard_input = matches!(file.name.as_str(), "-" | ".");
            return Ok(match is_standard_input {
                true => (Body::None, None),
                false => (Body::File(file.path.clone()), None),
            });
        }
        if !self.parts.is_empty() {
            let (content_type, body) = form::multipart(&self.parts);
            return Ok((Body::Bytes(body), Some(content_type)));
        }
        if self.data.is_empty() {
            return Ok((Body::None, None));
        }
        if self.is_get {
            let data = self.data.clone().into_bytes(place)?;
            queries.push(String::from_utf8_lossy(&data).into_owned());
            return Ok((Body::None, None));
        }
        let content_type = if self.is_json {
            "application/json"
        } else {
            form::URLENCODED
        };
        let body = self.data.clone().into_body(place)?;
        Ok((body, Some(content_type.to_owned())))
    }

    fn url(&self, line: u64, text: &str) -> Result<Url, ImportError> {
        // curl takes a host without a scheme for one of http.
        let url = if text.contains("://") {
            Url::parse(text)
        } else {
            Url::parse(&format!("http://{text}"))
        };
        url.map_err(|problem| ImportError::Url {
            place: format!("line {line}"),
            problem,
        })
    }

    fn target(&self, url: &Url, queries: &[String]) -> String {
        let mut target = match &self.request_target {
            Some(target) => crate::origin::target(target),
            None => url.target.clone(),
        };
        // `-T file http://host/folder/` names the file.
        if let Some(file) = &self.upload
            && path_of(&target).ends_with('/')
            && let Some(name) = file.path.file_name()
        {
            let at = path_of(&target).len();
            target.insert_str(at, &form::encode(name.to_string_lossy().as_bytes()));
        }
        for query in queries {
            // Data that is not encoded: only what would break the request line is.
            let encoded = crate::origin::target(&format!("/{}", query.replace('#', "%23")));
            append_query(&mut target, &encoded[1..]);
        }
        target
    }

    fn note_changes(&self, line: u64, target: &str, notes: &mut Notes) {
        let place = format!("line {line}");
        if !self.is_globoff && target.contains(['{', '}', '[', ']']) {
            notes.add(
                &place,
                "curl would make several URLs of the braces or brackets; Tacho sends them as they stand",
            );
        }
        let path = path_of(target);
        let has_dots = path.split('/').any(|segment| matches!(segment, "." | ".."));
        if !self.is_path_as_is && has_dots {
            notes.add(
                &place,
                "curl would resolve the dots in the path; Tacho sends them as they stand",
            );
        }
    }

    fn request_headers(
        &self,
        url_authorization: Option<String>,
        content_type: Option<&str>,
    ) -> Vec<(String, String)> {
        let mut headers = self.headers.clone();
        self.add_boundary(&mut headers, content_type);
        let mut imply = |name: &str, value: Option<String>| {
            let is_given = headers.iter().any(|(n, _)| n.eq_ignore_ascii_case(name))
                || self.removed_headers.contains(&name.to_ascii_lowercase());
            if let Some(value) = value.filter(|value| !is_given && is_header_value(value)) {
                headers.push((name.to_owned(), value));
            }
        };
        imply("Authorization", self.authorization().or(url_authorization));
        imply("User-Agent", self.agent.clone());
        imply("Referer", self.referer.as_deref().map(referer));
        imply(
            "Range",
            self.range.as_ref().map(|range| format!("bytes={range}")),
        );
        imply(
            "Cookie",
            (!self.cookies.is_empty()).then(|| self.cookies.join("; ")),
        );
        // Headers that curl adds itself, because a subject may answer differently without them.
        let accept = if self.is_json {
            "application/json"
        } else {
            "*/*"
        };
        imply("Accept", Some(accept.to_owned()));
        let encodings = "deflate, gzip, br, zstd".to_owned();
        imply("Accept-Encoding", self.is_compressed.then_some(encodings));
        imply("Content-Type", content_type.map(str::to_owned));
        headers
    }

    /// A content type of the user's for a form lacks the boundary that curl adds.
    fn add_boundary(&self, headers: &mut [(String, String)], content_type: Option<&str>) {
        let boundary = content_type.and_then(|text| text.split_once("; boundary="));
        if let Some((_, boundary)) = boundary {
            for (name, value) in headers {
                if name.eq_ignore_ascii_case("content-type") && !value.contains("boundary=") {
                    value.push_str("; boundary=");
                    value.push_str(boundary);
                }
            }
        }
    }

    fn authorization(&self) -> Option<String> {
        let bearer = self.bearer.as_ref().map(|token| format!("Bearer {token}"));
        bearer.or_else(|| {
            let mut user = self.user.clone()?;
            // Without a colon curl asks for the password.
            if !user.contains(&b':') {
                user.push(b':');
            }
            Some(basic::authorization(&user))
        })
    }
}

/// `;auto` tells curl to update it after a redirect.
fn referer(text: &str) -> String {
    text.strip_suffix(";auto").unwrap_or(text).to_owned()
}
