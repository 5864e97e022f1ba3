//! The instants of the chosen port as they are recorded.

use super::listeners::Sight;
use super::port::Port;
use tacho_clock::ms_between;
use tacho_run_folder::TimeLine;

/// `logged`: when the log said that it was ready.
pub(super) fn time_line(
    exec_ns: u64,
    port: Option<&Port>,
    ready: Option<&(Sight, String)>,
    probes: u32,
) -> TimeLine {
    let listening = port.map(|p| p.listening);
    let first_connection = port.and_then(|p| p.first_connection);
    let first_response = port.and_then(|p| p.first_response);
    let first_2xx = port.and_then(|p| p.first_2xx);
    let ready_at = ready.map(|(sight, _)| *sight);
    let ms = |sight: Option<Sight>| sight.map(|s| ms_between(exec_ns, s.at_ns));
    let gaps = [
        listening,
        first_connection,
        first_response,
        first_2xx,
        ready_at,
    ];
    TimeLine {
        listening_ms: ms(listening),
        first_connection_ms: ms(first_connection),
        first_response_ms: ms(first_response),
        first_2xx_ms: ms(first_2xx),
        ready_ms: ms(ready_at),
        resolution_ms: gaps
            .iter()
            .flatten()
            .map(|s| s.gap_ns() as f64 / 1e6)
            .fold(0.0, f64::max),
        probes,
        port: port.map(Port::number),
        port_choice: None,
        ready_by: ready.map(|(_, by)| by.clone()),
        claims: Vec::new(),
    }
}
