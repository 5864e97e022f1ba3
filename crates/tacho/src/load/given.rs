//! The arguments and files that a worker elsewhere gets: everything that says what is sent and how.
//! When it is sent is ordered later, phase by phase.

use super::arguments::{How, What, When};
use super::error::LoadCommandError as Error;
use super::requests::Asked;
use clap::parser::ValueSource;
use clap::{Arg, ArgMatches, Args, Command};
use std::io::{BufRead, BufReader};
use std::net::IpAddr;
use std::path::{Component, Path, PathBuf};
use tacho_image::AUTHORITIES;
use tacho_import::{Given as Targets, TargetSyntax};
use tacho_run_folder::{PhaseKind, PhasePlan, ScheduleSpec};
use tacho_workers::remote::Given;
use tacho_workload::{Body, Workload};

/// Left out, because imports of `.proto` files may be anywhere. A set of descriptors is sent
/// instead.
const OF_PROTOS: [&str; 2] = ["protos", "import_path"];

/// Selects from the arguments of this command the ones that a worker needs, as arguments of `tacho
/// load`. `url` is the URL for the worker. Files that are made for it go into `folder`.
pub fn given(
    matches: &ArgMatches,
    url: Option<&str>,
    what: &What,
    how: &How,
    asked: &Asked,
    plans: &[PhasePlan],
    folder: &Path,
) -> Result<Given, Error> {
    if how.unix_socket.is_some() {
        return Err(Error::NotElsewhere("--unix-socket"));
    }
    if what.grpc.asks_the_server() {
        return Err(Error::ProtosetElsewhere);
    }
    let origin = asked.endpoint.origin().to_string();
    if is_loopback(&origin) {
        return Err(Error::OwnPod(origin));
    }
    let is_stdin = |path: &PathBuf| path.as_os_str() == "-";
    if what.targets.iter().chain(&what.environments).any(is_stdin) {
        return Err(Error::WorkersNeedFile);
    }
    let mut files = Files::default();
    let mut arguments = Vec::new();
    for argument in said_of_requests() {
        if OF_PROTOS.contains(&argument.get_id().as_str()) {
            continue;
        }
        for value in values(matches, &argument)? {
            let Some(long) = argument.get_long() else {
                continue;
            };
            arguments.push(match value {
                None => format!("--{long}"),
                Some(value) => {
                    let there = files.renamed(argument.get_id().as_str(), value);
                    format!("--{long}={there}")
                }
            });
        }
    }
    if let Some(set) = what.grpc.set_of_protos()? {
        let path = folder.join("of-protos.binpb");
        tacho_files::replace(&path, &set).map_err(|source| Error::NotGiven {
            path: path.clone(),
            source,
        })?;
        arguments.push(format!("--protoset={}", files.take("protoset", &path)));
    }
    match &asked.given {
        Some(Targets::Whole(imported, base)) => files.named_by(&imported.workload, base)?,
        Some(Targets::Listed(list, TargetSyntax::Text)) => files.named_in(list)?,
        // Bodies stand in the other syntax itself.
        Some(Targets::Listed(..)) | None => {}
    }
    if let Some(bundle) = authorities(how, asked) {
        arguments.push(format!("--ca={}", files.take("ca", &bundle)));
    }
    for plan in plans {
        if let PhaseKind::Scheduled {
            schedule: ScheduleSpec::Replay { file, .. },
            ..
        } = &plan.kind
        {
            files.take("replay", Path::new(file));
        }
    }
    arguments.extend(url.map(str::to_owned));
    Ok(Given {
        arguments,
        files: files.0,
    })
}

/// Whether the host is this machine itself, such as `http://localhost:8080`. A worker elsewhere
/// cannot reach it there.
fn is_loopback(origin: &str) -> bool {
    let authority = origin.split_once("://").map_or(origin, |(_, rest)| rest);
    let host = match authority.strip_prefix('[') {
        Some(rest) => rest.split(']').next(),
        None => authority.split(':').next(),
    };
    let host = host.unwrap_or_default();
    let is_address = |address: IpAddr| address.is_loopback();
    host == "localhost" || host.parse().is_ok_and(is_address)
}

/// The arguments that a worker needs.
fn said_of_requests() -> Vec<Arg> {
    let seed = When::augment_args(Command::new("when"));
    let seed = seed.get_arguments().find(|one| one.get_id() == "seed");
    let rest = How::augment_args(What::augment_args(Command::new("what")));
    rest.get_arguments().chain(seed).cloned().collect()
}

/// The values as given; `None` for a flag.
fn values<'a>(matches: &'a ArgMatches, argument: &Arg) -> Result<Vec<Option<&'a str>>, Error> {
    let id = argument.get_id().as_str();
    let is_given = matches
        .value_source(id)
        .is_some_and(|source| source != ValueSource::DefaultValue);
    if !is_given {
        return Ok(Vec::new());
    }
    if !argument.get_action().takes_values() {
        return Ok(vec![None]);
    }
    let raw = matches.get_raw(id).into_iter().flatten();
    raw.map(|value| Ok(Some(value.to_str().ok_or(Error::NotText)?)))
        .collect()
}

