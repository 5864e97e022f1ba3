//! Timers, as waits.

use super::context::Context;
use super::wait::Wait;
use super::xml::Element;
use crate::error::ImportError;
use std::time::Duration;

/// The wait of a timer.
pub(super) fn timer(
    kind: &str,
    element: &Element,
    context: &mut Context<'_>,
) -> Result<Wait, ImportError> {
    let delay = Unit::Milliseconds.of(element, "ConstantTimer.delay", context)?;
    let range = Unit::Milliseconds.of(element, "RandomTimer.range", context)?;
    Ok(match kind {
        "ConstantTimer" => Wait::constant(delay),
        "UniformRandomTimer" => Wait {
            least: delay,
            most: delay.saturating_add(range),
        },
        "GaussianRandomTimer" => {
            context.note(
                "a wait with a normal distribution is drawn evenly, between its mean and twice the deviation on either side",
            );
            Wait {
                least: delay.saturating_sub(range * 2),
                most: delay.saturating_add(range * 2),
            }
        }
        _ => {
            context.note("a wait with a Poisson distribution becomes a constant one of its mean");
            Wait::constant(delay.saturating_add(range))
        }
    })
}

/// What a property is a number of.
#[derive(Clone, Copy)]
pub(super) enum Unit {
    Milliseconds,
    Seconds,
}

impl Unit {
    /// Its name, how many are a second, and the most that can be meant: a day is longer than any
    /// wait, a year than any phase.
    fn facts(self) -> (&'static str, f64, f64) {
        match self {
            Self::Milliseconds => ("milliseconds", 1000.0, 86_400_000.0),
            Self::Seconds => ("seconds", 1.0, 366.0 * 86_400.0),
        }
    }

    /// A property that is a time; 0 when it is missing or not known before the run.
    pub(super) fn of(
        self,
        element: &Element,
        name: &str,
        context: &mut Context<'_>,
    ) -> Result<Duration, ImportError> {
        let Some(text) = element.filled(name) else {
            return Ok(Duration::ZERO);
        };
        let (units, a_second, longest) = self.facts();
        match context.number(text)? {
            Some(number) if (0.0..=longest).contains(&number) => {
                Ok(Duration::from_secs_f64(number / a_second))
            }
            _ => {
                let found = crate::note::shorten(text, 60);
                let problem =
                    format!("`{found}` is no number of {units} that is known before the run");
                context.note(format!("{problem}; it is taken as 0"));
                Ok(Duration::ZERO)
            }
        }
    }
}
