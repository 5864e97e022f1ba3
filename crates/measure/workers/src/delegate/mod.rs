//! A worker elsewhere: it gets what it needs over one connection, starts a worker as a terminal
//! does on its own machine, and hands over what that one reports and writes.
//!
//! The connection is the only way in and out, so that nothing of the requests (headers with tokens,
//! bodies) is in an object of the cluster, and no network has to lead back to the terminal.

pub(crate) mod message;

use crate::clock;
use crate::fleet::{FleetError, Heard, Link, local};
use crate::given_file::keep;
use crate::message as lines;
use message::{RecordFile, Told, VERSION, Wish};
use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::mpsc::Receiver;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::sleep;
use std::time::{Duration, Instant};
use tacho_clock::monotonic_ns;

/// How long to wait for the terminal to connect. It connects once all workers are there, and the
/// image of one of them may have to be fetched first.
const SOMEBODY_COMES: Duration = Duration::from_secs(15 * 60);
/// A peer that has not sent its request within this time is not the terminal.
const SAYS_SOMETHING: Duration = Duration::from_secs(10);
/// Between two looks for somebody.
const LOOK: Duration = Duration::from_millis(10);
/// So much of a file is one piece.
const PIECE: u64 = 256 * 1024;

/// Why a worker elsewhere did not work.
#[derive(Debug, thiserror::Error)]
pub enum DelegateError {
    /// Nobody wished anything.
    #[error(
        "nobody connected within {s} seconds: start such workers with `tacho load --on kubernetes`, not by hand",
        s = SOMEBODY_COMES.as_secs()
    )]
    Nobody,
    /// The connection, or a file.
    #[error("a worker could not be carried out: {0}")]
    Io(#[from] io::Error),
    /// The worker.
    #[error(transparent)]
    Fleet(#[from] FleetError),
}

/// Serves the first terminal that connects, in a folder of its own, until that terminal is done.
/// `command` makes the worker's command from the folder in which it writes, the folder in which it
/// works, and its arguments.
///
/// # Errors
/// When no terminal connects, or when the worker cannot be started; in that case the terminal has
/// been told.
pub fn serve(
    listener: &TcpListener,
    folder: &Path,
    command: impl Fn(&Path, &Path, &[String]) -> Command,
) -> Result<(), DelegateError> {
    let work = folder.join("work");
    tacho_files::create_folder(&work)?;
    let Wished {
        connection,
        mut wishes,
        arguments,
    } = accept(listener, &work)?;
    let told = Teller(Arc::new(Mutex::new(connection)));
    let started = local::start(1, folder, |own| command(own, &work, &arguments));
    let (mut members, heard) = match started {
        Ok(started) => started,
        Err(error) => {
            told.tell(&Told::Refused {
                message: error.to_string(),
            })?;
            return Err(error.into());
        }
    };
    let Some(member) = members.pop() else {
        return Ok(());
    };
    let (link, files) = member.into_parts();
    let link = Arc::new(Mutex::new(link));
    told.tell(&Told::Begun {
        clock: clock::identity(),
    })?;
    std::thread::Builder::new()
        .name("tacho-wishes".to_owned())
        .spawn({
            let (link, told) = (Arc::clone(&link), told.clone());
            move || {
                // Until nobody is there any more; then the worker ends, too.
                let _ = grant(&mut wishes, &link, &told);
                let _ = locked(&link).ended();
            }
        })?;
    let records = RecordFile::ALL.map(|of| Record {
        of,
        path: of.of(&files).to_owned(),
        told_bytes: 0,
    });
    match hand_over(&heard, &link, &told, records) {
        // The terminal has gone. Whether one more message could be written is a matter of chance.
        Err(error) if is_gone(&error) => Ok(()),
        handed_over => Ok(handed_over?),
    }
}

/// Passes on what the worker reports and writes, until it has ended.
fn hand_over(
    heard: &Receiver<(usize, Heard)>,
    link: &Mutex<Box<dyn Link>>,
    told: &Teller,
    mut records: [Record; RecordFile::ALL.len()],
) -> io::Result<()> {
    while let Ok((_, Heard::Report(report))) = heard.recv() {
        if matches!(report, lines::Report::Phase { .. }) {
            told.rest_of(&mut records)?;
        }
        told.tell(&Told::Report(report))?;
    }
    let how = locked(link).ended();
    told.rest_of(&mut records)?;
    told.tell(&Told::Ended { how })
}

/// Whether the other side has closed the connection.
fn is_gone(error: &io::Error) -> bool {
    use io::ErrorKind as Of;
    matches!(error.kind(), Of::BrokenPipe | Of::ConnectionReset)
}

/// Somebody has come, and has said what is to be sent.
struct Wished {
    connection: TcpStream,
    /// What comes over it next.
    wishes: BufReader<TcpStream>,
    arguments: Vec<String>,
}

/// Takes the first connection over which somebody says what is wished. Others, such as those of a
/// port scan, are closed.
fn accept(listener: &TcpListener, work: &Path) -> Result<Wished, DelegateError> {
    listener.set_nonblocking(true)?;
    let since = Instant::now();
    loop {
        match listener.accept() {
            Ok((connection, _)) => {
                if let Some(wished) = begin(connection, work)? {
                    return Ok(wished);
                }
            }
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => sleep(LOOK),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error.into()),
        }
        if since.elapsed() > SOMEBODY_COMES {
            return Err(DelegateError::Nobody);
        }
    }
}

