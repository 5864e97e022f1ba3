//! Shows the lines of a growing file as they come.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// How often it looks for more.
const PAUSE: Duration = Duration::from_millis(100);

/// Gives each line of the file to `show`, until `over` is set and nothing more has come.
pub fn follow(path: &Path, over: &AtomicBool, show: &mut dyn FnMut(&str)) {
    let Some(file) = open_when_there(path, over) else {
        return;
    };
    let mut reader = BufReader::new(file);
    let mut line = Vec::new();
    loop {
        // Asked before the read: what was written before it was set is still seen.
        let last = over.load(Ordering::Acquire);
        while matches!(reader.read_until(b'\n', &mut line), Ok(1..)) {
            if line.ends_with(b"\n") {
                show(String::from_utf8_lossy(&line).trim_end());
                line.clear();
            }
        }
        if last {
            if !line.is_empty() {
                show(&String::from_utf8_lossy(&line));
            }
            return;
        }
        std::thread::sleep(PAUSE);
    }
}

fn open_when_there(path: &Path, over: &AtomicBool) -> Option<File> {
    loop {
        let last = over.load(Ordering::Acquire);
        match File::open(path) {
            Ok(file) => return Some(file),
            Err(_) if last => return None,
            Err(_) => std::thread::sleep(PAUSE),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    #[test]
    fn lines_that_come_in_pieces_are_shown_whole_and_the_last_without_its_end_too() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("log");
        let over = AtomicBool::new(false);
        let mut shown = Vec::new();
        std::thread::scope(|scope| {
            scope.spawn(|| follow(&path, &over, &mut |line| shown.push(line.to_owned())));
            let mut file = File::create(&path).unwrap();
            for piece in ["one\ntw", "o\n", "three"] {
                file.write_all(piece.as_bytes()).unwrap();
                std::thread::sleep(PAUSE * 2);
            }
            over.store(true, Ordering::Release);
        });
        assert_eq!(shown, ["one", "two", "three"]);
    }

    #[test]
    fn a_file_that_never_comes_is_not_waited_for_for_ever() {
        let over = AtomicBool::new(true);
        follow(Path::new("/nonexistent/log"), &over, &mut |_| {
            panic!("no line")
        });
    }
}
