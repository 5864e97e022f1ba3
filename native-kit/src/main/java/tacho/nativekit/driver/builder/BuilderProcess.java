package tacho.nativekit.driver.builder;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.Charset;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.UnaryOperator;

/** The builder at work. What it prints is passed on; it ends when this process does. */
public final class BuilderProcess {

    /** How a build went. */
    public record Outcome(int exitCode, Duration time, OptionalLong peakMemory) {
    }

    private BuilderProcess() {
    }

    /**
     * Runs the builder to its end.
     *
     * @param words   what is done with the text that it prints
     * @param cleanUp what is done when this process is told to end meanwhile
     */
    public static Outcome run(List<String> commandLine, BuilderCommand command, UnaryOperator<String> words,
            PrintStream to, Runnable cleanUp) throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(commandLine).redirectErrorStream(true);
        builder.environment().clear();
        builder.environment().putAll(command.environment());
        long started = System.nanoTime();
        Process process = builder.start();
        Thread end = new Thread(() -> end(process, cleanUp));
        Runtime.getRuntime().addShutdownHook(end);
        process.getOutputStream().close();
        pass(process, words, to);
        int exitCode = process.waitFor();
        forget(end);
        return new Outcome(exitCode, Duration.ofNanos(System.nanoTime() - started), PeakMemory.ofChildren());
    }

    private static void forget(Thread hook) {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException alreadyEnding) {
            // The hook runs, and this process ends with it.
        }
    }

    private static void end(Process process, Runnable cleanUp) {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
        try {
            process.waitFor();
        } catch (InterruptedException hurried) {
            Thread.currentThread().interrupt();
        }
        cleanUp.run();
    }

    /**
     * Passes on what the builder prints as soon as a line is whole, or when it pauses within one,
     * as it does to show progress.
     */
    private static void pass(Process process, UnaryOperator<String> words, PrintStream to) throws IOException {
        try (BufferedReader reader = process.inputReader(Charset.defaultCharset())) {
            StringBuilder line = new StringBuilder();
            for (int c = reader.read(); c >= 0; c = reader.read()) {
                line.append((char) c);
                if (c == '\n' || !reader.ready()) {
                    to.print(words.apply(line.toString()));
                    to.flush();
                    line.setLength(0);
                }
            }
        }
    }
}
