//! Parses an address, given in parts or as one text, into where a request goes and what it asks
//! for.

use super::entries::{Entries, Named};
use super::file::{Address, Segment};
use super::filling::{Filling, has_missing};
use super::left_out::{LeftOut, Stop};
use super::lenient::{Either, Text};
use super::made::{is_made_anew, template};
use super::tokens::{Token, find_outside, tokens};
use crate::note::{Notes, shorten};
use crate::origin::{Origin, Url, sendable};
use crate::template::Template;
use percent_encoding::{AsciiSet, CONTROLS, utf8_percent_encode};

/// Where a request goes.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Host {
    Known(Origin),
    /// A variable without a value. The URL given for the load replaces it.
    Named(String),
}

/// An address with its variables filled in, except those that are made anew for each request.
#[derive(Debug)]
pub(super) struct Target {
    pub host: Host,
    /// Value of the `Authorization` header, from a login in the address.
    pub authorization: Option<String>,
    path: String,
    query: Option<String>,
}

/// What Postman encodes in a path.
const IN_PATH: &AsciiSet = &CONTROLS
    .add(b' ')
    .add(b'"')
    .add(b'#')
    .add(b'<')
    .add(b'>')
    .add(b'?')
    .add(b'`')
    .add(b'{')
    .add(b'}');
/// And in a query.
const IN_QUERY: &AsciiSet = &CONTROLS
    .add(b' ')
    .add(b'"')
    .add(b'#')
    .add(b'\'')
    .add(b'<')
    .add(b'>');
/// In the value of a parameter that it adds itself.
const IN_VALUE: &AsciiSet = &IN_QUERY.add(b'&');
/// And in its name.
const IN_NAME: &AsciiSet = &IN_VALUE.add(b'=');

/// Reads an address. `has_base`: the user says where to send; then the host need not be known.
pub(super) fn read(
    address: &Either<Address>,
    has_base: bool,
    filling: &mut Filling<'_, '_>,
    notes: &mut Notes,
) -> Result<Target, Stop> {
    let no_variables = Named::default();
    let (written, variables) = match address {
        Either::Text(raw) => (Written::of_raw(raw, None), &no_variables),
        Either::Parts(parts) => (Written::of(parts), &parts.variable),
    };
    let path = with_path_variables(&written.path, variables, filling, notes)?;
    let whole = format!("{}{path}{}", written.before, written.query);
    let filled = filling.fill_as_far(&whole)?;
    let filled = filled.trim();
    // A fragment is never sent.
    let end = find_outside(filled, &['#']).unwrap_or(filled.len());
    if end < filled.len() {
        notes.add(
            filling.place,
            "what follows the `#` of its address is not sent, as in Postman; write %23 where it is meant",
        );
    }
    split(&filled[..end], has_base, filling)
}

/// As it is written, with its variables.
#[derive(Debug, PartialEq, Eq)]
struct Written {
    /// Scheme, login, host and port.
    before: String,
    /// With the slash at its beginning, or nothing.
    path: String,
    /// With its question mark, or nothing.
    query: String,
}

impl Written {
    fn of(parts: &Address) -> Self {
        let host = match &parts.host {
            Some(Either::Text(host)) => host.clone(),
            Some(Either::Parts(parts)) => joined(parts.iter().map(Text::as_str), "."),
            None => String::new(),
        };
        let query = (!parts.query.is_empty()).then(|| query(&parts.query));
        if host.is_empty() {
            return Self::of_raw(parts.raw.as_str(), query);
        }
        let mut before = String::new();
        let protocol = parts.protocol.as_str();
        if !protocol.is_empty() {
            before = format!("{}://", protocol.trim_end_matches("://"));
        }
        if let Some(login) = &parts.auth
            && !login.user.as_str().is_empty()
        {
            before += &format!("{}:{}@", login.user.as_str(), login.password.as_str());
        }
        before += &host;
        if !parts.port.as_str().is_empty() {
            before += &format!(":{}", parts.port.as_str());
        }
        Self {
            before,
            path: parts.path.as_ref().map(path).unwrap_or_default(),
            query: query.unwrap_or_default(),
        }
    }

