//! The cookies of a virtual user (RFC 6265), for the one origin that a run goes to.
//!
//! `Set-Cookie` is parsed by the `cookie` library. The jar is our own, because there is only one
//! host: `Domain` only decides whether a cookie is accepted at all. What remains of the RFC's
//! storage model is `Path`, `Secure` and the expiry. The jar of `cookie_store` would need a parsed
//! URL for each request, and brings the tables of international domain names.

use crate::origin::Scheme;
use cookie::Cookie;

/// The most cookies that are kept; the oldest makes room for a new one. RFC 6265, 6.1 asks for at
/// least 4096 bytes a cookie and 50 cookies a domain.
const MAX_COOKIES: usize = 50;
const MAX_COOKIE_BYTES: usize = 4096;

/// One `Set-Cookie` field, understood.
#[derive(Debug, Clone)]
pub struct SetCookie<'a>(Cookie<'a>);

impl<'a> SetCookie<'a> {
    /// Understands the value of a `Set-Cookie` field; `None` when it is none that could be sent
    /// back: no name, not UTF-8, a control character, more than 4096 bytes.
    #[must_use]
    pub fn parse(field: &'a [u8]) -> Option<Self> {
        let text = str::from_utf8(field).ok()?;
        let is_sound = field.len() <= MAX_COOKIE_BYTES && !text.contains(|c: char| c.is_control());
        let cookie = Cookie::parse(text).ok().filter(|_| is_sound)?;
        (!cookie.name().is_empty()).then_some(Self(cookie))
    }

    /// Name of the cookie, before the `=`.
    #[must_use]
    pub fn name(&self) -> &str {
        self.0.name()
    }

    /// Its value, quotes included where there are any: it is sent back as it came.
    #[must_use]
    pub fn value(&self) -> &str {
        self.0.value()
    }

    /// When it ends, in nanoseconds since 1970; `None` when it lives as long as the jar. `Max-Age`
    /// comes before `Expires` (RFC 6265, 5.3).
    fn end(&self, now: u64) -> Option<u64> {
        if let Some(age) = self.0.max_age() {
            let age = u64::try_from(age.whole_nanoseconds()).unwrap_or(match age.is_negative() {
                true => 0,
                false => u64::MAX,
            });
            return Some(if age == 0 { 0 } else { now.saturating_add(age) });
        }
        let end = self.0.expires_datetime()?.unix_timestamp_nanos();
        // Before 1970 it is over; after 2554 it does not matter when.
        Some(u64::try_from(end.max(0)).unwrap_or(u64::MAX))
    }

    /// Domain matching (RFC 6265, 5.1.3): the host itself, or a part of its name after a dot.
    fn is_for(&self, host: &str) -> bool {
        let Some(domain) = self.0.domain() else {
            return true;
        };
        let host = host.to_ascii_lowercase();
        let domain = domain.to_ascii_lowercase();
        host == domain
            || !is_address(&host)
                && host
                    .strip_suffix(&domain)
                    .is_some_and(|rest| rest.ends_with('.'))
    }
}

fn is_address(host: &str) -> bool {
    host.trim_matches(['[', ']'])
        .parse::<std::net::IpAddr>()
        .is_ok()
}

/// Host of an authority: without its port.
pub(crate) fn host_of(authority: &str) -> &str {
    match authority.rsplit_once(':') {
        Some((host, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => host,
        _ => authority,
    }
}

/// The cookies of one virtual user.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Jar {
    /// Longer paths first, then older cookies: the order in which they are sent (5.4).
    cookies: Vec<Stored>,
    /// Cookies that were ever put in, to know the oldest.
    serial: u64,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Stored {
    name: String,
    value: String,
    path: String,
    is_secure: bool,
    end: Option<u64>,
    serial: u64,
}

impl Jar {
    pub(crate) fn clear(&mut self) {
        self.cookies.clear();
        self.serial = 0;
    }

    /// Takes what an answer to a request for `target` sets.
    pub(crate) fn take(&mut self, cookie: &SetCookie<'_>, host: &str, target: &str, now: u64) {
        if !cookie.is_for(host) {
            return;
        }
        let path = match cookie.0.path() {
            Some(path) if path.starts_with('/') => path,
            _ => default_path(target),
        };
        let is_same = |stored: &Stored| stored.name == cookie.name() && stored.path == path;
        let known = self.cookies.iter().position(is_same);
        let end = cookie.end(now);
        if end.is_some_and(|end| end <= now) {
            known.map(|index| self.cookies.remove(index));
            return;
        }
        let is_secure = cookie.0.secure().unwrap_or(false);
        if let Some(stored) = known.and_then(|index| self.cookies.get_mut(index)) {
            stored.value = cookie.value().to_owned();
            stored.is_secure = is_secure;
            stored.end = end;
            return;
        }
        self.make_room(now);
        self.serial += 1;
        let stored = Stored {
            name: cookie.name().to_owned(),
            value: cookie.value().to_owned(),
            path: path.to_owned(),
            is_secure,
            end,
            serial: self.serial,
        };
        let place = self
            .cookies
            .partition_point(|other| other.path.len() >= stored.path.len());
        self.cookies.insert(place, stored);
    }

    fn make_room(&mut self, now: u64) {
        self.cookies.retain(|cookie| cookie.lives(now));
        if self.cookies.len() < MAX_COOKIES {
            return;
        }
        let oldest = (0..self.cookies.len()).min_by_key(|&index| self.cookies[index].serial);
        oldest.map(|index| self.cookies.remove(index));
    }

    /// The value of the `Cookie` field of a request for `target`, unless there is none to send.
    pub(crate) fn field(&self, scheme: Scheme, target: &str, now: u64) -> Option<String> {
        let path = path_of(target);
        let mut field = String::new();
        for cookie in &self.cookies {
            let may_go = !cookie.is_secure || scheme == Scheme::Https;
            if may_go && cookie.lives(now) && path_matches(path, &cookie.path) {
                if !field.is_empty() {
                    field.push_str("; ");
                }
                field.push_str(&cookie.name);
                field.push('=');
                field.push_str(&cookie.value);
            }
        }
        (!field.is_empty()).then_some(field)
    }
}

impl Stored {
    fn lives(&self, now: u64) -> bool {
        self.end.is_none_or(|end| end > now)
    }
}

fn path_of(target: &str) -> &str {
    target.split(['?', '#']).next().unwrap_or(target)
}

/// RFC 6265, 5.1.4: up to the last slash of the request's path.
fn default_path(target: &str) -> &str {
    let path = path_of(target);
    match path.rfind('/') {
        Some(slash) if slash > 0 && path.starts_with('/') => &path[..slash],
        _ => "/",
    }
}

/// RFC 6265, 5.1.4.
fn path_matches(path: &str, of_cookie: &str) -> bool {
    path.strip_prefix(of_cookie)
        .is_some_and(|rest| rest.is_empty() || of_cookie.ends_with('/') || rest.starts_with('/'))
}

#[cfg(test)]
mod tests;
