//! Both sides of a duet, lived on two threads that each stay on their half of the machine.

use super::meeting::{Gone, Meeting, Side};
use crate::error::RunError;
use crate::event::{Event, Listener};
use crate::launching::{Bench, Launch};
use crate::stop::Stop;
use tacho_launch::threads;
use tacho_observe::processors;
use tacho_run_folder::{Duet, DuetWindows, LaunchOutcome, LaunchRecord};

/// One launch of two.
#[derive(Debug, Clone, Copy)]
pub struct Seat<'a> {
    /// Which of them.
    pub side: Side,
    /// Processors that it has for itself.
    pub processors: &'a [u32],
    /// Number of the other launch.
    pub beside: u32,
    /// What both are loaded with to show that neither starves the other.
    pub windows: Option<&'a DuetWindows>,
    meeting: &'a Meeting,
}

impl Seat<'_> {
    /// Waits for the other side.
    pub fn meet(&self, stop: &Stop) -> Result<(), LaunchOutcome> {
        let met = self.meeting.come(self.side, stop);
        met.map_err(|Gone| LaunchOutcome::Invalid {
            reason: format!(
                "launch {}, beside which it ran, did not come to its end: without it there is nothing to compare",
                self.beside
            ),
        })
    }

    /// The other side need not wait any more.
    pub fn leave(&self) {
        self.meeting.go(self.side);
    }
}

/// Lives two launches at the same time, and leaves their records in the order of the launches.
pub fn both(
    bench: &Bench<'_>,
    launches: [Launch<'_>; 2],
    duet: &Duet,
    listener: &mut dyn Listener,
) -> Result<[LaunchRecord; 2], RunError> {
    let meeting = Meeting::default();
    let numbers = [1, 0].map(|other: usize| launches[other].planned.number);
    let seat = |side: Side| Seat {
        side,
        processors: &duet.halves[side as usize],
        beside: numbers[side as usize],
        windows: duet.windows.as_ref(),
        meeting: &meeting,
    };
    let seats = Side::BOTH.map(seat);
    let live = |launch: Launch<'_>, seat: &Seat<'_>, listener: &mut dyn Listener| {
        let _leaves = Leaves(*seat);
        let launch = Launch {
            seat: Some(seat),
            ..launch
        };
        processors::on(seat.processors, || bench.launch(&launch, listener))
            .map_err(RunError::Processors)?
    };
    let [first, second] = launches;
    let mut notes = Notes::default();
    let (first, second) = std::thread::scope(|scope| {
        let second = threads::spawn_in(scope, || live(second, &seats[1], &mut notes));
        if second.is_err() {
            seats[1].leave();
        }
        let first = live(first, &seats[0], listener);
        let second = second.and_then(threads::join);
        (first, second)
    });
    for text in &notes.0 {
        listener.event(Event::Note { text });
    }
    Ok([first?, second??])
}

/// Whatever happens on the way, the other side does not wait forever.
struct Leaves<'a>(Seat<'a>);

impl Drop for Leaves<'_> {
    fn drop(&mut self) {
        self.0.leave();
    }
}

/// Progress is shown of one side; what the other has to say comes afterwards.
#[derive(Default)]
struct Notes(Vec<String>);

impl Listener for Notes {
    fn event(&mut self, event: Event<'_>) {
        if let Event::Note { text } = event {
            self.0.push(text.to_owned());
        }
    }
}
