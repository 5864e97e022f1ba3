//! Writing and reading the files of a run.

use crate::words::without_commands;
use crate::{
    Diagnosis, Dissection, JvmSample, LaunchRecord, MemorySample, Plan, PlannedLaunch,
    PreparedVariant, RequestRow, Results, RowError, RunHeader, Sample, read_requests, read_samples,
};
use serde::{Serialize, de::DeserializeOwned};
use std::fs::{self, File};
use std::io::{self, BufReader};
use std::path::{Path, PathBuf};

/// Why a run folder could not be written or read.
#[derive(Debug, thiserror::Error)]
pub enum FolderError {
    /// No room.
    #[error(
        "the disk is full: {path} could not be written. Free some space or give another place with --runs; what was written so far stays readable by `tacho report`"
    )]
    DiskFull {
        /// The file.
        path: PathBuf,
    },
    /// Any other failure of the file system.
    #[error("{path}: {source}")]
    Io {
        /// The file.
        path: PathBuf,
        /// The cause.
        source: io::Error,
    },
    /// Not what Tacho writes.
    #[error("{path} is not what Tacho writes ({source}); was it edited or cut off?")]
    Json {
        /// The file.
        path: PathBuf,
        /// The cause.
        source: serde_json::Error,
    },
    /// A damaged CSV file.
    #[error("{path}: {source}")]
    Row {
        /// The file.
        path: PathBuf,
        /// The cause.
        source: RowError,
    },
    /// Not a run folder at all.
    #[error(
        "{0} is no run folder: it has no run.json. `tacho run` prints the path of the folder that it writes"
    )]
    NotARun(PathBuf),
    /// It ended while the variants were made.
    #[error(
        "{0}: this run ended before anything was launched, while its variants were made; what their tools said is below build/. Start it again with `tacho run`"
    )]
    NothingLaunched(PathBuf),
    /// Written by a newer Tacho.
    #[error("{path} has format {found}, this Tacho reads up to {known}; use a newer Tacho")]
    TooNew {
        /// The folder.
        path: PathBuf,
        /// Its format.
        found: u32,
        /// Ours.
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

/// What is measured.
const LAUNCHES: &str = "launches";
/// What is looked at with instruments that cost something.
const DIAGNOSIS: &str = "diagnosis";

/// A run folder on disk.
#[derive(Debug, Clone)]
pub struct RunFolder {
    root: PathBuf,
}

/// The folder of one launch.
#[derive(Debug, Clone)]
pub struct LaunchDir {
    root: PathBuf,
}

impl RunFolder {
    /// Makes the folder, its parents too.
    pub fn create(root: &Path) -> Result<Self, FolderError> {
        for dir in [root.to_owned(), root.join("variants"), root.join(LAUNCHES)] {
            tacho_files::create_folder(&dir).map_err(|e| FolderError::io(&dir, e))?;
        }
        Ok(Self {
            root: root.to_owned(),
        })
    }

    /// Opens a folder that a run has written.
    pub fn open(root: &Path) -> Result<Self, FolderError> {
        let folder = Self {
            root: root.to_owned(),
        };
        let head = folder.root.join("run.json");
        if !head.exists() {
            return Err(FolderError::NotARun(root.to_owned()));
        }
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
        &self.root
    }

    /// `run.json`.
    pub fn header(&self) -> Result<RunHeader, FolderError> {
        read_json(&self.root.join("run.json"))
    }

    /// Writes `run.json`.
    pub fn write_header(&self, header: &RunHeader) -> Result<(), FolderError> {
        write_json(&self.root.join("run.json"), header)
    }

    /// `plan.json`.
    pub fn plan(&self) -> Result<Plan, FolderError> {
        let path = self.root.join("plan.json");
        match path.symlink_metadata() {
            Err(e) if e.kind() == io::ErrorKind::NotFound => {
                Err(FolderError::NothingLaunched(self.root.clone()))
            }
            _ => read_json(&path),
        }
    }

    /// Writes `plan.json`.
    pub fn write_plan(&self, plan: &Plan) -> Result<(), FolderError> {
        write_json(&self.root.join("plan.json"), plan)
    }

    /// `results.json`; absent before the analysis.
    pub fn results(&self) -> Result<Option<Results>, FolderError> {
        let path = self.root.join("results.json");
        if !path.exists() {
            return Ok(None);
        }
        read_json(&path).map(Some)
    }

    /// Writes `results.json`.
    pub fn write_results(&self, results: &Results) -> Result<(), FolderError> {
        write_json(&self.root.join("results.json"), results)
    }

    /// Writes a YAML file at the top, such as `experiment.yaml`; what is secret in it is masked.
    pub fn write_yaml(&self, name: &str, text: &str) -> Result<PathBuf, FolderError> {
        self.write_bytes(name, tacho_masking::current().yaml(text).as_bytes())
    }

    /// Any JSON file at the top; none when there is none.
    pub fn document<T: DeserializeOwned>(&self, name: &str) -> Result<Option<T>, FolderError> {
        let path = self.root.join(name);
        if !path.exists() {
            return Ok(None);
        }
        read_json(&path).map(Some)
    }

    /// Writes a JSON file at the top; what is secret in it is masked.
    pub fn write_document<T: Serialize>(
        &self,
        name: &str,
        value: &T,
    ) -> Result<PathBuf, FolderError> {
        let path = self.root.join(name);
        write_json(&path, value)?;
        Ok(path)
    }

    /// Writes a file that others read as it stands, with words of their own (`secretKeyRef`): only what is known to be secret
    /// is masked.
    pub fn write_manifest(&self, name: &str, text: &str) -> Result<PathBuf, FolderError> {
        self.write_bytes(name, tacho_masking::current().known(text).as_bytes())
    }

    /// Writes a page. It is made of masked data: what is known to be secret is masked in it by whoever embeds it, since
    /// its policy holds the sum of its script.
    pub fn write_page(&self, name: &str, page: &str) -> Result<PathBuf, FolderError> {
        self.write_bytes(name, page.as_bytes())
    }

    /// Writes a file that holds no text of the experiment: a profile, a page.
    pub fn write_bytes(&self, name: &str, content: &[u8]) -> Result<PathBuf, FolderError> {
        let path = self.root.join(name);
        write_whole(&path, content)?;
        Ok(path)
    }

    /// Writes `variants/<name>.json`.
    pub fn write_variant(&self, variant: &PreparedVariant) -> Result<(), FolderError> {
        let file = format!("{}.json", variant.name);
        write_json(&self.root.join("variants").join(file), variant)
    }

    /// Every variant that was prepared, by name.
    pub fn variants(&self) -> Result<Vec<PreparedVariant>, FolderError> {
        entries(&self.root.join("variants"))?
            .iter()
            .filter(|p| p.extension().is_some_and(|e| e == "json"))
            .map(|p| read_json(p))
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
        let root = self
            .root
            .join(folder)
            .join(format!("{:03}-{}", launch.number, launch.cell));
        tacho_files::create_folder(&root).map_err(|e| FolderError::io(&root, e))?;
        Ok(LaunchDir { root })
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
        Ok(entries(&self.root.join(folder))?
            .into_iter()
            .filter(|root| root.join("launch.json").exists())
            .map(|root| LaunchDir { root })
            .collect())
    }
}

impl LaunchDir {
    /// Where it is.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.root
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
        let root = self.root.join(name);
        tacho_files::create_folder(&root).map_err(|e| FolderError::io(&root, e))?;
        Ok(Self { root })
    }

    /// The file for the subject's output.
    #[must_use]
    pub fn log(&self) -> PathBuf {
        self.root.join("log.txt")
    }

    /// The histograms.
    #[must_use]
    pub fn histograms(&self) -> PathBuf {
        self.root.join("phases.hlog")
    }

    /// The series of resources.
    #[must_use]
    pub fn samples_path(&self) -> PathBuf {
        self.root.join("samples.csv")
    }

    /// The series of what the memory is.
    #[must_use]
    pub fn memory_path(&self) -> PathBuf {
        self.root.join("memory.csv")
    }

    /// The series of what the JVM counts of itself.
    #[must_use]
    pub fn jvm_path(&self) -> PathBuf {
        self.root.join("jvm.csv")
    }

    /// The first requests.
    #[must_use]
    pub fn requests_path(&self) -> PathBuf {
        self.root.join("requests.csv")
    }

    /// The slowest requests.
    #[must_use]
    pub fn slowest_path(&self) -> PathBuf {
        self.root.join("slowest.csv")
    }

    /// `launch.json`.
    pub fn record(&self) -> Result<LaunchRecord, FolderError> {
        read_json(&self.root.join("launch.json"))
    }

    /// Writes `launch.json`.
    pub fn write_record(&self, record: &LaunchRecord) -> Result<(), FolderError> {
        write_json(&self.root.join("launch.json"), record)
    }

    /// Native Memory Tracking as the JVM printed it.
    #[must_use]
    pub fn native_memory_path(&self) -> PathBuf {
        self.root.join("native-memory.txt")
    }

    /// The live set as the JVM printed it.
    #[must_use]
    pub fn class_histogram_path(&self) -> PathBuf {
        self.root.join("class-histogram.txt")
    }

    /// The flight recording.
    #[must_use]
    pub fn recording_path(&self) -> PathBuf {
        self.root.join("recording.jfr")
    }

    /// What was recorded in it.
    #[must_use]
    pub fn recording_settings_path(&self) -> PathBuf {
        self.root.join("recording.jfc")
    }

    /// `diagnosis.json`; absent in measured launches, and when a diagnosis launch did not come so far.
    pub fn diagnosis(&self) -> Result<Option<Diagnosis>, FolderError> {
        let path = self.root.join("diagnosis.json");
        if !path.exists() {
            return Ok(None);
        }
        read_json(&path).map(Some)
    }

    /// Writes `diagnosis.json`.
    pub fn write_diagnosis(&self, diagnosis: &Diagnosis) -> Result<(), FolderError> {
        write_json(&self.root.join("diagnosis.json"), diagnosis)
    }

    /// `dissection.json`; absent in launches that were not dissected.
    pub fn dissection(&self) -> Result<Option<Dissection>, FolderError> {
        let path = self.root.join("dissection.json");
        if !path.exists() {
            return Ok(None);
        }
        read_json(&path).map(Some)
    }

    /// Writes `dissection.json`.
    pub fn write_dissection(&self, dissection: &Dissection) -> Result<(), FolderError> {
        write_json(&self.root.join("dissection.json"), dissection)
    }

    /// Where an instrument puts a file of this name.
    #[must_use]
    pub fn instrument_path(&self, name: &str) -> PathBuf {
        self.root.join(name)
    }

    /// Writes the text of an instrument to one of the paths above.
    pub fn write_answer(&self, path: &Path, text: &str) -> Result<(), FolderError> {
        write_whole(path, tacho_masking::current().known(text).as_bytes())
    }

    /// `samples.csv`; empty when there is none.
    pub fn samples(&self) -> Result<Vec<Sample>, FolderError> {
        read_rows(&self.samples_path(), read_samples)
    }

    /// `memory.csv`; empty when there is none.
    pub fn memory(&self) -> Result<Vec<MemorySample>, FolderError> {
        read_rows(&self.memory_path(), MemorySample::read)
    }

    /// `jvm.csv`; empty when there is none.
    pub fn jvm(&self) -> Result<Vec<JvmSample>, FolderError> {
        read_rows(&self.jvm_path(), JvmSample::read)
    }

    /// `requests.csv`; empty when there is none.
    pub fn requests(&self) -> Result<Vec<RequestRow>, FolderError> {
        read_rows(&self.requests_path(), read_requests)
    }

    /// `slowest.csv`; empty when there is none.
    pub fn slowest(&self) -> Result<Vec<RequestRow>, FolderError> {
        read_rows(&self.slowest_path(), read_requests)
    }
}

