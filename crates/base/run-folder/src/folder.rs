//! Writing and reading the files of a run.

use crate::inside::Inside;
use crate::words::without_commands;
use crate::{
    Diagnosis, Dissection, JvmSample, LaunchRecord, MemorySample, Plan, PlannedLaunch,
    PreparedVariant, RequestRow, Results, RowError, RunHeader, Sample,
};
use serde::{Serialize, de::DeserializeOwned};
use std::fs::File;
use std::io::{self, BufReader};
use std::path::{Path, PathBuf};

/// Why a run folder could not be written or read.
#[derive(Debug, thiserror::Error)]
pub enum FolderError {
    /// There is no room left on the disk.
    #[error(
        "the disk is full: {path} could not be written. Free some space or give another place with --runs; what was written so far stays readable by `tacho report`"
    )]
    DiskFull {
        /// File that could not be written.
        path: PathBuf,
    },
    /// Any other failure of the file system.
    #[error("{path}: {source}")]
    Io {
        /// File or folder that could not be read or written.
        path: PathBuf,
        /// Why the system refused.
        source: io::Error,
    },
    /// Not what Tacho writes.
    #[error("{path} is not what Tacho writes ({source}); was it edited or cut off?")]
    Json {
        /// File that cannot be read as JSON.
        path: PathBuf,
        /// Where in it, and what is wrong.
        source: serde_json::Error,
    },
    /// A damaged CSV file.
    #[error("{path}: {source}")]
    Row {
        /// The damaged file.
        path: PathBuf,
        /// Line and field that cannot be read.
        source: RowError,
    },
    /// Not a run folder at all.
    #[error(
        "{0} is no run folder: it has no run.json. `tacho run` prints the path of the folder that it writes"
    )]
    NotARun(PathBuf),
    /// It ended, or was killed, before its header was written.
    #[error(
        "{0} is empty: if it belongs to a run or a search, that ended before anything was launched. Start it again"
    )]
    EndedAtOnce(PathBuf),
    /// It ended while the variants were made.
    #[error(
        "{0}: this run ended before anything was launched, while its variants were made; the output of their tools is below build/. Start it again with `tacho run`"
    )]
    NothingLaunched(PathBuf),
    /// Written by a newer Tacho.
    #[error("{path} has format {found}, this Tacho reads up to {known}; use a newer Tacho")]
    TooNew {
        /// The run folder.
        path: PathBuf,
        /// Its format, as its `run.json` says.
        found: u32,
        /// The latest format that this Tacho reads.
        known: u32,
    },
}

impl FolderError {
    /// Tells a full disk from other failures.
    pub fn io(path: &Path, source: io::Error) -> Self {
        match source.kind() {
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => Self::DiskFull {
                path: path.to_owned(),
            },
            _ => Self::Io {
                path: path.to_owned(),
                source,
            },
        }
    }
}

/// What makes a folder one of a run.
const HEADER: &str = "run.json";
/// What makes a folder one of a launch.
const RECORD: &str = "launch.json";
/// How each variant was made.
const VARIANTS: &str = "variants";
/// What is measured.
const LAUNCHES: &str = "launches";
/// What is looked at with instruments that cost something.
const DIAGNOSIS: &str = "diagnosis";

#[cfg(test)]
#[path = "folder_tests.rs"]
mod tests;

/// A run folder on disk.
#[derive(Debug, Clone)]
pub struct RunFolder {
    inside: Inside,
}

/// The folder of one launch.
#[derive(Debug, Clone)]
pub struct LaunchDir {
    inside: Inside,
}

/// What the subject printed in a launch, as a path below the run's folder.
#[must_use]
pub fn log_of(number: u32, cell: &str) -> PathBuf {
    Path::new(LAUNCHES)
        .join(name_of(number, cell))
        .join("log.txt")
}

fn name_of(number: u32, cell: &str) -> String {
    format!("{number:03}-{cell}")
}

