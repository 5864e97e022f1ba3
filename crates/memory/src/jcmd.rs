//! Asking a JVM through its own `jcmd`.

use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// A JVM that stands still does not answer.
const PATIENCE: Duration = Duration::from_secs(30);

/// Finds the `jcmd` of the JDK that the process runs on, else that of the folder `other`, else one on the `PATH`.
pub fn tool(pid: u32, other: Option<&Path>) -> PathBuf {
    let exe = tacho_observe::process::exe(pid).ok();
    let beside = exe.as_deref().and_then(Path::parent);
    [beside, other]
        .into_iter()
        .flatten()
        .map(|folder| folder.join("jcmd"))
        .find(|path| path.exists())
        .unwrap_or_else(|| Path::new("jcmd").to_owned())
}

/// What the JVM answers; an error is a sentence.
pub fn ask(tool: &Path, pid: u32, question: &[&str]) -> Result<String, String> {
    let asked = || format!("`{} {pid} {}`", tool.display(), question.join(" "));
    let mut child = Command::new(tool)
        .arg(pid.to_string())
        .args(question)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|e| {
            format!(
                "{} cannot be run ({e}): a JDK brings it, a JRE does not",
                tool.display()
            )
        })?;
    // Read beside the waiting: a report is longer than a pipe.
    let stdout = collect(child.stdout.take());
    let stderr = collect(child.stderr.take());
    let start = Instant::now();
    let status = loop {
        match child.try_wait() {
            Ok(Some(status)) => break status,
            Ok(None) if start.elapsed() < PATIENCE => std::thread::sleep(Duration::from_millis(10)),
            _ => {
                let _ = child.kill();
                let _ = child.wait();
                return Err(format!(
                    "{} did not end within {} s: is the JVM stopped, or of another user?",
                    asked(),
                    PATIENCE.as_secs()
                ));
            }
        }
    };
    let unreadable = |_| format!("{} could not be read", asked());
    let text = stdout.join().map_err(unreadable)?;
    let complaint = stderr.join().map_err(unreadable)?;
    if status.success() {
        return Ok(text);
    }
    let said = [&complaint, &text].into_iter().find_map(|t| reason(t));
    Err(format!(
        "{} failed: {}",
        asked(),
        said.unwrap_or("it does not say why")
    ))
}

fn collect(stream: Option<impl Read + Send + 'static>) -> JoinHandle<String> {
    std::thread::spawn(move || {
        let mut text = Vec::new();
        if let Some(mut stream) = stream {
            let _ = stream.read_to_end(&mut text);
        }
        String::from_utf8_lossy(&text).into_owned()
    })
}

/// The line of an answer that says why there is none; the first one of `jcmd` is the process number alone.
fn reason(text: &str) -> Option<&str> {
    text.lines()
        .map(str::trim)
        .find(|line| line.contains(|c: char| c.is_alphabetic()))
}

/// Where the heap lies, from `GC.heap_info`: the lowest and the highest of all ranges. ZGC prints none, and needs none.
pub fn heap_range(info: &str) -> Option<std::ops::Range<u64>> {
    let mut ends: Option<(u64, u64)> = None;
    let heap = info.split("Metaspace").next().unwrap_or(info);
    for piece in heap.split('[').skip(1) {
        let inside = piece.split([')', ']']).next().unwrap_or_default();
        let addresses: Vec<u64> = inside
            .split(',')
            .filter_map(|word| u64::from_str_radix(word.trim().strip_prefix("0x")?, 16).ok())
            .collect();
        if let (Some(first), Some(last)) = (addresses.first(), addresses.last()) {
            let (low, high) = ends.unwrap_or((*first, *last));
            ends = Some((low.min(*first), high.max(*last)));
        }
    }
    ends.filter(|(low, high)| low < high)
        .map(|(low, high)| low..high)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_question_that_fails_says_why_in_the_tools_own_words() {
        let folder = tempfile::tempdir().unwrap();
        let fake = folder.path().join("jcmd");
        std::fs::write(
            &fake,
            "#!/bin/sh\necho 4711:\necho 'java.lang.IllegalArgumentException: Unknown diagnostic command'\nexit 1\n",
        )
        .unwrap();
        use std::os::unix::fs::PermissionsExt;
        std::fs::set_permissions(&fake, std::fs::Permissions::from_mode(0o755)).unwrap();
        let why = ask(&fake, 4711, &["VM.what"]).unwrap_err();
        assert!(
            why.contains("jcmd 4711 VM.what` failed: java.lang.Ill"),
            "{why}"
        );
        let none = ask(&folder.path().join("none"), 4711, &["VM.what"]).unwrap_err();
        assert!(none.contains("a JDK brings it, a JRE does not"), "{none}");
    }

    #[test]
    fn the_heap_lies_between_the_lowest_and_the_highest_address() {
        let serial = " def new generation   total 78656K, used 2784K [0x00000000f0000000, 0x00000000f5550000, 0x00000000f5550000)\n  eden space 69952K,   3% used [0x00000000f0000000, 0x00000000f02b8338, 0x00000000f4450000)\n tenured generation   total 174784K, used 6702K [0x00000000f5550000, 0x0000000100000000, 0x0000000100000000)\n Metaspace       used 141K [0x1, 0x2)\n";
        assert_eq!(heap_range(serial), Some(0xf000_0000..0x1_0000_0000));
        assert_eq!(
            heap_range(" ZHeap           used 10M, capacity 256M\n"),
            None
        );
        assert_eq!(heap_range("[0xzz, [0x5)"), None);
    }
}
