package tacho.nativekit.driver.result;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import tacho.nativekit.driver.builder.BuilderProcess.Outcome;
import tacho.nativekit.driver.request.Request;

/** What a build came to, in a sentence or two. */
public record Summary(Request request, Outcome outcome) {

    private static final int OUT_OF_MEMORY = 3;
    private static final int KILLED = 137;
    private static final double GIGABYTE = 1 << 30;

    /** Where the image is, and what belongs to it. */
    public String ofImage(List<Path> files) {
        List<String> libraries = files.stream().map(Path::getFileName).map(Path::toString)
                .filter(name -> name.endsWith(".so") && !name.equals(request.image().name() + ".so")).toList();
        String beside = libraries.isEmpty() ? "" : " If it draws or prints (AWT, Java2D), these libraries must stay beside it: "
                + String.join(", ", libraries) + ". Everything else is inside the executable.";
        return "Built in " + time(outcome.time()) + peak() + "." + beside;
    }

    public String ofFailure() {
        return switch (outcome.exitCode()) {
            case OUT_OF_MEMORY -> "The builder ran out of memory: its heap was " + heapGiven() + peak()
                    + ". Give it more with -J-Xmx, such as -J-Xmx" + moreThanGiven()
                    + "g, on a machine that has it. No image was made.";
            case KILLED -> "The builder was killed, most likely because the machine or the control group ran out of memory"
                    + peak() + ". Free some, raise the limit, or give the builder less heap with -J-Xmx. No image was made.";
            default -> "The build failed after " + time(outcome.time()) + peak() + ". No image was made.";
        };
    }

    private String peak() {
        return outcome.peakMemory().isPresent()
                ? String.format(Locale.ROOT, ", peak memory %.2f GB", outcome.peakMemory().getAsLong() / GIGABYTE) : "";
    }

    private String heapGiven() {
        return request.jvmArguments().stream().filter(argument -> argument.startsWith("-Xmx")).reduce((first, last) -> last)
                .map(argument -> "limited by " + argument).orElse("three quarters of the memory that was free");
    }

    private long moreThanGiven() {
        double peak = outcome.peakMemory().orElse(0) / GIGABYTE;
        return Math.max(4, Math.round(peak * 1.5) + 1);
    }

    private static String time(Duration time) {
        return time.toMinutes() > 0 ? time.toMinutes() + " min " + time.toSecondsPart() + " s"
                : String.format(Locale.ROOT, "%.1f s", time.toMillis() / 1000.0);
    }
}
