//! Timers, as waits.

use super::context::Context;
use super::element::Place;
use super::wait::Wait;
use super::xml::Element;
use crate::error::ImportError;
use std::time::Duration;

/// The wait of a timer.
pub(super) fn timer(
    kind: &str,
    element: &Element,
    place: &Place<'_>,
    context: &mut Context<'_>,
) -> Result<Wait, ImportError> {
    let delay = milliseconds(element, "ConstantTimer.delay", place, context)?;
    let range = milliseconds(element, "RandomTimer.range", place, context)?;
    Ok(match kind {
        "ConstantTimer" => Wait::constant(delay),
        "UniformRandomTimer" => Wait {
            least: delay,
            most: delay.saturating_add(range),
        },
        "GaussianRandomTimer" => {
            context.note(
                place,
                "a wait with a normal distribution is drawn evenly, between its mean and twice the deviation on either side",
            );
            Wait {
                least: delay.saturating_sub(range * 2),
                most: delay.saturating_add(range * 2),
            }
        }
        _ => {
            context.note(
                place,
                "a wait with a Poisson distribution becomes a constant one of its mean",
            );
            Wait::constant(delay.saturating_add(range))
        }
    })
}

/// A day is longer than any wait that is meant.
const LONGEST: f64 = 86_400_000.0;

/// A property in milliseconds; 0 when it is missing or not known before the run.
pub(super) fn milliseconds(
    element: &Element,
    name: &str,
    place: &Place<'_>,
    context: &mut Context<'_>,
) -> Result<Duration, ImportError> {
    let Some(text) = element.filled(name) else {
        return Ok(Duration::ZERO);
    };
    match context.number(text, place)? {
        Some(number) if (0.0..=LONGEST).contains(&number) => {
            Ok(Duration::from_secs_f64(number / 1000.0))
        }
        _ => {
            context.note(
                place,
                format!(
                    "`{}` is no number of milliseconds that is known before the run; it is taken as 0",
                    crate::note::shorten(text, 60)
                ),
            );
            Ok(Duration::ZERO)
        }
    }
}
