//! A process whose life is scripted line by line through its standard input. It answers each line
//! with `done` once it has done what the line says:
//!
//! ```text
//! allocate 64    holds 64 MiB more, every page touched
//! pieces 16      holds 16 MiB more in pieces of 1 KiB, which libc takes from its own heap
//! cache 32       writes a file of 32 MiB: page cache, and no memory of its own
//! release        gives all of it back
//! threads 5      has 5 threads more
//! burn 0.5       uses 0.5 s of processor time
//! child          starts a child like itself, which holds nothing and waits
//! reap 0.3       starts a child that burns 0.3 s, and waits for its end
//! ```

use rustix::time::{ClockId, clock_gettime};
use std::io::{self, BufRead, BufReader, Write};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

#[derive(Default)]
struct Life {
    memory: Vec<Vec<u8>>,
    children: Vec<Child>,
    files: Vec<std::fs::File>,
}

impl Life {
    fn step(&mut self, line: &str) -> io::Result<()> {
        let (verb, number) = line.split_once(' ').unwrap_or((line, "0"));
        let number: f64 = number.parse().map_err(io::Error::other)?;
        match verb {
            // Not zero: the allocator would leave zeroed pages untouched.
            "allocate" => self.memory.push(vec![1; number as usize * 1024 * 1024]),
            "pieces" => {
                let pieces = number as usize * 1024;
                self.memory.extend((0..pieces).map(|_| vec![1; 1024]));
            }
            "cache" => {
                let path = std::env::temp_dir().join(format!("fake-{}", std::process::id()));
                let mut file = std::fs::File::create(&path)?;
                // Without a name, so that nothing is left of it when this life ends.
                std::fs::remove_file(&path)?;
                let piece = vec![1; 1024 * 1024];
                for _ in 0..number as usize {
                    file.write_all(&piece)?;
                }
                file.sync_all()?;
                self.files.push(file);
            }
            "release" => self.memory.clear(),
            "threads" => {
                for _ in 0..number as usize {
                    std::thread::spawn(|| std::thread::sleep(Duration::from_secs(3600)));
                }
            }
            "burn" => burn(number),
            "child" => {
                let mut child = like_me(&[], Stdio::piped())?;
                is_up(&mut child)?;
                self.children.push(child);
            }
            "reap" => {
                let mut child = like_me(&["burn", &number.to_string()], Stdio::null())?;
                child.wait()?;
            }
            other => return Err(io::Error::other(format!("unknown: {other}"))),
        }
        Ok(())
    }
}

fn like_me(arguments: &[&str], output: Stdio) -> io::Result<Child> {
    Command::new(std::env::current_exe()?)
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(output)
        .spawn()
}

/// Waits until it has done a step: before, it has no page yet that others have as well.
fn is_up(child: &mut Child) -> io::Result<()> {
    let (Some(to), Some(from)) = (&mut child.stdin, &mut child.stdout) else {
        return Err(io::ErrorKind::BrokenPipe.into());
    };
    writeln!(to, "burn 0")?;
    let mut answer = String::new();
    BufReader::new(from).read_line(&mut answer)?;
    match answer.as_str() {
        "done\n" => Ok(()),
        other => Err(io::Error::other(format!("it says: {other}"))),
    }
}

fn burn(seconds: f64) {
    let used = || {
        let time = clock_gettime(ClockId::ThreadCPUTime);
        time.tv_sec as f64 + time.tv_nsec as f64 / 1e9
    };
    let start = used();
    while used() - start < seconds {}
}

fn main() -> io::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if !arguments.is_empty() {
        return Life::default().step(&arguments.join(" "));
    }
    let mut life = Life::default();
    for line in io::stdin().lock().lines() {
        life.step(&line?)?;
        println!("done");
        io::stdout().flush()?;
    }
    // The end of the input is the end of this life, and of the children's, whose input ends too.
    Ok(())
}
