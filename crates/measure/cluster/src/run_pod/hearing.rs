//! What a run pod says, and what the terminal makes of it: files of the run folder, events, the
//! machine and the clock that its instants are of.

use super::message::Told;
use std::io::{self, BufReader};
use std::os::unix::net::UnixStream;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};
use tacho_clock::wall_ns;
use tacho_load::Control;
use tacho_run_folder::{Machine, RunFolder};
use tacho_runner::{Event, Left, Listener};
use tacho_workers::{Apart, Exchange, GivenFile, keep, read_line};

/// Why a connection ended before the run did.
pub enum Broken {
    /// The connection broke; another one may work.
    Line,
    /// Another connection would not help.
    ForGood(String),
}

/// What has been heard.
pub struct Hearing<'a> {
    /// So many numbered messages.
    pub heard: usize,
    /// When the last one came, of any kind, with the bytes of its file: what a launch has to tell
    /// may take minutes, and so may a file.
    pub last: Instant,
    folder: &'a RunFolder,
    listener: &'a mut dyn Listener,
    /// The machine of its node, once it has said.
    pub machine: Option<Machine>,
    node: Option<String>,
    /// The load that goes on there, as far as it was told.
    control: Control,
    /// Questions for its time, and answers.
    exchanges: Vec<Exchange>,
}

impl<'a> Hearing<'a> {
    /// Nothing so far.
    pub fn new(folder: &'a RunFolder, listener: &'a mut dyn Listener) -> Self {
        Self {
            heard: 0,
            last: Instant::now(),
            folder,
            listener,
            machine: None,
            node: None,
            control: Control::new(),
            exchanges: Vec::new(),
        }
    }

    /// To the last word, or until the connection breaks.
    pub fn until_end(
        &mut self,
        from: &mut BufReader<UnixStream>,
        asked_ns: &AtomicU64,
    ) -> Result<(), Broken> {
        loop {
            let told: Told = read_line(from)
                .map_err(|_| Broken::Line)?
                .ok_or(Broken::Line)?;
            self.last = Instant::now();
            let is_numbered = told.is_numbered();
            match told {
                Told::Time { realtime_ns } => self.exchanges.push(Exchange {
                    asked_ns: asked_ns.load(Ordering::SeqCst),
                    theirs_ns: realtime_ns,
                    answered_ns: wall_ns(),
                }),
                Told::Refused { message } => return Err(Broken::ForGood(message)),
                Told::Ended { trouble: None } => return Ok(()),
                Told::Ended {
                    trouble: Some(trouble),
                } => return Err(Broken::ForGood(trouble)),
                Told::File(file) => self.keep(&file, from)?,
                other => self.show(other),
            }
            self.heard += usize::from(is_numbered);
        }
    }

    /// Tells the user something of this side.
    pub fn say(&mut self, text: &str) {
        self.listener.event(Event::Note { text });
    }

    /// Of the run folder only what launches write: what names another place is refused.
    fn keep(&mut self, file: &GivenFile, from: &mut BufReader<UnixStream>) -> Result<(), Broken> {
        let is_ours = file.name == "plan.json" || file.name.starts_with("launches/");
        if !is_ours {
            return Err(Broken::ForGood(format!(
                "it names a file that no launch writes ({}): use the same Tacho for both",
                file.name.escape_debug()
            )));
        }
        let kept = keep(file, from, self.folder.path());
        self.last = Instant::now();
        match kept {
            Ok(_) => Ok(()),
            Err(error) if is_of_line(error.kind()) => Err(Broken::Line),
            Err(error) => Err(Broken::ForGood(format!(
                "what it has recorded cannot be written: {error}"
            ))),
        }
    }

    fn show(&mut self, told: Told) {
        match told {
            Told::Begun { node, machine } => {
                let on = node.as_deref().unwrap_or("a node that it does not know");
                let what = format!("launches are carried out by a pod on {on}");
                self.listener.event(Event::Working { what: &what });
                (self.node, self.machine) = (node, Some(machine));
            }
            Told::Working { what } => self.listener.event(Event::Working { what: &what }),
            Told::Note { text } => self.listener.event(Event::Note { text: &text }),
            Told::LaunchBegan { number, of, cell } => self.listener.event(Event::LaunchBegan {
                number,
                of,
                cell: &cell,
            }),
            Told::PhaseBegan { phase, counts } => {
                counts.show(&self.control);
                self.listener.event(Event::PhaseBegan {
                    phase: &phase,
                    control: &self.control,
                });
            }
            Told::PhaseEnded => self.listener.event(Event::PhaseEnded),
            Told::Counts(counts) => counts.show(&self.control),
            Told::LaunchEnded {
                number,
                left_s,
                at_most,
            } => {
                let all = self.folder.launches().unwrap_or_default();
                let mut records = all.iter().filter_map(|launch| launch.record().ok());
                if let Some(record) = records.find(|record| record.number == number) {
                    self.listener.event(Event::LaunchEnded {
                        record: &record,
                        left: Left {
                            time: Duration::try_from_secs_f64(left_s).unwrap_or_default(),
                            is_at_most: at_most,
                        },
                    });
                }
            }
            Told::File(_) | Told::Ended { .. } | Told::Time { .. } | Told::Refused { .. } => {}
        }
    }

