//! What goes between the terminal and the pod that carries out its run: lines of JSON, some of
//! which are followed by the bytes of files.

use crate::deployed::Changed;
use serde::{Deserialize, Serialize};
use std::sync::atomic::Ordering;
use tacho_cluster_api::{Owner, Privileges};
use tacho_load::{Control, Counters};
use tacho_run_folder::{Machine, PhasePlan};
use tacho_workers::GivenFile;

/// Version of the messages. A peer with another one is refused.
pub const VERSION: u32 = 4;

/// Name of the file that has the launches to be carried out.
pub const ORDERS: &str = "orders.json";

/// And of the folder that becomes the run's.
pub const FOLDER: &str = "run";

/// What the terminal wishes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "wish", rename_all = "kebab-case")]
pub enum Wish {
    /// The first of all. The bytes of each file follow, in their order.
    Begin {
        /// See [`VERSION`].
        version: u32,
        /// Label of the run.
        run: String,
        /// What its objects belong to.
        owner: Owner,
        /// Images are in the node, and are not to be pulled.
        is_loaded: bool,
        /// Users come through a Service.
        through_service: bool,
        /// What the pod may do on its node.
        privileges: Privileges,
        /// Launches are Deployments, to which this is done.
        changed: Option<Box<Changed>>,
        /// The orders, and the run folder as it is so far.
        files: Vec<GivenFile>,
    },
    /// A terminal that was connected before comes back, and says how many messages it has received.
    Resume {
        /// Number of the next message that it needs, from 0.
        from: usize,
    },
    /// What does your clock show?
    Time,
    /// End the launch that goes on, in order, and begin no other.
    Stop,
    /// The terminal has received everything.
    Over,
}

/// What comes back. All but [`Self::Time`], [`Self::Counts`] and [`Self::Refused`] are numbered, in
/// their order.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "told", rename_all = "kebab-case")]
pub enum Told {
    /// The files have come, and the launches begin.
    Begun {
        /// By the name that the cluster knows it by.
        node: Option<String>,
        /// What it is.
        machine: Machine,
    },
    /// As [`tacho_runner::Event::Working`].
    Working {
        /// For people.
        what: String,
    },
    /// As [`tacho_runner::Event::Note`].
    Note {
        /// For people.
        text: String,
    },
    /// A launch begins.
    LaunchBegan {
        /// Its place in the order of execution.
        number: u32,
        /// Launches in all.
        of: usize,
        /// Its cell.
        cell: String,
    },
    /// A launch ended, and its files have been told.
    LaunchEnded {
        /// Its place in the order of execution.
        number: u32,
        /// Estimate for those that are left.
        left_s: f64,
        /// It may well be over sooner.
        #[serde(default)]
        at_most: bool,
    },
    /// As [`tacho_runner::Event::PhaseBegan`].
    PhaseBegan {
        /// As it is planned.
        phase: PhasePlan,
        /// How far the load of the launch was before.
        counts: Counts,
    },
    /// As [`tacho_runner::Event::PhaseEnded`].
    PhaseEnded,
    /// How far the load is that goes on, now and then.
    Counts(Counts),
    /// A file of the run folder; its bytes follow.
    File(GivenFile),
    /// All launches have ended.
    Ended {
        /// What kept them from all being carried out.
        trouble: Option<String>,
    },
    /// `CLOCK_REALTIME`.
    Time {
        /// Nanoseconds since 1970.
        realtime_ns: u64,
    },
    /// It cannot be begun.
    Refused {
        /// Why, for people.
        message: String,
    },
}

/// As [`tacho_load::Counters`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counts {
    /// Requests whose intended instant has come.
    pub intended: u64,
    /// Requests answered, whatever the status.
    pub answered: u64,
    /// Requests that failed.
    pub failed: u64,
    /// Requests that are not concluded yet.
    pub in_flight: u64,
}

impl From<Counters> for Counts {
    fn from(counters: Counters) -> Self {
        Self {
            intended: counters.intended,
            answered: counters.answered,
            failed: counters.failed,
            in_flight: counters.in_flight,
        }
    }
}

impl Counts {
    /// Makes them those of a load that goes on elsewhere.
    pub fn show(self, control: &Control) {
        let counters = [
            (&control.intended, self.intended),
            (&control.answered, self.answered),
            (&control.failed, self.failed),
            (&control.in_flight, self.in_flight),
        ];
        for (counter, told) in counters {
            counter.store(told, Ordering::Relaxed);
        }
    }
}

impl Told {
    /// It has a number, and is told again to a terminal that comes back.
    pub fn is_numbered(&self) -> bool {
        !matches!(
            self,
            Self::Time { .. } | Self::Counts(_) | Self::Refused { .. }
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::deployed::{GateImage, GateWords};
    use crate::step::Step;
    use proptest::prelude::*;
    use tacho_workers::{read_line, write_line};

    #[test]
    fn messages_are_read_as_they_were_written() {
        let file = GivenFile {
            name: "launches/001-a/launch.json".to_owned(),
            bytes: 17,
        };
        let wishes = [
            Wish::Begin {
                version: VERSION,
                run: "r".to_owned(),
                owner: Owner {
                    uid: "u".to_owned(),
                    ..Owner::default()
                },
                is_loaded: true,
                through_service: false,
                privileges: Privileges::SeeTheNode,
                changed: Some(Box::new(Changed {
                    replicas: 2,
                    pre_stop_s: None,
                    steps: [("scale-4".to_owned(), Step::Scale(4))].into(),
                    gates: [(
                        "jar".to_owned(),
                        GateWords {
                            arguments: vec!["warm".to_owned()],
                            port: 9000,
                        },
                    )]
                    .into(),
                    gate_image: Some(GateImage {
                        name: "localhost/tacho:1".to_owned(),
                        is_loaded: true,
                    }),
                })),
                files: vec![file.clone()],
            },
            Wish::Resume { from: 7 },
            Wish::Time,
            Wish::Stop,
            Wish::Over,
        ];
        let told = [
            Told::Begun {
                node: Some("one".to_owned()),
                machine: tacho_observe::machine::machine(),
            },
            Told::File(file),
            Told::LaunchEnded {
                number: 1,
                left_s: 1.5,
                at_most: true,
            },
            Told::Ended { trouble: None },
        ];
        let mut bytes = Vec::new();
        wishes
            .iter()
            .for_each(|one| write_line(one, &mut bytes).unwrap());
        told.iter()
            .for_each(|one| write_line(one, &mut bytes).unwrap());
        let mut from = &bytes[..];
        for wish in wishes {
            assert_eq!(read_line(&mut from).unwrap(), Some(wish));
        }
        for one in told {
            assert_eq!(read_line(&mut from).unwrap(), Some(one));
        }
    }

    proptest! {
        #[test]
        fn no_bytes_make_the_reader_panic(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
            let _ = read_line::<Wish>(&mut &bytes[..]);
            let _ = read_line::<Told>(&mut &bytes[..]);
        }
    }
}
