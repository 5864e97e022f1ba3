package dev.tacho.gradle;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Consumer;

/** A program that is carried out, and ends with the task that waits for it. */
final class Carried {
    private Carried() {}

    /** Its exit code, after all of its lines. */
    static int out(ProcessBuilder program, Consumer<String> line) throws IOException, InterruptedException {
        Process process = program.redirectErrorStream(true).start();
        try {
            process.getOutputStream().close();
            BlockingQueue<Optional<String>> lines = lines(process);
            for (Optional<String> next = lines.take(); next.isPresent(); next = lines.take()) {
                line.accept(next.get());
            }
            return process.waitFor();
        } finally {
            process.destroy();
        }
    }

    /**
     * Its lines, then an empty one. To wait for them can be interrupted, to read them cannot. They
     * are UTF-8 in every locale.
     */
    private static BlockingQueue<Optional<String>> lines(Process process) {
        BlockingQueue<Optional<String>> lines = new LinkedBlockingQueue<>();
        Thread reader = new Thread(
                () -> {
                    try (BufferedReader said = process.inputReader(StandardCharsets.UTF_8)) {
                        for (String line = said.readLine(); line != null; line = said.readLine()) {
                            lines.add(Optional.of(line));
                        }
                    } catch (IOException closed) {
                        // The process was ended: it says nothing more.
                    } finally {
                        lines.add(Optional.empty());
                    }
                },
                "tacho-output");
        reader.setDaemon(true);
        reader.start();
        return lines;
    }
}
