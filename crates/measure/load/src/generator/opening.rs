//! Connections are opened before the clock starts.

use super::HOUSEKEEPING_NS;
use crate::control::Control;
use crate::transport::{Event, Lane, Transport};
use std::io;
use tacho_clock::{MILLISECOND, monotonic_ns};

/// Connections that are opened at a time. The smallest backlog in common use is 50
/// (`java.net.ServerSocket`). Beyond it the kernel drops SYNs, and the client tries again only
/// after a second.
const BATCH: usize = 32;

/// For the subject to accept a batch.
const PAUSE_NS: u64 = 2 * MILLISECOND;

/// Before the one second try, after a failure.
const SECOND_TRY_NS: u64 = 50 * MILLISECOND;

/// Opens every closed lane. When that fails twice, the rest is left to the phase itself, which
/// opens them when they are needed and counts what happens.
pub fn open_all(transport: &mut dyn Transport, control: &Control) -> io::Result<()> {
    settle(transport)?;
    let mut closed: Vec<Lane> = (0..transport.lanes())
        .filter(|&lane| !transport.is_open(lane))
        .collect();
    let mut failures = 0;
    while !closed.is_empty() && failures < 2 && !control.is_stopped() {
        let batch: Vec<Lane> = closed.drain(..closed.len().min(BATCH)).collect();
        let failed = open_batch(transport, control, &batch)?;
        if failed.is_empty() {
            // No pause is needed after the last batch.
            if !closed.is_empty() {
                pause(transport, PAUSE_NS)?;
            }
        } else {
            failures += 1;
            closed.splice(0..0, failed);
            pause(transport, SECOND_TRY_NS)?;
        }
    }
    Ok(())
}

/// Opens some lanes at once; those that could not be opened.
fn open_batch(
    transport: &mut dyn Transport,
    control: &Control,
    batch: &[Lane],
) -> io::Result<Vec<Lane>> {
    for &lane in batch {
        transport.open(lane);
    }
    let mut failed = Vec::new();
    // A lane can be closed again as soon as it was opened, as by a subject that refuses our
    // certificate.
    let mut pending: Vec<Lane> = batch.to_vec();
    while !pending.is_empty() && !control.is_stopped() {
        while let Some(event) = transport.next_event() {
            match event {
                Event::Opened(lane) => pending.retain(|one| *one != lane),
                Event::Closed(lane, Some(_)) => {
                    if !failed.contains(&lane) {
                        failed.push(lane);
                    }
                    pending.retain(|one| *one != lane);
                }
                _ => {}
            }
        }
        if !pending.is_empty() {
            transport.wait(HOUSEKEEPING_NS)?;
            transport.expire(monotonic_ns());
        }
    }
    Ok(failed)
}

/// Learns what became of idle lanes since the phase before.
fn settle(transport: &mut dyn Transport) -> io::Result<()> {
    transport.wait(0)?;
    while transport.next_event().is_some() {}
    Ok(())
}

/// The last part of a wait is spun, because a kernel timer may wake a thread this late.
const SPUN_NS: u64 = MILLISECOND / 5;

/// Waits for an instant, unless it is stopped.
pub fn until(transport: &mut dyn Transport, control: &Control, instant: u64) -> io::Result<()> {
    loop {
        let left = instant.saturating_sub(monotonic_ns());
        if left == 0 || control.is_stopped() {
            return Ok(());
        }
        match left.saturating_sub(SPUN_NS) {
            0 => std::hint::spin_loop(),
            long => pause(transport, long.min(HOUSEKEEPING_NS))?,
        }
    }
}

/// Lets time pass, taking note of lanes that are closed meanwhile.
pub fn pause(transport: &mut dyn Transport, length_ns: u64) -> io::Result<()> {
    let end = monotonic_ns() + length_ns;
    loop {
        let now = monotonic_ns();
        if now >= end {
            return Ok(());
        }
        transport.wait(end - now)?;
        while transport.next_event().is_some() {}
    }
}
