//! Forms in parts, some of which are files.

use super::body::{Content, file_name};
use super::file::Field;
use super::filling::Filling;
use super::left_out::{LeftOut, Stop};
use super::lenient::Either;
use super::made::{is_made_anew, template};
use crate::file::below;
use crate::form::{self, Part};
use crate::note::shorten;
use std::path::Path;
use tacho_files::input;
use tacho_workload::Body;

/// Reads the fields of a form that are switched on.
pub(super) fn read(
    fields: &[Field],
    base_dir: &Path,
    filling: &mut Filling<'_, '_>,
) -> Result<Content, Stop> {
    let mut form = Form {
        parts: Vec::new(),
        base_dir,
    };
    for field in fields.iter().filter(|field| !field.disabled.0) {
        form.add(field, filling)?;
    }
    form.finish()
}

/// Parts whose texts still contain variables that are made anew for each request.
struct Form<'b> {
    parts: Vec<Part>,
    base_dir: &'b Path,
}

impl Form<'_> {
    fn add(&mut self, field: &Field, filling: &mut Filling<'_, '_>) -> Result<(), Stop> {
        let name = filling.fill(field.key.as_str())?;
        let content_type = filling.fill(field.content_type.as_str())?;
        let content_type = Some(content_type).filter(|kind| !kind.is_empty());
        let is_file = field.kind.as_str() == "file";
        if !is_file {
            self.parts.push(Part {
                name,
                file_name: None,
                content_type,
                content: filling.fill(field.value.as_str())?.into_bytes(),
            });
            return Ok(());
        }
        let sources: Vec<&str> = match &field.src {
            Some(Either::Text(path)) => vec![path],
            Some(Either::Parts(paths)) => paths.iter().map(|path| path.as_str()).collect(),
            None => Vec::new(),
        };
        if sources.is_empty() {
            return Err(LeftOut::NoFileNamed.into());
        }
        let called = filling.fill(field.file_name.as_str())?;
        for source in sources {
            let source = file_name(source, filling)?;
            let content = self.contents(&source, filling)?;
            let short = source.rsplit('/').next().unwrap_or(&source);
            let called = if called.is_empty() { short } else { &called };
            let kind = content_type.clone();
            self.parts.push(Part {
                name: name.clone(),
                file_name: Some(called.to_owned()),
                content_type: kind.or_else(|| Some(form::content_type(&source).to_owned())),
                content,
            });
        }
        Ok(())
    }

    fn contents(&self, name: &str, filling: &mut Filling<'_, '_>) -> Result<Vec<u8>, Stop> {
        let short = || shorten(name, 80);
        let path =
            below(self.base_dir, name).map_err(|why| LeftOut::File { name: short(), why })?;
        let content = input::read(&path, input::BODY)
            .map_err(|error| LeftOut::Unreadable(short(), error.to_string()))?;
        filling.allowance.take_bytes(content.len(), filling.place)?;
        Ok(content)
    }

    fn finish(self) -> Result<Content, Stop> {
        if self.parts.is_empty() {
            return Ok(Content::none());
        }
        let is_made = self.parts.iter().any(|part| match part.file_name {
            Some(_) => is_made_anew(&part.name),
            None => is_made_anew(&part.name) || is_made(&part.content),
        });
        if is_made {
            self.check_files()?;
        }
        let (content_type, body) = form::multipart(&self.parts);
        let body = match is_made {
            // All of it is text.
            true => {
                let text = String::from_utf8_lossy(&body);
                Body::Template(template(&text, str::to_owned).finish())
            }
            false => Body::Bytes(body),
        };
        Ok(Content {
            body,
            content_type: Some(content_type),
            is_parts: true,
        })
    }

    /// Where the form has values that are made anew for each request, it becomes a template. Then a
    /// file has to be text without placeholders.
    fn check_files(&self) -> Result<(), LeftOut> {
        for part in &self.parts {
            if let Some(name) = &part.file_name
                && (std::str::from_utf8(&part.content).is_err() || is_made(&part.content))
            {
                return Err(LeftOut::FileBesideMade(shorten(name, 80)));
            }
        }
        Ok(())
    }
}

fn is_made(content: &[u8]) -> bool {
    std::str::from_utf8(content).is_ok_and(is_made_anew)
}
