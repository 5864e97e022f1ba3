package tacho.checks.topics;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import tacho.checks.Checks;
import tacho.checks.Scratch;
import tacho.checks.Self;
import tacho.checks.Topic;

/** Other processes. */
final class Processes implements Topic {

    @Override
    public void check(Checks checks) {
        checks.check("processes.output and exit code", "out, err, 3", () -> {
            Process process = new ProcessBuilder("sh", "-c", "echo out; echo err >&2; exit 3").start();
            String out = new String(process.getInputStream().readAllBytes(), UTF_8).strip();
            String err = new String(process.getErrorStream().readAllBytes(), UTF_8).strip();
            return out + ", " + err + ", " + process.waitFor();
        });
        checks.check("processes.input", "FED", () -> {
            Process process = new ProcessBuilder("tr", "a-z", "A-Z").start();
            try (var writer = process.outputWriter()) {
                writer.write("fed");
            }
            return new String(process.getInputStream().readAllBytes(), UTF_8);
        });
        checks.check("processes.environment and folder", "value, true", Scratch.with(scratch -> {
            ProcessBuilder builder = new ProcessBuilder("sh", "-c", "echo $CHECKS_VARIABLE; pwd")
                    .directory(scratch.folder().toFile());
            builder.environment().put("CHECKS_VARIABLE", "value");
            var lines = builder.start().inputReader().lines().toList();
            return lines.get(0) + ", " + Files.isSameFile(Path.of(lines.get(1)), scratch.folder());
        }));
        checks.check("processes.pipeline", "3", () -> {
            List<Process> pipeline = ProcessBuilder.startPipeline(
                    List.of(new ProcessBuilder("printf", "a\\nb\\nab\\n"), new ProcessBuilder("grep", "-c", ".")));
            return new String(pipeline.getLast().getInputStream().readAllBytes(), UTF_8).strip();
        });
        checks.check("processes.redirected to a file", "into a file", Scratch.with(scratch -> {
            Path file = scratch.path("out");
            new ProcessBuilder("echo", "into a file")
                    .redirectOutput(file.toFile())
                    .start()
                    .waitFor();
            return Files.readString(file).strip();
        }));
        checks.check("processes.ended", "not alive, code 143", () -> {
            Process process = new ProcessBuilder("sleep", "1000").start();
            process.destroy();
            process.waitFor(120, TimeUnit.SECONDS);
            return (process.isAlive() ? "alive" : "not alive") + ", code " + process.exitValue();
        });
        checks.check("processes.told of an end", "code 7", () -> new ProcessBuilder("sh", "-c", "exit 7")
                .start()
                .onExit()
                .thenApply(process -> "code " + process.exitValue())
                .get(60, TimeUnit.SECONDS));
        checks.check("processes.no such program", "No such file or directory", () -> {
            try {
                return new ProcessBuilder("/nowhere/at/all").start();
            } catch (IOException e) {
                return e.getMessage().replaceAll(".*(No such file or directory).*", "$1");
            }
        });
        checks.check("processes.handle of this one", "alive true, of the same number true, parent true", () -> {
            ProcessHandle here = ProcessHandle.current();
            long number =
                    Long.parseLong(Files.readSymbolicLink(Path.of("/proc/self")).toString());
            return "alive " + here.isAlive() + ", of the same number " + (here.pid() == number) + ", parent "
                    + here.parent().isPresent();
        });
        checks.check("processes.handle of a child", "sleep, child true", () -> {
            Process process = new ProcessBuilder("sleep", "1000").start();
            try {
                boolean child = ProcessHandle.current().children().anyMatch(process.toHandle()::equals);
                return Path.of(nameOf(process)).getFileName() + ", child " + child;
            } finally {
                process.destroyForcibly().waitFor();
            }
        });
        checks.check(
                "processes.this program once more", "[a b, ü, ] and 3", () -> Self.output("arguments", "a b", "ü", ""));
        checks.check("processes.a hundred", 100L, () -> {
            Process[] all = new Process[100];
            for (int i = 0; i < all.length; i++) {
                all[i] = new ProcessBuilder("true").start();
            }
            int good = 0;
            for (Process process : all) {
                good += process.waitFor() == 0 ? 1 : 0;
            }
            return good;
        });
    }

    /**
     * The child is this program until its exec; some systems' sleep is a link to another program.
     */
    private static String nameOf(Process process) throws InterruptedException {
        for (int i = 0; i < 600; i++) {
            String[] arguments = process.info().arguments().orElse(new String[0]);
            if (arguments.length == 1 && arguments[0].equals("1000")) {
                return "sleep";
            }
            Thread.sleep(50);
        }
        return process.info().toString();
    }
}
