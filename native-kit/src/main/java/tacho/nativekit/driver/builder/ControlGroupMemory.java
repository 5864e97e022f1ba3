package tacho.nativekit.driver.builder;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;

/**
 * What a control group that this process is in lets it have: of that group and all above it, the
 * one that has the least left. Names of files and their units are those of the kernel's
 * Documentation/admin-guide/cgroup-v1/memory.rst and cgroup-v2.rst.
 *
 * @param limit in bytes
 * @param left  what its processes could still get, in bytes
 */
record ControlGroupMemory(long limit, long left) {

    /** The names that a version of control groups has for the same things. */
    private enum Version {

        ONE("memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file"), TWO("memory.max", "memory.current", "inactive_file");

        private final String limit;
        private final String usage;
        private final String reclaimable;

        Version(String limit, String usage, String reclaimable) {
            this.limit = limit;
            this.usage = usage;
            this.reclaimable = reclaimable;
        }
    }

    /** Nothing where no group has a limit. */
    static Optional<ControlGroupMemory> ofThisProcess(Path root) {
        Path version1 = root.resolve("sys/fs/cgroup/memory");
        return Files.isDirectory(version1) ? tightest(version1, path(root, "memory"), Version.ONE)
                : tightest(root.resolve("sys/fs/cgroup"), path(root, ""), Version.TWO);
    }

    /**
     * The path of this process in a hierarchy: proc_pid_cgroup(5) has lines of the form
     * ID:CONTROLLERS:PATH.
     */
    private static String path(Path root, String controller) {
        return lines(root.resolve("proc/self/cgroup")).map(line -> line.split(":", 3))
                .filter(fields -> fields.length == 3 && List.of(fields[1].split(",")).contains(controller))
                .map(fields -> fields[2]).findFirst().orElse("/");
    }

    /**
     * A container may be told the path that its group has on the host, which it does not see: then
     * the group at its root counts.
     */
    private static Optional<ControlGroupMemory> tightest(Path mount, String path, Version version) {
        return Stream.iterate(mount.resolve(path.substring(1)).normalize(), folder -> folder.startsWith(mount), Path::getParent)
                .flatMap(folder -> ofGroup(folder, version).stream()).min(Comparator.comparingLong(ControlGroupMemory::left));
    }

    private static Optional<ControlGroupMemory> ofGroup(Path folder, Version version) {
        OptionalLong limit = number(folder.resolve(version.limit));
        OptionalLong usage = number(folder.resolve(version.usage));
        if (limit.isEmpty() || usage.isEmpty()) {
            return Optional.empty();
        }
        // Pages of files that nobody used lately are reclaimed when somebody asks for memory.
        long reclaimable = MemoryFile.entry(folder.resolve("memory.stat"), version.reclaimable).orElse(0);
        long used = Math.max(0, usage.getAsLong() - reclaimable);
        return Optional.of(new ControlGroupMemory(limit.getAsLong(), Math.max(0, limit.getAsLong() - used)));
    }

    /** No number where a limit is `max`. */
    private static OptionalLong number(Path file) {
        return lines(file).filter(line -> line.matches("\\d{1,19}")).mapToLong(Long::parseLong).findFirst();
    }

    private static Stream<String> lines(Path file) {
        try {
            return Files.readAllLines(file).stream();
        } catch (IOException absent) {
            return Stream.empty();
        }
    }
}
