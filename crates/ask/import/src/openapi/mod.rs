//! OpenAPI 3 documents: a request for each operation, from its examples, or where there are none
//! from its schemas.

mod body;
mod document;
mod operation;
mod parameter;
mod sample;
#[cfg(test)]
mod sample_tests;
mod security;
mod server;
mod tree;

use crate::allowance::Allowance;
use crate::error::{self, ImportError};
use crate::imported::Imported;
use crate::note::Notes;
use crate::origin::OneOrigin;
use document::Document;
use operation::Operation;
use security::Needs;
use serde_json::Value;
use server::Base;
use tacho_workload::{Scenario, Workload};

/// Longer than the longest interfaces that are published.
const LARGEST: usize = 16 << 20;
/// In the order in which they are sent.
const METHODS: [&str; 8] = [
    "get", "head", "options", "post", "put", "patch", "delete", "trace",
];
/// Methods that leave everything as it was (RFC 9110, 9.2.1).
const SAFE: [&str; 4] = ["get", "head", "options", "trace"];

/// What to take from a document.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct OpenApiOptions {
    /// Only operations with these methods, whatever their case; all when empty.
    pub methods: Vec<String>,
}

impl OpenApiOptions {
    fn takes(&self, method: &str) -> bool {
        self.methods.is_empty() || self.methods.iter().any(|m| m.eq_ignore_ascii_case(method))
    }
}

/// Reads an OpenAPI 3 document, JSON or YAML.
///
/// # Errors
/// When it is none, describes no operation with these methods, or its operations go to several
/// origins.
pub fn read_openapi(input: &[u8], options: &OpenApiOptions) -> Result<Imported, ImportError> {
    let root = tree::parse(error::text(input, LARGEST)?)?;
    check_version(&root)?;
    let document = Document { root };
    let mut reader = Reader {
        document: &document,
        options,
        notes: Notes::default(),
        origins: OneOrigin::default(),
        allowance: Allowance::default(),
        needs: Needs::default(),
        changing: Vec::new(),
        scenarios: Vec::new(),
    };
    reader.read()?;
    reader.finish()
}

fn check_version(root: &Value) -> Result<(), ImportError> {
    let version = root.get("openapi").map(parameter::plain);
    match version {
        Some(version) if version.starts_with("3.") || version == "3" => Ok(()),
        None if root.get("swagger").is_some() => Err(ImportError::Unsupported {
            what: "this is a document of Swagger 2.0",
            way_out: "convert it to OpenAPI 3, for example with swagger2openapi or at editor.swagger.io",
        }),
        Some(_) => Err(ImportError::Unsupported {
            what: "this is no version of OpenAPI that is read",
            way_out: "give a document that begins with `openapi: 3.0.x` or `openapi: 3.1.x`",
        }),
        None => Err(ImportError::Syntax {
            line: 1,
            format: "an OpenAPI document",
            problem: "it has no `openapi: 3...`".to_owned(),
        }),
    }
}

struct Reader<'a> {
    document: &'a Document,
    options: &'a OpenApiOptions,
    notes: Notes,
    origins: OneOrigin,
    allowance: Allowance,
    needs: Needs,
    /// Operations that change data.
    changing: Vec<String>,
    scenarios: Vec<Scenario>,
}

impl Reader<'_> {
    fn read(&mut self) -> Result<(), ImportError> {
        let root = &self.document.root;
        let base = self.base(root, "servers").unwrap_or_default();
        if let Some(servers) = root.get("servers")
            && server::others(servers) > 0
        {
            self.notes
                .add("servers", "the first one is taken, the others are not");
        }
        if root.get("webhooks").is_some() {
            self.notes.add(
                "webhooks",
                "they are calls of the subject, not to it; left out",
            );
        }
        let paths = root.get("paths").and_then(Value::as_object);
        for (path, item) in paths.into_iter().flatten() {
            let item = match self.document.resolve(item) {
                Ok(item) => item,
                Err(error) => {
                    self.notes.add(path, format!("left out: {error}"));
                    continue;
                }
            };
            let base = self.base(item, path).unwrap_or_else(|| base.clone());
            for method in METHODS {
                if let Some(operation) = item.get(method).filter(|_| self.options.takes(method)) {
                    let base = self.base(operation, path).unwrap_or_else(|| base.clone());
                    self.take(&Operation {
                        document: self.document,
                        method: &method.to_ascii_uppercase(),
                        path,
                        item,
                        operation,
                        base: &base,
                    })?;
                }
            }
        }
        Ok(())
    }

    fn base(&mut self, holder: &Value, place: &str) -> Option<Base> {
        match server::first(holder.get("servers")?)? {
            Ok(base) => Some(base),
            Err(problem) => {
                self.notes
                    .add(place, format!("its server is not used: {problem}"));
                None
            }
        }
    }

    fn take(&mut self, operation: &Operation<'_>) -> Result<(), ImportError> {
        self.origins.add(operation.base.origin.clone());
        // A path that others refer to may have thousands of parameters, none of them sent.
        let parameters = operation.parameter_count();
        self.allowance
            .take_bytes(parameters * 64, operation.place())?;
        let step = operation.step(&mut self.notes);
        self.allowance.take_step(&step, operation.place())?;
        self.needs.add(self.document, operation.operation);
        if !SAFE
            .iter()
            .any(|safe| safe.eq_ignore_ascii_case(operation.method))
        {
            self.changing.push(operation.place());
        }
        self.scenarios.push(Scenario {
            name: operation.name(),
            weight: 1.0,
            steps: vec![step],
        });
        Ok(())
    }

    fn finish(mut self) -> Result<Imported, ImportError> {
        if self.scenarios.is_empty() {
            return Err(ImportError::Nothing {
                hint: "an operation under `paths`, with a method that was asked for",
            });
        }
        self.needs.note(self.document, &mut self.notes);
        if !self.changing.is_empty() {
            self.notes.add(
                "paths",
                format!(
                    "{} operations change data (such as {}); send them only where that does no harm, or take only the methods GET and HEAD",
                    self.changing.len(),
                    self.changing[..self.changing.len().min(3)].join(", ")
                ),
            );
        }
        let origin = self.origins.finish()?;
        if let Some(origin) = &origin {
            self.notes.add(
                "servers",
                format!("the document sends to {origin}; give another URL to send elsewhere"),
            );
        }
        Ok(Imported {
            origin,
            workload: Workload {
                scenarios: self.scenarios,
                ..Workload::default()
            },
            notes: self.notes.finish(),
            ..Imported::default()
        })
    }
}

#[cfg(test)]
mod tests;
