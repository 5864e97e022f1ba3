//! One command per connection. The JVM closes it after its answer. If the answer does not come in
//! time, the command is given up.

use crate::answer::{Answer, AnswerError, read_answer};
use rustix::fd::{AsRawFd, OwnedFd};
use rustix::net::sockopt::{Timeout, set_socket_timeout, socket_peercred};
use rustix::net::{AddressFamily, SocketAddrUnix, SocketFlags, SocketType, connect, socket_with};
use std::io::{self, ErrorKind, Read, Write};
use std::os::unix::net::UnixStream;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// Bounds of protocol version 1, NUL included (`AttachOperation::arg_length_max`, `arg_count_max`).
pub const ARGUMENT_BYTES: usize = 1024;
const ARGUMENTS: usize = 3;
/// An answer is text for people or a heap's histogram; nobody needs more.
const LONGEST_ANSWER: usize = 256 << 20;
/// How long a read may last before checking whether the JVM is still alive.
const LOOK: Duration = Duration::from_millis(200);

/// How often to check whether a process that sent an incomplete answer is ending: two seconds in
/// all, longer if the machine has no processor time for it or for us.
const LOOKS_AT_ITS_END: u32 = 100;

/// A socket file, and the process that has to listen there.
#[derive(Debug)]
pub struct Socket {
    /// Opened with `O_PATH`. The name may point elsewhere by now; the descriptor does not.
    pub file: OwnedFd,
    /// The process that has to listen. Any other listener is not asked.
    pub listener: u32,
}

/// Why there is no answer.
#[derive(Debug)]
pub enum Silence {
    /// Nobody listens there.
    NoSocket(io::Error),
    /// The time is over.
    Late,
    /// The process has ended.
    Died,
    /// It is no answer.
    Garbled(AnswerError),
    /// The connection failed.
    Io(io::Error),
}

/// Asks, and waits for the whole answer.
pub fn ask(
    socket: &Socket,
    words: &[&str],
    patience: Duration,
    is_alive: impl Fn() -> bool,
) -> Result<Answer, Silence> {
    let deadline = Instant::now() + patience;
    let mut stream = open(socket, patience).map_err(|e| match e.kind() {
        ErrorKind::WouldBlock | ErrorKind::TimedOut => Silence::Late,
        _ => Silence::NoSocket(e),
    })?;
    // A JVM that rejects the caller closes at once. The read then reports that.
    match stream.write_all(&request(words)) {
        Err(e) if !is_closed(&e) => return Err(Silence::Io(e)),
        _ => {}
    }
    let bytes = read_to_end(&mut stream, deadline, &is_alive)?;
    read_answer(&bytes).map_err(|why| match dies(&is_alive) {
        true => Silence::Died,
        false => Silence::Garbled(why),
    })
}

/// A killed process closes its sockets before it disappears, so wait a little.
fn dies(is_alive: impl Fn() -> bool) -> bool {
    (0..LOOKS_AT_ITS_END).any(|_| {
        let alive = is_alive();
        if alive {
            std::thread::sleep(LOOK / 10);
        }
        !alive
    })
}

/// Whether somebody listens there. Connects without a command.
pub fn can_connect(socket: &Socket, patience: Duration) -> bool {
    open(socket, patience).is_ok()
}

/// Whether it is known that nobody listens there any more.
pub fn is_dead(socket: &Socket) -> bool {
    open(socket, LOOK).is_err_and(|error| error.kind() == ErrorKind::ConnectionRefused)
}

/// The version, the command and always three arguments, each ended by a NUL.
fn request(words: &[&str]) -> Vec<u8> {
    let mut bytes = b"1\0".to_vec();
    for place in 0..=ARGUMENTS {
        bytes.extend_from_slice(words.get(place).unwrap_or(&"").as_bytes());
        bytes.push(0);
    }
    bytes
}

/// A JVM that is stopped does not accept connections, so connecting has a timeout, too
/// (`SO_SNDTIMEO`, unix(7)).
fn open(socket: &Socket, patience: Duration) -> io::Result<UnixStream> {
    let fd = socket_with(
        AddressFamily::UNIX,
        SocketType::STREAM,
        SocketFlags::CLOEXEC,
        None,
    )?;
    set_socket_timeout(&fd, Timeout::Send, Some(patience.max(LOOK)))?;
    let path = PathBuf::from(format!("/proc/self/fd/{}", socket.file.as_raw_fd()));
    connect(&fd, &SocketAddrUnix::new(path)?)?;
    // The kernel knows which process called listen(2) (SO_PEERCRED, unix(7)).
    let listener = socket_peercred(&fd)?.pid.as_raw_pid();
    if u32::try_from(listener) != Ok(socket.listener) {
        return Err(io::Error::other(format!(
            "process {listener} listens there, and not process {}",
            socket.listener
        )));
    }
    let stream = UnixStream::from(fd);
    stream.set_read_timeout(Some(LOOK))?;
    Ok(stream)
}

