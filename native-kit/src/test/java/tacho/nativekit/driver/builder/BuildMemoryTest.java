package tacho.nativekit.driver.builder;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BuildMemoryTest {

    private static final long GIGABYTE = 1L << 30;

    @TempDir
    Path root;

    private void write(String name, String content) throws IOException {
        Path file = root.resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, content);
    }

    @Test
    void threeQuartersOfWhatIsFreeWithinBounds() {
        assertEquals(6 * GIGABYTE, BuildMemory.heap(8 * GIGABYTE));
        assertEquals(GIGABYTE, BuildMemory.heap(GIGABYTE / 2));
        assertEquals(16 * GIGABYTE, BuildMemory.heap(512 * GIGABYTE));
    }

    @Test
    void theMachinesMemory() throws IOException {
        write("proc/meminfo", "MemTotal:       16777216 kB\nMemAvailable:    8388608 kB\n");
        assertEquals(8 * GIGABYTE, BuildMemory.available(root));
    }

    @Test
    void theControlGroupsMemory() throws IOException {
        write("proc/meminfo", "MemAvailable:    8388608 kB\n");
        write("sys/fs/cgroup/memory.max", "max\n");
        write("sys/fs/cgroup/memory.current", "1073741824\n");
        assertEquals(8 * GIGABYTE, BuildMemory.available(root));
        write("sys/fs/cgroup/memory.max", "5368709120\n");
        assertEquals(4 * GIGABYTE, BuildMemory.available(root));
        write("sys/fs/cgroup/memory/memory.limit_in_bytes", "3221225472\n");
        write("sys/fs/cgroup/memory/memory.usage_in_bytes", "1073741824\n");
        assertEquals(2 * GIGABYTE, BuildMemory.available(root));
    }

    @Test
    void thePersonsOwnLimitIsKept() {
        assertEquals(List.of(), BuildMemory.flags(List.of("-Xmx3g")));
        assertEquals(List.of(), BuildMemory.flags(List.of("-XX:MaxRAMPercentage=50")));
        assertEquals(1, BuildMemory.flags(List.of("-Xms1g")).size());
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
