package dev.tacho.junit;

import static org.junit.jupiter.api.Assertions.assertFalse;

import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class LaunchTest {
    @Test
    void anApplicationEndsWithTestsThatAreStopped() throws Exception {
        Process tests = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        ToBeStopped.class.getName())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        Optional<ProcessHandle> application = Optional.empty();
        try (var said = tests.inputReader()) {
            application = ProcessHandle.of(Long.parseLong(said.readLine()));
            tests.destroy();
            tests.waitFor();
            assertFalse(application.map(ProcessHandle::isAlive).orElse(false), "the application still runs");
        } finally {
            tests.destroyForcibly();
            application.ifPresent(ProcessHandle::destroyForcibly);
        }
    }
}
