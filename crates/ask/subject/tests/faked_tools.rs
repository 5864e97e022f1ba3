//! Variants whose tools are scripts that write down how they were called.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod support;

use std::collections::BTreeMap;
use std::fs;
use std::io::{Cursor, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use support::{Bench, spec};
use tacho_experiment::{SubjectSpec, VariantKind};
use tacho_subject::*;
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

fn script(path: &Path, body: &str) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, format!("#!/bin/sh\n{body}\n")).unwrap();
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
}

fn jar(path: &Path, entries: &[(&str, &str)]) -> PathBuf {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, content) in entries {
        writer
            .start_file(*name, SimpleFileOptions::default())
            .unwrap();
        writer.write_all(content.as_bytes()).unwrap();
    }
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, writer.finish().unwrap().into_inner()).unwrap();
    path.to_owned()
}

fn boot_manifest(version: &str, launcher: &str) -> String {
    format!("Main-Class: {launcher}\nStart-Class: a.App\nSpring-Boot-Version: {version}\n")
}

fn boot(bench: &Bench, version: &str, more: &[(&str, &str)]) -> SubjectSpec {
    let launcher = "org.springframework.boot.loader.launch.JarLauncher";
    let manifest = boot_manifest(version, launcher);
    let mut entries = vec![
        ("META-INF/MANIFEST.MF", manifest.as_str()),
        ("BOOT-INF/x", ""),
    ];
    entries.extend(more);
    of(jar(&bench.path("app.jar"), &entries))
}

fn of(artifact: PathBuf) -> SubjectSpec {
    SubjectSpec {
        artifact: Some(artifact),
        ..SubjectSpec::default()
    }
}

/// A bench whose only JDK is a script; what it was called with is in `calls`.
fn with_fake_jdk(release: &str, java: &str) -> Bench {
    let mut bench = Bench::new();
    let home = bench.path("jdk");
    let calls = bench.path("calls");
    let body = format!("echo \"$@\" >> {}\n{java}", calls.display());
    script(&home.join("bin/java"), &body);
    for tool in ["jar", "jlink", "jdeps"] {
        script(&home.join("bin").join(tool), "exit 0");
    }
    fs::write(
        home.join("release"),
        format!("JAVA_VERSION=\"{release}\"\n"),
    )
    .unwrap();
    bench.jdks = Jdks::of(Jdk::in_folder(&home));
    bench
}

fn why_not(bench: &Bench, kind: VariantKind, subject: &SubjectSpec) -> String {
    let spec = spec(kind);
    let available = variant(kind).available(&bench.context(&spec, subject));
    available.unwrap_err().to_string()
}

#[test]
fn a_boot_jar_since_3_3_is_extracted_by_its_tools() {
    // The destination is the seventh word: -Djarmode=tools -jar app.jar extract --destination D.
    let bench = with_fake_jdk("21.0.5", "mkdir -p \"$6\" && echo app > \"$6/app.jar\"");
    let prepared = bench.prepare(VariantKind::Extracted, &boot(&bench, "3.3.0", &[]));
    let calls = fs::read_to_string(bench.path("calls")).unwrap();
    assert!(calls.starts_with("-Djarmode=tools -jar "), "{calls}");
    let [_, dash_jar, jar] = &prepared.record.command[..] else {
        panic!("{:?}", prepared.record.command);
    };
    assert_eq!(dash_jar, "-jar");
    assert!(jar.ends_with("extracted/application/app.jar"), "{jar}");
    assert_eq!(prepared.record.application_bytes, 4);
}

#[test]
fn an_extraction_that_makes_nothing_is_an_error() {
    let bench = with_fake_jdk("21.0.5", "exit 0");
    let subject = boot(&bench, "3.3.0", &[]);
    let spec = spec(VariantKind::Extracted);
    let context = bench.context(&spec, &subject);
    let made = variant(VariantKind::Extracted).prepare(&context, &mut bench.workshop("x"));
    assert!(
        matches!(made, Err(PrepareError::NotMade { .. })),
        "{made:?}"
    );
}