    /// Reads an address that is one text. If there is also a list of parameters, the list is used,
    /// because it says which parameters are switched off.
    fn of_raw(raw: &str, query: Option<String>) -> Self {
        let raw = raw.trim();
        let end = find_outside(raw, &['?', '#']).unwrap_or(raw.len());
        let (address, after) = raw.split_at(end);
        let host = find_outside(address, &[':']).filter(|at| address[*at..].starts_with("://"));
        let host = host.map_or(0, |at| at + 3);
        let path = find_outside(&address[host..], &['/']).map_or(address.len(), |at| host + at);
        Self {
            before: address[..path].to_owned(),
            path: address[path..].to_owned(),
            query: query.unwrap_or_else(|| after.to_owned()),
        }
    }
}

/// With the slash at its beginning; nothing where there is no segment.
fn path(path: &Either<Vec<Segment>>) -> String {
    match path {
        Either::Text(text) if text.is_empty() => String::new(),
        Either::Text(text) => format!("/{}", text.strip_prefix('/').unwrap_or(text)),
        Either::Parts(segments) if segments.is_empty() => String::new(),
        Either::Parts(segments) => format!("/{}", joined(segments.iter().map(segment), "/")),
    }
}

fn joined<'t>(pieces: impl Iterator<Item = &'t str>, by: &str) -> String {
    pieces.collect::<Vec<_>>().join(by)
}

fn segment(segment: &Segment) -> &str {
    match segment {
        Either::Text(text) => text,
        Either::Parts(valued) => valued.value.as_str(),
    }
}

/// The parameters that are switched on, after their question mark.
fn query(entries: &Entries) -> String {
    let pairs: Vec<String> = match entries {
        Entries::Written(text) => vec![text.trim_start_matches('?').to_owned()],
        listed => listed
            .on()
            .filter(|entry| !entry.is_blank())
            .map(|entry| match entry.value.given() {
                // A name alone has no equals sign.
                None => entry.name().to_owned(),
                Some(value) => format!("{}={value}", entry.name()),
            })
            .collect(),
    };
    if pairs.is_empty() {
        String::new()
    } else {
        format!("?{}", pairs.join("&"))
    }
}

/// `/stays/:id` with the value of `id`, which stays one segment.
fn with_path_variables(
    path: &str,
    values: &Named,
    filling: &mut Filling<'_, '_>,
    notes: &mut Notes,
) -> Result<String, Stop> {
    let mut segments = Vec::new();
    for segment in path.split('/') {
        let name = segment.strip_prefix(':').filter(|name| !name.is_empty());
        let Some(name) = name else {
            segments.push(segment.to_owned());
            continue;
        };
        let value = values.get(name).filter(|value| !value.is_empty());
        let value = value.ok_or_else(|| LeftOut::PathVariable(shorten(name, 60)))?;
        let value = filling.fill(value)?;
        if value.contains('/') {
            notes.add(
                filling.place,
                format_args!(
                    "the slash in the value of the path variable `{}` is sent as %2F, so that it stays one segment; write it into the path if it separates some",
                    shorten(name, 60)
                ),
            );
        }
        let value = value.replace('/', "%2F");
        segments.push(value.replace('?', "%3F").replace('#', "%23"));
    }
    Ok(segments.join("/"))
}

/// Splits an address in which every variable with a value is already filled in.
fn split(text: &str, has_base: bool, filling: &mut Filling<'_, '_>) -> Result<Target, Stop> {
    if text.is_empty() {
        return Err(LeftOut::NoAddress.into());
    }
    let colon = find_outside(text, &[':', '/', '?']);
    let scheme = colon.filter(|at| text[*at..].starts_with("://"));
    let after = scheme.map_or(0, |at| at + 3);
    let end = find_outside(&text[after..], &['/', '?']).map_or(text.len(), |at| after + at);
    let (before, rest) = text.split_at(end);
    let at = find_outside(rest, &['?']);
    let (path, query) = match at {
        Some(at) => (&rest[..at], Some(rest[at + 1..].to_owned())),
        None => (rest, None),
    };
    filling.miss(rest);
    let (host, authorization) = host(before, scheme, has_base, filling)?;
    Ok(Target {
        host,
        authorization,
        path: if path.is_empty() { "/" } else { path }.to_owned(),
        query,
    })
}

