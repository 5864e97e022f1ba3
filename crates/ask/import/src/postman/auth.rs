//! Authorization: a method that adds a header or a parameter is sent; one that needs more is not.
//! <https://github.com/postmanlabs/postman-runtime/tree/develop/lib/authorizer>

use super::address::Target;
use super::entries::Named;
use super::file::Auth;
use super::filling::Filling;
use super::left_out::{LeftOut, Stop};
use super::made::is_made_anew;
use crate::basic;
use crate::error::ImportError;
use crate::note::{Notes, shorten};
use crate::origin::{Url, path_of};
use std::collections::BTreeSet;

/// Header lines of a request, filled in but for what is made anew.
#[derive(Debug, Default)]
pub(super) struct Headers(pub Vec<(String, String)>);

impl Headers {
    pub fn has(&self, name: &str) -> bool {
        self.0.iter().any(|(n, _)| n.eq_ignore_ascii_case(name))
    }

    /// Sets a header in the place of all of its name; says whether there were some.
    pub fn set(&mut self, name: &str, value: String) -> bool {
        let was_there = self.has(name);
        self.0.retain(|(n, _)| !n.eq_ignore_ascii_case(name));
        self.0.push((name.to_owned(), value));
        was_there
    }
}

/// The request that gets its authorization.
pub(super) struct Authorized<'r> {
    pub target: &'r mut Target,
    pub headers: &'r mut Headers,
    /// Values that must be in nothing that is written.
    pub secrets: &'r mut BTreeSet<String>,
}

/// Adds what an authorization adds.
pub(super) fn add(
    auth: &Auth,
    request: Authorized<'_>,
    filling: &mut Filling<'_, '_>,
    notes: &mut Notes,
) -> Result<(), Stop> {
    let kind = auth.kind.as_str();
    let mut needs = Needs {
        entries: auth.needs(),
        filling,
    };
    let replaced = match kind {
        "" | "noauth" => false,
        "basic" => basic(&mut needs, request)?,
        "bearer" => bearer(&mut needs, request)?,
        "apikey" => api_key(&mut needs, request)?,
        "oauth2" => oauth2(&mut needs, request)?,
        other => return Err(unsent(other).into()),
    };
    if replaced {
        notes.add(
            filling.place,
            "a header that was typed by hand has the name of one that the authorization sets, and is not sent",
        );
    }
    Ok(())
}

/// Methods that need more than a header.
const MORE: [(&str, &str); 9] = [
    ("digest", "answers a challenge of the server"),
    (
        "ntlm",
        "answers a challenge of the server for each connection",
    ),
    ("awsv4", "signs each request"),
    ("hawk", "signs each request"),
    ("oauth1", "signs each request"),
    ("edgegrid", "signs each request"),
    ("akamai", "signs each request"),
    ("asap", "signs a token for each request"),
    ("jwt", "signs a token for each request"),
];

fn unsent(kind: &str) -> LeftOut {
    let known = MORE.iter().find(|(name, _)| *name == kind);
    LeftOut::Authorization {
        kind: shorten(kind, 40),
        why: known.map_or("is not known", |(_, why)| *why),
    }
}

/// What a kind needs, by name.
struct Needs<'n, 'f, 'a> {
    entries: Option<&'n Named>,
    filling: &'n mut Filling<'f, 'a>,
}

impl<'n> Needs<'n, '_, '_> {
    /// As it is written; nothing where it is not or is empty.
    fn written(&self, name: &str) -> Option<&'n str> {
        let value = self.entries?.get(name);
        value.filter(|value| !value.is_empty())
    }

    /// Filled in; nothing where that is empty.
    fn filled(&mut self, name: &str) -> Result<Option<String>, ImportError> {
        let Some(value) = self.written(name) else {
            return Ok(None);
        };
        let filled = self.filling.fill(value)?;
        Ok(Some(filled).filter(|value| !value.is_empty()))
    }
}

fn basic(needs: &mut Needs<'_, '_, '_>, request: Authorized<'_>) -> Result<bool, Stop> {
    let user = needs.filled("username")?;
    let password = needs.filled("password")?;
    if user.is_none() && password.is_none() {
        return Ok(false);
    }
    let (user, password) = (user.unwrap_or_default(), password.unwrap_or_default());
    if is_made_anew(&user) || is_made_anew(&password) {
        return Err(LeftOut::MadeLogin.into());
    }
    let value = basic::authorization(format!("{user}:{password}").as_bytes());
    request.secrets.insert(password);
    Ok(request.headers.set("Authorization", value))
}

