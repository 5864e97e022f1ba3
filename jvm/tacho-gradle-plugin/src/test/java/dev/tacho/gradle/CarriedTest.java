package dev.tacho.gradle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class CarriedTest {
    private static ProcessBuilder shell(String script) {
        return new ProcessBuilder("sh", "-c", script);
    }

    @Test
    void allOfItsLinesAreToldBeforeItsExitCode() throws Exception {
        List<String> lines = new ArrayList<>();
        assertEquals(3, Carried.out(shell("echo one; echo two >&2; exit 3"), lines::add));
        assertEquals(List.of("one", "two"), lines);
    }

    /** Under LANG=C, as in many containers, Java takes a program's output for ASCII. */
    @Test
    void signsAreWhatTheyWereInEveryLocale() throws Exception {
        List<String> lines = new ArrayList<>();
        // Octal, since the words of a command pass through the locale as well.
        Carried.out(shell("printf '\\303\\2270.45 \\342\\234\\223 better\\n'"), lines::add);
        assertEquals(List.of("\u00d70.45 \u2713 better"), lines);
    }

    /** A program that says its process and then nothing for longer than any test. */
    private static ProcessHandle left(Class<? extends Throwable> thrown, Runnable atItsFirstLine) throws Exception {
        List<ProcessHandle> started = new ArrayList<>();
        Consumer<String> line = pid -> {
            started.add(ProcessHandle.of(Long.parseLong(pid)).orElseThrow());
            atItsFirstLine.run();
        };
        assertThrows(thrown, () -> Carried.out(shell("echo $$; exec sleep 600"), line));
        return started.get(0);
    }

    @Test
    void itEndsWithATaskThatIsInterrupted() throws Exception {
        ProcessHandle program = left(InterruptedException.class, Thread.currentThread()::interrupt);
        program.onExit().get(60, TimeUnit.SECONDS);
    }

    @Test
    void itEndsWithATaskThatFails() throws Exception {
        ProcessHandle program = left(IllegalStateException.class, () -> {
            throw new IllegalStateException("no log");
        });
        program.onExit().get(60, TimeUnit.SECONDS);
    }
}
