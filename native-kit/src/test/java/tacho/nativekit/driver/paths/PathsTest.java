package tacho.nativekit.driver.paths;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tacho.nativekit.Jars;
import tacho.nativekit.driver.UsageException;

class PathsTest {

    @TempDir
    Path folder;

    private Path first;
    private Path second;

    @BeforeEach
    void makeJars() throws IOException {
        first = Jars.write(folder.resolve("a.jar"), Map.of("x", ""));
        second = Jars.write(folder.resolve("b b.JAR"), Map.of("y", ""));
        Files.writeString(folder.resolve("notes.txt"), "");
    }

    @Test
    void entriesThatDoNotExistAreLeftOut() {
        assertEquals(List.of(second, first), SearchPath.classPath(second + ":" + folder + "/absent.jar:" + first + ":" + second));
    }

    @Test
    void aStarMeansTheJars() {
        assertEquals(List.of(first, second), SearchPath.classPath(folder + "/*"));
        assertEquals(List.of(), SearchPath.classPath(folder + "/absent/*"));
    }

    @Test
    void anEmptyEntryIsTheCurrentFolder() {
        assertEquals(List.of(Path.of("").toAbsolutePath()), SearchPath.classPath(""));
    }

    @Test
    void foldersOnTheModulePathHaveModules() throws IOException {
        Path exploded = Files.createDirectory(folder.resolve("exploded"));
        Files.writeString(exploded.resolve("module-info.class"), "");
        assertEquals(List.of(exploded, first), SearchPath.modulesOf(List.of(exploded, first)));
        assertTrue(SearchPath.modulesOf(List.of(folder)).contains(first));
    }

    @Test
    void theManifestNamesClassAndClassPath() throws IOException {
        Path jar = Jars.write(folder.resolve("app.jar"), Map.of("META-INF/MANIFEST.MF", """
                Manifest-Version: 1.0
                Main-Class: some.Main
                Class-Path: a.jar b%20b.JAR absent.jar
                Add-Exports: java.base/sun.nio.ch
                """));
        ExecutableJar executable = ExecutableJar.read(jar);
        assertEquals("some.Main", executable.mainClass());
        assertEquals(List.of(jar, first, second), executable.classPath());
        assertEquals(List.of("java.base/sun.nio.ch"), executable.addExports());
        assertEquals(List.of(), executable.addOpens());
    }

    @Test
    void aJarWithoutMainClassIsRefusedWithAWayOut() {
        String message = assertThrows(UsageException.class, () -> ExecutableJar.read(first)).getMessage();
        assertTrue(message.contains("Main-Class") && message.contains("-cp"), message);
        assertThrows(UsageException.class, () -> ExecutableJar.read(folder.resolve("absent.jar")));
        assertThrows(UsageException.class, () -> ExecutableJar.read(folder.resolve("notes.txt")));
    }
}