impl RunFolder {
    /// Makes the folder, its parents too.
    pub fn create(root: &Path) -> Result<Self, FolderError> {
        tacho_files::create_folder(root).map_err(|e| FolderError::io(root, e))?;
        let inside = Inside::open(root).map_err(|e| FolderError::io(root, e))?;
        for name in [VARIANTS, LAUNCHES] {
            make(&inside, name)?;
        }
        Ok(Self { inside })
    }

    /// Makes the folder for what is told of runs that have folders of their own: no launches belong
    /// into it.
    pub fn create_beside(root: &Path) -> Result<Self, FolderError> {
        tacho_files::create_folder(root).map_err(|e| FolderError::io(root, e))?;
        let inside = Inside::open(root).map_err(|e| FolderError::io(root, e))?;
        Ok(Self { inside })
    }

    /// Opens a folder that a run has written.
    pub fn open(root: &Path) -> Result<Self, FolderError> {
        let inside = match Inside::open(root) {
            Ok(inside) if inside.has(HEADER) => inside,
            Err(error) if error.kind() == io::ErrorKind::PermissionDenied => {
                return Err(FolderError::io(root, error));
            }
            Ok(inside) if is_begun(&inside) => {
                return Err(FolderError::EndedAtOnce(root.to_owned()));
            }
            _ => return Err(FolderError::NotARun(root.to_owned())),
        };
        let folder = Self { inside };
        let header: RunHeader = folder.header()?;
        if header.format > crate::FORMAT {
            return Err(FolderError::TooNew {
                path: root.to_owned(),
                found: header.format,
                known: crate::FORMAT,
            });
        }
        Ok(folder)
    }

    /// Where it is.
    #[must_use]
    pub fn path(&self) -> &Path {
        self.inside.path()
    }

    /// Reads `run.json`: what was run, and on which machine.
    pub fn header(&self) -> Result<RunHeader, FolderError> {
        read_json(&self.inside, HEADER)
    }

    /// Writes `run.json` whole, what is secret in it masked.
    pub fn write_header(&self, header: &RunHeader) -> Result<(), FolderError> {
        write_json(&self.inside, HEADER, header)
    }

    /// Reads `plan.json`; a run that ended before there was one has launched nothing.
    pub fn plan(&self) -> Result<Plan, FolderError> {
        read_optional(&self.inside, "plan.json")?
            .ok_or_else(|| FolderError::NothingLaunched(self.path().to_owned()))
    }

    /// Writes `plan.json` whole, what is secret in it masked.
    pub fn write_plan(&self, plan: &Plan) -> Result<(), FolderError> {
        write_json(&self.inside, "plan.json", plan)
    }

    /// `results.json`; absent before the analysis.
    pub fn results(&self) -> Result<Option<Results>, FolderError> {
        read_optional(&self.inside, "results.json")
    }

    /// Writes `results.json` whole, what is secret in it masked.
    pub fn write_results(&self, results: &Results) -> Result<(), FolderError> {
        write_json(&self.inside, "results.json", results)
    }

    /// Writes a YAML file at the top, such as `experiment.yaml`; what is secret in it is masked.
    pub fn write_yaml(&self, name: &str, text: &str) -> Result<PathBuf, FolderError> {
        self.write_bytes(name, tacho_masking::current().yaml(text).as_bytes())
    }

    /// Any JSON file at the top; none when there is none.
    pub fn document<T: DeserializeOwned>(&self, name: &str) -> Result<Option<T>, FolderError> {
        read_optional(&self.inside, name)
    }

    /// Writes a JSON file at the top; what is secret in it is masked.
    pub fn write_document<T: Serialize>(
        &self,
        name: &str,
        value: &T,
    ) -> Result<PathBuf, FolderError> {
        write_json(&self.inside, name, value)?;
        Ok(self.path().join(name))
    }

