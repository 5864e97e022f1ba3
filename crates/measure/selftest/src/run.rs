//! The self-test: course after course.

use crate::comparison::{CourseResult, Judgement, TOLERANCE, Tolerance};
use crate::course::{Course, CourseError};
use crate::drive::{DriveError, Load, Reported, drive};
use crate::expected::expected;
use crate::machine::{self, Surroundings};
use crate::script::{Mixture, Script, ScriptError, Stall};
use crate::server::ScriptedServer;
use crate::witnessed::{Witnessed, WitnessedCourse};
use serde::Serialize;
use std::io;
use std::net::SocketAddr;
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};
use tacho_launch::threads::{self, NoThread};
use tacho_load::Control;
use tacho_witness::processors::{Processors, on, stay_on};
use tacho_witness::{ReadError, Testimony, WitnessProcess};

/// Progress is told so often.
const PROGRESS: Duration = Duration::from_millis(200);

/// How long the test takes, and how many silences it plays.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Depth {
    /// About 16 s: one rate before the witness, one silence.
    Quick,
    /// A minute and a half: three rates before the witness, four silences.
    #[default]
    Full,
}

/// What to do.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// Length and number of silences.
    pub depth: Depth,
    /// Set it to end the test, from a signal handler too; noticed within 100 ms.
    pub stop: Arc<AtomicBool>,
    /// A program that does [`tacho_witness::be_a_process`]; without one nothing is witnessed.
    pub witness: Option<WitnessCommand>,
}

/// How a witness is started.
pub type WitnessCommand = fn() -> io::Result<Command>;

/// Where the test is.
#[derive(Debug, Clone, PartialEq)]
pub struct Progress {
    /// Name of the course.
    pub course: String,
    /// Its place among the courses, counted from 1.
    pub number: usize,
    /// Courses in all.
    pub of: usize,
    /// Requests whose intended instant has come.
    pub intended: u64,
    /// Requests of the course.
    pub requests: u64,
    /// Since the test began.
    pub elapsed: Duration,
}

/// The result of a self-test.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SelfTest {
    /// What all courses together come to.
    pub judgement: Judgement,
    /// How far apart expected and reported may be.
    pub tolerance: Tolerance,
    /// Processors that this process may use.
    pub processors: usize,
    /// From its begin to its end, in seconds.
    pub duration_s: f64,
    /// What the engine reports beside what a witness saw, in the order in which they ran.
    pub witnessed: Vec<Witnessed>,
    /// What it reports beside what follows from a script, in the order in which they ran.
    pub courses: Vec<CourseResult>,
}

