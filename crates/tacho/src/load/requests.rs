//! What is sent: from the flags or from targets to a source of the engine.

use super::arguments::{FeedOrder, What};
use super::error::LoadCommandError as Error;
use std::fs::File;
use std::io::{BufReader, Read};
use std::path::{Path, PathBuf};
use tacho_import::{Format, Imported, TargetSyntax};
use tacho_load::{Endpoint, Scripted, Source};
use tacho_workload::{Body, Feed, FeedFormat, Origin, Scenario, Scheme, Script, Step, Workload};

/// Where the requests come from.
pub enum Targets {
    /// The URL and the flags.
    Flags,
    /// A description that was read whole.
    Imported(Box<Imported>, PathBuf),
    /// One target after another, as vegeta sends them.
    Listed(PathBuf, TargetSyntax),
}

impl Targets {
    /// Reads what `--targets` names, unless it is a list that is read as it is sent.
    pub fn read(what: &What) -> Result<Self, Error> {
        let Some(path) = &what.targets else {
            return Ok(Self::Flags);
        };
        refuse_flags(what)?;
        let is_stdin = path.as_os_str() == "-";
        let format = match what.format {
            Some(format) => format,
            None if is_stdin => return Err(Error::FormatOfStandardInput),
            None => guess(path)?,
        };
        match format {
            Format::Vegeta => return Ok(Self::Listed(path.clone(), TargetSyntax::Text)),
            Format::VegetaJson => return Ok(Self::Listed(path.clone(), TargetSyntax::Json)),
            _ => {}
        }
        let input = read(path, is_stdin)?;
        let base = base_of(path);
        if format == Format::Curl {
            tacho_masking::teach(|masking| masking.learn_text(&String::from_utf8_lossy(&input)));
        }
        let mut imported = tacho_import::read(format, &input, &base)?;
        learn(&mut imported.workload);
        Ok(Self::Imported(Box::new(imported), base))
    }

    /// Whether they are read while they are sent from what is gone then: standard input, a pipe.
    pub fn are_gone_once_sent(&self) -> bool {
        let Self::Listed(path, _) = self else {
            return false;
        };
        path.as_os_str() == "-" || path.metadata().is_ok_and(|file| !file.is_file())
    }

    /// What was read whole.
    pub fn imported(&self) -> Option<&Imported> {
        match self {
            Self::Imported(imported, _) => Some(imported),
            _ => None,
        }
    }
}

/// The source that the engine asks for requests. `marks` are headers of every request, but for those of a list in vegeta's format,
/// which are sent as they are.
pub fn source(
    targets: &Targets,
    what: &What,
    seed: u64,
    marks: &[(String, String)],
    endpoint: &Endpoint,
    path: &str,
) -> Result<Box<dyn Source>, Error> {
    let (workload, base) = match targets {
        Targets::Listed(path, syntax) => return super::listed::source(path, *syntax, endpoint),
        Targets::Flags => (from_flags(what, path)?, PathBuf::from(".")),
        Targets::Imported(imported, base) => (imported.workload.clone(), base.clone()),
    };
    let mut workload = with_flags(workload, what)?;
    learn(&mut workload);
    for step in workload.scenarios.iter_mut().flat_map(|s| &mut s.steps) {
        step.headers.extend_from_slice(marks);
    }
    let origin = Origin {
        scheme: if endpoint.tls.is_some() {
            Scheme::Https
        } else {
            Scheme::Http
        },
        authority: endpoint.authority.clone(),
    };
    let script = Script::compile(&workload, &base, &origin, seed)?;
    Ok(Box::new(Scripted::new(script, endpoint)?))
}

/// What is secret in requests is masked in all that is written; what they are called stands in every file.
fn learn(workload: &mut Workload) {
    let steps = workload
        .scenarios
        .iter()
        .flat_map(|scenario| &scenario.steps);
    tacho_masking::teach(|masking| {
        for step in steps {
            let headers = step.headers.iter();
            masking.learn_pairs(headers.map(|(name, value)| (name.as_str(), value.as_str())));
            masking.learn_text(&step.path);
        }
    });
    let masking = tacho_masking::current();
    for scenario in &mut workload.scenarios {
        scenario.name = masking.text(&scenario.name);
        for step in &mut scenario.steps {
            step.name = masking.text(&step.name);
        }
    }
}