/// `None`: it was somebody else, or the connection did not last.
fn begin(connection: TcpStream, work: &Path) -> io::Result<Option<Wished>> {
    connection.set_nonblocking(false)?;
    connection.set_nodelay(true)?;
    connection.set_read_timeout(Some(SAYS_SOMETHING))?;
    let mut wishes = BufReader::new(connection.try_clone()?);
    let Ok(Some(Wish::Begin {
        version,
        arguments,
        files,
    })) = lines::read(&mut wishes)
    else {
        return Ok(None);
    };
    let refuse = |message: String| {
        let told = Teller(Arc::new(Mutex::new(connection.try_clone()?)));
        told.tell(&Told::Refused { message })?;
        Ok(None)
    };
    if version != VERSION {
        return refuse(format!(
            "the terminal speaks version {version} of the messages, this worker version {VERSION}; use the same Tacho for both"
        ));
    }
    for file in &files {
        if let Err(error) = keep(file, &mut wishes, work) {
            return refuse(format!("{} cannot be kept: {error}", file.name));
        }
    }
    connection.set_read_timeout(None)?;
    Ok(Some(Wished {
        connection,
        wishes,
        arguments,
    }))
}

/// Does what is wished until nothing more is.
fn grant(
    wishes: &mut BufReader<TcpStream>,
    link: &Mutex<Box<dyn Link>>,
    told: &Teller,
) -> io::Result<()> {
    while let Some(wish) = lines::read(wishes)? {
        match wish {
            Wish::Time => told.tell(&Told::Time {
                monotonic_ns: monotonic_ns(),
            })?,
            Wish::Order(order) => locked(link).send(&order)?,
            Wish::Over => return Ok(()),
            Wish::Begin { .. } => {}
        }
    }
    Ok(())
}

fn locked<T: ?Sized>(link: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    link.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A file of the worker, and how much of it the terminal has.
struct Record {
    of: RecordFile,
    path: PathBuf,
    told_bytes: u64,
}

/// The way back, for several threads.
#[derive(Clone)]
struct Teller(Arc<Mutex<TcpStream>>);

impl Teller {
    fn tell(&self, told: &Told) -> io::Result<()> {
        lines::write(told, &mut *locked(&self.0))
    }

    /// Hands over what was written since. A worker writes whole lines, and all of a phase before it
    /// reports that.
    fn rest_of(&self, records: &mut [Record]) -> io::Result<()> {
        for record in records {
            let Ok(mut file) = File::open(&record.path) else {
                // It ended before it wrote anything.
                continue;
            };
            let mut left = file.metadata()?.len().saturating_sub(record.told_bytes);
            file.seek(SeekFrom::Start(record.told_bytes))?;
            while left > 0 {
                let mut piece = Vec::new();
                Read::by_ref(&mut file)
                    .take(left.min(PIECE))
                    .read_to_end(&mut piece)?;
                if piece.is_empty() {
                    break;
                }
                self.piece(record.of, &piece)?;
                left -= piece.len() as u64;
                record.told_bytes += piece.len() as u64;
            }
        }
        Ok(())
    }

    /// Sends the head and the bytes of a piece under one lock, so that no other message comes
    /// between them.
    fn piece(&self, of: RecordFile, bytes: &[u8]) -> io::Result<()> {
        let mut to = locked(&self.0);
        let head = Told::Piece {
            of,
            bytes: bytes.len() as u64,
        };
        lines::write(&head, &mut *to)?;
        to.write_all(bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whoever_wishes_nothing_is_not_waited_for() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let mut there = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        there.write_all(b"GET / HTTP/1.1\r\n\r\n").unwrap();
        let (here, _) = listener.accept().unwrap();
        let folder = tempfile::tempdir().unwrap();
        assert!(begin(here, folder.path()).unwrap().is_none());
    }

    #[test]
    fn another_version_is_refused() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let mut there = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        let begin_other = Wish::Begin {
            version: VERSION + 1,
            arguments: Vec::new(),
            files: Vec::new(),
        };
        lines::write(&begin_other, &mut there).unwrap();
        let (here, _) = listener.accept().unwrap();
        let folder = tempfile::tempdir().unwrap();
        assert!(begin(here, folder.path()).unwrap().is_none());
        let told = lines::read(&mut BufReader::new(there)).unwrap();
        let Some(Told::Refused { message }) = told else {
            panic!("{told:?}");
        };
        assert!(message.contains("use the same Tacho"), "{message}");
    }
}