fn bearer(needs: &mut Needs<'_, '_, '_>, request: Authorized<'_>) -> Result<bool, Stop> {
    let Some(token) = needs.filled("token")? else {
        return Ok(false);
    };
    let value = format!("Bearer {}", token.trim());
    request.secrets.insert(token);
    Ok(request.headers.set("Authorization", value))
}

fn api_key(needs: &mut Needs<'_, '_, '_>, request: Authorized<'_>) -> Result<bool, Stop> {
    let Some(name) = needs.filled("key")? else {
        return Ok(false);
    };
    let value = needs.filled("value")?.unwrap_or_default();
    request.secrets.insert(value.clone());
    if needs.written("in") == Some("query") {
        request.target.set_parameter(&name, &value);
        return Ok(false);
    }
    Ok(request.headers.set(name.trim(), value))
}

fn oauth2(needs: &mut Needs<'_, '_, '_>, request: Authorized<'_>) -> Result<bool, Stop> {
    let Some(token) = needs.filled("accessToken")? else {
        return Err(LeftOut::NoToken(source(needs)?).into());
    };
    let kind = needs.filled("tokenType")?.unwrap_or_default();
    if kind.eq_ignore_ascii_case("mac") {
        return Err(LeftOut::Authorization {
            kind: "oauth2 with a token of the type mac".to_owned(),
            why: "signs each request",
        }
        .into());
    }
    request.secrets.insert(token.clone());
    if matches!(needs.written("addTokenTo"), Some("queryParams" | "url")) {
        request.target.set_parameter("access_token", &token);
        return Ok(false);
    }
    let prefix = needs.entries.and_then(|e| e.get("headerPrefix"));
    let prefix = needs.filling.fill(prefix.unwrap_or("Bearer"))?;
    let value = format!("{} {token}", prefix.trim());
    let value = value.trim().to_owned();
    Ok(request.headers.set("Authorization", value))
}

/// Where a token would come from, without what may be secret in the address.
fn source(needs: &mut Needs<'_, '_, '_>) -> Result<String, ImportError> {
    let Some(url) = needs.written("accessTokenUrl") else {
        return Ok(String::new());
    };
    let url = needs.filling.fill_as_far(url)?;
    let origin = Url::parse(&url)
        .ok()
        .and_then(|url| Some((url.origin?, url.target)));
    Ok(origin.map_or_else(String::new, |(origin, target)| {
        let path = shorten(path_of(&target), 80);
        format!("; it would come from {origin}{path}")
    }))
}

/// What is secret in an authorization, by its names in Postman.
const SECRET: [&str; 14] = [
    "accessKey",
    "accessToken",
    "authKey",
    "clientSecret",
    "clientToken",
    "consumerSecret",
    "password",
    "privateKey",
    "refreshToken",
    "secret",
    "secretKey",
    "sessionToken",
    "token",
    "tokenSecret",
];

