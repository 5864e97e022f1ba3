package tacho.nativekit.driver.builder;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;

/**
 * How much heap the builder gets unless the person says: what is available now, less a share for what is no heap, but
 * not more than a build has use for.
 */
public final class BuildMemory {

    private static final long MEGABYTE = 1L << 20;
    private static final long LEAST = 1024 * MEGABYTE;
    private static final long MOST = 16L * 1024 * MEGABYTE;
    private static final double SHARE = 0.75;

    private BuildMemory() {
    }

    /** Flags for the builder's JVM; none when the person gave some. */
    static List<String> flags(List<String> jvmArguments) {
        boolean isGiven = jvmArguments.stream().anyMatch(argument -> argument.startsWith("-Xmx")
                || argument.startsWith("-XX:MaxHeapSize") || argument.startsWith("-XX:MaxRAM"));
        return isGiven ? List.of() : List.of("-Xmx" + heap(available(Path.of("/"))) / MEGABYTE + "m");
    }

    static long heap(long available) {
        return Math.clamp((long) (available * SHARE), LEAST, MOST);
    }

    /** Bytes that this process could still get: of the machine, and of its control group's limit. */
    static long available(Path root) {
        long ofMachine = entry(root.resolve("proc/meminfo"), "MemAvailable:").orElse(LEAST / 1024) * 1024;
        return Math.min(ofMachine, ofControlGroup(root).orElse(Long.MAX_VALUE));
    }

    /** Where a container sees its own group at the root of the hierarchy, or a service the one it was put into. */
    private static OptionalLong ofControlGroup(Path root) {
        Path memory = root.resolve("sys/fs/cgroup/memory");
        OptionalLong version1 = left(memory, "memory.limit_in_bytes", "memory.usage_in_bytes");
        return version1.isPresent() ? version1 : left(root.resolve("sys/fs/cgroup"), "memory.max", "memory.current");
    }

    private static OptionalLong left(Path folder, String limitFile, String usageFile) {
        OptionalLong limit = number(folder.resolve(limitFile));
        OptionalLong usage = number(folder.resolve(usageFile));
        return limit.isEmpty() || usage.isEmpty() ? OptionalLong.empty()
                : OptionalLong.of(Math.max(0, limit.getAsLong() - usage.getAsLong()));
    }

    private static OptionalLong number(Path file) {
        try {
            return OptionalLong.of(Long.parseLong(Files.readString(file).strip()));
        } catch (IOException | NumberFormatException absentOrMax) {
            return OptionalLong.empty();
        }
    }

    private static OptionalLong entry(Path file, String word) {
        try {
            return Files.readAllLines(file).stream().filter(line -> line.startsWith(word))
                    .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", ""))).findFirst();
        } catch (IOException | NumberFormatException unreadable) {
            return OptionalLong.empty();
        }
    }
}
