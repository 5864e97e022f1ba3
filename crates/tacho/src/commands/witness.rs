//! `tacho witness`.

use crate::arguments::Witness as Arguments;
use crate::error::Error;
use crate::exit::Exit;
use crate::signals::stop_on_signals;
use crate::{Done, output};
use rustix::event::{EventfdFlags, eventfd};
use std::time::{Duration, Instant};
use tacho_figures::{count, number, percent, value};
use tacho_launch::threads;
use tacho_runner::RunError;
use tacho_witness::{Testimony, Times, Witness};

/// Signals are looked for so often.
const LOOK: Duration = Duration::from_millis(50);

/// Serves, and says what a load generator really did.
pub fn witness(arguments: &Arguments) -> Done {
    let witness = Witness::bind(arguments.listen).map_err(|source| Error::Listen {
        address: arguments.listen,
        source,
    })?;
    let address = witness.address().map_err(Error::Witness)?;
    // Catch signals before anybody can know the address.
    let signal = stop_on_signals()?;
    crate::tell!("listening on http://{address}/; press Ctrl-C to see what arrived");
    let stop = eventfd(0, EventfdFlags::CLOEXEC).map_err(|errno| Error::Witness(errno.into()))?;
    let end = arguments.duration.map(|duration| Instant::now() + duration);
    let seen = std::thread::scope(|scope| -> Result<_, Error> {
        let (stop, signal) = (&stop, &signal);
        threads::spawn_in(scope, move || {
            while !signal.is_set() && end.is_none_or(|end| Instant::now() < end) {
                std::thread::sleep(LOOK);
            }
            // Only fails if the counter is already at 2^64 - 1.
            let _ = rustix::io::write(stop, &1u64.to_ne_bytes());
        })
        .map_err(RunError::from)?;
        let seen = witness.serve(stop).map_err(Error::Witness);
        // If the witness ended by itself, let the other thread end, too.
        signal.set();
        seen
    })?;
    let testimony = Testimony::of(seen, arguments.rate);
    output::json_or_summary(
        arguments.json.as_deref(),
        || output::pretty(&testimony),
        || summary(testimony.as_ref(), arguments.rate),
    )?;
    Ok(match testimony {
        Some(_) => Exit::Done,
        None => Exit::Invalid,
    })
}

/// Serves the process that started it, until standard input ends.
pub fn be_witness() -> Done {
    tacho_witness::be_a_process().map_err(Error::Witness)?;
    Ok(Exit::Done)
}

fn summary(testimony: Option<&Testimony>, asked_for: Option<f64>) -> String {
    let Some(seen) = testimony else {
        return "Too few requests arrived to say anything of them.\n".to_owned();
    };
    let schedule = match asked_for {
        Some(rate) => format!("an even schedule of {}", value(rate, "/s")),
        None => "an even schedule of that rate".to_owned(),
    };
    let mut text = format!(
        "{} requests arrived, {}.\nBehind {schedule}: {}; {} within 20 us of the one before.\n",
        count(seen.requests as u64),
        value(seen.rate, "/s"),
        times(&seen.punctuality.behind_us),
        percent(seen.punctuality.in_bursts),
    );
    text += &format!(
        "From a request's arrival until its answer was handed over: {}; until that was done: {}.\n",
        times(&seen.own_time.at_least_us),
        times(&seen.own_time.at_most_us),
    );
    text += &format!(
        "From the schedule's instants until the answer was handed over (what a response time is that \
         leaves out nothing): {}.\n",
        times(&seen.response_time.at_most_us)
    );
    if seen.unstamped > 0 {
        text += &format!(
            "Of {} the kernel gave no stamp: their arrival is when they were read.\n",
            count(seen.unstamped as u64)
        );
    }
    text
}

fn times(of: &Times) -> String {
    let us = |us: f64| format!("{} us", number(us));
    format!(
        "p50 {}, p90 {}, p99 {}, at most {}",
        us(of.p50),
        us(of.p90),
        us(of.p99),
        us(of.max)
    )
}