/// One request, as the flags describe it.
fn from_flags(what: &What, path: &str) -> Result<Workload, Error> {
    let body = match what.body.as_deref() {
        None => Body::None,
        Some(text) => match text.strip_prefix('@') {
            Some(file) => Body::TemplateFile(file.into()),
            None => Body::Template(text.to_owned()),
        },
    };
    let implied = if body == Body::None { "GET" } else { "POST" };
    let method = what.method.clone().unwrap_or_else(|| implied.to_owned());
    let shown = path.split_once('?').map_or(path, |(path, _)| path);
    let step = Step {
        name: format!("{method} {shown}"),
        method,
        path: path.to_owned(),
        headers: what.headers.clone(),
        body,
        checks: what.expects.clone(),
        ..Step::default()
    };
    Ok(Workload {
        scenarios: vec![Scenario {
            name: step.name.clone(),
            weight: 1.0,
            steps: vec![step],
        }],
        ..Workload::default()
    })
}

/// Feeds, cookies, redirects and expectations go for imported requests as well.
fn with_flags(mut workload: Workload, what: &What) -> Result<Workload, Error> {
    for (name, path) in &what.feeds {
        workload.feeds.push(Feed {
            name: name.clone(),
            path: std::path::absolute(path).unwrap_or_else(|_| path.clone()),
            format: feed_format(path)?,
            order: match what.feed_order {
                FeedOrder::Cycle => tacho_workload::FeedOrder::Cycle,
                FeedOrder::Once => tacho_workload::FeedOrder::Once,
                FeedOrder::Random => tacho_workload::FeedOrder::Random,
            },
        });
    }
    workload.cookies |= what.cookies;
    workload.redirects = workload.redirects.max(what.follow);
    if what.targets.is_some() {
        for step in workload.scenarios.iter_mut().flat_map(|s| &mut s.steps) {
            step.checks.extend_from_slice(&what.expects);
        }
    }
    Ok(workload)
}

fn feed_format(path: &Path) -> Result<FeedFormat, Error> {
    match path.extension().and_then(|extension| extension.to_str()) {
        Some("csv") => Ok(FeedFormat::Csv {
            delimiter: b',',
            columns: None,
        }),
        Some("tsv") => Ok(FeedFormat::Csv {
            delimiter: b'\t',
            columns: None,
        }),
        Some("jsonl" | "ndjson") => Ok(FeedFormat::JsonLines),
        _ => Err(Error::FeedFormat {
            path: path.to_owned(),
        }),
    }
}

fn refuse_flags(what: &What) -> Result<(), Error> {
    let given = [
        ("--method", what.method.is_some()),
        ("--header", !what.headers.is_empty()),
        ("--body", what.body.is_some()),
    ];
    match given.iter().find(|(_, is_given)| *is_given) {
        Some((flag, _)) => Err(Error::TargetsAndRequest { flag }),
        None => Ok(()),
    }
}

fn guess(path: &Path) -> Result<Format, Error> {
    let mut beginning = Vec::new();
    File::open(path)
        .and_then(|file| file.take(64 * 1024).read_to_end(&mut beginning))
        .map_err(|source| unreadable(path, source))?;
    Format::guess(&beginning, Some(path)).ok_or_else(|| Error::UnknownFormat {
        path: path.to_owned(),
    })
}

fn read(path: &Path, is_stdin: bool) -> Result<Vec<u8>, Error> {
    let mut input = Vec::new();
    // One byte more than is allowed, so that the reader can refuse it.
    let limit = tacho_import::MAX_INPUT_BYTES as u64 + 1;
    let result = if is_stdin {
        std::io::stdin().lock().take(limit).read_to_end(&mut input)
    } else {
        File::open(path).and_then(|file| BufReader::new(file).take(limit).read_to_end(&mut input))
    };
    result.map_err(|source| unreadable(path, source))?;
    Ok(input)
}

/// An error of reading.
pub fn unreadable(path: &Path, source: std::io::Error) -> Error {
    Error::Read {
        path: path.to_owned(),
        source,
    }
}

/// Files that an input names count from its own folder.
pub fn base_of(path: &Path) -> PathBuf {
    let folder = match path.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    };
    // Absolute, so that it does not matter who joins it to what.
    std::path::absolute(folder).unwrap_or_else(|_| folder.to_owned())
}