    /// Where the launches ran, and whose clock their instants are of.
    pub fn note(&self) -> String {
        let node = self.node.as_deref().unwrap_or("?");
        let mut note = format!(
            "A pod on node {node} carried out the launches and sent their load; each instant is of that node's clock"
        );
        if let Some(apart) = Apart::by(&self.exchanges) {
            let ahead_ms = apart.ahead_ns as f64 / 1e6;
            note += &format!(
                ", which was {:.1} ms {} this machine's, give or take {:.1} ms",
                ahead_ms.abs(),
                if ahead_ms < 0.0 { "behind" } else { "ahead of" },
                apart.within_ns as f64 / 1e6,
            );
        }
        note + "."
    }
}

/// What a broken connection looks like to whoever reads from it.
fn is_of_line(kind: io::ErrorKind) -> bool {
    use io::ErrorKind as Of;
    matches!(
        kind,
        Of::UnexpectedEof | Of::WouldBlock | Of::TimedOut | Of::ConnectionReset
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;
    use tacho_workers::write_line;

    /// Over a socket of a test's own: what a pod says, and what the terminal makes of it.
    fn heard_of(told: &[(Told, &[u8])]) -> (Result<(), Broken>, usize, tempfile::TempDir) {
        let root = tempfile::tempdir().unwrap();
        let folder = RunFolder::create(root.path()).unwrap();
        let (mut there, here) = UnixStream::pair().unwrap();
        for (told, bytes) in told {
            write_line(told, &mut there).unwrap();
            there.write_all(bytes).unwrap();
        }
        drop(there);
        let mut listener = tacho_runner::Silent;
        let mut hearing = Hearing::new(&folder, &mut listener);
        let ended = hearing.until_end(&mut BufReader::new(here), &AtomicU64::new(0));
        (ended, hearing.heard, root)
    }

    fn file(name: &str, bytes: u64) -> Told {
        Told::File(GivenFile {
            name: name.to_owned(),
            bytes,
        })
    }

    #[test]
    fn what_launches_write_comes_into_the_run_folder_and_nothing_else_does() {
        let log = "launches/001-a/log.txt";
        let end = Told::Ended { trouble: None };
        let (ended, heard, root) = heard_of(&[(file(log, 5), b"12345"), (end, b"")]);
        assert!(ended.is_ok());
        // The last word has no successor.
        assert_eq!(heard, 1);
        assert_eq!(std::fs::read(root.path().join(log)).unwrap(), b"12345");
        for elsewhere in [
            "run.json",
            "launches/../../x",
            "../launches/x",
            "variants/a",
        ] {
            let (ended, ..) = heard_of(&[(file(elsewhere, 1), b"x")]);
            assert!(matches!(ended, Err(Broken::ForGood(_))), "{elsewhere}");
        }
    }

    #[test]
    fn a_pod_is_heard_as_long_as_the_bytes_of_a_file_come() {
        let root = tempfile::tempdir().unwrap();
        let folder = RunFolder::create(root.path()).unwrap();
        let (mut there, here) = UnixStream::pair().unwrap();
        let writing = std::thread::spawn(move || {
            write_line(&file("launches/1/a", 2), &mut there).unwrap();
            there.write_all(b"1").unwrap();
            std::thread::sleep(Duration::from_millis(200));
            let before_the_last = Instant::now();
            there.write_all(b"2").unwrap();
            before_the_last
        });
        let mut listener = tacho_runner::Silent;
        let mut hearing = Hearing::new(&folder, &mut listener);
        let ended = hearing.until_end(&mut BufReader::new(here), &AtomicU64::new(0));
        assert!(matches!(ended, Err(Broken::Line)) && hearing.heard == 1);
        assert!(hearing.last >= writing.join().unwrap());
    }

    #[test]
    fn whose_clock_it_was_is_said_with_how_far_it_is_known() {
        let root = tempfile::tempdir().unwrap();
        let folder = RunFolder::create(root.path()).unwrap();
        let mut listener = tacho_runner::Silent;
        let mut hearing = Hearing::new(&folder, &mut listener);
        // Asked at 10 ms and answered at 14: it was made at 12, give or take two.
        hearing.exchanges.push(Exchange {
            asked_ns: 10_000_000,
            theirs_ns: 3_012_000_000,
            answered_ns: 14_000_000,
        });
        let note = hearing.note();
        assert!(
            note.contains("3000.0 ms ahead of this machine's, give or take 2.0 ms"),
            "{note}"
        );
    }

    #[test]
    fn a_line_that_breaks_in_a_file_is_tried_again_and_trouble_is_not() {
        let (ended, heard, _root) = heard_of(&[(file("launches/1/a", 5), b"12")]);
        assert!(matches!(ended, Err(Broken::Line)) && heard == 0);
        let trouble = Told::Ended {
            trouble: Some("no space left".to_owned()),
        };
        let (ended, ..) = heard_of(&[(trouble, b"")]);
        assert!(matches!(ended, Err(Broken::ForGood(why)) if why == "no space left"));
    }
}
