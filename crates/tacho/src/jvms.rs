//! JVMs by name: `tacho profile petclinic` instead of a process number.

use std::io::{IsTerminal, Write, stdin};
use tacho_observe::process::{Status, Words, pids};

/// JVMs that are listed.
const LISTED: usize = 20;
/// Options of `java` whose value is the next word.
const WITH_VALUE: [&str; 7] = [
    "-cp",
    "-classpath",
    "--class-path",
    "-p",
    "--module-path",
    "--add-modules",
    "--upgrade-module-path",
];

/// A JVM that runs, and what it can be called.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Jvm {
    pid: u32,
    /// Main class, or jar without its folder and ending.
    name: String,
    /// Name of the folder that it works in.
    folder: String,
    /// If its process numbers are those of a container: the container's host name (in a pod, the
    /// name of the pod).
    container: Option<String>,
}

impl Jvm {
    fn line(&self) -> String {
        let container = self.container.as_ref();
        let container = container.map_or_else(String::new, |host| format!(", container {host}"));
        let folder = printable(&self.folder);
        format!("{:>8}  {}  (in {folder}{container})", self.pid, self.name)
    }
}

/// A process number, or the JVM with this name. If several match, the user chooses on a terminal.
///
/// # Errors
/// If no JVM matches, or several do and there is no terminal: a sentence that lists them.
pub fn of(text: &str) -> Result<u32, String> {
    if let Ok(pid) = text.parse() {
        return Ok(pid);
    }
    let jvms = running();
    let found = named(&jvms, text);
    match found.as_slice() {
        [] => Err(match jvms.is_empty() {
            true => "no JVM runs here that can be seen; give the number of its process".to_owned(),
            false => format!(
                "no JVM is called so; there are:\n{}",
                list(&jvms.iter().collect::<Vec<_>>())
            ),
        }),
        [one] => Ok(one.pid),
        several if stdin().is_terminal() && std::io::stderr().is_terminal() => pick(several),
        several => Err(format!(
            "several JVMs are called so; give the number of one:\n{}",
            list(several)
        )),
    }
}

/// JVMs with exactly this name, simple class name or container name. If there are none: those whose
/// name, folder or container contains it.
fn named<'j>(jvms: &'j [Jvm], text: &str) -> Vec<&'j Jvm> {
    let text = text.to_lowercase();
    // "java" matches every JVM. A user who types it wants the list.
    if text == "java" {
        return Vec::new();
    }
    let name = |jvm: &Jvm| jvm.name.to_lowercase();
    let simple = |jvm: &Jvm| name(jvm).rsplit('.').next().unwrap_or_default().to_owned();
    let container = |jvm: &Jvm| jvm.container.as_deref().unwrap_or_default().to_lowercase();
    let exact: Vec<&Jvm> = jvms
        .iter()
        .filter(|jvm| [name(jvm), simple(jvm), container(jvm)].contains(&text))
        .collect();
    if !exact.is_empty() {
        return exact;
    }
    let has = |jvm: &&Jvm| {
        let all = [name(jvm), jvm.folder.to_lowercase(), container(jvm)];
        all.iter().any(|one| one.contains(&text))
    };
    jvms.iter().filter(has).collect()
}

fn running() -> Vec<Jvm> {
    let own = std::process::id();
    let all = pids().into_iter().flatten().flatten();
    all.filter(|pid| *pid != own && tacho_memory::is_jvm(*pid))
        .filter_map(|pid| {
            let line = Words::CommandLine.of(pid).ok()?;
            let folder = std::fs::read_link(format!("/proc/{pid}/cwd")).ok();
            let folder = folder.and_then(|path| Some(path.file_name()?.to_str()?.to_owned()));
            Some(Jvm {
                pid,
                name: name_of(&line),
                folder: folder.unwrap_or_default(),
                container: container_of(pid),
            })
        })
        .collect()
}

/// The kubelet and container runtimes such as Docker set `HOSTNAME` to the host name inside the
/// container.
fn container_of(pid: u32) -> Option<String> {
    let inner = Status::of(pid).ok()?.inner_pid?;
    (inner != pid).then(|| {
        let environment = Words::Environment.of(pid).unwrap_or_default();
        let host = environment
            .split(|b| *b == 0)
            .find_map(|word| word.strip_prefix(b"HOSTNAME="));
        printable(&String::from_utf8_lossy(host.unwrap_or(b"?")))
    })
}

/// What a command line starts: the jar after `-jar`, or the main class.
fn name_of(line: &[u8]) -> String {
    let words = line.split(|b| *b == 0).filter(|word| !word.is_empty());
    let words: Vec<String> = words
        .map(|word| String::from_utf8_lossy(word).into_owned())
        .collect();
    let mut rest = words.iter().skip(1);
    while let Some(word) = rest.next() {
        match word.as_str() {
            "-jar" => {
                let jar = rest.next().map_or("", String::as_str);
                let file = jar.rsplit('/').next().unwrap_or(jar);
                return printable(file.strip_suffix(".jar").unwrap_or(file));
            }
            "-m" | "--module" => return printable(rest.next().map_or("", String::as_str)),
            option if WITH_VALUE.contains(&option) => {
                rest.next();
            }
            option if option.starts_with('-') || option.starts_with('@') => {}
            class => return printable(class),
        }
    }
    printable(words.first().map_or("", String::as_str))
}

