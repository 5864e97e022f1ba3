//! A JVM service that others depend on: whatever happens to Tacho, it goes on as before.

use crate::house::{House, hostile_subject, until};
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;

/// Answers on a port of its own choice, and calls `work` without end.
const SOURCE: &str = r#"
package com.acme;

import com.sun.net.httpserver.HttpServer;
import java.net.InetSocketAddress;

public class Shop {
    static Object kept;

    public static void main(String[] arguments) throws Exception {
        HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 100);
        server.createContext("/", exchange -> {
            byte[] answer = work("tea").getBytes();
            exchange.sendResponseHeaders(200, answer.length);
            exchange.getResponseBody().write(answer);
            exchange.close();
        });
        server.start();
        System.out.println("port " + server.getAddress().getPort());
        while (Boolean.getBoolean("works")) {
            kept = work("coffee");
            Thread.sleep(5);
        }
    }

    static String work(String what) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < 200; i++) {
            text.append(what.length() * i);
        }
        return text.toString();
    }
}
"#;

/// Built once, below the target folder.
pub fn jar() -> &'static Path {
    static JAR: OnceLock<PathBuf> = OnceLock::new();
    JAR.get_or_init(|| {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("faults-service");
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join("Shop.java"), SOURCE).unwrap();
        let tool = |name: &str, arguments: &str| {
            let mut command = tacho_test_jdks::newest().tool(name);
            command.current_dir(&folder).args(arguments.split(' '));
            assert!(command.status().unwrap().success());
        };
        tool("javac", "--release 17 -g -d classes Shop.java");
        tool(
            "jar",
            "--create --file shop.jar --main-class com.acme.Shop -C classes .",
        );
        folder.join("shop.jar")
    })
}

/// "Soon after its reader is gone".
const RECORDINGS_END: std::time::Duration = std::time::Duration::from_secs(60);

/// It runs, with what it printed in a file.
pub struct Service {
    child: Child,
    port: u16,
    log: tempfile::NamedTempFile,
}

impl Service {
    /// With compiler threads that neither come nor go, so that threads can be counted.
    pub fn start() -> Self {
        Self::start_on(
            tacho_test_jdks::newest(),
            &["-XX:-UseDynamicNumberOfCompilerThreads", "-Dworks=true"],
        )
    }

    /// It does nothing until it is asked.
    pub fn fresh(jdk: &tacho_test_jdks::Jdk) -> Self {
        Self::start_on(jdk, &[])
    }

    fn start_on(jdk: &tacho_test_jdks::Jdk, flags: &[&str]) -> Self {
        let log = tempfile::NamedTempFile::new().unwrap();
        let mut child = Command::new(jdk.path("java"))
            .args(flags)
            .args(["-XX:+UseSerialGC", "-Xmx128m", "-jar"])
            .arg(jar())
            .stdout(Stdio::piped())
            .stderr(log.reopen().unwrap())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let line = lines.next().unwrap().unwrap();
        let port = line.strip_prefix("port ").unwrap().parse().unwrap();
        std::thread::spawn(move || lines.for_each(drop));
        Self { child, port, log }
    }

    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    pub fn jcmd(&self, command: &str) -> String {
        let jvm = tacho_attach::Jvm::attach(self.pid()).unwrap();
        jvm.jcmd(command).unwrap()
    }

    fn is_looked_into(&self) -> bool {
        self.jcmd("Thread.print").contains("\"tacho")
    }

    pub fn is_recorded(&self) -> bool {
        let recordings = self.jcmd("JFR.check").to_lowercase();
        recordings.contains("tacho") && recordings.contains("running")
    }

    pub fn answers(&self) -> bool {
        let ask = || -> std::io::Result<String> {
            let mut stream = TcpStream::connect(("127.0.0.1", self.port))?;
            stream.write_all(b"GET / HTTP/1.1\r\nHost: here\r\nConnection: close\r\n\r\n")?;
            let mut answer = String::new();
            stream.read_to_string(&mut answer)?;
            Ok(answer)
        };
        ask().is_ok_and(|answer| answer.starts_with("HTTP/1.1 200"))
    }

    /// No thread and no recording of ours, its requests answered, and nothing written into its log.
    #[track_caller]
    pub fn is_as_it_was(&self) {
        until("the agent has gone", || !self.is_looked_into());
        assert!(self.answers(), "it answers no more");
        // Neither running nor stopped and kept. What ends by itself has a minute for it.
        let recordings = || self.jcmd("JFR.check").to_lowercase();
        let begin = std::time::Instant::now();
        while recordings().contains("tacho") && begin.elapsed() < RECORDINGS_END {
            std::thread::sleep(std::time::Duration::from_millis(500));
        }
        let check = recordings();
        assert!(!check.contains("tacho"), "a recording is left: {check}");
        let log = fs::read_to_string(self.log.path()).unwrap();
        let quiet = log
            .lines()
            // What JDKs say of every agent that is loaded into a running JVM (JEP 451), and what
            // they say of `sun.misc.Unsafe`.
            .filter(|line| !line.starts_with("WARNING: "))
            .collect::<Vec<_>>();
        assert!(quiet.is_empty(), "its log has {quiet:#?}");
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The hostile subject that answers well, as a server of the test's own.
pub struct Server(Child, pub u16);

impl Server {
    pub fn start(house: &mut House, life: &str) -> Self {
        // Not a port of the house: this one may stay taken.
        let port = crate::support::port();
        let child = Command::new(hostile_subject())
            .arg(port.to_string())
            .args(life.split(' '))
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        house.welcome(child.id());
        until("the server listens", || {
            TcpStream::connect(("127.0.0.1", port)).is_ok()
        });
        Self(child, port)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}