#[test]
fn an_older_boot_jar_is_extracted_by_layers_and_started_by_its_launcher() {
    let java = r#"case "$*" in
        *" list") printf 'dependencies\nsnapshot-dependencies\napplication\n' ;;
        *) mkdir -p "$6/dependencies/BOOT-INF/lib" "$6/application/BOOT-INF/classes"
           echo lib > "$6/dependencies/BOOT-INF/lib/l.jar"
           echo app > "$6/application/BOOT-INF/classes/A.class" ;;
        esac"#;
    let bench = with_fake_jdk("17.0.1", java);
    let subject = boot(&bench, "3.2.0", &[]);
    let prepared = bench.prepare(VariantKind::Extracted, &subject);
    let [_, cp, folder, launcher] = &prepared.record.command[..] else {
        panic!("{:?}", prepared.record.command);
    };
    assert_eq!(cp, "-cp");
    assert_eq!(
        launcher,
        "org.springframework.boot.loader.launch.JarLauncher"
    );
    assert!(Path::new(folder).join("BOOT-INF/lib/l.jar").is_file());
    assert!(Path::new(folder).join("BOOT-INF/classes/A.class").is_file());
    let why = why_not(&bench, VariantKind::Cds, &subject);
    assert!(why.contains("3.2.0") && why.contains("3.3"), "{why}");
}

#[test]
fn what_cannot_be_extracted_says_why() {
    let bench = with_fake_jdk("17.0.1", "exit 0");
    let why = why_not(&bench, VariantKind::Extracted, &boot(&bench, "2.2.0", &[]));
    assert!(why.contains("since 2.3"), "{why}");
    let library = of(jar(&bench.path("lib.jar"), &[("a.txt", "")]));
    let why = why_not(&bench, VariantKind::Jar, &library);
    assert!(why.contains("no Main-Class"), "{why}");
    let plain_war = of(jar(&bench.path("a.war"), &[("a.txt", "")]));
    let why = why_not(&bench, VariantKind::Jar, &plain_war);
    assert!(why.contains("use `kind: war`"), "{why}");
}

#[test]
fn a_training_launch_that_leaves_no_archive_is_an_error() {
    let bench = with_fake_jdk(
        "21.0.5",
        "trap 'exit 0' TERM; echo listening on 1; sleep 60 & wait",
    );
    let base_archive = bench.jdks.all()[0].home.join("lib/server");
    let subject = of(jar(
        &bench.path("a.jar"),
        &[("META-INF/MANIFEST.MF", "Main-Class: A\n")],
    ));
    let why = why_not(&bench, VariantKind::Cds, &subject);
    assert!(why.contains("-Xshare:dump"), "{why}");
    fs::create_dir_all(&base_archive).unwrap();
    fs::write(base_archive.join("classes.jsa"), "").unwrap();
    struct NoTraining(tempfile::TempDir, Vec<Launchable>);
    impl Workshop for NoTraining {
        fn run(&mut self, step: Step) -> Result<StepOutput, StepError> {
            panic!("{step:?}")
        }
        fn train(&mut self, launch: Launchable) -> Result<(), StepError> {
            self.1.push(launch);
            Ok(())
        }
        fn directory(&self) -> &Path {
            self.0.path()
        }
    }
    let mut subject = subject;
    subject.environment = BTreeMap::from([("A".to_owned(), "b".to_owned())]);
    let spec = spec(VariantKind::Cds);
    let context = bench.context(&spec, &subject);
    let mut workshop = NoTraining(tempfile::tempdir().unwrap(), Vec::new());
    let made = variant(VariantKind::Cds).prepare(&context, &mut workshop);
    assert!(
        matches!(made, Err(PrepareError::NotMade { .. })),
        "{made:?}"
    );
    let [launch] = &workshop.1[..] else {
        panic!("{:?}", workshop.1);
    };
    assert!(launch.command[1].starts_with("-XX:ArchiveClassesAtExit="));
    assert_eq!(launch.environment, subject.environment);
}

