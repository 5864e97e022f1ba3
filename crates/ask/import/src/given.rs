//! A file, a pipe or standard input that describes what to send.

use crate::format::is_of_ghz;
use crate::script::Script;
use crate::vegeta::says_what_is_sent;
use crate::{
    Environment, Format, HarOptions, ImportError, Imported, MAX_INPUT_BYTES, Origin,
    PostmanOptions, TargetSyntax, read, read_har, read_postman,
};
use std::collections::BTreeSet;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// Bytes at the beginning of a file from which its format is guessed.
const LOOKED_AT: u64 = 64 * 1024;

/// Why the input cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum GivenError {
    /// It cannot be read.
    #[error("cannot read {path}: {source}")]
    Read {
        /// Path of the file.
        path: PathBuf,
        /// Why the system refused.
        source: io::Error,
    },
    /// It is in no format that is known.
    #[error(
        "{path} looks like nothing that is known; say what it is with --format vegeta, vegeta-json, curl, jmx, openapi, har or postman"
    )]
    UnknownFormat {
        /// Path of the file.
        path: PathBuf,
    },
    /// There is nothing in it.
    #[error("{path} is empty; give the file that holds what to send")]
    Empty {
        /// Path of the file.
        path: PathBuf,
    },
    /// Standard input cannot be looked at to guess.
    #[error(
        "targets from standard input need --format vegeta, vegeta-json, curl, jmx, openapi, har or postman"
    )]
    FormatOfStandardInput,
    /// It is not what it is said to be.
    #[error(transparent)]
    Import(#[from] ImportError),
    /// A file of values is not valid.
    #[error("{path}: {source}")]
    Environment {
        /// Path of the file.
        path: PathBuf,
        /// What is wrong with it.
        source: ImportError,
    },
    /// Values were given that nothing uses.
    #[error(
        "--environment gives values to the variables of a Postman collection, and {path} is read as {format}; leave it out"
    )]
    NoVariables {
        /// Path of the file with the requests.
        path: PathBuf,
        /// What it is read as.
        format: Format,
    },
}

/// What the user specified beside the file.
#[derive(Debug, Clone, Copy, Default)]
pub struct Wanted<'a> {
    /// What it is; guessed unless said.
    pub format: Option<Format>,
    /// Where the requests are to go. Requests for other hosts are left out then.
    pub base: Option<&'a Origin>,
    /// Files with values for variables. Where several have a value, the first counts.
    pub environments: &'a [PathBuf],
}

/// What was given.
#[derive(Debug)]
pub enum Given {
    /// A description that was read whole, and the folder that paths in it count from.
    Whole(Box<Imported>, PathBuf),
    /// A list of targets, which are read while they are sent.
    Listed(PathBuf, TargetSyntax),
}

impl Given {
    /// Reads a file, or standard input (`-`), unless it is a list that is read as it is sent.
    ///
    /// # Errors
    /// When it is of no use.
    pub fn read(path: &Path, wanted: &Wanted<'_>) -> Result<Self, GivenError> {
        let is_stdin = path.as_os_str() == "-";
        let format = match wanted.format {
            Some(format) => format,
            None if is_stdin => return Err(GivenError::FormatOfStandardInput),
            None => guessed(path)?,
        };
        if format != Format::Postman && !wanted.environments.is_empty() {
            return Err(GivenError::NoVariables {
                path: path.to_owned(),
                format,
            });
        }
        match format {
            Format::Vegeta => return Ok(Self::Listed(path.to_owned(), TargetSyntax::Text)),
            Format::VegetaJson => return Ok(Self::Listed(path.to_owned(), TargetSyntax::Json)),
            Format::Curl | Format::Jmx | Format::OpenApi | Format::Har | Format::Postman => {}
        }
        // One byte more than is allowed, so that the reader can refuse it.
        let input = beginning(path, is_stdin, MAX_INPUT_BYTES as u64 + 1)?;
        if format == Format::Curl {
            tacho_masking::teach(|masking| masking.learn_text(&String::from_utf8_lossy(&input)));
        }
        let folder = base_of(path);
        let mut imported = match format {
            Format::Har => {
                let base = wanted.base.cloned();
                read_har(&input, &folder, &HarOptions { base })?
            }
            Format::Postman => {
                let options = PostmanOptions {
                    base: wanted.base.cloned(),
                    environments: environments(wanted.environments)?,
                };
                read_postman(&input, &folder, &options)?
            }
            _ => read(format, &input, &folder)?,
        };
        imported.mask();
        Ok(Self::Whole(Box::new(imported), folder))
    }

    /// Whether it is a list that is read while it is sent and can be read only once: standard
    /// input, a pipe.
    #[must_use]
    pub fn is_gone_once_sent(&self) -> bool {
        let Self::Listed(path, _) = self else {
            return false;
        };
        path.as_os_str() == "-" || path.metadata().is_ok_and(|file| !file.is_file())
    }

