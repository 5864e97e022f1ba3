//! How each variant was made, and the command line to copy.

use super::dockerfile::{dockerfile, instead};
use crate::words;
use crate::words::Stretch;
use serde::Serialize;
use tacho_figures as figures;
use tacho_run_folder::{PreparedVariant, RunData};

/// What the page shows of one variant.
#[derive(Debug, Serialize)]
pub struct VariantView {
    name: String,
    kind: String,
    runtime: Option<String>,
    /// Directory, environment and command as a piece of shell.
    launch: String,
    dockerfile: Option<String>,
    /// What is said where there is none.
    no_dockerfile: Vec<Stretch>,
    build: String,
    build_time: Option<String>,
    application: String,
    needs: Option<String>,
    notes: Vec<Vec<Stretch>>,
}

/// All of them, in the order of the plan.
pub fn variants(run: &RunData) -> Vec<VariantView> {
    let place = |name: &str| run.plan.cells.iter().position(|c| c.variant == name);
    let mut variants: Vec<&PreparedVariant> = run.variants.iter().collect();
    variants.sort_by_key(|v| place(&v.name).unwrap_or(usize::MAX));
    let views = variants.into_iter().map(|variant| {
        // The copy that `--aa` adds is in no experiment.
        let is_copy = run.plan.aa.as_ref() == Some(&variant.name);
        let name = match is_copy {
            true => &run.plan.baseline,
            false => &variant.name,
        };
        view(variant, name)
    });
    views.collect()
}

/// By `name` the user's experiment knows the variant.
fn view(variant: &PreparedVariant, name: &str) -> VariantView {
    let bytes = |b: u64| figures::bytes(b as f64);
    VariantView {
        name: variant.name.clone(),
        kind: variant.kind.clone(),
        runtime: variant.runtime.clone(),
        launch: launch(variant),
        dockerfile: dockerfile(variant),
        no_dockerfile: words::prose(&instead(variant, name)),
        build: variant.build_commands.join("\n"),
        build_time: (variant.build_s > 0.0).then(|| figures::seconds(variant.build_s)),
        application: bytes(variant.application_bytes),
        needs: (variant.runtime_bytes > 0).then(|| bytes(variant.runtime_bytes)),
        notes: variant.notes.iter().map(|n| words::prose(n)).collect(),
    }
}

fn launch(variant: &PreparedVariant) -> String {
    let mut shell = String::new();
    if !variant.directory.is_empty() {
        shell.push_str(&format!("cd {}\n", words::quoted(&variant.directory)));
    }
    for (name, value) in &variant.environment {
        shell.push_str(&format!("{name}={} \\\n", words::quoted(value)));
    }
    shell.push_str(&words::command_line(&variant.command));
    shell
}
