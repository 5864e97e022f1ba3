//! A Dockerfile that ships a variant the way it was launched, as far as possible: the same kind,
//! JDK release and options.

use std::path::Path;
use tacho_run_folder::PreparedVariant;

/// Where the application is in the image.
const APP: &str = "/app";

/// Kinds of which an ordinary Dockerfile can be written.
enum Shipped {
    /// One file that `java -jar` takes.
    Jar,
    /// A jar that Spring Boot's own tools take apart.
    Extracted,
    /// The same with a class archive. One option creates it, another uses it.
    Archived {
        made_by: &'static str,
        used_by: &'static str,
        file: &'static str,
    },
    /// A program that needs no JVM.
    Program,
}

/// `None` if parts of the Dockerfile would have to be guessed; then [`instead`] says what to do.
pub fn dockerfile(variant: &PreparedVariant) -> Option<String> {
    let shipped = shipped(variant)?;
    // A native image was made of the artifact, and is what is launched.
    let path = match shipped {
        Shipped::Program => variant.command.first()?,
        _ => &variant.artifact.as_ref()?.path,
    };
    let file = Path::new(path).file_name()?.to_str()?;
    // Only plain file names go into a Dockerfile. Others would need escaping, both for the
    // Dockerfile and for the shell that it runs.
    let is_plain = |text: &str| {
        let plain = |c: char| c.is_ascii_alphanumeric() || "._-+".contains(c);
        !text.is_empty() && !text.starts_with('-') && text.chars().all(plain)
    };
    if !is_plain(file) {
        return None;
    }
    if matches!(shipped, Shipped::Program) {
        let launched = std::iter::once(format!("{APP}/{file}"));
        let launched: Vec<String> = launched
            .chain(variant.command.iter().skip(1).cloned())
            .collect();
        return Some(format!(
            "# A program that is linked with the C library needs one; a static one runs FROM scratch.\n\
             FROM gcr.io/distroless/base-debian12:nonroot\n\
             COPY {file} {APP}/{file}\n\
             ENTRYPOINT {}\n",
            words(&launched)
        ));
    }
    let base = format!(
        "eclipse-temurin:{}-jre",
        release(variant.runtime.as_deref()?)?
    );
    let options = options(&variant.command)?;
    let arguments = arguments(&variant.command);
    let launched = |archive: Option<String>| {
        let mut all = vec!["java".to_owned()];
        all.extend(archive);
        all.extend(options.iter().cloned());
        all.extend(["-jar".to_owned(), format!("{APP}/{file}")]);
        all.extend_from_slice(arguments);
        words(&all)
    };
    let user = "USER 65532\n";
    Some(match shipped {
        Shipped::Jar => format!(
            "FROM {base}\nCOPY {file} {APP}/{file}\n{user}ENTRYPOINT {}\n",
            launched(None)
        ),
        Shipped::Extracted => format!(
            "{}FROM {base}\nCOPY --from=made {APP} {APP}\n{user}ENTRYPOINT {}\n",
            taken_apart(&base, file),
            launched(None)
        ),
        Shipped::Archived {
            made_by,
            used_by,
            file: archive,
        } => {
            let shell: Vec<String> = options.iter().map(|option| quoted(option)).collect();
            let train = [
                "java".to_owned(),
                format!("{made_by}{APP}/{archive}"),
                "-Dspring.context.exit=onRefresh".to_owned(),
            ]
            .into_iter()
            .chain(shell)
            .chain(["-jar".to_owned(), format!("{APP}/{file}")])
            .chain(arguments.iter().map(|argument| quoted(argument)))
            .collect::<Vec<_>>()
            .join(" ");
            format!(
                "{}# Trained by a start alone. What was measured was trained by requests, too, as `tacho image` does.\n\
                 RUN {train}\n\
                 # The same image: an archive is of one build of the JVM.\n\
                 FROM {base}\nCOPY --from=made {APP} {APP}\n{user}ENTRYPOINT {}\n",
                taken_apart(&base, file),
                launched(Some(format!("{used_by}{APP}/{archive}")))
            )
        }
        Shipped::Program => return None,
    })
}

