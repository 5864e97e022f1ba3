package tacho.nativekit.install;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Another program, run to its end. */
record Command(List<String> words, Path folder, Map<String, String> environment) {

    /** What it came to; the text has standard output and error. */
    record Result(int exitCode, String text) {

        boolean isGood() {
            return exitCode == 0;
        }
    }

    static Command of(Path folder, List<String> words) {
        return new Command(words, folder, Map.of());
    }

    static Command of(Path folder, String... words) {
        return of(folder, List.of(words));
    }

    /** Exit code 127, as shells have it, when there is no such program. */
    Result run() throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(words).directory(folder.toFile()).redirectErrorStream(true);
        builder.environment().putAll(environment);
        Process process;
        try {
            process = builder.start();
        } catch (IOException absent) {
            return new Result(127, absent.getMessage());
        }
        process.getOutputStream().close();
        String text = new String(process.getInputStream().readAllBytes());
        return new Result(process.waitFor(), text);
    }

    /** Runs it; when it fails nothing is installed. */
    String runOrFail(String what) throws IOException, InterruptedException {
        Result result = run();
        if (!result.isGood()) {
            throw new InstallException(InstallException.NOT_MADE, what + " failed:\n  " + String.join(" ", words) + "\n"
                    + result.text().strip().indent(2));
        }
        return result.text();
    }
}
