//! The requests that can be sent, and the settings of the run as a whole: a run has one host, and
//! one way of handling cookies and redirects.

use super::COLLECTION;
use super::address::Host;
use super::left_out::LeftOut;
use super::manners::Manners;
use super::place::Place;
use super::request::Sent;
use crate::allowance::Allowance;
use crate::error::ImportError;
use crate::imported::{Connection, Imported};
use crate::note::{Notes, shorten};
use crate::origin::Origin;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use tacho_workload::{Scenario, Workload};

/// What was gathered on the way through a collection.
#[derive(Debug, Default)]
pub(super) struct Collected {
    sent: Vec<One>,
    secrets: BTreeSet<String>,
    left_out: usize,
    /// The first that was left out, with its reason.
    first: Option<(String, String)>,
    lacks_values: bool,
    /// Hosts that have no value, and how many requests go there.
    hostless: BTreeMap<String, usize>,
}

#[derive(Debug)]
struct One {
    place: String,
    request: Sent,
    manners: Manners,
}

impl Collected {
    pub fn add(&mut self, place: String, request: Sent, manners: Manners) {
        self.sent.push(One {
            place,
            request,
            manners,
        });
    }

    pub fn leave_out(&mut self, place: &str, reason: &LeftOut) {
        self.left_out += 1;
        self.lacks_values |= matches!(reason, LeftOut::Missing(_));
        self.first
            .get_or_insert_with(|| (place.to_owned(), reason.to_string()));
    }

    /// Counts a request that was left out where its host has no value.
    pub fn lack_host(&mut self, host: Option<String>) {
        if let Some(host) = host {
            *self.hostless.entry(host).or_default() += 1;
        }
    }

    /// Values that must be in nothing that is written.
    pub fn secrets(&mut self) -> &mut BTreeSet<String> {
        &mut self.secrets
    }

    /// The workload. `name` is that of the collection; `base` is the target that the user gives, if
    /// any.
    pub fn finish(
        mut self,
        name: &str,
        base: Option<&Origin>,
        notes: &mut Notes,
        allowance: &mut Allowance,
    ) -> Result<Imported, ImportError> {
        let host = match base {
            Some(_) => self.sent.first().map(|one| one.request.host.clone()),
            None => self.most_asked(),
        };
        self.check_host(host.as_ref())?;
        let Some(host) = host else {
            return Err(self.nothing());
        };
        if self.lacks_values {
            notes.add(
                COLLECTION,
                "a value that is missing (Postman exports none that only its user sees) can be given by hand: write {\"name\": \"value\"} into a file, and name that with --environment",
            );
        }
        let origin = match (base, &host) {
            (Some(base), Host::Named(variable)) => {
                notes.add(
                    COLLECTION,
                    format_args!(
                        "{base} takes the place of `{}`, which has no value; if a path belongs to it, give it a value with --environment",
                        shorten(variable, 60)
                    ),
                );
                Some(base.clone())
            }
            (Some(base), Host::Known(_)) => Some(base.clone()),
            (None, Host::Known(origin)) => Some(origin.clone()),
            (None, Host::Named(_)) => None,
        };
        let (here, elsewhere): (Vec<One>, Vec<One>) = std::mem::take(&mut self.sent)
            .into_iter()
            .partition(|one| one.request.host == host);
        for one in &elsewhere {
            notes.add(
                &one.place,
                format_args!(
                    "left out: {} is another host than {host}, and a run has one; its owner may not have asked for load",
                    one.request.host
                ),
            );
        }
        let manners: Vec<Manners> = here.iter().map(|one| one.manners).collect();
        let mut steps = Vec::with_capacity(here.len());
        for one in here {
            allowance.take_step(&one.request.step, &one.place)?;
            steps.push(one.request.step);
        }
        let scenarios = vec![Scenario {
            name: name_of(name),
            weight: 1.0,
            steps,
        }];
        Ok(Imported {
            origin,
            workload: Workload {
                scenarios,
                cookies: all_or_some(&manners, notes, "keep cookies", |m| m.keeps_cookies),
                redirects: redirects(&manners, notes),
                ..Workload::default()
            },
            connection: Connection {
                insecure: manners.iter().any(|manners| !manners.verifies),
                ..Connection::default()
            },
            secrets: self.secrets.into_iter().collect(),
            ..Imported::default()
        })
    }

    /// Where most of the requests go; of several the first.
    fn most_asked(&self) -> Option<Host> {
        let mut counted: BTreeMap<&Host, (usize, usize)> = BTreeMap::new();
        for (place, one) in self.sent.iter().enumerate() {
            let (count, _) = counted.entry(&one.request.host).or_insert((0, place));
            *count += 1;
        }
        let most = counted
            .into_iter()
            .max_by_key(|(_, (count, first))| (*count, std::cmp::Reverse(*first)));
        most.map(|(host, _)| host.clone())
    }

    /// Refuses when most of the requests go to an unknown host: the load must not be sent to some
    /// other host instead.
    fn check_host(&self, most_asked: Option<&Host>) -> Result<(), ImportError> {
        let Some((host, hostless)) = self.hostless.iter().max_by_key(|(_, count)| **count) else {
            return Ok(());
        };
        let known = self.sent.iter();
        let known = known
            .filter(|one| Some(&one.request.host) == most_asked)
            .count();
        if *hostless < known {
            return Ok(());
        }
        Err(ImportError::NoHost {
            requests: *hostless,
            host: host.clone(),
        })
    }

    fn nothing(self) -> ImportError {
        match self.first {
            Some((place, reason)) => ImportError::AllLeftOut {
                all: self.left_out,
                place,
                reason,
                way_out: "Values of variables are given with --environment FILE",
            },
            None => ImportError::Nothing {
                hint: "the collection has folders, but no request",
            },
        }
    }
}

impl fmt::Display for Host {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Known(origin) => write!(f, "{origin}"),
            Self::Named(name) => write!(f, "`{}`", shorten(name, 60)),
        }
    }
}

fn name_of(collection: &str) -> String {
    let mut place = Place::default();
    place.enter(match collection.trim() {
        "" => COLLECTION,
        name => name,
    });
    place.to_string()
}

/// Whether all requests do something, or only some. Where only some do, all will.
fn all_or_some(
    manners: &[Manners],
    notes: &mut Notes,
    what: &str,
    does: impl Fn(&Manners) -> bool,
) -> bool {
    let some = manners.iter().any(&does);
    if some && !manners.iter().all(does) {
        notes.add(
            COLLECTION,
            format_args!("some requests {what} and some do not; here all do"),
        );
    }
    some
}

fn redirects(manners: &[Manners], notes: &mut Notes) -> u32 {
    all_or_some(manners, notes, "follow redirects", |m| m.redirects > 0);
    let most = manners.iter().map(|manners| manners.redirects).max();
    most.unwrap_or_default()
}
