//! The launches of a run, one after another: measured in their order, looked into before that,
//! diagnosed after it, and run again where something else disturbed them.

use crate::diagnosing::{self, Instruments};
use crate::dissecting::DissectSpec;
use crate::duet;
use crate::error::RunError;
use crate::event::{Event, Left, Listener};
use crate::launching::{Bench, Launch};
use crate::making::{AllMade, Made};
use std::time::{Duration, Instant};
use tacho_analysis::certificate::Spoil;
use tacho_run_folder::{
    Cell, Dissection, LaunchDir, LaunchOutcome, LaunchRecord, Plan, PlannedLaunch, RunFolder,
};

/// Asked at each look of the plan, with the number of launches of each cell: why it is enough, for
/// people, when it is.
pub type Enough<'a> = dyn FnMut(&RunFolder, u32) -> Option<String> + 'a;

/// Chooses cells to be looked into, with how; asked again with what has been seen.
pub type Next<'a> = dyn FnMut(&RunFolder, &[Dissection]) -> Option<(String, DissectSpec)> + 'a;

/// One launch in this many may be run again. If more are spoiled, the machine is at fault; it is
/// not an accident.
const MOST_REPEATED: usize = 5;

/// How often the same launch may be run again. A disturbance that lasts longer is not an accident
/// either.
const MOST_TIMES: usize = 2;

/// The planned launch, of one that is run again.
fn original(launch: &PlannedLaunch) -> u32 {
    launch.again.unwrap_or(launch.number)
}

/// The launches of a run, one after another.
pub(crate) struct Turns<'t> {
    pub bench: &'t Bench<'t>,
    pub plan: &'t Plan,
    pub made: &'t AllMade,
    pub folder: &'t RunFolder,
    pub next: Option<Box<Next<'t>>>,
    pub enough: Option<Box<Enough<'t>>>,
    /// What is wrong with a launch.
    pub spoiled: fn(&LaunchRecord) -> Option<Spoil>,
    /// Launches that were run again, as they are numbered then.
    pub repeated: Vec<PlannedLaunch>,
    /// Launches in which a build was looked into.
    pub looked_into: u32,
    pub listener: &'t mut dyn Listener,
}

