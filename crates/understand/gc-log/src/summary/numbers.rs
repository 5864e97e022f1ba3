//! Numbers of collections: in one JVM they rise.

use crate::event::{Event, PauseKind, What};

/// A collection may be told after the next one, when that is nested in it; no later.
const NESTED: u64 = 1;

/// The number of the last collection of a kind whose numbers rise.
#[derive(Debug, Default)]
pub struct Numbers {
    last: Option<u64>,
}

impl Numbers {
    /// Those of another JVM, whose first event this is.
    pub fn begin(event: &Event<'_>) -> Self {
        Self {
            last: rising(event),
        }
    }

    /// Whether the number of an event is lower than it can be in one JVM.
    pub fn fall(&mut self, event: &Event<'_>) -> bool {
        let Some(number) = rising(event) else {
            return false;
        };
        let falls = self
            .last
            .is_some_and(|last| number.saturating_add(NESTED) < last);
        self.last = Some(number);
        falls
    }
}

/// The number, where it is of a kind whose numbers rise: pauses that are collections by themselves,
/// and cycles that do not run beside others of their kind.
fn rising(event: &Event<'_>) -> Option<u64> {
    let rises = match event.what {
        What::Pause(pause) => !matches!(pause.kind, PauseKind::Step | PauseKind::Degenerated),
        What::Cycle(cycle) => matches!(cycle.name, "Garbage Collection" | "Minor Collection"),
        _ => false,
    };
    event.collection.filter(|_| rises)
}

#[cfg(test)]
mod tests {
    use super::Numbers;
    use crate::line::Line;

    fn falls(lines: &[&str]) -> usize {
        let mut numbers = Numbers::default();
        lines
            .iter()
            .filter(|line| match Line::read(line.as_bytes()) {
                Line::Event(event) => numbers.fall(&event),
                other => panic!("{line}: {other:?}"),
            })
            .count()
    }

    #[test]
    fn a_step_of_a_long_cycle_is_no_fall() {
        let one = "GC(7) Pause Young (Normal) (G1 Evacuation Pause) 9M->1M(64M) 1.000ms";
        let step = "GC(3) Pause Remark 9M->9M(64M) 1.000ms";
        let again = "GC(0) Pause Young (Normal) (G1 Evacuation Pause) 9M->1M(64M) 1.000ms";
        assert_eq!(falls(&[one, step]), 0);
        assert_eq!(falls(&[one, step, again]), 1);
        let largest =
            "GC(18446744073709551615) Pause Young (Normal) (G1 Evacuation Pause) 9M->1M(64M) 1.0ms";
        assert_eq!(falls(&[largest, largest, one]), 1);
    }
}
