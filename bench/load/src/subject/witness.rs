//! The witness, as a process of its own.

use crate::error::BenchError;
use std::process::Command;
use tacho_witness::WitnessProcess;
use tacho_witness::processors::on;

/// Starts one on a processor.
pub fn witness(processor: usize) -> Result<WitnessProcess, BenchError> {
    let mut command = Command::new(std::env::current_exe()?);
    command.arg("witness");
    WitnessProcess::start(command, |command| on(processor, || command.spawn())).map_err(|source| {
        BenchError::Start {
            program: "the witness".to_owned(),
            source,
        }
    })
}

/// Its URL.
pub fn url_of(witness: &WitnessProcess) -> String {
    format!("http://{}/", witness.address())
}
