//! Which methods there are, and what they take.

use super::sources::{Alone, Sources};
use crate::error::ImportError;
use prost::Message;
use prost_reflect::prost_types::{FileDescriptorProto, FileDescriptorSet};
use prost_reflect::{DescriptorPool, MethodDescriptor, ServiceDescriptor};
use protox::Compiler;
use protox::file::{ChainFileResolver, FileResolver, GoogleFileResolver};
use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

/// Most names of methods that an error lists when another one was asked for.
const SHOWN: usize = 8;

/// Methods and the messages that they take.
#[derive(Debug, Clone)]
pub struct Schema {
    /// Services of the files that were named; those that they import are not called.
    services: Vec<ServiceDescriptor>,
    /// For people: `orders.proto`.
    described: String,
}

/// Why there is no schema, or nothing in it.
#[derive(Debug, thiserror::Error)]
pub enum NoSchema {
    /// A file of protobuf cannot be used.
    #[error(
        "{file} cannot be used: {problem}; files are looked for below --import-path, or else below the folder of the file that is given"
    )]
    Proto {
        /// The file, as it was given or as it is imported.
        file: String,
        /// What is wrong.
        problem: String,
    },
    /// A set of descriptors cannot be used.
    #[error(
        "{path} is no set of descriptors ({problem}); `protoc --include_imports --descriptor_set_out=FILE ...` and `buf build -o FILE` write one"
    )]
    Set {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        problem: String,
    },
    /// Nothing of that name.
    #[error("there is no method `{asked}` in {described}; there are: {known}")]
    NoMethod {
        /// As it was asked for.
        asked: String,
        /// Where it was looked for.
        described: String,
        /// Those that there are.
        known: String,
    },
    /// No method was chosen.
    #[error("which method is to be called? Say it with --call; {described} has {known}")]
    NotSaid {
        /// Where they stand.
        described: String,
        /// Those that there are.
        known: String,
    },
    /// No method at all.
    #[error("{described} has no method to call{services}; give the file that declares the methods")]
    Empty {
        /// The files.
        described: String,
        /// `: the service a.B is empty`.
        services: String,
    },
}

impl Schema {
    /// The whole schema as a set of descriptors, from which [`Self::of_set`] makes it again; `None`
    /// when it has no service.
    #[must_use]
    pub fn to_set(&self) -> Option<Vec<u8>> {
        let service = self.services.first()?;
        Some(service.parent_pool().encode_to_vec())
    }

    /// Of `.proto` files. What they import is looked for below the import paths, then beside each
    /// file; what comes with protobuf is known.
    ///
    /// # Errors
    /// When one is not there, or is no protobuf.
    pub fn of_protos(files: &[PathBuf], import_paths: &[PathBuf]) -> Result<Self, NoSchema> {
        Self::compiled(Sources::of(files, import_paths), files)
    }

    /// Of one file as text, which imports nothing but what comes with protobuf.
    ///
    /// # Errors
    /// When it is no protobuf.
    pub fn of_text(text: &str) -> Result<Self, NoSchema> {
        const NAME: &str = "the.proto";
        let alone = Alone {
            name: NAME,
            text: text.to_owned(),
        };
        Self::compiled(alone, &[PathBuf::from(NAME)])
    }

    fn compiled(sources: impl FileResolver + 'static, files: &[PathBuf]) -> Result<Self, NoSchema> {
        let mut resolver = ChainFileResolver::new();
        resolver.add(sources);
        resolver.add(GoogleFileResolver::new());
        let mut compiler = Compiler::with_file_resolver(resolver);
        compiler.include_imports(true);
        for file in files {
            let shown = file.display().to_string();
            compiler.open_file(file).map_err(|error| NoSchema::Proto {
                file: error.file().map_or(shown, str::to_owned),
                problem: error.to_string(),
            })?;
        }
        // The compiler's own pool does not know options such as `packed` yet.
        let pool = pool_of(compiler.file_descriptor_set().file);
        let pool = pool.map_err(|problem| NoSchema::Proto {
            file: shown(files),
            problem,
        })?;
        let named = compiler.files().filter(|file| !file.is_import());
        let named = named.filter_map(|file| pool.get_file_by_name(file.name()));
        let mut services: Vec<ServiceDescriptor> = named
            .flat_map(|file| file.services().collect::<Vec<_>>())
            .collect();
        services.sort_by(|a, b| a.full_name().cmp(b.full_name()));
        Ok(Self {
            services,
            described: shown(files),
        })
    }

    /// Of a set of descriptors (a protoset).
    ///
    /// # Errors
    /// When it cannot be read, or is none.
    pub fn of_set(path: &Path) -> Result<Self, NoSchema> {
        let bytes = tacho_files::input::read(path, tacho_files::input::BODY);
        let bytes = bytes.map_err(|error| NoSchema::Set {
            path: path.to_owned(),
            problem: error.to_string(),
        })?;
        Self::of_set_bytes(&bytes, path)
    }

