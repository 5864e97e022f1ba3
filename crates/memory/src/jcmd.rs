//! Asking a JVM through its own `jcmd`.

use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// A JVM that stands still does not answer.
const PATIENCE: Duration = Duration::from_secs(30);

/// Finds the `jcmd` of the JDK that the process runs on, or one on the `PATH`.
pub fn tool(pid: u32) -> PathBuf {
    let beside = tacho_observe::process::exe(pid)
        .ok()
        .and_then(|exe| Some(exe.parent()?.join("jcmd")))
        .filter(|path| path.exists());
    beside.unwrap_or_else(|| Path::new("jcmd").to_owned())
}

/// What the JVM answers; an error is a sentence.
pub fn ask(tool: &Path, pid: u32, question: &[&str]) -> Result<String, String> {
    let asked = || format!("`{} {pid} {}`", tool.display(), question.join(" "));
    let mut child = Command::new(tool)
        .arg(pid.to_string())
        .args(question)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .map_err(|e| {
            format!(
                "{} cannot be run ({e}): a JDK brings it, a JRE does not",
                tool.display()
            )
        })?;
    // Read beside the waiting: a report is longer than a pipe.
    let mut stdout = child.stdout.take();
    let reader = std::thread::spawn(move || {
        let mut text = Vec::new();
        if let Some(stdout) = &mut stdout {
            let _ = stdout.read_to_end(&mut text);
        }
        String::from_utf8_lossy(&text).into_owned()
    });
    let start = Instant::now();
    loop {
        match child.try_wait() {
            Ok(Some(_)) => break,
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
    }
    reader
        .join()
        .map_err(|_| format!("{} could not be read", asked()))
}

/// The last line of a class histogram: `Total         12345       1234567`.
pub fn live_bytes(histogram: &str) -> Option<u64> {
    let line = histogram
        .lines()
        .rev()
        .find(|l| l.trim_start().starts_with("Total"))?;
    line.split_whitespace().nth(2)?.parse().ok()
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
    fn the_live_set_is_the_last_line() {
        let text = "26872:\n num     #instances         #bytes  class name\n   1:  100  5000  [B\nTotal           100           5000\n";
        assert_eq!(live_bytes(text), Some(5000));
        assert_eq!(live_bytes("Total\n"), None);
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
