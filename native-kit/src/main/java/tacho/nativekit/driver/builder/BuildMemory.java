package tacho.nativekit.driver.builder;

import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * How much memory a build may have. Its heap is, unless the person says, what is available now,
 * less a share for what is no heap, but not more than a build has use for.
 *
 * @param given     the flag by which the person gave the heap's size
 * @param available what this process could still get: of the machine, and of its control group
 * @param limit     the control group's, where it has less left than the machine
 */
public record BuildMemory(Optional<String> given, long available, OptionalLong limit) {

    private static final long MEGABYTE = 1L << 20;
    private static final double GIGABYTE = 1L << 30;
    private static final long LEAST = 1024 * MEGABYTE;
    private static final long MOST = 16L * 1024 * MEGABYTE;
    private static final double SHARE = 0.75;

    /** What builds took; native-kit/README.md and labs/native/README.md say of what. */
    private static final String EXPERIENCE = "A program of the JDK alone takes about 2.5 GB, a service on a framework 6 to 8 GB, one with JPA 10 GB";

    /** As it is now. */
    public static BuildMemory now(List<String> jvmArguments) {
        return of(jvmArguments, Path.of("/"));
    }

    static BuildMemory of(List<String> jvmArguments, Path root) {
        long ofMachine = MemoryFile.entry(root.resolve("proc/meminfo"), "MemAvailable").orElse(LEAST / 1024) * 1024;
        Optional<ControlGroupMemory> tighter = ControlGroupMemory.ofThisProcess(root).filter(group -> group.left() < ofMachine);
        return new BuildMemory(jvmArguments.stream().filter(BuildMemory::isHeapSize).reduce((first, last) -> last),
                tighter.map(ControlGroupMemory::left).orElse(ofMachine),
                tighter.map(group -> OptionalLong.of(group.limit())).orElse(OptionalLong.empty()));
    }

    private static boolean isHeapSize(String argument) {
        return argument.startsWith("-Xmx") || argument.startsWith("-XX:MaxHeapSize") || argument.startsWith("-XX:MaxRAM");
    }

    /** Flags for the builder's JVM; none when the person gave some. */
    List<String> flags() {
        return given.isPresent() ? List.of() : List.of("-Xmx" + heap() / MEGABYTE + "m");
    }

    /** In bytes, unless the person gave one. */
    long heap() {
        return Math.clamp((long) (available * SHARE), LEAST, MOST);
    }

    /** Before a build: that there is less than any takes. */
    public Optional<String> warning() {
        return available >= LEAST / SHARE ? Optional.empty()
                : Optional.of("Only " + gigabytes(available) + " of memory are free" + ofGroup() + ". " + EXPERIENCE + ".");
    }

    /** After a build whose heap was too small: what the heap was, and what to do. */
    public String whenHeapWasTooSmall(OptionalLong peak) {
        long heapToTry = Math.max(4, Math.round(peak.orElse(0) / GIGABYTE * 1.5) + 1);
        String heapGiven = given.map(flag -> "limited by -J" + flag).orElseGet(() -> gigabytes(heap()) + ", made for the " + gigabytes(available)
                + " of memory that were free" + ofGroup());
        return "its heap was " + heapGiven + peak(peak) + ". " + EXPERIENCE + ". Give it more with -J-Xmx, such as -J-Xmx" + heapToTry + "g, "
                + (limit.isPresent() ? "and raise the control group's limit to " + Math.round(heapToTry / SHARE) + " GB or more"
                        : "on a machine that has " + Math.round(heapToTry / SHARE) + " GB");
    }

    /** After a build that was killed, which is what the kernel does when memory ends. */
    public String whenKilled(OptionalLong peak) {
        return "most likely because " + (limit.isPresent() ? "its control group (limit " + gigabytes(limit.getAsLong()) + ")" : "the machine")
                + " ran out of memory" + peak(peak) + ". " + EXPERIENCE + ". " + (limit.isPresent() ? "Raise the limit" : "Free some")
                + ", or give the builder less heap with -J-Xmx if it was given more than it needs";
    }

    private String ofGroup() {
        return limit.isPresent() ? " in its control group (limit " + gigabytes(limit.getAsLong()) + ")" : "";
    }

    /** The most that the builder had. */
    public static String peak(OptionalLong bytes) {
        return bytes.isPresent() ? ", peak memory " + gigabytes(bytes.getAsLong()) : "";
    }

    private static String gigabytes(long bytes) {
        return String.format(Locale.ROOT, "%.2f GB", bytes / GIGABYTE);
    }
}
