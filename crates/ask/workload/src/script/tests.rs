//! Workloads from their description to what they send.

mod chances;
mod compiling;
mod names;
mod running;

use super::*;
use crate::answer::Answer;
use crate::origin::Scheme;
use crate::spec::{
    Body, Capture, Check, Feed, FeedFormat, FeedOrder, Scenario, Source, Step, Think,
};
use tempfile::TempDir;

/// 2026-11-22T10:11:12Z
const NOW: u64 = 1_795_342_272_000_000_000;

fn origin() -> Origin {
    Origin {
        scheme: Scheme::Http,
        authority: "shop.test:8080".to_owned(),
    }
}

fn get(path: &str) -> Step {
    Step {
        name: path.to_owned(),
        method: "GET".to_owned(),
        path: path.to_owned(),
        ..Step::default()
    }
}

fn scenario(name: &str, weight: f64, steps: &[Step]) -> Scenario {
    Scenario {
        name: name.to_owned(),
        weight,
        steps: steps.to_vec(),
    }
}

fn one(steps: &[Step]) -> Workload {
    Workload {
        scenarios: vec![scenario("shop", 1.0, steps)],
        ..Workload::default()
    }
}

fn header(name: &str, value: &str) -> (String, String) {
    (name.to_owned(), value.to_owned())
}

fn compile(workload: &Workload) -> Result<Script, WorkloadError> {
    compile_in(workload, Path::new("."))
}

fn compile_in(workload: &Workload, folder: &Path) -> Result<Script, WorkloadError> {
    Script::compile(workload, folder, &origin(), 7)
}

fn script(workload: &Workload) -> Script {
    compile(workload).unwrap()
}

fn begun(script: &Script, n: u64) -> User {
    let mut user = User::new();
    script.begin(&mut user, 0, n, script.pick(0, n)).unwrap();
    user
}

fn answer(status: u16, head: &'static str, body: &'static str) -> Answer<'static> {
    Answer {
        status,
        head: head.as_bytes(),
        body: body.as_bytes(),
        is_whole: true,
    }
}

fn error(workload: &Workload) -> String {
    compile(workload).err().expect("an error").to_string()
}

fn capture(name: &str, source: Source) -> Vec<Capture> {
    vec![Capture {
        name: name.to_owned(),
        source,
    }]
}
