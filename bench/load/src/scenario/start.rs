//! From the start of the process to the first byte that arrives at the subject.

use super::{Bench, Scenario};
use crate::error::BenchError;
use crate::report::{Section, Table, at_most, ratio};
use crate::rounds::{Spread, order};
use crate::rusage;
use crate::tools::{Load, Tool};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use std::io::{self, Read, Write};
use std::net::{Ipv4Addr, TcpListener};
use std::process::Stdio;
use std::time::{Duration, Instant};
use tacho_witness::processors::on;

/// Those that can be told to send one request. (wrk runs for a second at least.)
const TOOLS: [Tool; 4] = [Tool::Tacho, Tool::Ab, Tool::Oha, Tool::Hey];
const START_BAR_MS: f64 = 5.0;
const PATIENCE: Duration = Duration::from_secs(10);

pub fn run(bench: &Bench) -> Result<Section, BenchError> {
    let mut times: Vec<Vec<f64>> = vec![Vec::new(); TOOLS.len()];
    for round in 0..bench.extent.starts {
        for index in order(TOOLS.len(), round) {
            times[index].push(start_ms(bench, TOOLS[index])?);
        }
    }
    let spreads: Vec<_> = times.into_iter().map(Spread::of).collect();
    let own = spreads.first().copied().flatten();
    let mut table = Table::new(&["tool", "start to first byte / tacho's median"]);
    for (tool, spread) in TOOLS.iter().zip(&spreads) {
        let scaled = spread.zip(own).map(|(spread, own)| Spread {
            median: spread.median / own.median,
            min: spread.min / own.median,
            max: spread.max / own.median,
        });
        table.row([tool.to_string(), ratio(scaled)]);
    }
    Ok(Section {
        title: Scenario::Start.to_string(),
        bars: vec![at_most(
            &format!("median of {} starts", bench.extent.starts),
            START_BAR_MS,
            "ms",
            own,
        )],
        table: Some(table),
        notes: Vec::new(),
    })
}

/// The listener is ours, and we wait for it on the subject's processor; our own wake-up counts
/// against the tool.
fn start_ms(bench: &Bench, tool: Tool) -> Result<f64, BenchError> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
    let address = listener.local_addr()?;
    let one = Load::Closed {
        connections: 1,
        requests: 1,
        wrk_seconds: 1,
    };
    let report = tempfile::NamedTempFile::new()?;
    let mut command =
        bench
            .toolbox
            .command(tool, one, &format!("http://{address}/"), report.path())?;
    command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    let begin = Instant::now();
    let mut child = on(bench.processors.generator, || command.spawn())?;
    let first_byte = first_byte(&listener);
    let elapsed = begin.elapsed();
    if first_byte.is_err() {
        // It may wait for an answer that nobody gives.
        let _ = child.kill();
    }
    rusage::wait_for(child)?;
    first_byte?;
    Ok(elapsed.as_secs_f64() * 1e3)
}

/// Until the first byte has come; then the request is answered, so that the tool ends.
fn first_byte(listener: &TcpListener) -> io::Result<()> {
    // A tool may make a connection first to see that somebody listens.
    for _ in 0..3 {
        wait_for_connection(listener)?;
        let (mut stream, _) = listener.accept()?;
        stream.set_read_timeout(Some(PATIENCE))?;
        if stream.read(&mut [0; 4096])? > 0 {
            stream
                .write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")?;
            return Ok(());
        }
    }
    Err(io::Error::other("connections came, but no request"))
}

fn wait_for_connection(listener: &TcpListener) -> io::Result<()> {
    let limit = Timespec::try_from(PATIENCE).map_err(io::Error::other)?;
    let ready = poll(&mut [PollFd::new(listener, PollFlags::IN)], Some(&limit))?;
    if ready == 0 {
        return Err(io::ErrorKind::TimedOut.into());
    }
    Ok(())
}