    /// The same of what stands in the file.
    ///
    /// # Errors
    /// When it is none.
    pub fn of_set_bytes(bytes: &[u8], path: &Path) -> Result<Self, NoSchema> {
        let refused = |problem: String| NoSchema::Set {
            path: path.to_owned(),
            problem,
        };
        let set = FileDescriptorSet::decode(bytes).map_err(|error| refused(error.to_string()))?;
        let pool = pool_of(set.file).map_err(refused)?;
        Ok(Self {
            services: pool.services().collect(),
            described: path.display().to_string(),
        })
    }

    /// From descriptors that a server gave: those of these services, and all that they import
    /// except what comes with protobuf.
    ///
    /// # Errors
    /// When they do not fit together: the text says why.
    pub fn of_descriptors(
        files: Vec<FileDescriptorProto>,
        services: &[String],
        described: &str,
    ) -> Result<Self, String> {
        let pool = pool_of(files)?;
        let services = services
            .iter()
            .filter_map(|name| pool.get_service_by_name(name));
        Ok(Self {
            services: services.collect(),
            described: described.to_owned(),
        })
    }

    /// By `package.Service/Method` or `package.Service.Method`.
    pub(super) fn method(&self, asked: &str) -> Result<MethodDescriptor, ImportError> {
        let parts = asked.rsplit_once('/').or_else(|| asked.rsplit_once('.'));
        let found = parts.and_then(|(service, method)| {
            let mut services = self.services.iter();
            let service = services.find(|one| one.full_name() == service)?;
            service.methods().find(|one| one.name() == method)
        });
        found.ok_or_else(|| {
            if self.names().next().is_none() {
                return self.nothing_to_call();
            }
            ImportError::Schema(NoSchema::NoMethod {
                asked: crate::note::shorten(asked, 100),
                described: self.described.clone(),
                known: self.known(),
            })
        })
    }

    /// What is said where no call was named.
    pub(super) fn nothing_to_call(&self) -> ImportError {
        let known = self.known();
        ImportError::Schema(match known.is_empty() {
            true => NoSchema::Empty {
                described: self.described.clone(),
                services: self.empty_services(),
            },
            false => NoSchema::NotSaid {
                described: self.described.clone(),
                known,
            },
        })
    }

    fn empty_services(&self) -> String {
        let names: Vec<&str> = self.services.iter().map(|one| one.full_name()).collect();
        match names.as_slice() {
            [] => String::new(),
            [one] => format!(": the service {one} is empty"),
            several => format!(": the services {} are empty", several.join(", ")),
        }
    }

    /// All methods, as `package.Service/Method`.
    pub fn names(&self) -> impl Iterator<Item = String> + '_ {
        self.services.iter().flat_map(|service| {
            let of_service = service.full_name().to_owned();
            let methods: Vec<String> = service
                .methods()
                .map(|method| format!("{of_service}/{}", method.name()))
                .collect();
            methods
        })
    }

    fn known(&self) -> String {
        let mut names: Vec<String> = self.names().take(SHOWN + 1).collect();
        if names.len() > SHOWN {
            names.truncate(SHOWN);
            names.push("others".to_owned());
        }
        names.join(", ")
    }
}

fn shown(files: &[PathBuf]) -> String {
    let names = files.iter().map(|file| file.display().to_string());
    names.collect::<Vec<_>>().join(", ")
}

/// A pool of these files, and of those that come with protobuf and were not given.
fn pool_of(mut files: Vec<FileDescriptorProto>) -> Result<DescriptorPool, String> {
    // The library panics on a file of another syntax instead of returning an error.
    let is_known = |file: &FileDescriptorProto| matches!(file.syntax(), "" | "proto2" | "proto3");
    if let Some(file) = files.iter().find(|file| !is_known(file)) {
        return Err(format!(
            "{} is of a syntax that is not read (`{}`), an edition perhaps: what is sent would differ",
            crate::note::shorten(file.name(), 100),
            crate::note::shorten(file.syntax(), 20)
        ));
    }
    let given: BTreeSet<String> = files.iter().map(|file| file.name().to_owned()).collect();
    let wanted: BTreeSet<&String> = files.iter().flat_map(|file| &file.dependency).collect();
    let known = DescriptorPool::global();
    let lacking = wanted.into_iter().filter(|name| !given.contains(*name));
    let lacking: Vec<FileDescriptorProto> = lacking
        .filter_map(|name| known.get_file_by_name(name))
        .map(|file| file.file_descriptor_proto().clone())
        .collect();
    files.extend(lacking);
    let mut pool = DescriptorPool::new();
    // It panics on some descriptors that contradict themselves, too, and a server may send any.
    let added = catch_unwind(AssertUnwindSafe(|| pool.add_file_descriptor_protos(files)));
    match added {
        Ok(Ok(())) => Ok(pool),
        Ok(Err(error)) => Err(error.to_string()),
        Err(_) => Err("its descriptors contradict themselves".to_owned()),
    }
}