/// A process may have any name. Removes characters that could move a terminal's cursor.
fn printable(text: &str) -> String {
    text.chars().filter(|c| !c.is_control()).take(100).collect()
}

fn list(jvms: &[&Jvm]) -> String {
    let listed = jvms.iter().take(LISTED);
    let lines: Vec<String> = listed
        .map(|jvm| format!("  {}", jvm.line()))
        .chain(further(jvms))
        .collect();
    lines.join("\n")
}

/// What is said of those that are not listed.
fn further(jvms: &[&Jvm]) -> Option<String> {
    let more = jvms.len().checked_sub(LISTED).filter(|more| *more > 0)?;
    Some(format!("  and {more} more: a longer name names fewer"))
}

fn pick(jvms: &[&Jvm]) -> Result<u32, String> {
    let mut out = std::io::stderr();
    for (number, jvm) in (1..).zip(jvms.iter().take(LISTED)) {
        let _ = writeln!(out, "{number:>3}  {}", jvm.line());
    }
    if let Some(further) = further(jvms) {
        let _ = writeln!(out, "{further}");
    }
    let _ = write!(out, "Which of them? ");
    let mut answer = String::new();
    let _ = stdin().read_line(&mut answer);
    let number: Option<usize> = answer.trim().parse().ok();
    let chosen = number.and_then(|number| jvms.get(number.checked_sub(1)?));
    chosen
        .map(|jvm| jvm.pid)
        .ok_or_else(|| "none of them was chosen".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(words: &str) -> Vec<u8> {
        words.replace(' ', "\0").into_bytes()
    }

    #[test]
    fn those_that_are_not_listed_are_counted() {
        let jvm = |pid| Jvm {
            pid,
            name: "shop".to_owned(),
            folder: "/srv".to_owned(),
            container: None,
        };
        let all: Vec<Jvm> = (0..23).map(jvm).collect();
        let told = list(&all.iter().collect::<Vec<_>>());
        assert_eq!(told.lines().count(), LISTED + 1);
        assert!(
            told.ends_with("and 3 more: a longer name names fewer"),
            "{told}"
        );
        let few = list(&all.iter().take(LISTED).collect::<Vec<_>>());
        assert!(!few.contains("more"), "{few}");
    }

    #[test]
    fn a_jvm_is_called_by_its_jar_or_its_main_class() {
        for (words, name) in [
            (
                "java -Xmx1g -jar target/petclinic-3.5.jar --server.port=1",
                "petclinic-3.5",
            ),
            (
                "/opt/jdk/bin/java -cp a.jar:b.jar com.acme.Shop 8080",
                "com.acme.Shop",
            ),
            (
                "java @flags -p mods -m shop/com.acme.Shop",
                "shop/com.acme.Shop",
            ),
            ("java", "java"),
        ] {
            assert_eq!(name_of(&line(words)), name);
        }
        assert_eq!(name_of(b"java\0evil\x1b[2J"), "evil[2J");
    }

    #[test]
    fn an_exact_name_goes_before_a_part_of_one() {
        let jvm = |pid, name: &str, folder: &str| Jvm {
            pid,
            name: name.to_owned(),
            folder: folder.to_owned(),
            container: None,
        };
        let jvms = [
            jvm(1, "com.acme.Shop", "work"),
            jvm(2, "shop-stub", "work"),
            jvm(3, "app", "petclinic"),
            Jvm {
                container: Some("orders-7d9f-x2x".to_owned()),
                ..jvm(4, "app", "work")
            },
        ];
        let found = |text| -> Vec<u32> { named(&jvms, text).iter().map(|jvm| jvm.pid).collect() };
        assert_eq!(found("shop"), [1]);
        assert_eq!(found("sho"), [1, 2]);
        assert_eq!(found("PetClinic"), [3]);
        assert_eq!(found("app"), [3, 4]);
        assert_eq!(found("orders-7d9f-x2x"), [4]);
        assert_eq!(found("orders"), [4]);
        assert!(found("none").is_empty());
        // What each of them is, a folder, and a source that is run as it is.
        let sources = [jvm(1, "java", "java"), jvm(2, "Shop.java", "work")];
        assert!(named(&sources, "java").is_empty());
        assert_eq!(named(&sources, "shop").len(), 1);
        assert_eq!(
            list(&[&jvms[0], &jvms[3]]),
            "         1  com.acme.Shop  (in work)\n         4  app  (in work, container orders-7d9f-x2x)"
        );
    }
}