fn read_to_end(
    stream: &mut UnixStream,
    deadline: Instant,
    is_alive: impl Fn() -> bool,
) -> Result<Vec<u8>, Silence> {
    let mut bytes = Vec::new();
    let mut piece = vec![0; 64 << 10];
    loop {
        match stream.read(&mut piece) {
            Ok(0) => return Ok(bytes),
            Ok(read) if bytes.len() + read > LONGEST_ANSWER => {
                return Err(Silence::Io(io::Error::other("the answer has no end")));
            }
            Ok(read) => bytes.extend_from_slice(&piece[..read]),
            Err(e) if e.kind() == ErrorKind::Interrupted => {}
            Err(e) if e.kind() == ErrorKind::WouldBlock => {
                if !is_alive() {
                    return Err(Silence::Died);
                }
            }
            Err(e) if is_closed(&e) => return Ok(bytes),
            Err(e) => return Err(Silence::Io(e)),
        }
        if Instant::now() > deadline {
            return Err(Silence::Late);
        }
    }
}

fn is_closed(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        ErrorKind::ConnectionReset | ErrorKind::BrokenPipe
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::net::UnixListener;
    use std::path::PathBuf;
    use std::thread::JoinHandle;

    /// A JVM by script: takes one connection, reads a request, does what it is told, and gives the
    /// request.
    struct Fake {
        socket: PathBuf,
        _folder: tempfile::TempDir,
        serving: JoinHandle<Vec<u8>>,
    }

    impl Fake {
        fn that(serve: impl FnOnce(&mut UnixStream) + Send + 'static) -> Self {
            let folder = tempfile::tempdir().unwrap();
            let socket = folder.path().join(".java_pid1");
            let listener = UnixListener::bind(&socket).unwrap();
            let serving = std::thread::spawn(move || {
                let (mut stream, _) = listener.accept().unwrap();
                let mut request = Vec::new();
                let mut byte = [0];
                while request.iter().filter(|b| **b == 0).count() < 5 {
                    if stream.read(&mut byte).unwrap() == 0 {
                        break;
                    }
                    request.push(byte[0]);
                }
                serve(&mut stream);
                request
            });
            Self {
                socket,
                _folder: folder,
                serving,
            }
        }

        fn ask(&self, patience: Duration) -> Result<Answer, Silence> {
            let socket = at(&self.socket).unwrap();
            ask(&socket, &["jcmd", "VM.version"], patience, || true)
        }
    }

    /// A socket that this process has to listen at.
    fn at(path: &std::path::Path) -> io::Result<Socket> {
        let flags = rustix::fs::OFlags::PATH | rustix::fs::OFlags::CLOEXEC;
        Ok(Socket {
            file: rustix::fs::open(path, flags, rustix::fs::Mode::empty())?,
            listener: std::process::id(),
        })
    }

    const LONG: Duration = Duration::from_secs(60);

    #[test]
    fn a_request_is_a_version_a_command_and_three_arguments() {
        let fake = Fake::that(|stream| stream.write_all(b"0\nHotSpot\n").unwrap());
        let answer = fake.ask(LONG).unwrap();
        assert_eq!(answer.text, "HotSpot\n");
        assert_eq!(
            fake.serving.join().unwrap(),
            b"1\0jcmd\0VM.version\0\0\0".to_vec()
        );
    }

    #[test]
    fn an_answer_in_pieces_is_put_together() {
        let fake = Fake::that(|stream| {
            for piece in [&b"0"[..], b"\nfir", b"st\nsecond\n"] {
                stream.write_all(piece).unwrap();
                std::thread::sleep(Duration::from_millis(30));
            }
        });
        assert_eq!(fake.ask(LONG).unwrap().text, "first\nsecond\n");
    }

    #[test]
    fn a_jvm_that_does_not_answer_is_given_up() {
        let (done, wait) = std::sync::mpsc::channel::<()>();
        let fake = Fake::that(move |_| {
            let _ = wait.recv();
        });
        let silence = fake.ask(Duration::from_millis(300)).unwrap_err();
        assert!(matches!(silence, Silence::Late), "{silence:?}");
        drop(done);
    }

    #[test]
    fn a_jvm_that_dies_meanwhile_is_told_from_one_that_is_slow() {
        let (done, wait) = std::sync::mpsc::channel::<()>();
        let fake = Fake::that(move |_| {
            let _ = wait.recv();
        });
        let socket = at(&fake.socket).unwrap();
        let silence = ask(&socket, &["jcmd"], LONG, || false).unwrap_err();
        assert!(matches!(silence, Silence::Died), "{silence:?}");
        drop(done);
    }

    #[test]
    fn closing_without_an_answer_is_no_answer() {
        let fake = Fake::that(|_| {});
        let silence = fake.ask(LONG).unwrap_err();
        assert!(
            matches!(silence, Silence::Garbled(AnswerError::Empty)),
            "{silence:?}"
        );
    }

    #[test]
    fn a_socket_that_nobody_listens_at_is_told() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("left");
        drop(UnixListener::bind(&path).unwrap());
        for path in [path, "/etc/passwd".into()] {
            let silence = ask(&at(&path).unwrap(), &["jcmd"], LONG, || true).unwrap_err();
            assert!(matches!(silence, Silence::NoSocket(_)), "{silence:?}");
        }
    }

    #[test]
    fn another_process_that_listens_there_is_not_asked() {
        let (done, wait) = std::sync::mpsc::channel::<()>();
        let fake = Fake::that(move |_| {
            let _ = wait.recv();
        });
        let socket = Socket {
            listener: 1,
            ..at(&fake.socket).unwrap()
        };
        let silence = ask(&socket, &["jcmd"], LONG, || true).unwrap_err();
        assert!(
            matches!(&silence, Silence::NoSocket(e) if e.to_string().contains("not process 1")),
            "{silence:?}"
        );
        drop(done);
    }
}
