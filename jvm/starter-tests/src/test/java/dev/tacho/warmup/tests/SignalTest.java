package dev.tacho.warmup.tests;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringApplication;

/** A service of its own process that is told to end while it is warmed. */
class SignalTest {

    private static final int SIGTERM_STATUS = 128 + 15;

    /** The service as a program. */
    static final class Main {

        private Main() {
        }

        public static void main(String[] arguments) {
            SpringApplication.run(Service.class, arguments);
        }
    }

    @Test
    void sigtermEndsItAtOnceAndItIsNeverReady() throws Exception {
        Process service = start("--server.port=0", "--tacho.warmup.requests[0].path=/never",
                "--tacho.warmup.request-timeout=5m", "--tacho.warmup.within=10m");
        List<String> lines = new ArrayList<>();
        try (var output = new BufferedReader(new InputStreamReader(service.getInputStream(), StandardCharsets.UTF_8))) {
            for (String line = output.readLine(); line != null; line = output.readLine()) {
                lines.add(line);
                if (line.contains("Warming up with")) {
                    // Process.destroy would close its output as well.
                    service.toHandle().destroy();
                }
            }
            assertThat(service.waitFor(5, TimeUnit.MINUTES)).isTrue();
        } finally {
            service.destroyForcibly();
        }
        String log = String.join("\n", lines);
        assertThat(service.exitValue()).as(log).isEqualTo(SIGTERM_STATUS);
        assertThat(log).contains("Warm-up is over (interrupted)").contains("traffic is refused")
                .doesNotContain("traffic may come");
    }

    private static Process start(String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(Path.of(System.getProperty("java.home"), "bin", "java")
                .toString(),
                "-cp", System.getProperty("java.class.path"), Main.class.getName()));
        command.addAll(List.of(arguments));
        return new ProcessBuilder(command).redirectErrorStream(true).start();
    }
}