/// `https://host:8080`, or without a scheme, which means http.
fn host(
    text: &str,
    scheme: Option<usize>,
    has_base: bool,
    filling: &mut Filling<'_, '_>,
) -> Result<(Host, Option<String>), Stop> {
    if is_made_anew(text) {
        return Err(LeftOut::MadeHost.into());
    }
    if has_missing(text) {
        if !has_base {
            filling.miss_host(text);
        }
        return Ok((Host::Named(text.to_owned()), None));
    }
    let known = scheme.map(|at| &text[..at]);
    if let Some(other) = known
        && !other.eq_ignore_ascii_case("http")
        && !other.eq_ignore_ascii_case("https")
    {
        return Err(LeftOut::Scheme(format!("{}://", shorten(other, 20))).into());
    }
    let whole = match known {
        Some(_) => text.to_owned(),
        None => format!("http://{text}"),
    };
    let url = Url::parse(&whole).map_err(|_| no_host(&whole))?;
    let origin = url.origin.ok_or_else(|| no_host(&whole))?;
    Ok((Host::Known(origin), url.authorization))
}

/// Without the login, which is secret.
fn no_host(url: &str) -> LeftOut {
    let (_, authority) = url.split_once("://").unwrap_or(("", url));
    let host = authority.rsplit('@').next().unwrap_or_default();
    LeftOut::Address(match host {
        "" => "has an address without a host".to_owned(),
        host => format!(
            "`{}` is no host with an optional port from 1 to 65535",
            shorten(host, 60)
        ),
    })
}

impl Target {
    /// Sets a parameter, in the place of those of the same name.
    pub fn set_parameter(&mut self, name: &str, value: &str) {
        self.remove_parameter(name);
        let pair = format!("{}={}", encoded(name, IN_NAME), encoded(value, IN_VALUE));
        match &mut self.query {
            Some(query) if !query.is_empty() => {
                query.push('&');
                query.push_str(&pair);
            }
            query => *query = Some(pair),
        }
    }

    fn remove_parameter(&mut self, name: &str) {
        let Some(query) = &self.query else { return };
        let others = query.split('&').filter(|pair| {
            let named = pair.split('=').next().unwrap_or_default();
            named != name
        });
        self.query = Some(joined(others, "&"));
    }

    /// Path and query as a template. With `encodes` they are encoded as Postman does; otherwise
    /// they stay, except characters that would break the request line.
    pub fn template(&self, encodes: bool) -> Template {
        let change = |set: &'static AsciiSet| {
            move |text: &str| match encodes {
                true => utf8_percent_encode(text, set).to_string(),
                // One that is made anew has no fragment either.
                false => sendable(text).replace('#', "%23"),
            }
        };
        let mut whole = template(&self.path, change(IN_PATH));
        if let Some(query) = &self.query {
            whole.push_text("?");
            whole.append(&template(query, change(IN_QUERY)));
        }
        whole
    }
}

