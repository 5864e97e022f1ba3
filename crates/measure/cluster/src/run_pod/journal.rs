//! All that a run pod has told, in its order: a terminal whose connection broke comes back and
//! hears the rest. Files stay where they are until they are sent.

use super::message::Told;
use std::fs::File;
use std::io::{self, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use tacho_workers::{GivenFile, write_line};

/// What was told so far.
#[derive(Debug, Default)]
pub struct Journal {
    entries: Mutex<Vec<Entry>>,
    grown: Condvar,
}

#[derive(Debug, Clone)]
struct Entry {
    told: Told,
    /// Where the bytes are that follow it.
    file: Option<PathBuf>,
}

impl Journal {
    /// Adds a message.
    pub fn tell(&self, told: Told) {
        self.add(Entry { told, file: None });
    }

    /// Adds a file of a folder, as long as it is now; one that cannot be looked at is left out.
    pub fn tell_file(&self, folder: &Path, name: &Path) {
        let path = folder.join(name);
        let Ok(about) = std::fs::symlink_metadata(&path) else {
            return;
        };
        if !about.is_file() {
            return;
        }
        self.add(Entry {
            told: Told::File(GivenFile {
                name: name.to_string_lossy().into_owned(),
                bytes: about.len(),
            }),
            file: Some(path),
        });
    }

    fn add(&self, entry: Entry) {
        self.entries().push(entry);
        self.grown.notify_all();
    }

    /// Sends what was told from that number on, and what is told later, until nobody takes it.
    pub fn send(&self, from: usize, to: &Mutex<TcpStream>) -> io::Result<()> {
        for number in from.. {
            let entry = self.wait_for(number);
            let mut to = to.lock().unwrap_or_else(PoisonError::into_inner);
            write_line(&entry.told, &mut *to)?;
            if let (Told::File(GivenFile { bytes, .. }), Some(path)) = (&entry.told, &entry.file) {
                send_bytes(path, *bytes, &mut *to)?;
            }
        }
        Ok(())
    }

    fn wait_for(&self, number: usize) -> Entry {
        let mut entries = self.entries();
        loop {
            if let Some(entry) = entries.get(number) {
                return entry.clone();
            }
            entries = self
                .grown
                .wait(entries)
                .unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn entries(&self) -> MutexGuard<'_, Vec<Entry>> {
        self.entries.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// So many were promised: a file that was cut since is filled up, which its reader notices.
fn send_bytes(path: &Path, bytes: u64, to: &mut impl Write) -> io::Result<()> {
    let sent = match File::open(path) {
        Ok(file) => io::copy(&mut file.take(bytes), to)?,
        Err(_) => 0,
    };
    let mut missing = io::repeat(0).take(bytes - sent);
    io::copy(&mut missing, to)?;
    to.flush()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::BufReader;
    use std::net::TcpListener;
    use std::sync::Arc;
    use tacho_workers::{keep, read_line};

    fn note(text: &str) -> Told {
        Told::Note {
            text: text.to_owned(),
        }
    }

    #[test]
    fn who_comes_back_hears_the_rest_and_the_bytes_of_each_file() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("a.txt"), "12345").unwrap();
        let journal = Arc::new(Journal::default());
        journal.tell(note("first"));
        journal.tell_file(folder.path(), Path::new("a.txt"));
        journal.tell_file(folder.path(), Path::new("absent.txt"));
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let there = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        let (here, _) = listener.accept().unwrap();
        std::thread::spawn({
            let journal = Arc::clone(&journal);
            move || journal.send(1, &Mutex::new(here))
        });
        let mut from = BufReader::new(there);
        let Some(Told::File(file)) = read_line(&mut from).unwrap() else {
            panic!("another message");
        };
        let kept = tempfile::tempdir().unwrap();
        let path = keep(&file, &mut from, kept.path()).unwrap();
        assert_eq!(std::fs::read(path).unwrap(), b"12345");
        // What comes later, too.
        journal.tell(note("last"));
        assert_eq!(read_line(&mut from).unwrap(), Some(note("last")));
    }

    #[test]
    fn a_file_that_was_cut_since_keeps_what_follows_in_its_place() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        std::fs::write(&path, "12").unwrap();
        let mut bytes = Vec::new();
        send_bytes(&path, 5, &mut bytes).unwrap();
        assert_eq!(bytes, b"12\0\0\0");
    }
}