    /// Fields that vegeta does not have and that are not used, at the beginning of a list of
    /// targets in JSON. What can be read only once is not looked at.
    #[must_use]
    pub fn passed_over(&self) -> Vec<String> {
        match self {
            Self::Listed(path, TargetSyntax::Json) if !self.is_gone_once_sent() => {
                // One that cannot be read is refused where it is sent.
                beginning(path, false, LOOKED_AT)
                    .map_or_else(|_| Vec::new(), |beginning| unused_fields(&beginning))
            }
            _ => Vec::new(),
        }
    }

    /// What was read whole.
    #[must_use]
    pub fn imported(&self) -> Option<&Imported> {
        match self {
            Self::Whole(imported, _) => Some(imported),
            Self::Listed(..) => None,
        }
    }

    /// Where the requests go, if the input itself says so. For a list of targets it is the first
    /// target of the file. Standard input can be read only once, so it is not looked at.
    #[must_use]
    pub fn origin(&self) -> Option<Origin> {
        match self {
            Self::Whole(imported, _) => imported.origin.clone(),
            Self::Listed(path, _) if path.as_os_str() == "-" => None,
            Self::Listed(path, syntax) => {
                first_origin(&beginning(path, false, LOOKED_AT).ok()?, *syntax)
            }
        }
    }
}

fn guessed(path: &Path) -> Result<Format, GivenError> {
    let start = beginning(path, false, LOOKED_AT)?;
    // Checked first: a later line, such as a command in a comment, would suggest something else.
    if let Some(script) = Script::guess(&start) {
        return Err(script.refused().into());
    }
    match Format::guess(&start, Some(path)) {
        Some(format) => Ok(format),
        None if is_of_ghz(&start) => Err(ImportError::Unsupported {
            what: "this is a file of settings of ghz, which are flags here",
            way_out: "give its `call` and `data` as --call METHOD='{...}', its `proto` as --proto, its `metadata` as -H, and its `host` as the URL; how many and how fast is said by -n, -c and --rate",
        }
        .into()),
        None if start.trim_ascii().is_empty() => Err(GivenError::Empty {
            path: path.to_owned(),
        }),
        None => Err(GivenError::UnknownFormat {
            path: path.to_owned(),
        }),
    }
}

/// The origin of the first target of a list, when that target has a whole URL.
fn first_origin(beginning: &[u8], syntax: TargetSyntax) -> Option<Origin> {
    let text = String::from_utf8_lossy(beginning);
    let mut lines = text.lines().map(str::trim);
    let first = lines.find(|line| !line.is_empty() && !line.starts_with('#'))?;
    match syntax {
        TargetSyntax::Text => first.split_whitespace().nth(1)?.parse().ok(),
        TargetSyntax::Json => {
            let target: serde_json::Value = serde_json::from_str(first).ok()?;
            target.get("url")?.as_str()?.parse().ok()
        }
    }
}

/// Each once, in the order of their names.
fn unused_fields(beginning: &[u8]) -> Vec<String> {
    const KNOWN: [&str; 4] = ["method", "url", "header", "body"];
    let text = String::from_utf8_lossy(beginning);
    let object = |line| serde_json::from_str::<serde_json::Map<String, serde_json::Value>>(line);
    let fields = text
        .lines()
        .filter_map(|line| object(line).ok())
        .flat_map(|object| object.into_iter().map(|(field, _)| field));
    let unused =
        fields.filter(|field| !KNOWN.contains(&field.as_str()) && !says_what_is_sent(field));
    unused.collect::<BTreeSet<_>>().into_iter().collect()
}

fn environments(paths: &[PathBuf]) -> Result<Vec<Environment>, GivenError> {
    let read = |path: &PathBuf| {
        // Read as the requests themselves are.
        let input = beginning(path, path.as_os_str() == "-", MAX_INPUT_BYTES as u64 + 1)?;
        Environment::read(&input).map_err(|source| GivenError::Environment {
            path: path.clone(),
            source,
        })
    };
    paths.iter().map(read).collect()
}

fn beginning(path: &Path, is_stdin: bool, most: u64) -> Result<Vec<u8>, GivenError> {
    let mut input = Vec::new();
    let read = if is_stdin {
        io::stdin().lock().take(most).read_to_end(&mut input)
    } else {
        File::open(path).and_then(|file| file.take(most).read_to_end(&mut input))
    };
    read.map_err(|source| GivenError::Read {
        path: path.to_owned(),
        source,
    })?;
    Ok(input)
}

