package tacho.labs.users;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * What was seen of the service as a process of its own until it was ready: statuses of its probes
 * in the order in which they were first seen, and its log.
 */
record UntilReady(Set<Integer> readiness, Set<Integer> liveness, String log) {

    /** Starts it, asks both probes until it is ready, and ends it; `folder` is for its log. */
    static UntilReady watched(Path folder, Map<String, String> environment, String... arguments) throws Exception {
        int port = freePort();
        Path log = folder.resolve("log.txt");
        List<String> command = new ArrayList<>(List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp", System.getProperty("java.class.path"), "tacho.labs.users.UsersApplication", "--server.port=" + port));
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile());
        builder.environment().putAll(environment);
        Process process = builder.start();
        try {
            UntilReady seen = new UntilReady(new LinkedHashSet<>(), new LinkedHashSet<>(), "");
            seen.watch(new Client(port), process);
            return new UntilReady(seen.readiness, seen.liveness, Files.readString(log));
        } finally {
            process.destroyForcibly().waitFor();
        }
    }

    private void watch(Client client, Process process) throws Exception {
        long deadline = System.nanoTime() + TimeUnit.MINUTES.toNanos(10);
        while (!readiness.contains(200)) {
            assertThat(process.isAlive()).isTrue();
            assertThat(System.nanoTime()).as("ready at last").isLessThan(deadline);
            try {
                liveness.add(client.get("/actuator/health/liveness").status());
                readiness.add(client.get("/actuator/health/readiness").status());
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
