//! From the flags to what is sent, and where to.

use super::arguments::{CONNECT_TIMEOUT, FeedOrder, How, TIMEOUT, What};
use super::error::LoadCommandError as Error;
use std::num::NonZeroU32;
use std::path::Path;
use std::time::Duration;
use tacho_import::{Connection, Given, Wanted};
use tacho_load::{ClientIdentity, Endpoint, Options, Protocol, Scripted, Source};
use tacho_workload::{Body, Feed, Step, Workload};

/// What is sent, and where to.
pub struct Asked {
    /// What `--targets` names; absent without it.
    pub given: Option<Given>,
    pub endpoint: Endpoint,
    /// Of the URL.
    path: String,
}

impl Asked {
    /// Reads the targets, and applies the flags on top.
    pub fn of(url: Option<&str>, what: &What, how: &How) -> Result<Self, Error> {
        if what.targets.is_some() {
            refuse_flags(what)?;
        }
        let given = what.targets.as_deref();
        let base = url.and_then(|url| url.parse().ok());
        let wanted = Wanted {
            format: what.format,
            base: base.as_ref(),
            environments: &what.environments,
        };
        let given = given.map(|path| Given::read(path, &wanted));
        let given = given.transpose()?;
        let imported = given.as_ref().and_then(Given::imported);
        let origin = || Some(given.as_ref()?.origin()?.to_string());
        let url = url.map(str::to_owned).or_else(origin);
        let url = url.ok_or(Error::NoUrl)?;
        let (endpoint, path) = Endpoint::parse_url(&url)?;
        if (given.is_some() || what.grpc.is_asked()) && path != "/" {
            // What is asked of it may be secret.
            let path = match path.split('?').next() {
                None | Some("" | "/") => String::new(),
                Some(path) => format!(" ({path})"),
            };
            return Err(Error::PathAndTargets { path });
        }
        let wishes = imported.map(|imported| imported.connection.clone());
        let endpoint = talking(endpoint, what, how)?;
        let mut endpoint = laid_over(how, endpoint.wished(wishes.unwrap_or_default()), url)?;
        let given = match what.grpc.is_asked() {
            false => given,
            true => {
                endpoint = endpoint.speaking(Protocol::Http2);
                Some(what.grpc.given(&endpoint, how)?)
            }
        };
        Ok(Self {
            given,
            endpoint,
            path,
        })
    }

    /// The URL as it is shown, with secrets masked.
    pub fn url(&self) -> String {
        let url = format!("{}{}", self.endpoint.origin(), self.path);
        tacho_masking::current().text(&url)
    }

    /// What the targets ask for that is not supported, and what a reader of the results should know
    /// about how requests are sent.
    pub fn notes(&self) -> Vec<String> {
        let imported = self.given.as_ref().and_then(Given::imported);
        let mut notes: Vec<String> = imported
            .into_iter()
            .flat_map(|imported| imported.notes.iter())
            .map(ToString::to_string)
            .collect();
        let passed_over = self.given.as_ref().map(Given::passed_over);
        notes.extend(
            passed_over
                .unwrap_or_default()
                .into_iter()
                .map(|field| format!("the targets: vegeta has no field `{field}`; it is not used")),
        );
        if imported.is_some_and(|imported| imported.connection.insecure)
            && self.endpoint.tls.as_ref().is_some_and(|tls| !tls.insecure)
        {
            notes.push(
                "the targets ask not to verify who answers; that is done only with --insecure"
                    .to_owned(),
            );
        }
        notes.extend(self.endpoint.caveats().into_iter().map(str::to_owned));
        notes.extend(self.endpoint.unused_proxy(|name| std::env::var(name).ok()));
        let masking = tacho_masking::current();
        notes.iter().map(|note| masking.text(note)).collect()
    }

    /// The source of requests for the engine. `marks` are headers that are added to every request,
    /// except to those of a list in vegeta's format, which are sent unchanged.
    pub fn source(
        &self,
        what: &What,
        seed: u64,
        marks: &[(String, String)],
    ) -> Result<Box<dyn Source>, Error> {
        let (workload, base) = match &self.given {
            Some(Given::Listed(path, syntax)) => {
                refuse_of_list(what)?;
                let headers = &what.headers;
                return Ok(tacho_load::targets(path, *syntax, &self.endpoint, headers)?);
            }
            Some(Given::Whole(imported, base)) => (imported.workload.clone(), base.as_path()),
            None if self.endpoint.websocket.is_some() => {
                (messages(what, &self.path), Path::new("."))
            }
            None => (from_flags(what, &self.path), Path::new(".")),
        };
        let mut workload = with_flags(workload, what)?;
        workload.mask();
        for step in workload.steps_mut() {
            step.headers.extend_from_slice(marks);
        }
        Ok(Box::new(Scripted::of(
            &workload,
            base,
            &self.endpoint,
            seed,
        )?))
    }

    /// The timeouts and other options of the engine. Timeouts of the targets hold where no flag
    /// says otherwise.
    pub fn options(&self, how: &How, seed: u64) -> Options {
        let imported = self.given.as_ref().and_then(Given::imported);
        let wished = |of: fn(&Connection) -> Option<Duration>| {
            imported.and_then(|imported| of(&imported.connection))
        };
        let connect = how
            .connect_timeout
            .or(wished(|asked| asked.connect_timeout));
        let request = how.timeout.or(wished(|asked| asked.timeout));
        Options {
            connect_timeout: connect.unwrap_or(CONNECT_TIMEOUT),
            request_timeout: request.unwrap_or(TIMEOUT),
            batch: how.batch,
            streams_per_connection: NonZeroU32::new(how.streams).unwrap_or(NonZeroU32::MIN),
            seed,
            shares_one_processor: false,
            names_connections: false,
        }
    }
}