/// A launch, and what it is for.
enum Turn<'t> {
    /// It counts in the figures; two of them run at the same time.
    Measure(&'t [PlannedLaunch]),
    /// With instruments that cost something: it counts in no figure, and comes after all that do.
    Diagnose(&'t PlannedLaunch),
    /// With instruments that change what they look at: it counts in no figure either, and comes
    /// before all.
    Dissect(PlannedLaunch, Box<DissectSpec>),
}

impl Turns<'_> {
    /// Carries out all of them, with a rest between two, until the user has had enough.
    pub fn all(mut self) -> Result<(), RunError> {
        let (plan, began) = (self.plan, Instant::now());
        let rest = self.rest();
        let mut measured = plan.launches.chunks(plan.at_once());
        let mut diagnosed = plan.diagnosis.iter();
        let mut looked_into = Vec::new();
        let mut is_first = true;
        let mut looks_first = true;
        while !self.bench.stop.is_set() {
            // Builds that are looked into come first: what they count is told while the rest is
            // measured.
            let look = match looks_first {
                true => self.further(&looked_into),
                false => None,
            };
            looks_first &= look.is_some();
            let planned = look
                .or_else(|| measured.next().map(Turn::Measure))
                .or_else(|| diagnosed.next().map(Turn::Diagnose));
            let Some(turn) = planned else {
                break;
            };
            if !std::mem::take(&mut is_first) {
                self.bench.stop.sleep(rest);
                if self.bench.stop.is_set() {
                    break;
                }
            }
            match turn {
                Turn::Measure(planned) => {
                    self.measure(planned, began)?;
                    if self.is_enough(planned)? {
                        measured = [].chunks(1);
                    }
                }
                Turn::Diagnose(planned) => self.diagnose(planned)?,
                Turn::Dissect(planned, spec) => {
                    looked_into.push(self.dissect(&planned, &spec)?);
                    self.looked_into += 1;
                }
            }
        }
        Ok(())
    }

    /// What is wanted besides what is planned.
    fn further(&mut self, seen: &[Dissection]) -> Option<Turn<'static>> {
        let (cell, spec) = self.next.as_mut()?(self.folder, seen)?;
        let planned = PlannedLaunch {
            number: self.next_number(),
            cell,
            replicate: 1,
            again: None,
        };
        Some(Turn::Dissect(planned, Box::new(spec)))
    }

    /// A launch that was spoiled is run again at once, so that both are of the same minutes; each
    /// at most twice, and of all launches a fifth. Of two at the same time both are run again.
    fn measure(&mut self, planned: &[PlannedLaunch], began: Instant) -> Result<(), RunError> {
        let mut measured = self.measured(planned, began)?;
        let spoils = measured
            .iter()
            .filter_map(|(_, record)| Some((record.number, (self.spoiled)(record)?)));
        let is_disturbed = |spoil: &Spoil| matches!(spoil, Spoil::Disturbed(_));
        let worst = spoils.max_by_key(|(_, spoil)| is_disturbed(spoil));
        let Some((spoiled, spoil)) = worst.filter(|_| self.may_repeat(planned)) else {
            return Ok(());
        };
        let mut again = Vec::new();
        for ((number, planned), (folder, record)) in
            (self.next_number()..).zip(planned).zip(&mut measured)
        {
            let (Spoil::Disturbed(why) | Spoil::Late(why)) = &spoil;
            let beside = match spoiled == planned.number {
                true => String::new(),
                false => format!(", beside launch {}", planned.number),
            };
            let why = format!("launch {spoiled}{beside}: {why}; run again as launch {number}");
            self.listener.event(Event::Note { text: &why });
            // Another outcome has a reason of its own.
            if is_disturbed(&spoil) && record.outcome == LaunchOutcome::Completed {
                record.outcome = LaunchOutcome::Spoiled { reason: why };
                folder.write_record(record)?;
            }
            again.push(PlannedLaunch {
                number,
                again: Some(original(planned)),
                ..planned.clone()
            });
        }
        self.repeated.extend_from_slice(&again);
        self.folder.write_plan(&self.as_carried_out())?;
        let is_for_all = is_disturbed(&spoil);
        self.bench.stop.sleep(self.rest());
        if self.bench.stop.is_set() {
            return Ok(());
        }
        match is_for_all {
            // What took the machine may take it for longer than a launch.
            true => self.measure(&again, began),
            false => self.measured(&again, began).map(drop),
        }
    }

    /// Whether a launch may be run again. The allowed share is taken of the launches that are made
    /// in any case, that is, those until the first look.
    fn may_repeat(&self, planned: &[PlannedLaunch]) -> bool {
        let first_look = self.plan.looks.first().copied().unwrap_or(u32::MAX);
        let sure = self.plan.launches.iter();
        let sure = sure.filter(|launch| launch.replicate <= first_look).count();
        let same =
            |repeated: &&PlannedLaunch| planned.iter().any(|it| original(it) == original(repeated));
        let times = self.repeated.iter().filter(same).count() / planned.len().max(1);
        times < MOST_TIMES && self.repeated.len() < sure / MOST_REPEATED
    }

    /// The plan with the launches that came to it on the way.
    fn as_carried_out(&self) -> Plan {
        let mut plan = self.plan.clone();
        plan.launches.extend_from_slice(&self.repeated);
        plan
    }

    /// The number for a launch that was not planned beforehand.
    fn next_number(&self) -> u32 {
        let planned = self.plan.launches.iter().chain(&self.plan.diagnosis);
        let all = planned.chain(&self.repeated);
        all.map(|launch| launch.number).max().unwrap_or(0) + 1 + self.looked_into
    }

    fn rest(&self) -> Duration {
        Duration::try_from_secs_f64(self.plan.rest_s).unwrap_or_default()
    }

    /// One launch, or two at the same time.
    fn measured(
        &mut self,
        planned: &[PlannedLaunch],
        began: Instant,
    ) -> Result<Vec<(LaunchDir, LaunchRecord)>, RunError> {
        let of = self.plan.launches.len();
        let mut folders = Vec::new();
        for planned in planned {
            self.listener.event(Event::LaunchBegan {
                number: planned.number,
                of,
                cell: &self.cell(planned)?.0.id,
            });
            folders.push(self.folder.create_launch(planned)?);
        }
        let mut launches = Vec::new();
        for (planned, folder) in planned.iter().zip(&folders) {
            let (cell, made) = self.cell(planned)?;
            launches.push(launch(planned, cell, made, folder));
        }
        let records = self.live(launches)?;
        // A launch that repeats another brings the run no further than that one did.
        let last = planned.last();
        let number = last.map(original);
        let same = |other: &PlannedLaunch| Some(other.number) == number;
        let done = self.plan.launches.iter().position(same).unwrap_or(0) + 1;
        let each = began.elapsed() / u32::try_from(done).unwrap_or(u32::MAX);
        let left = Left {
            time: each * u32::try_from(of - done).unwrap_or(u32::MAX),
            is_at_most: last.is_some_and(|last| self.may_end_early(last)),
        };
        for record in &records {
            self.listener.event(Event::LaunchEnded { record, left });
        }
        Ok(folders.into_iter().zip(records).collect())
    }

    /// There is a look to come, and launches after it.
    fn may_end_early(&self, planned: &PlannedLaunch) -> bool {
        let to_come = planned.replicate..self.plan.launches_per_cell;
        self.plan.looks.iter().any(|look| to_come.contains(look))
    }

    fn live(&mut self, launches: Vec<Launch<'_>>) -> Result<Vec<LaunchRecord>, RunError> {
        let launches = match (&self.plan.duet, <[_; 2]>::try_from(launches)) {
            (Some(duet), Ok(two)) => {
                return Ok(duet::both(self.bench, two, duet, self.listener)?.into());
            }
            (_, Ok(two)) => two.into(),
            (_, Err(launches)) => launches,
        };
        let mut records = Vec::new();
        for launch in &launches {
            records.push(self.bench.launch(launch, self.listener)?);
        }
        Ok(records)
    }

    /// At a look of the plan: whether more launches are to be made. The plan in the folder is that
    /// of those that were.
    fn is_enough(&mut self, planned: &[PlannedLaunch]) -> Result<bool, RunError> {
        let Some(planned) = planned.last() else {
            return Ok(false);
        };
        let (plan, block) = (self.plan, planned.replicate);
        let last = plan.launches.iter().rfind(|l| l.replicate == block);
        let is_look = plan.looks.contains(&block) && last == Some(planned);
        if !is_look || block == plan.launches_per_cell || self.bench.stop.is_set() {
            return Ok(false);
        }
        let asked = self.enough.as_mut();
        let Some(why) = asked.and_then(|enough| enough(self.folder, block)) else {
            return Ok(false);
        };
        self.listener.event(Event::Note { text: &why });
        let mut ended = self.as_carried_out().ended_after(block);
        ended.notes.push(why);
        self.folder.write_plan(&ended)?;
        Ok(true)
    }

    fn diagnose(&mut self, planned: &PlannedLaunch) -> Result<(), RunError> {
        let (cell, made) = self.cell(planned)?;
        self.work("diagnosing", cell);
        let folder = self.folder.create_diagnosis(planned)?;
        let launch = Launch {
            instruments: Some(&Instruments::of(&made.prepared, &folder)?),
            ..launch(planned, cell, made, &folder)
        };
        let record = self.bench.launch(&launch, self.listener)?;
        let diagnosis = folder.diagnosis()?;
        for text in diagnosing::shortcomings(&cell.id, &record, diagnosis.as_ref()) {
            self.listener.event(Event::Note { text: &text });
        }
        Ok(())
    }

    fn dissect(
        &mut self,
        planned: &PlannedLaunch,
        spec: &DissectSpec,
    ) -> Result<Dissection, RunError> {
        let (cell, made) = self.cell(planned)?;
        self.work("looking into", cell);
        let folder = self.folder.create_diagnosis(planned)?;
        let launch = launch(planned, cell, made, &folder);
        let dissected = self.bench.dissect(&launch, spec, self.listener)?;
        if let LaunchOutcome::Failed {
            message: reason, ..
        }
        | LaunchOutcome::Invalid { reason } = &dissected.record.outcome
        {
            let text = format!(
                "the launch in which `{}` was looked into failed: {reason}",
                cell.id
            );
            self.listener.event(Event::Note { text: &text });
        }
        Ok(dissected.dissection)
    }

    fn work(&mut self, doing: &str, cell: &Cell) {
        let what = format!(
            "{doing} {}: a launch with instruments, which counts in no figure",
            cell.id
        );
        self.listener.event(Event::Working { what: &what });
    }
}

impl<'t> Turns<'t> {
    /// What a planned launch needs. One that is left out would change what is compared.
    fn cell(&self, planned: &PlannedLaunch) -> Result<(&'t Cell, &'t Made), RunError> {
        let lacks = |lack: String| RunError::NotPlanned {
            number: planned.number,
            cell: planned.cell.clone(),
            lack,
        };
        let mut cells = self.plan.cells.iter();
        let cell = cells
            .find(|cell| cell.id == planned.cell)
            .ok_or_else(|| lacks("which is no cell of the plan".to_owned()))?;
        let made = self
            .made
            .variants
            .get(&cell.variant)
            .ok_or_else(|| lacks(format!("whose variant `{}` was not made", cell.variant)))?;
        Ok((cell, made))
    }
}

fn launch<'l>(
    planned: &'l PlannedLaunch,
    cell: &'l Cell,
    made: &'l Made,
    folder: &'l LaunchDir,
) -> Launch<'l> {
    Launch {
        planned,
        limits: &cell.limits,
        prepared: &made.prepared,
        readiness: &made.readiness,
        folder,
        instruments: None,
        seat: None,
    }
}
