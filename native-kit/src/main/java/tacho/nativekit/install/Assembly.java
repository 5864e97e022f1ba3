package tacho.nativekit.install;

import java.io.IOException;
import java.io.PrintStream;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import tacho.nativekit.driver.builder.BuilderHome;
import tacho.nativekit.driver.builder.BuilderIdentity;

/** Makes a GRAALVM_HOME in an empty folder, one step after another. */
final class Assembly {

    /** What people change in a JDK: the home must not change with it, nor the JDK with the home. */
    private static final Set<Path> OWN_COPY = Set.of(Path.of("conf"), Path.of("lib/security"));

    /** Parts of a JDK that no build needs. */
    private static final Set<Path> LEFT_OUT = Set.of(Path.of("lib/src.zip"), Path.of("man"), Path.of("release"), Path.of("demo"),
            Path.of("sample"), Path.of("jmods"));

    private final Path kit;
    private final SourceJdk jdk;
    private final PrintStream progress;

    Assembly(Path kit, SourceJdk jdk, PrintStream progress) {
        this.kit = kit;
        this.jdk = jdk;
        this.progress = progress;
    }

    void make(Path folder, BuilderArtifacts artifacts, Path scratch) throws IOException, InterruptedException {
        BuilderHome home = new BuilderHome(folder);
        progress.println("1/5 The JDK: " + jdk.home() + " (" + jdk.runtimeVersion() + ", " + jdk.vendor() + ")");
        Folders.linkOrCopy(jdk.home(), folder, LEFT_OUT, OWN_COPY);
        progress.println("2/5 The builder, by Maven: " + BuilderArtifacts.ARTIFACT);
        place(artifacts.fetch(scratch, jdk), home);
        progress.println("3/5 The C pieces, by gcc");
        new CPieces(kit, jdk, home, scratch).make();
        progress.println("4/5 The driver");
        DriverClasses.compile(kit.resolve("src/main/java"), Files.createDirectories(home.driverFolder()));
        Files.write(home.jvmFlagsFile(), JvmFlags.ofThisJdk());
        Folders.copy(kit.resolve("builder/jdk"), home.metadataFolder());
        writeIdentity(home);
        Launchers.write(folder);
        progress.println("5/5 The builder's options");
        new OptionScan(home, scratch).catalogue().write(home.optionsFile());
        String version = Command.of(scratch, folder.resolve("bin/native-image").toString(), "--version").runOrFail("The new native-image");
        progress.print(version.indent(4));
        writeRelease(folder);
    }

    private static void place(List<Path> artifacts, BuilderHome home) throws IOException {
        Files.createDirectories(home.builderFolder());
        for (Path artifact : artifacts) {
            if (artifact.toString().endsWith(".jar")) {
                Files.move(artifact, home.builderFolder().resolve(artifact.getFileName()));
            } else {
                MetadataSchema.extract(artifact, home.root());
            }
        }
    }

    private BuilderIdentity identity() {
        return new BuilderIdentity(BuilderArtifacts.VERSION, BuilderArtifacts.RELEASED, BuilderArtifacts.ARTIFACT,
                "GraalVM CE " + BuilderArtifacts.VERSION + "+tacho-native-kit", jdk.runtimeVersion());
    }

    private void writeIdentity(BuilderHome home) throws IOException {
        try (Writer writer = Files.newBufferedWriter(home.identityFile())) {
            identity().asProperties().store(writer, null);
        }
    }

    /** The JDK's own file, and what tells a reader which builder this is and who assembled it. */
    private void writeRelease(Path folder) throws IOException {
        Map<String, String> added = Map.of("GRAALVM_VERSION", BuilderArtifacts.VERSION, "NATIVE_IMAGE_BUILDER", BuilderArtifacts.ARTIFACT,
                "NATIVE_IMAGE_ASSEMBLED_BY", "Tacho native kit");
        String lines = jdk.release().stringPropertyNames().stream().sorted()
                .map(name -> name + "=" + jdk.release().getProperty(name) + "\n").collect(Collectors.joining());
        String addedLines = added.entrySet().stream().sorted(Map.Entry.comparingByKey())
                .map(entry -> entry.getKey() + "=\"" + entry.getValue() + "\"\n").collect(Collectors.joining());
        Files.writeString(folder.resolve("release"), lines + addedLines);
    }
}
