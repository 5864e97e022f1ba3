package tacho.checks.topics;

import com.sun.management.HotSpotDiagnosticMXBean;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import tacho.checks.Checks;
import tacho.checks.Scratch;
import tacho.checks.Self;
import tacho.checks.Topic;

/** A dump of the heap that the program asks for. */
final class HeapDumps implements Topic {

    @Override
    public void check(Checks checks) {
        checks.check("heap dump.on request", "JAVA PROFILE 1.0.2, some size true", Scratch.with(scratch -> {
            Path file = scratch.path("heap.hprof");
            dump(file.toString());
            try (InputStream in = Files.newInputStream(file)) {
                return new String(in.readNBytes(18)) + ", some size " + (Files.size(file) > 100_000);
            }
        }));
    }

    /** Each virtual machine has its own way to ask. */
    private static void dump(String file) throws Exception {
        if (Self.isImage()) {
            Class.forName("org.graalvm.nativeimage.VMRuntime")
                    .getMethod("dumpHeap", String.class, boolean.class)
                    .invoke(null, file, true);
        } else {
            ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class).dumpHeap(file, true);
        }
    }
}
