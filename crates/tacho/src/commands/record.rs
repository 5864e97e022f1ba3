//! `tacho record`.

use crate::arguments::Record;
use crate::exit::Exit;
use crate::signals::stop_on_signals;
use crate::{Done, print};
use std::fmt::Write;
use tacho_figures::count;
use tacho_record::{Earlier, Lost, Recorded, Relay, Tape};

/// Writes down what clients send to a service.
pub fn record(arguments: &Record) -> Done {
    let relay = Relay::bind(arguments.listen, &arguments.service)?;
    let address = relay.address().map_err(crate::error::Error::Output)?;
    let earlier = match arguments.force {
        true => Earlier::Overwritten,
        false => Earlier::Kept,
    };
    let tape = Tape::create(&arguments.output, arguments.times.as_deref(), earlier)?;
    // Catch signals before anybody can know the address.
    let stop = stop_on_signals()?;
    if !arguments.quiet {
        crate::tell!(
            "http://{address} forwards to {}; point clients at it. Press Ctrl-C to see what was recorded",
            arguments.service
        );
    }
    let masking = tacho_masking::current();
    let recorded = relay.run(tape, masking, arguments.requests, stop.flag());
    print(&told(&recorded, arguments))?;
    match recorded.ended {
        Some(error) => Err(error.into()),
        None if recorded.requests == 0 => Ok(Exit::Invalid),
        None => Ok(Exit::Done),
    }
}

fn told(recorded: &Recorded, arguments: &Record) -> String {
    let targets = arguments.output.display();
    let mut text = match recorded.requests {
        0 => "Nothing was recorded: no whole request of HTTP/1 came.\n".to_owned(),
        1 => format!("One request is in {targets}.\n"),
        requests => format!("{} requests are in {targets}.\n", count(requests)),
    };
    for (lost, times) in &recorded.lost {
        let _ = writeln!(
            text,
            "Carried and not recorded: {} {}.",
            count(*times),
            name(*lost)
        );
    }
    if recorded.refused > 0 {
        let _ = writeln!(
            text,
            "{} connections were refused, since {} took none.",
            count(recorded.refused),
            arguments.service
        );
    }
    if recorded.left.is_masked {
        text += "Masked is what has a secret's name in addresses and bodies: put values in before you send it.\n";
    }
    if recorded.requests > 0 {
        let secret = recorded.left.headers.iter();
        let headers: String = secret.map(|name| format!(" -H '{name}: ...'")).collect();
        if !headers.is_empty() {
            let _ = writeln!(
                text,
                "Secret headers are left out: give them when you send it."
            );
        }
        let how = match &arguments.times {
            Some(times) => format!("--replay {}", times.display()),
            None => "--rate 50".to_owned(),
        };
        let _ = writeln!(
            text,
            "\n  tacho load -t {targets} {how}{headers} {}",
            arguments.service
        );
    }
    text
}

/// For a sentence with a number before it.
fn name(lost: Lost) -> &'static str {
    match lost {
        Lost::NotHttp => "connections that are not HTTP/1, or a request of one",
        Lost::Upgraded => "connections that became another protocol (WebSocket, HTTP/2)",
        Lost::NoPath => "requests for no path, or for one that begins with `//`",
        Lost::TooLong => "requests with a body longer than 1 MiB",
    }
}