/// Of `-XX:SharedArchiveFile=/runs:2/a.jsa` a JVM finds neither part, and goes on without it.
#[test]
fn a_path_that_a_jvm_would_split_is_refused_before_anything_is_made() {
    struct Untouched(PathBuf);
    impl Workshop for Untouched {
        fn run(&mut self, step: Step) -> Result<StepOutput, StepError> {
            panic!("{step:?}");
        }
        fn train(&mut self, launch: Launchable) -> Result<(), StepError> {
            panic!("{launch:?}");
        }
        fn directory(&self) -> &Path {
            &self.0
        }
    }
    let bench = with_fake_jdk("25.0.1", "exit 0");
    let manifest = [("META-INF/MANIFEST.MF", "Main-Class: A\n")];
    let refused = |kind: VariantKind, artifact: &str, directory: &str| {
        let spec = spec(kind);
        let subject = of(jar(&bench.path(artifact), &manifest));
        let context = bench.context(&spec, &subject);
        let mut workshop = Untouched(bench.path(directory));
        let error = variant(kind).prepare(&context, &mut workshop).unwrap_err();
        assert!(matches!(error, PrepareError::Splits { .. }), "{error}");
        error.to_string()
    };
    let said = refused(VariantKind::Aot, "a.jar", "runs:2");
    assert!(
        said.contains("at which a JVM splits -XX:AOTCache"),
        "{said}"
    );
    let said = refused(VariantKind::Jar, "a:b.jar", "runs");
    assert!(
        said.contains("at which a JVM splits a class path"),
        "{said}"
    );
}

/// JDK 24 makes the cache in a second step, by a JVM that has to take the same flags.
#[test]
fn every_step_to_an_aot_cache_has_the_environment_of_the_launch() {
    let bench = with_fake_jdk("24.0.2", "exit 0");
    let mut subject = of(jar(
        &bench.path("a.jar"),
        &[("META-INF/MANIFEST.MF", "Main-Class: A\n")],
    ));
    let flags = (
        "JAVA_TOOL_OPTIONS".to_owned(),
        "-XX:+UseSerialGC".to_owned(),
    );
    subject.environment = BTreeMap::from([flags]);
    struct Making(tempfile::TempDir, Vec<BTreeMap<String, String>>);
    impl Workshop for Making {
        fn run(&mut self, step: Step) -> Result<StepOutput, StepError> {
            fs::write(self.directory().join("application.aot"), "").unwrap();
            self.1.push(step.environment);
            Ok(StepOutput::default())
        }
        fn train(&mut self, launch: Launchable) -> Result<(), StepError> {
            fs::write(self.directory().join("application.aotconf"), "").unwrap();
            self.1.push(launch.environment);
            Ok(())
        }
        fn directory(&self) -> &Path {
            self.0.path()
        }
    }
    let spec = spec(VariantKind::Aot);
    let context = bench.context(&spec, &subject);
    let mut workshop = Making(tempfile::tempdir().unwrap(), Vec::new());
    variant(VariantKind::Aot)
        .prepare(&context, &mut workshop)
        .unwrap();
    let own = subject.environment;
    assert_eq!(workshop.1, [own.clone(), own]);
}

/// A native-image that writes its arguments into the image it makes.
const NATIVE_IMAGE: &str = r#"out=; for word in "$@"; do [ "$last" = -o ] && out=$word; last=$word; done
printf '#!/bin/sh\n# %s\n' "$*" > "$out" && chmod +x "$out""#;

fn with_native_image() -> Bench {
    let mut bench = with_fake_jdk("25.0.1", "exit 0");
    let graalvm = bench.path("graalvm");
    script(&graalvm.join("bin/native-image"), NATIVE_IMAGE);
    bench.host.graalvm_home = Some(graalvm);
    bench
}

#[test]
fn a_plain_jar_becomes_a_native_image() {
    let bench = with_native_image();
    let app = jar(
        &bench.path("a.jar"),
        &[("META-INF/MANIFEST.MF", "Main-Class: A\n")],
    );
    let mut subject = of(app.clone());
    subject.arguments = vec!["--port=1".to_owned()];
    let prepared = bench.prepare(VariantKind::Native, &subject);
    let [image, argument] = &prepared.record.command[..] else {
        panic!("{:?}", prepared.record.command);
    };
    assert_eq!(argument, "--port=1");
    let made = fs::read_to_string(image).unwrap();
    assert!(
        made.contains(&format!("-jar {} -o {image}", app.display())),
        "{made}"
    );
    assert_eq!(prepared.record.runtime_bytes, 0);
    assert_eq!(prepared.jvm_release, None);
}

