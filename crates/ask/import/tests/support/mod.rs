//! Cases that another hand has made (labs/inputs): what a user gives, and what should be sent, left
//! out and kept secret. `truth.yaml` is described there.
#![allow(dead_code)] // Each test asks for a part of it.

pub mod marks;
pub mod sent;
pub mod truth;

use sent::Sent;
use std::path::{Path, PathBuf};
use tacho_import::{ImportError, Imported};
use truth::Truth;

/// One case.
pub struct Case {
    pub name: String,
    pub folder: PathBuf,
    pub truth: Truth,
}

impl Case {
    /// A file of the case.
    pub fn read(&self, name: &str) -> Vec<u8> {
        std::fs::read(self.folder.join(name)).unwrap()
    }
}

/// What is known to be otherwise.
#[derive(Clone, Copy)]
pub enum Known {
    /// Not as the truth has it.
    Otherwise,
    /// As good by the case's own note: these requests (`at`) are left out.
    LeftOut(&'static [&'static str]),
}

/// Cases of one kind: the seen ones, and the held-back ones with `TACHO_HELD_BACK=1`.
pub struct Cases {
    pub kind: &'static str,
    pub at_least: usize,
    pub known: &'static [(&'static str, Known)],
}

impl Cases {
    /// Reads each, and holds what comes of it against its truth: whether it is refused, the
    /// requests in order, how many are left out, the jar, the secrets, and whatever else
    /// `and` looks at. Prints each, and fails where one is not as it is known to be.
    pub fn check(
        &self,
        read: impl Fn(&Case) -> Result<Imported, ImportError>,
        and: impl Fn(&Case, &Imported, &[Sent]) -> Result<(), String>,
    ) {
        let mut folders = self.folders("seen");
        assert!(folders.len() >= self.at_least, "{folders:?}");
        if std::env::var_os("TACHO_HELD_BACK").is_some() {
            folders.extend(self.folders("held-back"));
        }
        let mut wrong = Vec::new();
        for folder in &folders {
            let name = folder.file_name().unwrap().to_string_lossy().into_owned();
            let known = self.known.iter().find(|(known, _)| *known == name);
            let known = known.map(|(_, known)| *known);
            let mut case = Case {
                truth: Truth::of(&folder.join("truth.yaml")),
                folder: folder.clone(),
                name,
            };
            if let Some(Known::LeftOut(places)) = known {
                case.truth.leave_out(places);
            }
            let result = compared(&case, &read, &and);
            let name = &case.name;
            match (&result, known) {
                (Ok(()), Some(Known::LeftOut(_))) => println!("{name}: as its note allows"),
                (Ok(()), _) => println!("{name}: as it should be"),
                (Err(_), _) => println!("{name}: not so"),
            }
            match (result, known) {
                (Err(_), Some(Known::Otherwise)) => {}
                (Err(why), _) => wrong.push(format!("{name}: {why}")),
                (Ok(()), Some(Known::Otherwise)) => {
                    wrong.push(format!("{name} is as it should be: take it off the list"));
                }
                (Ok(()), _) => {}
            }
        }
        let of = folders.len();
        assert!(
            wrong.is_empty(),
            "{} of {of}:\n{}",
            wrong.len(),
            wrong.join("\n")
        );
    }

    fn folders(&self, which: &str) -> Vec<PathBuf> {
        let labs = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("../../../labs/inputs")
            .join(which);
        let kind = format!("{}-", self.kind);
        let mut all: Vec<PathBuf> = std::fs::read_dir(labs)
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .filter(|path| {
                let name = path.file_name().unwrap().to_string_lossy();
                name.starts_with(&kind)
            })
            .collect();
        all.sort();
        all
    }
}

fn compared(
    case: &Case,
    read: impl Fn(&Case) -> Result<Imported, ImportError>,
    and: impl Fn(&Case, &Imported, &[Sent]) -> Result<(), String>,
) -> Result<(), String> {
    let truth = &case.truth;
    let imported = match (read(case), truth.refuse) {
        (Err(error), true) => return kept(truth, &error.to_string()),
        (Ok(_), true) => return Err("it should be refused".to_owned()),
        (Err(error), false) => return Err(error.to_string()),
        (Ok(imported), false) => imported,
    };
    let all = sent::all(&imported, &case.folder)?;
    let wanted: Vec<&str> = truth
        .requests
        .iter()
        .map(|request| request.send.as_str())
        .collect();
    let is_so = all.len() == wanted.len()
        && all
            .iter()
            .zip(&wanted)
            .all(|(sent, wanted)| marks::is_like(&sent.send(), wanted));
    if !is_so {
        let sent: Vec<String> = all.iter().map(Sent::send).collect();
        let notes = &imported.notes;
        return Err(format!(
            "sent {sent:#?}, should be {wanted:#?}; told {notes:#?}"
        ));
    }
    let notes = &imported.notes;
    let left_out = notes
        .iter()
        .filter(|note| note.text.starts_with("left out"))
        .count();
    if left_out != truth.left_out {
        return Err(format!(
            "{left_out} left out, should be {}: {notes:#?}",
            truth.left_out
        ));
    }
    if truth.jar && !imported.workload.cookies {
        return Err("no jar for each user".to_owned());
    }
    let told: Vec<String> = notes.iter().map(ToString::to_string).collect();
    kept(truth, &told.join("\n"))?;
    and(case, &imported, &all)
}

/// No secret is in a text that people see.
fn kept(truth: &Truth, told: &str) -> Result<(), String> {
    match truth
        .secrets
        .iter()
        .find(|secret| told.contains(secret.as_str()))
    {
        Some(secret) => Err(format!("`{secret}` is told")),
        None => Ok(()),
    }
}
