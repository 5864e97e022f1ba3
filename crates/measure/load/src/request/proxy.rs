//! Proxies that other tools would use.

use super::{Address, Endpoint};

impl Endpoint {
    /// A variable that names a proxy which other tools would use, as one line for people.
    /// `variable` looks one up.
    #[must_use]
    pub fn unused_proxy(&self, variable: impl Fn(&str) -> Option<String>) -> Option<String> {
        let variable = |name: &str| variable(name).filter(|value| !value.is_empty());
        let exempt = variable("no_proxy").or_else(|| variable("NO_PROXY"));
        if matches!(self.address, Address::Unix(_))
            || exempt.is_some_and(|list| is_exempt(&list, self.host()))
        {
            return None;
        }
        // curl does not look at HTTP_PROXY, programs in Go and Rust do.
        let names = match self.tls {
            Some(_) => ["https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"],
            None => ["http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"],
        };
        let name = names.iter().find(|name| variable(name).is_some())?;
        Some(format!(
            "{name} is set and not used: requests go straight to {}",
            self.authority
        ))
    }
}

/// Whether a list such as `localhost,.example.org` names the host: by itself, by a domain that it
/// is in, or with `*`.
fn is_exempt(list: &str, host: &str) -> bool {
    let host = host.to_ascii_lowercase();
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
    use super::*;

    /// What is said of a proxy for everything, with these exceptions.
    fn said(exempt: &str, url: &str) -> Option<String> {
        let (endpoint, _) = Endpoint::parse_url(url).unwrap();
        endpoint.unused_proxy(|name| match name {
            "ALL_PROXY" => Some("http://proxy.test".to_owned()),
            "NO_PROXY" => Some(exempt.to_owned()),
            _ => None,
        })
    }

    #[test]
    fn a_host_is_exempt_by_its_name_or_its_domain() {
        for (list, url) in [
            ("*", "http://a.test"),
            ("x, localhost", "http://localhost:8080"),
            (".example.test", "http://api.example.test"),
            ("Example.test", "http://api.example.test:443"),
            ("::1", "http://[::1]:80"),
            ("127.0.0.1", "http://127.0.0.1"),
        ] {
            assert_eq!(said(list, url), None, "{list} {url}");
        }
        for (list, url) in [
            ("", "http://a.test"),
            ("le.test", "https://example.test"),
            ("b.test,", "http://a.test"),
        ] {
            let said = said(list, url).unwrap();
            assert!(said.starts_with("ALL_PROXY is set and not used"), "{said}");
        }
    }

    #[test]
    fn a_socket_file_needs_no_proxy() {
        let (endpoint, _) = Endpoint::parse_url("http://a.test").unwrap();
        let endpoint = endpoint.over_unix_socket("/run/a.sock");
        assert_eq!(
            endpoint.unused_proxy(|_| Some("http://proxy.test".to_owned())),
            None
        );
    }
}
