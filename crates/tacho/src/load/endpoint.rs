//! Where the requests go, from the URL, the flags and what was imported.

use super::arguments::How;
use super::error::LoadCommandError as Error;
use tacho_import::{HttpVersion, Imported};
use tacho_load::{ClientIdentity, Endpoint, Protocol};

/// The endpoint, and the path of the URL.
pub fn endpoint(
    url: Option<&str>,
    imported: Option<&Imported>,
    how: &How,
) -> Result<(Endpoint, String), Error> {
    let wishes = imported.map(|i| i.connection.clone()).unwrap_or_default();
    let url = match (url, imported.and_then(|i| i.origin.as_ref())) {
        (Some(url), _) => url.to_owned(),
        (None, Some(origin)) => origin.to_string(),
        (None, None) => return Err(Error::NoUrl),
    };
    let (mut endpoint, path) = Endpoint::parse_url(&url)?;
    let path = with_placeholders(&url).unwrap_or(path);
    let wants_http2 = matches!(
        wishes.http_version,
        Some(HttpVersion::Http2 | HttpVersion::Http2PriorKnowledge)
    );
    if how.http2 || wants_http2 {
        endpoint = endpoint.speaking(Protocol::Http2);
    }
    if let Some(socket) = how.unix_socket.clone().or(wishes.unix_socket) {
        endpoint = endpoint.over_unix_socket(socket);
    }
    let identity = (how.cert.clone().or(wishes.certificate))
        .zip(how.key.clone().or(wishes.key))
        .map(|(certificate, key)| ClientIdentity { certificate, key });
    let ca_file = how.ca.clone().or(wishes.ca);
    let asks_for_tls =
        how.insecure || how.server_name.is_some() || how.ca.is_some() || how.cert.is_some();
    match &mut endpoint.tls {
        Some(tls) => {
            tls.ca_file = ca_file;
            tls.identity = identity;
            tls.server_name.clone_from(&how.server_name);
            tls.insecure = how.insecure;
        }
        None if asks_for_tls => return Err(Error::NotTls { url }),
        None => {}
    }
    Ok((endpoint, path))
}

/// The path as it was written, when it holds placeholders: their braces are not part of a URL.
fn with_placeholders(url: &str) -> Option<String> {
    let (_, rest) = url.split_once("://")?;
    let path = &rest[rest.find('/')?..];
    let path = path.split_once('#').map_or(path, |(path, _)| path);
    path.contains("{{").then(|| path.to_owned())
}

/// Environment variables that name a proxy which other tools would use, as one line for people.
pub fn unused_proxy(endpoint: &Endpoint) -> Option<String> {
    let names: &[&str] = if endpoint.tls.is_some() {
        &["https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"]
    } else {
        &["http_proxy", "all_proxy", "ALL_PROXY"]
    };
    names
        .iter()
        .find(|name| std::env::var_os(name).is_some_and(|value| !value.is_empty()))
        .map(|name| {
            format!(
                "{name} is set and not used: requests go straight to {}",
                endpoint.authority
            )
        })
}
