package tacho.nativekit.driver.result;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import tacho.nativekit.driver.builder.BuildMemory;
import tacho.nativekit.driver.builder.BuilderProcess.Outcome;
import tacho.nativekit.driver.request.Request;

/** What a build came to, in a sentence or two. */
public record Summary(Request request, Outcome outcome, BuildMemory memory) {

    private static final int OUT_OF_MEMORY = 3;
    private static final int KILLED = 137;

    /** Where the image is, and what belongs to it. */
    public String ofImage(List<Path> files) {
        List<String> libraries = files.stream().map(Path::getFileName).map(Path::toString)
                .filter(name -> name.endsWith(".so") && !name.equals(request.image().name() + ".so")).toList();
        String beside = libraries.isEmpty() ? "" : " If it draws or prints (AWT, Java2D), these libraries must stay beside it: "
                + String.join(", ", libraries) + ". Everything else is inside the executable.";
        return "Built in " + time(outcome.time()) + BuildMemory.peak(outcome.peakMemory()) + "." + beside;
    }

    /** What went wrong as far as it is known here, and what to do about it. */
    public String ofFailure() {
        return switch (outcome.exitCode()) {
            case OUT_OF_MEMORY -> "The builder ran out of memory: " + memory.whenHeapWasTooSmall(outcome.peakMemory()) + ". No image was made.";
            case KILLED -> "The builder was killed, " + memory.whenKilled(outcome.peakMemory()) + ". No image was made.";
            default -> "The build failed after " + time(outcome.time()) + BuildMemory.peak(outcome.peakMemory()) + ". No image was made.";
        };
    }

    private static String time(Duration time) {
        return time.toMinutes() > 0 ? time.toMinutes() + " min " + time.toSecondsPart() + " s"
                : String.format(Locale.ROOT, "%.1f s", time.toMillis() / 1000.0);
    }
}
