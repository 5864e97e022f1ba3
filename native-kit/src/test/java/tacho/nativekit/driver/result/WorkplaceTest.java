package tacho.nativekit.driver.result;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tacho.nativekit.driver.UsageException;

class WorkplaceTest {

    @TempDir
    Path target;

    private List<String> left() throws IOException {
        try (Stream<Path> files = Files.walk(target)) {
            return files.filter(Files::isRegularFile).map(file -> target.relativize(file).toString()).sorted().toList();
        }
    }

    @Test
    void whatWasBuiltReplacesWhatWasThere() throws IOException {
        Files.writeString(target.resolve("app"), "old");
        try (Workplace workplace = Workplace.in(target, "app")) {
            Files.writeString(workplace.output().resolve("app"), "new");
            Files.createDirectory(workplace.output().resolve("reports"));
            Files.writeString(workplace.output().resolve("reports/calls.txt"), "");
            Files.writeString(workplace.output().resolve("artifacts.json"), "{\"path\": \"" + workplace.output() + "/app\"}");
            assertEquals(List.of("artifacts.json", "reports/calls.txt", "app"),
                    workplace.moveOut().stream().map(file -> target.relativize(file).toString()).toList());
        }
        assertEquals(List.of("app", "artifacts.json", "reports/calls.txt"), left());
        assertEquals("new", Files.readString(target.resolve("app")));
        assertEquals("{\"path\": \"" + target + "/app\"}", Files.readString(target.resolve("artifacts.json")));
    }

    @Test
    void aBuildThatFailsLeavesWhatWasThere() throws IOException {
        Files.writeString(target.resolve("app"), "old");
        try (Workplace workplace = Workplace.in(target, "app")) {
            Files.writeString(workplace.output().resolve("app"), "half");
            Files.writeString(workplace.output().resolve("libawt.so"), "half");
        }
        assertEquals(List.of("app"), left());
        assertEquals("old", Files.readString(target.resolve("app")));
    }

    @Test
    void whatAKilledBuildLeftIsRemovedByTheNext() throws IOException, InterruptedException {
        Process ended = new ProcessBuilder("true").start();
        ended.waitFor();
        Path abandoned = Files.createDirectories(target.resolve(".app.building-" + ended.pid() + "/image"));
        Files.writeString(abandoned.resolve("app"), "half");
        Path running = Files.createDirectories(target.resolve(".app.building-" + ProcessHandle.current().parent().orElseThrow().pid()));
        Path foreign = Files.createDirectories(target.resolve(".app.building-notes"));
        Workplace.in(target, "app").close();
        assertFalse(Files.exists(abandoned));
        assertTrue(Files.exists(running) && Files.exists(foreign));
    }

    @Test
    void pathsAreThoseOfTheEnd() {
        try (Workplace workplace = Workplace.in(target, "app")) {
            assertEquals("see " + target + "/app\n", workplace.withFinalPaths("see " + workplace.output() + "/app\n"));
        }
    }

    @Test
    void aFolderThatIsNotThereIsNamed() {
        String message = assertThrows(UsageException.class, () -> Workplace.in(target.resolve("absent"), "app")).getMessage();
        assertTrue(message.contains(target + "/absent") && message.contains("mkdir -p"), message);
    }
}
