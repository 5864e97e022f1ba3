//! nginx with one worker and a small fixed answer.

use crate::error::BenchError;
use std::fs::{self, File};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use tacho_witness::processors::on;

/// For the largest scenario, 10,000, and a few.
const CONNECTIONS: u32 = 12_000;
const START: Duration = Duration::from_secs(10);

/// Runs until it is dropped.
#[derive(Debug)]
pub struct Nginx {
    child: Child,
    address: SocketAddr,
    /// Its files live as long as it does.
    _folder: tempfile::TempDir,
}

impl Nginx {
    /// Starts it on one processor and a free port.
    pub fn start(processor: usize) -> Result<Self, BenchError> {
        let folder = tempfile::tempdir()?;
        // Free now; if someone else takes it in between, nginx says so and does not answer.
        let address = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?.local_addr()?;
        let file = folder.path().join("nginx.conf");
        fs::write(&file, configuration(folder.path(), address))?;
        let log = File::create(folder.path().join("output.log"))?;
        // Ended with us, also when we are killed: `setpriv` asks the kernel for it and then becomes
        // nginx.
        let mut command = Command::new("setpriv");
        command
            .args(["--pdeathsig", "TERM", "nginx", "-e"])
            .arg(folder.path().join("error.log"))
            .arg("-p")
            .arg(folder.path())
            .arg("-c")
            .arg(&file)
            // Debian keeps it where only root looks.
            .env(
                "PATH",
                format!("{}:/usr/sbin", std::env::var("PATH").unwrap_or_default()),
            )
            .stdin(Stdio::null())
            .stdout(log.try_clone()?)
            .stderr(log);
        let child = on(processor, || command.spawn()).map_err(|source| BenchError::Start {
            program: "nginx".to_owned(),
            source,
        })?;
        let nginx = Self {
            child,
            address,
            _folder: folder,
        };
        nginx.wait_until_it_answers()?;
        Ok(nginx)
    }

    /// Of its fixed answer.
    pub fn url(&self) -> String {
        format!("http://{}/", self.address)
    }

    fn wait_until_it_answers(&self) -> Result<(), BenchError> {
        let begin = Instant::now();
        while TcpStream::connect(self.address).is_err() {
            if begin.elapsed() > START {
                return Err(BenchError::Silent(self.address));
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        Ok(())
    }
}

impl Drop for Nginx {
    fn drop(&mut self) {
        // TERM, not KILL: the master ends its worker.
        if let Some(pid) = i32::try_from(self.child.id())
            .ok()
            .and_then(rustix::process::Pid::from_raw)
        {
            let _ = rustix::process::kill_process(pid, rustix::process::Signal::TERM);
        }
        let _ = self.child.wait();
    }
}

fn configuration(folder: &Path, address: SocketAddr) -> String {
    let folder = folder.display();
    let scratch: String = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
        .iter()
        .map(|kind| format!("    {kind}_temp_path {folder}/{kind};\n"))
        .collect();
    format!(
        "worker_processes 1;
worker_rlimit_nofile {CONNECTIONS};
daemon off;
pid {folder}/nginx.pid;
error_log {folder}/error.log;
events {{ worker_connections {CONNECTIONS}; }}
http {{
    access_log off;
    keepalive_requests 1000000000;
    keepalive_timeout 1h;
{scratch}    server {{
        listen {address} backlog=4096;
        location / {{ default_type text/plain; return 200 \"Tacho\\n\"; }}
    }}
}}
"
    )
}
