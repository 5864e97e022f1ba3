//! Workers that are processes of this machine.

use super::{AllHeard, FleetError, Heard, Link, Member};
use crate::message::{self, Order};
use std::fs::File;
use std::io::{self, BufReader};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Sender, channel};
use std::time::{Duration, Instant};
use tacho_load::recorder::Files;

/// For a worker to end in order that was told to, or that nobody tells anything any more.
const PATIENCE: Duration = Duration::from_secs(5);

/// Starts so many workers. `command` makes the command of one from the folder in which it is to
/// write its files; orders come on its standard input, reports are expected on its standard output.
///
/// # Errors
/// When one cannot be started.
pub fn start(
    workers: u32,
    folder: &Path,
    command: impl Fn(&Path) -> Command,
) -> Result<(Vec<Member>, AllHeard), FleetError> {
    let (to_fleet, heard) = channel();
    let mut members = Vec::new();
    for worker in 1..=workers {
        let own = folder.join(format!("worker-{worker}"));
        let link = begin(worker, &own, command(&own), &to_fleet)
            .map_err(|source| FleetError::Start { worker, source })?;
        members.push(Member::new(Box::new(link), Files::in_folder(&own)));
    }
    Ok((members, heard))
}

fn begin(
    worker: u32,
    folder: &Path,
    mut command: Command,
    to_fleet: &Sender<(usize, Heard)>,
) -> io::Result<Process> {
    tacho_files::create_folder(folder)?;
    let said = folder.join("stderr.txt");
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(tacho_files::create(&said)?)
        // Ctrl-C is for the terminal, which ends its workers in order.
        .process_group(0)
        .spawn()?;
    let orders = child.stdin.take();
    let mut process = Process {
        child,
        orders,
        said,
    };
    let Some(reports) = process.child.stdout.take() else {
        return Err(io::Error::other("its standard output cannot be read"));
    };
    let (index, to_fleet) = (worker as usize - 1, to_fleet.clone());
    std::thread::Builder::new()
        .name(format!("tacho-worker-{worker}"))
        .spawn(move || {
            let mut reports = BufReader::new(reports);
            while let Ok(Some(report)) = message::read(&mut reports) {
                if to_fleet.send((index, Heard::Report(report))).is_err() {
                    return;
                }
            }
            let _ = to_fleet.send((index, Heard::Nothing));
        })?;
    Ok(process)
}

/// A process.
#[derive(Debug)]
struct Process {
    child: Child,
    orders: Option<ChildStdin>,
    said: PathBuf,
}

impl Process {
    /// Waits for its end; kills it when it does not come.
    fn end(&mut self) -> io::Result<ExitStatus> {
        // Who hears nothing more ends by itself.
        self.orders = None;
        let since = Instant::now();
        while since.elapsed() < PATIENCE {
            if let Some(status) = self.child.try_wait()? {
                return Ok(status);
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        self.child.kill()?;
        self.child.wait()
    }

    /// The last line that it wrote for people.
    fn last_words(&self) -> Option<String> {
        let file: File = tacho_files::open(&self.said).ok()?;
        let text = io::read_to_string(io::Read::take(file, 1 << 16)).ok()?;
        let last = text.lines().rev().find(|line| !line.trim().is_empty())?;
        Some(last.trim().to_owned())
    }
}

impl Link for Process {
    fn send(&mut self, order: &Order) -> io::Result<()> {
        match &mut self.orders {
            Some(orders) => message::write(order, orders),
            None => Err(io::ErrorKind::BrokenPipe.into()),
        }
    }

    fn ended(&mut self) -> String {
        let how = match self.end() {
            Ok(status) => status.to_string(),
            Err(error) => format!("how is not known: {error}"),
        };
        match self.last_words() {
            Some(words) => format!("it ended ({how}) and said: {words}"),
            None => format!("it ended ({how})"),
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.end();
    }
}
