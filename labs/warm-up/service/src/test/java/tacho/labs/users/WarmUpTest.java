package tacho.labs.users;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.util.ClassUtils;

/** The service as a process of its own, with the starter. */
@EnabledIf(value = "isStarterThere", disabledReason = "without the starter (mvn -P with-starter)")
class WarmUpTest {

    private static final String WARMING = "Warming up with 1 kinds of request";

    @TempDir
    private Path folder;

    static boolean isStarterThere() {
        return ClassUtils.isPresent("dev.tacho.warmup.autoconfigure.WarmUpAutoConfiguration", null);
    }

    @Test
    void itWarmsItselfBeforeItIsReadyWhenToldByTheEnvironment() throws Exception {
        Seen seen = untilReady("true");
        assertThat(seen.readiness).containsExactly(503, 200);
        assertThat(seen.liveness).containsExactly(200);
        assertThat(seen.log).contains(WARMING).doesNotContain("Registered");
    }

    @Test
    void otherwiseItDoesNot() throws Exception {
        assertThat(untilReady(null).log).contains("Started UsersApplication").doesNotContain(WARMING);
    }

    /** Statuses in the order in which they were first seen. */
    private record Seen(Set<Integer> readiness, Set<Integer> liveness, String log) {
    }

    private Seen untilReady(String enabled) throws Exception {
        int port = freePort();
        Path log = folder.resolve("log.txt");
        ProcessBuilder builder = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp", System.getProperty("java.class.path"), "tacho.labs.users.UsersApplication",
                "--server.port=" + port, "--tacho.warmup.at-least=1000", "--tacho.warmup.at-most=1000");
        if (enabled != null) {
            builder.environment().put("TACHO_WARMUP_ENABLED", enabled);
        }
        Process process = builder.redirectErrorStream(true).redirectOutput(log.toFile()).start();
        try {
            Seen seen = new Seen(new LinkedHashSet<>(), new LinkedHashSet<>(), "");
            watch(new Client(port), seen, process);
            return new Seen(seen.readiness, seen.liveness, Files.readString(log));
        } finally {
            process.destroyForcibly().waitFor();
        }
    }

    private static void watch(Client client, Seen seen, Process process) throws Exception {
        long deadline = System.nanoTime() + TimeUnit.MINUTES.toNanos(10);
        while (!seen.readiness.contains(200)) {
            assertThat(process.isAlive()).isTrue();
            assertThat(System.nanoTime()).as("ready at last").isLessThan(deadline);
            try {
                seen.liveness.add(client.get("/actuator/health/liveness").status());
                seen.readiness.add(client.get("/actuator/health/readiness").status());
            } catch (IOException notYet) {
                Thread.sleep(20);
            }
        }
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }
}