#[test]
fn of_the_same_files_the_image_that_was_built_before_is_taken() {
    let mut bench = with_native_image();
    let builds = bench.path("builds");
    let builder = bench.path("graalvm/bin/native-image");
    script(
        &builder,
        &format!("echo built >> {}; {NATIVE_IMAGE}", builds.display()),
    );
    let manifest = [("META-INF/MANIFEST.MF", "Main-Class: A\n")];
    let subject = of(jar(&bench.path("a.jar"), &manifest));
    let count = || fs::read_to_string(&builds).unwrap().lines().count();
    let first = bench.prepare(VariantKind::Native, &subject);
    let second = bench.prepare(VariantKind::Native, &subject);
    assert_eq!(count(), 1, "the second was not built");
    assert_eq!(first.record.build_commands, second.record.build_commands);
    assert_eq!(
        first.record.build_s, second.record.build_s,
        "the time of then"
    );
    assert!(first.record.notes.is_empty());
    assert!(
        second.record.notes[0].contains("was built on"),
        "{:?}",
        second.record.notes
    );
    assert!(Path::new(&second.record.command[0]).exists());
    jar(
        &bench.path("a.jar"),
        &[manifest[0], ("a/B.class", "changed")],
    );
    bench.prepare(VariantKind::Native, &subject);
    assert_eq!(count(), 2, "another jar, another image");
    script(
        &builder,
        &format!(
            "# another release\necho built >> {}; {NATIVE_IMAGE}",
            builds.display()
        ),
    );
    bench.prepare(VariantKind::Native, &subject);
    assert_eq!(count(), 3, "another builder, another image");
    bench.host.native_image_options = Some("-Ob".to_owned());
    let with_options = bench.prepare(VariantKind::Native, &subject);
    assert_eq!(count(), 4, "other options, another image");
    assert_eq!(
        with_options.record.notes,
        ["built with NATIVE_IMAGE_OPTIONS=\"-Ob\""]
    );
}

#[test]
fn a_project_is_built_with_the_builder_that_was_found() {
    let bench = with_native_image();
    let graalvm = bench.path("graalvm");
    script(&graalvm.join("bin/java"), "exit 0");
    fs::write(
        graalvm.join("release"),
        "JAVA_VERSION=\"25.0.2\"\nIMPLEMENTOR=\"GraalVM Community\"\n",
    )
    .unwrap();
    let project = bench.path("project");
    let manifest = boot_manifest("4.0.0", "x.Launcher");
    jar(
        &project.join("target/app.jar"),
        &[("META-INF/MANIFEST.MF", &manifest)],
    );
    fs::write(project.join("pom.xml"), "<project/>").unwrap();
    script(
        &project.join("mvnw"),
        "echo $GRAALVM_HOME > target/used; printf '#!/bin/sh\\n' > target/app; chmod +x target/app; echo > target/libawt.so",
    );
    let prepared = bench.prepare(VariantKind::Native, &of(project.clone()));
    let used = fs::read_to_string(project.join("target/used")).unwrap();
    assert_eq!(Path::new(used.trim()), graalvm.canonicalize().unwrap());
    assert_eq!(
        prepared.record.runtime.as_deref(),
        Some("native image by GraalVM Community 25.0.2")
    );
    let image = Path::new(&prepared.record.command[0]);
    assert!(
        image.with_file_name("libawt.so").exists(),
        "libraries go along"
    );
}

/// Entries of a Spring Boot jar whose build ran Spring's AOT processing.
const PROCESSED: &str = "Main-Class: org.springframework.boot.loader.launch.JarLauncher\nStart-Class: a.App\nSpring-Boot-Version: 4.0.0\nSpring-Boot-Native-Processed: true\n";
const OPTIONS: (&str, &str) = ("META-INF/native-image/argfile", "--x");

