//! The file, as far as it is looked at. Answers are not: they may be large, and are not always
//! text.

use serde::Deserialize;

#[derive(Debug, Deserialize)]
pub(super) struct File {
    pub log: Log,
}

#[derive(Debug, Deserialize)]
pub(super) struct Log {
    #[serde(default)]
    pub creator: Option<Creator>,
    pub entries: Vec<Entry>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Creator {
    #[serde(default)]
    pub name: String,
}

#[derive(Debug, Deserialize)]
pub(super) struct Entry {
    #[serde(default, rename = "startedDateTime")]
    pub started_date_time: Option<String>,
    pub request: Request,
    #[serde(default)]
    pub response: Response,
    /// Chrome: `memory`, `disk`.
    #[serde(default, rename = "_fromCache")]
    pub from_cache: Option<String>,
    /// Safari: `Network Load`, `Memory Cache`, `Disk Cache`, `Service Worker`.
    #[serde(default, rename = "_fetchType")]
    pub fetch_type: Option<String>,
    /// Playwright: the test has answered itself.
    #[serde(default, rename = "_wasFulfilled")]
    pub was_fulfilled: bool,
    /// Playwright: the test has aborted it.
    #[serde(default, rename = "_wasAborted")]
    pub was_aborted: bool,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Request {
    #[serde(default)]
    pub method: String,
    #[serde(default)]
    pub url: String,
    #[serde(default)]
    pub headers: Vec<Header>,
    #[serde(default)]
    pub post_data: Option<PostData>,
    /// Bytes; -1 where it is not known.
    #[serde(default)]
    pub body_size: Option<f64>,
    /// HTTP Toolkit: a body that is no text.
    #[serde(default, rename = "_content")]
    pub content: Option<Binary>,
    /// HTTP Toolkit: why a body is not there.
    #[serde(default, rename = "_requestBodyStatus")]
    pub body_status: Option<String>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Header {
    pub name: String,
    #[serde(default)]
    pub value: String,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct PostData {
    #[serde(default)]
    pub mime_type: String,
    #[serde(default)]
    pub text: Option<String>,
    #[serde(default)]
    pub params: Option<Vec<Param>>,
    /// Playwright: a file beside the recording.
    #[serde(default, rename = "_file")]
    pub file: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Param {
    pub name: String,
    #[serde(default)]
    pub value: Option<String>,
    #[serde(default)]
    pub file_name: Option<String>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Binary {
    pub text: String,
    #[serde(default)]
    pub encoding: Option<String>,
}

#[derive(Debug, Default, Deserialize)]
pub(super) struct Response {
    /// 0 or -1 where there was no answer.
    #[serde(default)]
    pub status: f64,
    #[serde(default)]
    pub headers: Vec<Header>,
    #[serde(default, rename = "_error")]
    pub error: Option<String>,
    #[serde(default, rename = "_failureText")]
    pub failure_text: Option<String>,
}
