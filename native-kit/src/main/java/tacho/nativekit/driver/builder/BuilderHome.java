package tacho.nativekit.driver.builder;

import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Properties;
import java.util.stream.Stream;

/** The folders and files of an installed kit. The installer makes them, the driver uses them. */
public record BuilderHome(Path root) {

    /** The home that this driver was started from. */
    public static BuilderHome ofThisJvm() {
        return new BuilderHome(Path.of(System.getProperty("java.home")));
    }

    public Path java() {
        return root.resolve("bin/java");
    }

    public Path builderFolder() {
        return root.resolve("lib/svm/builder");
    }

    /** Libraries for the JVM in which the builder runs. */
    public Path builderLibraries() {
        return builderFolder().resolve("lib");
    }

    /** The jar that takes the place of the JDK's own module of that name. */
    public Path compilerJar() throws IOException {
        return jars().stream().filter(BuilderHome::isCompiler).findFirst()
                .orElseThrow(() -> new IOException(builderFolder() + " lacks the compiler's jar. Install the kit again."));
    }

    public List<Path> builderJars() throws IOException {
        return jars().stream().filter(jar -> !isCompiler(jar)).toList();
    }

    public Path cLibraries() {
        return root.resolve("lib/svm/clibraries/linux-amd64");
    }

    public Path staticLibraries() {
        return root.resolve("lib/static/linux-amd64/glibc");
    }

    public Path driverFolder() {
        return root.resolve("lib/svm/driver");
    }

    public Path optionsFile() {
        return driverFolder().resolve("options.tsv");
    }

    /** Flags for the builder's JVM that depend on the JDK: an argument file of java. */
    public Path jvmFlagsFile() {
        return driverFolder().resolve("jvm-flags");
    }

    /** Reachability metadata of the JDK's own classes. */
    public Path metadataFolder() {
        return driverFolder().resolve("metadata");
    }

    /** Which builder this is. */
    public Path identityFile() {
        return driverFolder().resolve("identity.properties");
    }

    public BuilderIdentity identity() throws IOException {
        Properties properties = new Properties();
        try (Reader reader = Files.newBufferedReader(identityFile())) {
            properties.load(reader);
        }
        return BuilderIdentity.of(properties);
    }

    private List<Path> jars() throws IOException {
        try (Stream<Path> files = Files.list(builderFolder())) {
            return files.filter(file -> file.toString().endsWith(".jar")).sorted().toList();
        }
    }

    private static boolean isCompiler(Path jar) {
        return jar.getFileName().toString().startsWith("compiler-");
    }
}