/// The system's authorities, if TLS needs them and the user named no others.
fn authorities(how: &How, asked: &Asked) -> Option<PathBuf> {
    let tls = asked.endpoint.tls.as_ref()?;
    if how.ca.is_some() || tls.insecure {
        return None;
    }
    let own = std::env::var_os("SSL_CERT_FILE").map(PathBuf::from);
    let mut all = own.into_iter().chain(AUTHORITIES.map(PathBuf::from));
    all.find(|path| path.is_file())
}

/// Files, with the names that they have on the worker.
#[derive(Debug, Default)]
struct Files(Vec<(String, PathBuf)>);

impl Files {
    /// The value of an argument, with the name of the file on the worker.
    fn renamed(&mut self, id: &str, value: &str) -> String {
        match (id, value.split_once('='), value.strip_prefix('@')) {
            ("targets", ..) => self.keep(format!("targets/{}", last(Path::new(value))), value),
            ("environments" | "ca" | "cert" | "key" | "protoset", ..) => {
                self.take(id, Path::new(value))
            }
            ("calls", Some((method, messages)), _) => match messages.strip_prefix('@') {
                Some(path) => format!("{method}=@{}", self.take("messages", Path::new(path))),
                None => value.to_owned(),
            },
            ("feeds", Some((name, path)), _) => {
                format!("{name}={}", self.take("feed", Path::new(path)))
            }
            ("body", _, Some(path)) => format!("@{}", self.take("body", Path::new(path))),
            _ => value.to_owned(),
        }
    }

    /// Takes a file under a unique name.
    fn take(&mut self, what: &str, path: &Path) -> String {
        let name = format!("{what}-{}/{}", self.0.len(), last(path));
        self.keep(name, path)
    }

    fn keep(&mut self, name: String, path: impl Into<PathBuf>) -> String {
        self.0.push((name.clone(), path.into()));
        name
    }

    /// Bodies and feeds that the targets name keep their place relative to the targets.
    fn named_by(&mut self, workload: &Workload, base: &Path) -> Result<(), Error> {
        let feeds = workload.feeds.iter().map(|feed| &feed.path);
        let bodies = workload.steps().filter_map(|step| match &step.body {
            Body::File(path) | Body::TemplateFile(path) => Some(path),
            _ => None,
        });
        let mut all = feeds.chain(bodies);
        all.try_for_each(|path| self.beside(path, base))
    }

    /// The same for bodies in a list of targets, which are lines such as `@FILE`.
    fn named_in(&mut self, list: &Path) -> Result<(), Error> {
        let base = list.parent().unwrap_or(Path::new("")).to_owned();
        let Ok(file) = tacho_files::open(list) else {
            // Reading the targets has reported this error already.
            return Ok(());
        };
        let lines = BufReader::new(file).lines().map_while(Result::ok);
        for line in lines {
            let name = line.trim().strip_prefix('@').unwrap_or_default();
            if !name.is_empty() {
                self.beside(Path::new(name), &base)?;
            }
        }
        Ok(())
    }

    fn beside(&mut self, path: &Path, base: &Path) -> Result<(), Error> {
        let mut parts = path.components();
        if !parts.all(|part| matches!(part, Component::Normal(_))) {
            return Err(Error::OutsideOfTargets(path.to_owned()));
        }
        let name = format!("targets/{}", path.display());
        if !self.0.iter().any(|(known, _)| *known == name) {
            self.keep(name, base.join(path));
        }
        Ok(())
    }
}

