package tacho.nativekit.driver;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tacho.nativekit.driver.builder.BuilderIdentity;
import tacho.nativekit.driver.options.Options;

/** Builds that fail or are killed leave no half image, and no builder that goes on. */
class UnfinishedBuildTest {

    private static final String JAVA = ProcessHandle.current().info().command().orElseThrow();
    private static final String CLASSES = System.getProperty("java.class.path");

    /** For what is certain to happen, and soon. */
    private static final long PATIENCE_IN_SECONDS = 60;

    @TempDir
    Path folder;

    private Path home;
    private Path target;

    /** What the driver uses of a home, with a builder that never finishes. */
    @BeforeEach
    void makeHome() throws IOException, InterruptedException {
        home = folder.resolve("home");
        target = Files.createDirectory(folder.resolve("target"));
        Files.writeString(target.resolve("app"), "of an earlier build");
        Path driver = Files.createDirectories(home.resolve("lib/svm/driver"));
        Options.SOME.write(driver.resolve("options.tsv"));
        Files.createFile(driver.resolve("jvm-flags"));
        Properties identity = new BuilderIdentity("25", "2025-09-16", "a:b:25", "nobody", "25").asProperties();
        try (var writer = Files.newBufferedWriter(driver.resolve("identity.properties"))) {
            identity.store(writer, null);
        }
        Path libraries = Files.createDirectories(home.resolve("lib/svm/builder/lib"));
        Files.createFile(home.resolve("lib/svm/builder/compiler-25.jar"));
        compileAgent(libraries.resolve("libfollow_driver.so"));
        Path java = Files.createDirectories(home.resolve("bin")).resolve("java");
        Files.writeString(java, """
                #!/bin/sh
                for word; do case $word in -agentpath:*) agent=$word;; esac; done
                exec '%s' "$agent" -cp '%s' %s "${word#--image-args-file=}"
                """.formatted(JAVA, CLASSES, HalfBuilder.class.getName()));
        Files.setPosixFilePermissions(java, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private static void compileAgent(Path library) throws IOException, InterruptedException {
        String include = System.getProperty("java.home") + "/include";
        assertEquals(0, new ProcessBuilder("gcc", "-shared", "-fPIC", "-I" + include, "-I" + include + "/linux",
                "c/builder/follow_driver.c", "-o", library.toString()).inheritIO().start().waitFor());
    }

    private Process start(String mainClass) throws IOException {
        return new ProcessBuilder(JAVA, "--enable-native-access=ALL-UNNAMED", "-cp", CLASSES, DriverOfHome.class.getName(), home.toString(),
                "-cp", folder.toString(), mainClass, "-o", target.resolve("app").toString()).redirectErrorStream(true).start();
    }

    /** A driver whose builder has left half an image. */
    private Process startedBuild() throws IOException {
        Process driver = start("Waits");
        BufferedReader output = driver.inputReader();
        String line = output.readLine();
        while (line != null && !line.equals(HalfBuilder.READY)) {
            line = output.readLine();
        }
        assertEquals(HalfBuilder.READY, line);
        assertTrue(left().stream().anyMatch(file -> file.matches("\\.app\\.building-\\d+/image/app")), left().toString());
        return driver;
    }

    private List<String> left() throws IOException {
        try (Stream<Path> files = Files.walk(target)) {
            return files.filter(Files::isRegularFile).map(file -> target.relativize(file).toString()).sorted().toList();
        }
    }

    private void assertThatOnlyTheOldImageIsThere() throws IOException {
        assertEquals(List.of("app"), left());
        assertEquals("of an earlier build", Files.readString(target.resolve("app")));
    }

    private static void awaitEnd(List<ProcessHandle> processes) throws Exception {
        for (ProcessHandle process : processes) {
            process.onExit().get(PATIENCE_IN_SECONDS, TimeUnit.SECONDS);
        }
    }

    @Test
    void aBuildThatFails() throws Exception {
        Process driver = start("Fails");
        String text = new String(driver.getInputStream().readAllBytes());
        assertEquals(1, driver.waitFor());
        assertTrue(text.contains("No image was made"), text);
        assertThatOnlyTheOldImageIsThere();
    }

    @Test
    void aDriverThatIsToldToEnd() throws Exception {
        Process driver = startedBuild();
        List<ProcessHandle> builders = driver.descendants().toList();
        assertFalse(builders.isEmpty());
        driver.destroy();
        assertEquals(128 + 15, driver.waitFor());
        awaitEnd(builders);
        assertThatOnlyTheOldImageIsThere();
    }

    /**
     * It cannot remove anything any more: what is left is hidden, and the next build removes it.
     */
    @Test
    void aDriverThatIsKilled() throws Exception {
        Process driver = startedBuild();
        List<ProcessHandle> builders = driver.descendants().toList();
        assertFalse(builders.isEmpty());
        driver.destroyForcibly();
        driver.waitFor();
        awaitEnd(builders);
        assertEquals(List.of("app"), left().stream().filter(file -> !file.startsWith(".")).toList());
        start("Fails").waitFor();
        assertThatOnlyTheOldImageIsThere();
    }
}
