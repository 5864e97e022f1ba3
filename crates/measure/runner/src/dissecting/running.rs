//! What a running JVM says of itself: flags, system properties, and the variables that it was
//! started with. Values of secret names are masked before they are kept.

use std::collections::BTreeMap;
use tacho_attach::Jvm;
use tacho_observe::process::Words;
use tacho_run_folder::RunningJvm;

/// Differ from launch to launch, or say what the command line says.
const OF_THE_LAUNCH: [&str; 11] = [
    "java.class.path",
    "jdk.module.path",
    "sun.java.command",
    "user.dir",
    "PID",
    "PWD",
    "OLDPWD",
    "SHLVL",
    "_",
    "LOG_FILE",
    "LOGGED_APPLICATION_NAME",
];

/// Asks it; what it does not tell is empty.
pub fn running(pid: u32) -> Option<RunningJvm> {
    let jvm = Jvm::attach(pid).ok()?;
    let flags = jvm.jcmd("VM.flags").unwrap_or_default();
    let properties = jvm.properties().unwrap_or_default();
    let environment = Words::Environment.of(pid).unwrap_or_default();
    Some(RunningJvm {
        flags: read_flags(&flags),
        properties: kept(properties),
        environment: kept(variables(&environment)),
    })
}

/// `UseG1GC` is `on` of `-XX:+UseG1GC`; values as they are.
fn read_flags(answer: &str) -> BTreeMap<String, String> {
    let words = answer.split_whitespace();
    words
        .filter_map(|word| {
            let flag = word.strip_prefix("-XX:")?;
            let (name, value) = match (flag.strip_prefix('+'), flag.strip_prefix('-')) {
                (Some(name), _) => (name, "on"),
                (_, Some(name)) => (name, "off"),
                _ => flag.split_once('=')?,
            };
            Some((format!("-XX:{name}"), value.to_owned()))
        })
        .collect()
}

fn variables(environment: &[u8]) -> BTreeMap<String, String> {
    let variables = environment.split(|byte| *byte == 0);
    let text = variables.map(String::from_utf8_lossy);
    text.filter_map(|variable| {
        let (name, value) = variable.split_once('=')?;
        Some((name.to_owned(), value.to_owned()))
    })
    .collect()
}

fn kept(values: BTreeMap<String, String>) -> BTreeMap<String, String> {
    let masking = tacho_masking::current();
    let is_kept =
        |name: &String| !OF_THE_LAUNCH.contains(&name.as_str()) && !name.starts_with("TACHO_");
    values
        .into_iter()
        .filter(|(name, _)| is_kept(name))
        .map(|(name, value)| {
            let value = masking.value(&name, &value);
            (name, value)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags_are_read_as_the_jvm_prints_them() {
        let flags = read_flags("4711:\n-XX:MaxHeapSize=64 -XX:+UseG1GC -XX:-TieredCompilation \n");
        let told: Vec<String> = flags.iter().map(|(k, v)| format!("{k}={v}")).collect();
        assert_eq!(
            told,
            [
                "-XX:MaxHeapSize=64",
                "-XX:TieredCompilation=off",
                "-XX:UseG1GC=on"
            ]
        );
    }
}
