//! Postman collections of version 2: requests that somebody has sent by hand, or tests with, as one
//! scenario of a user. <https://schema.postman.com/collection/json/v2.1.0/docs/index.html>
//!
//! Variables are filled in as by Postman, from the scopes of collection, folders, environment and
//! globals. What Postman makes anew for each request becomes a placeholder. Scripts are never run.
//! A request that needs a value from a script is left out, and so is one that would be sent
//! differently than in Postman. Saved answers are no requests.

mod address;
mod auth;
mod body;
mod bounds;
mod collected;
mod comments;
mod entries;
mod environment;
mod file;
mod filling;
mod left_out;
mod lenient;
mod made;
mod manners;
mod parts;
mod place;
mod request;
mod scripts;
#[cfg(test)]
mod tests;
mod tokens;
mod variables;

pub use environment::Environment;

use crate::MAX_INPUT_BYTES;
use crate::allowance::Allowance;
use crate::error::{self, ImportError};
use crate::imported::Imported;
use crate::note::{Notes, shorten};
use crate::origin::Origin;
use collected::Collected;
use entries::Entries;
use file::{Auth, Collection, Event, Item};
use filling::Filling;
use left_out::{LeftOut, Stop};
use lenient::Either;
use manners::Manners;
use place::Place;
use request::{Asked, Surroundings, sent};
use scripts::{BEFORE, Scripts, is_written};
use std::path::Path;
use tacho_masking::Names;
use variables::Variables;

/// What is known beside the collection.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PostmanOptions {
    /// Where the requests go, in place of the host of the first one. Then that host need not have a
    /// value.
    pub base: Option<Origin>,
    /// Values for its variables; of several that have one the first counts.
    pub environments: Vec<Environment>,
}

/// Reads a collection.
///
/// # Errors
/// When it is none of version 2, has no request that can be sent, or describes too much.
pub fn read_postman(
    input: &[u8],
    base_dir: &Path,
    options: &PostmanOptions,
) -> Result<Imported, ImportError> {
    let text = error::text(input, MAX_INPUT_BYTES)?;
    bounds::check(text)?;
    let collection = Collection::read(text)?;
    let mut reader = Reader {
        surroundings: Surroundings {
            base_dir,
            has_base: options.base.is_some(),
        },
        scripts: Scripts::of(&collection),
        variables: Variables::new(&options.environments),
        place: Place::default(),
        notes: Notes::default(),
        allowance: Allowance::default(),
        collected: Collected::default(),
    };
    reader.learn_environments(&options.environments);
    reader.read(&collection)?;
    let name = collection.info.name.as_str();
    let Reader {
        mut notes,
        mut allowance,
        collected,
        ..
    } = reader;
    let mut imported = collected.finish(name, options.base.as_ref(), &mut notes, &mut allowance)?;
    imported.notes = notes.finish();
    Ok(imported)
}

/// Walks through a collection.
struct Reader<'c> {
    surroundings: Surroundings<'c>,
    scripts: Scripts,
    variables: Variables<'c>,
    place: Place<'c>,
    notes: Notes,
    allowance: Allowance,
    collected: Collected,
}

/// What a request has from the folders around it.
#[derive(Debug, Clone, Copy)]
struct Inherited<'c> {
    auth: Option<&'c Auth>,
    manners: Manners,
}

const COLLECTION: &str = "the collection";

impl<'c> Reader<'c> {
    fn read(&mut self, collection: &'c Collection) -> Result<(), ImportError> {
        self.learn_values(&collection.variable);
        self.learn_auth(collection.auth.as_ref());
        if is_written(&collection.event, BEFORE) {
            self.notes.add(
                COLLECTION,
                "its script before each request is not run; what it would change is sent as it is",
            );
        }
        self.variables.enter(&collection.variable);
        let inherited = Inherited {
            auth: collection.auth.as_ref(),
            manners: Manners::default().within(collection.behaviour.as_ref()),
        };
        self.items(collection.items(), inherited)?;
        self.variables.leave();
        if self.scripts.decides_order() {
            self.notes.add(
                COLLECTION,
                "a script says which request is the next one, and is not run: they are sent in the order of the collection",
            );
        }
        if self.scripts.has_tests() {
            self.notes.add(
                COLLECTION,
                "scripts after answers (tests) are not run; of what they expect only a single status is read. Say what else is expected with --expect",
            );
        }
        Ok(())
    }

