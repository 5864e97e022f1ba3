package tacho.nativekit.install;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The builder's jars and what goes with them: resolved by the person's own Maven, with its mirrors
 * and its cache, and checked against the kit's list.
 */
final class BuilderArtifacts {

    static final String VERSION = "25.0.2";
    static final String RELEASED = "2026-01-20";
    static final String ARTIFACT = "org.graalvm.nativeimage:svm:" + VERSION;

    private static final String PLUGIN = "org.apache.maven.plugins:maven-dependency-plugin:3.9.0:copy-dependencies";

    private final Path kit;
    private final Map<String, String> environment;
    private final String maven;

    BuilderArtifacts(InstallOptions options, Map<String, String> environment) {
        this.kit = options.kit();
        this.maven = options.maven();
        this.environment = environment;
    }

    /** The files, in a folder of their own. */
    List<Path> fetch(Path scratch, SourceJdk jdk) throws IOException, InterruptedException {
        Path folder = Files.createDirectory(scratch.resolve("artifacts"));
        Path pom = Files.copy(kit.resolve("builder/pom.xml"), scratch.resolve("pom.xml"));
        Map<String, String> javaHome = environment.containsKey("JAVA_HOME") ? Map.of() : Map.of("JAVA_HOME", jdk.home().toString());
        Command.Result result = new Command(Stream.concat(Stream.of(maven.split(" ")), Stream.of("--batch-mode", "--quiet",
                "--file", pom.toString(), PLUGIN, "-DoutputDirectory=" + folder)).toList(), scratch, javaHome).run();
        if (result.exitCode() == 127) {
            throw new InstallException(InstallException.LACKS_SOMETHING, "There is no Maven (" + maven
                    + "), by which the builder is fetched. Install it (apt-get install maven) or name one: install --maven CMD.");
        }
        if (!result.isGood()) {
            throw new InstallException(InstallException.JARS_NOT_RESOLVED, "Maven could not resolve " + ARTIFACT
                    + ". In a closed network it must be on the mirror that your settings.xml names. Maven said:\n"
                    + result.text().strip().indent(2));
        }
        check(folder, expected());
        return filesOf(folder);
    }

    /** Names and sums as sha256sum writes them. */
    Map<String, String> expected() throws IOException {
        return Files.readAllLines(kit.resolve("builder/artifacts.sha256")).stream().map(line -> line.split(" +"))
                .collect(Collectors.toMap(fields -> fields[1], fields -> fields[0], (first, second) -> first, TreeMap::new));
    }

    static void check(Path folder, Map<String, String> expected) throws IOException {
        Map<String, String> found = new TreeMap<>();
        for (Path file : filesOf(folder)) {
            found.put(file.getFileName().toString(), Sha256.of(file));
        }
        if (!found.keySet().equals(expected.keySet())) {
            throw new InstallException(InstallException.JARS_NOT_RESOLVED, "Maven resolved other files than this kit knows: "
                    + found.keySet() + " instead of " + expected.keySet() + ".");
        }
        expected.forEach((name, sum) -> {
            if (!found.get(name).equals(sum)) {
                throw new InstallException(InstallException.JARS_NOT_RESOLVED, name + " is not the file that this kit knows: its"
                        + " SHA-256 is " + found.get(name) + ", not " + sum + ". The mirror or the local repository has a changed"
                        + " file; remove it there and install again.");
            }
        });
    }

    private static List<Path> filesOf(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(Files::isRegularFile).sorted().toList();
        }
    }
}
