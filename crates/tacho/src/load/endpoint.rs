//! Where the requests go, from the URL, the flags and what was imported.

use super::arguments::How;
use super::error::LoadCommandError as Error;
use tacho_import::{HttpVersion, Imported};
use tacho_load::{Address, ClientIdentity, Endpoint, Protocol};

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
    let variable = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
    let exempt = variable("no_proxy").or_else(|| variable("NO_PROXY"));
    if matches!(endpoint.address, Address::Unix(_))
        || exempt.is_some_and(|list| is_exempt(&list, &endpoint.authority))
    {
        return None;
    }
    // curl does not look at HTTP_PROXY, programs in Go and Rust do.
    let names: &[&str] = if endpoint.tls.is_some() {
        &["https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"]
    } else {
        &["http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"]
    };
    let name = names.iter().find(|name| variable(name).is_some())?;
    Some(format!(
        "{name} is set and not used: requests go straight to {}",
        endpoint.authority
    ))
}

/// Whether a list such as `localhost,.example.org` names the host: by itself, by a domain that it is in, or with `*`.
fn is_exempt(list: &str, authority: &str) -> bool {
    let host = match authority.rsplit_once(':') {
        Some((host, port)) if port.bytes().all(|b| b.is_ascii_digit()) => host,
        _ => authority,
    };
    let host = host.trim_matches(['[', ']']).to_ascii_lowercase();
    list.split(',').map(str::trim).any(|entry| {
        let domain = entry.trim_start_matches('.').to_ascii_lowercase();
        entry == "*"
            || !domain.is_empty()
                && host
                    .strip_suffix(&domain)
                    .is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
    })
}

#[cfg(test)]
mod tests {
    use super::is_exempt;

    #[test]
    fn a_host_is_exempt_by_its_name_or_its_domain() {
        for (list, authority) in [
            ("*", "a.test"),
            ("x, localhost", "localhost:8080"),
            (".example.test", "api.example.test"),
            ("Example.test", "api.example.test:443"),
            ("::1", "[::1]:80"),
            ("127.0.0.1", "127.0.0.1"),
        ] {
            assert!(is_exempt(list, authority), "{list} {authority}");
        }
        for (list, authority) in [
            ("", "a.test"),
            ("le.test", "example.test"),
            ("b.test,", "a.test"),
        ] {
            assert!(!is_exempt(list, authority), "{list} {authority}");
        }
    }
}