/// The sentence in the place of a Dockerfile. By `name` the user's experiment knows the variant.
pub fn instead(variant: &PreparedVariant, name: &str) -> String {
    let makes = format!(
        "`tacho image SUBJECT --variant {} --output app.tar` makes an image of it (SUBJECT is what `tacho run` was given)",
        crate::words::quoted(name)
    );
    let way = match variant.kind.as_str() {
        "jar" | "extracted" | "war" | "cds" | "aot" | "jlink" | "native" => makes,
        // Its program is all that is known to be a part of it.
        "exec" => {
            format!("{makes}, if its command names no other file of this machine than the program")
        }
        kind => format!("`tacho image` makes no image of a variant of the kind `{kind}` either"),
    };
    format!("No Dockerfile can be given for it without guessing; {way}.")
}

fn shipped(variant: &PreparedVariant) -> Option<Shipped> {
    let by_boot = || {
        let mut commands = variant.build_commands.iter();
        commands.any(|command| command.contains("-Djarmode=tools"))
    };
    match variant.kind.as_str() {
        "jar" | "war" if variant.command.iter().any(|word| word == "-jar") => Some(Shipped::Jar),
        "extracted" if by_boot() => Some(Shipped::Extracted),
        "cds" if by_boot() => Some(Shipped::Archived {
            made_by: "-XX:ArchiveClassesAtExit=",
            used_by: "-XX:SharedArchiveFile=",
            file: "application.jsa",
        }),
        "aot" if by_boot() => Some(Shipped::Archived {
            made_by: "-XX:AOTCacheOutput=",
            used_by: "-XX:AOTCache=",
            file: "application.aot",
        }),
        "native" => Some(Shipped::Program),
        _ => None,
    }
}

fn taken_apart(base: &str, file: &str) -> String {
    format!(
        "FROM {base} AS made\nCOPY {file} /tmp/{file}\n\
         RUN java -Djarmode=tools -jar /tmp/{file} extract --destination {APP}\n"
    )
}

/// 25 of `OpenJDK 25.0.3+9 (Temurin)`, 8 of `OpenJDK 1.8.0_402`.
fn release(runtime: &str) -> Option<u32> {
    let version = runtime
        .split_whitespace()
        .find(|word| word.starts_with(|c: char| c.is_ascii_digit()))?;
    let version = version.strip_prefix("1.").unwrap_or(version);
    let end = version
        .find(|c: char| !c.is_ascii_digit())
        .unwrap_or(version.len());
    version[..end].parse().ok()
}

/// The JVM options without those for a class archive: the words between the program and `-jar`.
/// `None` if there is no `-jar`.
fn options(command: &[String]) -> Option<Vec<String>> {
    let jar = command.iter().position(|word| word == "-jar")?;
    let is_archive = |word: &str| {
        ["-XX:SharedArchiveFile=", "-XX:AOTCache=", "-Xshare:"]
            .iter()
            .any(|option| word.starts_with(option))
    };
    let own = command.get(1..jar)?.iter();
    Some(own.filter(|word| !is_archive(word)).cloned().collect())
}

/// What the program itself is given: the words after the jar.
fn arguments(command: &[String]) -> &[String] {
    let jar = command.iter().position(|word| word == "-jar");
    jar.and_then(|at| command.get(at + 2..)).unwrap_or_default()
}

/// The exec form of ENTRYPOINT, which uses no shell.
fn words(all: &[String]) -> String {
    let all: Vec<String> = all
        .iter()
        .map(|word| serde_json::Value::from(word.as_str()).to_string())
        .collect();
    format!("[{}]", all.join(", "))
}