fn read_rows<T>(
    path: &Path,
    read: impl Fn(BufReader<io::Take<File>>) -> Result<Vec<T>, RowError>,
) -> Result<Vec<T>, FolderError> {
    match tacho_files::bounded(path) {
        Ok(file) => read(BufReader::new(file)).map_err(|source| FolderError::Row {
            path: path.to_owned(),
            source,
        }),
        Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
        Err(e) => Err(FolderError::io(path, e)),
    }
}

/// Entries of a folder in the order of their names; none when it does not exist.
fn entries(dir: &Path) -> Result<Vec<PathBuf>, FolderError> {
    let listing = match fs::read_dir(dir) {
        Ok(listing) => listing,
        Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(e) => return Err(FolderError::io(dir, e)),
    };
    let mut paths = listing
        .map(|entry| entry.map(|e| e.path()))
        .collect::<Result<Vec<_>, _>>()
        .map_err(|e| FolderError::io(dir, e))?;
    paths.sort();
    Ok(paths)
}

/// A document of Tacho's that lies outside of a run folder, read as those inside of one are.
///
/// # Errors
/// When it cannot be read, or is none.
pub fn read_document<T: DeserializeOwned>(path: &Path) -> Result<T, FolderError> {
    read_json(path)
}

fn read_json<T: DeserializeOwned>(path: &Path) -> Result<T, FolderError> {
    let bytes = tacho_files::read(path).map_err(|e| FolderError::io(path, e))?;
    match str::from_utf8(&bytes) {
        Ok(text) => serde_json::from_str(&without_commands(text)),
        // It says where.
        Err(_) => serde_json::from_slice(&bytes),
    }
    .map_err(|source| FolderError::Json {
        path: path.to_owned(),
        source,
    })
}

fn write_json<T: Serialize>(path: &Path, value: &T) -> Result<(), FolderError> {
    let mut bytes = tacho_masking::current()
        .json(value)
        .map_err(|source| FolderError::Json {
            path: path.to_owned(),
            source,
        })?;
    bytes.push(b'\n');
    write_whole(path, &bytes)
}

/// A reader sees the old content or the new, never half; nothing that is planted in the folder is followed.
fn write_whole(path: &Path, bytes: &[u8]) -> Result<(), FolderError> {
    tacho_files::replace(path, bytes).map_err(|e| FolderError::io(path, e))
}