    fn items(&mut self, items: &'c [Item], inherited: Inherited<'c>) -> Result<(), ImportError> {
        items.iter().try_for_each(|item| {
            self.place.enter(item.name.as_str());
            self.variables.enter(&item.variable);
            let done = self.item(item, inherited);
            self.variables.leave();
            self.place.leave();
            done
        })
    }

    fn item(&mut self, item: &'c Item, outer: Inherited<'c>) -> Result<(), ImportError> {
        self.learn_values(&item.variable);
        self.learn_auth(item.auth.as_deref());
        let own = match item.request.as_deref() {
            Some(Either::Parts(request)) => request.auth.as_ref(),
            _ => None,
        };
        self.learn_auth(own);
        let inherited = Inherited {
            auth: own.or(item.auth.as_deref()).or(outer.auth),
            manners: outer.manners.within(item.behaviour.as_deref()),
        };
        self.note_script_before(&item.event, item.items.is_some());
        match (&item.items, &item.request) {
            (Some(items), _) => self.items(items, inherited),
            (None, Some(request)) => self.request(Asked {
                request,
                auth: inherited.auth,
                manners: inherited.manners,
                events: &item.event,
            }),
            (None, None) => {
                self.leave_out(&LeftOut::NoRequest);
                Ok(())
            }
        }
    }

    fn request(&mut self, asked: Asked<'c>) -> Result<(), ImportError> {
        let place = self.place.to_string();
        let mut filling = Filling::new(&self.variables, &self.scripts, &mut self.allowance, &place);
        let secrets = self.collected.secrets();
        let made = sent(
            &asked,
            &self.surroundings,
            &mut filling,
            &mut self.notes,
            secrets,
        );
        for name in filling.stale() {
            let setter = self.scripts.setter(name).unwrap_or_default();
            self.notes.add(
                COLLECTION,
                format_args!(
                    "`{}` has the value that is given, and not the one that the script of {} sets",
                    shorten(name, 60),
                    shorten(setter, 80)
                ),
            );
        }
        match made {
            Ok(request) => self.collected.add(place, request, asked.manners),
            Err(Stop::LeftOut(reason)) => {
                let host = filling.lacks_host();
                self.collected.lack_host(host);
                self.leave_out(&reason);
            }
            Err(Stop::Import(error)) => return Err(error),
        }
        Ok(())
    }

    fn leave_out(&mut self, reason: &LeftOut) {
        let place = self.place.to_string();
        self.notes.add(&place, format_args!("left out: {reason}"));
        self.collected.leave_out(&place, reason);
    }

    fn note_script_before(&mut self, events: &[Event], is_folder: bool) {
        if is_written(events, BEFORE) {
            let requests = if is_folder {
                "each request"
            } else {
                "the request"
            };
            self.notes.add(
                &self.place,
                format_args!(
                    "its script before {requests} is not run; what it would change is sent as it is"
                ),
            );
        }
    }

    fn learn_environments(&mut self, environments: &[Environment]) {
        for given in environments.iter().flat_map(|e| &e.values) {
            let value = given.value.as_deref().unwrap_or_default();
            self.learn_value(&given.name, value, given.is_secret);
        }
    }

    fn learn_values(&mut self, values: &Entries) {
        for entry in values.on() {
            self.learn_value(entry.name(), entry.value.as_str(), entry.is_secret());
        }
    }

    fn learn_value(&mut self, name: &str, value: &str, is_marked: bool) {
        let is_secret = is_marked || Names::default().hides(name, value);
        if is_secret && !value.contains("{{") {
            self.collected.secrets().insert(value.to_owned());
        }
    }

    fn learn_auth(&mut self, auth: Option<&Auth>) {
        let secrets = auth.into_iter().flat_map(auth::secrets);
        let known = secrets.filter(|secret| !secret.contains("{{"));
        self.collected.secrets().extend(known.map(str::to_owned));
    }
}