    /// Writes a file that others read as it stands, with words of their own (`secretKeyRef`): only
    /// what is known to be secret is masked.
    pub fn write_manifest(&self, name: &str, text: &str) -> Result<PathBuf, FolderError> {
        self.write_bytes(name, tacho_masking::current().known(text).as_bytes())
    }

    /// Writes a page. It is made of masked data: what is known to be secret is masked in it by
    /// whoever embeds it, since its policy holds the sum of its script.
    pub fn write_page(&self, name: &str, page: &str) -> Result<PathBuf, FolderError> {
        self.write_bytes(name, page.as_bytes())
    }

    /// Writes a file that holds no text of the experiment: a profile, a page.
    pub fn write_bytes(&self, name: &str, content: &[u8]) -> Result<PathBuf, FolderError> {
        write_whole(&self.inside, Path::new(name), content)?;
        Ok(self.path().join(name))
    }

    /// Writes `variants/<name>.json` whole, what is secret in it masked.
    pub fn write_variant(&self, variant: &PreparedVariant) -> Result<(), FolderError> {
        let file = format!("{}.json", variant.name);
        write_json(&self.inside.at(VARIANTS), &file, variant)
    }

    /// Every variant that was prepared, by name.
    pub fn variants(&self) -> Result<Vec<PreparedVariant>, FolderError> {
        let variants = self.inside.at(VARIANTS);
        names(&variants)?
            .iter()
            .filter(|name| name.ends_with(".json"))
            .map(|name| read_json(&variants, name))
            .collect()
    }

    /// Makes the folder of a launch.
    pub fn create_launch(&self, launch: &PlannedLaunch) -> Result<LaunchDir, FolderError> {
        self.create_below(LAUNCHES, launch)
    }

    /// Makes the folder of a diagnosis launch, apart from those that count.
    pub fn create_diagnosis(&self, launch: &PlannedLaunch) -> Result<LaunchDir, FolderError> {
        self.create_below(DIAGNOSIS, launch)
    }

    fn create_below(&self, folder: &str, launch: &PlannedLaunch) -> Result<LaunchDir, FolderError> {
        let all = make(&self.inside, folder)?;
        Ok(LaunchDir {
            inside: make(&all, &name_of(launch.number, &launch.cell))?,
        })
    }

    /// Every launch that was begun, in order.
    pub fn launches(&self) -> Result<Vec<LaunchDir>, FolderError> {
        self.begun_below(LAUNCHES)
    }

    /// Every diagnosis launch that was begun, in order.
    pub fn diagnoses(&self) -> Result<Vec<LaunchDir>, FolderError> {
        self.begun_below(DIAGNOSIS)
    }

    fn begun_below(&self, folder: &str) -> Result<Vec<LaunchDir>, FolderError> {
        let all = self.inside.at(folder);
        let mut begun = Vec::new();
        for name in names(&all)? {
            let inside = all.at(&name);
            let is_folder = all.is_folder(&name);
            if is_folder.map_err(|e| FolderError::io(inside.path(), e))? && inside.has(RECORD) {
                begun.push(LaunchDir { inside });
            }
        }
        Ok(begun)
    }
}

