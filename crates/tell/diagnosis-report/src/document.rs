//! The document: `diagnosis.json` in the run folder, and what `--json` writes. Its schema is
//! `docs/schema/diagnose.json`.

use crate::export::Format;
use crate::trace::TraceRow;
use schemars::{JsonSchema, schema_for};
use serde::{Deserialize, Serialize};
use tacho_diagnosis::{Conclusion, Counterfactual, Findings, Measured, MovedCount, RemoteTime};
use tacho_run_folder::{BuildChanges, CertificateState, LedgerKind};

/// What was measured, and why.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct DiagnosisReport {
    /// Version of the run folder's format.
    pub format: u32,
    /// Name of the experiment.
    pub name: String,
    /// The older build; absent when one build was looked into alone.
    pub baseline: Option<String>,
    /// The newer build.
    pub candidate: String,
    /// The two runs that are compared, where both builds were launched before, each in a run of its
    /// own; absent otherwise.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stored: Option<StoredRuns>,
    /// What came out, in one word.
    pub conclusion: Conclusion,
    /// Why launches failed, each reason once.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub failures: Vec<String>,
    /// What differs between the builds by their files; absent when one was looked into alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub changes: Option<BuildChanges>,
    /// Figures of both builds from the launches without instruments.
    pub measured: Vec<Measured>,
    /// Whether those figures are to be believed.
    pub certificate: CertificateState,
    /// Why the candidate costs more; null when there was no reason to look.
    pub findings: Option<Findings>,
    /// What a request does more or less often than before, by counting.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub counts: Vec<MovedCount>,
    /// Where the time of a request goes that calls other services; absent where none is called, or
    /// where packets could not be seen.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub remote: Option<RemoteTime>,
    /// Causes that were switched off, and changes that were put back, without the source code, and
    /// how much of the loss that gave back.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub counterfactuals: Vec<Counterfactual>,
    /// What a reader has to know of the search among the changes.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// The trace of both builds as one tree, per request: callers before what they call, the
    /// costliest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub trace: Vec<TraceRow>,
    /// For other tools: profiles of both builds, and the recordings that they were made of.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<ExportedFile>,
    /// The run folder, which holds everything else.
    pub folder: String,
}

/// Two runs that were carried out apart.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct StoredRuns {
    /// The older one.
    pub baseline: StoredRun,
    /// The newer one.
    pub candidate: StoredRun,
    /// How the machines of the two runs differ; no verdict is then made of times. Absent where they
    /// are alike.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub elsewhere: Vec<String>,
    /// The command that launches both builds, puts changes back one by one, and so tells which of
    /// them is the cause; absent where there is nothing to be told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to_put_back: Option<String>,
}

/// A run that was carried out before.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct StoredRun {
    /// Its folder, as it was given.
    pub folder: String,
    /// Its variant that is compared.
    pub variant: String,
    /// RFC 3339, UTC.
    pub started_at: String,
    /// Launches of the variant that count.
    pub launches: u32,
    /// It holds a launch in which the variant was looked into with instruments.
    pub looked_into: bool,
}

/// A file for other tools.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ExportedFile {
    /// Path below `folder`.
    pub path: String,
    /// `candidate` or `baseline`.
    pub build: String,
    /// How it is written.
    pub format: Format,
    /// Which cost is in it; absent of a recording, which may hold several.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub of: Option<LedgerKind>,
}

/// The JSON Schema of the document, ending in a newline.
///
/// # Errors
/// When it cannot be written as JSON.
pub fn schema() -> Result<String, serde_json::Error> {
    serde_json::to_string_pretty(&schema_for!(DiagnosisReport)).map(|text| text + "\n")
}