/// Files that an input names count from its own folder.
#[must_use]
pub fn base_of(path: &Path) -> PathBuf {
    let folder = match path.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    };
    // Absolute, so that joining it to another path does not change it.
    std::path::absolute(folder).unwrap_or_else(|_| folder.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_said_is_guessed_and_lists_are_not_read_yet() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("targets");
        std::fs::write(&path, "GET http://localhost/\n").unwrap();
        let list = Given::read(&path, &Wanted::default()).unwrap();
        assert!(matches!(&list, Given::Listed(_, TargetSyntax::Text)));
        assert!(!list.is_gone_once_sent() && list.imported().is_none());
        std::fs::write(&path, "curl http://localhost:8080/ping").unwrap();
        let Given::Whole(imported, base) = Given::read(&path, &Wanted::default()).unwrap() else {
            panic!("a command is read whole");
        };
        assert_eq!(imported.workload.scenarios.len(), 1);
        assert_eq!(base, folder.path());
        std::fs::write(&path, "Dear diary").unwrap();
        let refused = Given::read(&path, &Wanted::default())
            .unwrap_err()
            .to_string();
        assert!(refused.contains("--format"), "{refused}");
    }

    #[test]
    fn a_script_is_refused_with_the_way_out_unless_it_is_said_to_be_something_else() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/scripts");
        for (name, whose) in [("k6.js", "of k6"), ("ShopSimulation.scala", "of Gatling")] {
            let path = folder.join(name);
            let refused = Given::read(&path, &Wanted::default());
            let refused = refused.unwrap_err().to_string();
            assert!(refused.contains(whose), "{refused}");
            assert!(refused.contains("`tacho record "), "{refused}");
            let said = Wanted {
                format: Some(Format::Vegeta),
                ..Wanted::default()
            };
            assert!(Given::read(&path, &said).is_ok(), "{name}");
        }
    }

    #[test]
    fn a_list_of_whole_urls_says_where_it_goes() {
        let of = |text: &str, syntax| {
            let origin = first_origin(text.as_bytes(), syntax);
            origin.map(|origin| origin.to_string())
        };
        let goes = Some("http://mirror:81".to_owned());
        let text = "# orders\n\nPOST http://mirror:81/orders\nA: b\n";
        assert_eq!(of(text, TargetSyntax::Text), goes);
        let json = "{\"method\":\"GET\",\"url\":\"http://mirror:81/a\"}\n";
        assert_eq!(of(json, TargetSyntax::Json), goes);
        assert_eq!(of("GET /orders\n", TargetSyntax::Text), None);
        assert_eq!(of("{\"url\":7}", TargetSyntax::Json), None);
        assert_eq!(of("", TargetSyntax::Json), None);
    }

    #[test]
    fn fields_of_targets_that_are_not_used_are_named_once() {
        let list = concat!(
            r#"{"method":"GET","url":"/","name":"a","id":1}"#,
            "\n",
            r#"{"method":"GET","url":"/","id":2,"headers":{}}"#,
            "\n",
            r#"{"method":"GET","cut"#,
        );
        assert_eq!(unused_fields(list.as_bytes()), ["id", "name"]);
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("targets.jsonl");
        std::fs::write(&path, list).unwrap();
        let given = Given::read(&path, &Wanted::default()).unwrap();
        assert_eq!(given.passed_over(), ["id", "name"]);
        let gone = Given::Listed("-".into(), TargetSyntax::Json);
        assert!(gone.passed_over().is_empty());
    }

    #[test]
    fn standard_input_has_to_be_said_what_it_is_and_is_gone_once_sent() {
        let refused = Given::read(Path::new("-"), &Wanted::default());
        assert!(matches!(refused, Err(GivenError::FormatOfStandardInput)));
        let said = Wanted {
            format: Some(Format::VegetaJson),
            ..Wanted::default()
        };
        let list = Given::read(Path::new("-"), &said).unwrap();
        assert!(list.is_gone_once_sent());
    }

    #[test]
    fn values_come_from_files_and_what_is_secret_is_masked() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| {
            let path = folder.path().join(name);
            std::fs::write(&path, text).unwrap();
            path
        };
        let collection = write(
            "shop.json",
            r#"{"info": {"name": "Shop"}, "item": [{"name": "with s3cr3t-of-the-shop", "request":
            {"url": "{{base}}/ping", "header": [{"key": "X-Own", "value": "{{own}}"}]}}]}"#,
        );
        let environments = [
            write(
                "qa.json",
                r#"{"values": [{"key": "own", "value": "s3cr3t-of-the-shop", "type": "secret"}]}"#,
            ),
            write("hand.json", r#"{"base": "http://a.example"}"#),
        ];
        let wanted = Wanted {
            environments: &environments,
            ..Wanted::default()
        };
        let given = Given::read(&collection, &wanted).unwrap();
        let imported = given.imported().unwrap();
        let step = &imported.workload.scenarios[0].steps[0];
        assert_eq!(step.name, "with ***");
        assert_eq!(step.headers[0].1, "s3cr3t-of-the-shop");
        let masked = tacho_masking::current().text("own is s3cr3t-of-the-shop");
        assert_eq!(masked, "own is ***");
        let other = write("targets", "GET http://localhost/\n");
        let refused = Given::read(&other, &wanted).unwrap_err().to_string();
        assert!(
            refused.contains("read as vegeta; leave it out"),
            "{refused}"
        );
        let environments = [write("none.json", "own=s3cr3t")];
        let wanted = Wanted {
            environments: &environments,
            ..Wanted::default()
        };
        let refused = Given::read(&collection, &wanted).unwrap_err().to_string();
        assert!(refused.contains("none.json: line 1"), "{refused}");
    }
}