/// Where each file of a launch is.
macro_rules! paths {
    ($($(#[$about:meta])* $name:ident: $file:literal,)*) => {$(
        $(#[$about])*
        #[must_use]
        pub fn $name(&self) -> PathBuf {
            self.path().join($file)
        }
    )*};
}

impl LaunchDir {
    /// Where it is.
    #[must_use]
    pub fn path(&self) -> &Path {
        self.inside.path()
    }

    /// Makes the folder of a further process of the launch, from 2.
    pub fn create_pod(&self, number: u32) -> Result<Self, FolderError> {
        self.create_inside(&format!("pod-{number}"))
    }

    /// Makes the folder for what warmed the process.
    pub fn create_warm_up(&self) -> Result<Self, FolderError> {
        self.create_inside("warm-up")
    }

    fn create_inside(&self, name: &str) -> Result<Self, FolderError> {
        Ok(Self {
            inside: make(&self.inside, name)?,
        })
    }

    paths! {
        /// The file for the subject's output.
        log: "log.txt",
        /// Path of the log of response times, a histogram a second.
        histograms: "phases.hlog",
        /// The series of resources.
        samples_path: "samples.csv",
        /// The series of what the memory is.
        memory_path: "memory.csv",
        /// The series of what the JVM counts of itself.
        jvm_path: "jvm.csv",
        /// The first requests.
        requests_path: "requests.csv",
        /// The slowest requests.
        slowest_path: "slowest.csv",
        /// Native Memory Tracking as the JVM printed it.
        native_memory_path: "native-memory.txt",
        /// The live set as the JVM printed it.
        class_histogram_path: "class-histogram.txt",
        /// The flight recording.
        recording_path: "recording.jfr",
        /// What was recorded in it.
        recording_settings_path: "recording.jfc",
    }

    /// Reads `launch.json`: how the launch went.
    pub fn record(&self) -> Result<LaunchRecord, FolderError> {
        read_json(&self.inside, RECORD)
    }

    /// Writes `launch.json` whole, what is secret in it masked.
    pub fn write_record(&self, record: &LaunchRecord) -> Result<(), FolderError> {
        write_json(&self.inside, RECORD, record)
    }

    /// `diagnosis.json`; absent in measured launches, and when a diagnosis launch did not come so
    /// far.
    pub fn diagnosis(&self) -> Result<Option<Diagnosis>, FolderError> {
        read_optional(&self.inside, "diagnosis.json")
    }

    /// Writes `diagnosis.json` whole, what is secret in it masked.
    pub fn write_diagnosis(&self, diagnosis: &Diagnosis) -> Result<(), FolderError> {
        write_json(&self.inside, "diagnosis.json", diagnosis)
    }

    /// `dissection.json`; absent in launches that were not dissected.
    pub fn dissection(&self) -> Result<Option<Dissection>, FolderError> {
        read_optional(&self.inside, "dissection.json")
    }

    /// Writes `dissection.json` whole, what is secret in it masked.
    pub fn write_dissection(&self, dissection: &Dissection) -> Result<(), FolderError> {
        write_json(&self.inside, "dissection.json", dissection)
    }

    /// Where an instrument puts a file of this name.
    #[must_use]
    pub fn instrument_path(&self, name: &str) -> PathBuf {
        self.path().join(name)
    }

    /// Writes the text of an instrument to one of the paths above.
    pub fn write_answer(&self, path: &Path, text: &str) -> Result<(), FolderError> {
        let name = path.strip_prefix(self.path()).unwrap_or(path);
        let text = tacho_masking::current().known(text);
        write_whole(&self.inside, name, text.as_bytes())
    }

    /// Opens a file in it by one of the paths above, or by its name; none when there is none.
    pub fn open(&self, path: &Path) -> Result<Option<File>, FolderError> {
        let name = path.strip_prefix(self.path()).unwrap_or(path);
        match self.inside.open_file(name) {
            Ok(file) => Ok(Some(file)),
            Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(e) => Err(FolderError::io(&self.path().join(name), e)),
        }
    }

    /// `samples.csv`; empty when there is none.
    pub fn samples(&self) -> Result<Vec<Sample>, FolderError> {
        read_rows(self, &self.samples_path(), Sample::read)
    }

    /// `memory.csv`; empty when there is none.
    pub fn memory(&self) -> Result<Vec<MemorySample>, FolderError> {
        read_rows(self, &self.memory_path(), MemorySample::read)
    }

    /// `jvm.csv`; empty when there is none.
    pub fn jvm(&self) -> Result<Vec<JvmSample>, FolderError> {
        read_rows(self, &self.jvm_path(), JvmSample::read)
    }

    /// `requests.csv`; empty when there is none.
    pub fn requests(&self) -> Result<Vec<RequestRow>, FolderError> {
        read_rows(self, &self.requests_path(), RequestRow::read)
    }

    /// `slowest.csv`; empty when there is none.
    pub fn slowest(&self) -> Result<Vec<RequestRow>, FolderError> {
        read_rows(self, &self.slowest_path(), RequestRow::read)
    }
}

fn read_rows<T>(
    launch: &LaunchDir,
    path: &Path,
    read: impl Fn(BufReader<io::Take<File>>) -> Result<Vec<T>, RowError>,
) -> Result<Vec<T>, FolderError> {
    let Some(file) = launch.open(path)? else {
        return Ok(Vec::new());
    };
    let file = tacho_files::bounded_file(file).map_err(|e| FolderError::io(path, e))?;
    read(BufReader::new(file)).map_err(|source| FolderError::Row {
        path: path.to_owned(),
        source,
    })
}

fn make(inside: &Inside, name: &str) -> Result<Inside, FolderError> {
    let made = inside.make(name);
    made.map_err(|e| FolderError::io(&inside.path().join(name), e))
}

/// Whether nothing is in it but what a run makes first.
fn is_begun(inside: &Inside) -> bool {
    let is_empty = |name: &str| {
        let names = inside.at(name).names();
        names.is_ok_and(|names| names.is_empty())
    };
    // A crash while the header was written may have left its temporary file.
    let first = |name: &String| match name.as_str() {
        VARIANTS | LAUNCHES => is_empty(name),
        name => name.starts_with(".tacho-"),
    };
    inside.names().is_ok_and(|names| names.iter().all(first))
}

fn names(inside: &Inside) -> Result<Vec<String>, FolderError> {
    inside
        .names()
        .map_err(|e| FolderError::io(inside.path(), e))
}

/// A document of Tacho's that lies outside of a run folder, read as those inside of one are.
///
/// # Errors
/// When it cannot be read, or is none.
pub fn read_document<T: DeserializeOwned>(path: &Path) -> Result<T, FolderError> {
    let bytes = tacho_files::read(path).map_err(|e| FolderError::io(path, e))?;
    parse_json(path, &bytes)
}

fn read_json<T: DeserializeOwned>(inside: &Inside, name: &str) -> Result<T, FolderError> {
    let path = inside.path().join(name);
    let bytes = inside.read(Path::new(name));
    parse_json(&path, &bytes.map_err(|e| FolderError::io(&path, e))?)
}

fn read_optional<T: DeserializeOwned>(
    inside: &Inside,
    name: &str,
) -> Result<Option<T>, FolderError> {
    let path = inside.path().join(name);
    match inside.read(Path::new(name)) {
        Ok(bytes) => parse_json(&path, &bytes).map(Some),
        Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(e) => Err(FolderError::io(&path, e)),
    }
}

fn parse_json<T: DeserializeOwned>(path: &Path, bytes: &[u8]) -> Result<T, FolderError> {
    match str::from_utf8(bytes) {
        Ok(text) => serde_json::from_str(&without_commands(text)),
        // It says where.
        Err(_) => serde_json::from_slice(bytes),
    }
    .map_err(|source| FolderError::Json {
        path: path.to_owned(),
        source,
    })
}

fn write_json<T: Serialize>(inside: &Inside, name: &str, value: &T) -> Result<(), FolderError> {
    let mut bytes = tacho_masking::current()
        .json(value)
        .map_err(|source| FolderError::Json {
            path: inside.path().join(name),
            source,
        })?;
    bytes.push(b'\n');
    write_whole(inside, Path::new(name), &bytes)
}

/// A reader sees the old content or the new, never half; nothing that is planted in the folder is
/// followed.
fn write_whole(inside: &Inside, name: &Path, bytes: &[u8]) -> Result<(), FolderError> {
    let written = inside.replace(name, bytes);
    written.map_err(|e| FolderError::io(&inside.path().join(name), e))
}
