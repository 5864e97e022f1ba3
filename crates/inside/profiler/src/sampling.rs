//! What async-profiler is asked to look at, as options of its agent.

use std::time::Duration;

/// The kinds of samples, all in one recording.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Sampling {
    /// Sample processor time at this interval of a thread's own time.
    pub processor: Option<Duration>,
    /// Sample all threads at this interval, whatever they do.
    pub wall: Option<Duration>,
    /// Sample allocation each time this many bytes were allocated.
    pub allocation_bytes: Option<u64>,
    /// Record waits for locks from this length on.
    pub locks: Option<Duration>,
}

/// One way to ask for them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Attempt {
    /// How processor time is sampled, in async-profiler's word: `cpu` (perf events), `ctimer` (a
    /// timer a thread), `itimer` (one for the process).
    pub engine: Option<&'static str>,
    /// Options of the agent.
    pub options: String,
}

impl Sampling {
    /// Ways to ask, best first. Without perf events (as in most containers) it uses timers: one per
    /// thread since version 2.10, else one for the process.
    #[must_use]
    pub fn attempts(&self, may_use_perf_events: bool) -> Vec<Attempt> {
        let engines: &[Option<&'static str>] = match (self.processor, may_use_perf_events) {
            (None, _) => &[None],
            (Some(_), true) => &[Some("cpu"), Some("ctimer"), Some("itimer")],
            (Some(_), false) => &[Some("ctimer"), Some("itimer")],
        };
        engines.iter().map(|engine| self.attempt(*engine)).collect()
    }

    /// Only this engine, so that builds that are compared are sampled in the same way.
    #[must_use]
    pub fn by(&self, engine: &'static str) -> Attempt {
        self.attempt(Some(engine))
    }

    fn attempt(&self, engine: Option<&'static str>) -> Attempt {
        Attempt {
            engine,
            options: self.options(engine),
        }
    }

    /// For people: `ctimer 10 ms, alloc 512 KiB`.
    #[must_use]
    pub fn told(&self, engine: Option<&str>) -> String {
        let each = |what: Option<&str>, time: Option<Duration>| {
            what.zip(time)
                .map(|(what, time)| format!("{what} {}", shown(time)))
        };
        let allocation = self
            .allocation_bytes
            .map(|bytes| format!("alloc {} KiB", bytes >> 10));
        let all = [
            each(engine, self.processor),
            each(Some("wall"), self.wall),
            allocation,
            each(Some("lock"), self.locks),
        ];
        all.into_iter().flatten().collect::<Vec<_>>().join(", ")
    }

    fn options(&self, engine: Option<&str>) -> String {
        let mut options = Vec::new();
        match (engine.zip(self.processor), self.wall) {
            (Some((engine, interval)), wall) => {
                options.push(format!("event={engine},interval={}", interval.as_nanos()));
                options.extend(wall.map(|interval| format!("wall={}", interval.as_nanos())));
            }
            (None, Some(interval)) => {
                options.push(format!("event=wall,interval={}", interval.as_nanos()));
            }
            (None, None) => {}
        }
        options.extend(self.allocation_bytes.map(|bytes| format!("alloc={bytes}")));
        options.extend(self.locks.map(|wait| format!("lock={}", wait.as_nanos())));
        options.join(",")
    }
}

fn shown(time: Duration) -> String {
    match time.as_micros() {
        micros if micros % 1000 == 0 => format!("{} ms", micros / 1000),
        micros => format!("{micros} µs"),
    }
}

/// Whether the kernel allows an unprivileged process to use perf events in user and kernel mode
/// (perf_event_open(2)).
#[must_use]
pub fn may_use_perf_events() -> bool {
    std::fs::read_to_string("/proc/sys/kernel/perf_event_paranoid")
        .ok()
        .and_then(|text| text.trim().parse::<i32>().ok())
        .is_some_and(|level| level <= 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn processor_time_falls_back_to_timers() {
        let sampling = Sampling {
            processor: Some(Duration::from_millis(5)),
            allocation_bytes: Some(524_288),
            ..Sampling::default()
        };
        let options = |perf| {
            let attempts = sampling.attempts(perf).into_iter();
            attempts.map(|attempt| attempt.options).collect::<Vec<_>>()
        };
        assert_eq!(
            options(false),
            [
                "event=ctimer,interval=5000000,alloc=524288",
                "event=itimer,interval=5000000,alloc=524288"
            ]
        );
        assert!(options(true)[0].starts_with("event=cpu,"));
    }

    #[test]
    fn what_was_asked_for_is_told_with_its_interval() {
        let sampling = Sampling {
            processor: Some(Duration::from_millis(10)),
            wall: None,
            allocation_bytes: Some(512 << 10),
            locks: Some(Duration::from_micros(10)),
        };
        assert_eq!(
            sampling.told(Some("ctimer")),
            "ctimer 10 ms, alloc 512 KiB, lock 10 µs"
        );
        assert_eq!(shown(Duration::from_micros(10_500)), "10500 µs");
    }

    #[test]
    fn the_wall_clock_alone_is_an_event_and_beside_processor_time_an_option() {
        let wall = Sampling {
            wall: Some(Duration::from_millis(20)),
            locks: Some(Duration::from_micros(10)),
            ..Sampling::default()
        };
        let alone = wall.attempts(true);
        assert_eq!(alone.len(), 1);
        assert_eq!(alone[0].options, "event=wall,interval=20000000,lock=10000");
        let both = Sampling {
            processor: Some(Duration::from_millis(5)),
            ..wall
        };
        assert_eq!(
            both.attempts(false)[0].options,
            "event=ctimer,interval=5000000,wall=20000000,lock=10000"
        );
    }
}
