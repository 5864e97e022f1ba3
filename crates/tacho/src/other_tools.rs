//! Words from other tools, and what they are called here. Shown only beside a usage error.

use clap::error::{ContextKind, ContextValue, ErrorKind};

/// Flags of other tools by our command: the flag there, and what comes closest here.
const FLAGS: [(&str, &str, &str); 21] = [
    (
        "load",
        "--vus",
        "-c, --connections: each carries one request at a time, as a virtual user does (k6)",
    ),
    (
        "load",
        "--iterations",
        "-n, --requests: how many in all (k6)",
    ),
    ("load", "--rps", "-r, --rate: requests a second (k6)"),
    (
        "load",
        "--parallelism",
        "--workers: how many send together (the operator of k6)",
    ),
    (
        "load",
        "--stage",
        "--ramp or --steps: rates that change (k6)",
    ),
    (
        "load",
        "--stages",
        "--ramp or --steps: rates that change (k6)",
    ),
    ("load", "--concurrency", "-c, --connections (ab, hey)"),
    (
        "load",
        "--users",
        "-c, --connections: each carries one request at a time (Locust)",
    ),
    (
        "load",
        "--spawn-rate",
        "--join: connections join in over a time (Locust)",
    ),
    (
        "load",
        "--threads",
        "-c, --connections: one thread serves all of them (wrk, JMeter)",
    ),
    (
        "load",
        "--latency",
        "nothing: quantiles are always shown (wrk)",
    ),
    (
        "load",
        "--script",
        "-t, --targets: a list, a HAR or a Postman collection; scripts are not read (k6, wrk)",
    ),
    ("load", "--run-time", "-d, --duration (Locust)"),
    ("load", "--replicas", "--workers: how many send together"),
    (
        "load",
        "--insecure-skip-tls-verify",
        "-k, --insecure (k6, kubectl)",
    ),
    ("rollout", "--replicas", "--change scale=PODS (kubectl)"),
    (
        "rollout",
        "--grace-period",
        "--change kill: a pod is deleted without time to end (kubectl)",
    ),
    (
        "image",
        "--tag",
        "--name: the name that the image gets (docker)",
    ),
    (
        "image",
        "-t",
        "--name: the name that the image gets; before it stands the artifact itself, such as target/orders.jar and no folder, and -o, --output names the file to write (docker)",
    ),
    (
        "image",
        "--file",
        "nothing: no Dockerfile is read, the artifact is named (docker)",
    ),
    (
        "run",
        "--replicas",
        "--launches: how often each variant is started",
    ),
];

/// The subcommands of `kubectl rollout`.
const OF_ROLLOUT: [&str; 6] = ["restart", "status", "undo", "pause", "resume", "history"];

/// What the wrong word is called here; `words` are those of the command line, the program first.
pub fn hint(words: &[String], error: &clap::Error) -> Option<String> {
    let command = words.get(1)?;
    if command == "rollout" && words.get(2).is_some_and(|it| OF_ROLLOUT.contains(&&**it)) {
        return Some(as_kubectl(words));
    }
    if error.kind() != ErrorKind::UnknownArgument {
        return None;
    }
    let Some(ContextValue::String(flag)) = error.get(ContextKind::InvalidArg) else {
        return None;
    };
    let flag = flag.split('=').next()?;
    let known = FLAGS
        .iter()
        .find(|(of, there, _)| of == command && *there == flag);
    known.map(|(_, there, here)| format!("what `{there}` is elsewhere is here: {here}"))
}

/// The command that corresponds to `kubectl rollout restart deployment/users -n shop`.
fn as_kubectl(words: &[String]) -> String {
    let is_name = |word: &&String| !word.starts_with('-');
    let name = words
        .get(3)
        .filter(is_name)
        .map_or("NAME", |name| plain(name));
    let mut after = words
        .iter()
        .skip_while(|word| !matches!(word.as_str(), "-n" | "--namespace"));
    let namespace = after
        .nth(1)
        .map_or_else(String::new, |of| format!(" -n {of}"));
    format!(
        "the Deployment comes first here, and what is done to it by --change (restart is the default): tacho rollout {name} / --rate 20 --on kubernetes{namespace}"
    )
}

/// `deployment/users` names `users`, as kubectl has it.
pub fn plain(name: &str) -> &str {
    let kinds = ["deployment/", "deployments/", "deployment.apps/", "deploy/"];
    let mut plain = kinds.iter().filter_map(|kind| name.strip_prefix(kind));
    plain.next().unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arguments::Arguments;
    use clap::{CommandFactory, Parser};

    fn told(line: &str) -> Option<String> {
        let words: Vec<String> = line.split(' ').map(str::to_owned).collect();
        let error = Arguments::try_parse_from(&words).unwrap_err();
        hint(&words, &error)
    }

    #[test]
    fn flags_of_others_are_named_as_they_are_here() {
        let told = |line: &str| told(line).unwrap();
        assert!(told("tacho load --vus 10 http://a/").contains("--connections"));
        assert!(told("tacho load --parallelism=2 http://a/").contains("--workers"));
        let restart = told("tacho rollout restart deployment/users -n shop");
        assert!(restart.contains("tacho rollout users / --rate 20 --on kubernetes -n shop"));
    }

    #[test]
    fn a_word_that_nobody_has_gets_no_hint() {
        assert_eq!(told("tacho load --nonsense http://a/"), None);
        assert_eq!(told("tacho load --rate x http://a/"), None);
    }

    /// A hint is for what is wrong.
    #[test]
    fn none_of_them_is_a_flag_of_ours() {
        let all = Arguments::command();
        for (command, there, _) in FLAGS {
            let of = all.find_subcommand(command).unwrap();
            let mut ours = of.get_arguments().filter_map(clap::Arg::get_long);
            let there = there.trim_start_matches('-');
            assert!(ours.all(|ours| ours != there), "{command} {there}");
        }
    }

    #[test]
    fn a_name_may_have_its_kind_before_it() {
        assert_eq!(plain("deployment/users"), "users");
        assert_eq!(plain("deploy/users"), "users");
        assert_eq!(plain("users"), "users");
    }
}
