package dev.tacho.junit;

import java.io.File;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** One JVM with the application, from its start to its end. */
final class Launch implements AutoCloseable {
    private static final Duration GRACE = Duration.ofSeconds(5);
    /** Between two probes; no instant is later than the truth by more than this and an answer. */
    private static final Duration PAUSE = Duration.ofMillis(2);
    private static final int LAST_LINES = 20;

    private final Process process;
    private final Path log;
    private final int port;
    private final long startedNs;
    private final Thread atEnd = new Thread(this::end, "tacho-junit-end");

    private Launch(Process process, Path log, int port, long startedNs) {
        this.process = process;
        this.log = log;
        this.port = port;
        this.startedNs = startedNs;
    }

    static Launch start(TachoTest spec) throws IOException {
        int port = freePort();
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of(spec.jvmFlags()));
        command.add("-cp");
        command.add(System.getProperty("java.class.path"));
        command.add(spec.application().getName());
        for (String argument : spec.arguments()) {
            command.add(argument.replace("{port}", Integer.toString(port)));
        }
        Path log = Files.createTempFile("tacho-junit", ".log");
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile());
        builder.environment().putIfAbsent("SERVER_PORT", Integer.toString(port));
        long startedNs = System.nanoTime();
        Launch launch = new Launch(builder.start(), log, port, startedNs);
        launch.endWithTests();
        return launch;
    }

    /** A JVM of tests that is stopped (SIGTERM, the Stop of an IDE) closes nothing. */
    private void endWithTests() {
        try {
            Runtime.getRuntime().addShutdownHook(atEnd);
        } catch (IllegalStateException endsAlready) {
            end();
            throw endsAlready;
        }
    }

    /** Waits until the path answers 2xx. */
    Duration untilReady(String path, Duration timeout) throws IOException, InterruptedException {
        while (true) {
            if (!process.isAlive()) {
                throw new IllegalStateException(
                        "the application ended with exit code " + process.exitValue() + " before it was ready:\n" + lastLines());
            }
            if (answersWell(path)) {
                return Duration.ofNanos(System.nanoTime() - startedNs);
            }
            if (System.nanoTime() - startedNs > timeout.toNanos()) {
                throw new IllegalStateException("GET " + path + " did not answer 2xx within " + Budget.shown(timeout)
                        + "; say another path by `ready`:\n" + lastLines());
            }
            Thread.sleep(PAUSE.toMillis());
        }
    }

    /** One request over a connection of its own. */
    Duration request(String path) throws IOException {
        long from = System.nanoTime();
        int status = ask(path);
        Duration took = Duration.ofNanos(System.nanoTime() - from);
        if (status >= 400) {
            throw new IllegalStateException("the first request, GET " + path + ", was answered " + status);
        }
        return took;
    }

    private boolean answersWell(String path) {
        try {
            int status = ask(path);
            return status >= 200 && status < 300;
        } catch (IOException notYet) {
            return false;
        }
    }

    private int ask(String path) throws IOException {
        var connection = (HttpURLConnection) URI.create("http://127.0.0.1:" + port + path).toURL().openConnection();
        connection.setRequestProperty("Connection", "close");
        connection.setConnectTimeout(1_000);
        connection.setReadTimeout(30_000);
        int status = connection.getResponseCode();
        try (var body = status >= 400 ? connection.getErrorStream() : connection.getInputStream()) {
            if (body != null) {
                body.readAllBytes();
            }
        }
        return status;
    }

    /** Whatever its charset is: what is no UTF-8 is shown as U+FFFD. */
    private String lastLines() throws IOException {
        List<String> lines = new String(Files.readAllBytes(log), StandardCharsets.UTF_8).lines().toList();
        return String.join("\n", lines.subList(Math.max(0, lines.size() - LAST_LINES), lines.size()));
    }

    /** A port that is free now; somebody may take it before the application does. */
    private static int freePort() throws IOException {
        try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    @Override
    public void close() {
        end();
        try {
            Runtime.getRuntime().removeShutdownHook(atEnd);
        } catch (IllegalStateException endsAnyway) {
            // It runs now, or has run: there is nothing left to end.
        }
    }

    private void end() {
        process.destroy();
        try {
            if (!process.waitFor(GRACE.toMillis(), TimeUnit.MILLISECONDS)) {
                process.destroyForcibly().waitFor();
            }
        } catch (InterruptedException interrupted) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
        File file = log.toFile();
        if (!file.delete()) {
            file.deleteOnExit();
        }
    }
}