/// Encoded outside of its variables.
fn encoded(text: &str, set: &'static AsciiSet) -> String {
    let pieces = tokens(text).map(|token| match token {
        Token::Text(text) => utf8_percent_encode(text, set).to_string(),
        Token::Variable(name) => format!("{{{{{name}}}}}"),
    });
    pieces.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::allowance::Allowance;
    use crate::postman::environment::Environment;
    use crate::postman::scripts::Scripts;
    use crate::postman::variables::Variables;
    use serde_json::{Value, json};

    const VALUES: &str = r#"{"base": "https://a.example:8443/v1", "id": "7", "and": "x&y=z",
        "odd": "a b?c#d/e"}"#;

    fn target(address: &Value, has_base: bool) -> (Result<Target, String>, Vec<String>) {
        let address: Either<Address> = serde_json::from_value(address.clone()).unwrap();
        let environments = [Environment::read(VALUES.as_bytes()).unwrap()];
        let variables = Variables::new(&environments);
        let (scripts, mut allowance) = (Scripts::default(), Allowance::default());
        let mut filling = Filling::new(&variables, &scripts, &mut allowance, "Orders");
        let mut notes = Notes::default();
        let target = read(&address, has_base, &mut filling, &mut notes);
        let missing = filling.missing().iter().map(ToString::to_string).collect();
        (target.map_err(|stop| stop.to_string()), missing)
    }

    fn sent(address: Value) -> String {
        let target = target(&address, false).0.unwrap();
        let host = match &target.host {
            Host::Known(origin) => origin.to_string(),
            Host::Named(name) => format!("<{name}>"),
        };
        format!("{host}{}", target.template(true).finish())
    }

    #[test]
    fn parts_and_texts_say_the_same() {
        for (address, whole) in [
            (json!("a.example"), "http://a.example/"),
            (
                json!("A.example:8080/b?c=d#e"),
                "http://a.example:8080/b?c=d",
            ),
            (
                json!("{{base}}/orders/{{id}}"),
                "https://a.example:8443/v1/orders/7",
            ),
            (
                json!({"raw": "{{base}}?q=1"}),
                "https://a.example:8443/v1?q=1",
            ),
            (
                json!({"raw": "ignored", "protocol": "https", "host": ["a", "example"],
                    "port": 8443, "path": ["b", {"type": "any", "value": "c"}, ""],
                    "query": [{"key": "d", "value": "e f"}, {"key": "g", "value": null},
                        {"key": "", "value": ""},
                        {"key": "h", "disabled": true}]}),
                "https://a.example:8443/b/c/?d=e%20f&g",
            ),
            (
                json!({"host": "{{base}}", "path": "/b/c", "query": "d=1&e"}),
                "https://a.example:8443/v1/b/c?d=1&e",
            ),
            (
                json!({"raw": "http://a.example/x?off=1", "query": [{"key": "on", "value": "2"},
                    {"key": "off", "value": "1", "disabled": true}]}),
                "http://a.example/x?on=2",
            ),
            (
                json!({"host": ["{{base}}"], "path": []}),
                "https://a.example:8443/v1",
            ),
            (
                json!("http://a.example/ä{b}?c={d}'&{{and}}"),
                "http://a.example/%C3%A4%7Bb%7D?c={d}%27&x&y=z",
            ),
            (
                json!("http://a.example/{{$guid}}?t={{$timestamp}}"),
                "http://a.example/{{uuid}}?t={{now s}}",
            ),
            (json!("http://a.example/100%25"), "http://a.example/100%25"),
        ] {
            assert_eq!(sent(address.clone()), whole, "{address}");
        }
    }

    #[test]
    fn a_path_variable_is_one_segment() {
        let address = |path: &str| {
            json!({"raw": format!("http://a.example{path}"), "variable": [
                {"key": "id", "value": "{{id}}"}, {"id": "odd", "value": "{{odd}}"},
                {"key": "empty", "value": ""}]})
        };
        assert_eq!(
            sent(address("/x:id/:id/:/:odd?at=:id")),
            "http://a.example/x:id/7/:/a%20b%3Fc%23d%2Fe?at=:id"
        );
        let refused = target(&address("/:empty"), false).0.unwrap_err();
        assert!(refused.contains("`empty` has no value"), "{refused}");
    }

    #[test]
    fn what_is_no_address_is_told_without_what_may_be_secret() {
        for (address, told) in [
            (json!(""), "has no address"),
            (json!("/orders"), "without a host"),
            (json!("ws://a.example/"), "`ws://`"),
            (json!("http://u:hunter22@a b/"), "`a b` is no host"),
            (
                json!("http://{{$randomInt}}.example/"),
                "generated for each",
            ),
            (json!("http://a.example/:none"), "`none` has no value"),
        ] {
            let error = target(&address, false).0.unwrap_err();
            assert!(
                error.contains(told) && !error.contains("hunter22"),
                "{error}"
            );
        }
    }

    #[test]
    fn the_base_stands_for_a_host_that_has_no_value() {
        let address = json!("{{nowhere}}/orders/{{nothing}}");
        let (read, missing) = target(&address, true);
        assert_eq!(read.unwrap().host, Host::Named("{{nowhere}}".to_owned()));
        assert_eq!(missing, ["`nothing` has no value"]);
        let (_, missing) = target(&address, false);
        assert_eq!(
            missing,
            ["`nothing` has no value", "`nowhere` has no value"]
        );
    }

    #[test]
    fn a_parameter_takes_the_place_of_its_like() {
        let address = json!("http://a.example/?key=1&b=2&key=3");
        let mut target = target(&address, false).0.unwrap();
        target.set_parameter("key", "{{$guid}}&");
        assert_eq!(target.template(true).finish(), "/?b=2&key={{uuid}}%26");
        target.set_parameter("b", "");
        target.set_parameter("key", "");
        assert_eq!(target.template(true).finish(), "/?b=&key=");
    }
}
