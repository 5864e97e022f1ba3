//! A sidecar starts beside its service, not behind it: first somebody has to be there.

use std::io::ErrorKind;
use std::net::{TcpStream, ToSocketAddrs};
use std::os::unix::net::UnixStream;
use std::time::{Duration, Instant};
use tacho_load::{Address, Endpoint};
use tacho_runner::Stop;

/// Between two looks.
const PAUSE: Duration = Duration::from_millis(50);
/// For one connection: an address that swallows everything must not keep a signal waiting.
const ATTEMPT: Duration = Duration::from_secs(1);
/// Who waits longer is told for what.
const SILENT: Duration = Duration::from_secs(2);

/// Waits until somebody accepts a connection; the last reason why not, when nobody did in time.
pub fn wait(
    endpoint: &Endpoint,
    patience: Duration,
    quiet: bool,
    stop: &Stop,
) -> Result<(), String> {
    let began = Instant::now();
    let mut is_told = quiet;
    loop {
        let left = patience.saturating_sub(began.elapsed());
        match connect(&endpoint.address, left.clamp(PAUSE, ATTEMPT)) {
            Ok(()) => return Ok(()),
            Err(why) if left.is_zero() || stop.is_set() => {
                return Err(format!(
                    "nobody accepted a connection at {} within {} s: {why}",
                    endpoint.authority,
                    patience.as_secs_f64()
                ));
            }
            Err(why) => {
                if !is_told && began.elapsed() >= SILENT {
                    is_told = true;
                    anstream::eprintln!("waiting for {} ({why})", endpoint.authority);
                }
                stop.sleep(PAUSE.min(left))
            }
        };
    }
}

fn connect(address: &Address, patience: Duration) -> std::io::Result<()> {
    match address {
        Address::Ip(address) => TcpStream::connect_timeout(address, patience).map(drop),
        Address::Name { host, port } => {
            let mut result = Err(ErrorKind::NotFound.into());
            for address in (host.as_str(), *port).to_socket_addrs()? {
                result = TcpStream::connect_timeout(&address, patience).map(drop);
                if result.is_ok() {
                    break;
                }
            }
            result
        }
        Address::Unix(path) => UnixStream::connect(path).map(drop),
    }
}