/// A self-test that could not be carried out.
#[derive(Debug, thiserror::Error)]
pub enum SelfTestError {
    /// The server could not listen, or its loop broke.
    #[error(
        "the self-test's own server on 127.0.0.1 failed: {0}; see that loopback is up and that files may be opened (`ulimit -n`)"
    )]
    Server(io::Error),
    /// The witness is a process of its own.
    #[error(
        "the self-test's witness, a process of its own, could not be started: {0}; see that processes may be started (`ulimit -u`) and that /proc is mounted"
    )]
    Witness(io::Error),
    /// It ended, or was ended, too soon.
    #[error("{0}; run the self-test again")]
    Testimony(#[from] ReadError),
    /// So few requests came to it that nothing can be told.
    #[error(
        "the self-test's witness saw {0} requests, too few to judge; check that loopback is up"
    )]
    NothingSeen(usize),
    /// The engine could not carry it out.
    #[error(transparent)]
    Drive(#[from] DriveError),
    /// The user ended it.
    #[error("the self-test was ended before it was complete; nothing is shown by it")]
    Interrupted,
    /// A script that cannot be played.
    #[error(transparent)]
    Script(#[from] ScriptError),
    /// A course that cannot be told beforehand.
    #[error(transparent)]
    Course(#[from] CourseError),
    /// The kernel refuses the thread that drives the engine.
    #[error(transparent)]
    NoThread(#[from] NoThread),
    /// The thread that drives the engine is gone.
    #[error("the thread of the generator ended; this is an error in Tacho, please report it")]
    GeneratorGone,
}

/// Runs the courses of a depth.
///
/// # Errors
/// When server or engine could not run at all, or it was stopped. That quantiles differ is no
/// error: it is [`SelfTest::judgement`].
pub fn run(
    options: &Options,
    progress: &mut dyn FnMut(Progress),
) -> Result<SelfTest, SelfTestError> {
    let witnessed = options
        .witness
        .map(|command| (command, witnessed_courses(options.depth)));
    run_all(witnessed, &courses(options.depth)?, options, progress)
}

/// Runs courses of the caller's own.
///
/// # Errors
/// As [`run`].
pub fn run_courses(
    courses: &[Course],
    options: &Options,
    progress: &mut dyn FnMut(Progress),
) -> Result<SelfTest, SelfTestError> {
    run_all(None, courses, options, progress)
}

fn run_all(
    witnessed: Option<(WitnessCommand, Vec<WitnessedCourse>)>,
    courses: &[Course],
    options: &Options,
    progress: &mut dyn FnMut(Progress),
) -> Result<SelfTest, SelfTestError> {
    let begin = Instant::now();
    let before = witnessed.as_ref().map_or(0, |(_, courses)| courses.len());
    let of = before + courses.len();
    let mut tell = |number: usize, course: &str, intended: u64, requests: u64| {
        progress(Progress {
            course: course.to_owned(),
            number,
            of,
            intended,
            requests,
            elapsed: begin.elapsed(),
        });
    };
    let mut testimonies = Vec::with_capacity(before);
    if let Some((command, courses)) = witnessed {
        for (number, course) in (1..).zip(&courses) {
            let name = format!("witness at {}/s", course.rate);
            let requests = course.requests();
            testimonies.push(run_witnessed(course, command, options, &mut |intended| {
                tell(number, &name, intended, requests);
            })?);
        }
    }
    let mut results = Vec::with_capacity(courses.len());
    for (number, course) in (before + 1..).zip(courses) {
        results.push(run_course(course, options, &mut |intended, requests| {
            tell(number, &course.name, intended, requests);
        })?);
    }
    let witnessed = testimonies.iter().map(Witnessed::judgement);
    let judgements = witnessed.chain(results.iter().map(CourseResult::judgement));
    Ok(SelfTest {
        judgement: judgements.max().unwrap_or(Judgement::Passed),
        tolerance: TOLERANCE,
        processors: std::thread::available_parallelism().map_or(1, usize::from),
        duration_s: begin.elapsed().as_secs_f64(),
        witnessed: testimonies,
        courses: results,
    })
}

/// The witness on one processor, the engine on another, where there are two.
fn run_witnessed(
    course: &WitnessedCourse,
    command: WitnessCommand,
    options: &Options,
    progress: &mut dyn FnMut(u64),
) -> Result<Witnessed, SelfTestError> {
    let two = Processors::two().map_err(SelfTestError::Witness)?;
    let witness = command().and_then(|command| {
        WitnessProcess::start(command, |command| match two {
            Some(two) => on(two.subject, || command.spawn()),
            None => command.spawn(),
        })
    });
    let witness = witness.map_err(SelfTestError::Witness)?;
    let control = control_of(options);
    let steal_before = machine::steal_ms();
    progress(0);
    let processor = two.map(|two| two.generator);
    let (address, load) = (witness.address(), course.load());
    let reported = drive_and_watch(address, load, processor, &control, progress)?;
    if control.is_stopped() {
        return Err(SelfTestError::Interrupted);
    }
    let steal_ms = machine::steal_ms() - steal_before;
    let seen = witness.stop()?;
    let number = seen.len();
    let testimony = Testimony::of(seen, Some(course.rate));
    let testimony = testimony.ok_or(SelfTestError::NothingSeen(number))?;
    Ok(Witnessed::of(
        course,
        &testimony,
        &reported,
        two.is_some(),
        steal_ms,
    ))
}

fn control_of(options: &Options) -> Control {
    Control {
        stop: Arc::clone(&options.stop),
        ..Control::new()
    }
}

fn run_course(
    course: &Course,
    options: &Options,
    progress: &mut dyn FnMut(u64, u64),
) -> Result<CourseResult, SelfTestError> {
    let expected = expected(course);
    let server =
        ScriptedServer::start(course.script.clone(), course.rate).map_err(SelfTestError::Server)?;
    let control = control_of(options);
    let steal_before = machine::steal_ms();
    progress(0, expected.count);
    let (address, load) = (server.address(), course.load());
    let reported = drive_and_watch(address, load, None, &control, &mut |intended| {
        progress(intended, expected.count);
    })?;
    if control.is_stopped() {
        return Err(SelfTestError::Interrupted);
    }
    let steal_ms = machine::steal_ms() - steal_before;
    let played = server.stop().map_err(SelfTestError::Server)?;
    let surroundings = Surroundings {
        server_lateness_ms: played.lateness_ms,
        server_waited_ms: played.waited_ms,
        generator_waited_ms: reported.waited_ms,
        steal_ms,
    };
    Ok(CourseResult::of(
        course,
        &expected,
        &reported,
        &played,
        surroundings,
    ))
}

/// The engine gets a thread of its own, and this one looks at its counters.
fn drive_and_watch(
    address: SocketAddr,
    load: Load,
    processor: Option<usize>,
    control: &Control,
    intended: &mut dyn FnMut(u64),
) -> Result<Reported, SelfTestError> {
    let (done, is_done) = channel();
    std::thread::scope(|scope| {
        threads::spawn_in(scope, move || {
            // If the thread cannot be bound to that processor, the scheduler chooses one.
            let _ = processor.map(stay_on);
            // The receiver is there as long as this scope.
            let _ = done.send(drive(address, load, control));
        })?;
        loop {
            match is_done.recv_timeout(PROGRESS) {
                Ok(reported) => return Ok(reported?),
                Err(RecvTimeoutError::Timeout) => intended(control.counters().intended),
                Err(RecvTimeoutError::Disconnected) => return Err(SelfTestError::GeneratorGone),
            }
        }
    })
}

/// A service has a few hundred to some thousand requests a second; at 100 everything is cold
/// between two of them.
fn witnessed_courses(depth: Depth) -> Vec<WitnessedCourse> {
    let (rates, duration_s): (&[f64], f64) = match depth {
        Depth::Quick => (&[2_000.0], 3.0),
        Depth::Full => (&[100.0, 2_000.0, 10_000.0], 10.0),
    };
    let course = |rate: &f64| WitnessedCourse {
        rate: *rate,
        duration_s,
        connections: 8,
    };
    rates.iter().map(course).collect()
}

/// Delays are long enough that 0.3 % of them is more than the tolerance's floor, where the quantile
/// matters.
fn courses(depth: Depth) -> Result<Vec<Course>, SelfTestError> {
    let (constant_s, mixture_s, stall_s) = match depth {
        Depth::Quick => (1.0, 1.0, 10.0),
        Depth::Full => (5.0, 10.0, 40.0),
    };
    let ms = Duration::from_millis;
    let constant = Script::Constant {
        delay_ns: 400_000_000,
    };
    // No quantile that is compared lies at the border of two shares.
    let mixture = Mixture::new(&[
        (600, ms(10)),
        (320, ms(100)),
        (60, ms(400)),
        (15, ms(800)),
        (5, ms(1_000)),
    ])?;
    let stall = Stall::new(ms(10_000), ms(1_000), 20_000.0)?;
    Ok(vec![
        Course::new("constant delay", constant, 200.0, constant_s, 128)?,
        Course::new(
            "mixture of delays",
            Script::Mixture(mixture),
            1_000.0,
            mixture_s,
            128,
        )?,
        Course::new("stall", Script::Stall(stall), 2_000.0, stall_s, 64)?,
    ])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_depth_has_courses_whose_response_times_can_be_told() {
        for depth in [Depth::Quick, Depth::Full] {
            let courses = courses(depth).unwrap();
            assert_eq!(courses.len(), 3);
            let seconds: f64 = courses.iter().map(|course| course.duration_s).sum();
            assert!(seconds <= if depth == Depth::Quick { 12.0 } else { 60.0 });
        }
    }
}