fn last(path: &Path) -> String {
    let name = path.file_name().unwrap_or(path.as_os_str());
    name.to_string_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::load::arguments::Load;
    use clap::FromArgMatches;

    fn of(words: &[&str]) -> Result<Given, Error> {
        of_in(Path::new("/nowhere"), words)
    }

    fn of_in(folder: &Path, words: &[&str]) -> Result<Given, Error> {
        let command = Load::augment_args(Command::new("load"));
        let words = ["load"].iter().chain(words);
        let matches = command.try_get_matches_from(words).unwrap();
        let load = Load::from_arg_matches(&matches).unwrap();
        let asked = Asked::of(load.url.as_deref(), &load.what, &load.how)?;
        let plans = super::super::phases::phases(&load, None)?;
        let url = load.url.as_deref();
        given(&matches, url, &load.what, &load.how, &asked, &plans, folder)
    }

    #[test]
    fn a_worker_gets_what_it_sends_and_not_when() {
        let given = of(&[
            "--rate",
            "5",
            "-H",
            "Accept: text/plain",
            "-b",
            "{\"a\": 1}",
            "--follow",
            "-e",
            "status=200",
            "-e",
            "body~ok",
            "--cookies",
            "--seed=7",
            "--check",
            "p99<1s",
            "--workers=2",
            "http://there:80/a?b=c",
        ])
        .unwrap();
        let expected = [
            "--header=Accept: text/plain",
            "--body={\"a\": 1}",
            "--expect=status=200",
            "--expect=body~ok",
            "--follow=10",
            "--cookies",
            "--seed=7",
            "http://there:80/a?b=c",
        ];
        assert_eq!(given.arguments, expected);
        assert!(given.files.is_empty());
    }

    #[test]
    fn files_have_names_of_their_own_there() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name).display().to_string();
        std::fs::write(at("a.csv"), "name\nann\n").unwrap();
        let (one, other) = (
            format!("one={}", at("a.csv")),
            format!("two={}", at("a.csv")),
        );
        let body = format!("@{}", at("body.json"));
        let given = of(&[
            "--feed",
            &one,
            "--feed",
            &other,
            "-b",
            &body,
            "http://there/",
        ])
        .unwrap();
        let expected = [
            "--body=@body-0/body.json",
            "--feed=one=feed-1/a.csv",
            "--feed=two=feed-2/a.csv",
            "http://there/",
        ];
        assert_eq!(given.arguments, expected);
        let names: Vec<&str> = given.files.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["body-0/body.json", "feed-1/a.csv", "feed-2/a.csv"]);
        assert_eq!(given.files[1].1, folder.path().join("a.csv"));
    }

    #[test]
    fn a_recorded_schedule_is_taken_along() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("instants.txt").display().to_string();
        std::fs::write(&file, "0.5\n1.0\n").unwrap();
        let given = of(&["--replay", &file, "http://there/"]).unwrap();
        assert_eq!(given.arguments, ["http://there/"]);
        assert_eq!(
            given.files,
            [("replay-0/instants.txt".to_owned(), file.into())]
        );
    }

    #[test]
    fn a_list_comes_with_the_bodies_that_it_names() {
        let folder = tempfile::tempdir().unwrap();
        let list = folder.path().join("list.txt");
        let text = "POST http://there/a\n@bodies/a.json\n\nPOST http://there/b\n@bodies/a.json\n";
        std::fs::write(&list, text).unwrap();
        let path = list.display().to_string();
        let words = ["--targets", &path, "--rate", "5", "http://there/"];
        let given = of(&words).unwrap();
        let expected = ["--targets=targets/list.txt", "http://there/"];
        assert_eq!(given.arguments, expected);
        let body = folder.path().join("bodies/a.json");
        let expected = [
            ("targets/list.txt".to_owned(), list.clone()),
            ("targets/bodies/a.json".to_owned(), body),
        ];
        assert_eq!(given.files, expected);
        std::fs::write(&list, "POST http://there/a\n@/etc/passwd\n").unwrap();
        let refused = of(&words).unwrap_err();
        assert!(refused.to_string().contains("/etc/passwd"), "{refused}");
    }

    #[test]
    fn the_loopback_of_a_worker_is_another_one() {
        for origin in [
            "http://localhost:8080",
            "https://127.0.0.1",
            "http://[::1]:80",
        ] {
            assert!(is_loopback(origin), "{origin}");
        }
        for origin in [
            "http://users",
            "http://localhost.shop:80",
            "http://10.0.0.1",
            "http://[fd00::1]",
        ] {
            assert!(!is_loopback(origin), "{origin}");
        }
        let refused = of(&["http://localhost:8080/ping"]).unwrap_err();
        assert!(refused.to_string().contains("http://SERVICE"), "{refused}");
    }

    #[test]
    fn proto_files_become_one_set_of_descriptors() {
        let folder = tempfile::tempdir().unwrap();
        let proto = folder.path().join("shop.proto");
        let text = "syntax = \"proto3\"; package shop; message M { string s = 1; } \
                    service Orders { rpc Get(M) returns (M); }";
        std::fs::write(&proto, text).unwrap();
        let proto = proto.display().to_string();
        let call = r#"shop.Orders/Get={"s": "a"}"#;
        let words = ["--call", call, "--proto", &proto, "http://there:50051"];
        let given = of_in(folder.path(), &words).unwrap();
        let set = given
            .arguments
            .iter()
            .find(|it| it.starts_with("--protoset="));
        assert!(set.is_some(), "{:?}", given.arguments);
        assert!(!given.arguments.iter().any(|it| it.contains("shop.proto")));
        // By it the same call is made.
        let (_, path) = given.files.first().unwrap();
        let set = path.display().to_string();
        let words = ["--call", call, "--protoset", &set, "http://there:50051"];
        assert!(of(&words).is_ok());
    }

    #[test]
    fn what_cannot_be_taken_along_is_refused() {
        let refused = of(&["--unix-socket", "/run/a.sock", "http://there/"]).unwrap_err();
        assert!(refused.to_string().contains("--unix-socket"), "{refused}");
    }

    #[test]
    fn files_beside_the_targets_stay_beside_them() {
        let mut files = Files::default();
        let mut workload = Workload::of(tacho_workload::Step {
            body: Body::File("bodies/a.json".into()),
            ..tacho_workload::Step::default()
        });
        files.named_by(&workload, Path::new("/lab")).unwrap();
        let expected = (
            "targets/bodies/a.json".to_owned(),
            "/lab/bodies/a.json".into(),
        );
        assert_eq!(files.0, [expected]);
        for step in workload.steps_mut() {
            step.body = Body::File("../a.json".into());
        }
        assert!(files.named_by(&workload, Path::new("/lab")).is_err());
    }
}
