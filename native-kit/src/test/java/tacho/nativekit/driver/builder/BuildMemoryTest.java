package tacho.nativekit.driver.builder;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BuildMemoryTest {

    private static final long GIGABYTE = 1L << 30;
    private static final String EXPERIENCE =
            "A program of the JDK alone takes about 2.5 GB, a service on a framework 6 to 8 GB, one with JPA 10 GB.";

    @TempDir
    Path root;

    private void write(String name, String content) throws IOException {
        Path file = root.resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, content);
    }

    /** Of a machine with so much memory free. */
    private BuildMemory ofMachine(long kibibytes, String... jvmArguments) throws IOException {
        write("proc/meminfo", "MemTotal:       33554432 kB\nMemAvailable:    " + kibibytes + " kB\n");
        return BuildMemory.of(List.of(jvmArguments), root);
    }

    @Test
    void threeQuartersOfWhatIsFreeWithinBounds() throws IOException {
        assertEquals(6 * GIGABYTE, ofMachine(8L << 20).heap());
        assertEquals(GIGABYTE, ofMachine(1L << 19).heap());
        assertEquals(16 * GIGABYTE, ofMachine(512L << 20).heap());
    }

    @Test
    void theControlGroupsMemoryInVersion2() throws IOException {
        write("proc/self/cgroup", "0::/a/b\n");
        write("sys/fs/cgroup/a/b/memory.max", "max\n");
        write("sys/fs/cgroup/a/b/memory.current", "1073741824\n");
        assertEquals(8 * GIGABYTE, ofMachine(8L << 20).available());
        write("sys/fs/cgroup/a/memory.max", "5368709120\n");
        write("sys/fs/cgroup/a/memory.current", "2147483648\n");
        write("sys/fs/cgroup/a/memory.stat", "anon 1073741824\ninactive_file 1073741824\n");
        BuildMemory memory = ofMachine(8L << 20);
        assertEquals(4 * GIGABYTE, memory.available());
        assertEquals(OptionalLong.of(5 * GIGABYTE), memory.limit());
    }

    @Test
    void theControlGroupsMemoryInVersion1() throws IOException {
        write("proc/self/cgroup", "5:devices:/x\n4:cpu,memory:/builds/one\n0::/\n");
        write("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
        write("sys/fs/cgroup/memory/memory.usage_in_bytes", "6442450944\n");
        write("sys/fs/cgroup/memory/builds/memory.limit_in_bytes", "6442450944\n");
        write("sys/fs/cgroup/memory/builds/memory.usage_in_bytes", "1073741824\n");
        write("sys/fs/cgroup/memory/builds/one/memory.limit_in_bytes", "3221225472\n");
        write("sys/fs/cgroup/memory/builds/one/memory.usage_in_bytes", "1073741824\n");
        write("sys/fs/cgroup/memory/builds/one/memory.stat", "inactive_file 1\ntotal_inactive_file 0\n");
        BuildMemory memory = ofMachine(8L << 20);
        assertEquals(2 * GIGABYTE, memory.available());
        assertEquals(OptionalLong.of(3 * GIGABYTE), memory.limit());
    }

    /**
     * Docker before control group namespaces: the path is the host's, and the group itself is seen
     * at the root.
     */
    @Test
    void aContainerThatIsToldThePathOnItsHost() throws IOException {
        write("proc/self/cgroup", "4:memory:/docker/1234\n");
        write("sys/fs/cgroup/memory/memory.limit_in_bytes", "3221225472\n");
        write("sys/fs/cgroup/memory/memory.usage_in_bytes", "0\n");
        assertEquals(3 * GIGABYTE, ofMachine(8L << 20).available());
    }

    @Test
    void thePersonsOwnLimitIsKept() throws IOException {
        assertEquals(List.of(), ofMachine(8L << 20, "-Xmx3g").flags());
        assertEquals(List.of(), ofMachine(8L << 20, "-XX:MaxRAMPercentage=50").flags());
        assertEquals(List.of("-Xmx6144m"), ofMachine(8L << 20, "-Xms1g").flags());
    }

    @Test
    void aHeapThatWasTooSmallIsToldWithWhatWouldDo() throws IOException {
        String given = ofMachine(8L << 20, "-Xmx1g", "-Xmx600m").whenHeapWasTooSmall(OptionalLong.of(GIGABYTE));
        assertEquals("its heap was limited by -J-Xmx600m, peak memory 1.00 GB. " + EXPERIENCE
                + " Give it more with -J-Xmx, such as -J-Xmx4g, on a machine that has 5 GB", given);
        write("sys/fs/cgroup/memory.max", "4294967296\n");
        write("sys/fs/cgroup/memory.current", "0\n");
        String grouped = ofMachine(8L << 20).whenHeapWasTooSmall(OptionalLong.of(4 * GIGABYTE));
        assertEquals("its heap was 3.00 GB, made for the 4.00 GB of memory that were free in its control group (limit 4.00 GB), peak memory 4.00 GB. "
                + EXPERIENCE + " Give it more with -J-Xmx, such as -J-Xmx7g, and raise the control group's limit to 9 GB or more", grouped);
    }

    @Test
    void aKilledBuildIsToldWithTheLimit() throws IOException {
        write("sys/fs/cgroup/memory.max", "1073741824\n");
        write("sys/fs/cgroup/memory.current", "0\n");
        BuildMemory memory = ofMachine(8L << 20);
        assertEquals("most likely because its control group (limit 1.00 GB) ran out of memory, peak memory 0.98 GB. " + EXPERIENCE
                + " Raise the limit, or give the builder less heap with -J-Xmx if it was given more than it needs",
                memory.whenKilled(OptionalLong.of(1003L << 20)));
        assertEquals(Optional.of("Only 1.00 GB of memory are free in its control group (limit 1.00 GB). " + EXPERIENCE), memory.warning());
    }

    @Test
    void versionsArePrintedInThreeLines() {
        String[] lines = new BuilderIdentity("25.0.2", "2026-01-20", "g:a:25.0.2", "GraalVM CE 25.0.2+x", "25.0.3+9-LTS")
                .versionLines().split("\n");
        assertEquals(3, lines.length);
        assertEquals("native-image 25.0.2 2026-01-20", lines[0]);
        assertEquals("GraalVM Runtime Environment GraalVM CE 25.0.2+x (build 25.0.3+9-LTS)", lines[1]);
    }
}