/// For a WebSocket, the headers are sent when it is opened, and the body is the message.
fn talking(mut endpoint: Endpoint, what: &What, how: &How) -> Result<Endpoint, Error> {
    let Some(opened) = &mut endpoint.websocket else {
        return match what.greeting {
            None => Ok(endpoint),
            Some(_) => Err(Error::NoWebSocket),
        };
    };
    let not_of_it = [
        ("--targets", what.targets.is_some()),
        ("--call", what.grpc.is_asked()),
        ("--method", what.method.is_some()),
        ("--cookies", what.cookies),
        ("--follow", what.follow > 0),
        ("--http2", how.http2),
    ];
    if let Some((flag, _)) = not_of_it.iter().find(|(_, is_given)| *is_given) {
        return Err(Error::NotOfWebSocket { flag });
    }
    if what.body.as_deref().is_none_or(str::is_empty) {
        return Err(Error::NothingToSay);
    }
    if let Some((name, value)) = what.headers.iter().find(|(_, value)| value.contains("{{")) {
        return Err(Error::PlaceholderInUpgrade {
            header: format!("{name}: {value}"),
        });
    }
    opened.headers.clone_from(&what.headers);
    opened.greeting = what.greeting.unwrap_or(0);
    Ok(endpoint)
}

fn laid_over(how: &How, mut endpoint: Endpoint, url: String) -> Result<Endpoint, Error> {
    // The flag takes precedence over what an import asks for.
    if how.http2 {
        endpoint = endpoint.speaking(Protocol::Http2);
    }
    if let Some(socket) = &how.unix_socket {
        endpoint = endpoint.over_unix_socket(socket);
    }
    let asks_for_tls =
        how.insecure || how.server_name.is_some() || how.ca.is_some() || how.cert.is_some();
    match &mut endpoint.tls {
        Some(tls) => {
            tls.ca_file = how.ca.clone().or(tls.ca_file.take());
            let identity = how.cert.clone().zip(how.key.clone());
            tls.identity = identity
                .map(|(certificate, key)| ClientIdentity { certificate, key })
                .or(tls.identity.take());
            tls.server_name.clone_from(&how.server_name);
            tls.insecure = how.insecure;
        }
        None if asks_for_tls => return Err(Error::NotTls { url }),
        None => {}
    }
    Ok(endpoint)
}

/// One request, as the flags describe it.
pub fn from_flags(what: &What, path: &str) -> Workload {
    let body = match what.body.as_deref() {
        None => Body::None,
        Some(text) => match text.strip_prefix('@') {
            Some(file) => Body::TemplateFile(file.into()),
            None => Body::Template(text.to_owned()),
        },
    };
    let implied = if body == Body::None { "GET" } else { "POST" };
    let method = what.method.clone().unwrap_or_else(|| implied.to_owned());
    let shown = path.split_once('?').map_or(path, |(path, _)| path);
    Workload::of(Step {
        name: format!("{method} {shown}"),
        method,
        path: path.to_owned(),
        headers: what.headers.clone(),
        body,
        events: what.events,
        checks: what.expects.clone(),
        ..Step::default()
    })
}

/// The same for a WebSocket. Its headers were sent when it was opened.
fn messages(what: &What, path: &str) -> Workload {
    let mut workload = from_flags(what, path);
    for scenario in &mut workload.scenarios {
        let shown = path.split_once('?').map_or(path, |(path, _)| path);
        scenario.name = format!("message to {shown}");
        for step in &mut scenario.steps {
            step.name.clone_from(&scenario.name);
            step.headers.clear();
        }
    }
    workload
}

/// Feeds, cookies, redirects and expectations also apply to imported requests.
fn with_flags(mut workload: Workload, what: &What) -> Result<Workload, Error> {
    for (name, path) in &what.feeds {
        let order = match what.feed_order {
            FeedOrder::Cycle => tacho_workload::FeedOrder::Cycle,
            FeedOrder::Once => tacho_workload::FeedOrder::Once,
            FeedOrder::Random => tacho_workload::FeedOrder::Random,
        };
        workload.feeds.push(Feed::of_file(name, path, order)?);
    }
    workload.cookies |= what.cookies;
    workload.redirects = workload.redirects.max(what.follow);
    if what.targets.is_some() || what.grpc.is_asked() {
        for step in workload.steps_mut() {
            step.events = what.events;
            step.checks.extend_from_slice(&what.expects);
            tacho_load::replace_headers(&mut step.headers, &what.headers);
        }
    }
    Ok(workload)
}

/// What needs the answers of a list, or makes its requests anew.
fn refuse_of_list(what: &What) -> Result<(), Error> {
    let given = [
        ("--events", what.events.is_some()),
        ("--expect", !what.expects.is_empty()),
        ("--cookies", what.cookies),
        ("--follow", what.follow > 0),
        ("--feed", !what.feeds.is_empty()),
    ];
    match given.iter().find(|(_, is_given)| *is_given) {
        Some((flag, _)) => Err(Error::NotOfList { flag }),
        None => Ok(()),
    }
}

fn refuse_flags(what: &What) -> Result<(), Error> {
    let given = [
        ("--method", what.method.is_some()),
        ("--body", what.body.is_some()),
    ];
    match given.iter().find(|(_, is_given)| *is_given) {
        Some((flag, _)) => Err(Error::TargetsAndRequest { flag }),
        None => Ok(()),
    }
}
