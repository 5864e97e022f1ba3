//! The document: `diagnosis.json` in the run folder, and what `--json` writes. Its schema is
//! `docs/schema/diagnose.json`.

use crate::export::Format;
use crate::trace::TraceRow;
use schemars::{JsonSchema, schema_for};
use serde::{Deserialize, Serialize};
use tacho_diagnosis::Findings;
use tacho_run_folder::{CertificateState, Interval, LedgerKind, Verdict};

/// What was measured, and why.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct DiagnosisReport {
    /// Version of the run folder's format.
    pub format: u32,
    /// Of the experiment.
    pub name: String,
    /// The older build; absent when one build was looked into alone.
    pub baseline: Option<String>,
    /// The newer build.
    pub candidate: String,
    /// What the diagnosis came to.
    pub conclusion: Conclusion,
    /// Why launches failed, each reason once.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub failures: Vec<String>,
    /// What the launches without instruments said.
    pub measured: Vec<Measured>,
    /// Whether those figures are to be believed.
    pub certificate: CertificateState,
    /// Absent when there was no reason to look.
    pub findings: Option<Findings>,
    /// Causes that were switched without the source, and how much of the loss that recovered.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub counterfactuals: Vec<Counterfactual>,
    /// The trace of both builds as one tree, per request: callers before what they call, the
    /// costliest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub trace: Vec<TraceRow>,
    /// For other tools: profiles of both builds, and the recordings that they were made of.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<ExportedFile>,
    /// Where everything else is.
    pub folder: String,
}

/// A file for other tools.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ExportedFile {
    /// Below `folder`.
    pub path: String,
    /// `candidate` or `baseline`.
    pub build: String,
    /// How it is written.
    pub format: Format,
    /// Which cost is in it; absent of a recording, which may hold several.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub of: Option<LedgerKind>,
}

/// What came out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Conclusion {
    /// The candidate costs more, and there are findings.
    Explained,
    /// The candidate costs more, and no finding explains it.
    NotExplained,
    /// The launches show no difference that matters.
    NoDifference,
    /// There may be a difference; so few launches do not tell.
    NotTold,
    /// One build alone was looked into.
    Single,
    /// A build has no launch that came to its end.
    Failed,
    /// It was ended before there was anything to conclude from.
    Interrupted,
}

/// One figure of both builds, from launches without instruments.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Measured {
    /// As in results.json.
    pub id: String,
    /// Name of the figure in the report.
    pub name: String,
    /// As in results.json.
    pub unit: String,
    /// Of the older build.
    pub baseline: Option<Interval>,
    /// Of the newer build.
    pub candidate: Interval,
    /// Candidate by baseline.
    pub ratio: Option<Interval>,
    /// The conclusion on this figure.
    pub verdict: Option<Verdict>,
}

/// The candidate with one thing changed, launched in turns with both builds.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Counterfactual {
    /// What was changed, for people.
    pub changed: String,
    /// The variant that was launched.
    pub variant: String,
    /// By which figure, as in [`Measured`].
    pub figure: String,
    /// The share of the loss that the change recovers: 1 is all of it. Absent where these launches
    /// show no loss.
    pub gives_back: Option<Interval>,
    /// Where its launches are.
    pub folder: String,
}

/// The JSON Schema of the document, ending in a newline.
///
/// # Errors
/// When it cannot be written as JSON.
pub fn schema() -> Result<String, serde_json::Error> {
    serde_json::to_string_pretty(&schema_for!(DiagnosisReport)).map(|text| text + "\n")
}
