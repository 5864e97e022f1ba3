//! Metaspace that grows: classes are made or loaded again and again and never unloaded.

use super::growth::unending;
use super::trend::{FEWEST_POINTS, trend};
use super::{Outcome, Point};
use crate::words;

/// Its name.
pub const NAME: &str = "metaspace-growth";

/// Less is no matter.
const LEAST_BYTES: f64 = 2.0 * 1_048_576.0;
/// A shorter look sees start-up.
const SHORTEST_S: f64 = 30.0;

/// Looks for it.
#[must_use]
pub fn look(points: &[Point]) -> Outcome {
    let duration = match (points.first(), points.last()) {
        (Some(first), Some(last)) => last.at_s - first.at_s,
        _ => 0.0,
    };
    let Some(trend) = trend(points).filter(|_| duration >= SHORTEST_S) else {
        return Outcome::NotEnoughData(format!(
            "{} values over {}; at least {FEWEST_POINTS} over {} are needed",
            points.len(),
            words::duration_ms(duration * 1e3),
            words::duration_ms(SHORTEST_S * 1e3)
        ));
    };
    let Some(mut finding) = unending(&trend, points.to_vec(), LEAST_BYTES) else {
        return Outcome::Absent;
    };
    finding.pattern = NAME;
    finding.summary = format!(
        "metaspace grows by {} an hour ({} to {}), from {} to {}, and does not come to its end",
        words::bytes(trend.slope * 3600.0),
        words::bytes(trend.interval.0 * 3600.0),
        words::bytes(trend.interval.1 * 3600.0),
        words::bytes(trend.begin),
        words::bytes(trend.end),
    );
    finding.advice = "classes are loaded again and again: look for proxies, lambdas or class loaders that are made for each request (`jcmd PID VM.classloader_stats`, `jcmd PID VM.metaspace`)".to_owned();
    Outcome::Found(finding)
}

#[cfg(test)]
mod tests {
    use super::super::synthetic::{MIB, noise};
    use super::*;

    fn series(value: impl Fn(f64) -> f64) -> Vec<Point> {
        let noise = noise(300, 0.8, 3);
        (0..300)
            .map(|i| Point::new(i as f64, (value(i as f64) + 0.3 * noise[i]) * MIB))
            .collect()
    }

    #[test]
    fn a_planted_leak_of_classes_is_found_and_start_up_is_not() {
        let outcome = look(&series(|t| 80.0 + 0.1 * t));
        let slope = outcome.found().unwrap().figures[0].value / MIB;
        assert!((0.095..0.105).contains(&slope), "{slope}");
        let warming = series(|t| 80.0 - 60.0 * (-t / 25.0).exp());
        assert_eq!(look(&warming), Outcome::Absent);
        assert_eq!(look(&series(|_| 80.0)), Outcome::Absent);
        assert!(matches!(look(&warming[..20]), Outcome::NotEnoughData(_)));
    }
}