fn quoted(word: &str) -> String {
    // In a Dockerfile, a line break ends the line even inside quotes.
    let word = word.replace(['\n', '\r'], " ");
    format!("'{}'", word.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use tacho_run_folder::ArtifactSeen;

    fn variant(kind: &str, command: &[&str], build: &[&str]) -> PreparedVariant {
        PreparedVariant {
            name: kind.to_owned(),
            kind: kind.to_owned(),
            command: command.iter().map(|&word| word.to_owned()).collect(),
            directory: "/work".to_owned(),
            environment: Default::default(),
            runtime: Some("OpenJDK 25.0.3+9 (Temurin)".to_owned()),
            build_commands: build.iter().map(|&line| line.to_owned()).collect(),
            build_s: 0.0,
            application_bytes: 1,
            runtime_bytes: 1,
            warm_up: None,
            artifact: Some(ArtifactSeen {
                path: "/work/target/app.jar".to_owned(),
                bytes: 1,
                sha256: String::new(),
            }),
            image: None,
            notes: Vec::new(),
        }
    }

    #[test]
    fn a_jar_is_launched_as_it_was() {
        let jar = variant("jar", &["java", "-Xmx64m", "-jar", "target/app.jar"], &[]);
        assert_eq!(
            dockerfile(&jar).unwrap(),
            "FROM eclipse-temurin:25-jre\n\
             COPY app.jar /app/app.jar\n\
             USER 65532\n\
             ENTRYPOINT [\"java\", \"-Xmx64m\", \"-jar\", \"/app/app.jar\"]\n"
        );
    }

    #[test]
    fn an_archive_is_made_in_the_image_that_uses_it() {
        let build = ["java -Djarmode=tools -jar app.jar extract --destination d"];
        let command = [
            "java",
            "-XX:AOTCache=/here/application.aot",
            "-jar",
            "app.jar",
        ];
        let text = dockerfile(&variant("aot", &command, &build)).unwrap();
        let images: Vec<&str> = text
            .lines()
            .filter(|line| line.starts_with("FROM"))
            .collect();
        assert_eq!(
            images,
            [
                "FROM eclipse-temurin:25-jre AS made",
                "FROM eclipse-temurin:25-jre"
            ]
        );
        assert!(
            text.contains("-XX:AOTCacheOutput=/app/application.aot"),
            "{text}"
        );
        assert!(
            text.contains("\"-XX:AOTCache=/app/application.aot\""),
            "{text}"
        );
        assert!(!text.contains("/here/"), "{text}");
        // Who takes a jar apart otherwise is not known.
        assert_eq!(dockerfile(&variant("aot", &command, &[])), None);
    }

    #[test]
    fn a_program_gets_its_arguments_and_a_native_image_is_not_its_jar() {
        let jar = ["java", "-jar", "target/app.jar", "--server.port=9000"];
        let text = dockerfile(&variant("jar", &jar, &[])).unwrap();
        assert!(
            text.contains("\"-jar\", \"/app/app.jar\", \"--server.port=9000\"]"),
            "{text}"
        );
        let image = ["/runs/1/build/native/image/application", "--port=1"];
        let text = dockerfile(&variant("native", &image, &[])).unwrap();
        assert!(
            text.contains("COPY application /app/application\n"),
            "{text}"
        );
        assert!(
            text.contains("ENTRYPOINT [\"/app/application\", \"--port=1\"]"),
            "{text}"
        );
    }

    #[test]
    fn names_that_a_dockerfile_would_read_otherwise_are_left() {
        for name in ["my app.jar", "a\nRUN evil.jar", "$(x).jar", "-f.jar"] {
            let mut jar = variant("jar", &["java", "-jar", "x"], &[]);
            jar.artifact.as_mut().unwrap().path = format!("/work/{name}");
            assert_eq!(dockerfile(&jar), None, "{name}");
        }
        assert_eq!(quoted("a'b\nRUN c"), r"'a'\''b RUN c'");
        assert_eq!(words(&["a\"b\n".to_owned()]), r#"["a\"b\n"]"#);
    }

    #[test]
    fn where_there_is_no_dockerfile_the_command_that_makes_an_image_is_named() {
        let jlink = variant("jlink", &["/runs/1/jre/bin/java", "-jar", "app.jar"], &[]);
        assert_eq!(dockerfile(&jlink), None);
        assert_eq!(
            instead(&jlink, "small"),
            "No Dockerfile can be given for it without guessing; `tacho image SUBJECT --variant small --output app.tar` makes an image of it (SUBJECT is what `tacho run` was given)."
        );
        let tomcat = variant(
            "war",
            &["java", "org.apache.catalina.startup.Bootstrap"],
            &[],
        );
        assert_eq!(dockerfile(&tomcat), None);
        assert!(instead(&tomcat, "war").contains("`tacho image SUBJECT --variant war "));
        let exec = variant("exec", &["/work/serve", "--fast"], &[]);
        assert_eq!(dockerfile(&exec), None);
        assert!(
            instead(&exec, "go").ends_with("no other file of this machine than the program."),
            "{}",
            instead(&exec, "go")
        );
        let crac = variant("crac", &["java", "-XX:CRaCRestoreFrom=d"], &[]);
        assert!(instead(&crac, "crac").contains("makes no image of a variant of the kind `crac`"));
    }

    #[test]
    fn the_release_is_that_of_the_jvm() {
        assert_eq!(release("OpenJDK 17.0.19+10 (Debian)"), Some(17));
        assert_eq!(release("OpenJDK 1.8.0_402"), Some(8));
        assert_eq!(release("GraalVM"), None);
    }
}