#[test]
fn a_boot_jar_needs_springs_own_processing() {
    let bench = with_native_image();
    let why = why_not(&bench, VariantKind::Native, &boot(&bench, "4.0.0", &[]));
    assert!(why.contains("AOT processing"), "{why}");
    let made_of = |entries: &[(&str, &str)]| {
        let prepared = bench.prepare(
            VariantKind::Native,
            &of(jar(&bench.path("app.jar"), entries)),
        );
        fs::read_to_string(&prepared.record.command[0]).unwrap()
    };
    let processed = [("META-INF/MANIFEST.MF", PROCESSED), ("BOOT-INF/x", "")];
    let made = made_of(&processed);
    assert!(made.contains("# -cp "), "no options: {made}");
    assert!(made.contains("/BOOT-INF/classes"), "{made}");
    let made = made_of(&[processed[0], processed[1], OPTIONS]);
    assert!(
        made.contains("# @META-INF/native-image/argfile -cp "),
        "{made}"
    );
}

/// Nobody can say for sure where a Gradle build leaves its image; that of its jar can be built
/// here.
#[test]
fn a_gradle_project_is_told_the_way_out() {
    let bench = with_native_image();
    let project = bench.path("project");
    let app = project.join("build/libs/app.jar");
    let manifest = boot_manifest("4.0.0", "x.Launcher");
    jar(&app, &[("META-INF/MANIFEST.MF", &manifest)]);
    fs::write(project.join("build.gradle.kts"), "").unwrap();
    for artifact in [&app, &project] {
        let why = why_not(&bench, VariantKind::Native, &of(artifact.clone()));
        assert!(why.starts_with(&app.display().to_string()), "{why}");
        for part in [
            "was built by Gradle without Spring's AOT processing",
            "`org.graalvm.buildtools.native`",
            "`./gradlew nativeCompile`",
            "`kind: exec`",
        ] {
            assert!(why.contains(part), "{part}: {why}");
        }
    }
    jar(
        &app,
        &[("META-INF/MANIFEST.MF", PROCESSED), ("BOOT-INF/x", "")],
    );
    let prepared = bench.prepare(VariantKind::Native, &of(project.clone()));
    let made = fs::read_to_string(&prepared.record.command[0]).unwrap();
    assert!(made.contains("/BOOT-INF/classes"), "{made}");
    let quarkus = [
        ("META-INF/MANIFEST.MF", "Main-Class: q.Main\n"),
        (
            "META-INF/maven/io.quarkus/quarkus-core/pom.properties",
            "version=3.30.1\n",
        ),
    ];
    jar(&app, &quarkus);
    let why = why_not(&bench, VariantKind::Native, &of(app.clone()));
    assert!(
        why.contains("`./gradlew build -Dquarkus.native.enabled=true`"),
        "{why}"
    );
}

#[test]
fn a_maven_project_builds_its_image_itself() {
    let bench = with_native_image();
    let project = bench.path("project");
    let manifest = boot_manifest("4.0.0", "x.Launcher");
    jar(
        &project.join("target/app.jar"),
        &[("META-INF/MANIFEST.MF", &manifest)],
    );
    fs::write(project.join("pom.xml"), "<project/>").unwrap();
    script(
        &project.join("mvnw"),
        "echo \"$@\" > called; printf '#!/bin/sh\\n' > target/app; chmod +x target/app",
    );
    let prepared = bench.prepare(VariantKind::Native, &of(project.clone()));
    let called = fs::read_to_string(project.join("called")).unwrap();
    assert_eq!(
        called.trim(),
        "--batch-mode -DskipTests -Pnative native:compile"
    );
    fs::remove_file(project.join("target/app")).unwrap();
    assert_eq!(
        fs::read_to_string(&prepared.record.command[0]).unwrap(),
        "#!/bin/sh\n"
    );
    // Its jar is as good a name for it.
    let prepared = bench.prepare(VariantKind::Native, &of(project.join("target/app.jar")));
    let commands = &prepared.record.build_commands;
    assert!(
        commands[0].ends_with("-Pnative native:compile)"),
        "{commands:?}"
    );
}

