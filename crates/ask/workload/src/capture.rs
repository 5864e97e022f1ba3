//! Values that are taken from an answer for later steps.

use crate::answer::Keep;
use crate::check::{CheckError, Seen, shown};
use crate::cookies::SetCookie;
use crate::json_path::{JsonPath, text_of};
use crate::rules::is_token;
use crate::spec::Source;
use regex::bytes::Regex;

/// The most bytes of a captured value: each virtual user holds its own.
pub const MAX_CAPTURED_BYTES: usize = 64 * 1024;

/// A capture that can be made.
#[derive(Debug, Clone)]
pub(crate) struct Capture {
    pub name: String,
    /// Where the value is kept.
    pub slot: usize,
    way: Way,
}

#[derive(Debug, Clone)]
enum Way {
    JsonPath(JsonPath),
    Header(String),
    Cookie(String),
    Regex(Regex),
}

impl Capture {
    pub(crate) fn new(name: &str, slot: usize, source: &Source) -> Result<Self, CheckError> {
        let way = match source {
            Source::JsonPath(path) => Way::JsonPath(JsonPath::parse(path)?),
            Source::Header(name) if !is_token(name) => {
                return Err(CheckError::Header(name.clone()));
            }
            Source::Header(name) => Way::Header(name.clone()),
            Source::Cookie(name) => Way::Cookie(name.clone()),
            Source::Regex(pattern) => Way::Regex(Regex::new(pattern)?),
        };
        Ok(Self {
            name: name.to_owned(),
            slot,
            way,
        })
    }

    pub(crate) fn needs(&self) -> Keep {
        match self.way {
            Way::Header(_) | Way::Cookie(_) => Keep::Head,
            Way::JsonPath(_) | Way::Regex(_) => Keep::HeadAndBody,
        }
    }

    /// The value, or why there is none.
    pub(crate) fn take(&self, seen: &Seen<'_>) -> Result<String, String> {
        let value = self
            .find(seen)
            .map_err(|instead| format!("`{}` is not captured: {instead}", self.name))?;
        if value.len() > MAX_CAPTURED_BYTES {
            return Err(format!(
                "`{}` is not captured: it has {} bytes, more than {}",
                self.name,
                value.len(),
                MAX_CAPTURED_BYTES
            ));
        }
        Ok(value)
    }

    fn find(&self, seen: &Seen<'_>) -> Result<String, String> {
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        match &self.way {
            Way::JsonPath(path) => {
                let json = seen.json()?;
                match path.select(json).first() {
                    Some(value) => Ok(text_of(value)),
                    None => Err(format!("nothing at {} in {}", path.as_str(), seen.body())),
                }
            }
            Way::Header(name) => {
                let value = seen.answer.values(name).next();
                value.map(text).ok_or_else(|| format!("no header `{name}`"))
            }
            Way::Cookie(name) => {
                let mut set = seen
                    .answer
                    .values("set-cookie")
                    .filter_map(SetCookie::parse);
                set.find(|cookie| cookie.name() == name)
                    .map(|cookie| cookie.value().to_owned())
                    .ok_or_else(|| format!("no cookie `{name}` is set"))
            }
            Way::Regex(pattern) => {
                let groups = pattern.captures(seen.answer.body);
                let found = groups.as_ref().and_then(|groups| {
                    let first = if groups.len() > 1 { 1 } else { 0 };
                    groups.get(first)
                });
                found.map(|found| text(found.as_bytes())).ok_or_else(|| {
                    format!(
                        "`{}` does not match {}",
                        shown(pattern.as_str().as_bytes()),
                        seen.body()
                    )
                })
            }
        }
    }
}

#[cfg(test)]
mod tests;