/// The secrets of an authorization, whether it is used or not.
pub(super) fn secrets(auth: &Auth) -> impl Iterator<Item = &str> {
    let is_key = auth.kind.as_str() == "apikey";
    let needs = auth.needs().into_iter().flat_map(Named::iter);
    let secret = needs.filter(move |(name, _)| match is_key {
        true => *name == "value",
        false => SECRET.contains(name),
    });
    secret.map(|(_, value)| value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::allowance::Allowance;
    use crate::postman::environment::Environment;
    use crate::postman::lenient::Either;
    use crate::postman::scripts::Scripts;
    use crate::postman::variables::Variables;
    use serde_json::{Value, json};

    /// The path, and the headers in one line each.
    fn authorized(auth: Value) -> Result<(String, Vec<String>), String> {
        let auth: Auth = serde_json::from_value(auth).unwrap();
        let environments = [Environment::read(br#"{"pw": "s3cret", "none": ""}"#).unwrap()];
        let variables = Variables::new(&environments);
        let (scripts, mut allowance) = (Scripts::default(), Allowance::default());
        let mut filling = Filling::new(&variables, &scripts, &mut allowance, "Orders");
        let mut notes = Notes::default();
        let address = Either::Text("http://a.example/x?key=typed&b=1".to_owned());
        let target = super::super::address::read(&address, false, &mut filling, &mut notes);
        let mut target = target.map_err(|stop| stop.to_string())?;
        let mut headers = Headers(vec![("authorization".to_owned(), "typed".to_owned())]);
        let mut secrets = BTreeSet::new();
        let request = Authorized {
            target: &mut target,
            headers: &mut headers,
            secrets: &mut secrets,
        };
        add(&auth, request, &mut filling, &mut notes).map_err(|stop| stop.to_string())?;
        let lines = headers
            .0
            .iter()
            .map(|(name, value)| format!("{name}: {value}"));
        Ok((target.template(true).finish(), lines.collect()))
    }

    fn headers(auth: Value) -> Vec<String> {
        authorized(auth).unwrap().1
    }

    #[test]
    fn what_is_a_header_takes_the_place_of_the_one_that_was_typed() {
        for (auth, header) in [
            (
                json!({"type": "basic", "basic": {"username": "ann", "password": "{{pw}}"}}),
                "Authorization: Basic YW5uOnMzY3JldA==",
            ),
            (
                json!({"type": "bearer", "bearer": [{"key": "token", "value": "{{pw}}"}]}),
                "Authorization: Bearer s3cret",
            ),
            (
                json!({"type": "oauth2", "oauth2": [{"key": "accessToken", "value": "abc"}]}),
                "Authorization: Bearer abc",
            ),
            (
                json!({"type": "oauth2", "oauth2": {"accessToken": "abc", "headerPrefix": "Token ",
                    "addTokenTo": "header"}}),
                "Authorization: Token abc",
            ),
            (
                json!({"type": "oauth2", "oauth2": {"accessToken": "abc", "headerPrefix": ""}}),
                "Authorization: abc",
            ),
            (
                json!({"type": "apikey", "apikey": {"key": "AUTHORIZATION", "value": "k"}}),
                "AUTHORIZATION: k",
            ),
        ] {
            assert_eq!(headers(auth.clone()), [header], "{auth}");
        }
    }

    #[test]
    fn nothing_is_no_authorization() {
        for auth in [
            json!({"type": "noauth"}),
            json!({"type": null}),
            json!({"type": "basic", "basic": []}),
            json!({"type": "bearer", "bearer": [{"key": "token", "value": ""}]}),
            json!({"type": "bearer", "bearer": {"token": "{{none}}"}}),
            json!({"type": "apikey", "apikey": {"value": "k"}}),
        ] {
            assert_eq!(headers(auth.clone()), ["authorization: typed"], "{auth}");
        }
    }

    #[test]
    fn keys_and_tokens_go_into_the_query() {
        let key =
            json!({"type": "apikey", "apikey": {"key": "key", "value": "a&b", "in": "query"}});
        assert_eq!(authorized(key).unwrap().0, "/x?b=1&key=a%26b");
        let token = json!({"type": "oauth2",
            "oauth2": {"accessToken": "abc", "addTokenTo": "queryParams"}});
        assert_eq!(
            authorized(token).unwrap().0,
            "/x?key=typed&b=1&access_token=abc"
        );
    }

    #[test]
    fn what_needs_more_says_what() {
        for (auth, told) in [
            (json!({"type": "digest"}), "(digest) answers a challenge"),
            (json!({"type": "awsv4"}), "(awsv4) signs each request"),
            (json!({"type": "magic"}), "(magic) is not known"),
            (
                json!({"type": "oauth2", "oauth2": {"accessToken": "x", "tokenType": "MAC"}}),
                "signs each request",
            ),
            (
                json!({"type": "oauth2",
                    "oauth2": {"accessTokenUrl": "https://u:hunter22@l.example/t?s=hunter22"}}),
                "come from https://l.example/t; fetch one",
            ),
            (
                json!({"type": "basic", "basic": {"username": "{{$guid}}"}}),
                "cannot be made anew",
            ),
        ] {
            let refused = authorized(auth).unwrap_err();
            assert!(
                refused.contains(told) && !refused.contains("hunter22"),
                "{refused}"
            );
        }
    }

    #[test]
    fn what_is_secret_is_known() {
        let of = |auth: Value| -> Vec<String> {
            let auth: Auth = serde_json::from_value(auth).unwrap();
            secrets(&auth).map(str::to_owned).collect()
        };
        let key = json!({"type": "apikey", "apikey": {"key": "X-Key", "value": "k1"}});
        assert_eq!(of(key), ["k1"]);
        let aws = json!({"type": "awsv4", "awsv4": [{"key": "secretKey", "value": "k2"},
            {"key": "region", "value": "eu"}]});
        assert_eq!(of(aws), ["k2"]);
        let oauth = json!({"type": "oauth2",
            "oauth2": {"accessToken": "k3", "addTokenTo": "header", "tokenType": "Bearer"}});
        assert_eq!(of(oauth), ["k3"]);
    }
}