#[test]
fn an_exec_variant_finds_its_program_beside_the_experiment_or_on_the_path() {
    let mut bench = Bench::new();
    script(&bench.path("bin/service"), "exit 0");
    let mut spec = spec(VariantKind::Exec);
    spec.command = ["bin/service", "--fast"].map(str::to_owned).to_vec();
    let subject = SubjectSpec {
        arguments: vec!["x".to_owned()],
        ..SubjectSpec::default()
    };
    let prepare = |bench: &Bench, spec: &_| {
        let mut workshop = bench.workshop("exec");
        variant(VariantKind::Exec).prepare(&bench.context(spec, &subject), &mut workshop)
    };
    let prepared = prepare(&bench, &spec).unwrap();
    let program = bench.path("bin/service").display().to_string();
    assert_eq!(prepared.record.command, [program.as_str(), "--fast", "x"]);
    assert_eq!(
        prepared.record.application_bytes,
        "#!/bin/sh\nexit 0\n".len() as u64
    );
    let launch_dir = Path::new("/run");
    assert_eq!(
        prepared.observed_command(launch_dir, tacho_experiment::GcLog::All),
        prepared.record.command
    );

    spec.command[0] = "service".to_owned();
    bench.host.path = vec![bench.path("bin")];
    assert_eq!(prepare(&bench, &spec).unwrap().record.command[0], program);

    // Two releases of one program are told apart by the variant's own PATH.
    script(&bench.path("other/service"), "exit 0");
    let other = bench.path("other").display().to_string();
    spec.overrides.environment = BTreeMap::from([("PATH".to_owned(), other)]);
    let of_own_path = prepare(&bench, &spec).unwrap().record.command[0].clone();
    assert_eq!(Path::new(&of_own_path), bench.path("other/service"));

    spec.command[0] = "./gone".to_owned();
    let gone = prepare(&bench, &spec).unwrap_err().to_string();
    assert!(
        gone.contains("./gone") && gone.contains("build it first"),
        "{gone}"
    );
    spec.command.clear();
    let none = prepare(&bench, &spec).unwrap_err().to_string();
    assert!(none.contains("needs `command`"), "{none}");
}

#[test]
fn a_program_has_one_variant() {
    let bench = Bench::new();
    script(&bench.path("service"), "exit 0");
    let subject = of(bench.path("service"));
    let found = applicable(&subject, bench.scratch.path(), &bench.jdks, &bench.host).unwrap();
    let kinds: Vec<_> = found.variants.iter().map(|v| v.kind).collect();
    assert_eq!(kinds, [VariantKind::Exec]);
    assert_eq!(found.left_out, []);
}

#[test]
fn a_checkpoint_is_refused_with_a_jvm_that_has_crac_and_with_one_that_has_not() {
    let bench = with_fake_jdk("25.0.1", "exit 0");
    let subject = of(jar(
        &bench.path("app.jar"),
        &[("META-INF/MANIFEST.MF", "Main-Class: A\n")],
    ));
    let why = why_not(&bench, VariantKind::Crac, &subject);
    assert!(why.contains("has no CRaC (Coordinated Restore"), "{why}");
    assert!(why.contains("25.0.1") && why.contains("/jdk"), "{why}");

    script(&bench.path("jdk/lib/criuengine"), "exit 0");
    let why = why_not(&bench, VariantKind::Crac, &subject);
    assert!(
        why.starts_with("Tacho does not restore from checkpoints yet, although"),
        "{why}"
    );
    let spec = spec(VariantKind::Crac);
    let made = variant(VariantKind::Crac)
        .prepare(&bench.context(&spec, &subject), &mut bench.workshop("crac"));
    assert_eq!(made.unwrap_err().to_string(), why);
    assert!(!bench.path("calls").exists(), "the JDK was executed");

    // Nobody asked for it: it is neither chosen nor spoken of.
    let found = applicable(&subject, bench.scratch.path(), &bench.jdks, &bench.host).unwrap();
    assert!(found.variants.iter().any(|v| v.kind == VariantKind::Jar));
    assert!(found.variants.iter().all(|v| v.kind != VariantKind::Crac));
    assert!(found.left_out.iter().all(|l| l.kind != VariantKind::Crac));
}
