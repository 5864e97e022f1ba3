//! Settings that change how requests are sent, from collections, folders and requests.

use super::file::Behaviour;
use super::lenient::Flag;

/// How many redirects Postman follows.
const REDIRECTS: u32 = 10;

/// The settings of one place; those of an inner one win.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Manners {
    /// `GET` and its like are sent without a body.
    pub prunes_bodies: bool,
    pub keeps_cookies: bool,
    pub encodes_addresses: bool,
    /// A `Content-Type` is sent that follows from the kind of the body.
    pub implies_content_type: bool,
    /// 0 follows none.
    pub redirects: u32,
    pub verifies: bool,
}

impl Default for Manners {
    fn default() -> Self {
        Self {
            prunes_bodies: true,
            keeps_cookies: true,
            encodes_addresses: true,
            implies_content_type: true,
            redirects: REDIRECTS,
            verifies: true,
        }
    }
}

impl Manners {
    /// With the settings of an inner place.
    pub fn within(self, inner: Option<&Behaviour>) -> Self {
        let Some(inner) = inner else { return self };
        let unless = |flag: Option<Flag>, usual: bool| flag.map_or(usual, |flag| !flag.0);
        let system_headers = inner.disabled_system_headers.as_ref();
        let content_type = system_headers.and_then(|headers| {
            let mut named = headers.iter();
            named.find_map(|(n, off)| n.eq_ignore_ascii_case("content-type").then_some(*off))
        });
        let at_most = inner.max_redirects.as_str().trim().parse().ok();
        let redirects = match inner.follow_redirects {
            Some(Flag(false)) => 0,
            Some(Flag(true)) => at_most.unwrap_or(self.redirects.max(REDIRECTS)),
            None if self.redirects > 0 => at_most.unwrap_or(self.redirects),
            None => 0,
        };
        Self {
            prunes_bodies: unless(inner.disable_body_pruning, self.prunes_bodies),
            keeps_cookies: unless(inner.disable_cookies, self.keeps_cookies),
            encodes_addresses: unless(inner.disable_url_encoding, self.encodes_addresses),
            implies_content_type: unless(content_type, self.implies_content_type),
            redirects,
            verifies: inner.strict_ssl.map_or(self.verifies, |flag| flag.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn within(outer: Manners, json: &str) -> Manners {
        let behaviour: Behaviour = serde_json::from_str(json).unwrap();
        outer.within(Some(&behaviour))
    }

    #[test]
    fn the_inner_settings_win() {
        let usual = Manners::default();
        assert_eq!(within(usual, "{}"), usual);
        assert_eq!(usual.within(None), usual);
        let outer = within(
            usual,
            r#"{"followRedirects": false, "disableBodyPruning": true, "disableCookies": true,
            "disableUrlEncoding": true, "strictSSL": false,
            "disabledSystemHeaders": {"Content-Type": true, "accept": true}, "other": {"a": 1}}"#,
        );
        let other = Manners {
            prunes_bodies: false,
            keeps_cookies: false,
            encodes_addresses: false,
            implies_content_type: false,
            redirects: 0,
            verifies: false,
        };
        assert_eq!(outer, other);
        assert_eq!(within(outer, r#"{"maxRedirects": 3}"#).redirects, 0);
        let inner = r#"{"followRedirects": true, "strictSSL": true, "disableBodyPruning": false}"#;
        let inner = within(outer, inner);
        assert_eq!(
            (inner.redirects, inner.verifies, inner.prunes_bodies),
            (10, true, true)
        );
        assert_eq!(within(usual, r#"{"maxRedirects": 3}"#).redirects, 3);
    }
}
