//! The changes, one after another, each with its window.

use super::arguments::Rollout;
use crate::load::requests::Asked;
use tacho_cluster::{NotRolled, Rolling, Step};
use tacho_load::{Counters, monotonic_ns};
use tacho_rollout::{Lags, Request, Told, Window, lags, lives};
use tacho_rollout_report::pre_stop_s;

/// Changes that were carried out.
#[derive(Default)]
pub(super) struct CarriedOut {
    pub(super) windows: Vec<Window>,
    /// The preStop that was tried, in seconds.
    pub(super) pre_stop_s: Option<u32>,
    /// Why the changes were not completed.
    pub(super) ended: Option<NotRolled>,
}

impl CarriedOut {
    pub(super) fn ended_by(self, why: NotRolled) -> Self {
        Self {
            ended: Some(why),
            ..self
        }
    }

    /// Adds a window whose end was not seen.
    fn cut_short(mut self, what: &str, from_ns: u64, why: NotRolled) -> Self {
        self.windows.push(Window {
            name: format!("{what}, cut short"),
            from_ns,
            to_ns: monotonic_ns(),
            is_change: true,
        });
        self.ended_by(why)
    }
}

/// Carries out the changes, repeated as `--times` says. If one fails, the windows completed before
/// it are kept.
pub(super) fn changes(
    arguments: &Rollout,
    rolling: &mut Rolling,
    is_over: impl Fn() -> Option<NotRolled>,
    counters: impl Fn() -> Counters,
    asked: &Asked,
) -> CarriedOut {
    let say = |what: &str| {
        if !arguments.quiet {
            crate::tell!("{what}");
        }
    };
    say("Before anything is changed ...");
    let mut done = CarriedOut::default();
    let warmed = rolling.warm_up(arguments.users.warm_up);
    match warmed.and_then(|()| rolling.before()) {
        Ok(window) => done.windows.push(window),
        Err(error) => return done.ended_by(error),
    }
    // If the Deployment does not serve its users, changes tell nothing.
    let Counters {
        intended,
        answered,
        failed,
        ..
    } = counters();
    // If connections wait for an answer that never comes, no request has failed yet.
    if answered == 0 {
        let url = asked.url();
        return done.ended_by(match arguments.users.from_cluster {
            true => NotRolled::UnreachedByAPod { url },
            false => NotRolled::Unreached { url },
        });
    }
    if failed > 0 && failed >= answered {
        let failing = NotRolled::Failing {
            failed,
            requests: intended,
            url: asked.url(),
        };
        return done.ended_by(failing);
    }
    for number in 1..=arguments.changed.times {
        for step in &arguments.changed.changes {
            if let Some(why) = is_over() {
                return done.ended_by(why);
            }
            say(&doing(*step, number, arguments.changed.times));
            let from_ns = monotonic_ns();
            match rolling.carry_out(*step, number) {
                Ok(carried_out) => done.windows.extend(carried_out),
                Err(error) if error.is_refusal() => return done.ended_by(error),
                Err(error) => return done.cut_short(&step.to_string(), from_ns, error),
            }
        }
    }
    let Some(wanted) = arguments.changed.try_pre_stop else {
        return done;
    };
    if let Some(why) = is_over() {
        return done.ended_by(why);
    }
    // The lags from requests are only known after all requests have ended, so none are passed here.
    let lags = || lags_of(rolling.told(), &[], &done.windows);
    let there_s = rolling.pre_stop_s();
    let Some(seconds) = wanted.or_else(|| to_try(&lags(), there_s)) else {
        return done;
    };
    say(&format!("The same with a preStop of {seconds} s ..."));
    let from_ns = monotonic_ns();
    match rolling.with_pre_stop(seconds, arguments.changed.times) {
        Ok(carried_out) => {
            done.windows.extend(carried_out);
            done.pre_stop_s = Some(seconds);
            done
        }
        Err(error) => done.cut_short("preStop", from_ns, error),
    }
}

/// The preStop to try where nobody says which: as long as endpoints and proxies need. `None` if no
/// pod was seen to end, or the one that is there is as long.
fn to_try(lags: &Lags, there_s: Option<u32>) -> Option<u32> {
    pre_stop_s(lags).filter(|seconds| there_s.is_none_or(|there_s| there_s < *seconds))
}

/// How late endpoints followed pods, since the users came.
pub(super) fn lags_of(told: &[Told], requests: &[Request], windows: &[Window]) -> Lags {
    let began_ns = windows.first().map_or(0, |window| window.to_ns);
    lags(&lives(told), requests, began_ns)
}

fn doing(step: Step, number: u32, times: u32) -> String {
    match times {
        1 => format!("{step} ..."),
        times => format!("{step}, {number} of {times} ..."),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_pre_stop_is_tried_that_is_not_longer_than_the_one_that_is_there() {
        let lags = Lags {
            to_take_no_more_s: Some(0.3),
            ..Lags::default()
        };
        assert_eq!(to_try(&lags, None), Some(3));
        assert_eq!(to_try(&lags, Some(2)), Some(3));
        assert_eq!(to_try(&lags, Some(3)), None);
        assert_eq!(to_try(&Lags::default(), None), None);
    }
}
